//! `wolff list`: the built-in studies, or the parameters of one.

use crate::args::List;
use crate::failure::Failure;
use crate::output::{Align, print, print_json, table};
use crate::source;
use serde_json::{Value, json};
use std::process::ExitCode;
use wolff_study::document::Parameter;

/// Runs the command.
pub fn list(args: &List) -> Result<ExitCode, Failure> {
    match &args.study {
        None => list_studies(args.json)?,
        Some(name) => list_parameters(name, args.json)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn list_studies(json: bool) -> Result<(), Failure> {
    let studies = wolff_study::builtin();
    if json {
        let items: Vec<Value> = studies.iter().map(|s| json!({ "name": s.name, "title": s.title })).collect();
        return print_json(&json!({ "studies": items }));
    }
    let rows: Vec<_> = studies.iter().map(|s| vec![s.name.to_string(), s.title.to_string()]).collect();
    print(&table(&[("study", Align::Left), ("what it computes", Align::Left)], &rows))
}

fn list_parameters(name: &str, json: bool) -> Result<(), Failure> {
    let source = source::find(name)?;
    let parameters = wolff_study::parameters(&source.file, &source.text)?;
    if json {
        let items: Vec<Value> = parameters.iter().map(parameter_json).collect();
        return print_json(&json!({ "study": name, "parameters": items }));
    }
    let row = |p: &Parameter| vec![p.name.clone(), p.value.to_string(), p.unit().to_string(), p.about.clone()];
    let header = [("parameter", Align::Left), ("value", Align::Right), ("unit", Align::Left), ("meaning", Align::Left)];
    print(&table(&header, &parameters.iter().map(row).collect::<Vec<_>>()))
}

fn parameter_json(p: &Parameter) -> Value {
    json!({ "name": p.name, "value": p.value.to_string(), "unit": p.unit(), "meaning": p.about })
}
