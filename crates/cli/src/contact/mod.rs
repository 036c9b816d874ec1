//! `wolff contact`: contact pressures for given poses.

pub mod args;
mod report;

use crate::failure::Failure;
use crate::{answer, output};
use args::Contact;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wolff_analyses::contact_poses::{
    self, Chosen, ContactPosesError, Difference, Evaluation, MeshFiles, PosedContact, PosedModel, articular_contacts,
    compare, evaluate_poses, pair_contacts,
};
use wolff_files::input::{self, Recorder};
use wolff_files::place::Claim;
use wolff_formats::osim;
use wolff_formats::sto::{self, Storage};
use wolff_report::folder::{Provenance, check_run_folder, write_run_folder};
use wolff_report::json::Stopwatch;
use wolff_study::document::read_pairs;

/// Results.
pub struct Found {
    contacts: Vec<PosedContact>,
    evaluation: Evaluation,
    differences: Vec<Difference>,
    /// Number of ligaments, and of those that may wrap over a surface.
    ligaments: usize,
    wrapping: Vec<String>,
}

/// Runs the command.
pub fn contact(args: &Contact) -> Result<ExitCode, Failure> {
    let (recorder, clock) = (Recorder::start(), Stopwatch::start());
    let out = args.out.clone().or_else(|| (!args.json).then(|| default_folder(&args.model)));
    let _claim = out.as_deref().map(claimed).transpose()?;
    let bar = output::spinner("evaluating contacts", args.json);
    let found = compute(args);
    bar.finish_and_clear();
    let found = found?;
    let mut outcome = contact_poses::outcome(&found.contacts, &found.evaluation, &title(&args.model))?;
    outcome.results.extend(report::for_machines(&found));
    outcome.series_format = args.series.into();
    outcome.add_inputs(recorder.finish());
    let timing = clock.stop(0.0);
    let provenance = Provenance::of_command("contact", &args.options());
    let written = out.map(|out| write_run_folder(&out, &outcome, &provenance, &timing).map(|()| out)).transpose();
    let (place, unsaved) = answer::saved(written.map_err(Failure::from), &mut outcome);
    let code = answer::show(&outcome, &timing, place.as_deref(), args.json, &report::for_people(&found))?;
    Ok(unsaved.unwrap_or(code))
}

/// Checks that results can be written to a folder, and keeps other processes from it.
fn claimed(folder: &Path) -> Result<Option<Claim>, Failure> {
    check_run_folder(folder)?;
    Ok(Claim::of(folder)?)
}

fn compute(args: &Contact) -> Result<Found, Failure> {
    let is_pair = args.model.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
    let recorded = args.compare.as_deref().map(read_storage).transpose()?;
    let mut found = match (is_pair, &args.states, &args.poses) {
        (false, Some(states), None) => of_model(args, states)?,
        (true, None, Some(poses)) => of_pairs(args, poses)?,
        (true, ..) => {
            return Err(Failure::usage(
                "a pair file requires --poses",
                "give a .sto with the columns tx ty tz rx ry rz",
            ));
        }
        (false, ..) => {
            return Err(Failure::usage("a model requires --states", "give a .sto with the coordinates of the model"));
        }
    };
    if let Some(recorded) = recorded {
        found.differences = compare(&found.evaluation.table, &recorded.table);
        if found.differences.is_empty() {
            let help = "it must have columns of the same names (see contact.sto) at the same times";
            return Err(Failure::usage("--compare: the file has no values for comparison", help));
        }
    }
    Ok(found)
}

fn of_model(args: &Contact, states: &Path) -> Result<Found, Failure> {
    let path = &args.model;
    let model = osim::read(&read(path)?).map_err(|cause| ContactPosesError::Format { path: path.clone(), cause })?;
    let meshes = &args.meshes;
    let files = MeshFiles::beside(path, &meshes.geometry, meshes.mesh.clone(), meshes.articular.clone());
    let contacts = articular_contacts(&model, &files, &args.method.method(), args.contact.as_deref())?;
    let posed = PosedModel::new(&model, contacts)?;
    let storage = read_storage(states)?;
    let evaluation = posed.evaluate(&storage, states, &chosen(args, &storage))?;
    Ok(Found {
        contacts: posed.contacts().to_vec(),
        evaluation,
        differences: Vec::new(),
        ligaments: posed.ligaments().len(),
        wrapping: posed.wrapping,
    })
}

fn of_pairs(args: &Contact, poses: &Path) -> Result<Found, Failure> {
    if args.method.is_given() || args.meshes.is_given() {
        let help = "write `distance`, `along`, `rule` and surfaces into the [[foundation]], and omit these options";
        return Err(Failure::usage("a pair file defines its own method and surfaces", help));
    }
    let text =
        input::read_to_string(&args.model).map_err(|cause| Failure::Unreadable { path: args.model.clone(), cause })?;
    let folder = args.model.parent().map(Path::to_path_buf).unwrap_or_default();
    let pairs = read_pairs(&args.model.display().to_string(), &text, &folder)?;
    let contacts = pair_contacts(pairs, args.contact.as_deref())?;
    let storage = read_storage(poses)?;
    let evaluation = evaluate_poses(&contacts, &storage, poses, &chosen(args, &storage))?;
    Ok(Found { contacts, evaluation, differences: Vec::new(), ligaments: 0, wrapping: Vec::new() })
}

/// The requested rows, and those with pressure maps.
fn chosen(args: &Contact, storage: &Storage) -> Chosen {
    let step = args.rows.every.unwrap_or(1) as usize;
    let rows: Vec<usize> = match &args.rows.rows {
        Some(list) => list.0.clone(),
        None => (0..storage.table.rows().len()).step_by(step).collect(),
    };
    let count = args.rows.maps.min(rows.len());
    // evenly spaced, counted back from the last
    let maps = (1..=count).map(|k| k * rows.len() / count - 1).collect();
    Chosen { rows, maps }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    input::read(path).map_err(|cause| Failure::Unreadable { path: path.into(), cause })
}

fn read_storage(path: &Path) -> Result<Storage, Failure> {
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("csv")) {
        let message = format!("`{}` is a .csv file; poses, states and records are .sto or .mot files", path.display());
        return Err(Failure::usage(message, "convert it with `wolff convert FILE OUT.sto`"));
    }
    let wrong = |cause| ContactPosesError::Format { path: path.into(), cause };
    Ok(sto::read(&read(path)?).map_err(wrong)?)
}

fn title(model: &Path) -> String {
    model.file_stem().map_or("contact".into(), |stem| stem.to_string_lossy().into_owned())
}

fn default_folder(model: &Path) -> PathBuf {
    let safe = |c: char| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    Path::new("runs").join(format!("contact-{}", title(model).chars().map(safe).collect::<String>()))
}
