//! Whether motion, external loads and model can belong together: units, axes, signs, sides, mass and time.
//!
//! [`examine_motion`] looks at a motion file, [`examine_model`] at a model and its muscles, [`examine_activations`]
//! at activations of muscles, [`examine_loads`] at the loads under a moving model. Findings have the severity error
//! where moments would be wrong. Of several checks that fail for one cause the first is reported: a force that points
//! sideways is not also reported as a wrong mass. [`plates`] finds the foot on each plate.
#![allow(non_snake_case)]

mod activations;
mod angles;
mod carried;
mod causes;
mod columns;
mod direction;
mod feet;
mod mass;
mod model;
mod muscles;
pub mod plates;
mod record;
mod samples;
mod sole;
mod steps;
mod times;

pub use activations::examine_activations;
pub use angles::examine_angles;
pub use columns::examine_motion;
pub use feet::{Foot, feet_of};
pub use mass::mass_by_plates;
pub use model::{examine_bodies, examine_model, examine_paths};
pub use muscles::examine_muscles;
pub use samples::LoadSamples;

use wolff_anatomy::names::opensim::ModelBody;
use wolff_motion::external_loads::ExternalLoad;
use wolff_motion::history::CoordinateHistory;
use wolff_motion::subject::Subject;
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
    let checks: [&dyn Fn() -> Vec<Finding>; 12] = [
        &|| record::gaps(loads, times),
        &|| record::rate(&samples, loads),
        &|| carried::all_zero(&samples),
        &|| direction::direction(&samples),
        &|| feet::under_foot(&samples),
        &|| sole::on_the_floor(&samples),
        &|| direction::moments(&samples),
        &|| carried::violent(&samples),
        &|| times::shift(&samples, loads),
        &|| mass::by_plates(&samples),
        &|| causes::causes(&samples),
        &|| carried::gaps(&samples),
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

/// Whether a model has pelvis and feet.
fn is_person(subject: &Subject) -> bool {
    let has = |wanted: ModelBody| subject.model.bodies().iter().any(|b| ModelBody::of(&b.name) == Some(wanted));
    has(ModelBody::Pelvis) && has(ModelBody::Calcaneus)
}

/// A person whose mass nothing carries: moments of inverse dynamics without ground forces are not those of the trial.
/// `None` of models without pelvis and feet.
pub fn examine_missing_loads(subject: &Subject, loads: &[ExternalLoad]) -> Option<Finding> {
    (loads.is_empty() && is_person(subject)).then(|| {
        let message = "no ground forces are given: the joint to ground would carry the whole body";
        Finding::error(message, "give them with --loads")
    })
}

/// The mass of a model with pelvis and feet must be that of a person.
fn person(subject: &Subject) -> Option<Finding> {
    if !is_person(subject) {
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
