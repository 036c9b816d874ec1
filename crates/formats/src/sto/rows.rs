//! The table of a storage file.

use super::{FORMAT, TimePolicy};
use crate::FormatError;
use crate::number::{self, some_of};

/// What stands between cells, and how many numbers are in one.
pub(super) struct Layout {
    pub(super) labels: Vec<String>,
    components: usize,
    commas_between: bool,
}

/// The rows as found.
pub(super) struct Body {
    pub(super) rows: Vec<Vec<f64>>,
    /// Rows in the file, also those dropped.
    pub(super) found: usize,
    pub(super) remarks: Vec<String>,
}

impl Layout {
    /// From the line of labels. Labels may hold spaces when tabs stand between them.
    pub(super) fn new(line: &str, components: usize) -> Self {
        let line = line.trim();
        let commas_between = components == 1 && line.contains(',') && !line.contains(char::is_whitespace);
        let cells: Vec<&str> = if line.contains('\t') {
            line.split('\t').collect()
        } else if commas_between {
            line.split(',').collect()
        } else {
            line.split_whitespace().collect()
        };
        let labels = cells.into_iter().map(bare).filter(|l| !l.is_empty()).map(String::from).collect();
        Self { labels, components, commas_between }
    }

    /// Labels with vectors spread over columns.
    pub(super) fn flat_labels(&self) -> Vec<String> {
        let flat = |(i, label): (usize, &String)| match self.components {
            n if n > 1 && i > 0 => (1..=n).map(|k| format!("{label}_{k}")).collect(),
            _ => vec![label.clone()],
        };
        self.labels.iter().enumerate().flat_map(flat).collect()
    }

    /// The cells of a row: words, or what stands between tabs (or commas) when cells are empty or hold spaces.
    fn cells<'a>(&self, content: &'a str) -> Vec<&'a str> {
        if self.commas_between {
            return content.split(',').map(bare).collect();
        }
        let words: Vec<&str> = content.split_whitespace().map(bare).collect();
        if words.len() == self.labels.len() || !content.contains('\t') {
            return words;
        }
        let mut cells: Vec<&str> = content.split('\t').map(bare).collect();
        while cells.len() > self.labels.len() && cells.last().is_some_and(|c| c.is_empty()) {
            cells.pop();
        }
        cells
    }

    fn row(&self, content: &str) -> Result<Vec<f64>, String> {
        let cells = self.cells(content);
        if cells.len() != self.labels.len() {
            return Err(format!("{} values for {} labels", cells.len(), self.labels.len()));
        }
        let mut row = Vec::with_capacity(1 + (cells.len() - 1) * self.components);
        for (i, cell) in cells.into_iter().enumerate() {
            match self.components {
                n if n > 1 && i > 0 => row.extend(vector(cell, n)?),
                _ => row.push(scalar(cell)?),
            }
        }
        Ok(row)
    }
}

fn bare(cell: &str) -> &str {
    cell.trim().trim_matches('"').trim()
}

fn scalar(cell: &str) -> Result<f64, String> {
    if cell.is_empty() { Ok(f64::NAN) } else { number::read(cell) }
}

fn vector(cell: &str, components: usize) -> Result<Vec<f64>, String> {
    if cell.is_empty() || cell.eq_ignore_ascii_case("nan") {
        return Ok(vec![f64::NAN; components]);
    }
    let inside = cell.trim_matches(['(', ')', '[', ']', '~']);
    let numbers: Vec<f64> = inside.split(',').map(|c| number::read(c.trim())).collect::<Result<_, _>>()?;
    if numbers.len() == components {
        Ok(numbers)
    } else {
        Err(format!("the cell `{}` has {} numbers, its type has {components}", number::excerpt(cell), numbers.len()))
    }
}

/// Reads the rows under the labels; `ended` says that there is a line end after the last one.
pub(super) fn read<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    layout: &Layout,
    policy: TimePolicy,
    ended: bool,
) -> Result<Body, FormatError> {
    let mut body = Body { rows: Vec::new(), found: 0, remarks: Vec::new() };
    let (mut repeated, mut backward, mut commas) = (Vec::new(), Vec::new(), false);
    let mut cut = number::Cut::default();
    let mut last = f64::NEG_INFINITY;
    for (line, content) in lines {
        let row = layout.row(content).map_err(|m| FormatError::syntax(FORMAT, line, m))?;
        commas |= layout.components == 1 && !layout.commas_between && content.contains(',');
        body.found += 1;
        cut.add(content);
        let time = row.first().copied().unwrap_or(f64::NAN);
        if time.is_nan() {
            return Err(FormatError::syntax(FORMAT, line, "the row has no time; give it one or delete the row"));
        }
        let advances = time > last;
        if !advances {
            refuse_time(policy, time, last, line)?;
            if time == last { repeated.push(line) } else { backward.push(line) }
        }
        if advances || policy != TimePolicy::KeepFirst {
            body.rows.push(row);
        }
        last = if policy == TimePolicy::KeepFirst { last.max(time) } else { time };
    }
    let did = if policy == TimePolicy::KeepFirst { "those rows are left out" } else { "those rows are kept" };
    let lines = |what: &str, places: &[usize]| {
        (!places.is_empty()).then(|| format!("time {what} in line {}; {did}", some_of(places)))
    };
    body.remarks.extend(cut.remark(ended));
    body.remarks.extend(lines("is repeated", &repeated));
    body.remarks.extend(lines("goes back", &backward));
    body.remarks.extend(commas.then(|| "commas were read as decimal points".to_string()));
    Ok(body)
}

fn refuse_time(policy: TimePolicy, time: f64, last: f64, line: usize) -> Result<(), FormatError> {
    if policy != TimePolicy::Refuse {
        return Ok(());
    }
    let message = format!("time is {time} s after {last} s; times must increase: delete the row or correct its time");
    Err(FormatError::syntax(FORMAT, line, message))
}
