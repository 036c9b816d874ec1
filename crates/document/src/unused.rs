//! Parameters that change nothing of what is computed.

use super::node::{Node, Value};
use super::parameters::{Parameter, ParameterValue};
use super::{Study, StudyDocument, StudyKind};
use std::collections::BTreeSet;
use std::fmt::{self, Write};
use std::hash::{DefaultHasher, Hasher};

/// Angles larger than this \[rad\] are probably in degrees: two turns.
const LARGE_ANGLE: f64 = 4.0 * std::f64::consts::PI;

/// Tables whose keys are names of parameters.
const CONDITIONS: [&str; 2] = ["when", "only_with"];

impl StudyDocument {
    /// Messages about parameters that have no effect on `study`, which was evaluated from this document: parameters
    /// that were set, but give the same model with the value of the file, because a choice of another parameter leaves
    /// them aside; and those that no formula of the file uses. Also about angles that are probably in degrees.
    pub fn remarks_on_parameters(&self, study: &Study) -> Vec<String> {
        if self.kind() != StudyKind::Model {
            return Vec::new();
        }
        let mut used = BTreeSet::new();
        collect(&self.root, &mut used);
        let mut remarks = Vec::new();
        for parameter in &self.parameters {
            let name = &parameter.name;
            if !used.contains(name) {
                remarks.push(format!("parameter `{name}` is used nowhere in the study, so that it has no effect"));
            } else if parameter.given && !parameter.is_default() && !self.has_effect(parameter, study) {
                remarks.push(format!(
                    "`{name}` has no effect: with the present values of the other parameters, the model and the \
                     results do not depend on it; see its description in `wolff list {}`",
                    self.name
                ));
            }
            if let ParameterValue::Number(x) = parameter.value
                && parameter.unit() == "rad"
                && x.abs() > LARGE_ANGLE
            {
                remarks
                    .push(format!("`{name}` is {x} rad, more than two turns; if it is in degrees, write \"{x} deg\""));
            }
        }
        remarks
    }

    /// Whether the study is another one with the value of the file.
    fn has_effect(&self, parameter: &Parameter, study: &Study) -> bool {
        // studies report these themselves
        if parameter.only_with.is_some() {
            return true;
        }
        let mut other = self.clone();
        other.checked = None;
        let Some(changed) = other.parameters.iter_mut().find(|p| p.name == parameter.name) else { return true };
        changed.value = changed.default.clone();
        let Ok(other) = other.evaluate() else { return true };
        let differs = |name: &&String| study.numbers.get(*name) != other.numbers.get(*name);
        let changed: BTreeSet<&String> = study.numbers.keys().filter(differs).collect();
        fingerprint(study) != fingerprint(&other) || formula_names(study).iter().any(|name| changed.contains(name))
    }
}

/// All names in the texts of a file, apart from descriptions.
fn collect(node: &Node, names: &mut BTreeSet<String>) {
    match &node.value {
        Value::Text(text) => names.extend(words(text)),
        Value::Array(items) => items.iter().for_each(|item| collect(item, names)),
        Value::Table(entries) => {
            let described = ["about", "title", "source", "study", "name"];
            for entry in entries.iter().filter(|entry| !described.contains(&entry.key.as_str())) {
                if let (true, Value::Table(conditions)) = (CONDITIONS.contains(&entry.key.as_str()), &entry.node.value)
                {
                    names.extend(conditions.iter().map(|condition| condition.key.clone()));
                }
                collect(&entry.node, names);
            }
        }
        Value::Number(_) | Value::Flag(_) => {}
    }
}

/// Names used by the formulas that are evaluated after the run.
fn formula_names(study: &Study) -> BTreeSet<String> {
    let results = study.results.iter().chain(&study.impact_results).flat_map(|result| words(result.formula.text()));
    let measures = study.measures.iter().flat_map(|measure| words(&format!("{:?}", measure.kind)));
    results.chain(measures).collect()
}

/// The words that can be names in formulas.
fn words(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    text.split(|c| !is_part(c)).filter(|word| !word.is_empty()).map(String::from).collect()
}

/// A number for everything that a run follows from, equal for equal studies.
fn fingerprint(study: &Study) -> u64 {
    let mut hash = Hashed(DefaultHasher::new());
    let model = (&study.model, &study.flexible, &study.forces, &study.contacts, &study.foundations);
    let output = (&study.integrator, study.interval, &study.measures, &study.fields);
    // the adapter accepts everything
    let _ = write!(hash, "{model:?}{output:?}");
    hash.0.finish()
}

/// Text that is hashed instead of kept.
struct Hashed(DefaultHasher);

impl Write for Hashed {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
    }
}
