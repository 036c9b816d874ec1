//! The parameters of a study by name, with all errors in them.

use wolff_anatomy::anthropometry::Sex;
use wolff_study::document::{ParameterValue, Study};

/// Reads the parameters of a study by name; missing parameters and unknown words are input errors.
pub(super) struct Values<'a> {
    pub study: &'a Study,
    pub mistakes: Vec<(String, String)>,
}

impl Values<'_> {
    pub fn number(&mut self, name: &str) -> f64 {
        match self.study.parameter(name).map(|p| &p.value) {
            Some(ParameterValue::Number(x)) => *x,
            _ => self.missing(name, "a number", f64::NAN),
        }
    }

    /// A number, or `usual` where the study has the built-in value `own`, which was not set for this run.
    pub fn unless_set(&mut self, name: &str, own: f64, usual: f64) -> f64 {
        let value = self.number(name);
        let is_set = self.study.parameter(name).is_some_and(|p| p.given);
        if !is_set && value == own { usual } else { value }
    }

    pub fn whole(&mut self, name: &str) -> usize {
        // the study file restricts these parameters to whole numbers within limits
        self.number(name).max(0.0) as usize
    }

    pub fn word(&mut self, name: &str) -> String {
        match self.study.parameter(name).map(|p| p.value.clone()) {
            Some(ParameterValue::Word(word)) => word,
            _ => self.missing(name, "a word", String::new()),
        }
    }

    /// The meaning of a word; an unknown word is an input error, and the first meaning is returned in its place.
    pub fn choice<T: Copy, const N: usize>(&mut self, name: &str, meanings: [(&str, T); N]) -> T {
        let word = self.word(name);
        match meanings.iter().find(|(known, _)| *known == word) {
            Some((_, meaning)) => *meaning,
            None => {
                let known = meanings.map(|(known, _)| format!("`{known}`")).join(", ");
                self.mistakes.push((name.into(), format!("`{word}` is unknown; it must be one of {known}")));
                meanings[0].1
            }
        }
    }

    pub fn sex(&mut self) -> Sex {
        self.choice("sex", [("male", Sex::Male), ("female", Sex::Female)])
    }

    fn missing<T>(&mut self, name: &str, what: &str, value: T) -> T {
        let rule = format!("a walk needs {what} of this name; copy its declaration from `wolff new walk`");
        self.mistakes.push((name.into(), rule));
        value
    }
}
