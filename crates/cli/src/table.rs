//! Tables that fit the terminal: text is wrapped, numbers are never torn, no column is lost.

use std::ops::Range;

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// Width where it is not known, as in a pipe: what every terminal has \[columns\].
const USUAL_WIDTH: usize = 80;
/// Narrower terminals get lines of this width \[columns\].
const LEAST_WIDTH: usize = 40;
/// Space between columns.
const GAP: usize = 2;
/// A word up to this length is not broken; longer ones are, after a sign such as `_` or `/`.
const LONGEST_WORD: usize = 40;
/// The same of tables that do not fit otherwise.
const LONGEST_BROKEN: usize = 24;
/// Cells of numeric columns up to this length are not wrapped, as `2.6 (2.2 to 2.8)`.
const LONGEST_NUMBER: usize = 18;
/// Headings of rows are wrapped to this width at least.
const LEAST_HEADING: usize = 22;
/// Indent of the second and further lines of a heading of a row.
const INDENT: usize = 2;

/// The width of the terminal; in a pipe that of the variable `COLUMNS`, or else 80.
pub fn width() -> usize {
    let of_terminal = terminal_size::terminal_size().map(|(terminal_size::Width(columns), _)| usize::from(columns));
    let of_variable = || std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    of_terminal.filter(|columns| *columns > 0).or_else(of_variable).unwrap_or(USUAL_WIDTH).max(LEAST_WIDTH)
}

/// Rows below a header in aligned columns that fit the terminal; empty without rows.
pub fn table(header: &[(&str, Align)], rows: &[Vec<String>]) -> String {
    fitted(header, rows, width())
}

/// Numbered or other notes below a table, wrapped to the terminal.
pub fn notes(notes: &[String]) -> String {
    let width = width();
    notes.iter().flat_map(|note| wrapped(note, width, 2 * INDENT)).map(|line| line + "\n").collect()
}

/// A text in lines that fit the terminal, further lines indented.
pub fn text(text: &str, indent: usize) -> String {
    wrapped(text, width(), indent).into_iter().map(|line| line + "\n").collect()
}

/// Rows below a header in aligned columns, in lines of at most `width` columns: cells are wrapped; a table that is
/// still too wide is continued below with its first column repeated; where not even two columns fit, each row is a
/// block of lines.
pub fn fitted(header: &[(&str, Align)], rows: &[Vec<String>], width: usize) -> String {
    if rows.is_empty() || header.is_empty() {
        return String::new();
    }
    // long names are broken only where this leaves more columns next to each other
    let tables = [LONGEST_WORD, LONGEST_BROKEN].map(|longest| Fitting::new(header, rows, longest));
    let fitting = tables.iter().filter_map(|table| Some((table, table.groups(width)?)));
    match fitting.min_by_key(|(_, groups)| groups.len()) {
        None => blocks(header, rows, width),
        Some((table, groups)) => {
            let parts: Vec<String> = groups.into_iter().map(|group| table.part(group, width)).collect();
            parts.join("\n")
        }
    }
}

/// A table and the widths of its columns.
struct Fitting<'a> {
    header: &'a [(&'a str, Align)],
    rows: &'a [Vec<String>],
    /// Widths without any wrapping.
    natural: Vec<usize>,
    /// Widths below which a word or number would be torn.
    least: Vec<usize>,
    /// Words up to this length are not broken.
    longest: usize,
}

impl<'a> Fitting<'a> {
    fn new(header: &'a [(&'a str, Align)], rows: &'a [Vec<String>], longest: usize) -> Self {
        let cells = |i: usize| rows.iter().filter_map(move |row| row.get(i)).map(String::as_str);
        let natural = |i: usize| cells(i).chain([header[i].0]).map(length).max().unwrap_or(0);
        let least = |i: usize| {
            let pieces = cells(i).chain([header[i].0]).flat_map(|cell| pieces(cell, longest));
            let words = pieces.map(|piece| length(piece.trim_end())).max().unwrap_or(0);
            let numbers = cells(i).map(length).filter(|n| header[i].1 == Align::Right && *n <= LONGEST_NUMBER).max();
            let heading = if i == 0 { (words + INDENT).max(LEAST_HEADING) } else { 0 };
            words.max(numbers.unwrap_or(0)).max(heading).min(natural(i))
        };
        let all = 0..header.len();
        Self { header, rows, natural: all.clone().map(natural).collect(), least: all.map(least).collect(), longest }
    }

    /// Columns besides the first one that stand next to each other, so that each group fits; `None` if one does not.
    /// Groups have about equal numbers of columns.
    fn groups(&self, width: usize) -> Option<Vec<Range<usize>>> {
        let others = self.header.len() - 1;
        let groups = self.groups_of(width, others)?;
        let even = self.groups_of(width, others.div_ceil(groups.len()))?;
        Some(if even.len() == groups.len() { even } else { groups })
    }

    /// Groups of at most so many columns.
    fn groups_of(&self, width: usize, most: usize) -> Option<Vec<Range<usize>>> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        let mut used = self.least[0];
        if used > width {
            return None;
        }
        for i in 1..self.header.len() {
            let more = GAP + self.least[i];
            match groups.last_mut() {
                Some(group) if used + more <= width && group.len() < most => group.end = i + 1,
                _ if self.least[0] + more > width => return None,
                _ => {
                    groups.push(i..i + 1);
                    used = self.least[0];
                }
            }
            used += more;
        }
        if groups.is_empty() {
            groups.push(1..1);
        }
        Some(groups)
    }

    /// The first column and a group of others.
    fn part(&self, group: Range<usize>, width: usize) -> String {
        let columns: Vec<usize> = std::iter::once(0).chain(group).collect();
        let widths = self.widths(&columns, width);
        let titles: Vec<&str> = columns.iter().map(|&i| self.header[i].0).collect();
        let mut out = self.line(&titles, &columns, &widths, true);
        for row in self.rows {
            let cells: Vec<&str> = columns.iter().map(|&i| row.get(i).map_or("", String::as_str)).collect();
            out += &self.line(&cells, &columns, &widths, false);
        }
        out
    }

    /// Natural widths, of which the widest are reduced until the line fits.
    fn widths(&self, columns: &[usize], width: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = columns.iter().map(|&i| self.natural[i]).collect();
        let gaps = GAP * (columns.len() - 1);
        while widths.iter().sum::<usize>() + gaps > width {
            let reducible = (0..columns.len()).filter(|&k| widths[k] > self.least[columns[k]]);
            let Some(widest) = reducible.max_by_key(|&k| widths[k]) else { break };
            widths[widest] -= 1;
        }
        widths
    }

    /// Cells in one or more lines; those of a header end in the same line.
    fn line(&self, cells: &[&str], columns: &[usize], widths: &[usize], is_header: bool) -> String {
        let wrap = |(k, cell): (usize, &&str)| {
            let indent = if k == 0 && !is_header { INDENT } else { 0 };
            lines_of(cell, widths[k], indent, self.longest)
        };
        let texts: Vec<Vec<String>> = cells.iter().enumerate().map(wrap).collect();
        let height = texts.iter().map(Vec::len).max().unwrap_or(0);
        let mut out = String::new();
        for row in 0..height {
            let mut line = String::new();
            for (k, lines) in texts.iter().enumerate() {
                let first = if is_header { height - lines.len() } else { 0 };
                let text = row.checked_sub(first).and_then(|r| lines.get(r)).map_or("", String::as_str);
                let width = widths[k];
                line += &match self.header[columns[k]].1 {
                    Align::Left => format!("{text:<width$}"),
                    Align::Right => format!("{text:>width$}"),
                };
                line += &" ".repeat(GAP);
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

/// Each row as a block: its first cell, then the others with their headings.
fn blocks(header: &[(&str, Align)], rows: &[Vec<String>], width: usize) -> String {
    let mut out = String::new();
    for row in rows {
        for (i, (cell, (title, _))) in row.iter().zip(header).enumerate() {
            let text = if i == 0 { cell.clone() } else { format!("  {title}: {cell}") };
            wrapped(&text, width, 2 * INDENT).into_iter().for_each(|line| out += &(line + "\n"));
        }
    }
    out
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// The text in pieces between which a line may end; words longer than `longest` are cut after a sign, or anywhere.
fn pieces(text: &str, longest: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    for word in words(text) {
        let mut rest = word;
        while length(rest.trim_end()) > longest {
            let end = rest.char_indices().nth(longest).map_or(rest.len(), |(at, _)| at);
            let cut = rest[..end].rfind(['_', '-', '/', '.', ',', '=']).map_or(end, |at| at + 1);
            let (piece, after) = rest.split_at(cut);
            pieces.push(piece);
            rest = after;
        }
        pieces.push(rest);
    }
    pieces
}

/// The text cut after spaces, but not before a bracket: a unit or the number of a note stays with its word.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_cut = |at: &usize| !text[at + 1..].starts_with('[');
    let ends = text.match_indices(' ').map(|(at, _)| at).filter(is_cut).map(|at| at + 1).chain([text.len()]);
    let mut start = 0;
    ends.map(move |end| {
        let word = &text[start..end];
        start = end;
        word
    })
}

/// The text in lines of at most `width` columns, lines that continue another one indented; at least one line.
pub fn wrapped(text: &str, width: usize, indent: usize) -> Vec<String> {
    text.split('\n').flat_map(|line| lines_of(line, width, indent, LONGEST_WORD)).collect()
}

fn lines_of(text: &str, width: usize, indent: usize, longest: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for piece in pieces(text, longest.min(width.saturating_sub(indent)).max(1)) {
        if !line.trim().is_empty() && length(&line) + length(piece.trim_end()) > width {
            lines.push(line.trim_end().to_string());
            line = " ".repeat(indent);
        }
        line += piece;
    }
    lines.push(line.trim_end().to_string());
    lines
}
