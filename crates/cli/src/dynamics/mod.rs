//! `wolff id`, `wolff so`, `wolff reactions`, `wolff muscle`, `wolff rra`: moments, muscle forces, joint loads and muscles of a motion, and
//! motions whose forces balance.

pub mod args;
mod folder;
mod inputs;
mod reactions;
mod rra;

use crate::failure::Failure;
use crate::output::{self, Align, number, table};
use args::{Id, Inputs, Muscle, MuscleForce, So};
use folder::Picture;
use inputs::{Loaded, load, read_storage};
pub use reactions::reactions;
pub use rra::rra;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use wolff_formats::setup::AnalysisKind;
use wolff_formats::sto::Storage;
use wolff_motion::{
    Accelerations, Motors, MuscleForces, Physiology, SharingOptions, inverse_dynamics, muscle_analysis,
    static_optimization,
};
use wolff_numerics::TimeFunction;
use wolff_numerics::function::PiecewiseLinear;

/// Names of a result: command, what its columns are, and the first picture.
struct Outcome<'a> {
    command: &'a str,
    tables: Vec<(String, Storage)>,
    picture: Picture<'a>,
    summary: Map<String, Value>,
}

/// Runs `wolff id`.
pub fn id(args: &Id) -> Result<ExitCode, Failure> {
    let loaded = load(&args.inputs, &[], Accelerations::SecondDerivative)?;
    check_folder(&args.inputs, &loaded, "id")?;
    let (found, seconds) = timed("inverse dynamics", &args.inputs, loaded.times.len(), |progress| {
        inverse_dynamics(&loaded.model, &loaded.history, &loaded.times, progress)
    })?;
    let storage = found.to_storage(&loaded.opensim.coordinates)?;
    let result = Outcome {
        command: "id",
        summary: summary(&loaded, seconds),
        tables: vec![("inverse_dynamics.sto".into(), storage)],
        picture: Picture {
            file: "moments.svg",
            title: "Inverse dynamics: largest moments",
            y_label: "moment [N m]",
            takes: &|label| label.ends_with("_moment"),
        },
    };
    finish(&args.inputs, &loaded, result)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `wolff so`.
pub fn so(args: &So) -> Result<ExitCode, Failure> {
    let loaded = load(&args.inputs, &args.actuators, Accelerations::OfSpeeds)?;
    check_folder(&args.inputs, &loaded, "so")?;
    let motors = Motors::new(&loaded.opensim, &loaded.model)?;
    let options = sharing_options(args, &loaded);
    let (found, seconds) = timed("static optimisation", &args.inputs, loaded.times.len(), |progress| {
        static_optimization(&loaded.model, &motors, &loaded.history, &loaded.times, options, progress)
    })?;
    let mut summary = summary(&loaded, seconds);
    sharing_summary(&found, &options, &mut summary);
    let names = motors.names[..motors.muscles.len()].to_vec();
    let result = Outcome {
        command: "so",
        summary,
        tables: vec![
            ("static_optimization_force.sto".into(), found.force_storage()?),
            ("static_optimization_activation.sto".into(), found.control_storage()?),
        ],
        picture: Picture {
            file: "muscle_forces.svg",
            title: "Static optimisation: largest muscle forces",
            y_label: "force [N]",
            takes: &|label| names.iter().any(|n| n == label),
        },
    };
    finish(&args.inputs, &loaded, result)?;
    let failures: Vec<_> = found.failures().collect();
    for report in failures.iter().take(5) {
        if let Some((name, lack)) = &report.lacking {
            output::warn(&format!(
                "at {} s the moments cannot be made: `{name}` lacks {} N m",
                report.time,
                number(*lack)
            ));
        }
    }
    Ok(if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Runs `wolff muscle`.
pub fn muscle(args: &Muscle) -> Result<ExitCode, Failure> {
    let loaded = load(&args.inputs, &[], Accelerations::OfSpeeds)?;
    check_folder(&args.inputs, &loaded, "muscle")?;
    let motors = Motors::new(&loaded.opensim, &loaded.model)?;
    let coordinates = moment_arm_coordinates(args, &loaded);
    let activations = activations(args, &motors)?;
    let (found, seconds) = timed("muscle analysis", &args.inputs, loaded.times.len(), |progress| {
        let muscles = &motors.muscles;
        muscle_analysis(&loaded.model, muscles, &activations, &loaded.history, &loaded.times, &coordinates, progress)
    })?;
    let named = |s: Storage| (format!("muscle_{}.sto", s.name), s);
    let result = Outcome {
        command: "muscle",
        summary: summary(&loaded, seconds),
        tables: found.to_storages()?.into_iter().map(named).collect(),
        picture: Picture {
            file: "lengths.svg",
            title: "Lengths of the longest muscles",
            y_label: "length [m]",
            takes: &|_| true,
        },
    };
    finish(&args.inputs, &loaded, result)?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses a folder that holds something else before the work is done.
fn check_folder(inputs: &Inputs, loaded: &Loaded, command: &str) -> Result<(), Failure> {
    match folder::chosen(inputs.out.as_ref(), inputs.json, command, &loaded.title) {
        Some(folder) => folder::check(&folder),
        None => Ok(()),
    }
}

/// Runs work with a bar; its result and the seconds it took.
fn timed<T, E: Into<Failure>>(
    what: &str,
    inputs: &Inputs,
    count: usize,
    work: impl FnOnce(&mut dyn FnMut(usize)) -> Result<T, E>,
) -> Result<(T, f64), Failure> {
    let bar = output::progress_bar(what, inputs.json);
    let start = Instant::now();
    let found = work(&mut |done| output::advance(&bar, done as f64 / count.max(1) as f64));
    bar.finish_and_clear();
    Ok((found.map_err(Into::into)?, start.elapsed().as_secs_f64()))
}

/// What every summary has.
fn summary(loaded: &Loaded, seconds: f64) -> Map<String, Value> {
    let instants = loaded.times.len();
    let mut map = Map::new();
    map.insert("status".into(), json!("ok"));
    map.insert("model".into(), json!(loaded.title));
    map.insert("instants".into(), json!(instants));
    map.insert("time_range".into(), json!([loaded.times.first(), loaded.times.last()]));
    map.insert("microseconds_per_instant".into(), json!(1e6 * seconds / instants.max(1) as f64));
    map.insert("remarks".into(), json!(loaded.remarks));
    map
}

fn sharing_summary(found: &MuscleForces, options: &SharingOptions, summary: &mut Map<String, Value>) {
    let worst = found.reports.iter().fold(0.0_f64, |m, r| m.max(r.sharing.residual));
    let lacking = found.failures().map(|r| json!({ "time": r.time, "lacking": r.lacking }));
    let mut saturated: Vec<&String> =
        found.reports.iter().flat_map(|r| &r.saturated).map(|k| &found.names[*k]).collect();
    saturated.sort();
    saturated.dedup();
    summary.insert("power".into(), json!(options.power));
    summary.insert("largest_residual".into(), json!(worst));
    summary.insert("instants_without_solution".into(), lacking.collect());
    summary.insert("at_greatest_control".into(), json!(saturated));
    if found.failures().next().is_some() {
        summary.insert("status".into(), json!("failed"));
    }
}

/// Writes the folder and tells what came out: peaks of the first table.
fn finish(inputs: &Inputs, loaded: &Loaded, result: Outcome<'_>) -> Result<(), Failure> {
    let Outcome { command, tables, picture, mut summary } = result;
    let mut rows = Vec::new();
    let mut peaks = Map::new();
    if let Some((_, storage)) = tables.first() {
        for label in storage.table.labels().iter().skip(1) {
            let column = storage.table.column(label).unwrap_or_default();
            let low = column.iter().copied().fold(f64::INFINITY, f64::min);
            let high = column.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            peaks.insert(label.clone(), json!([low, high]));
            rows.push(vec![label.clone(), number(low), number(high)]);
        }
    }
    summary.insert("range".into(), Value::Object(peaks));
    let folder: Option<PathBuf> = folder::chosen(inputs.out.as_ref(), inputs.json, command, &loaded.title);
    let summary = Value::Object(summary);
    if let Some(folder) = &folder {
        folder::write(folder, &tables, &picture, &loaded.feet(), &summary)?;
    }
    if inputs.json {
        return output::print_json(&summary);
    }
    for remark in &loaded.remarks {
        output::warn(remark);
    }
    let header = [("column (SI)", Align::Left), ("least", Align::Right), ("largest", Align::Right)];
    let speed = summary["microseconds_per_instant"].as_f64().map_or_else(String::new, number);
    let mut text = format!("{}\n{} instants, {speed} µs each\n", table(&header, &rows), loaded.times.len());
    if let Some(folder) = folder {
        text.push_str(&format!("files in {}\n", folder.display()));
    }
    output::print(&text)
}

/// The set-up file's analysis of a kind.
fn told_analysis<T>(loaded: &Loaded, take: impl Fn(&AnalysisKind) -> Option<T>) -> Option<T> {
    loaded.told.analyze.as_ref()?.analyses.iter().find_map(|a| take(&a.kind))
}

fn sharing_options(args: &So, loaded: &Loaded) -> SharingOptions {
    let told = told_analysis(loaded, |kind| match kind {
        AnalysisKind::StaticOptimization { activation_exponent, use_muscle_physiology, .. } => {
            Some((*activation_exponent, *use_muscle_physiology))
        }
        _ => None,
    });
    let (power, physiology) = told.unwrap_or((2.0, true));
    let physiology = match args.muscle {
        Some(MuscleForce::Isometric) => Physiology::Ignored,
        Some(MuscleForce::Active) => Physiology::Active,
        Some(MuscleForce::Passive) => Physiology::ActiveAndPassive,
        None if physiology => Physiology::Active,
        None => Physiology::Ignored,
    };
    SharingOptions { power: args.power.unwrap_or(power), physiology }
}

fn moment_arm_coordinates(args: &Muscle, loaded: &Loaded) -> Vec<String> {
    if !args.coordinate.is_empty() {
        return args.coordinate.clone();
    }
    let told = told_analysis(loaded, |kind| match kind {
        AnalysisKind::MuscleAnalysis { coordinates, .. } => Some(coordinates.clone()),
        _ => None,
    });
    match told {
        Some(list) if list.iter().any(|c| c.eq_ignore_ascii_case("all")) => {
            loaded.opensim.coordinates.iter().map(|c| c.name.clone()).collect()
        }
        Some(list) => list,
        None => Vec::new(),
    }
}

fn activations(args: &Muscle, motors: &Motors) -> Result<Vec<TimeFunction>, Failure> {
    let Some(path) = &args.activations else {
        let constant = args.activation.unwrap_or(0.05);
        if !(0.0..=1.0).contains(&constant) {
            let message = format!("--activation is {constant}, must be between 0 and 1");
            return Err(Failure::usage(message, "0.05 is a muscle at rest"));
        }
        return Ok(vec![TimeFunction::Constant(constant); motors.muscles.len()]);
    };
    let data = read_storage(path)?.table;
    let times = data.column("time").unwrap_or_default();
    let function = |muscle: &wolff_opensim::Muscle| {
        let name = muscle.hill.name();
        let missing =
            || Failure::usage(format!("no activation of muscle `{name}`"), "give a file with a column for each muscle");
        let column = data.column(name).ok_or_else(missing)?;
        let lines = PiecewiseLinear::new(&times, &column);
        lines.map(Into::into).map_err(|e| Failure::usage(format!("activation of `{name}`: {e}"), "correct the file"))
    };
    motors.muscles.iter().map(function).collect()
}
