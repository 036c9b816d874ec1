//! The top of the page: title, completion status, and warnings.

use super::html::escape;
use super::origin::Origin;
use crate::digits::number;
use crate::json;
use crate::outcome::{Outcome, Status};
use std::fmt::Write as _;

/// Title, text, verdict and warnings.
pub(super) fn header(outcome: &Outcome, origin: &Origin<'_>, title: &str) -> String {
    let mut html = format!("<header>\n<p class=\"study\">{}</p>\n<h1>{}</h1>\n", escape(&outcome.study), escape(title));
    html += &verdict(outcome, origin);
    html += &warnings(&json::warnings(outcome));
    let about = origin.text("about").unwrap_or_default();
    for paragraph in about.split("\n\n").map(str::trim).filter(|p| !p.is_empty()) {
        let _ = writeln!(html, "<p>{}</p>", escape(paragraph));
    }
    html + "</header>\n"
}

/// The completion status as a line of short statements.
fn verdict(outcome: &Outcome, origin: &Origin<'_>) -> String {
    let (class, words) = match outcome.status {
        Status::Ok => ("good", "ok: all requested results were computed"),
        Status::Partial => ("bad", "partial: the simulation stopped early; the results up to that time are valid"),
        Status::Failed => ("bad", "failed: there are no valid results"),
    };
    let mut html = format!("<ul class=\"verdict\"><li class=\"{class}\">{words}</li>");
    let (all, passed) = (outcome.comparisons.len(), outcome.comparisons.iter().filter(|c| c.pass()).count());
    if all > 0 {
        let class = if passed == all { "good" } else { "bad" };
        let _ = write!(html, "<li class=\"{class}\">{passed} of {all} comparisons within tolerance</li>");
    }
    if !origin.overrides.is_empty() {
        let _ = write!(html, "<li>changed from the study file: {}</li>", escape(&changed(origin)));
    }
    let _ = write!(html, "<li>{} s simulated</li>", escape(&number(outcome.simulated_s)));
    html + "</ul>\n"
}

/// Names of the changed values, each once.
fn changed(origin: &Origin<'_>) -> String {
    let mut names: Vec<&str> = origin.overrides.iter().map(|(name, _)| name.trim()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(", ")
}

fn warnings(warnings: &[String]) -> String {
    if warnings.is_empty() {
        return String::new();
    }
    let mut html =
        String::from("<aside class=\"warnings\" aria-labelledby=\"warned\">\n<h2 id=\"warned\">Warnings</h2>\n<ul>\n");
    for warning in warnings {
        let _ = writeln!(html, "<li>{}</li>", escape(warning));
    }
    html + "</ul>\n</aside>\n"
}
