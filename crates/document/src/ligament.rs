//! `[[force]] kind = "ligament"`.

use super::fields::Fields;
use super::force::{ForceKind, Slack};
use super::model::frame_at;
use super::node::Value;
use super::reader::{Expected, Reader};
use wolff_formula::quantity::Dimension;
use wolff_multibody::force::LigamentLaw;

/// Default end of the toe region: twice 0.03, Blankevoort and Huiskes, J Biomech Eng 113, 1991.
const TRANSITION_STRAIN: f64 = 0.06;

/// Reads `path`, `law`, `stiffness` \[N per strain\] or `quadratic_stiffness` \[N/m²\], `transition_strain`,
/// `damping` \[N s per strain\], `slack_length` or `reference_strain`.
pub(super) fn ligament(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ForceKind> {
    let node = fields.must(reader, "path")?;
    let label = format!("`path` of {}", fields.what);
    let path = match &node.value {
        Value::Array(frames) if frames.len() >= 2 => {
            let read: Vec<_> = frames.iter().map(|frame| frame_at(reader, frame, &label)).collect();
            read.into_iter().collect::<Option<Vec<_>>>()
        }
        _ => reader.wrong_kind(node, &label, "an array of two or more frames"),
    };
    let one = Expected::of(Dimension::ONE);
    let word = fields.choice_or(reader, "law", &["toe", "quadratic"], "toe")?;
    let per_strain = Expected::of(Dimension::FORCE).not_negative();
    let per_area = Expected::of(Dimension::FORCE.times(Dimension::LENGTH, -2.0)).not_negative();
    let (stiffness, quadratic) = if word == "toe" {
        fields.maybe_number(reader, "quadratic_stiffness", per_area);
        (fields.number(reader, "stiffness", per_strain), Some(None))
    } else {
        fields.maybe_number(reader, "stiffness", per_strain);
        (Some(0.0), fields.number(reader, "quadratic_stiffness", per_area).map(Some))
    };
    let transition_strain = fields.number_or(reader, "transition_strain", one.not_negative(), TRANSITION_STRAIN);
    let impulse = Dimension::FORCE.times(Dimension::TIME, 1.0);
    let damping = fields.number_or(reader, "damping", Expected::of(impulse).not_negative(), 0.0);
    let length = fields.maybe_number(reader, "slack_length", Expected::of(Dimension::LENGTH).positive());
    let strain = fields.maybe_number(reader, "reference_strain", one);
    let slack = match (length, strain) {
        (Some(length), None) => Some(Slack::Length(length)),
        (None, Some(strain)) => Some(Slack::ReferenceStrain(strain)),
        _ => {
            let help = "give either the slack length [m] or the strain in the position where all coordinates are zero"
                .to_string();
            let message = format!("{} requires either `slack_length` or `reference_strain`", fields.what);
            reader.wrong(&fields.node.span, message, Some(help))
        }
    };
    let law = LigamentLaw { stiffness: stiffness?, transition_strain: transition_strain?, damping: damping? };
    Some(ForceKind::Ligament { path: path?, law, quadratic: quadratic?, slack: slack? })
}
