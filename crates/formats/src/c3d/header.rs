//! The header block, reconciled with the parameters that repeat or extend it.

use super::bytes::Bytes;
use super::parameters::Parameters;
use super::{BLOCK, FORMAT};
use crate::FormatError;
use crate::trial::RATE_TOLERANCE;

/// Shape and scales of the data section.
pub(super) struct Header {
    pub(super) points: usize,
    pub(super) channels: usize,
    /// Analog samples per frame.
    pub(super) samples: usize,
    pub(super) first_frame: usize,
    pub(super) frames: usize,
    /// Units per stored integer; magnitude of the scale also for real files, whose residuals it scales.
    pub(super) scale: f64,
    pub(super) real: bool,
    pub(super) rate: f64,
    /// Offset of the first frame.
    pub(super) start: usize,
    pub(super) remarks: Vec<String>,
    pub(super) warnings: Vec<String>,
}

impl Header {
    /// Reads the header; words are numbered from 1 as in the User Guide.
    pub(super) fn read(bytes: &Bytes, parameters: &Parameters) -> Result<Self, FormatError> {
        let word = |n: usize| bytes.u16(2 * (n - 1)).map(usize::from);
        let real_word = |n: usize| bytes.f32(2 * (n - 1)).map(f64::from);
        let mut remarks = Vec::new();

        let (first_frame, frames) = frame_range(word(4)?, word(5)?, parameters, &mut remarks);
        let scale = parameters.number("POINT", "SCALE").filter(|s| *s != 0.0).unwrap_or(real_word(7)?);
        if !(scale.is_finite() && scale != 0.0) {
            let message = format!("the point scale is {scale}; it must not be zero");
            return Err(FormatError::damaged(FORMAT, 12, message));
        }
        let positive = |x: &f64| *x > 0.0 && x.is_finite();
        let in_header = real_word(11)?;
        let rate = parameters.number("POINT", "RATE").filter(positive).unwrap_or(in_header);
        if !positive(&rate) {
            return Err(FormatError::damaged(FORMAT, 20, format!("the frame rate is {rate} Hz; it must be positive")));
        }
        let (channels, samples) = analog_shape(word(3)?, word(10)?, parameters)?;
        let start = word(9)?.checked_sub(1).map(|block| block * BLOCK).ok_or_else(|| {
            FormatError::damaged(FORMAT, 16, "the data section starts at block 0; blocks are numbered from 1")
        })?;
        let analog_rate = parameters.number("ANALOG", "RATE").filter(|r| positive(r) && channels > 0);
        let warnings = rates_that_differ(rate, in_header, analog_rate.map(|said| (said, samples)));
        let points = word(2)?;
        if points == 0 && channels == 0 {
            remarks.push("the file has neither points nor analog channels".into());
        }
        let mut header = Self {
            points,
            channels,
            samples,
            first_frame,
            // frames without content count as no frames
            frames: if points + channels > 0 { frames } else { 0 },
            scale: scale.abs(),
            real: scale < 0.0,
            rate,
            start,
            remarks,
            warnings,
        };
        header.cut_to_length(bytes)?;
        Ok(header)
    }

    /// Bytes of a stored number.
    pub(super) fn word_size(&self) -> usize {
        if self.real { 4 } else { 2 }
    }

    /// Bytes of a frame.
    pub(super) fn frame_size(&self) -> usize {
        (4 * self.points + self.channels * self.samples) * self.word_size()
    }

    /// Keeps the frames that the file has, with a warning where it is cut off; none at all is an error.
    fn cut_to_length(&mut self, bytes: &Bytes) -> Result<(), FormatError> {
        let there = bytes.data.len().saturating_sub(self.start);
        let (said, size) = (self.frames, self.frame_size());
        match there.checked_div(size) {
            Some(0) if said > 0 => {
                let message = format!(
                    "the header says {said} frames of {size} bytes, the file ends before the first; \
                     it is truncated or its header is wrong"
                );
                Err(FormatError::damaged(FORMAT, bytes.data.len(), message))
            }
            Some(whole) if whole < said => {
                self.frames = whole;
                self.warnings.push(format!(
                    "the file is cut off: the header says {said} frames, the file ends after {whole}; \
                     these are used, get the whole file for the others"
                ));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Warnings of rates that contradict that of the frames \[Hz\]: that of the header block, and that of the analog
/// channels with their samples per frame. All times depend on it.
fn rates_that_differ(rate: f64, in_header: f64, analog: Option<(f64, usize)>) -> Vec<String> {
    let differ = |a: f64, b: f64| (a / b - 1.0).abs() > RATE_TOLERANCE;
    let used = format!("{rate} Hz is used, and all times follow from it: correct the one that is wrong");
    let header = (in_header > 0.0 && in_header.is_finite() && differ(in_header, rate))
        .then(|| format!("POINT:RATE is {rate} Hz, but the header of the file says {in_header} Hz; {used}"));
    let channels = analog.filter(|(said, samples)| differ(*said, rate * *samples as f64)).map(|(said, samples)| {
        let frames = said / samples as f64;
        format!(
            "ANALOG:RATE is {said} Hz with {samples} samples per frame, which is {frames} frames per second, but the \
             frames have {rate} Hz; {used}"
        )
    });
    header.into_iter().chain(channels).collect()
}

/// First frame and number of frames. The header counts to 65535; longer trials have the numbers in parameters.
fn frame_range(first: usize, last: usize, parameters: &Parameters, remarks: &mut Vec<String>) -> (usize, usize) {
    let field = |name: &str| match parameters.counts("TRIAL", name).as_slice() {
        [low, high, ..] => Some(low + 65536 * high),
        _ => None,
    };
    let header = if last >= first { last - first + 1 } else { 0 };
    if let (Some(start), Some(end)) = (field("ACTUAL_START_FIELD"), field("ACTUAL_END_FIELD"))
        && last == 65535
        && end >= start
    {
        return (start, end - start + 1);
    }
    let long = parameters.number("POINT", "LONG_FRAMES").map(|n| n as usize);
    let said = long.or_else(|| parameters.counts("POINT", "FRAMES").first().copied()).filter(|&n| n > 0);
    match said {
        Some(said) if last == 65535 && said > header => (first, said),
        Some(said) if said != header => {
            remarks.push(format!("POINT:FRAMES is {said}, the header says {header} frames; the header is used"));
            (first, header)
        }
        _ => (first, header),
    }
}

/// Channels and samples per frame from their product in the header.
fn analog_shape(total: usize, samples: usize, parameters: &Parameters) -> Result<(usize, usize), FormatError> {
    let used = parameters.counts("ANALOG", "USED").first().copied().unwrap_or(0);
    let samples = match (samples, used) {
        (0, 0) => 1,
        (0, used) => total / used,
        (samples, _) => samples,
    };
    if total == 0 {
        return Ok((0, samples.max(1)));
    }
    if samples == 0 || !total.is_multiple_of(samples) {
        let message =
            format!("{total} analog values per frame are not a whole number of channels at {samples} samples each");
        return Err(FormatError::damaged(FORMAT, 4, message));
    }
    Ok((total / samples, samples))
}
