//! The first screen of the page: title, completion status, the most important numbers, warnings.

use super::cards::cards;
use super::html::{escape, marked};
use super::origin::Origin;
use crate::digits::short;
use crate::json;
use crate::outcome::{Outcome, RunKind, Status, Verdict};
use std::fmt::Write as _;

/// Title, verdict, numbers and warnings.
pub(super) fn header(outcome: &Outcome, origin: &Origin<'_>, title: &str) -> String {
    let name = match outcome.kind {
        RunKind::Study => outcome.study.clone(),
        RunKind::Command => format!("wolff {}", outcome.study),
    };
    let mut html = format!("<header>\n<p class=\"study\">{}</p>\n<h1>{}</h1>\n", escape(&name), escape(title));
    html += &statements(outcome, origin);
    html += &cards(outcome);
    html += &warnings(&json::warnings(outcome));
    html + "</header>\n"
}

/// What was done, in paragraphs: as the run tells it, or else as the study file does.
pub(super) fn method(outcome: &Outcome, origin: &Origin<'_>) -> String {
    let about = origin.text("about").unwrap_or_default();
    let paragraphs: Vec<&str> = match outcome.method.is_empty() {
        true => about.split("\n\n").collect(),
        false => outcome.method.iter().flat_map(|text| text.split("\n\n")).collect(),
    };
    let mut html = String::new();
    // the description of a study is that of its own values
    let describes = outcome.method.first().is_none_or(|first| first == about);
    if describes && outcome.kind == RunKind::Study && !origin.overrides.is_empty() {
        let values = origin.overrides.iter().map(|(name, value)| format!("`{}` = {}", name.trim(), value.trim()));
        let changed =
            format!("In this run {}, unlike in the study file, which describes it as follows.", listed(values));
        let _ = writeln!(html, "<p>{}</p>", marked(&changed));
    }
    for paragraph in paragraphs.into_iter().map(str::trim).filter(|p| !p.is_empty()) {
        let _ = writeln!(html, "<p>{}</p>", marked(paragraph));
    }
    if html.is_empty() { html } else { format!("<div class=\"text\">\n{html}</div>\n") }
}

fn listed(values: impl Iterator<Item = String>) -> String {
    values.collect::<Vec<_>>().join(", ")
}

/// Notes about the input.
pub(super) fn notes(outcome: &Outcome) -> String {
    let notes = outcome.judgement.notes();
    if notes.is_empty() {
        return String::new();
    }
    let items: String = notes.iter().map(|note| format!("<li>{}</li>\n", marked(note))).collect();
    format!("<ul>\n{items}</ul>\n")
}

/// The completion status with its reason, and further short statements.
fn statements(outcome: &Outcome, origin: &Origin<'_>) -> String {
    let status = outcome.judged_status();
    let class = match status {
        Status::Ok => "good",
        Status::Doubtful => "doubt",
        Status::Partial | Status::Failed => "bad",
    };
    let mut html = format!("<ul class=\"verdict\"><li class=\"{class}\">");
    let _ = write!(html, "<strong>{}</strong>: {}</li>", status.word(), escape(&reason(outcome, status)));
    let (all, passed) = (outcome.comparisons.len(), outcome.comparisons.iter().filter(|c| c.pass()).count());
    if all > 0 {
        // where published values stand beside the results without a verdict, passed comparisons are not the whole
        // answer
        let class = match passed == all {
            true if outcome.tables.is_empty() => "good",
            true => "",
            false => "bad",
        };
        let _ = write!(html, "<li class=\"{class}\">{passed} of {all} comparisons within tolerance</li>");
    }
    if !outcome.tables.is_empty() {
        html += "<li><a href=\"#literature\">published values beside, not judged</a></li>";
    }
    if outcome.kind == RunKind::Study && !origin.overrides.is_empty() {
        let _ = write!(html, "<li>changed from the study file: {}</li>", escape(&changed(origin)));
    }
    if outcome.simulated_s > 0.0 {
        let _ = write!(html, "<li>{} s simulated</li>", escape(&short(outcome.simulated_s)));
    }
    html + "</ul>\n"
}

/// Why the status is what it is: what is beyond its limit, and by how much.
fn reason(outcome: &Outcome, status: Status) -> String {
    let judged = &outcome.judgement.judged;
    let worst = judged.iter().map(|j| j.verdict).max().unwrap_or_default();
    let beyond = judged.iter().filter(|j| j.verdict != Verdict::Ok).count();
    let more = |text: String| match beyond {
        0 | 1 => text,
        n => format!("{text}; {} more beyond their limits", n - 1),
    };
    let first = judged.iter().find(|j| j.verdict == worst && worst != Verdict::Ok).map(|j| more(j.message()));
    match (status, first) {
        (Status::Ok, _) if judged.is_empty() => "all requested results were computed".into(),
        (Status::Ok, _) => format!(
            "all requested results were computed, and {} within {}",
            if judged.len() == 1 {
                "the judged quantity is".into()
            } else {
                format!("{} quantities are", judged.len())
            },
            if judged.len() == 1 { "its limit" } else { "their limits" }
        ),
        (Status::Doubtful | Status::Failed, Some(beyond)) => beyond,
        (Status::Doubtful, None) => "input with errors was used all the same; see the warnings".into(),
        (Status::Partial, _) => "the simulation stopped early; the results up to that time are valid".into(),
        (Status::Failed, None) => "there are no valid results".into(),
    }
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
        let _ = writeln!(html, "<li>{}</li>", marked(warning));
    }
    html + "</ul>\n</aside>\n"
}
