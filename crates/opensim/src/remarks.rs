//! What the conversion of a model leaves out or changes, told in a few lines.

use crate::{OpensimSubject, Unconverted};
use wolff_verdict::{Finding, grouped};

impl OpensimSubject {
    /// Notes on elements of the model that are ignored or approximate; elements with the same reason are one note.
    pub fn remarks(&self) -> Vec<Finding> {
        let mut notes = told(&self.converted.unconverted, "results do not include them");
        notes.extend(told(&self.converted.approximate, "check whether this is relevant"));
        notes
    }
}

fn told(elements: &[Unconverted], remedy: &str) -> Vec<Finding> {
    let mut kinds: Vec<(&str, String)> = Vec::new();
    for e in elements {
        let kind = (e.class.as_str(), reason(e));
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let note = |(class, why): &(&str, String)| {
        let of: Vec<&Unconverted> = elements.iter().filter(|e| e.class == *class && reason(e) == *why).collect();
        let names: Vec<&str> = of.iter().map(|e| e.name.as_str()).collect();
        match of[..] {
            [one] => Finding::note(format!("model: {class} `{}`: {}", one.name, one.reason), remedy),
            _ => Finding::note(format!("model: {} {class} ({}): {why}", names.len(), grouped(&names)), remedy),
        }
    };
    kinds.iter().map(note).collect()
}

/// The reason without the names and numbers in it, which differ between equal cases.
fn reason(e: &Unconverted) -> String {
    let quoted = e.reason.split('`').enumerate().map(|(i, part)| if i % 2 == 1 { "..." } else { part });
    let plain: String = quoted.collect();
    let mut out = String::new();
    let mut in_number = false;
    for c in plain.chars() {
        let digit = c.is_ascii_digit() || (in_number && c == '.');
        if digit && !in_number {
            out.push('#');
        }
        if !digit {
            out.push(c);
        }
        in_number = digit;
    }
    out
}
