//! C3D files: points, analog channels and parameters of a motion laboratory in one binary file.
//!
//! Blocks of 512 bytes: a header, parameters, then frames of points followed by analog samples; integers or real
//! numbers; Intel, DEC or MIPS byte order. Source: The C3D File Format User Guide, Motion Lab Systems, and the
//! sample files of c3d.org.
//!
//! [`C3d::markers`] and [`C3d::force_plates`] return the data for the rest of the program, in SI units and in the axes
//! of the laboratory; [`Axes`](crate::trial::Axes) turns them.

mod bytes;
mod data;
mod events;
mod header;
mod parameters;
mod platform;
mod trial;
mod wrench;
mod write;

pub use bytes::Processor;
pub use events::Event;
pub use parameters::{Group, Parameter, Parameters, Values};
pub use platform::{Platform, PlatformType};
pub use wrench::{Baseline, PlateOptions};
pub use write::write;

use crate::FormatError;
use bytes::Bytes;
use header::Header;

pub(crate) const FORMAT: &str = "C3D";

/// Bytes of a block.
const BLOCK: usize = 512;

/// A point over all frames.
#[derive(Clone, Debug, PartialEq)]
pub struct PointChannel {
    /// Its label, such as `LASI` or `Subject:LASI`.
    pub label: String,
    /// Positions in the unit of the file; `None` where the point is invalid.
    pub positions: Vec<Option<[f64; 3]>>,
    /// Residuals of the reconstruction, in the unit of the file; 0 for computed or filled points.
    pub residuals: Vec<f32>,
    /// Cameras that saw the point, one bit per camera for the first seven.
    pub cameras: Vec<u8>,
}

/// An analog channel over all samples.
#[derive(Clone, Debug, PartialEq)]
pub struct AnalogChannel {
    /// Its label.
    pub label: String,
    /// Unit of the samples, as the file writes it.
    pub unit: String,
    /// Samples in that unit: `(stored - OFFSET) · SCALE · GEN_SCALE`. `NaN` where the file has it.
    pub samples: Vec<f64>,
}

/// The content of a C3D file.
#[derive(Clone, Debug, PartialEq)]
pub struct C3d {
    /// Processor it was written for.
    pub processor: Processor,
    /// Whether samples are stored as real numbers (16-bit integers otherwise).
    pub real: bool,
    /// Number of the first frame.
    pub first_frame: usize,
    /// Number of frames.
    pub frames: usize,
    /// Frame rate \[Hz\].
    pub point_rate: f64,
    /// Unit of points and of force-plate geometry, as the file writes it.
    pub unit: String,
    /// All points, also computed ones such as joint angles.
    pub points: Vec<PointChannel>,
    /// Analog samples per frame.
    pub analog_per_frame: usize,
    /// All analog channels.
    pub analogs: Vec<AnalogChannel>,
    /// Events, such as foot strikes.
    pub events: Vec<Event>,
    /// All parameters.
    pub parameters: Parameters,
    /// Remarks for the user.
    pub remarks: Vec<String>,
    /// Warnings of content that the file has lost.
    pub warnings: Vec<String>,
}

impl C3d {
    /// Analog sampling rate \[Hz\].
    pub fn analog_rate(&self) -> f64 {
        self.point_rate * self.analog_per_frame as f64
    }

    /// Time of the first frame \[s\]: frame 1 is at zero.
    pub fn start(&self) -> f64 {
        self.first_frame.saturating_sub(1) as f64 / self.point_rate
    }
}

/// Reads a C3D file.
pub fn read(data: &[u8]) -> Result<C3d, FormatError> {
    let (bytes, base) = open(data)?;
    let data_start = usize::from(bytes.u16(16)?).saturating_sub(1) * BLOCK;
    let parameters = Parameters::read(&bytes, base, if data_start > base { data_start } else { data.len() })?;
    let header = Header::read(&bytes, &parameters)?;
    let points = data::points(&bytes, &header, &parameters)?;
    let analogs = data::analogs(&bytes, &header, &parameters)?;
    let events = events::read(&bytes, &parameters)?;
    let unit = parameters.texts("POINT", "UNITS").first().map(|u| u.to_string()).unwrap_or_default();
    Ok(C3d {
        processor: bytes.processor,
        real: header.real,
        first_frame: header.first_frame,
        frames: header.frames,
        point_rate: header.rate,
        unit,
        points,
        analog_per_frame: header.samples,
        analogs,
        events,
        parameters,
        remarks: header.remarks,
        warnings: header.warnings,
    })
}

/// Checks the marks of a C3D file; returns its byte order and the start of its parameters.
fn open(data: &[u8]) -> Result<(Bytes<'_>, usize), FormatError> {
    let probe = Bytes { data, processor: Processor::Intel };
    if data.is_empty() {
        return Err(FormatError::damaged(FORMAT, 0, "the file is empty"));
    }
    let [block, key] = probe.array(0)?;
    if key != 0x50 || block == 0 {
        let message = format!("the first bytes are {block} and {key}, those of a C3D file are a block number and 80");
        return Err(FormatError::damaged(FORMAT, 0, message));
    }
    let base = (usize::from(block) - 1) * BLOCK;
    let processor = match probe.u8(base + 3)? {
        84 => Processor::Intel,
        85 => Processor::Dec,
        86 => Processor::Mips,
        other => {
            let message = format!("processor type {other}; types are 84 (Intel), 85 (DEC) and 86 (MIPS)");
            return Err(FormatError::damaged(FORMAT, base + 3, message));
        }
    };
    Ok((Bytes { data, processor }, base))
}
