//! The data section: frames of points and analog samples.

use super::bytes::{Bytes, Processor, f32_from, u16_from};
use super::header::Header;
use super::parameters::Parameters;
use super::{AnalogChannel, PointChannel};
use crate::FormatError;

/// All points.
///
/// Integer files: `x = SCALE · stored`, the fourth word holds residual (low byte, times SCALE) and cameras (high
/// byte) and is negative for an invalid point. Real files store x itself and the fourth word as a real number.
pub(super) fn points(
    bytes: &Bytes,
    header: &Header,
    parameters: &Parameters,
) -> Result<Vec<PointChannel>, FormatError> {
    let labels = parameters.texts("POINT", "LABELS");
    let mut channels: Vec<PointChannel> = (0..header.points)
        .map(|i| PointChannel {
            label: labels
                .get(i)
                .filter(|l| !l.is_empty())
                .map_or_else(|| format!("point {}", i + 1), |l| l.to_string()),
            positions: Vec::with_capacity(header.frames),
            residuals: Vec::with_capacity(header.frames),
            cameras: Vec::with_capacity(header.frames),
        })
        .collect();
    for frame in 0..header.frames {
        let at = header.start + frame * header.frame_size();
        let raw = bytes.slice(at, 4 * header.points * header.word_size())?;
        for (channel, four) in channels.iter_mut().zip(raw.chunks_exact(4 * header.word_size())) {
            let sample = if header.real {
                real_point(four, header.scale, bytes.processor)
            } else {
                integer_point(four, header.scale, bytes.processor)
            };
            channel.positions.push(sample.0);
            channel.residuals.push(sample.1);
            channel.cameras.push(sample.2);
        }
    }
    Ok(channels)
}

type PointSample = (Option<[f64; 3]>, f32, u8);

fn real_point(raw: &[u8], scale: f64, processor: Processor) -> PointSample {
    match raw.as_chunks().0 {
        &[x, y, z, w] => {
            let [x, y, z, w] = [x, y, z, w].map(|b| f64::from(f32_from(b, processor)));
            sample([x, y, z], w, scale)
        }
        _ => (None, 0.0, 0),
    }
}

fn integer_point(raw: &[u8], scale: f64, processor: Processor) -> PointSample {
    match raw.as_chunks().0 {
        &[x, y, z, w] => {
            let [x, y, z, w] = [x, y, z, w].map(|b| f64::from(u16_from(b, processor) as i16));
            sample([x * scale, y * scale, z * scale], w, scale)
        }
        _ => (None, 0.0, 0),
    }
}

/// A point with the content of its fourth word; a coordinate that is not finite makes it invalid too.
fn sample(position: [f64; 3], word: f64, scale: f64) -> PointSample {
    if !(word >= 0.0) || position.iter().any(|x| !x.is_finite()) {
        return (None, 0.0, 0);
    }
    let word = word as u16;
    let [residual, cameras] = word.to_le_bytes();
    (Some(position), (f64::from(residual) * scale) as f32, cameras & 0x7f)
}

/// All analog channels, scaled.
///
/// `value = (stored - OFFSET) · SCALE · GEN_SCALE`. Integers are without sign where `ANALOG:FORMAT` says
/// `UNSIGNED`, and then offsets are too. `ANALOG:GAIN` only documents the amplifier and is not applied.
pub(super) fn analogs(
    bytes: &Bytes,
    header: &Header,
    parameters: &Parameters,
) -> Result<Vec<AnalogChannel>, FormatError> {
    let Header { channels: count, samples, .. } = *header;
    if count == 0 {
        return Ok(Vec::new());
    }
    let unsigned = parameters.texts("ANALOG", "FORMAT").first().is_some_and(|f| f.eq_ignore_ascii_case("UNSIGNED"));
    let scaling = scaling(parameters, unsigned);
    let mut channels: Vec<AnalogChannel> =
        (0..count).map(|i| channel(i, header.frames * samples, parameters)).collect();
    let offset = 4 * header.points * header.word_size();
    for frame in 0..header.frames {
        let at = header.start + frame * header.frame_size() + offset;
        let raw = bytes.slice(at, count * samples * header.word_size())?;
        for (i, word) in raw.chunks_exact(header.word_size()).enumerate() {
            let stored = stored(word, unsigned, bytes.processor);
            if let Some(channel) = channels.get_mut(i % count) {
                channel.samples.push(scaling(i % count, stored));
            }
        }
    }
    Ok(channels)
}

fn stored(word: &[u8], unsigned: bool, processor: Processor) -> f64 {
    match *word {
        [a, b] if unsigned => f64::from(u16_from([a, b], processor)),
        [a, b] => f64::from(u16_from([a, b], processor) as i16),
        [a, b, c, d] => f64::from(f32_from([a, b, c, d], processor)),
        _ => f64::NAN,
    }
}

fn channel(i: usize, capacity: usize, parameters: &Parameters) -> AnalogChannel {
    let text = |name: &str| parameters.texts("ANALOG", name).get(i).map(|t| t.to_string()).unwrap_or_default();
    let label = Some(text("LABELS")).filter(|l| !l.is_empty()).unwrap_or_else(|| format!("channel {}", i + 1));
    AnalogChannel { label, unit: text("UNITS"), samples: Vec::with_capacity(capacity) }
}

/// The scaling of each channel, from `SCALE`, `SCALE2`, … and `OFFSET`, `OFFSET2`, ….
fn scaling(parameters: &Parameters, unsigned: bool) -> impl Fn(usize, f64) -> f64 {
    let parts = |name: &'static str| (1..).map(move |n| if n == 1 { name.to_string() } else { format!("{name}{n}") });
    let general = parameters.number("ANALOG", "GEN_SCALE").unwrap_or(1.0);
    let scales: Vec<f64> =
        parts("SCALE").map_while(|n| parameters.get("ANALOG", &n)).flat_map(|p| p.numbers()).collect();
    let offsets: Vec<f64> = parts("OFFSET")
        .map_while(|n| parameters.get("ANALOG", &n))
        .flat_map(|p| if unsigned { p.counts().into_iter().map(|c| c as f64).collect() } else { p.numbers() })
        .collect();
    move |i, stored| {
        let scale = scales.get(i).copied().unwrap_or(1.0);
        (stored - offsets.get(i).copied().unwrap_or(0.0)) * scale * general
    }
}
