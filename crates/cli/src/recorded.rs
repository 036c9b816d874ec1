//! Options of commands that read recordings.

use crate::failure::Failure;
use clap::Args;
use std::path::PathBuf;
use wolff_formats::trial::{Axes, LengthUnit};
use wolff_motion::marker_map::{parse_rename, read_marker_map};
use wolff_motion::recording::Reading;
use wolff_motion::signal::Preparation;

/// How a recording is read, where it differs from what its file says.
#[derive(Debug, Args)]
pub struct Recorded {
    /// Forward and up axes of the laboratory, such as x,z or -y,z [default: x,y].
    #[arg(long, value_name = "FORWARD,UP", allow_hyphen_values = true)]
    pub axes: Option<Axes>,
    /// Unit of the recorded positions: mm, cm, m or in [default: that of the file].
    #[arg(long, value_name = "UNIT", value_parser = unit)]
    pub input_unit: Option<LengthUnit>,
    /// File with lines `recorded name, name of the model` that gives markers other names.
    #[arg(long, value_name = "FILE")]
    pub marker_map: Option<PathBuf>,
    /// Gives a marker another name; may be repeated.
    #[arg(long, value_name = "RECORDED=MODEL", value_parser = parse_rename)]
    pub rename: Vec<(String, String)>,
    /// Fills gaps of markers of up to this time by splines [s].
    #[arg(long, value_name = "SECONDS")]
    pub fill: Option<f64>,
    /// Low-pass of the markers: Butterworth, second order, forward and backward [Hz].
    #[arg(long, value_name = "HZ")]
    pub marker_cutoff: Option<f64>,
    /// Samples the markers anew at this rate [Hz]; a lower one needs --marker-cutoff.
    #[arg(long, value_name = "HZ")]
    pub rate: Option<f64>,
}

/// Reads a unit of length.
pub fn unit(text: &str) -> Result<LengthUnit, String> {
    LengthUnit::from_name(text).ok_or_else(|| format!("`{text}` is not a unit of length; it must be mm, cm, m or in"))
}

impl Recorded {
    /// The same for the reader; `--rename` takes precedence over the file.
    pub fn reading(&self) -> Result<Reading, Failure> {
        let mut names = self.rename.clone();
        if let Some(file) = &self.marker_map {
            let map = read_marker_map(file)?;
            names.extend(map.into_iter().filter(|(old, _)| !self.rename.iter().any(|(o, _)| o == old)));
        }
        Ok(Reading { axes: self.axes, unit: self.input_unit, names, prepare: self.preparation() })
    }

    /// What is done with the markers before they are used.
    pub fn preparation(&self) -> Preparation {
        Preparation { fill: self.fill, cutoff: self.marker_cutoff, rate: self.rate }
    }

    /// The options for the provenance.
    pub fn options(&self) -> Vec<(String, String)> {
        let mut all = Vec::new();
        all.extend(self.input_unit.map(|u| ("input-unit".to_string(), u.to_string())));
        all.extend(self.axes.map(|a| ("axes".to_string(), a.to_string())));
        all.extend(
            self.marker_map
                .as_deref()
                .map(|f| ("marker-map".to_string(), wolff_report::folder::base_name(&f.to_string_lossy()))),
        );
        let numbers = [("fill", self.fill), ("marker-cutoff", self.marker_cutoff), ("rate", self.rate)];
        all.extend(numbers.into_iter().filter_map(|(name, value)| Some((name.to_string(), value?.to_string()))));
        all.extend(self.rename.iter().map(|(old, new)| ("rename".to_string(), format!("{old}={new}"))));
        all
    }
}
