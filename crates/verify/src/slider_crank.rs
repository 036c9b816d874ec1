//! A slider-crank that hits a free block, twice.

use super::items::{Failure, Items};
use super::table::{Numbers, Table};
use super::trial::{Run, Sample, Trial, dop853};
use serde::Deserialize;
use std::collections::BTreeMap;
use wolff_contact::hertz::{Material, sphere_sphere_stiffness};
use wolff_multibody::simulation::{Impact, State};

/// Radius of the steel spheres whose stiffness is close to the given one \[m\].
const RADIUS: f64 = 8.5e-3;

#[derive(Deserialize)]
struct Reference {
    source: String,
    variants: BTreeMap<String, Variant>,
    table: Numbers,
}

#[derive(Deserialize)]
struct Variant {
    rod_inertia: f64,
    laws: BTreeMap<String, Motion>,
}

#[derive(Deserialize)]
struct Motion {
    impacts: Vec<Numbers>,
    samples: Table,
}

/// All laws with both inertias of the rod.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/slider_crank.json"))?;
    items.cite(&reference.source);
    for (variant, data) in &reference.variants {
        for (law, motion) in &data.laws {
            check_motion(items, &format!("{variant}.{law}"), law, data.rod_inertia, motion)?;
        }
    }
    check_table(items, &reference.table)
}

fn check_motion(items: &mut Items, case: &str, law: &str, rod_inertia: f64, motion: &Motion) -> Result<(), Failure> {
    let set = [("law", law.to_string()), ("rod_inertia", format!("{rod_inertia:e}"))];
    let trial = Trial::new("slider-crank", &set)?;
    let run = trial.run(dop853(1e-12), &motion.samples.keys())?;
    let impacts = &run.report.impacts;
    items.check(&format!("{case}.impact_count"), impacts.len() as f64, motion.impacts.len() as f64, 0.0);
    for (i, (ours, references)) in impacts.iter().zip(&motion.impacts).enumerate() {
        let impact = ImpactValues { trial: &trial, impact: ours };
        items.named(
            &format!("{case}.impact_{}", i + 1),
            references,
            |name, x| tolerance(i, name, x),
            |n| impact.get(n),
        );
    }
    check_samples(items, case, &trial, &run, motion);
    Ok(())
}

/// Tolerances of the first impact: times 1e-7 s, velocities 1e-4, maximum force and indentation 1e-3; ten times these
/// for the second impact. Positions and angles have the tolerance of velocities.
fn tolerance(impact: usize, name: &str, reference: f64) -> f64 {
    let first = match name {
        "t_s" | "t_end_s" | "duration_s" => 1e-7,
        "force_max_n" | "delta_max_m" => 1e-3 * reference.abs(),
        _ => 1e-4 * reference.abs(),
    };
    if impact == 0 { first } else { 10.0 * first }
}

struct ImpactValues<'a> {
    trial: &'a Trial,
    impact: &'a Impact,
}

impl ImpactValues<'_> {
    fn get(&self, name: &str) -> Option<f64> {
        let impact = self.impact;
        let before = |coordinate| self.coordinate(coordinate, &impact.before);
        let after = |coordinate| self.coordinate(coordinate, impact.after.as_ref()?);
        match name {
            "t_s" => Some(impact.t_start),
            "t_end_s" => impact.t_end,
            "duration_s" => Some(impact.t_end? - impact.t_start),
            "approach_m_s" => Some(impact.approach),
            "delta_max_m" => Some(impact.depth_max),
            "force_max_n" => Some(impact.force_max),
            "restitution" => Some(impact.separation? / impact.approach),
            "crank_angle_rad" => Some(before("crank")?.0),
            "slider_x_m" => Some(before("slider")?.0),
            "block_x_before_m" => Some(before("block")?.0),
            "crank_before_rad_s" => Some(before("crank")?.1),
            "slider_before_m_s" => Some(before("slider")?.1),
            "block_before_m_s" => Some(before("block")?.1),
            "block_x_after_m" => Some(after("block")?.0),
            "crank_after_rad_s" => Some(after("crank")?.1),
            "slider_after_m_s" => Some(after("slider")?.1),
            "block_after_m_s" => Some(after("block")?.1),
            _ => None,
        }
    }

    fn coordinate(&self, name: &str, state: &State) -> Option<(f64, f64)> {
        self.trial.coordinate(name, &Sample::open(0.0, state))
    }
}

/// The motion between the impacts, with the tolerance of the preceding impact.
fn check_samples(items: &mut Items, case: &str, trial: &Trial, run: &Run, motion: &Motion) {
    let second = run.report.impacts.get(1).map_or(f64::INFINITY, |impact| impact.t_start);
    for name in motion.samples.columns.iter().skip(1) {
        let references = motion.samples.column(name);
        let ours = run.samples.iter().map(|at| (at.t, sample_value(trial, at, name).unwrap_or(f64::NAN)));
        let (early, late): (Vec<_>, Vec<_>) = ours.zip(references).partition(|((t, _), _)| *t < second);
        for (when, impact, rows) in [("before_second", 0, early), ("after_second", 1, late)] {
            let pairs = rows.into_iter().map(|((_, value), reference)| (value, reference));
            items.worst(&format!("{case}.samples.{when}.{name}"), pairs, |x| tolerance(impact, name, x));
        }
    }
}

fn sample_value(trial: &Trial, at: &Sample, name: &str) -> Option<f64> {
    match name {
        "crank_angle_rad" => Some(trial.coordinate("crank", at)?.0),
        "crank_speed_rad_s" => Some(trial.coordinate("crank", at)?.1),
        "slider_x_m" => Some(trial.coordinate("slider", at)?.0),
        "slider_m_s" => Some(trial.coordinate("slider", at)?.1),
        "block_x_m" => Some(trial.coordinate("block", at)?.0),
        "block_m_s" => Some(trial.coordinate("block", at)?.1),
        _ => None,
    }
}

/// The values for uniform rods and steel spheres.
fn check_table(items: &mut Items, references: &Numbers) -> Result<(), Failure> {
    let trial = Trial::new("slider-crank", &[])?;
    let rod = |mass: &str, length: &str| -> Result<f64, Failure> {
        Ok(trial.parameter(mass)? * trial.parameter(length)?.powi(2) / 12.0)
    };
    let (crank, rod) = (rod("crank_mass", "crank_length")?, rod("rod_mass", "rod_length")?);
    let steel = Material::new(200e9, 0.3)?;
    let stiffness = sphere_sphere_stiffness((RADIUS, &steel), (RADIUS, &steel))?;
    items.named(
        "table",
        references,
        |_, x| 1e-12 * x,
        |name| match name {
            "crank_uniform_kg_m2" => Some(crank),
            "rod_uniform_kg_m2" => Some(rod),
            "steel_n_m15" => Some(stiffness),
            _ => None,
        },
    );
    Ok(())
}
