//! Scaling according to a set-up file.

use super::edit::{Edits, join, parse};
use super::factors::{BodyFactors, MeasurementResult, body_factors, check};
use super::geometry::scaled_text;
use super::lengths::{path_lengths, with_lengths};
use super::masses::with_masses;
use super::placer::{Placed, place_markers, with_marker_set};
use crate::setup::{self, MarkerPlacer, MarkerSet, ModelScaler, ScaleTool, Setup};
use crate::{OpensimSubject, read_tasks};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use wolff_files::input;
use wolff_formats::osim;
use wolff_motion::MotionError;
use wolff_motion::recording::{Reading, read_markers_with, read_storage};
use wolff_spatial::{MassProperties, Mat3};

/// A scaled model and the factors that it was scaled by.
#[derive(Debug)]
pub struct ScaledSubject {
    /// The model file.
    pub text: String,
    /// The model.
    pub subject: OpensimSubject,
    /// Factors of each body.
    pub factors: BodyFactors,
    /// Results of the measurements.
    pub measurements: Vec<MeasurementResult>,
    /// Mass before and after \[kg\].
    pub mass: [f64; 2],
    /// Placing of markers, where it was requested.
    pub placed: Option<Placed>,
    /// Remarks for the user.
    pub remarks: Vec<String>,
}

/// Scales the model of a set-up and places its markers.
pub fn scale_subject(tool: &ScaleTool) -> Result<ScaledSubject, MotionError> {
    scale_subject_with(tool, &Reading::default())
}

/// The same with standing trials in other axes, in another unit or with other names of markers.
pub fn scale_subject_with(tool: &ScaleTool, reading: &Reading) -> Result<ScaledSubject, MotionError> {
    let path = tool.model_file.as_deref().ok_or_else(|| MotionError::input("GenericModelMaker", "no model_file"))?;
    let text = generic_text(tool, path)?;
    let generic = OpensimSubject::new(read_model(&text, path)?)?;
    let mass = generic.mass();
    let mut out = ScaledSubject {
        text,
        subject: generic,
        factors: BodyFactors::new(),
        measurements: Vec::new(),
        mass: [mass; 2],
        placed: None,
        remarks: Vec::new(),
    };
    if let Some(scaler) = tool.scaler.as_ref().filter(|s| s.apply) {
        out.resize(scaler, tool.mass, path, reading)?;
    }
    if let Some(placer) = tool.placer.as_ref().filter(|p| p.apply) {
        out.place(placer, path, reading)?;
    }
    out.mass[1] = out.subject.mass();
    Ok(out)
}

/// Scales the model of a file by factors of its bodies, to given masses \[kg\]; bodies without a given mass keep
/// theirs.
pub fn scale_by(
    path: &Path,
    factors: BodyFactors,
    masses: &BTreeMap<String, f64>,
) -> Result<ScaledSubject, MotionError> {
    let text = read_text(path)?;
    let generic = OpensimSubject::new(read_model(&text, path)?)?;
    for (body, f) in &factors {
        check(body, f)?;
    }
    let mut out = ScaledSubject {
        text,
        mass: [generic.mass(); 2],
        subject: generic,
        factors,
        measurements: Vec::new(),
        placed: None,
        remarks: Vec::new(),
    };
    out.apply(true, None, path)?;
    let mut changed = Vec::new();
    for body in &out.subject.file.bodies {
        let Some(&mass) = masses.get(&body.name) else { continue };
        let growth = if body.mass > 0.0 { mass / body.mass } else { 0.0 };
        let [xx, yy, zz, xy, xz, yz] = body.inertia.map(|i| i * growth);
        let inertia = Mat3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        // checked when the model is built
        changed.push((body.name.clone(), MassProperties { mass, com: body.mass_center.into(), inertia }));
    }
    out.text = with_masses(&out.text, &changed)?;
    out.subject = OpensimSubject::new(read_model(&out.text, path)?)?;
    out.mass[1] = out.subject.mass();
    Ok(out)
}

/// The generic model with the markers of the set-up.
pub(super) fn with_markers_of(tool: &ScaleTool, path: &Path) -> Result<OpensimSubject, MotionError> {
    OpensimSubject::new(read_model(&generic_text(tool, path)?, path)?)
}

/// The generic model with the name of the subject and the markers of the set-up.
fn generic_text(tool: &ScaleTool, path: &Path) -> Result<String, MotionError> {
    let text = renamed(&read_text(path)?, &tool.name)?;
    match &tool.marker_set_file {
        Some(file) => with_marker_set(&text, read_model(&text, path)?.version, &read_marker_set(file)?.markers),
        None => Ok(text),
    }
}

impl ScaledSubject {
    /// Applies factors to all lengths, then to the lengths of muscles and ligaments.
    fn resize(
        &mut self,
        scaler: &ModelScaler,
        mass: Option<f64>,
        path: &Path,
        reading: &Reading,
    ) -> Result<(), MotionError> {
        let trial = scaler.marker_file.as_deref().map(|file| read_markers_with(file, reading)).transpose()?;
        (self.factors, self.measurements) = body_factors(&self.subject, scaler, trial.as_ref())?;
        for m in &self.measurements {
            if let Err(reason) = &m.factor {
                self.remarks.push(format!("measurement `{}` was not used: {reason}", m.name));
            }
        }
        self.apply(scaler.preserve_mass_distribution, mass, path)
    }

    /// Applies the present factors.
    fn apply(&mut self, preserve: bool, mass: Option<f64>, path: &Path) -> Result<(), MotionError> {
        let text = scaled_text(&self.text, &self.subject.file, &self.factors, preserve, mass)?;
        let before = path_lengths(&self.subject)?;
        let after = path_lengths(&OpensimSubject::new(read_model(&text, path)?)?)?;
        let (text, kept) = with_lengths(&text, &before, &after)?;
        if !kept.is_empty() {
            self.remarks.push(format!("lengths of {} were kept: their paths are not supported", kept.join(", ")));
        }
        self.subject = OpensimSubject::new(read_model(&text, path)?)?;
        self.text = text;
        Ok(())
    }

    /// Moves markers to their positions in the standing trial.
    fn place(&mut self, placer: &MarkerPlacer, path: &Path, reading: &Reading) -> Result<(), MotionError> {
        let file = placer.marker_file.as_deref().ok_or_else(|| MotionError::input("MarkerPlacer", "no marker_file"))?;
        let mut placer = placer.clone();
        if let Some(file) = placer.tasks.file.take() {
            placer.tasks.tasks = read_tasks(&file)?;
        }
        let coordinates = placer.coordinate_file.as_deref().map(read_storage).transpose()?;
        let trial = read_markers_with(file, reading)?;
        let placed = place_markers(&self.text, &self.subject, &placer, &trial, coordinates.as_ref())?;
        for (name, distance) in &placed.restless {
            self.remarks.push(format!("marker `{name}` moved by {:.1} mm in the standing trial", 1e3 * distance));
        }
        self.text.clone_from(&placed.text);
        self.subject = OpensimSubject::new(read_model(&self.text, path)?)?;
        self.placed = Some(placed);
        Ok(())
    }
}

/// The factors as a `ScaleSet` file of OpenSim.
pub fn factors_file(factors: &BodyFactors) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<OpenSimDocument Version=\"40000\">\n\t<ScaleSet \
         name=\"ScaleSet\">\n\t\t<objects>\n",
    );
    for (body, f) in factors {
        let _ = writeln!(
            out,
            "\t\t\t<Scale>\n\t\t\t\t<scales>{}</scales>\n\t\t\t\t<segment>{body}</segment>\n\t\t\t\t<apply>true</apply>\n\t\t\t</Scale>",
            join(f)
        );
    }
    out.push_str("\t\t</objects>\n\t\t<groups />\n\t</ScaleSet>\n</OpenSimDocument>\n");
    out
}

/// The model with the name of the subject.
fn renamed(text: &str, name: &str) -> Result<String, MotionError> {
    let document = parse(text)?;
    let model = document.descendants().find(|n| n.has_tag_name("Model"));
    let attribute = model.and_then(|m| m.attribute_node("name"));
    let mut edits = Edits::default();
    if let Some(attribute) = attribute.filter(|_| !name.is_empty()) {
        edits.replace(attribute.range_value(), &name.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;"));
    }
    Ok(edits.apply(text))
}

fn read_text(path: &Path) -> Result<String, MotionError> {
    let bytes = input::read(path).map_err(|cause| MotionError::Unreadable { path: path.into(), cause })?;
    let text = String::from_utf8(bytes).unwrap_or_else(|e| e.as_bytes().iter().map(|&b| char::from(b)).collect());
    Ok(text.strip_prefix('\u{feff}').map(str::to_string).unwrap_or(text))
}

fn read_model(text: &str, path: &Path) -> Result<osim::OsimModel, MotionError> {
    osim::read(text.as_bytes()).map_err(|cause| MotionError::File { path: path.into(), cause })
}

fn read_marker_set(path: &Path) -> Result<MarkerSet, MotionError> {
    match setup::read_file(path).map_err(|cause| MotionError::File { path: path.into(), cause })?.setup {
        Setup::Markers(set) => Ok(set),
        _ => Err(MotionError::input(path.display().to_string(), "is not a MarkerSet; give a MarkerSet file")),
    }
}
