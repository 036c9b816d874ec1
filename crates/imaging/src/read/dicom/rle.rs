//! Pixels packed as run lengths of byte planes. Source: DICOM PS3.5, annex G.

/// The pixels of an image, least significant byte first.
pub fn unpacked(bytes: &[u8], count: usize, width: usize) -> Result<Vec<u8>, String> {
    let word = |n: usize| bytes.get(4 * n..4 * n + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    let cut_off = || "the packed pixels are cut off".to_string();
    let segments = word(0).ok_or_else(cut_off)?;
    if segments != width {
        return Err(format!("there are {segments} byte planes for pixels of {width} bytes; the file is damaged"));
    }
    // a packet of two bytes makes 128 at most
    if count > 64 * bytes.len() {
        return Err(cut_off());
    }
    let mut out = vec![0; count * width];
    for segment in 0..segments {
        let start = word(1 + segment).ok_or_else(cut_off)?;
        let end = if segment + 1 < segments { word(2 + segment).ok_or_else(cut_off)? } else { bytes.len() };
        let packed = bytes.get(start..end).ok_or_else(cut_off)?;
        let plane = plane(packed, count)?;
        // the most significant byte plane is first
        let offset = width - 1 - segment;
        out.iter_mut().skip(offset).step_by(width).zip(plane).for_each(|(byte, value)| *byte = value);
    }
    Ok(out)
}

fn plane(packed: &[u8], count: usize) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut rest = packed;
    while out.len() < count {
        let Some((&control, after)) = rest.split_first() else { break };
        rest = match control {
            0..=127 => {
                let length = (usize::from(control) + 1).min(after.len());
                let (literal, after) = after.split_at(length);
                out.extend_from_slice(literal);
                after
            }
            128 => after,
            129..=255 => {
                let Some((&value, after)) = after.split_first() else { break };
                out.extend(std::iter::repeat_n(value, 257 - usize::from(control)));
                after
            }
        };
    }
    if out.len() < count {
        return Err("the packed pixels are cut off".into());
    }
    out.truncate(count);
    Ok(out)
}
