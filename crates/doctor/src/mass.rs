//! A mass that is not that of the person who was recorded.

use crate::anatomy::Anatomy;
use crate::weight::{Carried, carried};
use crate::{Fault, Finding, Patient, Severity};
use wolff_formats::trial::ForcePlateTrial;

/// Kilograms in a pound.
const POUND: f64 = 0.453_592_37;
/// Standard gravity \[m/s²\].
pub(super) const G: f64 = 9.80665;
/// Mass over height squared of adults, from very thin to very heavy \[kg/m²\]; chosen here: a wide range.
pub const BODY_MASS_INDEX: std::ops::Range<f64> = 13.0..45.0;
/// The largest mass of a person \[kg\]: that of the heaviest one on record was 635 kg (Guinness World Records).
pub const HEAVIEST: f64 = 650.0;
/// Peak vertical force in walking and running, in body weights.
const PEAK: std::ops::Range<f64> = 0.9..4.0;
/// The mass may be smaller than what the plates carried by this fraction: clothes, shoes and the error of plates.
/// Chosen here: a backpack of 10 % of body mass is noticed, shoes are not.
const TOO_LIGHT: f64 = 0.9;
/// The mass may be larger than what the plates carried by this factor; a foot partly beside its plate carries less.
const TOO_HEAVY: f64 = 1.15;

/// The same from which it is told. Chosen here: the bound contains the error of the velocity already.
const DOUBTFULLY_HEAVY: f64 = 1.04;

/// A mass that no person has, or that does not fit height or ground force.
pub(super) fn mass(patient: &Patient) -> Option<Finding> {
    let Some(mass) = patient.mass else { return patient.forces.and_then(|forces| by_force_alone(patient, forces)) };
    if !(mass > 0.0 && mass <= HEAVIEST) {
        let remedy = format!("give the mass of the subject in kg: above 0 and at most {HEAVIEST} kg");
        return Some(error(format!("the mass is {} kg, which no person has", rounded(mass)), remedy));
    }
    let force = patient.forces.map(|forces| {
        let anatomy = patient.markers.map(Anatomy::of).unwrap_or_default();
        carried(forces, patient.markers, &anatomy)
    });
    by_height(patient, mass).or_else(|| force.and_then(|found| by_force(&found, mass)))
}

/// Masses of persons who step on force plates \[kg\]: from that of a child of one year to the heaviest on record.
const PERSONS: std::ops::RangeInclusive<f64> = 7.0..=HEAVIEST;

/// Forces that no person exerts: their unit or the scale of their channels is wrong.
fn by_force_alone(patient: &Patient, forces: &ForcePlateTrial) -> Option<Finding> {
    let anatomy = patient.markers.map(Anatomy::of).unwrap_or_default();
    let found = carried(forces, patient.markers, &anatomy);
    let heavy = found.at_least.map(|(kg, _)| kg).filter(|kg| kg > PERSONS.end());
    let light = found.in_full.map(|(kg, _)| kg).filter(|kg| kg < PERSONS.start());
    let kg = heavy.or(light)?;
    let word = if heavy.is_some() { "at least" } else { "at most" };
    let message = format!("the plates carry {word} {kg:.1} kg, which is not the mass of a person");
    Some(error(message, "correct the unit of the forces, or the scale of the channels of the plates".into()))
}

fn error(message: String, remedy: String) -> Finding {
    Finding { severity: Severity::Error, fault: Fault::Mass, subjects: Vec::new(), span: None, message, remedy }
}

fn by_height(patient: &Patient, mass: f64) -> Option<Finding> {
    let height = patient.height.filter(|h| *h > 0.0)?;
    let index = mass / (height * height);
    let message = format!(
        "{} kg at {} m is a body mass index of {index:.0}, adults have {} to {}",
        rounded(mass),
        rounded(height),
        BODY_MASS_INDEX.start,
        BODY_MASS_INDEX.end
    );
    let in_pounds = index * POUND;
    if index >= BODY_MASS_INDEX.end && BODY_MASS_INDEX.contains(&in_pounds) {
        return Some(error(message, format!("if {} is in pounds, give {:.1} kg", rounded(mass), mass * POUND)));
    }
    let remedy = "give the mass of the subject in kg and its height in m";
    (index < BODY_MASS_INDEX.start).then(|| error(message, remedy.into()))
}

/// A number with at most three decimals.
fn rounded(x: f64) -> f64 {
    (1e3 * x).round() / 1e3
}

/// A mass that is above what the plates carry by less than what is refused.
fn near_limit(found: &Carried, mass: f64) -> Option<Finding> {
    let kg = found.in_full.map(|(kg, _)| kg).filter(|kg| mass > DOUBTFULLY_HEAVY * kg)?;
    let message = format!("the mass is {mass:.1} kg, but the plates carry at most {kg:.1} kg");
    let remedy = "check the mass of the subject (--mass, or that of the model) and the gain of the plates";
    Some(Finding { severity: Severity::Warning, ..error(message, remedy.into()) })
}

/// Compares the mass with the mean vertical force.
fn by_force(found: &Carried, mass: f64) -> Option<Finding> {
    if let Some([start, end]) = found.at_least.filter(|(kg, _)| mass < TOO_LIGHT * kg).map(|(_, span)| span) {
        let kg = found.at_least.map_or(0.0, |(kg, _)| kg);
        let message = format!(
            "the mass is {mass:.1} kg, but the plates carry at least {kg:.1} kg on average from {start:.2} to {end:.2} s"
        );
        let remedy = "give the mass of the subject (--mass), or correct the unit, the gain or the zero of the forces";
        return Some(Finding { span: Some([start, end]), ..error(message, remedy.into()) });
    }
    if let Some((kg, steps)) = found.in_full.filter(|(kg, _)| mass > TOO_HEAVY * kg) {
        let pounds = match (mass * POUND / kg - 1.0).abs() < 0.15 {
            true => format!("if {} is in pounds, give {:.1} kg; otherwise ", rounded(mass), mass * POUND),
            false => String::new(),
        };
        let message = format!(
            "the mass is {mass:.1} kg, but in {steps} steps in which the plates carry the whole subject they carry at \
             most {kg:.1} kg"
        );
        let remedy = format!("{pounds}give the mass of the subject (--mass), or correct the unit of the forces");
        return Some(error(message, remedy));
    }
    if let Some(finding) = near_limit(found, mass) {
        return Some(finding);
    }
    let weights = found.peak / (mass * G);
    let message =
        format!("the ground pushes with at most {:.0} N, {weights:.2} of the weight of {mass:.1} kg", found.peak);
    let is_low = found.peak > 0.0 && weights < 0.75 && found.in_full.is_none();
    is_low.then(|| {
        let in_pounds = match PEAK.contains(&(weights / POUND)) {
            true => format!("; if {} is in pounds, give {:.1} kg", rounded(mass), mass * POUND),
            false => String::new(),
        };
        Finding {
            severity: Severity::Warning,
            fault: Fault::PartialContact,
            subjects: Vec::new(),
            span: None,
            message,
            remedy: format!("the plates carry only a part of the subject, or the mass is wrong{in_pounds}"),
        }
    })
}
