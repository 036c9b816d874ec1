//! Whether motion, external loads and model can belong together: units, axes, signs, sides, mass and time.
//!
//! [`examine_motion`] looks at a motion file, [`examine_muscles`] at the muscles of a model, [`examine_loads`] at the
//! loads under a moving model. Findings have the severity error where moments would be wrong. Of several checks that
//! fail for one cause the first is reported: a force that points sideways is not also reported as a wrong mass.

mod angles;
mod columns;
mod direction;
mod feet;
mod mass;
mod muscles;
mod record;
mod samples;
mod times;

pub use angles::examine_angles;
pub use columns::examine_motion;
pub use feet::{Foot, feet_of};
pub use mass::mass_by_plates;
pub use muscles::examine_muscles;
pub use samples::LoadSamples;

use crate::external_loads::ExternalLoad;
use crate::history::CoordinateHistory;
use crate::subject::Subject;
use wolff_anatomy::names::opensim::ModelBody;
use wolff_verdict::{Finding, Severity};

/// Mass of persons, from a small child to the heaviest \[kg\]; chosen here: a wide range.
const PERSON: std::ops::RangeInclusive<f64> = 5.0..=350.0;

/// Findings about the loads on a subject that moves, at the instants that are analysed.
///
/// The loads need not be forces of the subject's model.
pub fn examine_loads(
    subject: &Subject,
    history: &CoordinateHistory,
    loads: &[ExternalLoad],
    times: &[f64],
) -> Vec<Finding> {
    let mut findings: Vec<Finding> = person(subject).into_iter().collect();
    if loads.is_empty() {
        return findings;
    }
    let overlap = times::overlap(loads, times);
    let apart = overlap.iter().any(|f| f.severity == Severity::Error);
    findings.extend(overlap);
    if apart {
        return findings;
    }
    let samples = LoadSamples::new(subject, history, loads, times);
    let checks: [&dyn Fn() -> Vec<Finding>; 7] = [
        &|| record::gaps(loads, times),
        &|| record::rate(&samples, loads),
        &|| direction::direction(&samples),
        &|| feet::under_foot(&samples),
        &|| direction::moments(&samples),
        &|| times::shift(&samples, loads),
        &|| mass::by_plates(&samples),
    ];
    for check in checks {
        let found = check();
        let wrong = found.iter().any(|f| f.severity == Severity::Error);
        findings.extend(found);
        if wrong {
            break;
        }
    }
    findings
}

/// The mass of a model with pelvis and feet must be that of a person.
fn person(subject: &Subject) -> Option<Finding> {
    let has = |wanted: ModelBody| subject.model.bodies().iter().any(|b| ModelBody::of(&b.name) == Some(wanted));
    if !(has(ModelBody::Pelvis) && has(ModelBody::Calcaneus)) {
        return None;
    }
    let mass = subject.mass();
    (!PERSON.contains(&mass)).then(|| {
        let message = format!(
            "the bodies of model `{}` have a mass of {mass:.1} kg together, a person has {} to {} kg",
            subject.name,
            PERSON.start(),
            PERSON.end()
        );
        Finding::error(message, "correct the masses of the model, or scale it to the mass of the subject in kg")
    })
}
