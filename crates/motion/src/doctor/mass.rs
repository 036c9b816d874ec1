//! A mass that is not plausible in kilograms.

use super::{Fault, Finding, Patient, Severity};

/// Kilograms in a pound.
const POUND: f64 = 0.453_592_37;
/// Standard gravity \[m/s²\].
const G: f64 = 9.80665;
/// Mass over height squared of adults, from very thin to very heavy \[kg/m²\]; chosen here: a wide range.
pub const BODY_MASS_INDEX: std::ops::Range<f64> = 13.0..45.0;
/// Peak vertical force in walking and running, in body weights.
const PEAK: std::ops::Range<f64> = 0.9..4.0;

/// A mass that does not fit height or ground force, but would fit if it were given in pounds.
pub(super) fn mass(patient: &Patient) -> Option<Finding> {
    let mass = patient.mass?;
    let evidence = match (by_height(patient, mass), by_force(patient, mass)) {
        _ if !(mass > 0.0) => {
            return Some(finding(format!("the mass is {mass} kg"), "give the mass of the subject in kg".into()));
        }
        (Some(message), _) | (None, Some(message)) => message,
        (None, None) => return None,
    };
    let remedy = format!("if {mass} is in pounds, give {:.1} kg", mass * POUND);
    Some(finding(evidence, remedy))
}

fn finding(message: String, remedy: String) -> Finding {
    Finding { severity: Severity::Error, fault: Fault::Mass, subjects: Vec::new(), span: None, message, remedy }
}

fn by_height(patient: &Patient, mass: f64) -> Option<String> {
    let height = patient.height.filter(|h| *h > 0.0)?;
    let index = mass / (height * height);
    let pounds = BODY_MASS_INDEX.contains(&(index * POUND)) && index >= BODY_MASS_INDEX.end;
    pounds.then(|| format!("{mass} kg at {height} m is a body mass index of {index:.0}"))
}

fn by_force(patient: &Patient, mass: f64) -> Option<String> {
    let forces = patient.forces?;
    let vertical = |i: usize| -> f64 {
        forces.plates().iter().filter_map(|p| p.samples.get(i).copied().flatten()).map(|s| s.force[1]).sum()
    };
    let peak = (0..forces.times().len()).map(vertical).fold(0.0, f64::max);
    let weights = peak / (mass * G);
    // a smaller weight may mean that the subject is only partly on the plates: only a mass in pounds is reported
    let pounds = weights > 0.0 && weights < 0.75 && PEAK.contains(&(weights / POUND));
    pounds.then(|| format!("the ground pushes with at most {peak:.0} N, {weights:.2} of the weight of {mass} kg"))
}
