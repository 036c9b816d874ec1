//! Edits of an XML text that leave everything else unchanged.

use roxmltree::{Document, Node};
use std::ops::Range;
use wolff_formats::xml::check_attributes;
use wolff_motion::MotionError;

/// Changes of a text, each a range of bytes and its replacement.
#[derive(Debug, Default)]
pub(super) struct Edits {
    changes: Vec<(Range<usize>, String)>,
}

impl Edits {
    /// Replaces the text of an element; an element without text is not changed.
    pub fn set_text(&mut self, node: Node<'_, '_>, text: &str) {
        let mut children = node.children().filter(Node::is_text);
        if let Some(first) = children.next() {
            let end = node.children().rfind(Node::is_text).map_or(first.range().end, |n| n.range().end);
            self.changes.push((first.range().start..end, text.into()));
        }
    }

    /// Multiplies the numbers of an element, one factor per number.
    pub fn scale(&mut self, node: Node<'_, '_>, factors: &[f64]) -> Result<(), MotionError> {
        let values = numbers(node)?;
        if values.len() != factors.len() {
            return Err(wrong(node, &format!("has {} numbers; it needs {}", values.len(), factors.len())));
        }
        let scaled: Vec<f64> = values.iter().zip(factors).map(|(v, f)| v * f).collect();
        self.set_text(node, &join(&scaled));
        Ok(())
    }

    /// Multiplies the numbers of the child of that name, where there is one with text.
    pub fn scale_child(&mut self, node: Node<'_, '_>, tag: &str, factors: &[f64]) -> Result<(), MotionError> {
        match child(node, tag).filter(|n| n.text().is_some_and(|t| !t.trim().is_empty())) {
            Some(n) => self.scale(n, factors),
            None => Ok(()),
        }
    }

    /// Inserts one text before an element and one after it.
    pub fn wrap(&mut self, node: Node<'_, '_>, before: &str, behind: &str) {
        let Range { start, end } = node.range();
        self.changes.push((start..start, before.into()));
        self.changes.push((end..end, behind.into()));
    }

    /// Replaces a range of bytes by a text.
    pub fn replace(&mut self, range: Range<usize>, text: &str) {
        self.changes.push((range, text.into()));
    }

    /// The text with all changes; of overlapping changes only the first in the text is applied.
    pub fn apply(mut self, text: &str) -> String {
        self.changes.sort_by_key(|(range, _)| range.start);
        let mut out = String::with_capacity(text.len() + 1024);
        let mut at = 0;
        for (range, new) in &self.changes {
            if range.start < at {
                continue;
            }
            out.push_str(text.get(at..range.start).unwrap_or_default());
            out.push_str(new);
            at = range.end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        out
    }
}

/// Parses a model; text that is not well-formed XML is an error.
pub(super) fn parse(text: &str) -> Result<Document<'_>, MotionError> {
    check_attributes(text)
        .map_err(|(line, reason)| MotionError::input("the model to scale", format!("line {line}: {reason}")))?;
    Document::parse(text).map_err(|e| {
        let reason = format!("not well-formed XML ({e}); save the model again in OpenSim");
        MotionError::input("the model to scale", reason)
    })
}

/// The child element of that name.
pub(super) fn child<'a, 'b>(node: Node<'a, 'b>, tag: &str) -> Option<Node<'a, 'b>> {
    node.children().find(|n| n.has_tag_name(tag))
}

/// Trimmed text of a child; `None` where it is absent or empty.
pub(super) fn child_text<'a>(node: Node<'a, '_>, tag: &str) -> Option<&'a str> {
    child(node, tag)?.text().map(str::trim).filter(|t| !t.is_empty())
}

/// The numbers of an element.
pub(super) fn numbers(node: Node<'_, '_>) -> Result<Vec<f64>, MotionError> {
    let read = |w: &str| w.parse::<f64>().map_err(|_| wrong(node, &format!("has `{w}` instead of a number")));
    node.text().unwrap_or_default().split_whitespace().map(read).collect()
}

/// Numbers as OpenSim writes them.
pub(super) fn join(values: &[f64]) -> String {
    values.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}

pub(super) fn wrong(node: Node<'_, '_>, what: &str) -> MotionError {
    let line = node.document().text_pos_at(node.range().start).row;
    MotionError::input(format!("<{}> in line {line} of the model", node.tag_name().name()), what)
}

/// Name of an object.
pub(super) fn name_of<'a>(node: Node<'a, '_>) -> &'a str {
    node.attribute("name").unwrap_or_default().trim()
}

/// Whether an element is part of the `<defaults>`, which describe no object of the model.
pub(super) fn in_defaults(node: Node<'_, '_>) -> bool {
    node.ancestors().any(|a| a.has_tag_name("defaults"))
}
