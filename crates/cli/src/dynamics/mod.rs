//! `wolff id`, `wolff so`, `wolff reactions`, `wolff muscle`, `wolff rra`: moments, muscle forces, joint loads and
//! muscles of a motion, and motions whose forces balance.

pub mod args;
mod folder;
mod inputs;
mod reactions;
mod rra;
mod stream;

use crate::failure::Failure;
use crate::output::{self, Align, number, table};
use args::{Id, Inputs, Muscle, MuscleForce, So};
use folder::Picture;
use inputs::{Loaded, load, read_storage};
pub use reactions::reactions;
pub use rra::rra;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use stream::{Head, Tables};
use wolff_formats::sto::Storage;
use wolff_motion::inverse_dynamics::{FORCES_TITLE, force_columns};
use wolff_motion::static_optimization::{CONTROLS_TITLE, InstantReport, SHARED_FORCES_TITLE};
use wolff_motion::{Accelerations, InverseFrame, Motors, Physiology, SharingFrame, SharingOptions, muscle_analysis};
use wolff_numerics::TimeFunction;
use wolff_numerics::function::PiecewiseLinear;
use wolff_opensim::setup::AnalysisKind;

/// A result: tables, the picture of the first table, and the summary.
struct Outcome<'a> {
    tables: Tables,
    picture: Picture<'a>,
    summary: Map<String, Value>,
}

/// Runs `wolff id`.
pub fn id(args: &Id) -> Result<ExitCode, Failure> {
    let loaded = load(&args.inputs, &[], Accelerations::SecondDerivative)?;
    let folder = check_folder(&args.inputs, &loaded, "id")?;
    let (labels, order) = force_columns(&loaded.subject.coordinates, loaded.subject.model.coordinate_names());
    let head = Head { file: "inverse_dynamics.sto".into(), name: FORCES_TITLE.into(), in_degrees: false, labels };
    let mut tables = Tables::begin(folder.as_deref(), &[head])?;
    let ((), seconds) = timed("inverse dynamics", &args.inputs, loaded.times.len(), |progress| {
        let mut frame = InverseFrame::new(&loaded.subject.model);
        for (k, t) in loaded.times.iter().enumerate() {
            let forces = frame.solve(&loaded.history, *t)?;
            let row: Vec<f64> = std::iter::once(*t).chain(order.iter().map(|i| forces[*i])).collect();
            tables.push(&[&row])?;
            progress(k + 1);
        }
        Ok::<(), Failure>(())
    })?;
    let result = Outcome {
        summary: summary(&loaded, seconds),
        tables,
        picture: Picture {
            file: "moments.svg",
            title: "Inverse dynamics: largest moments",
            y_label: "moment [N m]",
            takes: &|label| label.ends_with("_moment"),
        },
    };
    finish(&args.inputs, &loaded, folder, result)?;
    Ok(ExitCode::SUCCESS)
}

/// Runs `wolff so`.
pub fn so(args: &So) -> Result<ExitCode, Failure> {
    let loaded = load(&args.inputs, &args.actuators, Accelerations::OfSpeeds)?;
    let folder = check_folder(&args.inputs, &loaded, "so")?;
    let motors = loaded.subject.motors()?;
    let options = sharing_options(args, &loaded);
    let mut tables = Tables::begin(folder.as_deref(), &sharing_heads(&motors))?;
    let mut tally = SharingTally::default();
    let ((), seconds) = timed("static optimisation", &args.inputs, loaded.times.len(), |progress| {
        let mut frame = SharingFrame::new(&loaded.subject.model, &motors, options)?;
        for (k, t) in loaded.times.iter().enumerate() {
            tally.count(frame.solve(&loaded.history, *t)?);
            let row = |values: &[f64]| std::iter::once(*t).chain(values.iter().copied()).collect::<Vec<f64>>();
            tables.push(&[&row(&frame.forces), &row(frame.controls())])?;
            progress(k + 1);
        }
        Ok::<(), Failure>(())
    })?;
    let mut summary = summary(&loaded, seconds);
    tally.summarise(&motors, &options, &mut summary);
    let names = motors.names[..motors.muscles.len()].to_vec();
    let result = Outcome {
        summary,
        tables,
        picture: Picture {
            file: "muscle_forces.svg",
            title: "Static optimisation: largest muscle forces",
            y_label: "force [N]",
            takes: &|label| names.iter().any(|n| n == label),
        },
    };
    finish(&args.inputs, &loaded, folder, result)?;
    for report in tally.failures.iter().take(5) {
        if let Some((name, lack)) = &report.lacking {
            output::warn(&format!(
                "at {} s the muscles cannot produce the moments: `{name}` lacks {} N m",
                report.time,
                number(*lack)
            ));
        }
    }
    Ok(if tally.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Tables of shared forces and of controls.
fn sharing_heads(motors: &Motors) -> [Head; 2] {
    let labels: Vec<String> = std::iter::once("time".to_string()).chain(motors.names.iter().cloned()).collect();
    let titles = [
        ("static_optimization_force.sto", SHARED_FORCES_TITLE),
        ("static_optimization_activation.sto", CONTROLS_TITLE),
    ];
    titles.map(|(file, name)| Head { file: file.into(), name: name.into(), in_degrees: false, labels: labels.clone() })
}

/// Runs `wolff muscle`.
pub fn muscle(args: &Muscle) -> Result<ExitCode, Failure> {
    let loaded = load(&args.inputs, &[], Accelerations::OfSpeeds)?;
    let folder = check_folder(&args.inputs, &loaded, "muscle")?;
    let motors = loaded.subject.motors()?;
    let coordinates = moment_arm_coordinates(args, &loaded);
    let activations = activations(args, &motors)?;
    let (found, seconds) = timed("muscle analysis", &args.inputs, loaded.times.len(), |progress| {
        let muscles = &motors.muscles;
        muscle_analysis(
            &loaded.subject.model,
            muscles,
            &activations,
            &loaded.history,
            &loaded.times,
            &coordinates,
            progress,
        )
    })?;
    let named = |s: Storage| (format!("muscle_{}.sto", s.name), s);
    let result = Outcome {
        summary: summary(&loaded, seconds),
        tables: Tables::of(folder.as_deref(), &found.to_storages()?.into_iter().map(named).collect::<Vec<_>>())?,
        picture: Picture {
            file: "lengths.svg",
            title: "Lengths of the longest muscles",
            y_label: "length [m]",
            takes: &|_| true,
        },
    };
    finish(&args.inputs, &loaded, folder, result)?;
    Ok(ExitCode::SUCCESS)
}

/// Folder for the results; refuses, before the computation, a folder with other content.
fn check_folder(inputs: &Inputs, loaded: &Loaded, command: &str) -> Result<Option<PathBuf>, Failure> {
    let folder = folder::chosen(inputs.out.as_ref(), inputs.json, command, &loaded.title);
    folder.as_deref().map(folder::check).transpose()?;
    Ok(folder)
}

/// Runs a computation with a progress bar; returns its result and its duration [s].
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

/// The common content of all summaries.
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

/// Summary of all instants of static optimisation.
#[derive(Default)]
struct SharingTally {
    largest_residual: f64,
    saturated: BTreeSet<usize>,
    /// Instants without a solution.
    failures: Vec<InstantReport>,
}

impl SharingTally {
    fn count(&mut self, report: InstantReport) {
        self.largest_residual = self.largest_residual.max(report.sharing.residual);
        self.saturated.extend(&report.saturated);
        if report.lacking.is_some() {
            self.failures.push(report);
        }
    }

    fn summarise(&self, motors: &Motors, options: &SharingOptions, summary: &mut Map<String, Value>) {
        let lacking = self.failures.iter().map(|r| json!({ "time": r.time, "lacking": r.lacking }));
        let mut saturated: Vec<&String> = self.saturated.iter().map(|k| &motors.names[*k]).collect();
        saturated.sort();
        summary.insert("power".into(), json!(options.power));
        summary.insert("largest_residual".into(), json!(self.largest_residual));
        summary.insert("instants_without_solution".into(), lacking.collect());
        summary.insert("at_greatest_control".into(), json!(saturated));
        if !self.failures.is_empty() {
            summary.insert("status".into(), json!("failed"));
        }
    }
}

/// Writes the folder and prints the range of each column of the first table.
fn finish(inputs: &Inputs, loaded: &Loaded, folder: Option<PathBuf>, result: Outcome<'_>) -> Result<(), Failure> {
    let Outcome { tables, picture, mut summary } = result;
    let mut rows = Vec::new();
    let mut peaks = Map::new();
    for (label, [low, high]) in tables.ranges() {
        peaks.insert(label.clone(), json!([low, high]));
        rows.push(vec![label.clone(), number(low), number(high)]);
    }
    let remarks: Vec<String> = loaded.remarks.iter().cloned().chain(tables.remark()).collect();
    summary.insert("remarks".into(), json!(remarks));
    summary.insert("range".into(), Value::Object(peaks));
    let summary = Value::Object(summary);
    if let Some(folder) = &folder {
        folder::write(folder, tables, &[], &picture, loaded, &summary)?;
    }
    if inputs.json {
        return output::print_json(&summary);
    }
    for remark in &remarks {
        output::warn(remark);
    }
    let header = [("column (SI)", Align::Left), ("minimum", Align::Right), ("maximum", Align::Right)];
    let speed = summary["microseconds_per_instant"].as_f64().map_or_else(String::new, number);
    let mut text = format!("{}\n{} instants, {speed} µs each\n", table(&header, &rows), loaded.times.len());
    if let Some(folder) = folder {
        text.push_str(&format!("files are in {}\n", folder.display()));
    }
    output::print(&text)
}

/// An analysis of the set-up file.
fn analysis_from_setup<T>(loaded: &Loaded, take: impl Fn(&AnalysisKind) -> Option<T>) -> Option<T> {
    loaded.from_setup.analyze.as_ref()?.analyses.iter().find_map(|a| take(&a.kind))
}

fn sharing_options(args: &So, loaded: &Loaded) -> SharingOptions {
    let from_setup = analysis_from_setup(loaded, |kind| match kind {
        AnalysisKind::StaticOptimization { activation_exponent, use_muscle_physiology, .. } => {
            Some((*activation_exponent, *use_muscle_physiology))
        }
        _ => None,
    });
    let (power, physiology) = from_setup.unwrap_or((2.0, true));
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
    let from_setup = analysis_from_setup(loaded, |kind| match kind {
        AnalysisKind::MuscleAnalysis { coordinates, .. } => Some(coordinates.clone()),
        _ => None,
    });
    match from_setup {
        Some(list) if list.iter().any(|c| c.eq_ignore_ascii_case("all")) => {
            loaded.subject.coordinates.iter().map(|c| c.name.clone()).collect()
        }
        Some(list) => list,
        None => Vec::new(),
    }
}

fn activations(args: &Muscle, motors: &Motors) -> Result<Vec<TimeFunction>, Failure> {
    let Some(path) = &args.activations else {
        let constant = args.activation.unwrap_or(0.05);
        if !(0.0..=1.0).contains(&constant) {
            let message = format!("--activation is {constant}, it must be between 0 and 1");
            return Err(Failure::usage(message, "give for example 0.05 for a muscle at rest"));
        }
        return Ok(vec![TimeFunction::Constant(constant); motors.muscles.len()]);
    };
    let data = read_storage(path)?.table;
    let times = data.column("time").unwrap_or_default();
    let function = |muscle: &wolff_motion::Muscle| {
        let name = muscle.hill.name();
        let missing =
            || Failure::usage(format!("no activation of muscle `{name}`"), "give a file with a column for each muscle");
        let column = data.column(name).ok_or_else(missing)?;
        let lines = PiecewiseLinear::new(&times, &column);
        lines.map(Into::into).map_err(|e| Failure::usage(format!("activation of `{name}`: {e}"), "correct the file"))
    };
    motors.muscles.iter().map(function).collect()
}
