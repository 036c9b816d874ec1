//! Beams with large deflections: spin-up by a hub, and fall as a pendulum.

use super::items::{Failure, Items};
use super::table::Table;
use super::trial::{Run, Sample, Trial, dop853};
use serde::Deserialize;
use std::collections::BTreeMap;
use wolff_flexbody::beam::ShapeFunction;
use wolff_multibody::spec::FrameSpec;
use wolff_spatial::Vec3;

/// Tolerance of the spin-up, relative to the maximum deflection: a second-order model with three or more bending shapes
/// against a geometrically exact beam.
const SPIN_UP: f64 = 2e-3;

/// Resolution of the time of the maximum deflection \[s\].
const INSTANT: f64 = 10e-3;

/// Time between samples of the spin-up \[s\].
const STEP: f64 = 5e-3;

/// Tolerance of the pendulums with a frame on the chord \[m\]; it is given for the linear pendulum, and the stiffened
/// one has the same terms.
const CHORD: f64 = 1e-4;

/// The pendulums: bending stiffness \[N m²\]; maximum difference of a second-order model from the geometrically exact
/// beam \[m\]; accuracy of the slope of that beam at the hinge \[rad\]. The finest two meshes of the soft beam differ
/// by 3.4e-4. Elements shift the phase of a mode in proportion to its frequency, `√EI`, and its slope is proportional
/// to `1/EI`: for ten times the stiffness the difference is `1/√10` of it.
const PENDULUMS: [(&str, f64, f64, f64); 2] = [("soft", 2.0, 1.3e-3, 3.4e-4), ("stiff", 20.0, 2e-5, 1.1e-4)];

/// Tolerance of the conserved energy [J]: a thousand steps with a local error of 1e-11.
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
    Ok(serde_json::from_str(include_str!("../references/flexible_beams.json"))?)
}

/// Tip of the beams of Kane and of Wu and Haug during the spin-up by a hub.
pub(super) fn spin_up(items: &mut Items) -> Result<(), Failure> {
    let reference = beams()?;
    items.cite(&reference.source);
    for (name, case) in &reference.spin_up {
        // three stretching shapes give the stretch of the tip to 7e-4
        let set = if name == "kane" { vec![("axial_modes", "3".to_string())] } else { wu_haug() };
        let trial = Trial::new("spin-up", &set)?;
        let run = trial.run(dop853(1e-7), &instants())?;
        check_spin_up(items, name, &trial, &run, case)?;
        if name == "kane" {
            let steady: Vec<f64> =
                run.samples.iter().filter(|at| at.t > 15.0).filter_map(|at| Some(tip(&trial, at)?[0])).collect();
            let mean = steady.iter().sum::<f64>() / steady.len() as f64;
            items.relative("kane.steady_stretch_m", mean, reference.steady_stretch_m, SPIN_UP);
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

/// Every 5 ms of 20 s: all times of the references, and fine enough to find the maximum deflection.
fn instants() -> Vec<f64> {
    (1..=4000).map(|i| STEP * f64::from(i)).collect()
}

fn check_spin_up(items: &mut Items, name: &str, trial: &Trial, run: &Run, reference: &SpinUp) -> Result<(), Failure> {
    let history = &reference.history;
    let largest = |column: &str| history.column(column).iter().fold(0.0f64, |a, b| a.max(b.abs()));
    // the shortening is proportional to the square of the deflection
    let tolerance = |column: &str| if column == "u1_m" { 2.0 * SPIN_UP } else { SPIN_UP } * largest(column);
    let times = history.keys();
    items.history(
        &format!("{name}."),
        history,
        |column, _| tolerance(column),
        |row, column| {
            let index = (times.get(row)? / STEP).round() as usize;
            let at = run.samples.get(index.checked_sub(1)?)?;
            let component = ["u1_m", "u2_m", "tip_rotation_rad"].iter().position(|c| *c == column)?;
            Some(tip(trial, at)?[component])
        },
    );
    let deflections = run.samples.iter().filter_map(|at| Some((at.t, tip(trial, at)?[1])));
    let (t, u2) = deflections.min_by(|a, b| a.1.total_cmp(&b.1)).ok_or("there is no recorded row")?;
    items.relative(&format!("{name}.u2_min_m"), u2, reference.u2_min_m, SPIN_UP);
    items.check(&format!("{name}.t_of_min_s"), t, reference.t_of_min_s, INSTANT);
    Ok(())
}

/// Displacement of the tip along and across the undeformed beam, and its rotation, in the axes of the hub.
fn tip(trial: &Trial, at: &Sample) -> Option<[f64; 3]> {
    let system = trial.system(at);
    let pose = |body: &str| Some(system.kin.pose(&trial.model.frame(&FrameSpec::at(body, Vec3::zeros()))?));
    let (hub, tip) = (pose("hub")?, pose("beam.tip")?);
    let p = hub.inverse_point(&tip.p);
    let R = hub.R.tr_mul(&tip.R);
    Some([p.x - trial.parameter("length").ok()?, p.y, R[(1, 0)].atan2(R[(0, 0)])])
}

/// Linear and stiffened pendulums against a planar floating frame, the stiffened ones also against the exact beam.
pub(super) fn pendulum(items: &mut Items) -> Result<(), Failure> {
    let exact = beams()?;
    let frames: ChordPendulums = serde_json::from_str(include_str!("../references/chord_pendulum.json"))?;
    for (name, bending_stiffness, second_order, slope) in PENDULUMS {
        let case = frames.cases.get(name).ok_or("unknown floating frame")?;
        items.cite(&frames.source);
        for (column, modes, stiffening, history) in
            [("linear", 10, "off", &case.linear), ("stiffened", 6, "on", &case.stiffened)]
        {
            let pendulum = Pendulum::run(bending_stiffness, modes, stiffening, history)?;
            pendulum.check(items, &format!("{name}.{column}."), history, |_| CHORD);
        }
        items.cite(&exact.source);
        let history = exact.pendulum.get(name).ok_or("unknown beam")?;
        let pendulum = Pendulum::run(bending_stiffness, 10, "on", history)?;
        let length = pendulum.length().ok_or("the pendulum has no length")?;
        pendulum.check(items, &format!("{name}.exact."), history, |column| match column {
            "energy_j" => ENERGY,
            "hinge_slope_rad" => second_order / length + slope,
            _ => second_order,
        });
    }
    Ok(())
}

/// A pendulum after its simulation.
struct Pendulum {
    trial: Trial,
    run: Run,
    modes: usize,
}

impl Pendulum {
    fn run(bending_stiffness: f64, modes: usize, stiffening: &str, times: &Table) -> Result<Self, Failure> {
        let set = [
            ("bending_stiffness", bending_stiffness.to_string()),
            ("modes", modes.to_string()),
            ("stiffening", stiffening.to_string()),
        ];
        let trial = Trial::new("flexible-pendulum", &set)?;
        let run = trial.run(dop853(1e-11), &times.keys())?;
        Ok(Pendulum { trial, run, modes })
    }

    fn check(&self, items: &mut Items, case: &str, references: &Table, tolerance: impl Fn(&str) -> f64) {
        let value = |row: usize, column: &str| self.value(self.run.samples.get(row)?, column);
        items.history(case, references, |column, _| tolerance(column), value);
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

    /// Angle of the beam at its hinge: that of the chord plus that of the shapes.
    fn hinge_slope(&self, at: &Sample) -> Option<f64> {
        let mut sine = 0.0;
        for k in 1..=self.modes {
            let [_, slope, _] = ShapeFunction::Sine(k).evaluate(0.0);
            sine += slope / self.length()? * self.trial.coordinate(&format!("beam.mode{k}"), at)?.0;
        }
        Some(self.trial.coordinate("hinge", at)?.0 + sine.asin())
    }
}
