//! Sensitivity of a result to parameters: one additional run per parameter, in which only that parameter is changed.

use crate::parallel::{cores, in_parallel};
use serde_json::{Value, json};
use wolff_report::outcome::{Outcome, Status};
use wolff_study::document::{ParameterValue, StudyDocument};
use wolff_study::{Budget, RunError, run_study};

/// A parameter and its value in its run.
struct Change {
    parameter: String,
    from: String,
    to: String,
}

/// The table `sensitivity`: for each parameter that the study lists, its value, the changed value, the result for it,
/// and the change of the result in percent. The runs are executed in parallel on all cores; the result does not depend
/// on the number of cores.
///
/// A change that the study rejects (a value outside its limits) and a run that fails, exceeds its budget or is stopped
/// by the user give a row without a result.
///
/// # Errors
/// If the study itself is not valid.
pub fn sensitivity(document: &StudyDocument, outcome: &Outcome, budget: Budget) -> Result<Option<Value>, RunError> {
    let study = document.evaluate()?;
    let Some(spec) = &study.sensitivity else { return Ok(None) };
    let changes: Vec<Change> = spec.parameters.iter().flat_map(|name| changes(document, name, spec.change)).collect();
    let run = |i: usize| {
        let mut changed = document.clone();
        changed.apply_overrides(&[(changes[i].parameter.clone(), changes[i].to.clone())]).ok()?;
        let outcome = run_study(&changed.evaluate().ok()?, budget, &mut |_, _| {}).ok()?;
        let complete = outcome.status == Status::Ok;
        outcome.results.get(&spec.of).filter(|_| complete).and_then(Value::as_f64)
    };
    let found = in_parallel(changes.len(), cores(), run, None);
    let base = outcome.results.get(&spec.of).and_then(Value::as_f64);
    let rows = changes.iter().zip(found).map(|(change, found)| {
        // zero has no relative change
        let percent =
            found.zip(base).filter(|(_, base)| *base != 0.0).map(|(found, base)| 100.0 * (found / base - 1.0));
        json!({
            "parameter": change.parameter,
            "value": change.from,
            "changed_to": change.to,
            spec.of.as_str(): found,
            "change_percent": percent,
        })
    });
    Ok(Some(rows.collect()))
}

/// A number is increased by the relative `change`; a word is replaced by each of the other words.
fn changes(document: &StudyDocument, name: &str, change: f64) -> Vec<Change> {
    let Some(parameter) = document.parameter(name) else { return Vec::new() };
    let made = |to: String| Change { parameter: name.into(), from: parameter.value.to_string(), to };
    match &parameter.value {
        ParameterValue::Number(x) => {
            let changed =
                if parameter.is_whole() { (x * (1.0 + change)).ceil() } else { six_digits(x * (1.0 + change)) };
            vec![made(changed.to_string())]
        }
        ParameterValue::Word(word) => {
            parameter.choices().iter().filter(|other| *other != word).map(|other| made(other.clone())).collect()
        }
    }
}

/// Rounded to six digits: the change need not be exact, but should be easy to read.
fn six_digits(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}
