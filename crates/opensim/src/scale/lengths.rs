//! Lengths that are scaled with path lengths.

use super::edit::{Edits, child_text, in_defaults, join, name_of, parse};
use super::factors::default_pose;
use crate::ForceKind;
use crate::OpensimSubject;
use std::collections::BTreeMap;
use wolff_motion::MotionError;
use wolff_multibody::Instant;
use wolff_muscle::Path;
use wolff_muscle::path::PathSpec;
use wolff_spatial::Vec3;

/// Properties that are lengths of a path or of a part of it.
const LENGTHS: [&str; 4] = ["optimal_fiber_length", "tendon_slack_length", "resting_length", "slack_length"];

/// Lengths of the paths of all muscles, ligaments and springs in the default pose \[m\].
pub(super) fn path_lengths(subject: &OpensimSubject) -> Result<BTreeMap<String, f64>, MotionError> {
    let (kin, q) = default_pose(subject);
    let v = vec![0.0; subject.subject.model.nv()];
    let at = Instant { t: 0.0, model: &subject.subject.model, kin: &kin, q: &q, v: &v, approach_speed: None };
    let length = |spec: &PathSpec| {
        let path = Path::new(spec, &subject.subject.model)?;
        Ok::<f64, MotionError>(path.solve(&at, None).length)
    };
    let mut out = BTreeMap::new();
    for muscle in &subject.converted.muscles {
        out.insert(muscle.name.clone(), length(&muscle.path)?);
    }
    for force in &subject.converted.forces {
        match &force.kind {
            ForceKind::Path { path, .. } => {
                out.insert(force.name.clone(), length(path)?);
            }
            ForceKind::Ligament { points, .. } => {
                let places: Vec<Vec3> =
                    points.iter().filter_map(|p| Some(kin.pose(&subject.subject.model.frame(p)?).p)).collect();
                out.insert(force.name.clone(), places.windows(2).map(|w| (w[1] - w[0]).norm()).sum());
            }
            _ => {}
        }
    }
    Ok(out)
}

/// The text of a scaled model with fibre, tendon and resting lengths in the ratio of path lengths; second, the forces
/// whose lengths were kept because their path is not supported.
pub(super) fn with_lengths(
    text: &str,
    before: &BTreeMap<String, f64>,
    after: &BTreeMap<String, f64>,
) -> Result<(String, Vec<String>), MotionError> {
    let document = parse(text)?;
    let mut edits = Edits::default();
    let mut kept = Vec::new();
    for node in document.descendants().filter(|n| n.is_element() && !in_defaults(*n)) {
        let tag = node.tag_name().name();
        let Some(force) = node.parent_element().filter(|_| LENGTHS.contains(&tag)) else { continue };
        let name = name_of(force);
        match (before.get(name), after.get(name)) {
            (Some(old), Some(new)) if *old > 0.0 => {
                if let Some(value) = child_text(force, tag).and_then(|t| t.parse::<f64>().ok()) {
                    edits.set_text(node, &join(&[value * new / old]));
                }
            }
            _ if !kept.contains(&name.to_string()) => kept.push(name.into()),
            _ => {}
        }
    }
    Ok((edits.apply(text), kept))
}
