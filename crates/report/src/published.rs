//! Results in tables beside published ones, as a table of a thesis has them.

use crate::digits;
use serde::Serialize;

/// Results beside published ones.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// File stem.
    pub name: String,
    /// What is compared.
    pub title: String,
    /// Headings of the cells, with units.
    pub columns: Vec<String>,
    /// Rows, in the order they are shown.
    pub rows: Vec<TableRow>,
}

/// A row of a [`Table`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TableRow {
    /// Who or what gave the numbers.
    pub label: String,
    /// Ours, measured or of another model.
    pub kind: RowKind,
    /// Where they are printed and what they hold for; may be empty.
    pub source: String,
    /// One for each column; what is missing at the end is empty.
    pub cells: Vec<Cell>,
}

/// Where a row comes from.
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
    /// As it is written in files.
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
    /// In the unit of its column.
    Number(f64),
    /// Words, such as `505 mean, 989 peak`.
    Text(String),
    /// Not reported.
    Empty,
}

impl Cell {
    /// As people read it: numbers to four digits.
    fn shown(&self) -> String {
        match self {
            Cell::Number(x) if x.is_finite() => digits::short(*x),
            Cell::Number(_) => "not finite".into(),
            Cell::Text(text) => text.clone(),
            Cell::Empty => "–".into(),
        }
    }
}

/// A [`Table`] as people read it.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Headings, and whether numbers stand below them.
    pub header: Vec<(String, bool)>,
    /// Lines of texts, as many as headings; each with the kind of its row, unless the table is turned.
    pub lines: Vec<(Option<RowKind>, Vec<String>)>,
    /// The sources of a turned table.
    pub notes: Vec<String>,
}

/// Tables with more columns than this are turned, so that their rows stand side by side.
const MOST_COLUMNS: usize = 7;

impl Table {
    /// Label, kind, cells and source of each row in a line; in a table with many columns a line for each of them.
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

    /// Every number with all its digits, for a file: label, kind, cells and source under their headings.
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

/// The cell of a row in a column; empty where the row ends before.
fn cell(row: &TableRow, column: usize) -> &Cell {
    row.cells.get(column).unwrap_or(&Cell::Empty)
}
