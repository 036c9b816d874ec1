//! Outcome of a study: plain values for the command line, files and tests.

use crate::pressure::{PosedContact, PressureMap};
pub use crate::published::{Cell, Layout, RowKind, Table, TableRow};
use serde::Serialize;
pub use wolff_files::atomic::File;
use wolff_files::input::InputRecord;
use wolff_flexbody::Surface;
pub use wolff_plots::{Mechanism, MechanismClass, MechanismPart, Outline};
pub use wolff_plots::{StripArrow, StripClass, StripFrame, StripSegment, StripView};
pub use wolff_verdict::{Finding, Judged, Judgement, Limit, Severity, Verdict};

/// Completion status of a study or command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// All requested results were computed and are within their limits.
    #[default]
    Ok,
    /// All requested results were computed, but a judged quantity is beyond its limit.
    Doubtful,
    /// The simulation stopped early; the results up to that time are valid.
    Partial,
    /// There are no valid results.
    Failed,
}

impl Status {
    /// The worse of this status and a verdict.
    pub fn and(self, verdict: Verdict) -> Self {
        self.max(match verdict {
            Verdict::Ok => Status::Ok,
            Verdict::Doubtful => Status::Doubtful,
            Verdict::Failed => Status::Failed,
        })
    }

    /// The word in messages and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Doubtful => "doubtful",
            Status::Partial => "partial",
            Status::Failed => "failed",
        }
    }
}

/// Whether an outcome is that of a study or that of a command such as `ik`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RunKind {
    /// A study.
    #[default]
    Study,
    /// A command.
    Command,
}

impl RunKind {
    /// The key of the name in JSON.
    pub fn key(self) -> &'static str {
        match self {
            RunKind::Study => "study",
            RunKind::Command => "command",
        }
    }
}

/// One of the few most important numbers of an outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Headline {
    /// The quantity in words.
    pub quantity: String,
    /// Its value, in its unit.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// Range of values of other persons or of limits, in the same unit.
    pub range: Option<[f64; 2]>,
    /// Source of the range.
    pub source: String,
    /// The verdict.
    pub verdict: Verdict,
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

/// Files in which time series are written. Their numbers are the same, so one is enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SeriesFormat {
    /// `.sto` of OpenSim.
    #[default]
    Sto,
    /// `.csv`.
    Csv,
    /// Both.
    Both,
}

/// A band behind the curves of a plot, such as mean plus and minus one standard deviation, or values of healthy
/// persons.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// Label in the legend.
    pub label: String,
    /// Horizontal position, lower edge, upper edge.
    pub points: Vec<(f64, f64, f64)>,
    /// Label of the curve whose colour the band has; `None` for the grey of a normative band.
    pub of_curve: Option<String>,
}

/// A plot of columns of a series.
#[derive(Clone, Debug, Default)]
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
    /// Bands behind the curves.
    pub bands: Vec<Band>,
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

/// A picture that is drawn already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// File stem.
    pub name: String,
    /// Title above the picture.
    pub title: String,
    /// The picture as SVG.
    pub svg: String,
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

impl From<InputRecord> for InputFile {
    fn from(record: InputRecord) -> Self {
        let name = record.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { parameter: String::new(), name, sha256: record.sha256, remarks: Vec::new() }
    }
}

/// One run of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedRun {
    /// Label in tables and figures.
    pub label: String,
    /// The values in which it differs from the other runs, by name or path.
    pub values: serde_json::Map<String, serde_json::Value>,
    /// How it ended; `None` if it was not completed.
    pub status: Option<Status>,
    /// Why it has no results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Its results.
    pub results: serde_json::Map<String, serde_json::Value>,
}

/// The whole outcome of a study or command.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Whether it is that of a study or of a command.
    pub kind: RunKind,
    /// Name of the study or command.
    pub study: String,
    /// Completion status.
    pub status: Status,
    /// Named quantities in their order of display.
    pub results: serde_json::Map<String, serde_json::Value>,
    /// Comparisons of results with references.
    pub comparisons: Vec<Comparison>,
    /// The runs of a comparison: values, status, results of each. Empty for a single run.
    pub runs: Vec<ComparedRun>,
    /// Tables of results next to published ones.
    pub tables: Vec<Table>,
    /// Warnings for the user, in addition to those of the judgement.
    pub warnings: Vec<String>,
    /// Findings about the input, and quantities of the result that were compared with limits.
    pub judgement: Judgement,
    /// The most important numbers, for the first screen of the page.
    pub headline: Vec<Headline>,
    /// What was done, in sentences: model, motion, method, parameters, sources. One paragraph per entry.
    pub method: Vec<String>,
    /// Time series to write.
    pub series: Vec<Series>,
    /// Files in which they are written.
    pub series_format: SeriesFormat,
    /// Plots to write.
    pub plots: Vec<Plot>,
    /// Stick figures to draw.
    pub strips: Vec<Strip>,
    /// Drawings of the mechanism.
    pub mechanisms: Vec<Mechanism>,
    /// Further pictures.
    pub pictures: Vec<Picture>,
    /// Fields to write.
    pub fields: Vec<FieldSeries>,
    /// Pressures of each elastic foundation at its maximum load, or at rest.
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

impl Outcome {
    /// Adds files that were read to the inputs, each name and content once. Inputs that are named by a parameter or
    /// have remarks keep them; the others follow in the order of their names.
    pub fn add_inputs(&mut self, records: Vec<InputRecord>) {
        let mut new: Vec<InputFile> = records.into_iter().map(InputFile::from).collect();
        new.retain(|file| !self.inputs.iter().any(|known| known.name == file.name && known.sha256 == file.sha256));
        new.sort_by(|a, b| (&a.name, &a.sha256).cmp(&(&b.name, &b.sha256)));
        new.dedup();
        self.inputs.append(&mut new);
    }

    /// The status with the verdict of the judgement taken into account.
    pub fn judged_status(&self) -> Status {
        self.status.and(self.judgement.verdict())
    }
}
