//! What the user is told about the runs of a comparison: runs without results, values without effect, warnings.

use super::{Ended, Ending};
use serde_json::{Map, Value};
use wolff_report::json;
use wolff_study::document::{CompareSpec, ComparedValues};

/// Runs are named up to this number.
const MOST_NAMED: usize = 4;

/// Runs that failed, and those that were stopped or not begun.
pub(super) fn endings(ended: &[Ended]) -> Vec<String> {
    let mut found = Vec::new();
    let stopped: Vec<&str> =
        ended.iter().filter(|run| matches!(run.ending, Ending::Stopped)).map(|run| run.label.as_str()).collect();
    if !stopped.is_empty() {
        let completed = ended.iter().filter(|run| run.outcome().is_some()).count();
        found.push(format!(
            "the comparison was stopped: {completed} of {} runs were completed and are kept; without results: {}",
            ended.len(),
            named(&stopped)
        ));
    }
    for run in ended {
        if let Ending::Failed(why) = &run.ending {
            found.push(format!("{}: the run failed and has no results: {why}", run.label));
        }
    }
    found
}

/// Values of a parameter that give the same results as others, whatever the other parameters are.
pub(super) fn without_effect(spec: &CompareSpec, ended: &[Ended]) -> Vec<String> {
    let mut found = Vec::new();
    for (k, ComparedValues { key, values }) in spec.varied.iter().enumerate() {
        // each value with the first one that gives the same
        let first_same: Vec<usize> =
            (0..values.len()).map(|i| (0..i).find(|j| same(ended, k, &values[*j], &values[i])).unwrap_or(i)).collect();
        if values.len() > 1 && first_same.iter().all(|first| *first == 0) {
            found.push(format!("`{key}` has no effect: all its values give the same results to nine digits"));
            continue;
        }
        for first in 0..values.len() {
            let alike: Vec<&str> =
                (0..values.len()).filter(|i| first_same[*i] == first).map(|i| values[i].as_str()).collect();
            if alike.len() > 1 {
                found.push(format!("`{key}`: the values {} give the same results to nine digits", named(&alike)));
            }
        }
    }
    found
}

/// Whether all runs with value `a` of the varied parameter `k` have the same results as those with value `b`.
fn same(ended: &[Ended], k: usize, a: &str, b: &str) -> bool {
    let with = |value: &str| ended.iter().filter(|run| run.values.get(k).is_some_and(|(_, v)| v == value)).collect();
    let (all_a, all_b): (Vec<&Ended>, Vec<&Ended>) = (with(a), with(b));
    // the others are varied in the same order
    all_a.len() == all_b.len()
        && all_a.iter().zip(&all_b).all(|(a, b)| match (a.outcome(), b.outcome()) {
            (Some(a), Some(b)) => alike_all(&a.results, &b.results),
            _ => false,
        })
}

/// Largest relative difference of numbers that are called the same.
const SAME: f64 = 1e-9;

/// Whether all results are the same; the number of steps is no property of the motion.
fn alike_all(a: &Map<String, Value>, b: &Map<String, Value>) -> bool {
    let keys = a.keys().chain(b.keys()).filter(|key| *key != "steps");
    keys.into_iter().all(|key| a.get(key).zip(b.get(key)).is_some_and(|(a, b)| alike(a, b)))
}

fn alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Value::Object(a), Value::Object(b)) => alike_all(a, b),
        _ => match (a.as_f64(), b.as_f64()) {
            (Some(a), Some(b)) => (a - b).abs() <= SAME * a.abs().max(b.abs()),
            _ => a == b,
        },
    }
}

/// The warnings of all runs, each once, with the runs that have it unless all have it.
pub(super) fn common_warnings(ended: &[Ended]) -> Vec<String> {
    let mut found: Vec<(String, Vec<&str>)> = Vec::new();
    let mut runs = 0;
    for (run, outcome) in ended.iter().filter_map(|run| Some((run, run.outcome()?))) {
        runs += 1;
        for warning in json::warnings(outcome) {
            match found.iter_mut().find(|(text, _)| *text == warning) {
                Some((_, labels)) => labels.push(&run.label),
                None => found.push((warning, vec![&run.label])),
            }
        }
    }
    let told = |(text, labels): (String, Vec<&str>)| match labels.len() == runs {
        true => text,
        false => format!("{}: {text}", named(&labels)),
    };
    found.into_iter().map(told).collect()
}

/// Some names, and the number of the others.
fn named(names: &[&str]) -> String {
    let shown = names.iter().take(MOST_NAMED).copied().collect::<Vec<_>>().join("; ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => shown,
        more => format!("{shown}; and {more} more"),
    }
}
