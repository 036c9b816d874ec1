//! `wolff mesh`: makes, shows, checks, repairs and converts meshes of tetrahedra and surfaces.

pub mod args;
mod generate;
mod solid;
mod surface;

use crate::answer;
use crate::failure::Failure;
use args::{Mesh, ReadArgs};
use serde_json::{Map, Value};
use std::path::Path;
use std::process::ExitCode;
use wolff_files::input::{self, Recorder};
use wolff_meshes::size::{self, Expected};
use wolff_report::json::Stopwatch;
use wolff_report::outcome::{Finding, Judgement, Outcome, RunKind, Status};
use wolff_spatial::Vec3;

/// Runs the command.
pub fn mesh(command: &Mesh) -> Result<ExitCode, Failure> {
    let (recorder, clock) = (Recorder::start(), Stopwatch::start());
    let content = match command {
        Mesh::Info(args) => surface_content(&args.file)?,
        Mesh::Check(args) => {
            args.repair.iter().try_for_each(|out| refuse_same(&args.file, out, args.read.file.force))?;
            surface_content(&args.file)?
        }
        Mesh::Convert(args) => {
            refuse_same(&args.input, &args.output, args.read.file.force)?;
            surface_content(&args.input)?
        }
        Mesh::Generate(_) => None,
    };
    let answer = match (command, content) {
        (Mesh::Generate(args), _) => generate::run(args)?,
        (Mesh::Info(args), None) => solid::info(args)?,
        (Mesh::Info(args), Some(bytes)) => surface::info(args, &bytes)?,
        (Mesh::Check(args), None) => solid::check(args)?,
        (Mesh::Check(args), Some(bytes)) => surface::check(args, &bytes)?,
        (Mesh::Convert(args), None) => solid::convert(args)?,
        (Mesh::Convert(args), Some(bytes)) => surface::convert(args, &bytes)?,
    };
    let mut outcome = answer.outcome;
    outcome.add_inputs(recorder.finish());
    if outcome.results.values().any(has_null) {
        outcome.status = Status::Failed;
    }
    let code = answer::show(&outcome, &clock.stop(0.0), None, wants_json(command), &answer.text)?;
    Ok(if answer.faulty { ExitCode::from(FAULTY) } else { code })
}

/// Refuses to replace the input by the output, unless the user insists.
fn refuse_same(input: &Path, output: &Path, force: bool) -> Result<(), Failure> {
    match (input.canonicalize(), output.canonicalize()) {
        (Ok(from), Ok(to)) if from == to && !force => Err(Failure::usage(
            format!("`{}` is the input, which would be replaced", output.display()),
            "choose another name, or use --force",
        )),
        _ => Ok(()),
    }
}

/// Exit code of `check` where faults remain.
const FAULTY: u8 = 2;

/// Help where a file cannot be read.
const READABLE: &str =
    "give the path of a mesh (.msh, .inp, .vtu, .vtk) or of a surface (.stl, .obj, .ply, .vtp, .vtk), also with .gz";

/// Whether the output is JSON.
pub fn wants_json(command: &Mesh) -> bool {
    match command {
        Mesh::Info(args) => args.read.json,
        Mesh::Check(args) => args.read.json,
        Mesh::Convert(args) => args.read.json,
        Mesh::Generate(args) => args.json,
    }
}

/// What a command has to say.
struct Answer {
    outcome: Outcome,
    text: String,
    /// Whether the mesh has faults for which `check` fails.
    faulty: bool,
}

impl Answer {
    fn new(judgement: Judgement, results: Value, text: String) -> Self {
        let results = match results {
            Value::Object(results) => results,
            _ => Map::new(),
        };
        let outcome =
            Outcome { kind: RunKind::Command, study: "mesh".into(), results, judgement, ..Outcome::default() };
        Self { outcome, text, faulty: false }
    }

    /// The answer of a check: faults that remain are a failure.
    fn faulty(mut self, faulty: bool) -> Self {
        self.faulty = faulty;
        if faulty {
            self.outcome.status = Status::Failed;
        }
        self
    }
}

/// The content of a file of a surface; `None` of other files.
fn surface_content(file: &Path) -> Result<Option<Vec<u8>>, Failure> {
    let unreadable = |cause| Failure::usage(format!("cannot read `{}`: {cause}", file.display()), READABLE);
    let bytes = input::read(file).map_err(unreadable)?;
    Ok(wolff_meshes::surface::is_surface(&file.to_string_lossy(), &bytes).then_some(bytes))
}

/// The findings on the size of a mesh, which is refused if it cannot be right.
fn judged_size<'a>(
    what: &str,
    points: impl IntoIterator<Item = &'a Vec3>,
    args: &ReadArgs,
    further: Vec<Finding>,
) -> Result<Judgement, Failure> {
    let mut judgement = Judgement::default();
    judgement.found(size::finding(what, size::longest_side(points), Expected::Any));
    judgement.found(further);
    answer::gate(&judgement, args.file.force)?;
    Ok(judgement)
}

/// A null stands for a number that is not finite.
fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(entries) => entries.values().any(has_null),
        _ => false,
    }
}

/// A length in words: in mm where the unit of the file is known, otherwise in its unit.
fn length(x: f64, args: &ReadArgs) -> String {
    use crate::output::size;
    match args.file.given_unit().is_some() {
        true => format!("{} mm", size(1e3 * x)),
        false => format!("{} (unit of the file)", size(x)),
    }
}

/// A volume in words.
fn volume(x: f64, args: &ReadArgs) -> String {
    use crate::output::size;
    match args.file.given_unit().is_some() {
        true => format!("{} mm³", size(1e9 * x)),
        false => format!("{} (unit of the file, cubed)", size(x)),
    }
}
