//! The studies that come with the program are right as written.

use wolff_report::outcome::Status;
use wolff_study::build::build_model;
use wolff_study::document::{BUILTIN, StudyDocument, StudyKind, builtin};

fn document(name: &str) -> StudyDocument {
    StudyDocument::parse(name, builtin(name).expect("a built-in study")).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn every_builtin_study_parses_and_builds() {
    for (name, _) in BUILTIN {
        let document = document(name);
        assert_eq!(document.name, name);
        assert!(!document.about.is_empty() && !document.parameters.is_empty(), "{name}");
        let study = document.evaluate().unwrap_or_else(|e| panic!("{e}"));
        if study.kind == StudyKind::Walk {
            // a walk has no model in its file
            continue;
        }
        let model = build_model(&study).unwrap_or_else(|e| panic!("{e}"));
        assert!(model.nv() > 0, "{name}");
        assert!(!study.results.is_empty() && !study.measures.is_empty() && !study.references.is_empty(), "{name}");
    }
}

/// The distinct `when` conditions of a study's references as overrides; the defaults are among them.
fn conditions(text: &str) -> Vec<Vec<(String, String)>> {
    let table: toml::Table = text.parse().expect("TOML");
    let references = table["reference"].as_array().expect("references");
    let mut found = vec![Vec::new()];
    for when in references.iter().filter_map(|r| r.get("when")?.as_table()) {
        let pair = |(key, value): (&String, &toml::Value)| {
            (key.clone(), value.as_str().map_or_else(|| value.to_string(), String::from))
        };
        let condition: Vec<(String, String)> = when.iter().map(pair).collect();
        if !found.contains(&condition) {
            found.push(condition);
        }
    }
    found
}

#[test]
fn every_reference_is_met() {
    // a walk is simulated by another crate
    let is_model = |(name, _): &(&str, &str)| document(name).kind() == StudyKind::Model;
    for (name, text) in BUILTIN.into_iter().filter(is_model) {
        for overrides in conditions(text) {
            let outcome = wolff_study::run(name, text, std::path::Path::new("."), &overrides, &mut |_| {})
                .unwrap_or_else(|e| panic!("{name} {overrides:?}: {e}"));
            assert!(!outcome.comparisons.is_empty(), "{name} {overrides:?}");
            for c in &outcome.comparisons {
                let (value, reference, off) = (c.value, c.reference, c.value - c.reference);
                assert!(c.pass(), "{name} {overrides:?}: {} is {value}, not {reference} ({off:e})", c.quantity);
            }
            assert_eq!(outcome.status, Status::Ok, "{name} {overrides:?}: {:?}", outcome.warnings);
        }
    }
}
