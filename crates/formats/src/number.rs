//! Numbers as text: the shortest digits that read back to the same value.

/// Shortest decimal text of `x` that parses back to the same bits; `NaN`, `Inf` and `-Inf` as OpenSim
/// and NumPy read them.
pub(crate) fn write(x: f64) -> String {
    let mut out = String::new();
    push(&mut out, x);
    out
}

/// Adds the text of [`write`] to a longer one: whole numbers without a point, powers of ten (`1.5e-7`) below 1e-4 and
/// from 1e16 on.
pub(crate) fn push(out: &mut String, x: f64) {
    if x.is_nan() {
        return out.push_str("NaN");
    }
    if x.is_infinite() {
        return out.push_str(if x > 0.0 { "Inf" } else { "-Inf" });
    }
    let mut buffer = zmij::Buffer::new();
    let text = buffer.format_finite(x);
    let (sign, size) = text.strip_prefix('-').map_or(("", text), |size| ("-", size));
    out.push_str(sign);
    if let Some((first, rest)) = size.strip_prefix("0.0000").and_then(|digits| digits.split_at_checked(1)) {
        // the only decade below 1e-4 that the library writes without a power of ten
        out.extend([first, if rest.is_empty() { "" } else { "." }, rest, "e-5"]);
    } else if let Some((digits, power)) = (x.abs() >= 1e16).then(|| size.split_once("e+")).flatten() {
        out.extend([digits, "e", power]);
    } else {
        out.push_str(size.strip_suffix(".0").unwrap_or(size));
    }
}

/// Adds a row of numbers with that text between them, and ends the line.
pub(crate) fn push_row(out: &mut String, row: &[f64], between: char) {
    for (i, &x) in row.iter().enumerate() {
        if i > 0 {
            out.push(between);
        }
        push(out, x);
    }
    out.push('\n');
}

/// Bytes that [`push_row`] takes for most numbers, the separator included.
pub(crate) const USUAL_WIDTH: usize = 20;

/// The number in `text`, or an error message.
///
/// Takes the decimal comma of other locales and the words that C libraries on Windows print for NaN. A text with both a
/// comma and a point is an error: it may be grouped thousands.
pub fn read(text: &str) -> Result<f64, String> {
    if let Ok(x) = text.parse() {
        return Ok(x);
    }
    let decimal_comma = text.matches(',').count() == 1 && !text.contains('.');
    if let (true, Ok(x)) = (decimal_comma, text.replace(',', ".").parse()) {
        return Ok(x);
    }
    match text.trim_start_matches(['+', '-']).to_ascii_uppercase().as_str() {
        "1.#QNAN" | "1.#SNAN" | "1.#IND" | "1.#QNB" | "NAN(IND)" => Ok(f64::NAN),
        "1.#INF" => Ok(if text.starts_with('-') { f64::NEG_INFINITY } else { f64::INFINITY }),
        _ => Err(format!("`{}` is not a number", excerpt(text))),
    }
}

/// Lines with their numbers from 1, whichever of `\n`, `\r\n` and (old Macintosh) `\r` ends them.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let end = if text.contains('\n') { '\n' } else { '\r' };
    text.split(end).enumerate().map(|(i, line)| (i + 1, line.strip_suffix('\r').unwrap_or(line)))
}

/// At most `LONGEST` of the places, for a remark.
pub(crate) fn some_of(places: &[usize]) -> String {
    const LONGEST: usize = 5;
    let first: Vec<String> = places.iter().take(LONGEST).map(usize::to_string).collect();
    let more = if places.len() > LONGEST { format!(" and {} more", places.len() - LONGEST) } else { String::new() };
    format!("{}{more}", first.join(", "))
}

/// Digits after the decimal point of the last number of a row; `None` for a number without a point or with a power of
/// ten.
pub(crate) fn last_decimals(row: &str) -> Option<usize> {
    let cell = row.trim_end().rsplit(['\t', ' ', ',', ';']).next()?;
    let (_, decimals) = cell.split_once('.')?;
    decimals.bytes().all(|b| b.is_ascii_digit()).then_some(decimals.len())
}

/// Digits of the last numbers of rows, from which a number that was cut off can be told: it has fewer than that of all
/// other rows, and no line end after it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cut {
    /// The least of the rows before the last one.
    least: Option<usize>,
    last: Option<usize>,
    rows: usize,
}

impl Cut {
    /// Rows from which the number of digits is known.
    const ROWS: usize = 5;

    /// Counts a row.
    pub(crate) fn add(&mut self, row: &str) {
        if self.rows > 0 {
            let before = self.last.unwrap_or(0);
            self.least = Some(self.least.map_or(before, |least| least.min(before)));
        }
        self.last = last_decimals(row);
        self.rows += 1;
    }

    /// A remark on a last number that is cut off; `ended` says that there is a line end after it.
    pub(crate) fn remark(&self, ended: bool) -> Option<String> {
        let (least, last) = (self.least?, self.last.unwrap_or(0));
        (!ended && self.rows > Self::ROWS && last < least).then(|| {
            format!(
                "the file ends without a line end, and its last number has {last} digits after the point where all \
                 other rows have {least} or more: the file is cut off; get the whole file, or delete the last row"
            )
        })
    }
}

/// The first characters of a text, for messages.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.into(),
    }
}

/// Bytes as UTF-8 text without a byte-order mark, or the line of the first invalid byte.
pub fn text(bytes: &[u8]) -> Result<&str, (usize, String)> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let before = bytes.get(..e.valid_up_to()).unwrap_or_default();
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        (line, "the text is not UTF-8; save the file as UTF-8 or plain ASCII".into())
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}
