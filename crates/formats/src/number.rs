//! Numbers as text: the shortest digits that read back to the same value.

/// Shortest decimal text of `x` that parses back to the same bits; `NaN`, `Inf` and `-Inf` as OpenSim
/// and NumPy read them.
pub(crate) fn write(x: f64) -> String {
    if x.is_nan() {
        return "NaN".into();
    }
    if x.is_infinite() {
        return if x > 0.0 { "Inf" } else { "-Inf" }.into();
    }
    let text = format!("{x:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.into(),
        None => text,
    }
}

/// The number in `text`, or what is wrong with it.
pub(crate) fn read(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("`{}` is not a number", excerpt(text)))
}

/// The first characters of a text, for messages.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into(),
    }
}

/// Bytes as UTF-8 text without a byte-order mark, or the line of the first byte that is none.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, (usize, String)> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let before = bytes.get(..e.valid_up_to()).unwrap_or_default();
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        (line, "the text is not UTF-8; save the file as UTF-8 or plain ASCII".into())
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}
