//! `[results]`, `[[reference]]` and `[[plot]]` of a study whose outcome already exists, such as a walk: formulas over
//! its results and series.

use super::compare::outside_tolerance;
use super::plots::draw;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ops::Range;
use wolff_document::error::{Diagnostic, StudyError};
use wolff_document::{ExpressionError, Record, Study, evaluate_result};
use wolff_formula::suggest::suggest;
use wolff_report::outcome::{Comparison, Outcome, Series, Status};

/// Adds the outputs that the study defines in `[results]`, `[[reference]]` and `[[plot]]` to an outcome.
///
/// Formulas may use parameters, results by name (`moments_within_2sd.hip` inside a table, `knee_contact_peaks_bw.1` in
/// a list) and, inside reductions such as `max`, columns of the series. A column that exists in several series is
/// qualified by the last part of the name of the series: `shank_r.L1_axial_microstrain` is that of `strain-shank_r`.
///
/// # Errors
/// All names that do not exist, at their places in the study.
pub fn answer(study: &Study, outcome: &mut Outcome) -> Result<(), StudyError> {
    let mut record = OutcomeRecord::new(study, outcome);
    let mut unknown = Unknown { study, found: Vec::new() };
    for spec in &study.results {
        match evaluate_result(&spec.formula, &record) {
            Ok(value) => {
                record.values.insert(spec.name.clone(), value);
                outcome.results.insert(spec.name.clone(), json!(value));
            }
            Err(error) => unknown.or_warning(&record, &spec.place, &spec.name, &error, &mut outcome.warnings),
        }
    }
    // a reference belongs to the complete run
    let complete = outcome.status == Status::Ok;
    for reference in study.references.iter().filter(|_| complete) {
        match reference.evaluate(&record) {
            Ok(value) => outcome.comparisons.push(Comparison {
                quantity: reference.quantity.clone(),
                value,
                reference: reference.value,
                tolerance: reference.tolerance,
                source: reference.source.clone(),
            }),
            Err(error) => {
                unknown.or_warning(&record, &reference.place, &reference.quantity, &error, &mut outcome.warnings);
            }
        }
    }
    outcome.warnings.extend(outside_tolerance(&outcome.comparisons));
    for plot in &study.plots {
        let missing = std::iter::once(&plot.x).chain(&plot.y).find(|name| record.plotted(name).is_none());
        match missing {
            Some(name) => unknown.name(&record, &plot.place, &format!("plot `{}`", plot.name), name),
            None => outcome.plots.push(draw(plot, |name| record.plotted(name).unwrap_or_default())),
        }
    }
    outcome.require_finite();
    if unknown.found.is_empty() { Ok(()) } else { Err(StudyError::new(study.file(), study.text(), unknown.found)) }
}

/// Unknown names in formulas.
struct Unknown<'a> {
    study: &'a Study,
    found: Vec<Diagnostic>,
}

impl Unknown<'_> {
    /// Records an unknown name; any other error becomes a warning.
    fn or_warning(
        &mut self,
        record: &OutcomeRecord,
        place: &Range<usize>,
        what: &str,
        error: &ExpressionError,
        warnings: &mut Vec<String>,
    ) {
        match &error.unknown {
            Some(name) => self.name(record, place, &format!("`{what}`"), name),
            None => warnings.push(format!("{what} could not be evaluated: {}", error.message)),
        }
    }

    fn name(&mut self, record: &OutcomeRecord, place: &Range<usize>, what: &str, name: &str) {
        let message = match record.columns.contains_key(name) {
            true if record.column(name).is_none() => {
                format!("{what}: several series have a column `{name}`; write `SEGMENT.{name}` for one of them")
            }
            true => format!("{what}: `{name}` has one value per row; write for example final({name}) or max({name})"),
            false => format!("{what}: the outcome of `{}` has no result and no column `{name}`", self.study.name),
        };
        let known = record.values.keys().chain(record.columns.keys()).map(String::as_str);
        self.found.push(Diagnostic { message, span: place.clone(), help: suggest(name, known) });
    }
}

/// Results and series of an outcome as seen by formulas.
struct OutcomeRecord {
    times: Vec<f64>,
    /// Columns by name; `None` where several series have a column of that name.
    columns: HashMap<String, Option<Vec<f64>>>,
    values: HashMap<String, f64>,
}

impl OutcomeRecord {
    fn new(study: &Study, outcome: &Outcome) -> Self {
        let mut values: HashMap<String, f64> = study.numbers.iter().map(|(name, x)| (name.clone(), *x)).collect();
        for (name, value) in &outcome.results {
            flatten(name, value, &mut values);
        }
        let time = |series: &Series| series.rows.iter().map(|row| row.first().copied().unwrap_or(f64::NAN)).collect();
        let times: Vec<f64> = outcome.series.first().map(time).unwrap_or_default();
        let mut columns = HashMap::new();
        for series in outcome.series.iter().filter(|series| series.rows.len() == times.len()) {
            enter(series, &mut columns);
        }
        OutcomeRecord { times, columns, values }
    }

    /// A column to draw.
    fn plotted(&self, name: &str) -> Option<&[f64]> {
        if name == "time" { Some(&self.times) } else { self.column(name) }
    }
}

impl Record for OutcomeRecord {
    fn times(&self) -> &[f64] {
        &self.times
    }

    fn column(&self, name: &str) -> Option<&[f64]> {
        self.columns.get(name)?.as_deref()
    }

    fn value(&self, name: &str) -> Option<f64> {
        self.values.get(name).copied()
    }
}

/// The numbers in a result, named `name`, `name.key` and `name.1`.
fn flatten(name: &str, value: &Value, values: &mut HashMap<String, f64>) {
    match value {
        Value::Number(number) => values.extend(number.as_f64().map(|x| (name.to_string(), x))),
        Value::Object(entries) => entries.iter().for_each(|(key, v)| flatten(&format!("{name}.{key}"), v, values)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, v)| flatten(&format!("{name}.{}", i + 1), v, values));
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// Adds the columns of a series with plain and qualified names.
fn enter(series: &Series, columns: &mut HashMap<String, Option<Vec<f64>>>) {
    let segment = series.name.rsplit('-').next().unwrap_or(&series.name);
    for (k, name) in series.columns.iter().enumerate().skip(1) {
        let values: Vec<f64> = series.rows.iter().map(|row| row.get(k).copied().unwrap_or(f64::NAN)).collect();
        columns.insert(format!("{segment}.{name}"), Some(values.clone()));
        columns.entry(name.clone()).and_modify(|known| *known = None).or_insert(Some(values));
    }
}
