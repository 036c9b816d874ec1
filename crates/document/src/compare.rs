//! `[[compare]]` and `--compare`: lists of values of parameters, and the runs that follow from them.

use super::StudyDocument;
use super::fields::Fields;
use super::node::{Entry, Node, Value};
use super::overrides;
use super::parameters::{Domain, Parameter, ParameterValue, entries_of};
use super::reader::Reader;
use super::settings::MethodName;
use super::value_list::{self, Listed};
use crate::error::StudyError;
use std::ops::Range;
use wolff_formula::suggest::suggest;

/// Maximum number of runs of one comparison.
pub const MOST_RUNS: usize = 100;

/// The word that stands for all words of a parameter.
const ALL: &str = "all";

/// A parameter or setting, and the values that it takes one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedValues {
    /// Name of the parameter, or path of the setting.
    pub key: String,
    /// Its values as they are set.
    pub values: Vec<String>,
}

/// Runs of a study that differ in the values of some parameters: all combinations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompareSpec {
    /// Name in the study file; empty for a comparison that the command line defines.
    pub name: String,
    /// Title; may be empty.
    pub title: String,
    /// What is varied.
    pub varied: Vec<ComparedValues>,
    /// Names of the results that the table shows; empty: those of the study.
    pub results: Vec<String>,
}

impl CompareSpec {
    /// The values of each run; those of the last parameter change fastest.
    pub fn runs(&self) -> Vec<Vec<(String, String)>> {
        let mut runs = vec![Vec::new()];
        for ComparedValues { key, values } in &self.varied {
            let extended = |run: &Vec<(String, String)>, value: &String| {
                run.iter().cloned().chain([(key.clone(), value.clone())]).collect::<Vec<_>>()
            };
            runs = runs.iter().flat_map(|run| values.iter().map(move |value| extended(run, value))).collect();
        }
        runs
    }
}

impl StudyDocument {
    /// The comparison that options of the command line ask for: each is `KEY=VALUES` or the name of a `[[compare]]` of
    /// the study.
    ///
    /// # Errors
    /// Unknown names, values that are not valid, fewer than two runs and more than [`MOST_RUNS`], all at once.
    pub fn comparison(&self, asked: &[String]) -> Result<CompareSpec, StudyError> {
        let text: String = asked.iter().map(|option| format!("{option}\n")).collect();
        let mut reader = Reader::new(&text);
        let mut whole = CompareSpec::default();
        let mut start = 0;
        for option in asked {
            let span = start..start + option.len();
            start = span.end + 1;
            match option.split_once('=') {
                Some((key, values)) => {
                    let values_span = span.start + key.len() + 1..span.end;
                    let items = value_list::split(values, values_span);
                    let key_span = span.start..span.start + key.len();
                    whole.varied.extend(varied(&mut reader, &self.parameters, (key.trim(), &key_span), items));
                }
                None => add_named(&mut reader, &self.comparisons, option.trim(), &span, &mut whole),
            }
        }
        check_whole(&mut reader, &whole, &(0..text.len()));
        if !reader.diagnostics.is_empty() {
            return Err(StudyError::new("--compare", &text, reader.diagnostics));
        }
        self.check_values(&whole)?;
        Ok(whole)
    }

    /// Sets every value once, on a copy, so that all that are not valid are reported together.
    fn check_values(&self, spec: &CompareSpec) -> Result<(), StudyError> {
        let pairs =
            |v: &ComparedValues| v.values.iter().map(|value| (v.key.clone(), value.clone())).collect::<Vec<_>>();
        let all: Vec<(String, String)> = spec.varied.iter().flat_map(pairs).collect();
        let found = overrides::apply(&mut self.clone(), &all);
        found.map_err(|error| StudyError { file: "--compare".into(), ..error })
    }
}

/// Adds the `[[compare]]` of this name.
fn add_named(reader: &mut Reader<'_>, known: &[CompareSpec], name: &str, span: &Range<usize>, whole: &mut CompareSpec) {
    let Some(spec) = known.iter().find(|spec| spec.name == name) else {
        let names: Vec<&str> = known.iter().map(|spec| spec.name.as_str()).collect();
        let help = match names.as_slice() {
            [] => "write KEY=VALUES, for example --compare law=hertz,flores".into(),
            names => format!("write KEY=VALUES, or one of the comparisons of the study: {}", names.join(", ")),
        };
        reader.wrong::<()>(span, format!("the study has no comparison `{name}`"), Some(help));
        return;
    };
    whole.varied.extend(spec.varied.iter().cloned());
    whole.results.extend(spec.results.iter().cloned());
    if whole.title.is_empty() {
        whole.title.clone_from(&spec.title);
    }
    whole.name.clone_from(&spec.name);
}

/// Each key once, and a number of runs that is not too large.
fn check_whole(reader: &mut Reader<'_>, whole: &CompareSpec, span: &Range<usize>) {
    for (i, one) in whole.varied.iter().enumerate() {
        if whole.varied[..i].iter().any(|other| other.key == one.key) {
            let message = format!("`{}` is varied twice", one.key);
            reader.wrong::<()>(span, message, Some("give all its values in one list".into()));
        }
    }
    let sizes: Vec<usize> = whole.varied.iter().map(|one| one.values.len()).collect();
    let count = sizes.iter().fold(1_usize, |product, n| product.saturating_mul(*n));
    let product = sizes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" x ");
    if count > MOST_RUNS {
        let message = format!("the comparison has {product} = {count} runs; at most {MOST_RUNS} are supported");
        reader.wrong::<()>(span, message, Some("give fewer values".into()));
    } else if count < 2 && reader.diagnostics.is_empty() {
        let help = "give at least two values, for example --compare law=hertz,flores".to_string();
        reader.wrong::<()>(span, "a comparison with one run compares nothing", Some(help));
    }
}

/// Reads all `[[compare]]`, each with a name of its own.
pub(crate) fn read_comparisons(
    reader: &mut Reader<'_>,
    list: Option<&Node>,
    parameters: &[Parameter],
) -> Vec<CompareSpec> {
    let mut names: Vec<String> = Vec::new();
    reader.each(list, "compare", |reader, node| {
        let spec = read_compare(reader, node, parameters)?;
        if names.contains(&spec.name) {
            return reader.wrong(&node.span, format!("there is already a comparison called `{}`", spec.name), None);
        }
        names.push(spec.name.clone());
        Some(spec)
    })
}

/// Reads one `[[compare]]`.
fn read_compare(reader: &mut Reader<'_>, node: &Node, parameters: &[Parameter]) -> Option<CompareSpec> {
    let mut fields = Fields::new(reader, node, "a comparison")?;
    let name = fields.name(reader, "name");
    let title = fields.text_or_empty(reader, "title").map(String::from);
    let results = fields.names_or_none(reader, "results");
    let values = fields.must(reader, "values");
    fields.finish(reader);
    let mut spec = CompareSpec { name: name?, title: title?, varied: Vec::new(), results: results? };
    for entry in entries_of(reader, values, "values") {
        let items = items_of(reader, entry)?;
        spec.varied.extend(varied(reader, parameters, (&entry.key, &entry.key_span), items));
    }
    check_whole(reader, &spec, &node.span);
    Some(spec)
}

/// The values of a key of `values`: an array of numbers and words, or a text as on the command line.
fn items_of(reader: &mut Reader<'_>, entry: &Entry) -> Option<Vec<Listed>> {
    let item = |reader: &mut Reader<'_>, node: &Node| match &node.value {
        Value::Number(x) => Some(Listed::One(ParameterValue::Number(*x).to_string(), node.span.clone())),
        _ => Some(Listed::One(reader.text(node, "a value")?.to_string(), node.span.clone())),
    };
    match &entry.node.value {
        Value::Text(text) => Some(value_list::split(text, entry.node.span.clone())),
        Value::Array(nodes) => nodes.iter().map(|node| item(reader, node)).collect(),
        _ => {
            let what = format!("`{}` of a comparison", entry.key);
            reader.wrong_kind(&entry.node, &what, "an array of values, or a text such as \"all\" or \"0.1..1:5\"")
        }
    }
}

/// The values of a parameter or setting, with ranges and `all` expanded.
fn varied(
    reader: &mut Reader<'_>,
    parameters: &[Parameter],
    (key, key_span): (&str, &Range<usize>),
    items: Vec<Listed>,
) -> Option<ComparedValues> {
    let parameter = parameters.iter().find(|p| p.is_called(key));
    if parameter.is_none() && !overrides::is_setting(key) {
        let known = parameters.iter().map(|p| p.name.as_str()).chain(["integrator.method", "integrator.step"]);
        return reader.wrong(key_span, format!("there is no parameter `{key}`"), suggest(key, known));
    }
    let key = parameter.map_or(key, |p| &p.name).to_string();
    let is_file = parameter.is_some_and(|p| matches!(p.domain, Domain::File(_)));
    let mut values: Vec<String> = Vec::new();
    for item in items {
        let (found, span) = match item {
            Listed::One(text, span) if text == ALL && !is_file => (all_words(reader, parameter, &key, &span)?, span),
            Listed::One(text, span) => (vec![text], span),
            Listed::Range(text, span) if is_file => (vec![text], span),
            Listed::Range(text, span) => (value_list::range(reader, &text, &span)?, span),
        };
        for value in found {
            if value.is_empty() {
                return reader.wrong(&span, format!("`{key}` has an empty value"), None);
            }
            if values.contains(&value) {
                return reader.wrong(&span, format!("`{key}` has the value {value} twice"), None);
            }
            values.push(value);
        }
    }
    Some(ComparedValues { key, values })
}

/// All words of a parameter with choices, or all methods of integration.
fn all_words(
    reader: &mut Reader<'_>,
    parameter: Option<&Parameter>,
    key: &str,
    span: &Range<usize>,
) -> Option<Vec<String>> {
    match parameter.map(Parameter::choices) {
        Some(choices) if !choices.is_empty() => Some(choices.to_vec()),
        None if key == "integrator.method" => Some(
            MethodName::ALL
                .iter()
                .filter(|(m, _)| *m != MethodName::Kinematic)
                .map(|(_, name)| (*name).into())
                .collect(),
        ),
        _ => {
            let help = format!("give its values, for example {key}=1,2,5 or {key}=1..5:3");
            reader.wrong(span, format!("`{key}` has no list of words that `{ALL}` could stand for"), Some(help))
        }
    }
}
