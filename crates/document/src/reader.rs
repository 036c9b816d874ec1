//! Reading values out of the tree. Each error is recorded and reading continues, so that all errors are reported at
//! once.
//!
//! A reading function returns `None` after it has recorded the error; the caller then omits the object.

use super::column::Coverage;
use super::given_files::GivenFiles;
use super::measure_kind::CoordinateNature;
pub(crate) use super::names::{Expected, Kind};
use super::names::{Low, Names};
use super::node::{Node, Value};
use super::results::{FormulaPlace, check_names};
use crate::error::Diagnostic;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use wolff_formula::expression::{Expression, ExpressionError};
use wolff_formula::quantity::{Dimension, Quantity, number_length, parse_quantity};
use wolff_formula::suggest::suggest;
use wolff_report::digits::setting;
use wolff_spatial::Vec3;

/// Maximum number of copies of a `repeat`.
const MOST_REPEATS: f64 = 10_000.0;

/// Maximum number of objects of a study, copies included.
const MOST_OBJECTS: usize = 100_000;

/// Maximum length of a name \[bytes\].
const LONGEST_NAME: usize = 100;

/// The state of reading a study.
pub(crate) struct Reader<'a> {
    text: &'a str,
    pub diagnostics: Vec<Diagnostic>,
    pub names: Names,
    /// Parameters that are words, such as the contact law.
    pub words: BTreeMap<String, String>,
    /// Files that parameters name.
    pub given: GivenFiles,
    /// Folder in which tables are looked up; empty: the current folder.
    pub base_dir: PathBuf,
    /// Time range that the tables cover, by parameter.
    pub coverage: BTreeMap<String, Coverage>,
    /// Parameters and derived numbers that could not be read; formulas that use them are not reported as well.
    pub broken: BTreeSet<String>,
    /// Parameters whose value was set in addition to the file.
    pub given_parameters: BTreeSet<String>,
    /// Parameters whose set value has an effect that the same value in the file does not have.
    pub not_default: BTreeSet<String>,
    /// Whether formulas use names that are known only at the end of the run.
    pub names_come_later: bool,
    /// The named objects and their places.
    pub defined: BTreeMap<(Kind, String), Range<usize>>,
    /// The quantity that each coordinate measures.
    pub coordinates: BTreeMap<String, CoordinateNature>,
    /// Ball and free joints.
    pub quaternion_joints: BTreeSet<String>,
    /// Formulas over measures; they are checked when all measures are known.
    pub formulas: Vec<(Expression, Node, String)>,
    /// Kinds of which some objects could not be read: a missing name may be one of theirs.
    pub unsure: BTreeSet<Kind>,
    mentioned: Vec<(Kind, String, Range<usize>)>,
    objects: usize,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Self {
        Reader {
            text,
            diagnostics: Vec::new(),
            names: Names::default(),
            words: BTreeMap::new(),
            given: GivenFiles::default(),
            base_dir: PathBuf::new(),
            coverage: BTreeMap::new(),
            broken: BTreeSet::new(),
            given_parameters: BTreeSet::new(),
            not_default: BTreeSet::new(),
            names_come_later: false,
            defined: BTreeMap::new(),
            coordinates: BTreeMap::new(),
            quaternion_joints: BTreeSet::new(),
            formulas: Vec::new(),
            unsure: BTreeSet::new(),
            mentioned: Vec::new(),
            objects: 0,
        }
    }

    /// Records an error; returns `None`, so that a reading function can end with it.
    pub fn wrong<T>(&mut self, span: &Range<usize>, message: impl Into<String>, help: Option<String>) -> Option<T> {
        self.diagnostics.push(Diagnostic { message: message.into(), span: span.clone(), help });
        None
    }

    /// Records the error of a formula at its place within the string.
    pub fn wrong_formula<T>(&mut self, node: &Node, formula: &str, label: &str, error: &ExpressionError) -> Option<T> {
        if error.unknown.as_ref().is_some_and(|name| self.broken.contains(name)) {
            return None;
        }
        let inner = node.span.start + 1..node.span.end.saturating_sub(1);
        let plain = self.text.get(inner.clone()) == Some(formula);
        let span = if plain { inner.start + error.at.start..inner.start + error.at.end } else { node.span.clone() };
        let measures = self.defined.keys().filter(|(kind, _)| *kind == Kind::Measure).map(|(_, name)| name.as_str());
        let names = self.names.numbers.keys().map(String::as_str).chain(measures);
        let help = error.unknown.as_ref().and_then(|name| suggest(name, names));
        self.wrong(&span, format!("{label}: {}", error.message), help)
    }

    /// A finite number: a literal, a number with a unit, or a formula.
    pub fn number(&mut self, node: &Node, label: &str, expected: Expected) -> Option<f64> {
        let mut quantity = self.quantity(node, label)?;
        // formulas lose the angle: a ratio of lengths may be an angle
        let formula = matches!(&node.value, Value::Text(text) if parse_quantity(text).is_none());
        if let (true, Some(got), Some(expected)) = (formula, &mut quantity.dimension, expected.dimension) {
            got.rad = expected.rad;
        }
        self.check(&node.span, label, quantity, expected)
    }

    /// A finite number of any dimension.
    pub fn quantity(&mut self, node: &Node, label: &str) -> Option<Quantity> {
        let quantity = match &node.value {
            Value::Number(value) => Quantity { value: Some(*value).filter(|v| !v.is_nan())?, dimension: None },
            Value::Text(text) => self.formula(node, text, label)?,
            _ => return self.wrong_kind(node, label, "a number, a number with a unit or a formula"),
        };
        if !quantity.value.is_finite() {
            let value = quantity.value;
            return self.wrong(&node.span, format!("{label} is {value}; it must be a finite number"), None);
        }
        Some(quantity)
    }

    fn formula(&mut self, node: &Node, text: &str, label: &str) -> Option<Quantity> {
        if let Some(quantity) = parse_quantity(text) {
            return Some(quantity);
        }
        let rest = text.trim();
        let rest = rest[number_length(rest)..].trim_start();
        if rest.len() < text.trim().len() && rest.starts_with(char::is_alphabetic) {
            return self.wrong(
                &node.span,
                format!("{label}: `{rest}` is not a unit"),
                Some("units are m mm kg g s ms rad deg N kN J W Pa MPa Hz ..., with `/`, spaces and `^`".into()),
            );
        }
        match Expression::parse(text).and_then(|e| e.evaluate(&self.names)) {
            Ok(quantity) => Some(quantity),
            Err(error) => self.wrong_formula(node, text, label, &error),
        }
    }

    /// Compares a quantity with the requirement.
    fn check(&mut self, span: &Range<usize>, label: &str, quantity: Quantity, expected: Expected) -> Option<f64> {
        let value = quantity.value;
        if let (Some(got), Some(expected)) = (quantity.dimension, expected.dimension)
            && !got.equals(expected)
        {
            let written = self.text.get(span.clone()).unwrap_or_default().trim_matches(['"', '\'']);
            let got =
                if written.contains(char::is_alphabetic) { format!("{written} [{got}]") } else { got.to_string() };
            return self.wrong(span, format!("{label} must be {}; got {got}", expected.describe()), None);
        }
        match expected.low {
            Low::Positive if value <= 0.0 => {
                self.wrong(span, format!("{label} is {}; it must be greater than zero", setting(value)), None)
            }
            Low::NotNegative if value < 0.0 => {
                self.wrong(span, format!("{label} is {}; it must be zero or more", setting(value)), None)
            }
            _ => Some(value),
        }
    }

    /// Numbers of an array.
    pub fn numbers(&mut self, node: &Node, label: &str, expected: Expected) -> Option<Vec<f64>> {
        let Value::Array(items) = &node.value else {
            return self.wrong_kind(node, label, "an array of numbers");
        };
        let values: Vec<_> = items.iter().map(|item| self.number(item, label, expected)).collect();
        values.into_iter().collect()
    }

    /// Exactly three numbers.
    pub fn vector(&mut self, node: &Node, label: &str, expected: Expected) -> Option<Vec3> {
        let values = self.numbers(node, label, expected)?;
        match values[..] {
            [x, y, z] => Some(Vec3::new(x, y, z)),
            _ => self.wrong(&node.span, format!("{label} has {} numbers, must have 3", values.len()), None),
        }
    }

    /// Three numbers, normalised to length 1.
    pub fn direction(&mut self, node: &Node, label: &str) -> Option<Vec3> {
        let v = self.vector(node, label, Expected::ANY)?;
        match v.norm() {
            n if n > 1e-12 && n.is_finite() => Some(v / n),
            _ => self.wrong(&node.span, format!("{label} is {v:?}; a direction must not be zero"), None),
        }
    }

    /// A string.
    pub fn text<'n>(&mut self, node: &'n Node, label: &str) -> Option<&'n str> {
        match &node.value {
            Value::Text(text) => Some(text),
            _ => self.wrong_kind(node, label, "a string"),
        }
    }

    /// One of the given words, or a parameter that holds one of them.
    pub fn choice(&mut self, node: &Node, label: &str, choices: &[&str]) -> Option<String> {
        let text = self.text(node, label)?;
        let word = self.words.get(text).cloned().unwrap_or_else(|| text.into());
        // underscores are accepted for hyphens
        let hyphened = word.replace('_', "-");
        if let Some(choice) = choices.iter().find(|c| **c == word || **c == hyphened) {
            return Some(choice.to_string());
        }
        let help = suggest(&word, choices.iter().copied());
        self.wrong(&node.span, format!("{label} is `{word}`, which is not a valid choice"), help)
    }

    /// A name in which the `{formula}` parts are replaced by their values.
    pub fn name(&mut self, node: &Node, label: &str) -> Option<String> {
        let text = self.text(node, label)?;
        self.expand(text, &node.span, label)
    }

    /// A name in which the `{formula}` parts are replaced by their values.
    pub fn expand(&mut self, text: &str, span: &Range<usize>, label: &str) -> Option<String> {
        let mut name = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((formula, behind)) = after.split_once('}') else {
                return self.wrong(span, format!("{label}: `{text}` has no closing `}}`"), None);
            };
            let number = match Expression::parse(formula).and_then(|e| e.evaluate(&self.names)) {
                Ok(q) => q.value,
                Err(error) => return self.wrong(span, format!("{label}: {{{formula}}}: {error}"), None),
            };
            if number.fract() != 0.0 || number.abs() > 1e9 {
                return self.wrong(span, format!("{label}: {{{formula}}} is {number}, not a whole number"), None);
            }
            name += before;
            name += &number.to_string();
            rest = behind;
        }
        name += rest;
        let allowed = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(allowed) {
            return self.wrong(
                span,
                format!("{label} is `{name}`, which is not a valid name"),
                Some(format!("names consist of 1 to {LONGEST_NAME} letters, digits and _ - .")),
            );
        }
        Some(name)
    }

    /// Records that a value is of the wrong type.
    pub fn wrong_kind<T>(&mut self, node: &Node, label: &str, expected: &str) -> Option<T> {
        self.wrong(&node.span, format!("{label} is {}, must be {expected}", node.kind()), None)
    }

    /// Registers the name of an object; two objects of one kind must not have the same name.
    pub fn define(&mut self, kind: Kind, name: &str, span: &Range<usize>) {
        if self.defined.insert((kind, name.into()), span.clone()).is_some() {
            self.wrong::<()>(span, format!("there is already a {} called `{name}`", kind.word()), None);
        }
    }

    /// Records the use of a name, which must be defined somewhere.
    pub fn mention(&mut self, kind: Kind, name: &str, span: &Range<usize>) {
        self.mentioned.push((kind, name.into(), span.clone()));
    }

    /// Reports the used names that are not defined.
    pub fn resolve(&mut self) {
        for (kind, name, span) in std::mem::take(&mut self.mentioned) {
            if !self.defined.contains_key(&(kind, name.clone())) && !self.unsure.contains(&kind) {
                let known = self.defined.keys().filter(|(k, _)| *k == kind).map(|(_, n)| n.as_str());
                let help = suggest(&name, known);
                self.wrong::<()>(&span, format!("there is no {} called `{name}`", kind.word()), help);
            }
        }
    }

    /// Reports unknown names in formulas over measures.
    pub fn check_formulas(&mut self) {
        for (formula, node, label) in std::mem::take(&mut self.formulas) {
            check_names(self, &node, &label, &formula, FormulaPlace::Row, &[]);
        }
    }

    /// Reads every table of an array of tables, repeated as its `repeat` says.
    pub fn each<T>(
        &mut self,
        list: Option<&Node>,
        what: &str,
        mut read: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Vec<T> {
        let mut found = Vec::new();
        let items = match list.map(|node| (&node.value, node)) {
            None => return found,
            Some((Value::Array(items), _)) => items,
            Some((_, node)) => {
                self.wrong_kind::<()>(node, what, &format!("an array of tables, written [[{what}]]"));
                return found;
            }
        };
        for node in items {
            let copies = match node.get("repeat") {
                None => None,
                Some(repeat) => match self.copies(repeat, what) {
                    Some(n) => Some(n),
                    None => continue,
                },
            };
            for index in 0..copies.unwrap_or(1) {
                self.objects += 1;
                if self.objects > MOST_OBJECTS {
                    self.wrong::<()>(&node.span, format!("a study has at most {MOST_OBJECTS} objects"), None);
                    return found;
                }
                self.names.index = copies.map(|_| index);
                let before = self.diagnostics.len();
                found.extend(read(self, node));
                // the errors of one faulty copy are enough
                if self.diagnostics.len() > before {
                    self.unsure.extend(Kind::ALL.iter().filter(|kind| copies.is_some() && kind.made_by(what)));
                    break;
                }
            }
            self.names.index = None;
        }
        found
    }

    fn copies(&mut self, repeat: &Node, what: &str) -> Option<usize> {
        let label = format!("`repeat` of {what}");
        let count = self.number(repeat, &label, Expected::of(Dimension::ONE))?;
        if count.fract() == 0.0 && (0.0..=MOST_REPEATS).contains(&count) {
            return Some(count as usize);
        }
        let message = format!("{label} is {count}; it must be a whole number from 0 to {MOST_REPEATS}");
        self.wrong(&repeat.span, message, None)
    }
}
