//! A TOML text as an owned tree in which each value has its place in the text.

use crate::error::Diagnostic;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A value and the bytes it was read from.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub value: Value,
    pub span: Range<usize>,
}

/// The TOML values that studies use.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    /// NaN where the text had no finite number; that error has been reported.
    Number(f64),
    Flag(bool),
    Array(Vec<Node>),
    Table(Vec<Entry>),
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub key: String,
    pub key_span: Range<usize>,
    pub node: Node,
}

impl Node {
    /// The value under a key of a table.
    pub fn get(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Table(entries) => entries.iter().find(|e| e.key == key).map(|e| &e.node),
            _ => None,
        }
    }

    /// Type of the value, for messages.
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::Text(_) => "a string",
            Value::Number(_) => "a number",
            Value::Flag(_) => "true or false",
            Value::Array(_) => "an array",
            Value::Table(_) => "a table",
        }
    }
}

/// Reads TOML; syntax errors, dates and numbers that are not finite are reported together.
pub(crate) fn parse(text: &str, diagnostics: &mut Vec<Diagnostic>) -> Node {
    let (root, errors) = DeTable::parse_recoverable(text);
    diagnostics.extend(errors.iter().map(|e| Diagnostic {
        message: format!("invalid TOML: {}", e.message()),
        span: e.span().unwrap_or(0..0),
        help: None,
    }));
    let span = root.span();
    Node { value: table(root.get_ref(), diagnostics), span }
}

/// Reads a single value as given on a command line; a text that is not TOML is a plain string.
pub(crate) fn parse_value(text: &str, span: Range<usize>, diagnostics: &mut Vec<Diagnostic>) -> Node {
    match DeValue::parse(text) {
        Ok(value) => {
            let mut found = Vec::new();
            let value = convert(value.get_ref(), &span, &mut found);
            diagnostics.extend(found.into_iter().map(|d| Diagnostic { span: span.clone(), ..d }));
            Node { value, span }
        }
        Err(_) => Node { value: Value::Text(text.trim().into()), span },
    }
}

fn table(entries: &DeTable<'_>, diagnostics: &mut Vec<Diagnostic>) -> Value {
    let entry = |(key, value): (&toml::Spanned<toml::de::DeString<'_>>, &toml::Spanned<DeValue<'_>>)| Entry {
        key: key.get_ref().to_string(),
        key_span: key.span(),
        node: Node { value: convert(value.get_ref(), &value.span(), diagnostics), span: value.span() },
    };
    Value::Table(entries.iter().map(entry).collect())
}

fn convert(value: &DeValue<'_>, span: &Range<usize>, diagnostics: &mut Vec<Diagnostic>) -> Value {
    let mut report = |message: String| {
        diagnostics.push(Diagnostic { message, span: span.clone(), help: None });
        Value::Number(f64::NAN)
    };
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(i) => match i64::from_str_radix(i.as_str(), i.radix()) {
            Ok(number) => Value::Number(number as f64),
            Err(_) => report(format!("{i} is too large for a whole number")),
        },
        DeValue::Float(f) => match f.as_str().parse::<f64>() {
            Ok(number) if number.is_finite() => Value::Number(number),
            _ => report(format!("{} is not a finite number", f.as_str())),
        },
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Datetime(date) => report(format!("{date} is a date; study files do not support dates")),
        DeValue::Array(items) => {
            let item = |v: &toml::Spanned<DeValue<'_>>| Node {
                value: convert(v.get_ref(), &v.span(), diagnostics),
                span: v.span(),
            };
            Value::Array(items.iter().map(item).collect())
        }
        DeValue::Table(entries) => table(entries, diagnostics),
    }
}
