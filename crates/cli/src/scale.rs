//! `wolff scale`: scales a generic model to a subject.

use crate::answer;
use crate::failure::Failure;
use crate::output::{self, Align, number, table};
use crate::recorded::Recorded;
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use wolff_app::person_scaling::{Person, Sex, scale_to_person};
use wolff_doctor::{Patient, judge};
use wolff_files::atomic;
use wolff_formats::sto;
use wolff_motion::MotionError;
use wolff_motion::recording::ending;
use wolff_opensim::scale::{ScaledSubject, examine_scaling, factors_file, scale_subject_with};
use wolff_opensim::setup::{self, ScaleTool, Setup};
use wolff_report::json::Stopwatch;
use wolff_report::outcome::{Outcome, RunKind, Status};

/// Examples under the help.
pub const EXAMPLES: &str = "Examples:
  wolff scale setup_scale.xml                  an OpenSim ScaleTool set-up; paths as given in it
  wolff scale setup_scale.xml --model generic.osim --out-model scaled.osim --json
  wolff scale gait2392.osim --mass 70 --stature 1.75 --sex female --out-model scaled.osim    by tables of segments

The output is the file of the model, in which only scaled values are changed. Scale factors are determined from
distances of markers, from the list in the set-up, or both; then markers are moved to their positions in the static
trial. With --mass, --stature and --sex, lengths and masses of segments are those of de Leva (1996) for such a person,
and the sum of the masses is equal to --mass. A result that failed is not written.";

/// `wolff scale`.
#[derive(Debug, Args)]
pub struct Scale {
    /// An OpenSim ScaleTool set-up (.xml); with --mass, --stature and --sex a model (.osim) [default: --model].
    #[arg(required_unless_present = "model")]
    pub setup: Option<PathBuf>,
    /// The model to scale [default: that of the set-up].
    #[arg(long, value_name = "MODEL.osim")]
    pub model: Option<PathBuf>,
    /// Mass of the person [kg] [default: that of the set-up].
    #[arg(long, value_name = "KG")]
    pub mass: Option<f64>,
    /// Height of the person [m].
    #[arg(long, value_name = "M", alias = "height")]
    pub stature: Option<f64>,
    /// Sex of the person.
    #[arg(long, value_enum, requires_all = ["mass", "stature"])]
    pub sex: Option<SexName>,
    /// File for the scaled model [default: path in the set-up; with --sex, MODEL_scaled.osim].
    #[arg(long, value_name = "OUT.osim")]
    pub out_model: Option<PathBuf>,
    #[command(flatten)]
    pub recorded: Recorded,
    /// Go on with an input that cannot be right; the result is doubtful.
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object; nothing is written unless --out-model is given.
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

impl Scale {
    /// The set-up or the model.
    fn source(&self) -> &Path {
        self.setup.as_deref().or(self.model.as_deref()).unwrap_or(Path::new(""))
    }
}

/// Runs the command.
pub fn scale(args: &Scale) -> Result<ExitCode, Failure> {
    let clock = Stopwatch::start();
    let mut outcome = Outcome { kind: RunKind::Command, study: "scale".into(), ..Outcome::default() };
    let (scaled, files) = match ending(args.source()).as_str() {
        "osim" => to_person(args, &mut outcome)?,
        _ => by_setup(args, &mut outcome)?,
    };
    scaled.judge(&mut outcome.judgement);
    outcome.warnings.extend(scaled.remarks.iter().cloned());
    outcome.results = results(&scaled);
    outcome.method = method(args, &scaled);
    let mut written = Vec::new();
    if outcome.judged_status() == Status::Failed {
        outcome.warnings.push("the result failed and was not written".into());
    } else {
        for (path, bytes) in files {
            atomic::write_file(&path, &bytes)?;
            written.push(path.display().to_string());
        }
    }
    outcome.results.insert("files".into(), written.clone().into());
    let text = for_people(&scaled, &written);
    answer::show(&outcome, &clock.stop(0.0), None, args.json, &text)
}

/// A scaled model and the files to write.
type Scaled = (ScaledSubject, Vec<(PathBuf, Vec<u8>)>);

/// Scales the model of a set-up.
fn by_setup(args: &Scale, outcome: &mut Outcome) -> Result<Scaled, Failure> {
    let wrong = |cause| MotionError::File { path: args.source().into(), cause };
    let Setup::Scale(mut tool) = setup::read_file(args.source()).map_err(wrong)?.setup else {
        let message = format!("`{}` is not a ScaleTool set-up file", args.source().display());
        return Err(Failure::usage(message, "give a ScaleTool set-up file (.xml) of OpenSim"));
    };
    if let Some(model) = &args.model {
        check_input_model(model, &tool)?;
        tool.model_file = Some(model.clone());
    }
    tool.mass = args.mass.or(tool.mass);
    let reading = args.recorded.reading()?;
    outcome.judgement.found(examine_scaling(&tool, &reading, args.stature)?);
    answer::gate(&outcome.judgement, args.force)?;
    let bar = output::spinner("scaling", args.json);
    let scaled = scale_subject_with(&tool, &reading);
    bar.finish_and_clear();
    let scaled = scaled?;
    let files = files(args, &tool, &scaled)?;
    Ok((scaled, files))
}

/// `--model` was the output in earlier versions: a file that does not exist, or that the set-up writes, is refused.
fn check_input_model(model: &Path, tool: &ScaleTool) -> Result<(), Failure> {
    let outputs = [
        tool.placer.as_ref().and_then(|p| p.output_model_file.clone()),
        tool.scaler.as_ref().and_then(|s| s.output_model_file.clone()),
    ];
    let same = |path: &PathBuf| {
        path.as_path() == model || matches!((path.canonicalize(), model.canonicalize()), (Ok(a), Ok(b)) if a == b)
    };
    let reason = if !model.exists() {
        "does not exist"
    } else if outputs.iter().flatten().any(same) {
        "is the file that the set-up writes"
    } else {
        return Ok(());
    };
    let message = format!("--model is the model to scale, but `{}` {reason}", model.display());
    Err(Failure::usage(
        message,
        "name the generic model with --model and the file for the scaled model with --out-model",
    ))
}

/// Scales a model by tables of segments.
fn to_person(args: &Scale, outcome: &mut Outcome) -> Result<Scaled, Failure> {
    let (Some(mass), Some(stature), Some(sex)) = (args.mass, args.stature, args.sex) else {
        let message = format!("`{}` is a model: scaling by tables needs the person", args.source().display());
        return Err(Failure::usage(message, "give --mass, --stature and --sex, or a ScaleTool set-up file (.xml)"));
    };
    if let Some(model) = args.model.as_ref().filter(|m| **m != args.source()) {
        let message =
            format!("--model is the model to scale; `{}` and `{}` are given", args.source().display(), model.display());
        return Err(Failure::usage(message, "name the file for the scaled model with --out-model"));
    }
    outcome.judgement.found(judge(&Patient { mass: Some(mass), height: Some(stature), ..Patient::default() }));
    answer::gate(&outcome.judgement, args.force)?;
    let sex = if sex == SexName::Female { Sex::Female } else { Sex::Male };
    let scaled = scale_to_person(args.source(), Person { mass, stature, sex })?;
    outcome.judgement.found(scaled.subject.remarks());
    let stem = args.source().file_stem().map_or("model".into(), |s| s.to_string_lossy().into_owned());
    let usual = || Some(PathBuf::from(format!("{stem}_scaled.osim"))).filter(|_| !args.json);
    let path = args.out_model.clone().or_else(usual);
    let files = path.map(|path| (path, scaled.text.clone().into_bytes())).into_iter().collect();
    Ok((scaled, files))
}

/// The model, the factors and the static pose, with their paths.
fn files(args: &Scale, tool: &ScaleTool, scaled: &ScaledSubject) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
    let scaler = tool.scaler.as_ref();
    let placer = tool.placer.as_ref();
    let models = [placer.and_then(|p| p.output_model_file.clone()), scaler.and_then(|s| s.output_model_file.clone())];
    let model = args.out_model.clone().or_else(|| models.into_iter().flatten().next().filter(|_| !args.json));
    // with another place for the model, everything is written there
    let beside = |path: PathBuf| match (&args.out_model, path.file_name()) {
        (Some(model), Some(name)) => model.with_file_name(name),
        _ => path,
    };
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    files.extend(model.map(|path| (path, scaled.text.clone().into_bytes())));
    if !args.json {
        if let Some(path) = scaler.filter(|s| s.apply).and_then(|s| s.output_scale_file.clone()) {
            files.push((beside(path), factors_file(&scaled.factors).into_bytes()));
        }
        if let (Some(path), Some(placed)) = (placer.and_then(|p| p.output_motion_file.clone()), &scaled.placed) {
            let motion = scaled.subject.subject.motion_file("static pose", std::slice::from_ref(&placed.pose))?;
            files.push((beside(path), sto::write(&motion)?.into_bytes()));
        }
    }
    Ok(files)
}

fn method(args: &Scale, scaled: &ScaledSubject) -> Vec<String> {
    let how = match ending(args.source()).as_str() {
        "osim" => {
            "by lengths and masses of segments of de Leva (J Biomech 29, 1996) for mass, stature and sex".to_string()
        }
        _ => format!("by {} measurements of distances between markers", scaled.measurements.len()),
    };
    vec![format!(
        "The generic model was scaled {how}; lengths of fibres and tendons were scaled with their paths. The mass changed \
         from {} to {} kg.",
        number(scaled.mass[0]),
        number(scaled.mass[1])
    )]
}

fn for_people(scaled: &ScaledSubject, written: &[String]) -> String {
    let mut text = format!("mass: {} kg, before: {} kg\n", number(scaled.mass[1]), number(scaled.mass[0]));
    let row = |(body, f): (&String, &[f64; 3])| vec![body.clone(), number(f[0]), number(f[1]), number(f[2])];
    let header = [("factors of", Align::Left), ("x", Align::Right), ("y", Align::Right), ("z", Align::Right)];
    let rows: Vec<_> = scaled.factors.iter().map(row).collect();
    let _ = write!(text, "\n{}", table(&header, &rows));
    if let Some(placed) = &scaled.placed {
        let (distance, name) = &placed.worst;
        let pose = format!(
            "static pose: marker error {:.1} mm root mean square, maximum {:.1} mm of `{name}`; {} markers moved, {} \
             removed",
            1e3 * placed.rms,
            1e3 * distance,
            placed.moved.len(),
            placed.removed.len()
        );
        let _ = write!(text, "\n{}", output::lines(&pose, 2));
    }
    for path in written {
        let _ = writeln!(text, "wrote {path}");
    }
    text
}

fn results(scaled: &ScaledSubject) -> Map<String, Value> {
    let measurement = |m: &wolff_opensim::scale::MeasurementResult| match &m.factor {
        Ok(factor) => json!({ "name": m.name, "factor": factor, "lengths_m": m.lengths }),
        Err(reason) => json!({ "name": m.name, "unused": reason, "lengths_m": m.lengths }),
    };
    let mut results = Map::new();
    let mut set = |key: &str, value: Value| drop(results.insert(key.into(), value));
    set("mass_kg", scaled.mass[1].into());
    set("mass_before_kg", scaled.mass[0].into());
    set("factors", json!(scaled.factors));
    set("measurements", scaled.measurements.iter().map(measurement).collect());
    if let Some(p) = &scaled.placed {
        let worst = json!({ "marker": p.worst.1, "distance_m": p.worst.0 });
        set("placed", json!({ "marker_rms_m": p.rms, "worst": worst, "moved_m": p.moved, "removed": p.removed }));
    }
    results
}
