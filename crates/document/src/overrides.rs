//! `--set key=value`: parameters by name, settings by path.

use super::StudyDocument;
use super::node::{self, Entry, Node, Value};
use super::parameters::{Domain, Parameter, enter, read_derived};
use super::reader::Reader;
use super::settings::{read_integrator, read_interval};
use crate::error::StudyError;
use std::ops::Range;
use wolff_formula::suggest::suggest;

/// The tables whose keys may be set by path.
const SECTIONS: [&str; 2] = ["integrator", "output"];

/// Whether a key is the path of a setting rather than the name of a parameter.
pub(crate) fn is_setting(key: &str) -> bool {
    key.split_once('.').is_some_and(|(section, name)| SECTIONS.contains(&section) && !name.is_empty())
}

/// One `key=value` and the place of the value in the joined text of all overrides.
struct Override<'a> {
    key: &'a str,
    value: &'a str,
    key_span: Range<usize>,
    value_span: Range<usize>,
}

/// Applies the overrides in order, or reports all their errors and changes nothing.
pub(crate) fn apply(document: &mut StudyDocument, overrides: &[(String, String)]) -> Result<(), StudyError> {
    let text: String = overrides.iter().map(|(key, value)| format!("{key}={value}\n")).collect();
    let overrides = locate(overrides);
    let mut reader = Reader::new(&text);
    reader.given = document.given.clone();
    let mut changed = document.clone();
    let (sections, parameters): (Vec<_>, Vec<_>) = overrides.iter().partition(|o| o.key.contains('.'));
    enter(&mut reader, &changed.parameters);
    for o in parameters {
        set_parameter(&mut reader, &mut changed.parameters, o);
        // later values may be formulas that use the values set before
        enter(&mut reader, &changed.parameters);
    }
    enter_derived(&mut reader, &changed);
    for o in &sections {
        set_in_section(&mut reader, &mut changed.root, o);
    }
    if reader.diagnostics.is_empty() {
        SECTIONS.iter().for_each(|section| check_section(&mut reader, &changed.root, section, &sections));
    }
    if !reader.diagnostics.is_empty() {
        return Err(StudyError::new("--set", &text, reader.diagnostics));
    }
    if !overrides.is_empty() {
        changed.checked = None;
    }
    changed.given = reader.given;
    *document = changed;
    Ok(())
}

/// Makes derived numbers known to formulas; their errors are reported when the study is evaluated.
fn enter_derived(reader: &mut Reader<'_>, document: &StudyDocument) {
    let before = reader.diagnostics.len();
    read_derived(reader, document.root.get("derived"));
    reader.diagnostics.truncate(before);
}

fn locate(overrides: &[(String, String)]) -> Vec<Override<'_>> {
    let mut start = 0;
    let mut found = Vec::new();
    for (key, value) in overrides {
        let middle = start + key.len() + 1;
        let end = middle + value.len();
        let (key_span, value_span) = (start..start + key.len(), middle..end);
        found.push(Override { key: key.trim(), value: value.trim(), key_span, value_span });
        start = end + 1;
    }
    found
}

fn set_parameter(reader: &mut Reader<'_>, parameters: &mut [Parameter], o: &Override<'_>) {
    let names: Vec<String> = parameters.iter().map(|p| p.name.clone()).collect();
    let Some(parameter) = parameters.iter_mut().find(|p| p.is_called(o.key)) else {
        let known = names.iter().map(String::as_str).chain(["integrator.method", "integrator.rtol", "output.interval"]);
        let help = suggest(o.key, known);
        reader.wrong::<()>(&o.key_span, format!("there is no parameter `{}`", o.key), help);
        return;
    };
    let value = match (&parameter.domain, o.value.parse::<f64>()) {
        (Domain::Number { .. }, Ok(x)) if !x.is_finite() => {
            let message = format!("{} is {x}; it must be a finite number", parameter.name);
            reader.wrong::<()>(&o.value_span, message, None);
            return;
        }
        (Domain::Number { .. }, Ok(x)) => Value::Number(x),
        _ => Value::Text(o.value.trim_matches('"').into()),
    };
    let set = parameter.set(reader, &Node { value, span: o.value_span.clone() });
    parameter.given |= set.is_some();
}

fn set_in_section(reader: &mut Reader<'_>, root: &mut Node, o: &Override<'_>) {
    let Some((section, key)) = o.key.split_once('.').filter(|(s, _)| SECTIONS.contains(s)) else {
        let help = Some("paths that can be set begin with `integrator.` or `output.`".into());
        reader.wrong::<()>(&o.key_span, format!("`{}` cannot be set", o.key), help);
        return;
    };
    let value = node::parse_value(o.value, o.value_span.clone(), &mut reader.diagnostics);
    let Some(table) = table_mut(root, section) else { return };
    // errors that the reader of the section reports for the key or the value belong to this override
    table.retain(|e| e.key != key);
    table.push(Entry { key: key.into(), key_span: o.key_span.clone(), node: value });
}

/// Reads a section again with its new values; errors that do not belong to one of them are shown at the first.
fn check_section(reader: &mut Reader<'_>, root: &Node, section: &str, overrides: &[&Override<'_>]) {
    let mut of_section = overrides.iter().filter(|o| o.key.split_once('.').is_some_and(|(s, _)| s == section));
    let (Some(first), Some(node)) = (of_section.next(), root.get(section)) else { return };
    let before = reader.diagnostics.len();
    match section {
        "integrator" => _ = read_integrator(reader, node),
        _ => _ = read_interval(reader, Some(node), None),
    }
    for d in &mut reader.diagnostics[before..] {
        if !overrides.iter().any(|o| o.key_span == d.span || o.value_span == d.span) {
            d.span = first.key_span.start..first.value_span.end;
        }
    }
}

/// Entries of a table of the root; the table is created if it does not exist.
fn table_mut<'n>(root: &'n mut Node, key: &str) -> Option<&'n mut Vec<Entry>> {
    let end = root.span.end;
    let Value::Table(entries) = &mut root.value else { return None };
    if !entries.iter().any(|e| e.key == key) {
        let node = Node { value: Value::Table(Vec::new()), span: end..end };
        entries.push(Entry { key: key.into(), key_span: end..end, node });
    }
    entries.iter_mut().find(|e| e.key == key).and_then(|e| match &mut e.node.value {
        Value::Table(entries) => Some(entries),
        _ => None,
    })
}
