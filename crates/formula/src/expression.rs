//! Small formulas: `crank_mass * crank_length^2 / 12`.
//!
//! ```text
//! sum     = product (("+" | "-") product)*
//! product = factor (("*" | "/") factor)*
//! factor  = "-" factor | power
//! power   = atom ("^" factor)?
//! atom    = number | name | name "(" sum ("," sum)* ")" | "(" sum ")"
//! ```

use crate::parser::parse;
use crate::quantity::{Dimension, Quantity};
use std::ops::Range;

/// Error in reading or evaluating a formula.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("column {}: {message}", at.start + 1)]
pub struct ExpressionError {
    /// Its place in the formula \[bytes\].
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// The name, if the error is that it is unknown.
    pub unknown: Option<String>,
}

impl ExpressionError {
    /// An error at this place.
    pub fn new(at: &Range<usize>, message: impl Into<String>) -> Self {
        ExpressionError { at: at.clone(), message: message.into(), unknown: None }
    }
}

/// Names of the elementary functions.
pub const FUNCTIONS: [&str; 14] =
    ["sin", "cos", "tan", "exp", "ln", "asin", "acos", "atan", "atan2", "si", "abs", "sqrt", "min", "max"];

/// The names and functions available to a formula.
pub trait Scope {
    /// The value of a name.
    fn get(&self, name: &str) -> Option<Quantity>;

    /// The value of a function that this scope adds to the elementary functions or that replaces one of them.
    fn call(&self, _name: &str, _arguments: &[Term]) -> Option<Result<Quantity, ExpressionError>> {
        None
    }
}

/// Named numbers without units, which is enough for most callers.
pub trait Lookup {
    /// The value of a name.
    fn get(&self, name: &str) -> Option<f64>;
}

/// A parsed formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    root: Term,
}

/// A part of a formula and its place in the text.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Place in the formula \[bytes\].
    pub at: Range<usize>,
    /// Kind of the part.
    pub kind: TermKind,
}

/// The kinds of parts.
#[derive(Clone, Debug, PartialEq)]
pub enum TermKind {
    /// A literal.
    Number(f64),
    /// A name, dots allowed.
    Name(String),
    /// `-x`.
    Negative(Box<Term>),
    /// `x + y` and similar; the operator is one of `+ - * / ^`.
    Binary(char, Box<Term>, Box<Term>),
    /// A function.
    Call(String, Vec<Term>),
}

impl Expression {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        Ok(Expression { text: text.into(), root: parse(text)? })
    }

    /// The formula as written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The outermost part.
    pub fn root(&self) -> &Term {
        &self.root
    }

    /// The value, with its dimension as far as units are known.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<Quantity, ExpressionError> {
        self.root.evaluate(scope)
    }

    /// The value where names are plain numbers.
    pub fn value(&self, lookup: &dyn Lookup) -> Result<f64, ExpressionError> {
        struct Plain<'a>(&'a dyn Lookup);
        impl Scope for Plain<'_> {
            fn get(&self, name: &str) -> Option<Quantity> {
                self.0.get(name).map(|value| Quantity { value, dimension: None })
            }
        }
        Ok(self.evaluate(&Plain(lookup))?.value)
    }
}

impl Term {
    /// The value of this part.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<Quantity, ExpressionError> {
        match &self.kind {
            TermKind::Number(value) => Ok(Quantity { value: *value, dimension: None }),
            TermKind::Name(name) => self.name(name, scope),
            TermKind::Negative(term) => {
                let q = term.evaluate(scope)?;
                Ok(Quantity { value: -q.value, ..q })
            }
            TermKind::Binary(operator, left, right) => {
                self.binary(*operator, left.evaluate(scope)?, right.evaluate(scope)?)
            }
            TermKind::Call(name, arguments) => match scope.call(name, arguments) {
                Some(result) => result,
                None => {
                    let values = arguments.iter().map(|a| a.evaluate(scope)).collect::<Result<Vec<_>, _>>()?;
                    self.function(name, &values)
                }
            },
        }
    }

    fn name(&self, name: &str, scope: &dyn Scope) -> Result<Quantity, ExpressionError> {
        match (scope.get(name), name) {
            (Some(quantity), _) => Ok(quantity),
            (None, "pi") => Ok(Quantity { value: std::f64::consts::PI, dimension: None }),
            (None, _) => Err(ExpressionError {
                unknown: Some(name.into()),
                ..ExpressionError::new(&self.at, format!("unknown name `{name}`"))
            }),
        }
    }

    fn binary(&self, operator: char, a: Quantity, b: Quantity) -> Result<Quantity, ExpressionError> {
        let one = Dimension::ONE;
        let product = |power: f64| match (a.dimension, b.dimension) {
            (None, None) => None,
            (x, y) => Some(x.unwrap_or(one).times(y.unwrap_or(one), power)),
        };
        let (value, dimension) = match operator {
            '+' => (a.value + b.value, self.common(&[a, b])?),
            '-' => (a.value - b.value, self.common(&[a, b])?),
            '*' => (a.value * b.value, product(1.0)),
            '/' => (a.value / b.value, product(-1.0)),
            _ => {
                self.pure_number(&b, "an exponent")?;
                (a.value.powf(b.value), a.dimension.map(|d| one.times(d, b.value)))
            }
        };
        Ok(Quantity { value, dimension })
    }

    fn function(&self, name: &str, x: &[Quantity]) -> Result<Quantity, ExpressionError> {
        let pure = |value| Ok(Quantity { value, dimension: Some(Dimension::ONE) });
        let angle = |value| Ok(Quantity { value, dimension: Some(Dimension::ANGLE) });
        if let ("sin" | "cos" | "tan" | "exp" | "ln" | "asin" | "acos" | "atan", [a]) = (name, x) {
            self.pure_number(a, &format!("the argument of {name}"))?;
        }
        match (name, x) {
            ("sin", [a]) => pure(a.value.sin()),
            ("cos", [a]) => pure(a.value.cos()),
            ("tan", [a]) => pure(a.value.tan()),
            ("exp", [a]) => pure(a.value.exp()),
            ("ln", [a]) => pure(a.value.ln()),
            ("asin", [a]) => angle(a.value.asin()),
            ("acos", [a]) => angle(a.value.acos()),
            ("atan", [a]) => angle(a.value.atan()),
            ("atan2", [a, b]) => {
                self.common(x)?;
                angle(a.value.atan2(b.value))
            }
            ("si", [a]) => Ok(Quantity { value: a.value, dimension: None }),
            ("abs", [a]) => Ok(Quantity { value: a.value.abs(), ..*a }),
            ("sqrt", [a]) => {
                let dimension = a.dimension.map(|d| Dimension::ONE.times(d, 0.5));
                Ok(Quantity { value: a.value.sqrt(), dimension })
            }
            // NaN must be propagated here, unlike in f64::min
            ("min", [first, rest @ ..]) => Ok(Quantity {
                value: rest.iter().fold(first.value, |m, q| if q.value < m || q.value.is_nan() { q.value } else { m }),
                dimension: self.common(x)?,
            }),
            ("max", [first, rest @ ..]) => Ok(Quantity {
                value: rest.iter().fold(first.value, |m, q| if q.value > m || q.value.is_nan() { q.value } else { m }),
                dimension: self.common(x)?,
            }),
            _ => Err(self.no_such_function(name, x.len())),
        }
    }

    fn no_such_function(&self, name: &str, count: usize) -> ExpressionError {
        const KNOWN: &str =
            "sin cos tan asin acos atan exp ln sqrt abs si of one argument, atan2 of two, min max of any";
        ExpressionError::new(
            &self.at,
            format!("there is no function `{name}` of {count} arguments; the functions are {KNOWN}"),
        )
    }

    /// The common dimension of values that are added or compared; bare numbers take that of the others.
    fn common(&self, x: &[Quantity]) -> Result<Option<Dimension>, ExpressionError> {
        let mut known = x.iter().filter_map(|q| q.dimension);
        let Some(first) = known.next() else { return Ok(None) };
        match known.find(|d| !d.matches(first)) {
            Some(other) => {
                Err(ExpressionError::new(&self.at, format!("[{first}] and [{other}] cannot be added or compared")))
            }
            None => Ok(Some(first)),
        }
    }

    fn pure_number(&self, q: &Quantity, what: &str) -> Result<(), ExpressionError> {
        match q.dimension {
            Some(d) if !d.matches(Dimension::ONE) => {
                Err(ExpressionError::new(&self.at, format!("{what} must be a pure number, not {}", d.describe())))
            }
            _ => Ok(()),
        }
    }

    /// Calls `visit` for this part and all parts within it, outer parts first.
    pub fn visit(&self, visit: &mut dyn FnMut(&Term)) {
        visit(self);
        match &self.kind {
            TermKind::Number(_) | TermKind::Name(_) => {}
            TermKind::Negative(term) => term.visit(visit),
            TermKind::Binary(_, left, right) => {
                left.visit(visit);
                right.visit(visit);
            }
            TermKind::Call(_, arguments) => arguments.iter().for_each(|a| a.visit(visit)),
        }
    }
}
