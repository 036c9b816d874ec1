//! Scaling a model to a subject.

use super::markers::TaskSet;
use super::xml::Reader;
use std::path::PathBuf;
use wolff_formats::FormatError;

/// `ScaleTool`.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaleTool {
    /// Its name.
    pub name: String,
    /// Mass of the subject \[kg\], where it is given (not negative).
    pub mass: Option<f64>,
    /// Height as written: millimetres in OpenSim's files, metres in those of some other programs.
    pub height: Option<f64>,
    /// The model to scale.
    pub model_file: Option<PathBuf>,
    /// Markers to put on it.
    pub marker_set_file: Option<PathBuf>,
    /// Sizes of bodies.
    pub scaler: Option<ModelScaler>,
    /// Positions of markers.
    pub placer: Option<MarkerPlacer>,
}

/// `ModelScaler`: sizes of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelScaler {
    /// Whether it runs.
    pub apply: bool,
    /// `measurements` and `manualScale`, in order.
    pub order: Vec<String>,
    /// Pairs of markers that scale bodies.
    pub measurements: Vec<Measurement>,
    /// Factors given.
    pub scales: Vec<ScaleFactors>,
    /// The standing trial.
    pub marker_file: Option<PathBuf>,
    /// Start and end of its part that is used \[s\].
    pub time_range: Option<[f64; 2]>,
    /// Whether mass fractions stay as in the generic model.
    pub preserve_mass_distribution: bool,
    /// Output file of the scaled model.
    pub output_model_file: Option<PathBuf>,
    /// Output file of the factors.
    pub output_scale_file: Option<PathBuf>,
}

/// Pairs of markers whose distances scale bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Its name.
    pub name: String,
    /// Whether it is applied.
    pub apply: bool,
    /// The pairs; factors are averaged.
    pub pairs: Vec<[String; 2]>,
    /// Bodies it scales.
    pub bodies: Vec<BodyScale>,
}

/// A body that a measurement scales.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyScale {
    /// The body.
    pub body: String,
    /// Along which of its axes.
    pub axes: [bool; 3],
}

/// Factors of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaleFactors {
    /// The body.
    pub body: String,
    /// Factors along its axes.
    pub factors: [f64; 3],
    /// Whether they are applied.
    pub apply: bool,
}

/// `MarkerPlacer`: markers moved to their measured positions on the subject.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkerPlacer {
    /// Whether it runs.
    pub apply: bool,
    /// Weights of the pose.
    pub tasks: TaskSet,
    /// The standing trial.
    pub marker_file: Option<PathBuf>,
    /// Coordinates to follow.
    pub coordinate_file: Option<PathBuf>,
    /// Start and end of the part of the trial that is used \[s\].
    pub time_range: Option<[f64; 2]>,
    /// Output file of the pose.
    pub output_motion_file: Option<PathBuf>,
    /// Output file of the model.
    pub output_model_file: Option<PathBuf>,
    /// Output file of the markers.
    pub output_marker_file: Option<PathBuf>,
    /// Maximum displacement of a marker \[m\]; `None`: no limit.
    pub max_marker_movement: Option<f64>,
}

impl ScaleTool {
    pub(super) fn read(r: &Reader) -> Result<Self, FormatError> {
        r.skip(&["age", "notes"]);
        let files = r.within("GenericModelMaker", |m| Ok((m.path("model_file"), m.path("marker_set_file"))))?;
        let (model_file, marker_set_file) = files.unwrap_or_default();
        // -1 means not given
        let given = |x: &f64| *x >= 0.0;
        Ok(Self {
            name: r.name(),
            mass: r.number("mass")?.filter(given),
            height: r.number("height")?.filter(given),
            model_file,
            marker_set_file,
            scaler: r.within("ModelScaler", ModelScaler::read)?,
            placer: r.within("MarkerPlacer", MarkerPlacer::read)?,
        })
    }
}

impl ModelScaler {
    fn read(r: &Reader) -> Result<Self, FormatError> {
        Ok(Self {
            apply: r.flag("apply", true)?,
            order: r.words("scaling_order"),
            measurements: r.objects("MeasurementSet", Measurement::read)?,
            scales: r.objects("ScaleSet", ScaleFactors::read)?,
            marker_file: r.path("marker_file"),
            time_range: r.numbers("time_range")?,
            preserve_mass_distribution: r.flag("preserve_mass_distribution", false)?,
            output_model_file: r.output("output_model_file"),
            output_scale_file: r.output("output_scale_file"),
        })
    }
}

impl Measurement {
    pub(super) fn read(r: &Reader) -> Result<Option<Self>, FormatError> {
        if r.tag() != "Measurement" {
            return Ok(None);
        }
        let pair = |p: &Reader| Ok(<[String; 2]>::try_from(p.words("markers")).ok());
        let pairs = r.objects("MarkerPairSet", pair)?;
        let body = |b: &Reader| {
            let words = b.words("axes").join("").to_ascii_uppercase();
            Ok(Some(BodyScale { body: b.name(), axes: ['X', 'Y', 'Z'].map(|axis| words.contains(axis)) }))
        };
        let bodies = r.objects("BodyScaleSet", body)?;
        Ok(Some(Self { name: r.name(), apply: r.flag("apply", true)?, pairs, bodies }))
    }
}

impl ScaleFactors {
    pub(super) fn read(r: &Reader) -> Result<Option<Self>, FormatError> {
        if r.tag() != "Scale" {
            return Ok(None);
        }
        let factors = r.numbers("scales")?.unwrap_or([1.0; 3]);
        Ok(Some(Self { body: r.text("segment").unwrap_or_default(), factors, apply: r.flag("apply", true)? }))
    }
}

impl MarkerPlacer {
    fn read(r: &Reader) -> Result<Self, FormatError> {
        Ok(Self {
            apply: r.flag("apply", true)?,
            tasks: TaskSet::of(r)?,
            marker_file: r.path("marker_file"),
            coordinate_file: r.path("coordinate_file"),
            time_range: r.numbers("time_range")?,
            output_motion_file: r.output("output_motion_file"),
            output_model_file: r.output("output_model_file"),
            output_marker_file: r.output("output_marker_file"),
            max_marker_movement: r.number("max_marker_movement")?.filter(|x| *x >= 0.0),
        })
    }
}
