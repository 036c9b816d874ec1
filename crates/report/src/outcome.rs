//! What a study answers with: plain values that the command line, files and tests read.

use crate::pressure::{PosedContact, PressureMap};
pub use crate::published::{Cell, Layout, RowKind, Table, TableRow};
use serde::Serialize;
pub use wolff_files::atomic::File;
use wolff_flexbody::Surface;
pub use wolff_formats::plot::{StripArrow, StripClass, StripFrame, StripSegment, StripView};

/// How a study ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Everything asked for was computed.
    Ok,
    /// The simulation stopped early; what is given is right as far as it goes.
    Partial,
    /// Nothing usable.
    Failed,
}

/// A result beside the number it should be compared with.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Quantity with its unit in the name.
    pub quantity: String,
    /// What the simulation gave.
    pub value: f64,
    /// The reference or published number.
    pub reference: f64,
    /// Largest acceptable difference: absolute, in the quantity's unit.
    pub tolerance: f64,
    /// Where the reference comes from.
    pub source: String,
}

impl Comparison {
    /// Whether the value is within the tolerance; never for a NaN.
    pub fn pass(&self) -> bool {
        (self.value - self.reference).abs() <= self.tolerance
    }
}

/// A time series, one row an instant; the first column is the time.
#[derive(Clone, Debug)]
pub struct Series {
    /// File stem.
    pub name: String,
    /// Column labels with units, the first is `time`.
    pub columns: Vec<String>,
    /// Rows of equal length.
    pub rows: Vec<Vec<f64>>,
}

/// A picture of some columns of a series.
#[derive(Clone, Debug)]
pub struct Plot {
    /// File stem.
    pub name: String,
    /// Title above the picture.
    pub title: String,
    /// Label of the horizontal axis.
    pub x_label: String,
    /// Label of the vertical axis.
    pub y_label: String,
    /// Curves: label and points.
    pub curves: Vec<(String, Vec<(f64, f64)>)>,
    /// Logarithmic vertical axis.
    pub log_y: bool,
}

/// A walker frame after frame, drawn as stick figures with the forces of the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// File stem.
    pub name: String,
    /// Title above the picture.
    pub title: String,
    /// The figures: x forward, y up, z to the right [m].
    pub frames: Vec<StripFrame>,
    /// Height of the floor [m].
    pub floor: Option<f64>,
    /// The panels.
    pub views: Vec<StripView>,
    /// Distance put between neighbours on top of their progress [m].
    pub spacing: f64,
}

/// Displacement and strain on the surface of a body at some instants.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSeries {
    /// File stem: the name of the body.
    pub name: String,
    /// The surface with its modes.
    pub surface: Surface,
    /// Times [s] and modal coordinates.
    pub states: Vec<(f64, Vec<f64>)>,
}

/// A file that a study read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// The parameter that names it.
    pub parameter: String,
    /// Its name without the folder.
    pub name: String,
    /// Hash of its bytes.
    pub sha256: String,
    /// What a reader of the outcome should be told about it.
    pub remarks: Vec<String>,
}

/// The whole answer of a study.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Name of the study.
    pub study: String,
    /// How it ended.
    pub status: Status,
    /// Named quantities in the order they are shown.
    pub results: serde_json::Map<String, serde_json::Value>,
    /// Results beside references.
    pub comparisons: Vec<Comparison>,
    /// Results beside published ones.
    pub tables: Vec<Table>,
    /// Remarks a user must see.
    pub warnings: Vec<String>,
    /// Time series to write.
    pub series: Vec<Series>,
    /// Pictures to write.
    pub plots: Vec<Plot>,
    /// Stick figures to draw.
    pub strips: Vec<Strip>,
    /// Fields to write.
    pub fields: Vec<FieldSeries>,
    /// Pressures of each elastic foundation when its load was largest.
    pub maps: Vec<(PosedContact, PressureMap)>,
    /// Further files to write, such as `loads/shank_r/mesh.inp`.
    pub files: Vec<File>,
    /// Files that it read, the study itself not among them.
    pub inputs: Vec<InputFile>,
    /// Content of the file from which a run that was stopped goes on.
    pub resume: Option<Vec<u8>>,
    /// Simulated time [s].
    pub simulated_s: f64,
}
