//! A run as one page: `report.html` requires no other file and no network, and contains no date, so that the same run
//! gives the same bytes.
//!
//! | module | part of the page |
//! |---|---|
//! | `head` | title, completion status, warnings, what was done |
//! | `cards` | the most important numbers, with verdicts and ranges |
//! | `answers` | judged quantities, results, comparisons, tables with published results |
//! | `origin` | parameters, settings, inputs, files |
//! | `html` | escaping, tables |
//!
//! A content security policy blocks all requests and all scripts of the browser except the script of the page, which is
//! identified by its hash. Without the script the page lacks only the switching of curves, the values at the
//! pointer and the mechanism in motion.

mod answers;
mod cards;
mod head;
mod html;
mod origin;

use crate::digits::short;
use crate::outcome::Outcome;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use html::{escape, section};
pub use origin::Origin;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// An image that is also a file of the folder.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Its file.
    pub file: String,
    /// Its title.
    pub title: String,
    /// The image as SVG.
    pub svg: String,
    /// The same in motion, which is on the page only.
    pub moving: Option<Moving>,
}

/// An image whose script shows one state after the other.
#[derive(Clone, Debug)]
pub struct Moving {
    /// The image as SVG; moving paths have their states in `data-d`.
    pub svg: String,
    /// Times of the states \[s\].
    pub times: Vec<f64>,
}

/// The page; `files` are the names of all files of the folder.
pub fn page(outcome: &Outcome, origin: &Origin<'_>, figures: &[Figure], files: &[String]) -> String {
    let sections = [
        ("verdicts", "Verdicts", answers::judged(&outcome.judgement.judged)),
        ("method", "What was done", head::method(outcome, origin)),
        ("figures", "Figures", all_figures(figures)),
        ("comparisons", "Comparisons", answers::comparisons(&outcome.comparisons)),
        ("literature", tables_heading(outcome), answers::tables(&outcome.tables)),
        ("results", "All results", answers::results(outcome)),
        ("notes", "Notes about the input", head::notes(outcome)),
        ("parameters", origin.parameters_heading(), origin.parameters() + &origin.settings()),
        ("provenance", "Provenance", origin.inputs()),
        ("files", "Files", origin::files(files)),
    ];
    let title = origin.title().unwrap_or(&outcome.study);
    let policy = format!("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{}'", hash(SCRIPT));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escape(title)
    );
    page += &head::header(outcome, origin, title);
    page += "<nav aria-label=\"Sections\">";
    for (id, heading, _) in sections.iter().filter(|(.., content)| !content.is_empty()) {
        let _ = write!(page, "<a href=\"#{id}\">{heading}</a> ");
    }
    page += "</nav>\n<main>\n";
    for (id, heading, content) in &sections {
        page += &section(id, heading, content);
    }
    let _ = write!(page, "</main>\n<footer>{} {}</footer>\n", origin.program, origin.version);
    let _ = write!(page, "<script>{SCRIPT}</script>\n</body>\n</html>\n");
    page
}

/// Heading of the tables.
fn tables_heading(outcome: &Outcome) -> &'static str {
    if outcome.runs.is_empty() { "Comparison with published results" } else { "Comparison of the runs" }
}

/// All images in a grid, below a hint that the script shows, since only with it values are read and curves hidden.
fn all_figures(figures: &[Figure]) -> String {
    if figures.is_empty() {
        return String::new();
    }
    let hint = "<p class=\"note hint\" hidden>Point at a plot to read its values. Click an entry of a legend to hide its \
                curve, and again to show it.</p>\n";
    format!("{hint}<div class=\"figures\">\n{}</div>\n", figures.iter().map(figure).collect::<String>())
}

/// The image itself with a link to its file; images that are not plots over an axis have a row of their own.
fn figure(figure: &Figure) -> String {
    let (title, file) = (escape(&figure.title), escape(&figure.file));
    let class = if figure.svg.contains(" data-x=\"") { "" } else { " class=\"whole\"" };
    let svg = labelled(&figure.svg, &title);
    let player = figure.moving.as_ref().map_or_else(String::new, |moving| player(moving, &title));
    format!(
        "<figure{class}>\n{svg}{player}<figcaption><a href=\"{file}\">{file}</a> <output></output></figcaption>\n</figure>\n"
    )
}

/// The image with its title for screen readers.
fn labelled(svg: &str, title: &str) -> String {
    svg.replacen("<svg ", &format!("<svg aria-label=\"{title}\" "), 1)
}

/// The image in motion with a button and a slider, which the script shows, since they do nothing without it.
fn player(moving: &Moving, title: &str) -> String {
    let times: Vec<String> = moving.times.iter().map(|t| short(*t)).collect();
    let (svg, last, times) = (labelled(&moving.svg, &format!("{title}, in motion")), times.len() - 1, times.join(" "));
    format!(
        "<div class=\"player\" hidden>\n{svg}<p><button type=\"button\">Play</button> \
         <input type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"Time\" data-times=\"{times}\"> \
         <output></output></p>\n</div>\n"
    )
}

fn hash(text: &str) -> String {
    STANDARD.encode(Sha256::digest(text.as_bytes()))
}
