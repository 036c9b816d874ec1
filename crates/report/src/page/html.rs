//! Text and tables as HTML.

use std::fmt::Write as _;
use std::ops::Range;

pub(super) use wolff_plots::escape;

/// Escaped text in which words between backticks are set as code.
pub(super) fn marked(text: &str) -> String {
    let parts: Vec<String> = text.split('`').map(escape).collect();
    if parts.len().is_multiple_of(2) {
        return escape(text);
    }
    let set = |(i, part): (usize, &String)| if i % 2 == 0 { part.clone() } else { format!("<code>{part}</code>") };
    parts.iter().enumerate().map(set).collect()
}

/// How a column is aligned.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Column {
    Words,
    Numbers,
}

/// A table while it is written.
///
/// No column is lost: cells wrap, a table that is wider than a sheet of paper is continued below with its first column
/// repeated, and on a narrow screen each row is a block in which every value has its heading.
pub(super) struct Table {
    caption: String,
    header: Vec<(String, Column)>,
    rows: Vec<Row>,
}

struct Row {
    class: &'static str,
    /// The name of the row in files, shown small below its heading; may be empty.
    key: String,
    cells: Vec<String>,
}

/// Columns that a table has next to each other at most; those after are continued below.
const MOST_COLUMNS: usize = 9;
/// Characters that a line of a printed table has room for: 688 px on A4, about 6 px per character of 7.5 pt.
const ROOM: usize = 110;
/// Room between two columns, in characters.
const GAP: usize = 2;
/// Columns that a narrow screen has room for next to each other.
const FEW_COLUMNS: usize = 3;
/// Longest text of a numeric column that is not wrapped.
const SHORT: usize = 16;
/// Longer words may be broken anywhere.
const LONGEST_WORD: usize = 24;

impl Table {
    pub fn new(caption: &str, header: &[(&str, Column)]) -> Self {
        let header = header.iter().map(|(title, column)| (title.to_string(), *column)).collect();
        Self { caption: caption.into(), header, rows: Vec::new() }
    }

    /// A row of texts, the first of which is its heading; `class` may be empty.
    pub fn row(&mut self, class: &'static str, cells: &[String]) {
        self.keyed_row(class, "", cells);
    }

    /// A row whose heading is in words, with its name in files below.
    pub fn keyed_row(&mut self, class: &'static str, key: &str, cells: &[String]) {
        let key = if cells.first().is_some_and(|words| words == key) { "" } else { key };
        self.rows.push(Row { class, key: key.into(), cells: cells.to_vec() });
    }

    pub fn finish(self) -> String {
        let others = self.header.len().saturating_sub(1);
        let widths: Vec<usize> = (0..self.header.len()).map(|i| self.width(i)).collect();
        let divided = |parts: usize| -> Vec<Range<usize>> {
            let each = others.div_ceil(parts).max(1);
            (0..parts).map(|k| 1 + (k * each).min(others)..1 + ((k + 1) * each).min(others)).collect()
        };
        let fits = |columns: &Range<usize>| {
            let width: usize = widths[columns.clone()].iter().sum();
            columns.len() < MOST_COLUMNS && widths.first().copied().unwrap_or(0) + width <= ROOM
        };
        let parts = (1..=others.max(1)).map(divided).find(|parts| parts.iter().all(fits));
        let parts = parts.unwrap_or_else(|| divided(others.max(1)));
        let used = parts.into_iter().enumerate().filter(|(k, columns)| *k == 0 || !columns.is_empty());
        used.map(|(k, columns)| self.part(k, columns)).collect()
    }

    /// Characters that a column needs at least: its longest word, or its longest number.
    fn width(&self, column: usize) -> usize {
        let word = |text: &str| text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0);
        let (title, kind) = &self.header[column];
        let cells = self.rows.iter().filter_map(|row| row.cells.get(column)).map(|cell| match class_of(*kind, cell) {
            NUMBER => cell.chars().count(),
            LONG => 0,
            _ => word(cell),
        });
        cells.fold(word(title), usize::max) + GAP
    }

    /// The first column and a range of the others.
    fn part(&self, part: usize, columns: Range<usize>) -> String {
        let columns: Vec<usize> = std::iter::once(0).chain(columns).filter(|i| *i < self.header.len()).collect();
        let stack = columns.len() > FEW_COLUMNS;
        let class = if stack { " class=\"stack\"" } else { "" };
        let continued = if part == 0 { "" } else { ", continued" };
        let mut html = format!(
            "<div class=\"wide\"><table{class}><caption>{}{continued}</caption>\n<thead><tr>",
            escape(&self.caption)
        );
        for (title, column) in columns.iter().map(|i| &self.header[*i]) {
            let _ = write!(html, "<th scope=\"col\"{}>{}</th>", class_of(*column, ""), escape(title));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        self.rows.iter().for_each(|row| self.write_row(&mut html, row, &columns, stack));
        html + "</tbody></table></div>\n"
    }

    fn write_row(&self, html: &mut String, row: &Row, columns: &[usize], stack: bool) {
        let class = if row.class.is_empty() { String::new() } else { format!(" class=\"{}\"", row.class) };
        let _ = write!(html, "<tr{class}>");
        for &i in columns {
            let Some(cell) = row.cells.get(i) else { continue };
            let (title, column) = &self.header[i];
            let class = class_of(*column, cell);
            let cell = escape(cell);
            let _ = match i {
                0 if row.key.is_empty() => write!(html, "<th scope=\"row\"{class}>{cell}</th>"),
                0 => write!(html, "<th scope=\"row\"{class}>{cell} <code>{}</code></th>", escape(&row.key)),
                _ if stack => write!(html, "<td{class} data-label=\"{}\">{cell}</td>", escape(title)),
                _ => write!(html, "<td{class}>{cell}</td>"),
            };
        }
        html.push_str("</tr>\n");
    }
}

fn class_of(column: Column, text: &str) -> &'static str {
    let has_long_word = || text.split_whitespace().any(|word| word.chars().count() > LONGEST_WORD);
    match column {
        Column::Numbers if text.chars().count() > SHORT => LONG,
        Column::Words if has_long_word() => LONG,
        Column::Words => "",
        Column::Numbers => NUMBER,
    }
}

/// Attribute of cells that may be broken anywhere.
const LONG: &str = " class=\"long\"";
/// Attribute of cells with a number, which is not broken.
const NUMBER: &str = " class=\"n\"";

/// A section with its heading; empty if it has no content.
pub(super) fn section(id: &str, heading: &str, content: &str) -> String {
    if content.is_empty() {
        return String::new();
    }
    format!("<section id=\"{id}\">\n<h2>{}</h2>\n{content}</section>\n", escape(heading))
}
