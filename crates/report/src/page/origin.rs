//! Provenance of a run: parameters, settings, inputs; and the files written.

use super::html::{Column, Table, escape};
use crate::digits::{plain, setting};
use crate::folder::base_name;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Provenance for the page.
#[derive(Clone, Debug)]
pub struct Origin<'a> {
    /// Name of the program.
    pub program: &'a str,
    /// Its version.
    pub version: &'a str,
    /// Names and SHA-256 of the study and the files it read.
    pub inputs: Vec<(String, String)>,
    /// The study file as one object.
    pub settings: &'a Value,
    /// Values set in addition to the study file, by name or path, as they were given.
    pub overrides: Vec<(String, String)>,
}

/// Sections of a study whose keys are shown as settings.
const SECTIONS: [&str; 2] = ["integrator", "output"];

impl Origin<'_> {
    /// A text at the top of the study file.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.settings.get(key)?.as_str()
    }

    /// The title of the study file, unless it is empty.
    pub fn title(&self) -> Option<&str> {
        self.text("title").filter(|title| !title.trim().is_empty())
    }

    /// The value set for a name or path; the last one applies.
    fn set(&self, key: &str) -> Option<&str> {
        self.overrides.iter().rev().find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
    }

    /// Heading of the section with the parameters of a study or the options of a command.
    pub(super) fn parameters_heading(&self) -> &'static str {
        if self.settings.is_null() { "Options" } else { "Parameters and settings" }
    }

    /// The options of a command, in the order given.
    fn options(&self) -> String {
        if self.overrides.is_empty() {
            return String::new();
        }
        let mut table = Table::new("Options of the command", &[("option", Column::Words), ("value", Column::Words)]);
        self.overrides.iter().for_each(|(name, value)| table.row("", &[name.clone(), value.clone()]));
        table.finish()
    }

    /// Every parameter with its unit; changed parameters are marked. Of a command, its options.
    pub(super) fn parameters(&self) -> String {
        if self.settings.is_null() {
            return self.options();
        }
        let Some(parameters) = entries(self.settings, "parameters") else { return String::new() };
        let header = [
            ("parameter", Column::Words),
            ("value", Column::Numbers),
            ("unit", Column::Words),
            ("change", Column::Words),
            ("meaning", Column::Words),
        ];
        let mut table = Table::new("Parameters", &header);
        for (name, parameter) in parameters {
            let text = |key: &str| parameter.get(key).and_then(Value::as_str).unwrap_or_default().to_string();
            let default = parameter.get("value").map(|value| default_of(parameter, value)).unwrap_or_default();
            let (unit, about) = (text("unit"), text("about"));
            match self.set(name).filter(|set| !is_same(set, &default)) {
                None => {
                    let unit = unit_shown(&default, &unit);
                    table.row("", &[name.clone(), default, unit, String::new(), about]);
                }
                Some(set) => {
                    let was = format!("changed from {default} {}", unit_shown(&default, &unit));
                    table.row(
                        "changed",
                        &[name.clone(), set.into(), unit_shown(set, &unit), was.trim_end().into(), about],
                    );
                }
            }
        }
        table.finish()
    }

    /// Settings of the integration and the output; changed settings are marked.
    pub(super) fn settings(&self) -> String {
        let header = [("setting", Column::Words), ("value", Column::Words), ("change", Column::Words)];
        let mut table = Table::new("Settings of the integration and the output", &header);
        let paths = self.setting_paths();
        for path in &paths {
            let (section, key) = path.split_once('.').unwrap_or((path, ""));
            let written = entries(self.settings, section).and_then(|entries| entries.get(key)).map(given);
            match (self.set(path), written) {
                (Some(set), None) => table.row("changed", &[path.clone(), set.into(), "added".into()]),
                (Some(set), Some(was)) => {
                    table.row("changed", &[path.clone(), set.into(), format!("changed from {was}")]);
                }
                (None, was) => table.row("", &[path.clone(), was.unwrap_or_default(), String::new()]),
            }
        }
        if paths.is_empty() { String::new() } else { table.finish() }
    }

    /// Settings in the study file, then those that were only set in addition to it.
    fn setting_paths(&self) -> Vec<String> {
        let keys = |section: &'static str| {
            let entries = entries(self.settings, section).into_iter().flatten();
            entries.map(move |(key, _)| format!("{section}.{key}"))
        };
        let mut paths: Vec<String> = SECTIONS.into_iter().flat_map(keys).collect();
        for (path, _) in &self.overrides {
            let is_setting = path.trim().split_once('.').is_some_and(|(section, _)| SECTIONS.contains(&section));
            if is_setting && paths.iter().all(|known| known != path.trim()) {
                paths.push(path.trim().into());
            }
        }
        paths
    }

    /// The program and the hashes of all files that were read.
    pub(super) fn inputs(&self) -> String {
        let (program, version) = (escape(self.program), escape(self.version));
        let mut html = format!("<p>Computed by {program} {version}.</p>\n");
        if self.inputs.is_empty() {
            return html;
        }
        let mut table = Table::new("Input files", &[("file", Column::Words), ("SHA-256", Column::Words)]);
        self.inputs.iter().for_each(|(name, hash)| table.row("hash", &[name.clone(), hash.clone()]));
        html += &table.finish();
        html
    }
}

/// Whether two texts stand for the same value: `1.0` is `1`.
fn is_same(a: &str, b: &str) -> bool {
    a == b || matches!((a.parse::<f64>(), b.parse::<f64>()), (Ok(a), Ok(b)) if a == b)
}

/// The unit to show next to a value: empty where the text has its own unit (`90 deg`) or is a formula.
fn unit_shown(value: &str, unit: &str) -> String {
    if value.parse::<f64>().is_ok() { unit.into() } else { String::new() }
}

/// The value in the file; for a file parameter only the file name.
fn default_of(parameter: &Value, value: &Value) -> String {
    let is_file = parameter.get("file").is_some_and(|file| *file != Value::Bool(false));
    if is_file { base_name(&plain(value)) } else { given(value) }
}

/// A value as it was given, numbers with all digits.
fn given(value: &Value) -> String {
    match value {
        Value::Number(n) if n.is_f64() => n.as_f64().map_or_else(|| n.to_string(), setting),
        other => plain(other),
    }
}

fn entries<'a>(settings: &'a Value, key: &str) -> Option<&'a Map<String, Value>> {
    settings.get(key)?.as_object().filter(|entries| !entries.is_empty())
}

/// Content of a file, by the end of its name.
const KINDS: [(&str, &str); 13] = [
    ("report.html", "this page"),
    ("summary.json", "results, comparisons, warnings and timing for programs"),
    ("provenance.json", "program, input hashes, settings and the list of files"),
    ("README.md", "description of the other files of its folder"),
    ("body.json", "reduced body of the bone: inertia, modes, nodes, gauges"),
    ("mesh.inp", "mesh of the bone for CalculiX and similar programs"),
    (".inp", "loads at one instant on that mesh"),
    (".sto", "time series for OpenSim"),
    (".csv", "table"),
    (".svg", "figure"),
    (".vtu", "surface with fields for ParaView"),
    (".pvd", "series of surfaces on a time axis for ParaView"),
    (".html", "page"),
];

/// The other files of the folder.
pub(super) fn files(files: &[String]) -> String {
    let mut html = String::from("<ul class=\"files\">\n");
    for name in files {
        let kind = KINDS.iter().find(|(end, _)| name.ends_with(end)).map_or("", |(_, kind)| kind);
        let name = escape(name);
        let _ = writeln!(html, "<li class=\"file\"><a href=\"{name}\">{name}</a> {kind}</li>");
    }
    html + "</ul>\n"
}
