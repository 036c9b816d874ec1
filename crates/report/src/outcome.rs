//! Outcome of a study: plain values for the command line, files and tests.

use crate::pressure::{PosedContact, PressureMap};
pub use crate::published::{Cell, Layout, RowKind, Table, TableRow};
use serde::Serialize;
pub use wolff_files::atomic::File;
use wolff_flexbody::Surface;
pub use wolff_formats::plot::{StripArrow, StripClass, StripFrame, StripSegment, StripView};

/// Completion status of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All requested results were computed.
    Ok,
    /// The simulation stopped early; the results up to that time are valid.
    Partial,
    /// There are no valid results.
    Failed,
}

/// A result and the reference value to compare it with.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Quantity with the unit in its name.
    pub quantity: String,
    /// The simulated value.
    pub value: f64,
    /// The reference or published value.
    pub reference: f64,
    /// Maximum acceptable difference: absolute, in the unit of the quantity.
    pub tolerance: f64,
    /// Source of the reference value.
    pub source: String,
}

impl Comparison {
    /// Whether the value is within the tolerance; false for a NaN.
    pub fn pass(&self) -> bool {
        (self.value - self.reference).abs() <= self.tolerance
    }
}

/// A time series, one row per instant; the first column is the time.
#[derive(Clone, Debug)]
pub struct Series {
    /// File stem.
    pub name: String,
    /// Column labels with units, the first is `time`.
    pub columns: Vec<String>,
    /// Rows of equal length.
    pub rows: Vec<Vec<f64>>,
}

/// A plot of columns of a series.
#[derive(Clone, Debug)]
pub struct Plot {
    /// File stem.
    pub name: String,
    /// Title above the plot.
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

/// A walking person as a sequence of stick figures with the ground reaction forces.
#[derive(Clone, Debug, PartialEq)]
pub struct Strip {
    /// File stem.
    pub name: String,
    /// Title above the strip.
    pub title: String,
    /// The figures: x forward, y up, z to the right \[m\].
    pub frames: Vec<StripFrame>,
    /// Height of the floor \[m\].
    pub floor: Option<f64>,
    /// The panels.
    pub views: Vec<StripView>,
    /// Distance between neighbouring figures in addition to their progress \[m\].
    pub spacing: f64,
}

/// Displacement and strain on the surface of a body at given times.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldSeries {
    /// File stem: the name of the body.
    pub name: String,
    /// The surface with its modes.
    pub surface: Surface,
    /// Times \[s\] and modal coordinates.
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
    /// Remarks on the file for the reader of the outcome.
    pub remarks: Vec<String>,
}

/// The whole outcome of a study.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Name of the study.
    pub study: String,
    /// Completion status.
    pub status: Status,
    /// Named quantities in their order of display.
    pub results: serde_json::Map<String, serde_json::Value>,
    /// Comparisons of results with references.
    pub comparisons: Vec<Comparison>,
    /// Tables of results next to published ones.
    pub tables: Vec<Table>,
    /// Warnings for the user.
    pub warnings: Vec<String>,
    /// Time series to write.
    pub series: Vec<Series>,
    /// Plots to write.
    pub plots: Vec<Plot>,
    /// Stick figures to draw.
    pub strips: Vec<Strip>,
    /// Fields to write.
    pub fields: Vec<FieldSeries>,
    /// Pressures of each elastic foundation at its maximum load.
    pub maps: Vec<(PosedContact, PressureMap)>,
    /// Further files to write, such as `loads/shank_r/mesh.inp`.
    pub files: Vec<File>,
    /// Files that it read, without the study itself.
    pub inputs: Vec<InputFile>,
    /// Content of the checkpoint file from which a stopped run is resumed.
    pub resume: Option<Vec<u8>>,
    /// Simulated time \[s\].
    pub simulated_s: f64,
}
