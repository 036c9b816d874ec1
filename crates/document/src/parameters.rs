//! Parameters: all quantities of a study that can be changed without editing its file.

use super::data_file;
use super::fields::Fields;
use super::named_file;
use super::node::{Entry, Node, Value};
use super::reader::{Expected, Reader};
use super::surface_file;
use std::fmt;
use std::ops::Range;
use wolff_formula::quantity::{Dimension, Quantity, other_unit, parse_unit};
use wolff_formula::suggest::suggest;
use wolff_report::digits::setting;

/// The word in `choices` that stands for all contact laws.
const CONTACT_LAWS: &str = "contact-law";

/// A number in SI units, or a word.
#[derive(Clone, Debug, PartialEq)]
pub enum ParameterValue {
    /// Number in the parameter's unit.
    Number(f64),
    /// One of the choices, or the name of a file.
    Word(String),
}

impl fmt::Display for ParameterValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // all digits, and no row of zeros
            ParameterValue::Number(x) if *x != 0.0 && !(1e-15..1e15).contains(&x.abs()) => write!(f, "{x:e}"),
            ParameterValue::Number(x) => write!(f, "{x}"),
            ParameterValue::Word(word) => f.write_str(word),
        }
    }
}

/// Valid values of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Numbers.
    Number {
        /// SI unit as declared; empty for a pure number. An exponent may be an earlier parameter: `N/m^exponent`.
        unit: String,
        /// Limits.
        limits: Limits,
    },
    /// Words.
    Choice(Vec<String>),
    /// Name of a file, or empty.
    File(FileKind),
}

/// Kind of the file that a file parameter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A table (`.sto`, `.mot`, `.csv`).
    Table,
    /// A surface (`.stl`, `.obj`, `.vtp`, `.json`).
    Surface,
    /// A model or a recording, which is read by the code that uses it.
    Named,
    /// A scan, which may be a folder, a surface, a mesh or a flexible body; read by the code that uses it.
    Scan,
}

/// Limits of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Minimum.
    pub min: Option<f64>,
    /// Maximum.
    pub max: Option<f64>,
    /// Value that it must exceed.
    pub above: Option<f64>,
    /// Value that it must stay below.
    pub below: Option<f64>,
    /// Whole numbers only.
    pub integer: bool,
}

impl Parameter {
    /// Whether only whole numbers are valid.
    pub fn is_whole(&self) -> bool {
        matches!(&self.domain, Domain::Number { limits, .. } if limits.integer)
    }

    /// The valid words; none for numbers and files.
    pub fn choices(&self) -> &[String] {
        match &self.domain {
            Domain::Choice(choices) => choices,
            _ => &[],
        }
    }
}

impl Limits {
    /// The rule that a value violates.
    fn broken_by(&self, x: f64) -> Option<String> {
        let broken = |limit: Option<f64>, bad: fn(f64, f64) -> bool, words: &str| {
            limit.filter(|l| bad(x, *l)).map(|l| format!("must be {words} {l}"))
        };
        broken(self.min, |x, l| x < l, "at least")
            .or_else(|| broken(self.max, |x, l| x > l, "at most"))
            .or_else(|| broken(self.above, |x, l| x <= l, "greater than"))
            .or_else(|| broken(self.below, |x, l| x >= l, "less than"))
            .or_else(|| (self.integer && x.fract() != 0.0).then(|| "must be a whole number".into()))
    }
}

/// A declared parameter with its current value.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name, as used in formulas and with `--set`.
    pub name: String,
    /// Name in earlier versions, which `--set` still accepts; empty: none.
    pub formerly: String,
    /// Meaning, and source of the value.
    pub about: String,
    /// The parameter and its word with which this one has an effect; `None`: always.
    pub only_with: Option<(String, String)>,
    /// Valid values.
    pub domain: Domain,
    /// Value in the file.
    pub default: ParameterValue,
    /// Current value.
    pub value: ParameterValue,
    /// Whether the value was set in addition to the file; it may be equal to that of the file.
    pub given: bool,
    /// Place of the declaration.
    pub span: Range<usize>,
}

impl Parameter {
    /// Unit for listings; empty for words and pure numbers.
    pub fn unit(&self) -> &str {
        match &self.domain {
            Domain::Number { unit, .. } => unit,
            Domain::Choice(_) | Domain::File(_) => "",
        }
    }

    /// Whether `--set` means this parameter by that name.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || (!name.is_empty() && self.formerly == name)
    }

    /// Whether it still has the value of the file.
    pub fn is_default(&self) -> bool {
        self.value == self.default
    }

    /// Reads a value for this parameter and checks it; errors are recorded.
    pub(crate) fn read_value(&self, reader: &mut Reader<'_>, node: &Node) -> Option<ParameterValue> {
        match &self.domain {
            Domain::Choice(choices) => {
                let choices: Vec<&str> = choices.iter().map(String::as_str).collect();
                reader.choice(node, &self.name, &choices).map(ParameterValue::Word)
            }
            Domain::File(_) => reader.text(node, &self.name).map(|path| ParameterValue::Word(path.trim().into())),
            Domain::Number { unit, limits } => {
                let dimension = si_dimension(reader, unit, &self.span)?;
                let x = reader.number(node, &self.name, Expected::of(dimension))?;
                match limits.broken_by(x) {
                    Some(rule) => {
                        let other = other_unit(x, dimension, |x| limits.broken_by(x).is_none());
                        let help =
                            other.map(|other| format!("if the value is in {other}, write \"{} {other}\"", setting(x)));
                        reader.wrong(&node.span, format!("{} is {}; it {rule}", self.name, setting(x)), help)
                    }
                    None => Some(ParameterValue::Number(x)),
                }
            }
        }
    }

    /// Sets the value; the table that a file parameter names is read. Errors are recorded and then nothing changes.
    pub(crate) fn set(&mut self, reader: &mut Reader<'_>, node: &Node) -> Option<()> {
        let value = self.read_value(reader, node)?;
        if let (Domain::File(kind), ParameterValue::Word(path)) = (&self.domain, &value) {
            match kind {
                FileKind::Table => data_file::load(reader, &self.name, path, &node.span)?,
                FileKind::Surface => surface_file::load(reader, &self.name, path, &node.span)?,
                FileKind::Named => named_file::load(reader, &self.name, path, &node.span)?,
                FileKind::Scan => named_file::load_scan(reader, &self.name, path, &node.span)?,
            }
        }
        self.value = value;
        Some(())
    }
}

/// Reads the table `[parameters]`.
pub(crate) fn read_parameters(reader: &mut Reader<'_>, node: Option<&Node>) -> Vec<Parameter> {
    let mut parameters = Vec::new();
    for entry in entries_of(reader, node, "parameters") {
        match read_parameter(reader, entry) {
            Some(parameter) => {
                enter(reader, std::slice::from_ref(&parameter));
                parameters.push(parameter);
            }
            None => _ = reader.broken.insert(entry.key.clone()),
        }
    }
    parameters
}

fn read_parameter(reader: &mut Reader<'_>, entry: &Entry) -> Option<Parameter> {
    check_name(reader, entry)?;
    let mut fields = Fields::new(reader, &entry.node, format!("parameter `{}`", entry.key))?;
    let about = fields.text(reader, "about");
    let formerly = fields.text_or_empty(reader, "formerly");
    let only_with = read_condition(reader, &mut fields);
    let value = fields.must(reader, "value");
    let file = read_file_kind(reader, &mut fields);
    let domain = match (fields.maybe("choices"), file) {
        (Some(choices), _) => read_choices(reader, choices, &entry.key).map(Domain::Choice),
        (None, Some(Some(kind))) => Some(Domain::File(kind)),
        (None, Some(None)) => read_number_domain(reader, &mut fields),
        (None, None) => None,
    };
    fields.finish(reader);
    let mut parameter = Parameter {
        name: entry.key.clone(),
        formerly: formerly?.into(),
        about: about?.into(),
        only_with: only_with?,
        domain: domain?,
        default: ParameterValue::Number(0.0),
        value: ParameterValue::Number(0.0),
        given: false,
        span: entry.key_span.clone(),
    };
    parameter.set(reader, value?)?;
    parameter.default = parameter.value.clone();
    Some(parameter)
}

/// `only_with` = { PARAMETER = WORD }, or omitted: an earlier parameter with choices, and one of them.
fn read_condition(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Option<(String, String)>> {
    let Some(node) = fields.maybe("only_with") else { return Some(None) };
    let what = format!("`only_with` of {}", fields.what);
    match &node.value {
        Value::Table(entries) if entries.len() == 1 && reader.words.contains_key(&entries[0].key) => {
            let word = reader.text(&entries[0].node, &what)?;
            Some(Some((entries[0].key.clone(), word.into())))
        }
        _ => reader.wrong_kind(node, &what, "a table { PARAMETER = WORD } of an earlier parameter with choices"),
    }
}

/// `file` = true (a table), "surface", "scan", "named", or omitted.
fn read_file_kind(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Option<FileKind>> {
    let Some(node) = fields.maybe("file") else { return Some(None) };
    match &node.value {
        Value::Flag(is_table) => Some(is_table.then_some(FileKind::Table)),
        Value::Text(word) if word == "surface" => Some(Some(FileKind::Surface)),
        Value::Text(word) if word == "named" => Some(Some(FileKind::Named)),
        Value::Text(word) if word == "scan" => Some(Some(FileKind::Scan)),
        _ => reader.wrong_kind(node, &format!("`file` of {}", fields.what), "true, \"surface\", \"scan\" or \"named\""),
    }
}

fn read_number_domain(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Domain> {
    let unit = fields.text_or_empty(reader, "unit")?.to_string();
    let dimension = si_dimension(reader, &unit, &fields.span_of("unit"));
    let expected = dimension.map_or(Expected::ANY, Expected::of);
    let limits = Limits {
        min: fields.maybe_number(reader, "min", expected),
        max: fields.maybe_number(reader, "max", expected),
        above: fields.maybe_number(reader, "above", expected),
        below: fields.maybe_number(reader, "below", expected),
        integer: fields.flag_or(reader, "integer", false).unwrap_or_default(),
    };
    dimension.map(|_| Domain::Number { unit, limits })
}

/// Dimension of an SI unit, in which names of parameters may be exponents.
fn si_dimension(reader: &mut Reader<'_>, unit: &str, span: &Range<usize>) -> Option<Dimension> {
    let mut parts = unit.split('^');
    let mut plain = String::from(parts.next().unwrap_or_default());
    for part in parts {
        let end = part.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(part.len());
        plain += "^";
        match reader.names.numbers.get(&part[..end]) {
            Some(exponent) => plain += &format!("{}{}", exponent.value, &part[end..]),
            None => plain += part,
        }
    }
    match parse_unit(&plain) {
        Some((1.0, dimension)) => Some(dimension),
        Some((_, dimension)) => {
            let help = format!("declare `{dimension}`; values may then be given as \"3 {unit}\"");
            reader.wrong(span, format!("`{unit}` is not an SI unit"), Some(help))
        }
        None => reader.wrong(span, format!("`{plain}` is not a unit"), None),
    }
}

fn read_choices(reader: &mut Reader<'_>, node: &Node, name: &str) -> Option<Vec<String>> {
    match &node.value {
        Value::Text(word) if word == CONTACT_LAWS => Some(contact_laws()),
        Value::Array(items) if !items.is_empty() => {
            let words: Vec<_> = items.iter().map(|item| reader.text(item, "a choice").map(String::from)).collect();
            words.into_iter().collect()
        }
        _ => reader.wrong_kind(node, &format!("`choices` of {name}"), "an array of words or \"contact-law\""),
    }
}

/// Names of all contact laws.
pub(crate) fn contact_laws() -> Vec<String> {
    wolff_contact::LawKind::ALL.iter().map(|law| law.name().to_string()).collect()
}

/// Makes the parameters known to formulas and words.
pub(crate) fn enter(reader: &mut Reader<'_>, parameters: &[Parameter]) {
    for p in parameters {
        if p.given {
            reader.given_parameters.insert(p.name.clone());
        }
        match (&p.value, &p.domain) {
            (ParameterValue::Number(value), Domain::Number { unit, .. }) => {
                let dimension = si_dimension(reader, unit, &p.span);
                reader.names.numbers.insert(p.name.clone(), Quantity { value: *value, dimension });
            }
            (ParameterValue::Word(word), Domain::Choice(_)) => {
                reader.words.insert(p.name.clone(), word.clone());
            }
            _ => {}
        }
    }
}

/// Reads `[derived]`: formulas over parameters and earlier derived names, or a choice of formulas by the word of a
/// parameter.
pub(crate) fn read_derived(reader: &mut Reader<'_>, node: Option<&Node>) {
    for entry in entries_of(reader, node, "derived") {
        if check_name(reader, entry).is_none() {
            continue;
        }
        let is_word = reader.words.contains_key(&entry.key) || reader.given.contains(&entry.key);
        if is_word || reader.names.numbers.contains_key(&entry.key) {
            reader.wrong::<()>(&entry.key_span, format!("`{}` is already a parameter", entry.key), None);
        }
        let label = format!("derived `{}`", entry.key);
        let formula = match entry.node.value {
            Value::Table(_) => chosen(reader, &entry.node, &label),
            _ => Some(&entry.node),
        };
        match formula.and_then(|node| reader.quantity(node, &label)) {
            Some(quantity) => _ = reader.names.numbers.insert(entry.key.clone(), quantity),
            None => _ = reader.broken.insert(entry.key.clone()),
        }
    }
}

/// The formula that `{ by = "law", hooke = ..., otherwise = ... }` gives for the current word of the parameter that it
/// names.
fn chosen<'n>(reader: &mut Reader<'_>, node: &'n Node, label: &str) -> Option<&'n Node> {
    let Some(by) = node.get("by") else {
        return reader.wrong(&node.span, format!("{label} is a table without `by`"), None);
    };
    let parameter = reader.text(by, "`by`")?;
    let Some(word) = reader.words.get(parameter).cloned() else {
        let help = suggest(parameter, reader.words.keys().map(String::as_str));
        return reader.wrong(&by.span, format!("`{parameter}` is not a parameter with choices"), help);
    };
    match node.get(&word).or(node.get("otherwise")) {
        Some(found) => Some(found),
        None => reader.wrong(&node.span, format!("{label} has no entry for `{word}` and no `otherwise`"), None),
    }
}

/// Names must be usable in formulas.
fn check_name(reader: &mut Reader<'_>, entry: &Entry) -> Option<()> {
    let name = &entry.key;
    let starts = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let reserved = ["pi", "i", "time"].contains(&name.as_str());
    if starts && !reserved && name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        return Some(());
    }
    let help = "names consist of letters, digits and _, begin with a letter, and must not be `pi`, `i` or `time`";
    reader.wrong(&entry.key_span, format!("`{name}` cannot be used in formulas"), Some(help.into()))
}

/// Entries of an optional table.
pub(crate) fn entries_of<'n>(reader: &mut Reader<'_>, node: Option<&'n Node>, what: &str) -> &'n [Entry] {
    match node.map(|node| (&node.value, node)) {
        None => &[],
        Some((Value::Table(entries), _)) => entries,
        Some((_, node)) => {
            reader.wrong_kind::<()>(node, &format!("[{what}]"), "a table");
            &[]
        }
    }
}
