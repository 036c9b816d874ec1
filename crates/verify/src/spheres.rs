//! Two colliding spheres under every contact law, by the exact solution and by simulation.

use super::items::{Failure, Items};
use super::table::{Numbers, Table};
use super::trial::{Run, Sample, Trial, dop853, rk4};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::f64::consts::PI;
use wolff_contact::hertz::{Material, sphere_sphere_stiffness};
use wolff_contact::{Collision, KelvinVoigtEnd, LawKind, NormalLaw};
use wolff_multibody::dynamics::energy::kinetic_energy;
use wolff_multibody::simulation::{ConstraintHandling, Impact, State};

/// Relative tolerance of exact solutions and adaptive integration.
const TOLERANCE: f64 = 1e-6;

/// Relative tolerance with fixed steps of 1/200 of the contact duration.
const FIXED_STEP_TOLERANCE: f64 = 1e-4;

/// Relative tolerance of the times of peaks in a simulated motion. The depth is the difference of positions of
/// centimetres and therefore has a rounding error of 1e-12 relative to itself; a peak is flat, so the error of its time
/// is the square root of that.
const PEAK_TIME_TOLERANCE: f64 = 1e-5;

/// Radius of the spheres for which the stiffness is plausible \[m\].
const RADIUS: f64 = 0.02;

/// Name in the references of Kelvin-Voigt contact that ends at zero force.
const FORCE_ZERO: &str = "kelvin-voigt-force-zero";

#[derive(Deserialize)]
struct Reference {
    source: String,
    laws: BTreeMap<String, LawReference>,
    restitution: Table,
    damping_factor: Table,
    stiffness: Numbers,
}

#[derive(Deserialize)]
struct LawReference {
    numbers: Numbers,
    samples: Option<Table>,
}

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/spheres.json"))?;
    items.cite(&reference.source);
    for (law, numbers) in &reference.laws {
        check_law(items, law, numbers)?;
    }
    check_restitution(items, &reference.restitution)?;
    check_damping_factor(items, &reference.damping_factor)?;
    check_stiffness(items, &reference.stiffness)
}

/// The collision of the study, with the numbers that describe it.
struct Encounter {
    trial: Trial,
    law: NormalLaw,
    /// Effective mass \[kg\].
    mass: f64,
    /// Speed of approach \[m/s\].
    v0: f64,
    /// Free flight before the contact \[s\].
    touch: f64,
    restitution: f64,
}

impl Encounter {
    fn new(law: &str, set: &[(&str, String)]) -> Result<Self, Failure> {
        let force_zero = law == FORCE_ZERO;
        let law = if force_zero { LawKind::KelvinVoigt.name() } else { law };
        let mut trial = Trial::new("spheres", &[&[("law", law.to_string())], set].concat())?;
        if force_zero {
            let mut study = trial.study;
            for contact in &mut study.contacts {
                contact.law = ending_at_zero_force(&contact.law)?;
            }
            trial = Trial::of(study)?;
        }
        let law = trial.study.contacts.first().ok_or("the spheres have no contact")?.law;
        let (m1, m2) = (trial.parameter("mass_1")?, trial.parameter("mass_2")?);
        let v0 = trial.parameter("speed")?;
        // both approach, each from half of the gap
        let gap = trial.model.q0[1] - trial.model.q0[0] - 2.0 * trial.parameter("radius")?;
        let restitution = trial.parameter("restitution")?;
        Ok(Encounter { law, mass: m1 * m2 / (m1 + m2), v0, touch: gap / v0, restitution, trial })
    }

    /// Runs through the collision, with samples at the given times after the beginning of contact.
    fn simulate(&self, times: &[f64]) -> Result<Run, Failure> {
        let end = self.trial.study.integrator.duration;
        let times: Vec<f64> = times.iter().map(|t| self.touch + t).chain([end]).collect();
        self.trial.run(dop853(1e-13), &times)
    }
}

fn ending_at_zero_force(law: &NormalLaw) -> Result<NormalLaw, Failure> {
    let NormalLaw::KelvinVoigt(law) = law else { return Err("the law is not Kelvin-Voigt".into()) };
    let (stiffness, damping) = (law.elastic().stiffness(), law.damping());
    let law = wolff_contact::law::KelvinVoigt::new(stiffness, damping, KelvinVoigtEnd::ForceZero)?;
    Ok(NormalLaw::KelvinVoigt(law))
}

fn check_law(items: &mut Items, law: &str, reference: &LawReference) -> Result<(), Failure> {
    let encounter = Encounter::new(law, &[])?;
    let collision = Collision::solve(&encounter.law, encounter.mass, encounter.v0)?;
    let samples = reference.samples.as_ref();
    let run = encounter.simulate(&samples.map(Table::keys).unwrap_or_default())?;
    let impact = run.report.impacts.first().ok_or("the spheres did not collide")?;

    let energy = 0.5 * encounter.mass * encounter.v0.powi(2);
    for (name, &x) in &reference.numbers {
        let exact = exact(&encounter, &collision, name);
        let simulated =
            if law == FORCE_ZERO && name == "duration_s" { None } else { simulated(&encounter, impact, name) };
        // an elastic law loses no energy: the tolerance is relative to the energy that could be lost
        let size = if name == "energy_loss_j" && x == 0.0 { energy } else { x.abs() };
        let loosest = if name.starts_with("time_of") { PEAK_TIME_TOLERANCE } else { TOLERANCE };
        if exact.is_none() && simulated.is_none() {
            items.failed(&format!("{law}.{name}"), "unknown quantity");
        }
        for (way, value, tolerance) in [("exact", exact, TOLERANCE), ("simulated", simulated, loosest)] {
            if let Some(value) = value {
                items.check(&format!("{law}.{way}.{name}"), value, x, tolerance * size);
            }
        }
    }
    if let Some(samples) = samples {
        check_samples(items, law, &encounter, &collision, samples, &run);
    }
    check_fixed_steps(items, law, &encounter, &collision, &reference.numbers)
}

/// A number by its name from the exact solution.
fn exact(encounter: &Encounter, c: &Collision, name: &str) -> Option<f64> {
    let Encounter { law, mass, v0, .. } = encounter;
    let elastic = law.elastic();
    let factor = match law {
        NormalLaw::Hysteretic(law) => Some(law.damping_factor()),
        NormalLaw::Hertz(_) => Some(0.0),
        _ => None,
    };
    let damping = match law {
        NormalLaw::KelvinVoigt(law) => Some(law.damping()),
        _ => None,
    };
    match name.trim_start_matches("crosscheck_").trim_start_matches("analytic_") {
        "damping_factor" => factor,
        "chi" => factor.map(|a| a * elastic.stiffness() / v0),
        "d" => factor.map(|a| a * encounter.restitution),
        "zeta" => damping.map(|d| 0.5 * d / (elastic.stiffness() * mass).sqrt()),
        "damping_n_s_m" => damping,
        "force_at_first_touch_n" => Some(law.force(0.0, *v0, *v0)),
        "force_at_end_n" => Some(law.force(0.0, -c.restitution * v0, *v0)),
        // where spring and damper forces balance
        "delta_at_end_m" => damping.map(|d| d * c.restitution * v0 / elastic.stiffness()),
        "delta_max_m" => Some(c.depth_max),
        "force_max_n" => Some(c.force_max),
        "delta_at_force_max_m" => Some(c.depth_at_force_max),
        "rate_at_force_max_m_s" => Some(c.rate_at_force_max),
        "time_of_delta_max_s" => Some(c.time_of_depth_max),
        "duration_s" => Some(c.duration),
        "restitution" => Some(c.restitution),
        "separation_m_s" => Some(-c.restitution * v0),
        "energy_loss_j" => Some(c.energy_loss),
        "impulse_n_s" => Some(c.impulse),
        _ => None,
    }
}

/// A number by its name from the simulated motion.
fn simulated(encounter: &Encounter, impact: &Impact, name: &str) -> Option<f64> {
    let trial = &encounter.trial;
    let (t_end, after) = (impact.t_end?, impact.after.as_ref()?);
    let kinetic = |s: &State| kinetic_energy(&trial.system(&Sample::open(0.0, s)).kin);
    match name.trim_start_matches("crosscheck_").trim_start_matches("analytic_") {
        "delta_max_m" => Some(impact.depth_max),
        "force_max_n" => Some(impact.force_max),
        "time_of_delta_max_s" => Some(impact.t_depth_max - impact.t_start),
        "time_of_force_max_s" => Some(impact.t_force_max - impact.t_start),
        "duration_s" => Some(t_end - impact.t_start),
        "restitution" => Some(impact.separation? / impact.approach),
        "separation_m_s" => Some(-impact.separation?),
        "energy_loss_j" => Some(kinetic(&impact.before) - kinetic(after)),
        "impulse_n_s" => Some(trial.model.bodies()[1].mass.mass * (impact.before.v[0] - after.v[0])),
        _ => None,
    }
}

/// Depth and rate during the contact, relative to the maximum depth and the speed of approach.
fn check_samples(items: &mut Items, law: &str, encounter: &Encounter, c: &Collision, samples: &Table, run: &Run) {
    let trial = &encounter.trial;
    let contact = trial.model.forces().first().and_then(|f| f.contact());
    let indentations = run.samples.iter().take(samples.rows.len()).filter_map(|at| {
        let system = trial.system(at);
        Some(contact?.indentation(&system.instant(at.t, &at.q, &at.v, None)))
    });
    let (depths, rates): (Vec<f64>, Vec<f64>) = indentations.map(|i| (i.depth, i.rate)).unzip();
    let (depth_size, rate_size) = (c.depth_max, encounter.v0);
    items.lists(&format!("{law}.samples.depth_m"), &depths, &samples.column("depth_m"), |_| TOLERANCE * depth_size);
    items.lists(&format!("{law}.samples.rate_m_s"), &rates, &samples.column("rate_m_s"), |_| TOLERANCE * rate_size);
}

/// The four main numbers with Runge-Kutta steps of 1/200 of the contact duration.
fn check_fixed_steps(
    items: &mut Items,
    law: &str,
    encounter: &Encounter,
    c: &Collision,
    references: &Numbers,
) -> Result<(), Failure> {
    let end = encounter.touch + 1.5 * c.duration;
    let run = encounter.trial.run(rk4(c.duration / 200.0, ConstraintHandling::None), &[end])?;
    let impact = run.report.impacts.first().ok_or("the spheres did not collide")?;
    let chief = ["delta_max_m", "force_max_n", "duration_s", "restitution"];
    // the bodies still overlap at zero force: the end is that of the overlap
    let chief = chief.iter().filter(|name| law != FORCE_ZERO || **name == "restitution");
    let pairs = chief.filter_map(|name| {
        let value = simulated(encounter, impact, name).unwrap_or(f64::NAN);
        Some((value, *references.get(*name)?))
    });
    items.worst(&format!("{law}.fixed_steps"), pairs, |x| FIXED_STEP_TOLERANCE * x.abs());
    Ok(())
}

/// True restitution divided by the given coefficient, from the damping factor and from collisions.
fn check_restitution(items: &mut Items, table: &Table) -> Result<(), Failure> {
    for law in table.columns.iter().skip(1) {
        let (mut exact, mut simulated) = (Vec::new(), Vec::new());
        for c_r in table.keys() {
            let encounter = Encounter::new(law, &[("restitution", c_r.to_string())])?;
            exact.push(Collision::solve(&encounter.law, encounter.mass, encounter.v0)?.restitution);
            let run = encounter.simulate(&[])?;
            let impact = run.report.impacts.first().ok_or("the spheres did not collide")?;
            simulated.push(impact.separation.unwrap_or(f64::NAN) / impact.approach);
        }
        let references = table.column(law);
        for (way, ours) in [("exact", exact), ("simulated", simulated)] {
            items.lists(&format!("restitution_over_c_r.{way}.{law}"), &ours, &references, |x| TOLERANCE * x);
        }
    }
    Ok(())
}

fn check_damping_factor(items: &mut Items, table: &Table) -> Result<(), Failure> {
    for law in table.columns.iter().skip(1) {
        let mut ours = Vec::new();
        for c_r in table.keys() {
            ours.push(match law.parse()? {
                LawKind::Hysteretic(model) => model.damping_factor(c_r)?,
                _ => 0.0,
            });
        }
        items.lists(&format!("damping_factor_over_c_r.{law}"), &ours, &table.column(law), |x| TOLERANCE * x);
    }
    Ok(())
}

/// Meaning of the given mass and stiffness for spheres of 20 mm.
fn check_stiffness(items: &mut Items, references: &Numbers) -> Result<(), Failure> {
    let mass = Trial::new("spheres", &[])?.parameter("mass_1")?;
    let stiffness = |young: f64, poisson: f64| {
        let material = Material::new(young, poisson)?;
        sphere_sphere_stiffness((RADIUS, &material), (RADIUS, &material))
    };
    let (aluminium, steel) = (stiffness(70e9, 0.33)?, stiffness(207e9, 0.3)?);
    items.named(
        "stiffness",
        references,
        |_, x| TOLERANCE * x,
        |name| match name {
            "density_kg_m3" => Some(mass / (4.0 / 3.0 * PI * RADIUS.powi(3))),
            "aluminium_n_m15" => Some(aluminium),
            "steel_n_m15" => Some(steel),
            _ => None,
        },
    );
    Ok(())
}
