//! What is told about a model: elements that are not converted or converted approximately, in groups.

use crate::{OpensimModel, OpensimSubject, Unconverted};
use std::collections::BTreeMap;
use wolff_verdict::{Finding, Severity, grouped};

impl OpensimSubject {
    /// What is to be told about the model: remarks on its file, then [`OpensimModel::findings`].
    pub fn findings(&self) -> Vec<Finding> {
        let remarks = self.file.remarks.iter().map(|remark| Finding::note(format!("model: {remark}"), ""));
        remarks.chain(self.converted.findings()).collect()
    }
}

impl OpensimModel {
    /// Elements of the file that are not converted and those that are converted approximately: one finding per reason,
    /// the worst first. A muscle that is missing is a warning, everything else is a note.
    pub fn findings(&self) -> Vec<Finding> {
        let omitted = groups(&self.unconverted).into_iter().map(|group| {
            let finding = Finding::note(format!("model: omitted: {}", text(&group)), "results do not include this");
            let severity = if group.iter().any(|e| is_muscle(e)) { Severity::Warning } else { Severity::Note };
            Finding { severity, ..finding }
        });
        let changed = groups(&self.approximate).into_iter().map(|group| {
            Finding::note(format!("model: approximate: {}", text(&group)), "check whether this is relevant")
        });
        let mut all: Vec<Finding> = omitted.chain(changed).collect();
        all.sort_by_key(|f| std::cmp::Reverse(f.severity));
        all
    }
}

/// Whether an omitted element is a muscle that acts; a disabled force was omitted on purpose.
fn is_muscle(element: &Unconverted) -> bool {
    element.class.contains("Muscle")
}

/// Elements by reason, in the order of their first appearance.
fn groups(elements: &[Unconverted]) -> Vec<Vec<&Unconverted>> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let mut groups: Vec<Vec<&Unconverted>> = Vec::new();
    for element in elements {
        let key = format!("{} {}", is_muscle(element), general(&element.reason));
        let place = *places.entry(key).or_insert(groups.len());
        if place == groups.len() {
            groups.push(Vec::new());
        }
        groups[place].push(element);
    }
    groups
}

/// A reason without numbers and names, so that reasons that differ in these only are equal.
fn general(reason: &str) -> String {
    let mut quoted = false;
    let keep = |c: &char| {
        quoted ^= *c == '`';
        !quoted && !c.is_ascii_digit() && !"`.,-+e[]".contains(*c)
    };
    reason.chars().filter(keep).collect()
}

/// `36 ExpressionBasedCoordinateForce: expressions are not supported yet (`a`, `b` and 34 more)`.
fn text(group: &[&Unconverted]) -> String {
    let Some(first) = group.first() else { return String::new() };
    let mut classes: Vec<&str> = Vec::new();
    for element in group {
        if !classes.contains(&element.class.as_str()) {
            classes.push(&element.class);
        }
    }
    let names: Vec<&str> = group.iter().map(|e| e.name.as_str()).filter(|name| !name.is_empty()).collect();
    let what = match (&classes[..], group.len()) {
        ([class], 1) => (*class).to_string(),
        ([class], n) => format!("{n} {class}"),
        (_, n) => format!("{n} elements of {} classes ({})", classes.len(), grouped(&classes)),
    };
    let named = if names.is_empty() { String::new() } else { format!(" {}", grouped(&names)) };
    let same = group.iter().all(|e| e.reason == first.reason);
    let others = if same { "" } else { ", the others likewise" };
    format!("{what}{named}: {}{others}", first.reason)
}
