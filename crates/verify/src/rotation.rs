//! Rotation in space: the heavy top and a free body that flips over.

use super::items::{Failure, Items};
use super::table::Table;
use super::trial::{Sample, Trial, dop853};
use serde::Deserialize;
use wolff_multibody::System;
use wolff_multibody::dynamics::energy::momentum;
use wolff_spatial::Vec3;

/// Tolerance of the heavy top, relative to the number or to one where it is smaller \[m, rad/s, J\].
const HEAVY_TOP: f64 = 1e-8;

/// Tolerance of the free body, absolute \[rad/s, J, kg m²/s\].
const FREE_BODY: f64 = 1e-7;

#[derive(Deserialize)]
struct Reference {
    source: String,
    heavy_top: HeavyTop,
    free_body: FreeBody,
}

#[derive(Deserialize)]
struct HeavyTop {
    history: Table,
}

#[derive(Deserialize)]
struct FreeBody {
    energy_j: f64,
    momentum_squared: f64,
    period_s: f64,
    history: Table,
}

fn reference() -> Result<Reference, Failure> {
    Ok(serde_json::from_str(include_str!("../references/rigid.json"))?)
}

/// A body with its motion at one instant.
struct Spinning<'m> {
    system: System<'m>,
    at: &'m Sample,
}

impl<'m> Spinning<'m> {
    fn new(trial: &'m Trial, at: &'m Sample) -> Self {
        Spinning { system: trial.system(at), at }
    }

    /// A vector or matrix by name and component, in ground axes; `omega` in body axes.
    fn component(&self, name: &str, component: &str) -> Option<f64> {
        let index = |names: &[&str]| names.iter().position(|n| *n == component);
        let xyz = || index(&["x", "y", "z"]);
        let body = self.system.model.bodies().last()?;
        let k = self.system.kin.bodies.last()?;
        match name {
            "com" => Some(k.X_GB.point(&body.mass.com)[xyz()?]),
            "omega" => Some(k.X_GB.R.tr_mul(&k.V.w)[xyz()?]),
            "momentum" => Some(self.angular_momentum()[xyz()?]),
            "quaternion" => self.at.q.get(index(&["w", "x", "y", "z"])?).copied(),
            "R" => {
                let mut digits = component.chars().filter_map(|c| c.to_digit(3));
                Some(k.X_GB.R[(digits.next()? as usize, digits.next()? as usize)])
            }
            _ => None,
        }
    }

    /// Angular momentum about the origin of ground \[kg m²/s\].
    fn angular_momentum(&self) -> Vec3 {
        momentum(&self.system.kin, &Vec3::zeros()).n
    }

    /// Kinetic plus potential energy \[J\].
    fn energy(&self) -> f64 {
        let (kinetic, potential) = self.system.energy(self.at.t, &self.at.q, &self.at.v);
        kinetic + potential
    }

    /// A column of the references.
    fn get(&self, column: &str) -> Option<f64> {
        match column {
            "energy_j" => Some(self.energy()),
            "vertical_momentum" => Some(self.angular_momentum().z),
            "momentum_squared" => Some(self.angular_momentum().norm_squared()),
            _ => column.split_once('.').and_then(|(name, component)| self.component(name, component)),
        }
    }
}

/// The heavy top.
pub(super) fn heavy_top(items: &mut Items) -> Result<(), Failure> {
    let reference = reference()?;
    items.cite(&reference.source);
    let trial = Trial::new("heavy-top", &[])?;
    let history = &reference.heavy_top.history;
    let run = trial.run(dop853(1e-13), &history.keys())?;
    items.history(
        "",
        history,
        |_, x| HEAVY_TOP * x.abs().max(1.0),
        |row, column| Spinning::new(&trial, run.samples.get(row)?).get(column),
    );
    Ok(())
}

/// The free body that rotates about its intermediate axis.
pub(super) fn free_body(items: &mut Items) -> Result<(), Failure> {
    let reference = reference()?;
    items.cite(&reference.source);
    let reference = &reference.free_body;
    let trial = Trial::new("free-body", &[])?;
    let run = trial.run(dop853(1e-14), &reference.history.keys())?;
    items.history(
        "",
        &reference.history,
        |_, _| FREE_BODY,
        |row, column| Spinning::new(&trial, run.samples.get(row)?).get(column),
    );
    let start = trial.start();
    let start = Spinning::new(&trial, &start);
    items.check("initial_energy_j", start.energy(), reference.energy_j, FREE_BODY);
    items.check(
        "initial_momentum_squared",
        start.angular_momentum().norm_squared(),
        reference.momentum_squared,
        FREE_BODY,
    );
    items.check("period_s", period(&trial)?, reference.period_s, FREE_BODY);
    Ok(())
}

/// Twice the time between two flips [s]: the angular velocity about the intermediate axis passes zero fast, so that its
/// zeros are well defined, and it repeats after two of them.
fn period(trial: &Trial) -> Result<f64, Failure> {
    let spin =
        |at: &Sample| ["x", "y", "z"].map(|axis| Spinning::new(trial, at).component("omega", axis).unwrap_or(f64::NAN));
    let moments = ["inertia_x", "inertia_y", "inertia_z"].map(|name| trial.parameter(name).unwrap_or(f64::NAN));
    // with its rate by Euler's equation
    let middle = |at: &Sample| {
        let [x, y, z] = spin(at);
        (y, (moments[2] - moments[0]) / moments[1] * z * x)
    };
    // first guesses
    let times: Vec<f64> = (1..=200).map(|i| 0.1 * f64::from(i)).collect();
    let run = trial.run(dop853(1e-10), &times)?;
    let flips = run.samples.windows(2).filter(|pair| middle(&pair[0]).0 * middle(&pair[1]).0 < 0.0);
    let near: Vec<f64> = flips.map(|pair| pair[1].t).collect();
    let [first, second, ..] = near[..] else { return Err("the body does not flip twice in 20 s".into()) };
    let instant = |near: f64| trial.instant_of(&dop853(1e-14), near, middle);
    Ok(2.0 * (instant(second)? - instant(first)?))
}
