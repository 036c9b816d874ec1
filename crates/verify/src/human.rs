//! The seven-body human: driven motion, multipliers, and drift of the constraints with Runge-Kutta steps.

use super::items::{Failure, Items};
use super::table::{Numbers, Table};
use super::trial::{Run, Trial, rk4};
use serde::Deserialize;
use wolff_multibody::dynamics::energy::center_of_mass;
use wolff_multibody::force::GroundForce;
use wolff_multibody::simulation::ConstraintHandling;
use wolff_multibody::{Baumgarte, System};
use wolff_numerics::TimeFunction;

/// Relative tolerance of motion and multipliers.
const TOLERANCE: f64 = 1e-9;

/// Rows of the twelve hinge equations; the drivers follow them.
const HINGE_ROWS: usize = 12;

#[derive(Deserialize)]
struct Reference {
    source: String,
    totals: Numbers,
    motion: Vec<Motion>,
    inverse: Vec<Inverse>,
    drift: Vec<Drift>,
    refinement: Table,
}

#[derive(Deserialize)]
struct Motion {
    t_s: f64,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

#[derive(Deserialize)]
struct Inverse {
    #[serde(flatten)]
    motion: Motion,
    lambda: Vec<f64>,
    hat_force_n: Vec<f64>,
    hat_moment_n_m: f64,
    joint_moments_n_m: Vec<f64>,
    newton_force_n: Vec<f64>,
    com_m: Vec<f64>,
}

#[derive(Deserialize)]
struct Drift {
    alpha: f64,
    beta: f64,
    perturbation: f64,
    step_s: f64,
    steps: usize,
    phi_max: f64,
    log: Table,
    final_q: Vec<f64>,
}

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/human.json"))?;
    items.cite(&reference.source);
    let trial = Trial::new("human-sagittal", &[])?;
    check_totals(items, &trial, &reference.totals)?;
    for motion in &reference.motion {
        check_motion(items, "motion", &trial, motion)?;
    }
    for inverse in &reference.inverse {
        check_inverse(items, &trial, inverse)?;
    }
    check_ground_force(items)?;
    items.cite(&reference.source);
    for drift in &reference.drift {
        check_drift(items, drift)?;
    }
    check_refinement(items, &trial, &reference.refinement)
}

/// Relative to the number, or to one where it is smaller: metres, radians and newtons of order one to a hundred.
fn relative(reference: f64) -> f64 {
    TOLERANCE * reference.abs().max(1.0)
}

fn check_totals(items: &mut Items, trial: &Trial, references: &Numbers) -> Result<(), Failure> {
    let analysed = Analysis::new(trial, 0.0)?;
    let system = &analysed.system;
    let com = center_of_mass(&trial.model, &system.kin);
    // parallel axes
    let bodies = trial.model.bodies().iter().zip(&system.kin.bodies).skip(1);
    let inertia: f64 =
        bodies.map(|(b, k)| b.mass.inertia[(2, 2)] + b.mass.mass * (k.X_GB.p - com).norm_squared()).sum();
    // Winter's tables: a thigh has a tenth of the body mass; head, arms and trunk have 0.678 of it
    let subject = trial.parameter("thigh_mass")? / 0.1;
    items.named(
        "totals",
        references,
        |_, x| relative(x),
        |name| match name {
            "mass_kg" => Some(trial.model.total_mass()),
            "subject_mass_kg" => Some(subject),
            "hat_expected_kg" => Some(0.678 * subject),
            "hat_half_kg" => Some(0.339 * subject),
            "com_x_m" => Some(com.x),
            "com_y_m" => Some(com.y),
            "inertia_kg_m2" => Some(inertia),
            _ => None,
        },
    );
    Ok(())
}

/// Position, speed and acceleration prescribed by the drivers, and the multipliers that enforce them.
struct Analysis<'m> {
    system: System<'m>,
    q: Vec<f64>,
    v: Vec<f64>,
    a: Vec<f64>,
}

impl<'m> Analysis<'m> {
    /// Kinematic analysis from the initial state of the study.
    fn new(trial: &'m Trial, t: f64) -> Result<Self, Failure> {
        let model = &trial.model;
        let mut system = System::new(model);
        let (mut q, mut v, mut a) = (model.q0.clone(), vec![0.0; model.nv()], vec![0.0; model.nv()]);
        system.kinematic_analysis(t, &mut q, &mut v, &mut a)?;
        Ok(Analysis { system, q, v, a })
    }

    /// Multipliers of the motion, in the order of the rows.
    fn multipliers(&mut self, t: f64) -> Result<Vec<f64>, Failure> {
        let mut a = self.a.clone();
        self.system.accelerations(t, &self.q, &self.v, Baumgarte::NONE, &mut a)?;
        Ok(self.system.lambda.clone())
    }
}

fn check_motion(items: &mut Items, what: &str, trial: &Trial, reference: &Motion) -> Result<(), Failure> {
    let t = reference.t_s;
    let ours = Analysis::new(trial, t)?;
    items.lists(&format!("{what}.t{t}.q"), &ours.q, &reference.q, relative);
    items.lists(&format!("{what}.t{t}.v"), &ours.v, &reference.v, relative);
    items.lists(&format!("{what}.t{t}.a"), &ours.a, &reference.a, relative);
    Ok(())
}

fn check_inverse(items: &mut Items, trial: &Trial, reference: &Inverse) -> Result<(), Failure> {
    check_motion(items, "inverse", trial, &reference.motion)?;
    let t = reference.motion.t_s;
    let case = |quantity: &str| format!("inverse.t{t}.{quantity}");
    let mut ours = Analysis::new(trial, t)?;
    let lambda = ours.multipliers(t)?;
    items.lists(&case("lambda"), &lambda, &reference.lambda, relative);

    // the force of a driver is minus its multiplier
    let pushes: Vec<f64> = lambda.iter().skip(HINGE_ROWS).map(|x| -x).collect();
    let (hat, joints) = pushes.split_at_checked(3).ok_or("fewer than three drivers")?;
    for (axis, ours, reference) in [("x", hat[0], reference.hat_force_n[0]), ("y", hat[1], reference.hat_force_n[1])] {
        items.check(&case(&format!("hat_force_{axis}_n")), ours, reference, relative(reference));
    }
    items.check(&case("hat_moment_n_m"), hat[2], reference.hat_moment_n_m, relative(reference.hat_moment_n_m));
    items.lists(&case("joint_moments_n_m"), joints, &reference.joint_moments_n_m, relative);

    // Newton's law for the whole body: the drivers of the trunk carry weight and inertia
    let bodies = trial.model.bodies().iter().skip(1);
    let weight = trial.model.gravity * trial.model.total_mass();
    let newton = bodies.fold(-weight, |force, body| {
        let mut force = force;
        force.x += body.mass.mass * ours.a[body.v_start];
        force.y += body.mass.mass * ours.a[body.v_start + 1];
        force
    });
    items.lists(&case("newton_force_n"), &[newton.x, newton.y], &reference.newton_force_n, relative);
    let com = center_of_mass(&trial.model, &ours.system.kin);
    items.lists(&case("com_m"), &[com.x, com.y], &reference.com_m, relative);
    Ok(())
}

/// Height of the ground \[m\], at which the force acts.
const GROUND_HEIGHT: f64 = 0.02;

/// The drivers of the trunk replace the ground: a force that is their opposite in size, and acts on the right foot on
/// the line of their resultant, leaves nothing for them to do, whatever it does to the moments of the joints.
fn check_ground_force(items: &mut Items) -> Result<(), Failure> {
    items.cite("balance of the whole body: the resultant of the trunk's drivers, moved to the foot");
    let trial = Trial::new("human-sagittal", &[])?;
    for t in [0.1, 0.4, 0.8] {
        let mut free = Analysis::new(&trial, t)?;
        let lambda = free.multipliers(t)?;
        let [x, y, moment] = [0, 1, 2].map(|k| -lambda[HINGE_ROWS + k]);
        let c = free.system.kin.bodies[trial.model.body_index("hat").ok_or("there is no trunk")?].X_GB.p;
        // moment about the trunk: (p - c) x f
        let point = c.x + (moment + (GROUND_HEIGHT - c.y) * x) / y;
        let mut loaded = Trial::new("human-sagittal", &[])?;
        let foot = loaded.model.body_index("foot_right").ok_or("there is no foot")?;
        let constant = |v: [f64; 3]| v.map(TimeFunction::Constant);
        let force = GroundForce::new("plate", foot, constant([x, y, 0.0]), constant([point, GROUND_HEIGHT, 0.0]));
        loaded.model.add_force(Box::new(force))?;
        let balanced = Analysis::new(&loaded, t)?.multipliers(t)?;
        let left = &balanced[HINGE_ROWS..HINGE_ROWS + 3];
        items.lists(&format!("ground_force.t{t}.trunk"), left, &[0.0; 3], |_| TOLERANCE * y.abs());
    }
    Ok(())
}

/// Norms of violations: tolerance 5 % above 1e-7, a factor of two (taken as half of the value in both directions)
/// below.
fn norm_tolerance(reference: f64) -> f64 {
    if reference > 1e-7 { 0.05 * reference } else { 0.5 * reference }
}

fn check_drift(items: &mut Items, reference: &Drift) -> Result<(), Failure> {
    let trial = Trial::new("human-sagittal", &[("perturbation", reference.perturbation.to_string())])?;
    let stabilisation = Baumgarte { alpha: reference.alpha, beta: reference.beta };
    let steps = (1..=reference.steps).map(|i| reference.step_s * i as f64);
    let times: Vec<f64> = steps.collect();
    let run = drifting_run(&trial, stabilisation, reference.step_s, &times)?;
    let start = if reference.perturbation == 0.0 { "consistent" } else { "perturbed" };
    let case = |quantity: &str| format!("drift.{start}.alpha{}.{quantity}", reference.alpha);
    let phi_max = run.report.drift.max_position;
    items.check(&case("phi_max"), phi_max, reference.phi_max, norm_tolerance(reference.phi_max));
    items.lists(&case("final_q"), &run.report.q, &reference.final_q, relative);

    // the log has values at whole steps
    let rows: Vec<usize> =
        reference.log.keys().iter().map(|t| ((t / reference.step_s).round() as usize).saturating_sub(1)).collect();
    let mut logged = Vec::new();
    for &row in &rows {
        logged.push(norms(&trial, &run, row)?);
    }
    items.history(&case(""), &reference.log, |_, x| norm_tolerance(x), |row, column| logged.get(row)?.get(column));
    Ok(())
}

/// Fixed steps from the initial state as it is: a perturbed initial state must not be made consistent.
fn drifting_run(trial: &Trial, stabilisation: Baumgarte, step: f64, times: &[f64]) -> Result<Run, Failure> {
    let constraints = match stabilisation {
        Baumgarte::NONE => ConstraintHandling::None,
        stabilisation => ConstraintHandling::Baumgarte(stabilisation),
    };
    let mut settings = rk4(step, constraints);
    settings.assemble = false;
    trial.run(settings, times)
}

/// Violation of the constraints and deviation from the driven motion at an instant.
struct Norms {
    phi: f64,
    phi_hinges: f64,
    phidot: f64,
    position_error: f64,
}

impl Norms {
    fn get(&self, name: &str) -> Option<f64> {
        match name {
            "phi" => Some(self.phi),
            "phi_hinges" => Some(self.phi_hinges),
            "phidot" => Some(self.phidot),
            "position_error" => Some(self.position_error),
            _ => None,
        }
    }
}

fn norms(trial: &Trial, run: &Run, row: usize) -> Result<Norms, Failure> {
    let at = run.samples.get(row).ok_or("a log time beyond the run")?;
    let exact = Analysis::new(trial, at.t)?;
    let mut system = System::new(&trial.model);
    system.update_constraints(at.t, &at.q, &at.v);
    let (phi, phidot) = system.constraints.drift();
    let hinges = system.constraints.phi.iter().take(HINGE_ROWS);
    Ok(Norms {
        phi,
        phi_hinges: hinges.map(|x| x * x).sum::<f64>().sqrt(),
        phidot,
        position_error: at.q.iter().zip(&exact.q).fold(0.0, |worst, (q, e)| (q - e).abs().max(worst)),
    })
}

/// Violation without stabilisation after a stride, with halved steps: it decreases with the fourth power of the step.
fn check_refinement(items: &mut Items, trial: &Trial, table: &Table) -> Result<(), Failure> {
    let end = trial.parameter("duration")?;
    let mut ours = Vec::new();
    for step in table.keys() {
        ours.push(drifting_run(trial, Baumgarte::NONE, step, &[end])?.report.drift.final_position);
    }
    let references = table.column("phi");
    items.lists("refinement.phi", &ours, &references, norm_tolerance);
    let order = |x: &[f64]| match x {
        [coarse, fine] => (coarse / fine).log2(),
        _ => f64::NAN,
    };
    // the reference pair itself gives 3.999; a third-order method would give 3
    items.check("refinement.order", order(&ours), order(&references), 0.05);
    Ok(())
}
