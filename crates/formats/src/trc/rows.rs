//! The rows of a marker file.

use super::{FORMAT, remark_at};
use crate::FormatError;
use crate::number;

/// Reads rows one by one, and records their faults; a row has a frame number, a time and three cells for each of the
/// named markers. Further cells belong to markers without a name, where the header counts `more` than the named ones,
/// and are ignored.
pub(super) struct Rows {
    markers: usize,
    more: bool,
    metres: f64,
    numbers: Vec<f64>,
    /// Frame number and time of the row before.
    last: Option<[f64; 2]>,
    cells: usize,
    bytes: usize,
    skipped: Vec<usize>,
    halves: Vec<usize>,
    standing: Vec<usize>,
    unnamed: Vec<usize>,
    short: Vec<usize>,
    commas: bool,
    /// Digits of the last numbers of rows.
    pub(super) cut: number::Cut,
}

/// Times more cells than bytes, beside `FREE`, that gaps nobody wrote may make: what ends early in every row is no
/// marker file.
const PADDING: usize = 16;
const FREE: usize = 1_000_000;

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
    pub(super) fn new(markers: usize, more: bool, metres: f64) -> Self {
        Rows {
            markers,
            more,
            metres,
            numbers: Vec::with_capacity(2 + 3 * markers),
            last: None,
            cells: 0,
            bytes: 0,
            skipped: Vec::new(),
            halves: Vec::new(),
            standing: Vec::new(),
            unnamed: Vec::new(),
            short: Vec::new(),
            commas: false,
            cut: number::Cut::default(),
        }
    }

    /// The time \[s\] of a row; its points \[m\] replace those that are there.
    pub(super) fn read(
        &mut self,
        line: usize,
        content: &str,
        points: &mut Vec<Option<[f64; 3]>>,
    ) -> Result<f64, FormatError> {
        let columns = 2 + 3 * self.markers;
        let unnamed = split(content, columns, self.more, &mut self.numbers);
        if unnamed.map_err(|m| FormatError::syntax(FORMAT, line, m))? {
            self.unnamed.push(line);
        }
        if self.numbers.len() < columns {
            self.numbers.resize(columns, f64::NAN);
            self.short.push(line);
        }
        (self.cells, self.bytes) = (self.cells + columns, self.bytes + content.len());
        if self.cells > PADDING * self.bytes + FREE {
            let markers = self.markers;
            let message = format!("rows hold far fewer cells than {markers} markers need; the header is not theirs");
            return Err(FormatError::syntax(FORMAT, line, message));
        }
        self.commas |= content.contains(',');
        self.cut.add(content);
        self.points(line, points)
    }

    fn points(&mut self, line: usize, points: &mut Vec<Option<[f64; 3]>>) -> Result<f64, FormatError> {
        let (frame, time) = match self.numbers[..] {
            [frame, time, ..] if time.is_finite() => (frame, time),
            _ => return Err(FormatError::syntax(FORMAT, line, "the row has no time; give it one or delete the row")),
        };
        if let Some([last_frame, last_time]) = self.last {
            if frame != last_frame + 1.0 {
                self.skipped.push(line);
            }
            if time <= last_time {
                self.standing.push(line);
            }
        }
        self.last = Some([frame, time]);
        points.clear();
        for cells in self.numbers.get(2..).unwrap_or_default().chunks_exact(3) {
            let seen = cells.iter().filter(|x| x.is_finite()).count();
            if (seen == 1 || seen == 2) && self.halves.last() != Some(&line) {
                self.halves.push(line);
            }
            points.push(match cells {
                &[x, y, z] if seen == 3 => Some([x * self.metres, y * self.metres, z * self.metres]),
                _ => None,
            });
        }
        Ok(time)
    }

    /// Rows without all of their numbers.
    pub(super) fn lost(&self) -> Option<String> {
        remark_at("the row ends early and counts as gaps from there on", &self.short)
    }

    /// Remarks on the rows.
    pub(super) fn remarks(&self) -> Vec<String> {
        [
            remark_at("the frame number does not follow the one before", &self.skipped),
            remark_at("time does not advance", &self.standing),
            remark_at("a marker has one or two of its three coordinates and counts as not seen", &self.halves),
            remark_at("numbers of markers without a name are ignored", &self.unnamed),
            self.commas.then(|| "commas were read as decimal points".to_string()),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}
