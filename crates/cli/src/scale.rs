//! `wolff scale`: scales a generic model to a subject.

use crate::failure::Failure;
use crate::output::{self, Align, number, table};
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use wolff_app::person_scaling::{Person, Sex, scale_to_person};
use wolff_files::atomic;
use wolff_formats::sto;
use wolff_motion::MotionError;
use wolff_opensim::scale::{ScaledSubject, factors_file, scale_subject};
use wolff_opensim::setup::{self, ScaleTool, Setup};

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff scale setup_scale.xml                  an OpenSim ScaleTool set-up; paths as given in it
  wolff scale setup_scale.xml --model scaled.osim --json
  wolff scale gait2392.osim --mass 70 --stature 1.75 --sex female --model scaled.osim    by tables of segments

The output is the file of the model, in which only scaled values are changed. Scale factors are determined from
distances of markers, from the list in the set-up, or both; then markers are moved to their positions in the static
trial. With --mass, --stature and --sex, lengths and masses of segments are those of de Leva (1996) for such a person,
and the sum of the masses is equal to --mass.";

/// `wolff scale`.
#[derive(Debug, Args)]
pub struct Scale {
    /// An OpenSim ScaleTool set-up (.xml); with --mass, --stature and --sex a model (.osim).
    pub setup: PathBuf,
    /// Mass of the person [kg].
    #[arg(long, value_name = "KG", requires_all = ["stature", "sex"])]
    pub mass: Option<f64>,
    /// Height of the person [m].
    #[arg(long, value_name = "M", requires_all = ["mass", "sex"])]
    pub stature: Option<f64>,
    /// Sex of the person.
    #[arg(long, value_enum, requires_all = ["mass", "stature"])]
    pub sex: Option<SexName>,
    /// File for the scaled model [default: path in the set-up; with --mass, MODEL_scaled.osim].
    #[arg(long, value_name = "OUT.osim")]
    pub model: Option<PathBuf>,
    /// Print one JSON object; nothing is written unless --model is given.
    #[arg(long)]
    pub json: bool,
}

/// Sex, as in the tables of segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SexName {
    /// A woman.
    Female,
    /// A man.
    Male,
}

/// Runs the command.
pub fn scale(args: &Scale) -> Result<ExitCode, Failure> {
    if let (Some(mass), Some(stature), Some(sex)) = (args.mass, args.stature, args.sex) {
        let sex = if sex == SexName::Female { Sex::Female } else { Sex::Male };
        return to_person(args, Person { mass, stature, sex });
    }
    let wrong = |cause| MotionError::File { path: args.setup.clone(), cause };
    let Setup::Scale(tool) = setup::read_file(&args.setup).map_err(wrong)?.setup else {
        let message = format!("`{}` is not a ScaleTool set-up file", args.setup.display());
        return Err(Failure::usage(message, "give a ScaleTool set-up file (.xml) of OpenSim"));
    };
    let bar = output::spinner("scaling", args.json);
    let scaled = scale_subject(&tool);
    bar.finish_and_clear();
    let scaled = scaled?;
    let written = write(args, &tool, &scaled)?;
    print_result(args, &scaled, &written)
}

/// Scales a model by tables of segments.
fn to_person(args: &Scale, person: Person) -> Result<ExitCode, Failure> {
    let scaled = scale_to_person(&args.setup, person)?;
    let stem = args.setup.file_stem().map_or("model".into(), |s| s.to_string_lossy().into_owned());
    let usual = || Some(PathBuf::from(format!("{stem}_scaled.osim"))).filter(|_| !args.json);
    let mut written = Vec::new();
    if let Some(path) = args.model.clone().or_else(usual) {
        atomic::write_file(&path, scaled.text.as_bytes())?;
        written.push(path);
    }
    print_result(args, &scaled, &written)
}

/// Prints the result.
fn print_result(args: &Scale, scaled: &ScaledSubject, written: &[PathBuf]) -> Result<ExitCode, Failure> {
    if args.json {
        output::print_json(&for_machines(scaled, written))?;
    } else {
        for remark in &scaled.remarks {
            output::warn(remark);
        }
        output::print(&for_people(scaled, written))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the model, the factors and the static pose; returns their paths.
fn write(args: &Scale, tool: &ScaleTool, scaled: &ScaledSubject) -> Result<Vec<PathBuf>, Failure> {
    let scaler = tool.scaler.as_ref();
    let placer = tool.placer.as_ref();
    let models = [placer.and_then(|p| p.output_model_file.clone()), scaler.and_then(|s| s.output_model_file.clone())];
    let model = args.model.clone().or_else(|| models.into_iter().flatten().next().filter(|_| !args.json));
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    files.extend(model.map(|path| (path, scaled.text.clone().into_bytes())));
    if !args.json {
        if let Some(path) = scaler.filter(|s| s.apply).and_then(|s| s.output_scale_file.clone()) {
            files.push((path, factors_file(&scaled.factors).into_bytes()));
        }
        if let (Some(path), Some(placed)) = (placer.and_then(|p| p.output_motion_file.clone()), &scaled.placed) {
            let motion = scaled.subject.subject.motion_file("static pose", std::slice::from_ref(&placed.pose))?;
            files.push((path, sto::write(&motion)?.into_bytes()));
        }
    }
    for (path, bytes) in &files {
        atomic::write_file(path, bytes)?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

fn for_people(scaled: &ScaledSubject, written: &[PathBuf]) -> String {
    let mut text = format!("mass: {} kg, before: {} kg\n", number(scaled.mass[1]), number(scaled.mass[0]));
    let row = |(body, f): (&String, &[f64; 3])| vec![body.clone(), number(f[0]), number(f[1]), number(f[2])];
    let header = [("factors of", Align::Left), ("x", Align::Right), ("y", Align::Right), ("z", Align::Right)];
    let rows: Vec<_> = scaled.factors.iter().map(row).collect();
    let _ = write!(text, "\n{}", table(&header, &rows));
    if let Some(placed) = &scaled.placed {
        let (distance, name) = &placed.worst;
        let _ = writeln!(
            text,
            "\nstatic pose: marker error {:.1} mm root mean square, maximum {:.1} mm of `{name}`; {} markers moved, \
             {} removed",
            1e3 * placed.rms,
            1e3 * distance,
            placed.moved.len(),
            placed.removed.len()
        );
    }
    for path in written {
        let _ = writeln!(text, "wrote {}", path.display());
    }
    text
}

fn for_machines(scaled: &ScaledSubject, written: &[PathBuf]) -> Value {
    let measurement = |m: &wolff_opensim::scale::MeasurementResult| json!({ "name": m.name, "factor": m.factor.as_ref().ok(), "unused": m.factor.as_ref().err(), "lengths_m": m.lengths });
    let placed = scaled.placed.as_ref().map(|p| {
        json!({ "marker_rms_m": p.rms, "worst": { "marker": p.worst.1, "distance_m": p.worst.0 }, "moved_m": p.moved, "removed": p.removed })
    });
    json!({
        "status": "ok",
        "mass_kg": scaled.mass[1],
        "mass_before_kg": scaled.mass[0],
        "factors": scaled.factors,
        "measurements": scaled.measurements.iter().map(measurement).collect::<Vec<_>>(),
        "placed": placed,
        "remarks": scaled.remarks,
        "files": written,
    })
}
