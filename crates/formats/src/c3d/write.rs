//! Writing C3D files: Intel byte order, real numbers.

use super::parameters::{Parameters, Values};
use super::{BLOCK, C3d, FORMAT};
use crate::FormatError;

/// Maximum length of a dimension.
const LARGEST: usize = 255;
/// The last frame number the header can hold.
const LAST: usize = 65535;

/// The bytes of a C3D file: Intel byte order, real numbers, independent of the file from which it was read.
///
/// `POINT`, `ANALOG` and `EVENT` follow the values; other parameters are kept. Channels of unequal length, and more
/// frames, points or parameters than the format can count, are an error.
pub fn write(c3d: &C3d) -> Result<Vec<u8>, FormatError> {
    check_shape(c3d)?;
    let mut parameters = c3d.parameters.clone();
    set_points(c3d, &mut parameters);
    set_analogs(c3d, &mut parameters);
    set_events(c3d, &mut parameters);

    // the length of the section does not depend on the number it holds
    parameters.set("POINT", "DATA_START", &[], Values::Integer(vec![0]));
    let blocks = section(&parameters)?.len() / BLOCK;
    let start = 2 + blocks;
    parameters.set("POINT", "DATA_START", &[], Values::Integer(vec![start as i16]));
    let mut out = header(c3d, start);
    out.extend(section(&parameters)?);
    push_data(c3d, &mut out);
    out.resize(out.len().next_multiple_of(BLOCK), 0);
    Ok(out)
}

fn check_shape(c3d: &C3d) -> Result<(), FormatError> {
    let refuse = |message: String| Err(FormatError::unsupported(FORMAT, message));
    let samples = c3d.frames * c3d.analog_per_frame;
    if let Some(p) = c3d
        .points
        .iter()
        .find(|p| [p.positions.len(), p.residuals.len(), p.cameras.len()].iter().any(|&n| n != c3d.frames))
    {
        return refuse(format!("point `{}` must have one position, residual and camera mask per frame", p.label));
    }
    if let Some(a) = c3d.analogs.iter().find(|a| a.samples.len() != samples) {
        return refuse(format!("channel `{}` has {} samples, the frames need {samples}", a.label, a.samples.len()));
    }
    if c3d.points.len() > LAST || c3d.analogs.len() * c3d.analog_per_frame > LAST {
        return refuse("more than 65535 points or analog values per frame".into());
    }
    Ok(())
}

fn last_frame(c3d: &C3d) -> usize {
    (c3d.first_frame + c3d.frames).saturating_sub(1)
}

/// Value of one step of a stored residual (a byte): the point scale, whose sign means real numbers.
fn residual_step(c3d: &C3d) -> f32 {
    let largest = c3d.points.iter().flat_map(|p| &p.residuals).fold(0.0, |a: f32, &b| a.max(b));
    if largest > 0.0 && largest.is_finite() { largest / 255.0 } else { 1.0 }
}

fn set_points(c3d: &C3d, p: &mut Parameters) {
    p.set("POINT", "USED", &[], Values::Integer(vec![c3d.points.len() as u16 as i16]));
    p.set("POINT", "SCALE", &[], Values::Real(vec![-residual_step(c3d)]));
    p.set("POINT", "RATE", &[], Values::Real(vec![c3d.point_rate as f32]));
    p.set("POINT", "FRAMES", &[], Values::Integer(vec![c3d.frames.min(LAST) as u16 as i16]));
    set_texts(p, "POINT", "UNITS", std::slice::from_ref(&c3d.unit));
    set_texts(p, "POINT", "LABELS", &c3d.points.iter().map(|x| x.label.clone()).collect::<Vec<_>>());
    let words = |n: usize| Values::Integer(vec![(n & 0xffff) as u16 as i16, (n >> 16) as u16 as i16]);
    p.set("TRIAL", "ACTUAL_START_FIELD", &[2], words(c3d.first_frame));
    p.set("TRIAL", "ACTUAL_END_FIELD", &[2], words(last_frame(c3d)));
}

fn set_analogs(c3d: &C3d, p: &mut Parameters) {
    let n = c3d.analogs.len();
    p.set("ANALOG", "USED", &[], Values::Integer(vec![n as u16 as i16]));
    p.set("ANALOG", "GEN_SCALE", &[], Values::Real(vec![1.0]));
    p.set("ANALOG", "RATE", &[], Values::Real(vec![c3d.analog_rate() as f32]));
    set_texts(p, "ANALOG", "LABELS", &c3d.analogs.iter().map(|a| a.label.clone()).collect::<Vec<_>>());
    set_texts(p, "ANALOG", "UNITS", &c3d.analogs.iter().map(|a| a.unit.clone()).collect::<Vec<_>>());
    for (i, start) in (0..n.max(1)).step_by(LARGEST).enumerate() {
        let count = LARGEST.min(n - start.min(n));
        p.set("ANALOG", &part("SCALE", i), &[count], Values::Real(vec![1.0; count]));
        p.set("ANALOG", &part("OFFSET", i), &[count], Values::Integer(vec![0; count]));
    }
}

fn set_events(c3d: &C3d, p: &mut Parameters) {
    let events: Vec<_> = c3d.events.iter().take(LARGEST).collect();
    if events.is_empty() {
        return;
    }
    let times: Vec<f32> =
        events.iter().flat_map(|e| [(e.time / 60.0).floor(), e.time.rem_euclid(60.0)]).map(|x| x as f32).collect();
    p.set("EVENT", "USED", &[], Values::Integer(vec![events.len() as i16]));
    p.set("EVENT", "TIMES", &[2, events.len()], Values::Real(times));
    set_texts(p, "EVENT", "LABELS", &events.iter().map(|e| e.label.clone()).collect::<Vec<_>>());
    set_texts(p, "EVENT", "CONTEXTS", &events.iter().map(|e| e.context.clone()).collect::<Vec<_>>());
}

/// `NAME`, `NAME2`, `NAME3`, …
fn part(name: &str, i: usize) -> String {
    if i == 0 { name.into() } else { format!("{name}{}", i + 1) }
}

/// Texts, in parts of 255.
fn set_texts(p: &mut Parameters, group: &str, name: &str, texts: &[String]) {
    let length = texts.iter().map(String::len).max().unwrap_or(0).clamp(1, LARGEST);
    for (i, texts) in texts.chunks(LARGEST).enumerate() {
        p.set(group, &part(name, i), &[length, texts.len()], Values::Text(texts.to_vec()));
    }
}

/// The header block. It holds frame numbers to 65535; `TRIAL:ACTUAL_END_FIELD` goes on from there.
fn header(c3d: &C3d, start: usize) -> Vec<u8> {
    let mut words = [0u16; BLOCK / 2];
    let real = |x: f32| x.to_bits();
    let (scale, rate) = (real(-residual_step(c3d)), real(c3d.point_rate as f32));
    let fixed: [u16; 12] = [
        0x5002,
        c3d.points.len() as u16,
        (c3d.analogs.len() * c3d.analog_per_frame) as u16,
        c3d.first_frame.min(LAST) as u16,
        last_frame(c3d).min(LAST) as u16,
        0,
        scale as u16,
        (scale >> 16) as u16,
        start as u16,
        c3d.analog_per_frame as u16,
        rate as u16,
        (rate >> 16) as u16,
    ];
    for (word, value) in words.iter_mut().zip(fixed) {
        *word = value;
    }
    words.iter().flat_map(|w| w.to_le_bytes()).collect()
}

/// The parameter section, whole blocks.
fn section(parameters: &Parameters) -> Result<Vec<u8>, FormatError> {
    let mut out = vec![1, 0x50, 0, 84];
    for (i, group) in parameters.groups.iter().enumerate() {
        let id = i8::try_from(i + 1)
            .map_err(|_| FormatError::unsupported(FORMAT, "more than 127 groups of parameters".to_string()))?;
        push_record(&mut out, &group.name, -id, &[0]);
        for p in &group.parameters {
            let content = content(&p.dimensions, &p.values)
                .ok_or_else(|| FormatError::unsupported(FORMAT, format!("{}:{} is too large", group.name, p.name)))?;
            push_record(&mut out, &p.name, id, &content);
        }
    }
    out.push(0);
    out.resize(out.len().next_multiple_of(BLOCK), 0);
    let blocks = u8::try_from(out.len() / BLOCK)
        .map_err(|_| FormatError::unsupported(FORMAT, "the parameters fill more than 255 blocks".to_string()))?;
    if let Some(count) = out.get_mut(2) {
        *count = blocks;
    }
    Ok(out)
}

fn push_record(out: &mut Vec<u8>, name: &str, id: i8, content: &[u8]) {
    let name: Vec<u8> = name.bytes().take(127).collect();
    out.push(name.len() as u8);
    out.push(id as u8);
    out.extend(&name);
    out.extend((2 + content.len() as u16).to_le_bytes());
    out.extend(content);
}

/// Type, dimensions, values and an empty description; `None` where a record could not point past it.
fn content(dimensions: &[usize], values: &Values) -> Option<Vec<u8>> {
    let mut out = vec![];
    let kind: i8 = match values {
        Values::Text(_) => -1,
        Values::Byte(_) => 1,
        Values::Integer(_) => 2,
        Values::Real(_) => 4,
    };
    out.push(kind as u8);
    out.push(u8::try_from(dimensions.len()).ok()?);
    for &d in dimensions {
        out.push(u8::try_from(d).ok()?);
    }
    match values {
        Values::Text(texts) => {
            let length = dimensions.first().copied().unwrap_or(1);
            for text in texts {
                let mut cell: Vec<u8> = text.bytes().take(length).collect();
                cell.resize(length, b' ');
                out.extend(cell);
            }
        }
        Values::Byte(bytes) => out.extend(bytes),
        Values::Integer(v) => out.extend(v.iter().flat_map(|x| x.to_le_bytes())),
        Values::Real(v) => out.extend(v.iter().flat_map(|x| x.to_le_bytes())),
    }
    out.push(0);
    (out.len() + 2 <= i16::MAX as usize).then_some(out)
}

fn push_data(c3d: &C3d, out: &mut Vec<u8>) {
    let real = |out: &mut Vec<u8>, x: f64| out.extend((x as f32).to_le_bytes());
    let step = residual_step(c3d);
    for frame in 0..c3d.frames {
        for point in &c3d.points {
            let position = point.positions.get(frame).copied().flatten();
            let cameras = point.cameras.get(frame).copied().unwrap_or(0);
            let residual = point.residuals.get(frame).copied().unwrap_or(0.0);
            let residual = (residual / step).round().clamp(0.0, 255.0) as u8;
            position.unwrap_or_default().iter().for_each(|&x| real(out, x));
            let word = f64::from(u16::from_le_bytes([residual, cameras & 0x7f]));
            real(out, if position.is_some() { word } else { -1.0 });
        }
        for sample in frame * c3d.analog_per_frame..(frame + 1) * c3d.analog_per_frame {
            for channel in &c3d.analogs {
                real(out, channel.samples.get(sample).copied().unwrap_or(f64::NAN));
            }
        }
    }
}
