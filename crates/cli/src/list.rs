//! `wolff list`: the built-in studies, or the parameters of one.

use crate::args::List;
use crate::failure::Failure;
use crate::output::{Align, command_json, number, print, print_json, table};
use crate::source;
use serde_json::{Value, json};
use std::process::ExitCode;
use wolff_report::json::Stopwatch;
use wolff_study::BUILTIN;
use wolff_study::document::{CompareSpec, ComparedValues, Domain, Parameter, ParameterValue, StudyDocument};

/// Runs the command.
pub fn list(args: &List) -> Result<ExitCode, Failure> {
    match &args.study {
        None => list_studies(args.json)?,
        Some(name) => list_parameters(name, args.json)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list_studies(json: bool) -> Result<(), Failure> {
    let watch = Stopwatch::start();
    let mut titles = Vec::new();
    for (name, text) in BUILTIN {
        titles.push((name, StudyDocument::parse(name, text)?.title));
    }
    if json {
        let items: Vec<Value> = titles.iter().map(|(name, title)| json!({ "name": name, "title": title })).collect();
        return print_json(&command_json("list", "ok", json!({ "studies": items }), &watch.stop(0.0)));
    }
    let rows: Vec<_> = titles.into_iter().map(|(name, title)| vec![name.to_string(), title]).collect();
    print(&table(&[("study", Align::Left), ("what it computes", Align::Left)], &rows))
}

fn list_parameters(name: &str, json: bool) -> Result<(), Failure> {
    let watch = Stopwatch::start();
    let source = source::find(name)?;
    let document = StudyDocument::parse_in(&source.file, &source.text, &source.base_dir)?;
    let StudyDocument { parameters, comparisons, .. } = document;
    if json {
        let items: Vec<Value> = parameters.iter().map(parameter_json).collect();
        let comparisons: Vec<Value> =
            comparisons.iter().map(|c| json!({ "name": c.name, "title": c.title, "varied": varied(c) })).collect();
        let results = json!({ "study": name, "parameters": items, "comparisons": comparisons });
        return print_json(&command_json("list", "ok", results, &watch.stop(0.0)));
    }
    let row = |p: &Parameter| vec![p.name.clone(), shown(p), meaning(p)];
    let header = [("parameter", Align::Left), ("value", Align::Left), ("meaning", Align::Left)];
    let mut text = table(&header, &parameters.iter().map(row).collect::<Vec<_>>());
    let row = |c: &CompareSpec| vec![c.name.clone(), varied(c), c.title.clone()];
    let header = [("--compare", Align::Left), ("values", Align::Left), ("title", Align::Left)];
    let rows: Vec<_> = comparisons.iter().map(row).collect();
    if !rows.is_empty() {
        text = format!("{text}\n{}", table(&header, &rows));
    }
    print(&text)
}

/// What a comparison of the study varies.
fn varied(spec: &CompareSpec) -> String {
    let one = |v: &ComparedValues| format!("{} = {}", v.key, v.values.join(", "));
    spec.varied.iter().map(one).collect::<Vec<_>>().join("; ")
}

/// The value with its unit; JSON has all digits.
fn shown(p: &Parameter) -> String {
    match &p.value {
        ParameterValue::Number(x) => format!("{} {}", number(*x), p.unit()).trim_end().into(),
        ParameterValue::Word(word) => word.clone(),
    }
}

fn meaning(p: &Parameter) -> String {
    match &p.domain {
        Domain::Choice(choices) => format!("{}: {}", p.about, choices.join(", ")),
        Domain::Number { .. } | Domain::File(_) => p.about.clone(),
    }
}

fn parameter_json(p: &Parameter) -> Value {
    let value = match &p.value {
        ParameterValue::Number(x) => json!(x),
        ParameterValue::Word(word) => json!(word),
    };
    let mut object = json!({ "name": p.name, "value": value, "unit": p.unit(), "meaning": p.about });
    if let Domain::Choice(choices) = &p.domain {
        object["choices"] = json!(choices);
    }
    object
}
