//! Text and tables as HTML.

use std::fmt::Write as _;

pub(super) use wolff_formats::plot::escape;

/// How a column is aligned.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Column {
    Words,
    Numbers,
}

/// A table while it is written.
pub(super) struct Table {
    columns: Vec<Column>,
    html: String,
}

impl Table {
    pub fn new(caption: &str, header: &[(&str, Column)]) -> Self {
        let mut html = format!("<div class=\"wide\"><table><caption>{}</caption>\n<thead><tr>", escape(caption));
        for (title, column) in header {
            let _ = write!(html, "<th scope=\"col\"{}>{}</th>", class_of(*column), escape(title));
        }
        html.push_str("</tr></thead>\n<tbody>\n");
        Self { columns: header.iter().map(|h| h.1).collect(), html }
    }

    /// A row of texts, the first of which is its heading; `class` may be empty.
    pub fn row(&mut self, class: &str, cells: &[String]) {
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let _ = write!(self.html, "<tr{class}>");
        for (i, (cell, column)) in cells.iter().zip(&self.columns).enumerate() {
            let _ = match i {
                0 => write!(self.html, "<th scope=\"row\"{}>{}</th>", class_of(*column), escape(cell)),
                _ => write!(self.html, "<td{}>{}</td>", class_of(*column), escape(cell)),
            };
        }
        self.html.push_str("</tr>\n");
    }

    pub fn finish(self) -> String {
        self.html + "</tbody></table></div>\n"
    }
}

fn class_of(column: Column) -> &'static str {
    match column {
        Column::Words => "",
        Column::Numbers => " class=\"n\"",
    }
}

/// A section with its heading; empty if it has no content.
pub(super) fn section(id: &str, heading: &str, content: &str) -> String {
    if content.is_empty() {
        return String::new();
    }
    format!("<section id=\"{id}\">\n<h2>{}</h2>\n{content}</section>\n", escape(heading))
}
