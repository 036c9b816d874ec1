//! Recursive descent from text to [`Term`]; the grammar is in [`crate::expression`].

use crate::expression::{ExpressionError, Term, TermKind};
use crate::quantity::number_length;
use std::ops::Range;

/// Maximum length of a formula \[bytes\]; limits the size of the tree.
const LONGEST: usize = 1000;

/// Maximum nesting of parentheses, signs and powers; limits the recursion.
const DEEPEST: usize = 64;

/// Reads a formula.
pub(crate) fn parse(text: &str) -> Result<Term, ExpressionError> {
    if text.len() > LONGEST {
        return Err(ExpressionError::new(&(0..0), format!("a formula has at most {LONGEST} characters")));
    }
    let mut parser = Parser { text, at: 0, depth: 0 };
    let term = parser.sum()?;
    match parser.peek() {
        None => Ok(term),
        Some(c) => Err(parser.unexpected(c, "an operator or the end")),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    /// The next character that is not a space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    /// Takes the next character if it is one of those given.
    fn take(&mut self, any_of: &str) -> Option<char> {
        let c = self.peek().filter(|c| any_of.contains(*c))?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn unexpected(&self, c: char, expected: &str) -> ExpressionError {
        ExpressionError::new(&(self.at..self.at + c.len_utf8()), format!("found `{c}` where {expected} is expected"))
    }

    fn sum(&mut self) -> Result<Term, ExpressionError> {
        let mut left = self.product()?;
        while let Some(operator) = self.take("+-") {
            left = binary(operator, left, self.product()?);
        }
        Ok(left)
    }

    fn product(&mut self) -> Result<Term, ExpressionError> {
        let mut left = self.factor()?;
        while let Some(operator) = self.take("*/") {
            left = binary(operator, left, self.factor()?);
        }
        Ok(left)
    }

    /// Every recursion passes through this function.
    fn factor(&mut self) -> Result<Term, ExpressionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ExpressionError::new(
                &(self.at..self.at),
                format!("formulas may be nested at most {DEEPEST} levels deep; split this one"),
            ));
        }
        self.peek();
        let start = self.at;
        let term = match self.take("-") {
            Some(_) => {
                let inner = self.factor()?;
                Term { at: start..self.at, kind: TermKind::Negative(Box::new(inner)) }
            }
            None => self.power()?,
        };
        self.depth -= 1;
        Ok(term)
    }

    fn power(&mut self) -> Result<Term, ExpressionError> {
        let base = self.atom()?;
        match self.take("^") {
            Some(operator) => Ok(binary(operator, base, self.factor()?)),
            None => Ok(base),
        }
    }

    fn atom(&mut self) -> Result<Term, ExpressionError> {
        match self.peek() {
            Some('(') => {
                self.take("(");
                let inner = self.sum()?;
                self.close()?;
                Ok(inner)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            Some(c) => Err(self.unexpected(c, "a number, a name or `(`")),
            None => Err(ExpressionError::new(&(self.at..self.at), "the formula ends where a value is expected")),
        }
    }

    fn number(&mut self) -> Result<Term, ExpressionError> {
        let rest = &self.text[self.at..];
        let length = number_length(rest);
        let at = self.at..self.at + length.max(1);
        match rest[..length].parse::<f64>() {
            Ok(value) if value.is_finite() => {
                self.at = at.end;
                Ok(Term { at, kind: TermKind::Number(value) })
            }
            _ => Err(ExpressionError::new(&at, "this is not a finite number")),
        }
    }

    /// A name, or a function if `(` follows.
    fn name(&mut self) -> Result<Term, ExpressionError> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'));
        let name = &rest[..end.unwrap_or(rest.len())];
        let start = self.at;
        self.at += name.len();
        if self.take("(").is_none() {
            return Ok(Term { at: start..start + name.len(), kind: TermKind::Name(name.into()) });
        }
        let mut arguments = vec![self.sum()?];
        while self.take(",").is_some() {
            arguments.push(self.sum()?);
        }
        self.close()?;
        Ok(Term { at: start..self.at, kind: TermKind::Call(name.into(), arguments) })
    }

    fn close(&mut self) -> Result<(), ExpressionError> {
        match (self.take(")"), self.peek()) {
            (Some(_), _) => Ok(()),
            (None, Some(c)) => Err(self.unexpected(c, "`)`")),
            (None, None) => Err(ExpressionError::new(&(self.at..self.at), "a `)` is missing")),
        }
    }
}

fn binary(operator: char, left: Term, right: Term) -> Term {
    let at: Range<usize> = left.at.start..right.at.end;
    Term { at, kind: TermKind::Binary(operator, Box::new(left), Box::new(right)) }
}
