//! `--set key=value`.

use wolff_document::{ConstraintTreatment, MethodName, StudyDocument, builtin};

fn slider_crank() -> StudyDocument {
    StudyDocument::parse("slider-crank", builtin("slider-crank").expect("built in")).expect("sound")
}

fn set(document: &mut StudyDocument, pairs: &[(&str, &str)]) -> Result<(), wolff_document::error::StudyError> {
    let pairs: Vec<(String, String)> = pairs.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    document.apply_overrides(&pairs)
}

#[test]
fn parameters_take_numbers_units_words_and_formulas() {
    let mut document = slider_crank();
    let pairs =
        [("crank_length", "0.2"), ("rod_length", "40 cm"), ("law", "lankarani_nikravesh"), ("crank_angle", "pi / 6")];
    set(&mut document, &pairs).expect("all fit");
    let study = document.evaluate().expect("sound");
    let joint = |name: &str| study.model.joints.iter().find(|j| j.name == name).expect(name);
    let (sin, cos) = 30f64.to_radians().sin_cos();
    let x = 0.2 * cos + (0.4f64 * 0.4 - (0.2 * sin).powi(2)).sqrt();
    assert!((joint("slider").q0[0] - x).abs() < 1e-15);
    assert_eq!(study.contacts[0].law.kind().name(), "lankarani-nikravesh");
    assert!(study.references.is_empty(), "no reference belongs to these parameters");
}

#[test]
fn references_follow_the_parameters() {
    let mut document = slider_crank();
    let hertz = document.evaluate().expect("sound").references;
    set(&mut document, &[("law", "flores")]).expect("a law");
    let flores = document.evaluate().expect("sound").references;
    assert_eq!(hertz.len(), 12);
    assert_eq!(flores.len(), 12);
    assert_ne!(hertz[3].value, flores[3].value);
}

#[test]
fn settings_are_set_by_path() {
    let mut document = slider_crank();
    let pairs = [
        ("integrator.method", "rk4"),
        ("integrator.step", "1e-6"),
        ("integrator.rtol", "1e-7"),
        ("integrator.constraints", "baumgarte"),
        ("output.interval", "duration / 10"),
    ];
    assert!(set(&mut document, &pairs[..1]).is_err_and(|e| e.to_string().contains("requires a `step`")));
    set(&mut document, &pairs).expect("all fit");
    let study = document.evaluate().expect("sound");
    assert_eq!(study.integrator.method, MethodName::Rk4);
    assert_eq!(study.integrator.step, Some(1e-6));
    assert_eq!(study.integrator.rtol, 1e-7);
    assert_eq!(study.integrator.constraints, ConstraintTreatment::Baumgarte { alpha: 5.0, beta: 5.0 });
    assert_eq!(study.interval, 0.01);
}

#[test]
fn settings_may_use_derived_numbers() {
    let mut document = StudyDocument::parse("spheres", builtin("spheres").expect("built in")).expect("sound");
    set(&mut document, &[("integrator.step", "depth / speed / 50")]).expect("depth is derived");
    let study = document.evaluate().expect("sound");
    assert!((study.integrator.step.expect("set") * 41.0 * 50.0 - study.integrator.duration).abs() < 1e-18);
}

#[test]
fn the_unit_of_the_stiffness_follows_the_exponent() {
    let mut document = slider_crank();
    set(&mut document, &[("exponent", "2"), ("stiffness", "1e9 N/m^2")]).expect("matching units");
    assert!(set(&mut document, &[("stiffness", "1e9 N/m^1.5")]).is_err());
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let cases = [
        ("crank_lenght", "1", "did you mean `crank_length`?"),
        ("crank_length", "3 kg", "crank_length must be a length [m]; got 3 kg"),
        ("crank_length", "-1", "greater than 0"),
        ("crank_length", "nan", "finite"),
        ("crank_length", "inf", "finite"),
        ("crank_length", "", "ends where a value"),
        ("law", "hunt-crosley", "did you mean `hunt-crossley`?"),
        ("integrator.rtoll", "1e-6", "did you mean `rtol`?"),
        ("integrator.rtol", "0", "greater than zero"),
        ("integrator.method", "rk5", "did you mean `rk4`?"),
        ("integrator.rtol", "true", "must be a number"),
        ("body.mass", "3", "cannot be set"),
        ("restitution", "1.5", "at most 1"),
    ];
    for (key, value, words) in cases {
        let mut document = slider_crank();
        let error = set(&mut document, &[("duration", "0.05"), (key, value)]).expect_err(key);
        assert!(error.to_string().contains(words), "{key}={value}: {error}");
        assert_eq!(error.file, "--set");
        assert!(document.parameters.iter().all(|p| p.is_default()), "{key}");
    }
}
