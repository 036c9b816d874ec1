//! A marker file frame by frame.

use super::header::Header;
use super::lines::{Lines, Writing};
use super::rows::Rows;
use super::{settle_rate, unique};
use crate::FormatError;
use crate::trial::{LengthUnit, ZeroRuns, Zeros, without_subjects};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use wolff_files::input;

/// Content of a marker file except the marker positions.
#[derive(Clone, Debug)]
pub struct Survey {
    /// Name of the trial.
    pub name: String,
    /// Frames a second \[Hz\].
    pub rate: f64,
    /// Time of each frame \[s\].
    pub times: Vec<f64>,
    /// Names of the markers, in the order of the file.
    pub names: Vec<String>,
    /// Unit of the file.
    pub unit: LengthUnit,
    /// Remarks for the user.
    pub remarks: Vec<String>,
    /// Warnings of content that the file has lost.
    pub warnings: Vec<String>,
    /// Zeros that are gaps.
    pub(super) zeros: ZeroRuns,
}

/// A marker file that stays on disk. Opening it reads it through, so that nothing is wrong with it later; of the frames
/// their times are kept.
#[derive(Clone, Debug)]
pub struct FrameFile {
    path: PathBuf,
    writing: Writing,
    survey: Survey,
}

impl FrameFile {
    /// Reads a file through, by the rules of [`super::read`].
    pub fn open(path: &Path) -> Result<Self, FormatError> {
        Self::open_in(path, None)
    }

    /// The same; `unit`, where given, replaces that of the header.
    pub fn open_in(path: &Path, unit: Option<LengthUnit>) -> Result<Self, FormatError> {
        let wrong = |e: io::Error| FormatError::io("read", path, e);
        let recorded = input::open(path).map_err(wrong)?;
        let writing = Writing::of(&mut BufReader::new(recorded)).map_err(wrong)?;
        let survey = Frames::new(buffered(path)?, writing, path, unit)?.survey(|_| ())?;
        Ok(FrameFile { path: path.into(), writing, survey })
    }

    /// Content of the file except positions.
    pub fn survey(&self) -> &Survey {
        &self.survey
    }

    /// Its frames from the first one on.
    pub fn frames(&self) -> Result<Frames<impl BufRead>, FormatError> {
        let frames = Frames::new(buffered(&self.path)?, self.writing, &self.path, Some(self.survey.unit))?;
        Ok(Frames { zeros: self.survey.zeros.clone(), ..frames })
    }
}

fn buffered(path: &Path) -> Result<BufReader<File>, FormatError> {
    input::reopen(path).map(BufReader::new).map_err(|e| FormatError::io("read", path, e))
}

/// The frames of a marker file, one in memory at a time.
pub struct Frames<R: BufRead> {
    pub(super) header: Header,
    lines: Lines<R>,
    rows: Rows,
    writing: Writing,
    unit: LengthUnit,
    path: PathBuf,
    /// Number of the next frame, and the points that are not seen though they are zeros.
    next: usize,
    zeros: ZeroRuns,
}

impl<R: BufRead> Frames<R> {
    /// Reads the header; `unit`, where given, replaces that of the header.
    pub(super) fn new(source: R, writing: Writing, path: &Path, unit: Option<LengthUnit>) -> Result<Self, FormatError> {
        let mut lines = Lines::new(source, writing);
        let header = Header::read(&mut lines);
        if let Some(e) = lines.failure() {
            return Err(FormatError::io("read", path, e));
        }
        let header = header?;
        let unit = header.unit(unit)?;
        let more = header.number("NumMarkers").is_some_and(|n| n > header.names.len() as f64);
        let rows = Rows::new(header.names.len(), more, unit.metres());
        Ok(Frames { header, lines, rows, writing, unit, path: path.into(), next: 0, zeros: ZeroRuns::default() })
    }

    /// The time \[s\] of the next frame, or nothing after the last; its points \[m\], one a marker, replace those that
    /// are there.
    pub fn next_frame(&mut self, points: &mut Vec<Option<[f64; 3]>>) -> Result<Option<f64>, FormatError> {
        let row = self.lines.find(|(_, l)| !l.trim().is_empty());
        match (row, self.lines.failure()) {
            (_, Some(e)) => Err(FormatError::io("read", &self.path, e)),
            (Some((line, content)), None) => {
                let time = self.rows.read(line, &content, points)?;
                for (i, point) in points.iter_mut().enumerate() {
                    if self.zeros.contains(i, self.next) {
                        *point = None;
                    }
                }
                self.next += 1;
                Ok(Some(time))
            }
            (None, None) => Ok(None),
        }
    }

    /// Reads all frames and returns the other content of the file; `each` receives the points of each frame.
    pub(super) fn survey(&mut self, mut each: impl FnMut(&[Option<[f64; 3]>])) -> Result<Survey, FormatError> {
        let (mut times, mut points) = (Vec::new(), Vec::new());
        let mut zeros = Zeros::new(self.header.names.len());
        while let Some(time) = self.next_frame(&mut points)? {
            times.push(time);
            zeros.add(points.iter().copied());
            each(&points);
        }
        let foreign = |line: usize| format!("line {line} is not UTF-8; the file was read as Latin-1");
        let mut remarks: Vec<String> = self.writing.foreign.map(foreign).into_iter().collect();
        remarks.extend(self.header.remarks());
        let mut warnings: Vec<String> = self.header.lost(times.len()).into_iter().chain(self.rows.lost()).collect();
        warnings.extend(self.rows.cut.remark(self.lines.ended()));
        remarks.extend(self.rows.remarks());
        let (names, shortened) = without_subjects(self.header.names.clone());
        let (names, renamed) = unique(names);
        remarks.extend(shortened);
        warnings.extend(renamed);
        let zeros = zeros.finish();
        remarks.extend(zeros.remark(names.iter().map(String::as_str)));
        let rate = settle_rate(&self.header, &times, &mut remarks, &mut warnings)?;
        let name = self.header.file_name.clone();
        Ok(Survey { name, rate, times, names, unit: self.unit, remarks, warnings, zeros })
    }
}
