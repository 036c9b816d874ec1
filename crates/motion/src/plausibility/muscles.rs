//! Strength and lengths of muscles in their units.

use crate::muscle::MuscleSpec;
use crate::subject::Subject;
use wolff_verdict::{Finding, grouped};

/// Largest maximum isometric force of a muscle \[N\]: twice that of lumped muscles of planar models, which have up to
/// 9.6 kN (chosen here).
const STRONGEST: f64 = 20e3;
/// Largest optimal fibre length and tendon slack length \[m\]: twice those of sartorius and of the long tendons of the
/// foot (chosen here).
const LONGEST: f64 = 1.0;

/// A parameter, its value in a muscle, the largest value of a person and the unit.
type Check = (&'static str, fn(&MuscleSpec) -> f64, f64, &'static str);

/// Muscles whose strength or lengths no person has: the model has other units than N and m.
pub fn examine_muscles(subject: &Subject) -> Vec<Finding> {
    let checks: [Check; 3] = [
        ("maximum isometric force", |m| m.parameters.max_isometric_force, STRONGEST, "N"),
        ("optimal fibre length", |m| m.parameters.optimal_fibre_length, LONGEST, "m"),
        ("tendon slack length", |m| m.parameters.tendon_slack_length, LONGEST, "m"),
    ];
    let finding = |(what, value, most, unit): &Check| {
        let beyond: Vec<&MuscleSpec> = subject.muscles.iter().filter(|m| value(m) > *most).collect();
        let largest = beyond.iter().max_by(|a, b| value(a).total_cmp(&value(b)))?;
        let names: Vec<&str> = beyond.iter().map(|m| m.name.as_str()).collect();
        let message = format!(
            "the {what} of {} of {} muscles is above {most} {unit}, `{}` has {:.4e} {unit}: {}",
            beyond.len(),
            subject.muscles.len(),
            largest.name,
            value(largest),
            grouped(&names)
        );
        Some(Finding::error(message, format!("correct the model; the {what} is given in {unit}")))
    };
    checks.iter().filter_map(finding).collect()
}
