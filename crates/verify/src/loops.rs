//! Closed chains: row of four-bar windows, Andrews' squeezer mechanism, Bricard's mechanism, flyball governor.

use super::items::{Failure, Items};
use super::table::{Numbers, Table};
use super::trial::{Sample, Trial, dop853};
use serde::Deserialize;
use wolff_multibody::Baumgarte;
use wolff_multibody::simulation::Settings;
use wolff_spatial::Vec3;

/// Tolerance of the row of windows, absolute \[rad, rad/s, m\] and relative to the energy. The references state no
/// tolerance. In the flat position the mechanism could fold in another way and the constraints lose rank; the loops
/// pass this position slowly, which leaves an error of about 1e-8 at each of the ten passages.
const FOUR_BAR: f64 = 1e-6;

/// Tolerance of Andrews' squeezer mechanism, relative to the number or to one where it is smaller.
const ANDREWS: f64 = 1e-7;

/// Tolerance of Bricard's mechanism, absolute \[m, rad, J\].
const BRICARD: f64 = 1e-8;

/// Tolerance of the governor, absolute \[m, rad, rad/s, m/s\].
const FLYBALL: f64 = 1e-6;

#[derive(Deserialize)]
struct Reference {
    source: String,
    four_bar: Vec<Windows>,
    andrews: Andrews,
    bricard: History,
    flyball: History,
}

#[derive(Deserialize)]
struct Windows {
    windows: usize,
    initial_energy_j: f64,
    history: Table,
}

#[derive(Deserialize)]
struct Andrews {
    history: Table,
    test_set_q: Numbers,
}

#[derive(Deserialize)]
struct History {
    history: Table,
}

fn reference() -> Result<Reference, Failure> {
    Ok(serde_json::from_str(include_str!("../references/rigid.json"))?)
}

/// Rows of 1, 2 and 40 windows.
pub(super) fn four_bar(items: &mut Items) -> Result<(), Failure> {
    let reference = reference()?;
    items.cite(&reference.source);
    for row in &reference.four_bar {
        check_windows(items, row)?;
    }
    Ok(())
}

fn check_windows(items: &mut Items, reference: &Windows) -> Result<(), Failure> {
    let trial = Trial::new("four-bar", &[("windows", reference.windows.to_string())])?;
    let run = trial.run(dop853(1e-11), &reference.history.keys())?;
    let body = trial.model.body_index("upright_0").ok_or("the row has no first upright")?;
    let tip = Vec3::new(trial.parameter("rod_length")?, 0.0, 0.0);
    let energy = |at: &Sample| {
        let (kinetic, potential) = trial.energy(at);
        kinetic + potential
    };
    let case = format!("{}.", reference.windows);
    items.relative(&format!("{case}initial_energy_j"), energy(&trial.start()), reference.initial_energy_j, 1e-12);
    items.history(
        &case,
        &reference.history,
        |column, x| if column == "energy_j" { FOUR_BAR * x } else { FOUR_BAR },
        |row, column| {
            let at = run.samples.get(row)?;
            let (theta, omega) = trial.coordinate("upright_0", at)?;
            let B0 = trial.system(at).kin.bodies[body].X_GB.point(&tip);
            match column {
                "theta_rad" => Some(theta),
                "omega_rad_s" => Some(omega),
                "B0_x_m" => Some(B0.x),
                "B0_y_m" => Some(B0.y),
                "energy_j" => Some(energy(at)),
                _ => None,
            }
        },
    );
    Ok(())
}

/// Angles, rates, multipliers and energy of Andrews' squeezer mechanism.
pub(super) fn andrews(items: &mut Items) -> Result<(), Failure> {
    andrews_by(items, "", dop853(1e-12))
}

/// The same with these settings; `case` begins the names of the items.
pub(super) fn andrews_by(items: &mut Items, case: &str, settings: Settings) -> Result<(), Failure> {
    let reference = reference()?;
    items.cite(&reference.source);
    let trial = Trial::new("andrews", &[])?;
    let run = trial.run(settings, &reference.andrews.history.keys())?;
    let (torque, start) = (trial.parameter("mom")?, trial.parameter("beta_0")?);
    let mut multipliers = Vec::new();
    for at in &run.samples {
        let mut system = trial.system(at);
        let mut a = vec![0.0; at.v.len()];
        system.accelerations(at.t, &at.q, &at.v, Baumgarte::NONE, &mut a)?;
        multipliers.push(system.lambda.clone());
    }
    let tolerance = |x: f64| ANDREWS * x.abs().max(1.0);
    items.history(
        case,
        &reference.andrews.history,
        |_, x| tolerance(x),
        |row, column| {
            let at = run.samples.get(row)?;
            match column.split_once('.') {
                Some(("q", name)) => Some(trial.coordinate(name, at)?.0),
                Some(("v", name)) => Some(trial.coordinate(name, at)?.1),
                Some(("lambda", index)) => multipliers.get(row)?.get(index.parse::<usize>().ok()?).copied(),
                _ => {
                    let (kinetic, potential) = trial.energy(at);
                    Some(kinetic + potential - torque * (trial.coordinate("beta", at)?.0 - start))
                }
            }
        },
    );
    let last = run.samples.last().ok_or("there is no recorded row")?;
    let angle = |name: &str| trial.coordinate(name, last).map(|(q, _)| q);
    items.named(&format!("{case}test_set"), &reference.andrews.test_set_q, |_, x| tolerance(x), angle);
    Ok(())
}

/// Points, hinge angles and energies of Bricard's mechanism, which has one redundant constraint.
pub(super) fn bricard(items: &mut Items) -> Result<(), Failure> {
    bricard_by(items, "", dop853(1e-12))
}

/// The same with these settings; `case` begins the names of the items.
pub(super) fn bricard_by(items: &mut Items, case: &str, settings: Settings) -> Result<(), Failure> {
    let reference = reference()?;
    items.cite(&reference.source);
    let trial = Trial::new("bricard", &[])?;
    let run = trial.run(settings, &reference.bricard.history.keys())?;
    items.history(
        case,
        &reference.bricard.history,
        |_, _| BRICARD,
        |row, column| {
            let at = run.samples.get(row)?;
            let (kinetic, potential) = trial.energy(at);
            match column.split_once('.') {
                Some(("hinge", i)) => Some(trial.coordinate(&format!("hinge_{i}"), at)?.0),
                Some((point, axis)) => {
                    // point Pk is the beginning of rod k
                    let body = trial.model.body_index(&point.replace('P', "rod_"))?;
                    let p = trial.system(at).kin.bodies[body].X_GB.p;
                    Some(p[["x", "y", "z"].iter().position(|a| *a == axis)?])
                }
                None => match column {
                    "kinetic_j" => Some(kinetic),
                    "potential_j" => Some(potential),
                    "total_j" => Some(kinetic + potential),
                    _ => None,
                },
            }
        },
    );
    // the loop stays closed
    items.check(&format!("{case}closure"), run.report.drift.max_position, 0.0, BRICARD);
    Ok(())
}

/// The stiff flyball governor.
pub(super) fn flyball(items: &mut Items) -> Result<(), Failure> {
    let reference = reference()?;
    items.cite(&reference.source);
    let trial = Trial::new("flyball", &[])?;
    let run = trial.run(dop853(1e-10), &reference.flyball.history.keys())?;
    items.history(
        "",
        &reference.flyball.history,
        |_, _| FLYBALL,
        |row, column| {
            let at = run.samples.get(row)?;
            let (alpha, alpha_rate) = trial.coordinate("alpha_0", at)?;
            let (s, s_rate) = trial.coordinate("s", at)?;
            match column {
                "alpha_rad" => Some(alpha),
                "alphadot_rad_s" => Some(alpha_rate),
                "s_m" => Some(s),
                "sdot_m_s" => Some(s_rate),
                "psidot_rad_s" => Some(trial.coordinate("psi", at)?.1),
                _ => None,
            }
        },
    );
    Ok(())
}
