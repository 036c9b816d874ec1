//! Parameters without effect are told.

use wolff_document::{BUILTIN, StudyDocument, builtin};

fn remarks(name: &str, set: &[(&str, &str)]) -> Vec<String> {
    let mut document = StudyDocument::parse(name, builtin(name).unwrap()).unwrap();
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    document.apply_overrides(&set).unwrap_or_else(|e| panic!("{e}"));
    document.remarks_on_parameters(&document.evaluate().unwrap())
}

#[test]
fn builtin_studies_use_all_their_parameters() {
    for (name, _) in BUILTIN {
        assert_eq!(remarks(name, &[]), [""; 0], "{name}");
    }
}

#[test]
fn a_parameter_that_the_present_choice_leaves_aside_is_told() {
    let set = [
        ("spheres", "restitution", "0.5"),
        ("spheres", "full_damping_depth", "2 um"),
        ("knee-2d", "worn_young", "4 MPa"),
        ("knee-2d", "plateau_radius", "70 mm"),
    ];
    for (study, name, value) in set {
        let found = remarks(study, &[(name, value)]);
        assert!(found.len() == 1 && found[0].contains(&format!("`{name}` has no effect")), "{study}: {found:?}");
    }
    assert_eq!(remarks("spheres", &[("restitution", "0.5"), ("law", "flores")]), [""; 0]);
    assert_eq!(remarks("knee-2d", &[("worn_young", "4 MPa"), ("material", "osteoarthritic")]), [""; 0]);
    assert_eq!(remarks("pendulum", &[("angle", "0.5")]), [""; 0]);
}
