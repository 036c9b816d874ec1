//! `wolff modes`: vibration modes of a solid, its reduction to a flexible body, pictures and fields of the modes.

pub mod args;
mod check;
mod info;
mod raw;
mod report;
mod request;

use crate::answer;
use crate::failure::Failure;
use args::{Modes, OutputArgs};
use indicatif::ProgressBar;
use request::Request;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use wolff_bone::flexible::picture::{check_picture_folder, mode_titles, write_mode_pictures};
use wolff_bone::flexible::strain_field::{mode_fields, write_mode_fields};
use wolff_bone::flexible::{enabled, judge_resolution};
use wolff_fem::reduce::Reduced;
use wolff_fem::summary::{MeshSummary, summarise};
use wolff_files::atomic::{File, write_file};
use wolff_files::input::{self, Recorder};
use wolff_flexbody::{MeshReference, Surface};
use wolff_report::json::Stopwatch;
use wolff_report::outcome::{Finding, Judgement, Outcome, RunKind, Status};

/// Results.
struct Found {
    summary: MeshSummary,
    reduced: Reduced,
    /// Seconds by phase.
    seconds: Vec<(&'static str, f64)>,
}

/// Runs the command.
pub fn modes(args: &Modes) -> Result<ExitCode, Failure> {
    if Path::new(&args.mesh).extension().is_some_and(|e| e.eq_ignore_ascii_case("flexbody")) {
        return info::info(args);
    }
    if args.output.info {
        return Err(Failure::usage("--info applies to .flexbody files only", "use `wolff mesh info FILE` for a mesh"));
    }
    let (recorder, clock) = (Recorder::start(), Stopwatch::start());
    let request = request::request(args)?;
    if args.output.raw {
        return raw::raw(args, &request, (recorder, clock));
    }
    let out = args.output.out.clone().or_else(|| default_file(&request, args.output.json));
    check_targets(&args.output)?;
    let bar = spinner(args.output.json);
    let (mut found, judgement) = compute(&request, args.solid.file.force, &bar)?;
    switch_off(&mut found.reduced, &request.name, &args.reduction.disable)?;
    bar.set_message("writing");
    let started = Instant::now();
    let body = found.reduced.file(mesh_reference(&request)).to_bytes()?;
    let written = write_all(&args.output, out.as_deref(), &body, &request.name, &found)?;
    found.seconds.push(("writing", started.elapsed().as_secs_f64()));
    bar.finish_and_clear();
    let text = report::for_people(&request, &found, &written);
    let mut outcome = Outcome {
        kind: RunKind::Command,
        study: "modes".into(),
        results: report::for_machines(&request, &found, &written),
        judgement,
        ..Outcome::default()
    };
    outcome.add_inputs(recorder.finish());
    check::judge(&mut outcome.judgement, &request, &found);
    if !found.reduced.report.frequencies.iter().all(|hertz| hertz.is_finite()) {
        outcome.status = Status::Failed;
    }
    answer::show(&outcome, &clock.stop(0.0), None, args.output.json, &text)
}

/// Builds or reads the solid and reduces it. A mesh that cannot be right is refused, unless `force` is set.
fn compute(request: &Request, force: bool, bar: &ProgressBar) -> Result<(Found, Judgement), Failure> {
    bar.set_message("reading the mesh");
    let started = Instant::now();
    let (mesh, materials, quality) = request.recipe.examined()?;
    let mut judgement = Judgement::default();
    judgement.found(request.recipe.findings(&mesh, &materials));
    judgement.found(damping_finding(request.damping));
    answer::gate(&judgement, force)?;
    let summary = summarise(&mesh);
    if let Some(quality) = quality {
        match quality.require_sound() {
            Err(faults) if force => judgement
                .found([Finding::error(faults.to_string(), "repair it with `wolff mesh check FILE --repair OUT`")]),
            other => other?,
        }
        judge_resolution(&mut judgement, &summary, &quality);
    }
    let mut seconds = vec![("mesh", started.elapsed().as_secs_f64())];
    bar.set_message(format!("computing modes of {} degrees of freedom", summary.dof));
    let mut reduced = request.recipe.reduce_solid(&request.name, &mesh, &materials)?;
    let ratios = vec![request.damping; reduced.body.modes()];
    reduced.body = reduced.body.with_damping_ratios(&ratios)?;
    seconds.extend(reduced.report.seconds.iter().copied());
    Ok((Found { summary, reduced, seconds }, judgement))
}

/// Removes single modes, numbered from 1.
fn switch_off(reduced: &mut Reduced, name: &str, disabled: &[usize]) -> Result<(), Failure> {
    if disabled.is_empty() {
        return Ok(());
    }
    let disabled: Vec<usize> = disabled.iter().map(|mode| mode - 1).collect();
    let kept = enabled(name, &reduced.body, &disabled)?;
    reduced.body = reduced.body.select(&kept)?;
    reduced.surface = reduced.surface.as_ref().map(|surface| surface.select(&kept)).transpose()?;
    let frequencies = &mut reduced.report.frequencies;
    *frequencies = kept.iter().filter_map(|&mode| frequencies.get(mode).copied()).collect();
    // those of the body with all modes
    reduced.report.gauge_errors.clear();
    Ok(())
}

/// Damping above the critical one: a body that does not vibrate at all.
fn damping_finding(ratio: f64) -> Option<Finding> {
    (ratio > 1.0).then(|| {
        let message = format!("the damping ratio is {ratio}; above 1 nothing vibrates, and bone has 0.01 to 0.05");
        Finding::warning(message, "give a ratio, not a percentage: 0.05 for 5 %")
    })
}

/// Writes the body, the pictures and the fields; returns their names. A body in the folder of the pictures is written
/// together with them.
fn write_all(
    args: &OutputArgs,
    out: Option<&Path>,
    body: &[u8],
    name: &str,
    found: &Found,
) -> Result<Vec<String>, Failure> {
    let mut written = Vec::new();
    let mut beside = Vec::new();
    if let Some(out) = out {
        match name_within(args.picture.as_deref(), out) {
            Some(name) if found.reduced.surface.is_some() => beside.push(File { name, bytes: body.to_vec() }),
            _ => write_file(out, body)?,
        }
        written.push(out.display().to_string());
    }
    if let Some(surface) = &found.reduced.surface {
        written.extend(write_pictures(args, name, surface, &found.reduced.report.frequencies, beside)?);
    }
    Ok(written)
}

/// The name of a file directly in a folder.
fn name_within(folder: Option<&Path>, file: &Path) -> Option<String> {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let same = folder.is_some_and(|folder| folder == parent || same_place(folder, parent));
    same.then(|| file.file_name().map(|name| name.to_string_lossy().into_owned())).flatten()
}

fn same_place(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// `NAME.flexbody` for a body with interfaces; `None` with --json.
fn default_file(request: &Request, json: bool) -> Option<PathBuf> {
    let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let name: String = request.name.chars().map(safe).collect();
    (!json && !request.free()).then(|| PathBuf::from(format!("{name}.flexbody")))
}

/// Checks before the computation that the output files can be written.
fn check_targets(args: &OutputArgs) -> Result<(), Failure> {
    if let Some(folder) = &args.picture {
        let files = [&args.out, &args.vtu].into_iter().flatten();
        let beside: Vec<String> = files.filter_map(|file| name_within(Some(folder), file)).collect();
        check_picture_folder(folder, &beside)?;
    }
    let endings = [(&args.out, "--out", "flexbody"), (&args.vtu, "--vtu", "vtu")];
    for (path, option, ending) in endings {
        let Some(path) = path else { continue };
        if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending)) {
            let message = format!("{option} `{}` does not end in .{ending}", path.display());
            return Err(Failure::usage(message, &format!("write for example {option} shank.{ending}")));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() && args.picture.as_deref() != Some(folder) {
            let message = format!("{option}: there is no folder `{}`", folder.display());
            return Err(Failure::usage(message, "create it first, or choose another folder"));
        }
    }
    Ok(())
}

/// Writes the requested pictures and fields; returns their names.
fn write_pictures(
    args: &OutputArgs,
    name: &str,
    surface: &Surface,
    frequencies: &[f64],
    mut beside: Vec<File>,
) -> Result<Vec<String>, Failure> {
    let mut written = Vec::new();
    if let Some(file) = &args.vtu {
        match name_within(args.picture.as_deref(), file) {
            Some(name) => beside.push(File { name, bytes: mode_fields(surface)? }),
            None => write_mode_fields(file, surface)?,
        }
        written.push(file.display().to_string());
    }
    if let Some(folder) = &args.picture {
        write_mode_pictures(folder, surface, name, &mode_titles(name, frequencies), beside)?;
        written.push(folder.join("index.html").display().to_string());
    }
    Ok(written)
}

fn mesh_reference(request: &Request) -> Option<MeshReference> {
    let path = request.mesh_file()?;
    // if the mesh was removed after it was read, the body has no reference to it
    let content = input::read(path).ok()?;
    Some(MeshReference::new(&path.display().to_string(), &content))
}

/// Progress on standard error, drawn only on a terminal.
fn spinner(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(100));
    bar
}
