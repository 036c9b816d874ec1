//! Custom joints.

use std::path::Path;
use wolff_numerics::{CubicSpline, EndCondition};
use wolff_study::build::build_model;
use wolff_study::document::StudyDocument;

/// A shank that turns in the knee while the knee's centre glides along the femur, the plateau of a planar knee.
const KNEE: &str = r#"study = "knee"
title = "Knee"
about = "A knee whose centre moves with the flexion, hanging on the ground."
[model]
gravity = [0, -9.81, 0]
[[body]]
name = "shank"
mass = 3
com = [0, -0.2, 0]
inertia = [0.05, 0.01, 0.05]
[[joint]]
name = "knee"
kind = "custom"
parent = { body = "ground", at = [0.1, 0, 0] }
child = "shank"
coordinates = ["flexion"]
functions = [0, 0, { coordinate = "flexion" }, { coordinate = "flexion", function = { kind = "spline", times = [-2, -1.2, -0.4, 0, 0.5], values = [-3e-3, 1e-3, 4e-3, 0, -2e-3] } }, { coordinate = "flexion", function = { kind = "polynomial", coefficients = [-0.4, 2e-3, 5e-3] } }, "1 cm"]
q = ["-60 deg"]
[integrator]
duration = 0.6
[[measure]]
name = "flexion_rad"
kind = "coordinate"
of = "flexion"
[[measure]]
name = "x_m"
kind = "point"
body = "shank"
axis = "x"
[[measure]]
name = "y_m"
kind = "point"
body = "shank"
axis = "y"
[[measure]]
name = "z_m"
kind = "point"
body = "shank"
axis = "z"
[[measure]]
name = "tip_x_m"
kind = "point"
body = "shank"
at = [0, -0.3, 0]
axis = "x"
[[measure]]
name = "energy_j"
kind = "energy"
[results]
drift_j = "max(energy_j) - min(energy_j)"
"#;

/// Rounding of lengths below a metre.
const ROUNDING: f64 = 1e-14;

#[test]
fn the_body_follows_the_functions_of_the_coordinate() {
    let outcome = wolff_study::run("knee", KNEE, Path::new("."), &[], &mut |_| {}).expect("runs");
    let times = [-2.0, -1.2, -0.4, 0.0, 0.5];
    let glide = CubicSpline::new(&times, &[-3e-3, 1e-3, 4e-3, 0.0, -2e-3], EndCondition::NotAKnot).expect("a spline");
    let series = &outcome.series[0];
    assert_eq!(series.columns[1..6], ["flexion_rad", "x_m", "y_m", "z_m", "tip_x_m"]);
    let mut least = f64::MAX;
    for row in &series.rows {
        let q = row[1];
        least = least.min(q.abs());
        let x = 0.1 + glide.evaluate(q).value;
        let expected = [x, -0.4 + 2e-3 * q + 5e-3 * q * q, 0.01, x + 0.3 * q.sin()];
        for (got, expected) in row[2..6].iter().zip(expected) {
            assert!((got - expected).abs() < ROUNDING, "{got}, not {expected} at {q} rad");
        }
    }
    assert!(least < 0.1, "it swings through the vertical");
}

/// The chain rule through the functions is right only if the energy holds as far as the integrator's tolerance goes.
#[test]
fn the_energy_holds() {
    let drift = |rtol: &str| {
        let overrides = [("integrator.rtol".to_string(), rtol.to_string())];
        let outcome = wolff_study::run("knee", KNEE, Path::new("."), &overrides, &mut |_| {}).expect("runs");
        outcome.results["drift_j"].as_f64().expect("a number")
    };
    let (loose, tight) = (drift("1e-6"), drift("1e-12"));
    // 6 J swing to and fro
    assert!(
        tight < 1e-10 && loose > 1e3 * tight,
        "the energy changes by {tight} J, with a loose tolerance by {loose} J"
    );
}

#[test]
fn a_coordinate_that_only_displaces_is_a_length() {
    let text = KNEE
        .replace("coordinates = [\"flexion\"]", "coordinates = [\"flexion\", \"glide\"]")
        .replace("\"1 cm\"]", "{ coordinate = \"glide\" }]")
        .replace("q = [\"-60 deg\"]", "q = [\"-60 deg\", \"2 cm\"]")
        .replace("[results]", "[[measure]]\nname = \"glide_mm\"\nkind = \"coordinate\"\nof = \"glide\"\n[results]");
    let study = StudyDocument::parse("knee", &text).and_then(|d| d.evaluate()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(build_model(&study).expect("builds").nv(), 2);
    assert!(StudyDocument::parse("knee", &text.replace("glide_mm", "glide_deg")).is_err());
}

#[test]
fn mistakes_of_custom_joints_are_said() {
    let cases = [
        ("coordinates = [\"flexion\"]", "", "has no `coordinates`"),
        ("[0, 0, {", "[0, {", "has 5 entries, must have 6"),
        (
            "functions = [0, 0, { coordinate = \"flexion\" }",
            "functions = [0, 0, { coordinate = \"flexon\" }",
            "did you mean `flexion`?",
        ),
        (
            "coordinates = [\"flexion\"]",
            "coordinates = [\"flexion\", \"idle\"]",
            "coordinate `idle` of joint `knee` is not used by any of its functions",
        ),
        ("kind = \"polynomial\"", "kind = \"column\"", "`column`, which is not a valid choice"),
        ("child = \"shank\"", "child = \"shank\"\naxes = [[1, 0, 0]]", "must have 6"),
        ("q = [\"-60 deg\"]", "q = [1, 2]", "must have 1"),
    ];
    for (from, to, words) in cases {
        let text = KNEE.replacen(from, to, 1);
        assert_ne!(text, KNEE, "{from} is not in the text");
        let error = StudyDocument::parse("knee", &text).expect_err(to).to_string();
        assert!(error.contains(words), "{to}: {error}");
    }
}
