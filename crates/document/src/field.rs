//! `[[field]]`: displacement and strain on the surface of a body, written for visualisation.

use super::fields::Fields;
use super::node::Node;
use super::reader::{Expected, Reader};
use wolff_bone::flexible::{FlexibleBody, FlexibleSource, Way};
use wolff_formula::quantity::Dimension;

/// Maximum number of instants of a field.
const MOST_INSTANTS: f64 = 1000.0;

/// A field to write.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSpec {
    /// The body.
    pub body: String,
    /// The instants \[s\], within the run.
    pub times: Vec<f64>,
}

/// Reads an entry: `body`, and `times` or an `interval` (default: that of the series) between `start` and `end`.
pub(crate) fn read_field(
    reader: &mut Reader<'_>,
    node: &Node,
    bodies: &[FlexibleBody],
    duration: f64,
    interval: f64,
) -> Option<FieldSpec> {
    let mut fields = Fields::new(reader, node, "[[field]]")?;
    let time = Expected::of(Dimension::TIME);
    let body = fields.name(reader, "body");
    let times = fields.numbers_or_none(reader, "times", time.not_negative());
    let interval = fields.number_or(reader, "interval", time.positive(), interval);
    let start = fields.number_or(reader, "start", time.not_negative(), 0.0);
    let end = fields.number_or(reader, "end", time.not_negative(), duration);
    let (at_body, at_times) = (fields.span_of("body"), fields.span_of("times"));
    fields.finish(reader);
    let body = body?;
    if let Some(rule) = without_surface(bodies, &body) {
        return reader.wrong(&at_body, format!("field of `{body}`: {rule}"), None);
    }
    let (given, interval, start, end) = (times?, interval?, start?, end?.min(duration));
    if let Some(late) = given.iter().find(|t| **t > duration) {
        return reader.wrong(&at_times, format!("`times` contains {late} s, but the run ends at {duration} s"), None);
    }
    let count = ((end - start) / interval * (1.0 + 1e-12)).floor();
    if !(count < MOST_INSTANTS) || given.len() as f64 > MOST_INSTANTS {
        let help = format!(
            "a field has at most {MOST_INSTANTS} instants; use a longer `interval`, or limit it with `start` and `end`"
        );
        return reader.wrong(&node.span, format!("field of `{body}`: too many instants"), Some(help));
    }
    let even =
        || (0..=count.max(0.0) as usize).map(|i| start + i as f64 * interval).filter(|t| *t <= duration).collect();
    Some(FieldSpec { body, times: if given.is_empty() { even() } else { given } })
}

/// Why the body has no surface to draw on; `None` where it has one.
fn without_surface(bodies: &[FlexibleBody], name: &str) -> Option<&'static str> {
    let Some(body) = bodies.iter().find(|b| b.name == name) else {
        return Some("there is no flexible body of this name");
    };
    match &body.source {
        _ if body.way != Way::FloatingFrame => Some("fields are supported only for the way `floating-frame`"),
        FlexibleSource::Beam { .. } => Some("a beam has no surface; use `bone` or `mesh`"),
        FlexibleSource::File(file) if file.surface.is_none() => {
            Some("the file of the body has no surface; create it with `wolff modes MESH`, which stores the surface")
        }
        _ => None,
    }
}
