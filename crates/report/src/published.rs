//! Tables of results next to published ones.

use crate::{digits, naming};
use serde::Serialize;

/// A table of results next to published ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// File stem.
    pub name: String,
    /// The compared quantity.
    pub title: String,
    /// Headings of the cells, with units.
    pub columns: Vec<String>,
    /// Rows, in their order of display.
    pub rows: Vec<TableRow>,
}

/// A row of a [`Table`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableRow {
    /// Origin of the numbers, as a label.
    pub label: String,
    /// Kind of the origin: this run, a measurement or another model.
    pub kind: RowKind,
    /// Publication and conditions; may be empty.
    pub source: String,
    /// One cell per column; missing cells at the end are empty.
    pub cells: Vec<Cell>,
}

/// Kind of the origin of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RowKind {
    /// This run.
    Own,
    /// Measured on people or specimens.
    Measured,
    /// Computed by a published model.
    Model,
}

impl RowKind {
    /// The word used in files.
    pub fn word(self) -> &'static str {
        match self {
            RowKind::Own => "own",
            RowKind::Measured => "measured",
            RowKind::Model => "model",
        }
    }
}

/// A cell of a [`Table`]. In JSON a number, a text or null.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number in the unit of its column.
    Number(f64),
    /// A text, such as `505 mean, 989 peak`.
    Text(String),
    /// Not reported.
    Empty,
}

impl Cell {
    /// The cell for display: numbers with four digits.
    fn shown(&self) -> String {
        match self {
            Cell::Number(x) if x.is_finite() => digits::short(*x),
            Cell::Number(_) => "not finite".into(),
            Cell::Text(text) => text.clone(),
            Cell::Empty => "–".into(),
        }
    }
}

/// A [`Table`] for display.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Headings, and whether their columns hold numbers.
    pub header: Vec<(String, bool)>,
    /// Lines of texts, one per heading; each with the kind of its row, unless the table is transposed.
    pub lines: Vec<(Option<RowKind>, Vec<String>)>,
    /// The sources, each once; labels refer to them by their numbers: `Burr et al. 1996 [2]`.
    pub notes: Vec<String>,
}

/// Headings, and whether their columns hold numbers.
type Header = Vec<(String, bool)>;

/// Lines of texts, each with the kind of its row.
type Lines = Vec<(Option<RowKind>, Vec<String>)>;

/// Tables with more columns than this are transposed if they have fewer rows, so that their rows become columns.
const MOST_COLUMNS: usize = 7;

impl Table {
    /// One line per row with label, kind and cells; in a table with many columns, one line per column.
    pub fn layout(&self) -> Layout {
        let notes = Notes::new(self.rows.iter().map(|row| row.source.as_str()));
        let is_wide = self.columns.len() > MOST_COLUMNS.max(self.rows.len());
        let (header, lines) = if is_wide { self.turned(&notes) } else { self.upright(&notes) };
        Layout { header, lines, notes: notes.texts() }
    }

    /// Whether the rows have different origins; otherwise their kind need not be told.
    fn is_mixed(&self) -> bool {
        self.rows.iter().any(|row| row.kind != RowKind::Own || !row.source.is_empty())
    }

    fn upright(&self, notes: &Notes) -> (Header, Lines) {
        let kinds = usize::from(self.is_mixed());
        let has_number = |i| self.rows.iter().any(|row| matches!(cell(row, i), Cell::Number(_)));
        let columns = self.columns.iter().enumerate().map(|(i, column)| (naming::heading(column), has_number(i)));
        let words = |title: &str| (title.to_string(), false);
        let line = |row: &TableRow| {
            let cells = (0..self.columns.len()).map(|i| cell(row, i).shown());
            let first = [notes.referred(&row.label, &row.source), row.kind.word().into()].into_iter();
            (Some(row.kind), first.take(1 + kinds).chain(cells).collect())
        };
        let first = [words("from"), words("kind")].into_iter().take(1 + kinds);
        (first.chain(columns).collect(), self.rows.iter().map(line).collect())
    }

    fn turned(&self, notes: &Notes) -> (Header, Lines) {
        let line = |(i, column): (usize, &String)| {
            let cells = self.rows.iter().map(|row| cell(row, i).shown());
            (None, std::iter::once(naming::heading(column)).chain(cells).collect())
        };
        let mixed = self.is_mixed();
        let heading = |row: &TableRow| match mixed {
            true => (notes.referred(&format!("{} ({})", row.label, row.kind.word()), &row.source), true),
            false => (row.label.clone(), true),
        };
        let header = std::iter::once(("quantity".into(), false)).chain(self.rows.iter().map(heading)).collect();
        (header, self.columns.iter().enumerate().map(line).collect())
    }

    /// All numbers with all digits, for a file: label, kind, cells and source under their headings.
    pub fn records(&self) -> Vec<Vec<String>> {
        let written = |cell: &Cell| match cell {
            Cell::Number(x) => x.to_string(),
            Cell::Text(text) => text.clone(),
            Cell::Empty => String::new(),
        };
        let record = |row: &TableRow| {
            let cells = (0..self.columns.len()).map(|i| written(cell(row, i)));
            let first = [row.label.clone(), row.kind.word().into()].into_iter();
            first.chain(cells).chain([row.source.clone()]).collect()
        };
        let columns = self.columns.iter().cloned();
        let header = ["label".into(), "kind".into()].into_iter().chain(columns).chain(["source".into()]).collect();
        std::iter::once(header).chain(self.rows.iter().map(record)).collect()
    }
}

/// The cell of a row in a column; empty where the row has fewer cells.
fn cell(row: &TableRow, column: usize) -> &Cell {
    row.cells.get(column).unwrap_or(&Cell::Empty)
}

/// Sources as numbered notes below a table, each once.
#[derive(Clone, Debug, Default)]
pub struct Notes<'a>(Vec<&'a str>);

/// The source of numbers of the run itself, which needs no note.
const THIS_RUN: &str = "this run";

impl<'a> Notes<'a> {
    /// Numbers the sources in their order; empty ones have no number.
    pub fn new(sources: impl IntoIterator<Item = &'a str>) -> Self {
        let mut notes = Vec::new();
        for source in sources.into_iter().filter(|source| !source.is_empty() && *source != THIS_RUN) {
            if !notes.contains(&source) {
                notes.push(source);
            }
        }
        Self(notes)
    }

    /// The reference to a source, such as `[2]`; empty if it has no number.
    pub fn reference(&self, source: &str) -> String {
        self.0.iter().position(|note| *note == source).map_or_else(String::new, |i| format!("[{}]", i + 1))
    }

    /// A text with the reference to its source.
    pub fn referred(&self, text: &str, source: &str) -> String {
        format!("{text} {}", self.reference(source)).trim_end().into()
    }

    /// The notes with their numbers.
    pub fn texts(&self) -> Vec<String> {
        self.0.iter().enumerate().map(|(i, note)| format!("[{}] {note}", i + 1)).collect()
    }
}
