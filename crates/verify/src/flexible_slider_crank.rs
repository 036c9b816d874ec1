//! Slider-crank with a rod that bends and stretches: problem `crank` of the IVP test set, as published and with
//! corrected integrals of the longitudinal shapes.

use super::items::{Failure, Items};
use super::table::{Numbers, Table};
use super::trial::{Run, Sample, Trial, dop853};
use serde::Deserialize;
use std::collections::BTreeMap;
use wolff_multibody::Baumgarte;

/// Tolerance of angles, positions and shapes \[rad, m\].
const POSITION: f64 = 1e-9;

/// Tolerance of rates and multipliers, relative to the number or to one where it is smaller \[rad/s, m/s, N\]. The
/// references state no tolerance; an amplitude with an error of 1e-9 m that oscillates at 1e4 rad/s has a rate with an
/// error of 1e-5 m/s.
const RATE: f64 = 1e-6;

/// Tolerance of the inertia of the rod [kg m²]: half of the last printed digit.
const PRINTED_INERTIA: f64 = 0.5e-10;

#[derive(Deserialize)]
struct Reference {
    source: String,
    variants: BTreeMap<String, Variant>,
    published: Numbers,
    rod: Numbers,
}

#[derive(Deserialize)]
struct Variant {
    /// Two lateral sines, stretch of the middle and of the end.
    q: [f64; 4],
    qdot: [f64; 4],
    history: Table,
}

/// Motion and constraint forces of both variants; the published one also against the published values.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/flexible_slider_crank.json"))?;
    items.cite(&reference.source);
    for (name, variant) in &reference.variants {
        let trial = start(variant, if name == "test-set" { 15.0 } else { 1.0 })?;
        let run = trial.run(dop853(1e-12), &variant.history.keys())?;
        check_history(items, &format!("{name}."), &trial, &run, &variant.history)?;
        if name == "test-set" {
            let last = run.samples.last().ok_or("there is no recorded row")?;
            items.named("published", &reference.published, |_, _| POSITION, |column| value(&trial, last, &[], column));
        }
    }
    check_rod(items, &reference.rod)
}

/// The study with the initial values of a variant.
fn start(variant: &Variant, axial_inertia_factor: f64) -> Result<Trial, Failure> {
    const NAMES: [&str; 8] = ["q1", "q2", "q3", "q4", "v1", "v2", "v3", "v4"];
    let numbers = variant.q.iter().chain(&variant.qdot).map(f64::to_string);
    let mut set: Vec<(&str, String)> = NAMES.into_iter().zip(numbers).collect();
    set.push(("axial_inertia_factor", axial_inertia_factor.to_string()));
    Trial::new("flexible-slider-crank", &set)
}

fn check_history(items: &mut Items, case: &str, trial: &Trial, run: &Run, references: &Table) -> Result<(), Failure> {
    let mut multipliers = Vec::new();
    for at in &run.samples {
        let mut system = trial.system(at);
        let mut a = vec![0.0; at.v.len()];
        system.accelerations(at.t, &at.q, &at.v, Baumgarte::NONE, &mut a)?;
        multipliers.push(system.lambda.clone());
    }
    let tolerance = |column: &str, x: f64| match column {
        "phi2_rad" | "x3_m" => POSITION,
        _ if column.starts_with("q.") => POSITION,
        _ => RATE * x.abs().max(1.0),
    };
    items.history(case, references, tolerance, |row, column| {
        value(trial, run.samples.get(row)?, multipliers.get(row)?, column)
    });
    Ok(())
}

/// A column of the references. The modes of the rod are in the order: stretch of the middle, stretch of the end, first
/// sine, second sine. The rows are the motor, and the end of the rod minus the slider along x and along y.
fn value(trial: &Trial, at: &Sample, multipliers: &[f64], column: &str) -> Option<f64> {
    let rod = |index: &str| {
        trial.coordinate(["rod.mode3", "rod.mode4", "rod.mode1", "rod.mode2"][index.parse::<usize>().ok()? - 1], at)
    };
    let (crank, pin) = (trial.coordinate("crank", at)?, trial.coordinate("pin", at)?);
    match column.split_once('.').unwrap_or((column, "")) {
        ("phi2_rad", _) => Some(crank.0 + pin.0),
        ("phi2dot_rad_s", _) => Some(crank.1 + pin.1),
        ("x3_m", _) => Some(trial.coordinate("guide", at)?.0),
        ("q", index) => Some(rod(index)?.0),
        ("qdot", index) => Some(rod(index)?.1),
        ("lambda", "1") => multipliers.get(2).copied(),
        ("lambda", "2") => multipliers.get(1).map(|lambda| -lambda),
        _ => None,
    }
}

/// Mass of the rod and moment of inertia about its pin.
fn check_rod(items: &mut Items, references: &Numbers) -> Result<(), Failure> {
    let trial = Trial::new("flexible-slider-crank", &[])?;
    let rod = trial.model.body_index("rod").and_then(|body| trial.model.flexible(body)).ok_or("there is no rod")?;
    let inertia = &rod.data.inertia;
    items.named(
        "rod",
        references,
        |_, _| PRINTED_INERTIA,
        |name| match name {
            "mass_kg" => Some(inertia.mass),
            "inertia_kg_m2" => Some(inertia.second[(0, 0)] + inertia.second[(1, 1)]),
            _ => None,
        },
    );
    Ok(())
}
