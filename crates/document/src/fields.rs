//! The keys of one table: each is requested once; a key that is never requested is unknown.

use super::node::{Node, Value};
use super::reader::{Expected, Kind, Reader};
use std::ops::Range;
use wolff_formula::quantity::Dimension;
use wolff_formula::suggest::suggest;
use wolff_report::digits::setting;
use wolff_spatial::Vec3;

/// A table being read.
pub(crate) struct Fields<'n> {
    /// What the table describes, for messages.
    pub what: String,
    pub node: &'n Node,
    requested: Vec<&'static str>,
}

impl<'n> Fields<'n> {
    /// Starts on a table; any other value is an error.
    pub fn new(reader: &mut Reader<'_>, node: &'n Node, what: impl Into<String>) -> Option<Self> {
        let what = what.into();
        match node.value {
            Value::Table(_) => Some(Fields { what, node, requested: vec!["repeat"] }),
            _ => reader.wrong_kind(node, &what, "a table"),
        }
    }

    /// Starts on an object with a unique `name`.
    pub fn named(reader: &mut Reader<'_>, node: &'n Node, kind: Kind) -> Option<(Self, String)> {
        let mut fields = Self::new(reader, node, kind.word())?;
        let name = fields.name(reader, "name")?;
        reader.define(kind, &name, &fields.span_of("name"));
        fields.what = format!("{} `{name}`", kind.word());
        Some((fields, name))
    }

    /// The place of a key's value, or of the table.
    pub fn span_of(&self, key: &str) -> Range<usize> {
        self.node.get(key).unwrap_or(self.node).span.clone()
    }

    fn label(&self, key: &str) -> String {
        format!("`{key}` of {}", self.what)
    }

    /// The value of a key, if it exists.
    pub fn maybe(&mut self, key: &'static str) -> Option<&'n Node> {
        self.requested.push(key);
        self.node.get(key)
    }

    /// The value of a required key.
    pub fn must(&mut self, reader: &mut Reader<'_>, key: &'static str) -> Option<&'n Node> {
        let found = self.maybe(key);
        if found.is_none() {
            reader.wrong::<()>(&self.node.span, format!("{} has no `{key}`, which is required", self.what), None);
        }
        found
    }

    /// A required number.
    pub fn number(&mut self, reader: &mut Reader<'_>, key: &'static str, expected: Expected) -> Option<f64> {
        let node = self.must(reader, key)?;
        reader.number(node, &self.label(key), expected)
    }

    /// An optional number.
    pub fn maybe_number(&mut self, reader: &mut Reader<'_>, key: &'static str, expected: Expected) -> Option<f64> {
        let node = self.maybe(key)?;
        reader.number(node, &self.label(key), expected)
    }

    /// A number, or the default where the key is omitted.
    pub fn number_or(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static str,
        expected: Expected,
        default: f64,
    ) -> Option<f64> {
        match self.maybe(key) {
            Some(node) => reader.number(node, &self.label(key), expected),
            None => Some(default),
        }
    }

    /// A whole number within limits, or the default where the key is omitted.
    pub fn whole_or(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static str,
        [low, high]: [usize; 2],
        default: usize,
    ) -> Option<usize> {
        let value = self.number_or(reader, key, Expected::of(Dimension::ONE), default as f64)?;
        if value.fract() == 0.0 && (low as f64..=high as f64).contains(&value) {
            return Some(value as usize);
        }
        let message =
            format!("{} is {}; it must be a whole number from {low} to {high}", self.label(key), setting(value));
        reader.wrong(&self.span_of(key), message, None)
    }

    /// Numbers, or none where the key is omitted.
    pub fn numbers_or_none(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static str,
        expected: Expected,
    ) -> Option<Vec<f64>> {
        match self.maybe(key) {
            Some(node) => reader.numbers(node, &self.label(key), expected),
            None => Some(Vec::new()),
        }
    }

    /// Three numbers, or zero where the key is omitted.
    pub fn vector_or_zero(&mut self, reader: &mut Reader<'_>, key: &'static str, expected: Expected) -> Option<Vec3> {
        match self.maybe(key) {
            Some(node) => reader.vector(node, &self.label(key), expected),
            None => Some(Vec3::zeros()),
        }
    }

    /// A required unit vector.
    pub fn direction(&mut self, reader: &mut Reader<'_>, key: &'static str) -> Option<Vec3> {
        let node = self.must(reader, key)?;
        reader.direction(node, &self.label(key))
    }

    /// Required unit vectors; their number is checked if it is given.
    pub fn directions(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static str,
        count: Option<usize>,
    ) -> Option<Vec<Vec3>> {
        let node = self.must(reader, key)?;
        let label = self.label(key);
        let Value::Array(items) = &node.value else {
            return reader.wrong_kind(node, &label, "an array of directions [x, y, z]");
        };
        if let Some(count) = count
            && count != items.len()
        {
            return reader.wrong(
                &node.span,
                format!("{label} has {} directions, must have {count}", items.len()),
                None,
            );
        }
        let found: Vec<_> = items.iter().map(|item| reader.direction(item, &label)).collect();
        found.into_iter().collect()
    }

    /// A required string.
    pub fn text(&mut self, reader: &mut Reader<'_>, key: &'static str) -> Option<&'n str> {
        let node = self.must(reader, key)?;
        reader.text(node, &self.label(key))
    }

    /// A string, empty where the key is omitted.
    pub fn text_or_empty(&mut self, reader: &mut Reader<'_>, key: &'static str) -> Option<&'n str> {
        match self.maybe(key) {
            Some(node) => reader.text(node, &self.label(key)),
            None => Some(""),
        }
    }

    /// A required name, in which the `{formula}` parts are replaced by their values.
    pub fn name(&mut self, reader: &mut Reader<'_>, key: &'static str) -> Option<String> {
        let node = self.must(reader, key)?;
        reader.name(node, &self.label(key))
    }

    /// Names, or none where the key is omitted.
    pub fn names_or_none(&mut self, reader: &mut Reader<'_>, key: &'static str) -> Option<Vec<String>> {
        let Some(node) = self.maybe(key) else { return Some(Vec::new()) };
        let label = self.label(key);
        let Value::Array(items) = &node.value else {
            return reader.wrong_kind(node, &label, "an array of names");
        };
        let found: Vec<_> = items.iter().map(|item| reader.name(item, &label)).collect();
        found.into_iter().collect()
    }

    /// The name of an object that is defined elsewhere.
    pub fn mention(&mut self, reader: &mut Reader<'_>, key: &'static str, kind: Kind) -> Option<String> {
        let name = self.name(reader, key)?;
        reader.mention(kind, &name, &self.span_of(key));
        Some(name)
    }

    /// One of the given words.
    pub fn choice(&mut self, reader: &mut Reader<'_>, key: &'static str, choices: &[&str]) -> Option<String> {
        let node = self.must(reader, key)?;
        reader.choice(node, &self.label(key), choices)
    }

    /// One of the given words, or the default where the key is omitted.
    pub fn choice_or(
        &mut self,
        reader: &mut Reader<'_>,
        key: &'static str,
        choices: &[&str],
        default: &str,
    ) -> Option<String> {
        match self.maybe(key) {
            Some(node) => reader.choice(node, &self.label(key), choices),
            None => Some(default.into()),
        }
    }

    /// `true` or `false`, or the default where the key is omitted.
    pub fn flag_or(&mut self, reader: &mut Reader<'_>, key: &'static str, default: bool) -> Option<bool> {
        match self.maybe(key).map(|node| (&node.value, node)) {
            None => Some(default),
            Some((Value::Flag(flag), _)) => Some(*flag),
            Some((_, node)) => reader.wrong_kind(node, &self.label(key), "true or false"),
        }
    }

    /// Reports unknown keys.
    pub fn finish(self, reader: &mut Reader<'_>) {
        let Value::Table(entries) = &self.node.value else { return };
        for entry in entries.iter().filter(|e| !self.requested.contains(&e.key.as_str())) {
            let help = suggest(&entry.key, self.requested.iter().copied().filter(|key| *key != "repeat"));
            reader.wrong::<()>(&entry.key_span, format!("{} has no key `{}`", self.what, entry.key), help);
        }
    }
}
