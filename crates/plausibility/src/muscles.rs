//! Strength and lengths of muscles in their units.

use wolff_motion::muscle::MuscleSpec;
use wolff_motion::subject::Subject;
use wolff_verdict::{Finding, grouped};

/// Largest maximum isometric force of a muscle \[N\]: twice that of lumped muscles of planar models, which have up to
/// 9.6 kN (chosen here).
const STRONGEST: f64 = 20e3;
/// Largest optimal fibre length and tendon slack length \[m\]: twice those of sartorius and of the long tendons of the
/// foot (chosen here).
const LONGEST: f64 = 1.0;

/// Smallest maximum isometric force \[N\], optimal fibre length and tendon slack length \[m\]: a tenth of those of the
/// smallest muscles of the published models of arm and leg, or less (chosen here).
const WEAKEST: f64 = 1.0;
const SHORTEST_FIBRE: f64 = 1e-3;
const SHORTEST_TENDON: f64 = 1e-4;

/// A parameter, its value in a muscle, the smallest and the largest value of a person, and the unit.
type Check = (&'static str, fn(&MuscleSpec) -> f64, [f64; 2], &'static str);

/// Muscles whose strength or lengths no person has: the model has other units than N and m.
pub fn examine_muscles(subject: &Subject) -> Vec<Finding> {
    let checks: [Check; 3] = [
        ("maximum isometric force", |m| m.parameters.max_isometric_force, [WEAKEST, STRONGEST], "N"),
        ("optimal fibre length", |m| m.parameters.optimal_fibre_length, [SHORTEST_FIBRE, LONGEST], "m"),
        ("tendon slack length", |m| m.parameters.tendon_slack_length, [SHORTEST_TENDON, LONGEST], "m"),
    ];
    checks.iter().flat_map(|check| [too_large(subject, check), too_small(subject, check)]).flatten().collect()
}

fn too_large(subject: &Subject, check: &Check) -> Option<Finding> {
    let (_, value, [_, most], unit) = check;
    let beyond: Vec<&MuscleSpec> = subject.muscles.iter().filter(|m| value(m) > *most).collect();
    let largest = beyond.iter().max_by(|a, b| value(a).total_cmp(&value(b)))?;
    Some(finding(subject, check, &beyond, &format!("above {most} {unit}"), largest))
}

/// Zero is a way to say that there is no such part, which the muscle itself accepts or refuses.
fn too_small(subject: &Subject, check: &Check) -> Option<Finding> {
    let (_, value, [least, _], unit) = check;
    let below: Vec<&MuscleSpec> = subject.muscles.iter().filter(|m| value(m) > 0.0 && value(m) < *least).collect();
    let smallest = below.iter().min_by(|a, b| value(a).total_cmp(&value(b)))?;
    Some(finding(subject, check, &below, &format!("below {least} {unit}"), smallest))
}

fn finding(
    subject: &Subject,
    (what, value, _, unit): &Check,
    muscles: &[&MuscleSpec],
    rule: &str,
    extreme: &MuscleSpec,
) -> Finding {
    let names: Vec<&str> = muscles.iter().map(|m| m.name.as_str()).collect();
    let message = format!(
        "the {what} of {} of {} muscles is {rule}, `{}` has {:.4e} {unit}: {}",
        muscles.len(),
        subject.muscles.len(),
        extreme.name,
        value(extreme),
        grouped(&names)
    );
    Finding::error(message, format!("correct the model; the {what} is given in {unit}"))
}
