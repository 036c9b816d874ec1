//! Tables of results next to published ones.

use crate::digits;
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
    /// The sources of a transposed table.
    pub notes: Vec<String>,
}

/// Tables with more columns than this are transposed, so that their rows become columns.
const MOST_COLUMNS: usize = 7;

impl Table {
    /// One line per row with label, kind, cells and source; in a table with many columns, one line per column.
    pub fn layout(&self) -> Layout {
        if self.columns.len() > MOST_COLUMNS { self.turned() } else { self.upright() }
    }

    fn upright(&self) -> Layout {
        let has_number = |i| self.rows.iter().any(|row| matches!(cell(row, i), Cell::Number(_)));
        let columns = self.columns.iter().enumerate().map(|(i, column)| (column.clone(), has_number(i)));
        let words = |title: &str| (title.to_string(), false);
        let line = |row: &TableRow| {
            let cells = (0..self.columns.len()).map(|i| cell(row, i).shown());
            let first = [row.label.clone(), row.kind.word().into()].into_iter();
            (Some(row.kind), first.chain(cells).chain([row.source.clone()]).collect())
        };
        Layout {
            header: [words("from"), words("kind")].into_iter().chain(columns).chain([words("source")]).collect(),
            lines: self.rows.iter().map(line).collect(),
            notes: Vec::new(),
        }
    }

    fn turned(&self) -> Layout {
        let line = |(i, column): (usize, &String)| {
            let cells = self.rows.iter().map(|row| cell(row, i).shown());
            (None, std::iter::once(column.clone()).chain(cells).collect())
        };
        let heading = |row: &TableRow| (format!("{} ({})", row.label, row.kind.word()), true);
        let sources = self.rows.iter().filter(|row| !row.source.is_empty());
        Layout {
            header: std::iter::once(("quantity".into(), false)).chain(self.rows.iter().map(heading)).collect(),
            lines: self.columns.iter().enumerate().map(line).collect(),
            notes: sources.map(|row| format!("{}: {}", row.label, row.source)).collect(),
        }
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
