//! Beams that bend far: spun up by a hub, and falling as a pendulum.

use super::items::{Failure, Items};
use super::table::Table;
use super::trial::{Run, Sample, Trial, dop853};
use serde::Deserialize;
use std::collections::BTreeMap;
use wolff_flexbody::beam::ShapeFunction;
use wolff_spatial::Vec3;

/// Of the spin-up, relative to the largest deflection: a second-order model with three or more bending shapes against a
/// geometrically exact beam.
const SPIN_UP: f64 = 2e-3;

/// Resolution of the instant of the largest deflection [s].
const INSTANT: f64 = 10e-3;

/// Of the linear pendulum [m].
const LINEAR: f64 = 1e-4;

/// Of the stiffened pendulums, soft and stiff [m]: by so much a second-order model differs from the geometrically exact beam.
/// Two second-order models that agree in the terms of second order but not in those beyond differ by no more.
const SECOND_ORDER: [(&str, f64, f64); 2] = [("soft", 2.0, 1.3e-3), ("stiff", 20.0, 2e-5)];

/// Of the energy that is conserved [J]: a thousand steps with a local error of 1e-11.
const ENERGY: f64 = 1e-8;

#[derive(Deserialize)]
struct Beams {
    source: String,
    spin_up: BTreeMap<String, SpinUp>,
    steady_stretch_m: f64,
    pendulum: BTreeMap<String, Table>,
}

#[derive(Deserialize)]
struct SpinUp {
    u2_min_m: f64,
    t_of_min_s: f64,
    history: Table,
}

#[derive(Deserialize)]
struct ChordPendulums {
    source: String,
    cases: BTreeMap<String, ChordPendulum>,
}

#[derive(Deserialize)]
struct ChordPendulum {
    linear: Table,
    stiffened: Table,
}

fn beams() -> Result<Beams, Failure> {
    Ok(serde_json::from_str(include_str!("../../verify/flexible_beams.json"))?)
}

/// Tip of the beams of Kane and of Wu and Haug while a hub brings them to speed.
pub(super) fn spin_up(items: &mut Items) -> Result<(), Failure> {
    let reference = beams()?;
    items.cite(&reference.source);
    for (name, case) in &reference.spin_up {
        let trial = Trial::new("spin-up", &if name == "kane" { Vec::new() } else { wu_haug() })?;
        check_spin_up(items, name, &trial, case)?;
        if name == "kane" {
            let stretch = steady_stretch(&trial)?;
            items.relative("kane.steady_stretch_m", stretch, reference.steady_stretch_m, SPIN_UP);
        }
    }
    Ok(())
}

/// Parameters of the beam of Wu and Haug: 8 m, 7.2968e-5 m², 8.2189e-9 m⁴, 2766.67 kg/m³, 6.8952e10 Pa, 4 rad/s.
fn wu_haug() -> Vec<(&'static str, String)> {
    let (area, moment, density, young) = (7.2968e-5, 8.2189e-9, 2766.67, 6.8952e10);
    [
        ("length", 8.0),
        ("mass_per_length", density * area),
        ("axial_stiffness", young * area),
        ("bending_stiffness", young * moment),
        ("speed", 4.0),
    ]
    .map(|(name, value)| (name, value.to_string()))
    .into()
}

fn check_spin_up(items: &mut Items, name: &str, trial: &Trial, reference: &SpinUp) -> Result<(), Failure> {
    let run = trial.run(dop853(1e-9), &reference.history.keys())?;
    let largest = |column: &str| reference.history.column(column).iter().fold(0.0f64, |a, b| a.max(b.abs()));
    // the shortening goes with the square of the deflection
    let tolerance = |column: &str| match column {
        "u1_m" => 2.0 * SPIN_UP * largest(column),
        _ => SPIN_UP * largest(column),
    };
    items.history(
        &format!("{name}."),
        &reference.history,
        |column, _| tolerance(column),
        |row, column| {
            let at = run.samples.get(row)?;
            let [u1, u2, rotation] = tip(trial, at)?;
            match column {
                "u1_m" => Some(u1),
                "u2_m" => Some(u2),
                "tip_rotation_rad" => Some(rotation),
                _ => None,
            }
        },
    );
    // the largest deflection is at some 7 s
    let times: Vec<f64> = (1..=1600).map(|i| 5e-3 * f64::from(i)).collect();
    let run = trial.run(dop853(1e-9), &times)?;
    let deflections = run.samples.iter().filter_map(|at| Some((at.t, tip(trial, at)?[1])));
    let (t, u2) = deflections.min_by(|a, b| a.1.total_cmp(&b.1)).ok_or("nothing was recorded")?;
    items.relative(&format!("{name}.u2_min_m"), u2, reference.u2_min_m, SPIN_UP);
    items.check(&format!("{name}.t_of_min_s"), t, reference.t_of_min_s, INSTANT);
    Ok(())
}

/// Displacement of the tip along and across the undeformed beam, and its rotation, in the axes of the hub.
fn tip(trial: &Trial, at: &Sample) -> Option<[f64; 3]> {
    let hub = trial.pose("hub", Vec3::zeros(), at)?;
    let tip = trial.pose("beam.tip", Vec3::zeros(), at)?;
    let p = hub.inverse_point(&tip.p);
    let R = hub.R.tr_mul(&tip.R);
    Some([p.x - trial.parameter("length").ok()?, p.y, R[(1, 0)].atan2(R[(0, 0)])])
}

/// Linear and stiffened pendulums against a planar floating frame, the stiffened ones also against the exact beam.
pub(super) fn pendulum(items: &mut Items) -> Result<(), Failure> {
    let exact = beams()?;
    let frames: ChordPendulums = serde_json::from_str(include_str!("../../verify/chord_pendulum.json"))?;
    for (name, bending_stiffness, second_order) in SECOND_ORDER {
        let case = frames.cases.get(name).ok_or("no such floating frame")?;
        items.cite(&frames.source);
        let linear = Pendulum::run(bending_stiffness, false, &case.linear)?;
        linear.check(items, &format!("{name}.linear."), &case.linear, LINEAR);
        let stiffened = Pendulum::run(bending_stiffness, true, &case.stiffened)?;
        stiffened.check(items, &format!("{name}.stiffened."), &case.stiffened, second_order);

        items.cite(&exact.source);
        let beam = exact.pendulum.get(name).ok_or("no such beam")?;
        stiffened.check(items, &format!("{name}.exact."), beam, second_order);
    }
    Ok(())
}

/// A pendulum that has swung, with as many shapes as the reference: ten, or six with stiffening.
struct Pendulum {
    trial: Trial,
    run: Run,
    modes: usize,
}

impl Pendulum {
    fn run(bending_stiffness: f64, stiffening: bool, times: &Table) -> Result<Self, Failure> {
        let (modes, switch) = if stiffening { (6, "on") } else { (10, "off") };
        let set = [
            ("bending_stiffness", bending_stiffness.to_string()),
            ("modes", modes.to_string()),
            ("stiffening", switch.to_string()),
        ];
        let trial = Trial::new("flexible-pendulum", &set)?;
        let run = trial.run(dop853(1e-11), &times.keys())?;
        Ok(Pendulum { trial, run, modes })
    }

    /// Compares a history with one tolerance [m] for its points.
    fn check(&self, items: &mut Items, case: &str, references: &Table, tolerance: f64) {
        items.history(
            case,
            references,
            |column, _| if column == "energy_j" { ENERGY } else { tolerance },
            |row, column| self.value(self.run.samples.get(row)?, column),
        );
    }

    /// A column of the references.
    fn value(&self, at: &Sample, column: &str) -> Option<f64> {
        let point = |node: &str, x: f64| Some(self.trial.pose(node, Vec3::new(x, 0.0, 0.0), at)?.p);
        let tip = point("beam.tip", 0.0)?;
        match column {
            "tip_x_m" => Some(tip.x),
            "tip_y_m" => Some(tip.y),
            "chord_x_m" => Some(point("beam.base", self.length()?)?.x),
            "chord_y_m" => Some(point("beam.base", self.length()?)?.y),
            "mid_offset_m" => Some(tip.cross(&point("beam.middle", 0.0)?).z / tip.norm()),
            "hinge_slope_rad" => self.hinge_slope(at),
            "energy_j" => {
                let (kinetic, potential) = self.trial.energy(at);
                Some(kinetic + potential)
            }
            _ => None,
        }
    }

    fn length(&self) -> Option<f64> {
        self.trial.parameter("length").ok()
    }

    /// Angle of the beam where it is hinged: that of the chord and that of the shapes.
    fn hinge_slope(&self, at: &Sample) -> Option<f64> {
        let mut sine = 0.0;
        for k in 1..=self.modes {
            let [_, slope, _] = ShapeFunction::Sine(k).evaluate(0.0);
            sine += slope / self.length()? * self.trial.coordinate(&format!("beam.mode{k}"), at)?.0;
        }
        Some(self.trial.coordinate("hinge", at)?.0 + sine.asin())
    }
}
