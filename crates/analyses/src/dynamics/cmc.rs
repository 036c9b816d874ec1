//! Computed muscle control: a forward simulation whose excitations make it follow a motion.

use super::figures;
use super::id::headline_text;
use super::inputs::{Loaded, shown};
use super::samples::{sample_tables, storage};
use super::setups::setup_of;
use super::{Analysis, Tables, legs, outcome, ranges, ranges_text};
use serde_json::json;
use std::path::{Path, PathBuf};
use wolff_control::{Bounds, CmcOptions, ForwardOptions, Target, Task, Tracked, track};
use wolff_formats::sto::Storage;
use wolff_motion::coupling::Coupling;
use wolff_motion::{Coordinate, MotionError, Motors};
use wolff_multibody::System;
use wolff_opensim::setup::Setup;
use wolff_opensim::{control_bounds, tracking_tasks};
use wolff_report::outcome::{Headline, Outcome};
use wolff_verdict::Limit;

/// Files of the results; forces come first, since figures and ranges are theirs.
pub const FILES: [&str; 6] =
    ["Actuation_force.sto", "states.sto", "controls.sto", "Kinematics_q.sto", "Kinematics_u.sto", "pErr.sto"];

/// Largest tracking error of an angle \[deg\] and of a translation \[cm\]: doubtful, failed (five times).
const ERROR: [f64; 2] = [2.0, 10.0];
const ERROR_SOURCE: &str = "Hicks et al. 2015, J Biomech Eng 137:020905: errors below 2 degrees and 2 cm";
/// Reserve moment over the largest moment of the muscles about its coordinate \[%\]: doubtful, failed.
const RESERVE: [f64; 2] = [10.0, 50.0];
const RESERVE_SOURCE: &str = "Hicks et al. 2015, J Biomech Eng 137:020905: peak reserves below 10 % of the peak joint \
    moment; beyond 50 % the muscles carry less than half";
/// Moments below this are within the uncertainty of inverse dynamics \[N m/kg\] (chosen here).
const SMALL_MOMENT: f64 = 0.1;

/// What the user chose; the rest is taken from the set-up.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// A task set.
    pub tasks: Option<PathBuf>,
    /// A control set with limits.
    pub constraints: Option<PathBuf>,
    /// Gains of position \[1/s²\] and speed \[1/s\] without a task set.
    pub gains: [Option<f64>; 2],
    /// Length of a window \[s\].
    pub window: Option<f64>,
    /// How accelerations are asked for.
    pub target: Option<Target>,
    /// Accuracy of excitations.
    pub tolerance: Option<f64>,
    /// Local error of the simulation.
    pub accuracy: Option<f64>,
    /// Time between samples \[s\].
    pub sampling: Option<f64>,
}

/// What is tracked, and how.
pub struct Plan {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Muscles and actuators.
    pub motors: Motors,
    /// Limits of controls.
    pub bounds: Bounds,
    /// Settings.
    pub options: CmcOptions,
}

/// Tasks, limits and settings from options and set-up.
pub fn plan(loaded: &mut Loaded, choice: &Choice) -> Result<Plan, MotionError> {
    let tool = loaded.from_setup.control.clone();
    if let Some(tool) = tool.as_ref().filter(|t| t.replace_force_set || !t.excluded.is_empty()) {
        let reason = "replaces the model's forces or excludes actuators (<replace_force_set>, <actuators_to_exclude>), \
             which is not supported; take these forces out of the model instead";
        return Err(MotionError::input(format!("the set-up `{}`", tool.name), reason));
    }
    let of_tool =
        |pick: fn(&wolff_opensim::setup::MuscleControlTool) -> Option<PathBuf>| tool.as_deref().and_then(pick);
    let tasks = match choice.tasks.clone().or(of_tool(|t| t.task_set_file.clone())) {
        Some(path) => match setup_of(&path, &mut loaded.judgement)? {
            Setup::Tracking(set) => tracking_tasks(&set),
            _ => return Err(MotionError::input(shown(&path), "is not a task set; give a CMC_TaskSet file")),
        },
        None => free_tasks(loaded, choice.gains),
    };
    let motors = loaded.motors()?;
    let bounds = match choice.constraints.clone().or(of_tool(|t| t.constraints_file.clone())) {
        Some(path) => match setup_of(&path, &mut loaded.judgement)? {
            Setup::Controls(set) => control_bounds(&motors, &set)?,
            _ => return Err(MotionError::input(shown(&path), "is not a control set; give a ControlSet file")),
        },
        None => Bounds::of(&motors),
    };
    let usual = CmcOptions::default();
    let fast = tool.as_ref().is_none_or(|t| t.fast);
    let options = CmcOptions {
        window: choice.window.or(tool.as_ref().map(|t| t.window)).unwrap_or(usual.window),
        target: choice.target.unwrap_or(if fast { Target::Fast } else { Target::Slow }),
        tolerance: choice.tolerance.unwrap_or(usual.tolerance),
        forward: ForwardOptions {
            accuracy: choice.accuracy.unwrap_or(usual.forward.accuracy),
            sampling: choice.sampling.unwrap_or(usual.forward.sampling),
            ..usual.forward
        },
        ..usual
    };
    Ok(Plan { tasks, motors, bounds, options })
}

/// A task for each coordinate that no constraint determines.
fn free_tasks(loaded: &Loaded, [kp, kv]: [Option<f64>; 2]) -> Vec<Task> {
    let model = &loaded.subject.model;
    let mut system = System::new(model);
    system.update_constraints(0.0, &model.q0, &vec![0.0; model.nv()]);
    let mut coupling = Coupling::new(model.nc(), model.nv());
    coupling.update(&system.constraints);
    let free = loaded.subject.coordinates.iter().filter(|c| coupling.independent.contains(&c.speed));
    let task = |c: &Coordinate| {
        let usual = Task::of(&c.name);
        let kp = kp.unwrap_or(usual.kp);
        Task { kp, kv: kv.unwrap_or(2.0 * kp.sqrt()), ..usual }
    };
    free.map(task).collect()
}

/// Tracks the motion.
pub fn run(
    loaded: &Loaded,
    plan: &Plan,
    folder: Option<&Path>,
    stop: fn() -> bool,
    progress: &mut dyn FnMut(f64),
) -> Result<Analysis, MotionError> {
    let (Some(first), Some(last)) = (loaded.times.first(), loaded.times.last()) else {
        return Err(MotionError::input("range of time", "no row of the motion is in it; change --time"));
    };
    let mut go_on = |fraction: f64| {
        progress(fraction);
        !stop()
    };
    let range = [*first, *last];
    let given = (&plan.tasks[..], plan.bounds.clone());
    let tracked = track(&loaded.subject, &plan.motors, &loaded.history, given, range, &plan.options, &mut go_on)
        .map_err(|e| loaded.in_model(e))?;
    let tables = Tables::of(folder, &tables(loaded, plan, &tracked)?, stop)?;
    let mut outcome = outcome(loaded, "cmc");
    let times = tracked.samples.first().zip(tracked.samples.last());
    outcome.results.insert("time_range".into(), json!(times.map(|(a, b)| [a.t, b.t])));
    outcome.results.insert("instants".into(), json!(tracked.samples.len()));
    outcome.method.push(method(plan));
    judge_errors(&mut outcome, loaded, plan, &tracked);
    judge_reserves(&mut outcome, loaded, plan, &tracked);
    outcome.results.insert("range".into(), ranges(&tables));
    add_figures(&mut outcome, loaded, plan, &tables)?;
    let text = format!("{}\n{}", ranges_text(&tables), headline_text(&outcome));
    Ok(Analysis { outcome, tables, text })
}

fn method(plan: &Plan) -> String {
    let CmcOptions { window, target, settling, tolerance, forward } = &plan.options;
    format!(
        "Computed muscle control (Thelen and Anderson 2006): in windows of {window} s, after {settling} s in which the \
         muscles come to their states, the excitations of {} muscles and the controls of {} actuators give {} tracked \
         coordinates their desired accelerations ({} target) at least sum of squared relative forces; excitations to \
         {tolerance}, simulation with local errors of {}.",
        plan.motors.muscles.len(),
        plan.motors.actuators.len(),
        plan.tasks.len(),
        if *target == Target::Fast { "fast" } else { "slow" },
        forward.accuracy
    )
}

/// The tables of the results in the order of [`FILES`].
fn tables(loaded: &Loaded, plan: &Plan, tracked: &Tracked) -> Result<Vec<(String, Storage)>, MotionError> {
    let mut all = sample_tables(&loaded.subject, &plan.motors, &tracked.samples)?;
    let labels = plan.tasks.iter().map(|t| t.coordinate.clone()).collect();
    let errors = tracked.windows.iter().map(|w| (w.time, w.errors.iter().map(|e| e[0]).collect())).collect();
    all.push((FILES[5].into(), storage("PositionErrors", false, labels, errors)?));
    Ok(all)
}

/// The largest errors of the tracked coordinates.
fn judge_errors(outcome: &mut Outcome, loaded: &Loaded, plan: &Plan, tracked: &Tracked) {
    for (turns, unit, scale) in [(true, "deg", 180.0 / std::f64::consts::PI), (false, "cm", 100.0)] {
        let mut worst: Option<(&str, f64)> = None;
        for (k, task) in plan.tasks.iter().enumerate() {
            if loaded.subject.coordinate(&task.coordinate).is_none_or(|c| c.is_angle() != turns) {
                continue;
            }
            let largest = tracked.windows.iter().map(|w| w.errors[k][0].abs()).fold(0.0, f64::max) * scale;
            if worst.is_none_or(|(_, w)| largest > w) {
                worst = Some((&task.coordinate, largest));
            }
        }
        let Some((name, value)) = worst else { continue };
        let limit = Limit::at_most(ERROR[0], ERROR[1]).because(ERROR_SOURCE);
        let quantity = format!("largest tracking error (`{name}`)");
        let remedy = "raise the gains of the tasks, make the motion consistent with `wolff rra`, or add reserves";
        let verdict = outcome.judgement.judge(&quantity, unit, value, &limit, remedy);
        outcome.headline.push(Headline {
            quantity,
            value,
            unit: unit.into(),
            range: Some([0.0, ERROR[0]]),
            source: ERROR_SOURCE.into(),
            verdict,
        });
    }
}

/// Reserves on coordinates beside the moments of the muscles there, which are found from the power of the motors: the
/// peak of each reserve over the largest moment of all motors about its coordinate.
fn judge_reserves(outcome: &mut Outcome, loaded: &Loaded, plan: &Plan, tracked: &Tracked) {
    let small = SMALL_MOMENT * loaded.subject.mass();
    let peaks = peak_moments(loaded, plan, tracked);
    let roots = wolff_motion::reserves::residual_coordinates(&loaded.subject);
    let share = |(reserve, net): (f64, f64)| 100.0 * reserve / net.max(small);
    let reserves = peaks.iter().filter(|(c, _, _)| !roots.iter().any(|r| r.name == **c));
    let worst = reserves.max_by(|a, b| share((a.1, a.2)).total_cmp(&share((b.1, b.2))));
    let list: serde_json::Map<String, serde_json::Value> = peaks
        .iter()
        .map(|(c, reserve, net)| (c.clone(), json!({ "reserve_peak": reserve, "net_peak": net })))
        .collect();
    outcome.results.insert("coordinates".into(), json!(list));
    let Some((name, reserve, net)) = worst else { return };
    let limit = Limit::at_most(RESERVE[0], RESERVE[1]).because(RESERVE_SOURCE);
    let quantity = format!("largest reserve over net moment (`{name}`, {reserve:.1} N m)");
    let remedy = "check that muscles, model and loads fit the motion; weak or missing muscles need reserves";
    let value = share((*reserve, *net));
    let verdict = outcome.judgement.judge(&quantity, "%", value, &limit, remedy);
    outcome.headline.push(Headline {
        quantity: format!("reserve over net moment, {name}"),
        value,
        unit: "%".into(),
        range: Some([0.0, RESERVE[0]]),
        source: RESERVE_SOURCE.into(),
        verdict,
    });
}

/// Coordinates with an actuator and a muscle: peak of the actuator, and of the sum of all motors \[N m or N\].
fn peak_moments(loaded: &Loaded, plan: &Plan, tracked: &Tracked) -> Vec<(String, f64, f64)> {
    let model = &loaded.subject.model;
    let mut system = System::new(model);
    let (mut sum, mut gradient) = (vec![0.0; model.nv()], vec![0.0; model.nv()]);
    let (mut net, mut muscled) = (vec![0.0_f64; model.nv()], vec![false; model.nv()]);
    let nm = plan.motors.muscles.len();
    for sample in &tracked.samples {
        let (q, rest) = sample.y.split_at(model.nq());
        let v = &rest[..model.nv()];
        system.update_kinematics(q, v);
        let at = system.instant(sample.t, q, v, None);
        sum.fill(0.0);
        for (muscle, force) in plan.motors.muscles.iter().zip(&sample.forces) {
            muscle.path.length_gradient(&muscle.path.solve(&at, None), &at, &mut gradient);
            for (k, g) in gradient.iter().enumerate() {
                sum[k] -= g * force;
                muscled[k] |= g.abs() > 1e-3;
            }
        }
        for (actuator, force) in plan.motors.actuators.iter().zip(&sample.forces[nm..]) {
            actuator.unit_generalized(&at, &mut gradient);
            sum.iter_mut().zip(&gradient).for_each(|(s, g)| *s += g * force);
        }
        net.iter_mut().zip(&sum).for_each(|(n, s)| *n = n.max(s.abs()));
    }
    let of = |(k, spec): (usize, &wolff_motion::ActuatorSpec)| {
        let wolff_motion::ActuatorKind::Coordinate(name) = &spec.kind else { return None };
        let speed = loaded.subject.coordinate(name)?.speed;
        let peak = tracked.samples.iter().map(|s| s.forces[nm + k].abs()).fold(0.0, f64::max);
        muscled[speed].then(|| (name.clone(), peak, net[speed]))
    };
    loaded.subject.actuators.iter().enumerate().filter_map(of).collect()
}

fn add_figures(outcome: &mut Outcome, loaded: &Loaded, plan: &Plan, tables: &Tables) -> Result<(), MotionError> {
    let Some(table) = tables.drawn()? else { return Ok(()) };
    let times = tables.drawn_times();
    let names = &plan.motors.names[..plan.motors.muscles.len()];
    let takes = |label: &str| names.iter().any(|n| n == label);
    let titles = ["muscle_forces", "Largest muscle forces", "force [N]"];
    let mut panels: Vec<_> = figures::largest(&table, &takes, titles, 1.0).into_iter().collect();
    panels.extend(legs::ground_panel(loaded, &times));
    figures::add(outcome, loaded, &times, &panels)
}
