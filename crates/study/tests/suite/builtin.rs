//! The studies that come with the program are right as written.

use wolff_study::build::build_model;
use wolff_study::document::{BUILTIN, StudyDocument, builtin};

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
        let model = build_model(&study).unwrap_or_else(|e| panic!("{e}"));
        assert!(model.nv() > 0, "{name}");
        assert!(!study.results.is_empty() && !study.measures.is_empty() && !study.references.is_empty(), "{name}");
    }
}
