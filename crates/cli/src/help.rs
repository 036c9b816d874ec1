//! Help that fits the terminal: examples are broken between options, never within one.
//!
//! Texts below the options are written freely: paragraphs in lines of any length, and indented lines such as
//! `  wolff run walk      a comment`. They are laid out here for the width of the terminal, since the parser of the
//! command line would break every line that is too long at any space, examples too.

use crate::table::{width, wrapped};
use clap::Command;

/// Longest lines of a help text \[columns\].
const WIDEST: usize = 100;
/// Indent of the second and further lines of an example.
const FURTHER: usize = 6;

/// The command and its subcommands with texts laid out for the terminal.
pub fn fitted(command: Command) -> Command {
    let width = width().min(WIDEST);
    laid_out(command.term_width(width), width)
}

fn laid_out(mut command: Command, width: usize) -> Command {
    if let Some(text) = command.get_after_help().map(ToString::to_string) {
        command = command.after_help(reflow(&text, width));
    }
    let names: Vec<String> = command.get_subcommands().map(|sub| sub.get_name().to_string()).collect();
    names.into_iter().fold(command, |command, name| command.mut_subcommand(name, |sub| laid_out(sub, width)))
}

/// The text in lines of at most `width` columns.
fn reflow(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut paragraph = String::new();
    let mut source = text.lines().peekable();
    while let Some(line) = source.next() {
        if !line.is_empty() && !line.starts_with(' ') && !line.ends_with(':') {
            paragraph = format!("{paragraph} {line}");
            continue;
        }
        finish(&mut paragraph, &mut lines, width);
        let mut line = line.to_string();
        while let (true, Some(next)) = (line.ends_with('\\'), source.peek()) {
            line = format!("{} {}", line.trim_end_matches('\\').trim_end(), next.trim_start());
            source.next();
        }
        lines.extend(indented(&line, width));
    }
    finish(&mut paragraph, &mut lines, width);
    lines.join("\n")
}

/// Adds the paragraph that has ended.
fn finish(paragraph: &mut String, lines: &mut Vec<String>, width: usize) {
    if !paragraph.is_empty() {
        lines.extend(wrapped(paragraph.trim(), width, 0));
        paragraph.clear();
    }
}

/// An example or entry of a list, with its comment beside it or, where there is no room, below it.
fn indented(line: &str, width: usize) -> Vec<String> {
    if line.chars().count() <= width {
        return vec![line.into()];
    }
    let start = line.len() - line.trim_start().len();
    let (indent, rest) = line.split_at(start);
    let (first, comment) = rest.split_once("  ").map_or((rest, ""), |(first, comment)| (first, comment.trim_start()));
    if !first.starts_with("wolff ") {
        let column = rest.len() - comment.len() + start;
        let hanging = if comment.is_empty() || column > width / 2 { FURTHER } else { column };
        return wrapped(line, width, hanging);
    }
    let mut lines = example(indent, first, width);
    if !comment.is_empty() {
        let below = format!("{}{comment}", " ".repeat(FURTHER));
        lines.extend(wrapped(&below, width, FURTHER));
    }
    lines
}

/// A command in lines that end in a backslash, broken before options.
fn example(indent: &str, command: &str, width: usize) -> Vec<String> {
    const CONTINUED: &str = " \\";
    let mut lines = Vec::new();
    let mut line = indent.to_string();
    for (i, part) in command.split(" --").enumerate() {
        let part = if i == 0 { part.to_string() } else { format!("--{part}") };
        let room = width - CONTINUED.len();
        if i > 0 && line.chars().count() + 1 + part.chars().count() > room {
            lines.push(line + CONTINUED);
            line = " ".repeat(FURTHER) + &part;
        } else {
            line = if i == 0 { line + &part } else { format!("{line} {part}") };
        }
    }
    lines.push(line);
    lines
}
