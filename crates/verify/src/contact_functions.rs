//! The STEP and IMPACT functions, and a body that lands on an IMPACT floor.

use super::items::{Failure, Items};
use super::table::{Numbers, Table};
use super::trial::{Trial, dop853};
use serde::Deserialize;
use wolff_contact::law::ImpactFunction;
use wolff_contact::{LawKind, LawParameters, NormalLaw};
use wolff_multibody::System;
use wolff_numerics::function::Step;

/// Relative tolerance of functions with a closed form.
const FUNCTION: f64 = 1e-12;

/// Relative tolerance of a simulated landing.
const DROP: f64 = 1e-5;

/// Properties of the floor: stiffness \[N/m^2.2\], exponent, maximum damping \[N s/m\] and the depth at which it is
/// reached \[m\].
const FLOOR: (f64, f64, f64, f64) = (1e8, 2.2, 1e5, 1e-4);

const GRAVITY: f64 = 9.81;

#[derive(Deserialize)]
struct Reference {
    source: String,
    step: Table,
    impact: Table,
    #[serde(rename = "static")]
    at_rest: Numbers,
    drops: Vec<Drop>,
    foot: Vec<Foot>,
}

#[derive(Deserialize)]
struct Drop {
    mass_kg: f64,
    speed_m_s: f64,
    history: Table,
}

#[derive(Deserialize)]
struct Foot {
    name: String,
    stiffness_n_mm: f64,
    damping_n_s_mm: f64,
    values: Table,
}

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/contact_functions.json"))?;
    items.cite(&reference.source);
    check_step(items, &reference.step)?;
    let (k, e, c, d) = FLOOR;
    let floor = ImpactFunction::new(k, e, c, d)?;
    check_forces(items, "impact.force_n", &reference.impact, |depth, rate| floor.force(depth, rate));
    check_rest(items, &reference.at_rest)?;
    for drop in &reference.drops {
        check_drop(items, drop)?;
    }
    for foot in &reference.foot {
        let law = ImpactFunction::new(1e3 * foot.stiffness_n_mm, 1.0, 1e3 * foot.damping_n_s_mm, 1e-3)?;
        let force = |depth_mm: f64, rate_mm_s: f64| law.force(1e-3 * depth_mm, 1e-3 * rate_mm_s);
        check_forces(items, &format!("foot.{}.force_n", foot.name), &foot.values, force);
    }
    Ok(())
}

fn check_step(items: &mut Items, table: &Table) -> Result<(), Failure> {
    let [x, x0, h0, x1, h1] = ["x", "x0", "h0", "x1", "h1"].map(|name| table.column(name));
    let mut ours = Vec::new();
    for i in 0..table.rows.len() {
        ours.push(Step::new(x0[i], h0[i], x1[i], h1[i])?.evaluate(x[i]));
    }
    let values: Vec<f64> = ours.iter().map(|d| d.value).collect();
    let slopes: Vec<f64> = ours.iter().map(|d| d.d1).collect();
    // the step is a small difference of its end values: the tolerance is relative to their distance
    let height = |_| FUNCTION * 240.0;
    items.lists("step.value", &values, &table.column("value"), height);
    items.lists("step.d1", &slopes, &table.column("d1"), height);
    Ok(())
}

/// Forces over depth and rate, the first two columns.
fn check_forces(items: &mut Items, id: &str, table: &Table, force: impl Fn(f64, f64) -> f64) {
    let pairs = table.rows.iter().map(|row| match row[..] {
        [depth, rate, reference] => (force(depth, rate), reference),
        _ => (f64::NAN, 0.0),
    });
    items.worst(id, pairs, |x| FUNCTION * x.abs());
}

/// A landing body on the floor: the study of the bouncing ball.
fn landing(mass: f64, height: f64, speed: f64) -> Result<Trial, Failure> {
    let (k, e, c, d) = FLOOR;
    let numbers = [("mass", mass), ("height", height), ("speed", speed), ("gravity", GRAVITY)];
    let law = [("stiffness", k), ("exponent", e), ("damping", c), ("full_damping_depth", d)];
    let mut set = vec![("law", "impact".to_string())];
    set.extend(numbers.into_iter().chain(law).map(|(name, value)| (name, format!("{value:e}"))));
    Trial::new("bouncing-ball", &set)
}

/// Depth at which a body of `mass` \[kg\] rests in the floor \[m\].
fn depth_at_rest(mass: f64) -> Result<f64, Failure> {
    let trial = landing(mass, 1e-3, 0.0)?;
    let mut system = System::new(&trial.model);
    // start somewhere inside the floor, where the force has a slope
    let radius = trial.parameter("radius")?;
    let mut q = vec![radius - 1e-3];
    system.equilibrium(0.0, &mut q, &mut [], 2e-13 * mass * GRAVITY)?;
    Ok(radius - q[0])
}

fn check_rest(items: &mut Items, references: &Numbers) -> Result<(), Failure> {
    let (stiffness, exponent, damping, full_damping_depth) = FLOOR;
    let damping_given = Some(damping);
    let parameters =
        LawParameters { stiffness, exponent, damping: damping_given, full_damping_depth, ..Default::default() };
    let law = NormalLaw::new(LawKind::Impact, &parameters)?;
    let slope = |depth: f64| law.stiffness_derivatives(depth, 0.0, 0.0).0;
    let (mass, light, heavy) = (39.0, depth_at_rest(39.0)?, depth_at_rest(650.0 / GRAVITY)?);
    items.named(
        "static",
        references,
        |_, x| FUNCTION * x,
        |name| match name {
            "depth_39kg_m" => Some(light),
            "depth_650n_m" => Some(heavy),
            "stiffness_650n_n_m" => Some(slope(heavy)),
            "critical_damping_n_s_m" => Some(2.0 * (slope(light) * mass).sqrt()),
            "creep_time_s" => Some(damping / slope(light)),
            _ => None,
        },
    );
    Ok(())
}

/// The body starts a micrometre above the floor with the speed that gravity increases to the requested one.
fn check_drop(items: &mut Items, drop: &Drop) -> Result<(), Failure> {
    let height = 1e-6;
    let speed = (drop.speed_m_s.powi(2) - 2.0 * GRAVITY * height).sqrt();
    let touch = (drop.speed_m_s - speed) / GRAVITY;
    let trial = landing(drop.mass_kg, height, -speed)?;
    let times: Vec<f64> = drop.history.keys().iter().map(|t| touch + t).collect();
    let run = trial.run(dop853(1e-11), &times)?;
    let contact = trial.model.forces().first().and_then(|f| f.contact()).ok_or("the ball has no contact")?;
    items.history(
        &format!("drop.{}m/s.", drop.speed_m_s),
        &drop.history,
        |_, x| DROP * x.abs(),
        |row, column| {
            let at = run.samples.get(row)?;
            let system = trial.system(at);
            let instant = system.instant(at.t, &at.q, &at.v, Some(0));
            match column {
                "depth_m" => Some(contact.indentation(&instant).depth),
                "rate_m_s" => Some(contact.indentation(&instant).rate),
                "force_n" => Some(contact.normal_force(&instant)),
                _ => None,
            }
        },
    );
    Ok(())
}
