//! The rows of a marker file.

use super::{FORMAT, remark_at};
use crate::FormatError;
use crate::number;

/// Frames as found.
pub(super) struct Rows {
    pub(super) times: Vec<f64>,
    /// Points of each marker [m].
    pub(super) points: Vec<Vec<Option<[f64; 3]>>>,
    last_frame: f64,
    skipped: Vec<usize>,
    halves: Vec<usize>,
    standing: Vec<usize>,
    unnamed: Vec<usize>,
    short: Vec<usize>,
    commas: bool,
}

/// Times more cells than bytes, beside `FREE`, that gaps nobody wrote may make: what ends early in every row is no
/// marker file.
const PADDING: usize = 16;
const FREE: usize = 1_000_000;

/// Reads all rows; a row has a frame number, a time and three cells for each of the named markers. Cells after
/// them are of markers nobody named, where the header counts `more` than the named ones, and are left out.
pub(super) fn read<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    markers: usize,
    more: bool,
    metres: f64,
) -> Result<Rows, FormatError> {
    let mut rows = Rows {
        times: Vec::new(),
        points: vec![Vec::new(); markers],
        last_frame: f64::NAN,
        skipped: Vec::new(),
        halves: Vec::new(),
        standing: Vec::new(),
        unnamed: Vec::new(),
        short: Vec::new(),
        commas: false,
    };
    let mut numbers = Vec::with_capacity(2 + 3 * markers);
    let (mut cells, mut bytes) = (0, 0);
    for (line, content) in lines.filter(|(_, l)| !l.trim().is_empty()) {
        let unnamed = split(content, 2 + 3 * markers, more, &mut numbers);
        if unnamed.map_err(|m| FormatError::syntax(FORMAT, line, m))? {
            rows.unnamed.push(line);
        }
        if numbers.len() < 2 + 3 * markers {
            numbers.resize(2 + 3 * markers, f64::NAN);
            rows.short.push(line);
        }
        (cells, bytes) = (cells + numbers.len(), bytes + content.len());
        if cells > PADDING * bytes + FREE {
            let message = format!("rows hold far fewer cells than {markers} markers need; the header is not theirs");
            return Err(FormatError::syntax(FORMAT, line, message));
        }
        rows.push(&numbers, metres, line)?;
        rows.commas |= content.contains(',');
    }
    Ok(rows)
}

/// The numbers of a row, `NaN` for an empty cell: what stands between tabs, or words where that does not fit and
/// there is one for each column. Answers whether there were numbers after those.
fn split(content: &str, columns: usize, more: bool, numbers: &mut Vec<f64>) -> Result<bool, String> {
    let tabbed = if content.contains('\t') { split_tabs(content, columns, more, numbers) } else { Ok(false) };
    if tabbed.is_ok() && content.contains('\t') {
        return tabbed;
    }
    let found = content.split_whitespace().count();
    if found != columns {
        let untabbed =
            format!("{found} numbers for {columns} columns; put tabs between cells so that gaps can be seen");
        return tabbed.and(Err(untabbed));
    }
    numbers.clear();
    for word in content.split_whitespace() {
        numbers.push(number::read(word.trim_matches('"'))?);
    }
    Ok(false)
}

fn split_tabs(content: &str, columns: usize, more: bool, numbers: &mut Vec<f64>) -> Result<bool, String> {
    numbers.clear();
    let mut unnamed = false;
    for (i, cell) in content.split('\t').enumerate() {
        let cell = cell.trim().trim_matches('"');
        match (i < columns, cell.is_empty()) {
            (true, true) => numbers.push(f64::NAN),
            (true, false) => numbers.push(number::read(cell)?),
            (false, true) => {}
            (false, false) if more => unnamed = true,
            (false, false) => return Err(format!("cell {} is one more than the markers need", i + 1)),
        }
    }
    Ok(unnamed)
}

impl Rows {
    fn push(&mut self, numbers: &[f64], metres: f64, line: usize) -> Result<(), FormatError> {
        let (frame, time) = match numbers {
            [frame, time, ..] if time.is_finite() => (*frame, *time),
            _ => return Err(FormatError::syntax(FORMAT, line, "the row has no time; give it one or delete the row")),
        };
        if !self.times.is_empty() && frame != self.last_frame + 1.0 {
            self.skipped.push(line);
        }
        if self.times.last().is_some_and(|&last| time <= last) {
            self.standing.push(line);
        }
        self.last_frame = frame;
        self.times.push(time);
        for (cells, points) in numbers.get(2..).unwrap_or_default().chunks_exact(3).zip(&mut self.points) {
            let seen = cells.iter().filter(|x| x.is_finite()).count();
            if seen == 1 || seen == 2 {
                self.halves.push(line);
            }
            points.push(match cells {
                &[x, y, z] if seen == 3 => Some([x * metres, y * metres, z * metres]),
                _ => None,
            });
        }
        Ok(())
    }

    /// What was found on the way.
    pub(super) fn remarks(&mut self) -> Vec<String> {
        self.halves.dedup();
        [
            remark_at("the frame number does not follow the one before", &self.skipped),
            remark_at("time does not advance", &self.standing),
            remark_at("a marker has one or two of its three coordinates and counts as not seen", &self.halves),
            remark_at("the row ends early and counts as gaps from there on", &self.short),
            remark_at("numbers of markers without a name are left out", &self.unnamed),
            self.commas.then(|| "commas were read as decimal points".to_string()),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
