//! `wolff modes --raw`: fixed-interface and constraint modes, before they are made orthonormal.

use super::args::Modes;
use super::request::Request;
use crate::answer;
use crate::failure::Failure;
use crate::output::{Align, table};
use serde_json::{Map, Value, json};
use std::process::ExitCode;
use wolff_bone::flexible::picture::{check_picture_folder, write_mode_pictures};
use wolff_bone::flexible::raw::{RawMode, RawModes};
use wolff_files::input::Recorder;
use wolff_report::json::Stopwatch;
use wolff_report::outcome::{Judgement, Outcome, RunKind};

/// Computes, shows and draws them.
pub fn raw(args: &Modes, request: &Request, (recorder, clock): (Recorder, Stopwatch)) -> Result<ExitCode, Failure> {
    if request.free() {
        return Err(Failure::usage("--raw requires interfaces", "add --interface NAME=SELECTOR, and omit --free"));
    }
    if let Some(folder) = &args.output.picture {
        check_picture_folder(folder, &[])?;
    }
    let (mesh, materials, quality) = request.recipe.examined()?;
    let mut judgement = Judgement::default();
    judgement.found(request.recipe.findings(&mesh, &materials));
    answer::gate(&judgement, args.solid.file.force)?;
    quality.map_or(Ok(()), |quality| quality.require_sound())?;
    let found = request.recipe.raw_modes(&mesh, &materials)?;
    let mut written = Vec::new();
    if let Some(folder) = &args.output.picture {
        let titles: Vec<String> = found.modes.iter().map(|mode| title(&request.name, mode)).collect();
        write_mode_pictures(folder, &found.surface, &request.name, &titles, Vec::new())?;
        written.push(folder.join("index.html").display().to_string());
    }
    let mut outcome = Outcome {
        kind: RunKind::Command,
        study: "modes".into(),
        results: for_machines(&request.name, &found, &written),
        judgement,
        ..Outcome::default()
    };
    outcome.add_inputs(recorder.finish());
    let text = for_people(&request.name, &found, &written);
    answer::show(&outcome, &clock.stop(0.0), None, args.output.json, &text)
}

fn title(name: &str, mode: &RawMode) -> String {
    match mode.frequency {
        Some(hertz) => format!("{name}, {}: {hertz:.2} Hz", mode.name),
        None => format!("{name}, {}", mode.name),
    }
}

fn for_people(name: &str, found: &RawModes, written: &[String]) -> String {
    let row = |(i, mode): (usize, &RawMode)| {
        let frequency = mode.frequency.map_or_else(|| "static".into(), |hertz| format!("{hertz:.3}"));
        vec![(i + 1).to_string(), mode.name.clone(), frequency]
    };
    let header = [("mode", Align::Right), ("kind", Align::Left), ("frequency [Hz]", Align::Right)];
    let rows: Vec<Vec<String>> = found.modes.iter().enumerate().map(row).collect();
    let files: String = written.iter().map(|file| format!("Wrote {file}.\n")).collect();
    format!("{name}: {} modes before they are made orthonormal\n\n{}{files}", found.modes.len(), table(&header, &rows))
}

fn for_machines(name: &str, found: &RawModes, written: &[String]) -> Map<String, Value> {
    // constraint modes are static and have no frequency
    let mode = |mode: &RawMode| match mode.frequency {
        Some(hertz) => json!({ "name": mode.name, "frequency_hz": hertz }),
        None => json!({ "name": mode.name }),
    };
    let modes: Vec<Value> = found.modes.iter().map(mode).collect();
    [("name", json!(name)), ("raw_modes", json!(modes)), ("written", json!(written))]
        .map(|(key, value)| (key.to_string(), value))
        .into_iter()
        .collect()
}
