//! Marker files (`.trc`): five header lines, then a row for each frame.
//!
//! ```text
//! PathFileType  4  (X/Y/Z)  walk.trc
//! DataRate  CameraRate  NumFrames  NumMarkers  Units  OrigDataRate  OrigDataStartFrame  OrigNumFrames
//! 100       100         2          1           mm     100           1                   2
//! Frame#    Time        R.ASIS
//!                       X1         Y1          Z1
//!
//! 1         0           12.5       1023.5      -8.25
//! ```
//!
//! Cells stand between tabs; a marker whose cells are empty or `NaN` was not seen. Source: the marker files of
//! Motion Analysis and OpenSim as found in use; there is no standard.

mod frames;
mod header;
mod lines;
mod rows;

use crate::FormatError;
use crate::number::{self, some_of};
use crate::trial::{LengthUnit, Marker, MarkerTrial, RATE_TOLERANCE, mean_rate};
use header::Header;
use lines::Writing;
use std::fmt::Write as _;
use std::path::Path;
use wolff_files::text::on_one_line;

pub use frames::{FrameFile, Frames, Survey};

pub(crate) const FORMAT: &str = ".trc";

/// Reads a marker file whose header names its unit.
///
/// Takes any line ends, tabs or spaces, decimal commas, headers with doubled tabs, files without the line of
/// `X1 Y1 Z1` or the blank line after it, names with spaces, frames counted from anywhere. Counts that do not fit,
/// a rate that times do not bear out, names used twice, frames left out and half-seen markers are remarked; a row
/// without a time, text where a number belongs and more numbers than markers are refused with their line.
pub fn read(bytes: &[u8]) -> Result<MarkerTrial, FormatError> {
    read_in(bytes, None)
}

/// Reads a marker file as [`read`] does; `unit`, where given, replaces that of the header.
pub fn read_in(bytes: &[u8], unit: Option<LengthUnit>) -> Result<MarkerTrial, FormatError> {
    let nowhere = Path::new("");
    let writing = Writing::of(&mut &*bytes).map_err(|e| FormatError::io("read", nowhere, e))?;
    let mut frames = Frames::new(bytes, writing, nowhere, unit)?;
    let mut paths = vec![Vec::new(); frames.header.names.len()];
    let survey = frames.survey(|points| paths.iter_mut().zip(points).for_each(|(path, point)| path.push(*point)))?;
    let markers = survey.names.into_iter().zip(paths).map(|(name, points)| Marker { name, points }).collect();
    let Survey { name, rate, times, unit, remarks, warnings, zeros, .. } = survey;
    let mut markers: Vec<Marker> = markers;
    for (i, marker) in markers.iter_mut().enumerate() {
        zeros.of(i).iter().for_each(|run| marker.points.get_mut(run.clone()).unwrap_or_default().fill(None));
    }
    Ok(MarkerTrial::new(&name, rate, times, markers)?.read_from(unit, remarks, warnings))
}

/// The rate of the header, or that of the times where they differ.
fn settle_rate(
    header: &Header,
    times: &[f64],
    remarks: &mut Vec<String>,
    warnings: &mut Vec<String>,
) -> Result<f64, FormatError> {
    let said = header.number("DataRate").filter(|r| *r > 0.0 && r.is_finite());
    let camera = header.number("CameraRate").filter(|r| *r > 0.0 && r.is_finite());
    let rate = match (said, mean_rate(times)) {
        (Some(said), Some(found)) if (said / found - 1.0).abs() > RATE_TOLERANCE => {
            warnings.push(format!(
                "DataRate is {said} Hz but the times advance at {found:.4} Hz; the rate of the times is used: correct \
                 the one that is wrong"
            ));
            found
        }
        (Some(said), _) => said,
        (None, Some(found)) => {
            remarks.push(format!("the header gives no DataRate; the times advance at {found:.4} Hz"));
            found
        }
        (None, None) => camera
            .ok_or_else(|| FormatError::syntax(FORMAT, 3, "no DataRate and no two increasing times, so no rate"))?,
    };
    if let Some(camera) = camera.filter(|c| (c / rate - 1.0).abs() > RATE_TOLERANCE) {
        remarks.push(format!("CameraRate is {camera} Hz, the data have {rate:.4} Hz"));
    }
    Ok(rate)
}

/// Names, the later of two equal ones numbered.
fn unique(names: Vec<String>) -> (Vec<String>, Option<String>) {
    let mut seen = std::collections::BTreeSet::new();
    let mut renamed = Vec::new();
    let mut out = Vec::with_capacity(names.len());
    for name in names {
        let mut free = name.clone();
        let mut n = 2;
        while !seen.insert(free.clone()) {
            free = format!("{name}#{n}");
            n += 1;
        }
        if free != name {
            renamed.push(free.clone());
        }
        out.push(free);
    }
    let remark = (!renamed.is_empty()).then(|| {
        format!("marker names stand twice: which marker is meant is not known; the later are {}", renamed.join(", "))
    });
    (out, remark)
}

/// The text of a marker file in that unit; the cells of gaps are `NaN`, since OpenSim does not count empty cells at the
/// end of a row.
///
/// Names that tabs cannot separate are an error.
pub fn write(trial: &MarkerTrial, unit: LengthUnit) -> Result<String, FormatError> {
    let markers = trial.markers();
    if let Some(bad) = markers.iter().find(|m| m.name.contains(['\t', '\n', '\r']) || m.name.trim() != m.name) {
        return Err(FormatError::Trial(format!("the marker name {:?} cannot stand in a .trc file", bad.name)));
    }
    let name = if trial.name().is_empty() { "trial.trc" } else { trial.name() };
    let (rate, frames) = (number::write(trial.rate()), trial.times().len());
    let mut out = format!(
        "PathFileType\t4\t(X/Y/Z)\t{}\n\
         DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n\
         {rate}\t{rate}\t{frames}\t{}\t{unit}\t{rate}\t1\t{frames}\nFrame#\tTime",
        on_one_line(&name.replace(['\t', '\n', '\r'], " ")),
        markers.len()
    );
    for marker in markers {
        let _ = write!(out, "\t{}\t\t", on_one_line(&marker.name));
    }
    out.push_str("\n\t");
    for i in 1..=markers.len() {
        let _ = write!(out, "\tX{i}\tY{i}\tZ{i}");
    }
    out.push_str("\n\n");
    for (frame, &time) in trial.times().iter().enumerate() {
        let _ = write!(out, "{}\t", frame + 1);
        number::push(&mut out, time);
        for marker in markers {
            match marker.points.get(frame).copied().flatten() {
                Some(p) => p.iter().for_each(|x| {
                    out.push('\t');
                    number::push(&mut out, x / unit.metres());
                }),
                None => out.push_str("\tNaN\tNaN\tNaN"),
            }
        }
        out.push('\n');
    }
    Ok(out)
}

/// The places of a remark, where there are any.
fn remark_at(what: &str, lines: &[usize]) -> Option<String> {
    (!lines.is_empty()).then(|| format!("{what} in line {}", some_of(lines)))
}
