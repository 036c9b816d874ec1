//! Simple and double pendulums.

use super::items::{Failure, Items};
use super::table::Table;
use super::trial::{Sample, Trial, dop853};
use serde::Deserialize;
use std::f64::consts::PI;

/// Absolute tolerance \[rad, rad/s, m, J\], also after 10 s of the double pendulum, whose errors grow by a factor of a
/// hundred.
const TOLERANCE: f64 = 1e-10;

#[derive(Deserialize)]
struct Reference {
    source: String,
    pendulum: Simple,
    double_pendulum: Double,
}

#[derive(Deserialize)]
struct Simple {
    horizontal: Swing,
    small: Swing,
}

#[derive(Deserialize)]
struct Swing {
    period_s: f64,
    history: Table,
}

#[derive(Deserialize)]
struct Double {
    points: Table,
    rods: Table,
}

fn reference() -> Result<Reference, Failure> {
    Ok(serde_json::from_str(include_str!("../references/rigid.json"))?)
}

/// The simple pendulum, released from the horizontal and from a small angle.
pub(super) fn simple(items: &mut Items) -> Result<(), Failure> {
    let reference = reference()?;
    items.cite(&reference.source);
    check_simple(items, "horizontal", &[], &reference.pendulum.horizontal)?;
    let small = [("length", "0.4".to_string()), ("angle", "0.3".to_string())];
    check_simple(items, "small", &small, &reference.pendulum.small)
}

fn check_simple(items: &mut Items, case: &str, set: &[(&str, String)], reference: &Swing) -> Result<(), Failure> {
    let trial = Trial::new("pendulum", set)?;
    let run = trial.run(dop853(1e-13), &reference.history.keys())?;
    let bob = trial.model.bodies().last().ok_or("the pendulum has no bob")?;
    items.history(
        &format!("{case}."),
        &reference.history,
        |_, _| TOLERANCE,
        |row, column| {
            let at = run.samples.get(row)?;
            let (theta, omega) = trial.coordinate("theta", at)?;
            let position = trial.system(at).kin.bodies.last()?.X_GB.point(&bob.mass.com);
            match column {
                "theta_rad" => Some(theta),
                "omega_rad_s" => Some(omega),
                "x_m" => Some(position.x),
                "y_m" => Some(position.y),
                _ => None,
            }
        },
    );
    // a quarter of the period after release the pendulum is vertical; the theory of small oscillations gives the first
    // guess
    let guess = 0.5 * PI * (trial.parameter("length")? / trial.parameter("gravity")?).sqrt();
    let down = |at: &Sample| trial.coordinate("theta", at).unwrap_or((f64::NAN, 1.0));
    let quarter = trial.instant_of(&dop853(1e-13), guess, down)?;
    items.check(&format!("{case}.period_s"), 4.0 * quarter, reference.period_s, TOLERANCE);
    Ok(())
}

/// The double pendulum: point masses in large motion, and rods.
pub(super) fn double(items: &mut Items) -> Result<(), Failure> {
    let reference = reference()?;
    items.cite(&reference.source);
    check_double(items, "points", &[], &reference.double_pendulum.points)?;
    let rods = ["com_1", "com_2"].map(|name| (name, "0.5".to_string()));
    let inertias = ["inertia_1", "inertia_2"].map(|name| (name, "1 / 12".to_string()));
    let start = [("theta_1", "0.5".to_string()), ("theta_2", "0.9".to_string())];
    check_double(items, "rods", &[rods, inertias, start].concat(), &reference.double_pendulum.rods)
}

fn check_double(items: &mut Items, case: &str, set: &[(&str, String)], history: &Table) -> Result<(), Failure> {
    let trial = Trial::new("double-pendulum", set)?;
    let run = trial.run(dop853(1e-14), &history.keys())?;
    items.history(
        &format!("{case}."),
        history,
        |_, _| TOLERANCE,
        |row, column| {
            let at = run.samples.get(row)?;
            let (theta1, omega1) = trial.coordinate("first", at)?;
            let (relative, relative_rate) = trial.coordinate("second", at)?;
            let (kinetic, potential) = trial.energy(at);
            match column {
                "theta1_rad" => Some(theta1),
                "theta2_rad" => Some(theta1 + relative),
                "omega1_rad_s" => Some(omega1),
                "omega2_rad_s" => Some(omega1 + relative_rate),
                "energy_j" => Some(kinetic + potential),
                _ => None,
            }
        },
    );
    Ok(())
}
