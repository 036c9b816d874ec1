//! Error messages of invalid studies: every error, at its place, with a remedy.

use wolff_study::build::build_model;
use wolff_study::document::{ForceKind, StudyDocument};
use wolff_study::error::StudyError;

/// A pendulum with every kind of table.
const PENDULUM: &str = r#"study = "tiny"
title = "Tiny"
about = "A pendulum that swings against a wall."
[parameters]
mass = { value = 2, unit = "kg", above = 0, about = "bob" }
length = { value = "500 mm", unit = "m", above = 0, about = "rod" }
law = { value = "hertz", choices = "contact-law", about = "law" }
[derived]
inertia = "mass * length^2 / 12"
[model]
gravity = [0, -9.81, 0]
[[body]]
name = "rod"
mass = "mass"
com = [0, "-length / 2", 0]
inertia = ["inertia", 0, "inertia"]
[[joint]]
name = "hinge"
kind = "pin"
axis = [0, 0, 2]
parent = "ground"
child = "rod"
q = ["30 deg"]
[[force]]
name = "spring"
kind = "torsion-spring"
coordinate = "hinge"
stiffness = 3
[[contact]]
name = "wall"
a = { body = "rod", at = [0, "-length", 0], shape = "sphere", radius = "2 cm" }
b = { body = "ground", at = ["-length / 4", 0, 0], z = [0, 0, 1], x = [0, -1, 0], shape = "plane" }
law = "law"
stiffness = 1e6
[integrator]
duration = 1
[[measure]]
name = "angle_deg"
kind = "coordinate"
of = "hinge"
[results]
swing_deg = "max(angle_deg) - min(angle_deg)"
[[reference]]
tolerance = 100
source = "nothing moves further than round"
values = { swing_deg = 90 }
[[plot]]
name = "angle"
title = "Angle"
y = ["angle_deg"]
"#;

fn check(text: &str) -> Result<(), StudyError> {
    build_model(&StudyDocument::parse("tiny.toml", text)?.evaluate()?).map(|_| ())
}

/// Exactly one error, found at `place`, with these words.
fn one_mistake(from: &str, to: &str, place: &str, words: &str) {
    let text = PENDULUM.replacen(from, to, 1);
    assert_ne!(text, PENDULUM, "{from} is not in the text");
    let error = check(&text).expect_err(to);
    assert_eq!(error.diagnostics.len(), 1, "{to}:\n{error}");
    let d = &error.diagnostics[0];
    let said = format!("{} {}", d.message, d.help.as_deref().unwrap_or_default());
    assert!(said.contains(words), "{to}: {said}");
    assert_eq!(&text[d.span.clone()], place, "{to}: {said}");
}

#[test]
fn the_sound_study_is_accepted_and_evaluated() {
    let study = StudyDocument::parse("tiny.toml", PENDULUM).and_then(|d| d.evaluate()).expect("sound");
    let joint = &study.model.joints[0];
    assert!((joint.q0[0] - 30f64.to_radians()).abs() < 1e-15);
    assert_eq!(study.model.bodies[0].mass.com.y, -0.25);
    assert!((study.model.bodies[0].mass.inertia[(0, 0)] - 2.0 * 0.25 / 12.0).abs() < 1e-15);
    assert!((study.measures[0].unit_size - 1f64.to_radians()).abs() < 1e-18);
    assert_eq!(study.references.len(), 1);
}

/// Six numbers or six rows make the same bushing; other counts and matrices that release energy are errors.
#[test]
fn bushings_have_six_numbers_or_six_rows() {
    let spring = "kind = \"torsion-spring\"\ncoordinate = \"hinge\"\nstiffness = 3";
    let with = |stiffness: &str, more: &str| {
        let bushing = format!("kind = \"bushing\"\na = \"ground\"\nb = \"rod\"\nstiffness = {stiffness}\n{more}");
        PENDULUM.replacen(spring, &bushing, 1)
    };
    let matrices =
        |text: &str| match StudyDocument::parse("tiny.toml", text).unwrap().evaluate().unwrap().forces.remove(0).kind {
            ForceKind::Bushing { stiffness, damping, .. } => (*stiffness, *damping),
            other => panic!("{other:?}"),
        };
    let row = |k: usize| {
        format!("[{}]", (0..6).map(|j| if j == k { k + 1 } else { 0 }.to_string()).collect::<Vec<_>>().join(", "))
    };
    let rows = format!("[{}]", (0..6).map(row).collect::<Vec<_>>().join(", "));
    let diagonal = matrices(&with("[1, 2, 3, 4, 5, 6]", "damping_time = \"2 ms\"\ndamping = [1, 0, 0, 0, 0, 0]"));
    assert_eq!(diagonal.0, matrices(&with(&rows, "")).0);
    assert_eq!((diagonal.0[(4, 4)], diagonal.1[(4, 4)], diagonal.1[(0, 0)]), (5.0, 0.01, 1.002));
    check(&with(&rows, "")).unwrap_or_else(|e| panic!("{e}"));
    let said = |stiffness: &str| check(&with(stiffness, "")).expect_err(stiffness).to_string();
    assert!(said("[1, 2, 3]").contains("3 numbers, must have 6"));
    assert!(said("[-1, 2, 3, 4, 5, 6]").contains("zero or more"));
    assert!(said(&rows.replace('3', "-3")).contains("negative eigenvalue"));
}

#[test]
fn each_mistake_is_reported_at_its_place() {
    let cases = [
        ("kind = \"pin\"", "kind = \"pinn\"", "\"pinn\"", "did you mean `pin`?"),
        ("axis = [0, 0, 2]", "axes = [0, 0, 2]", "", ""),
        ("mass = \"mass\"", "mass = 0", "\"rod\"", "mass is 0"),
        ("mass = \"mass\"", "mass = -1", "-1", "zero or more"),
        ("mass = \"mass\"", "mass = \"3 m\"", "\"3 m\"", "must be a mass [kg]; got 3 m"),
        ("mass = \"mass\"", "mass = \"length\"", "\"length\"", "must be a mass [kg]; got length [m]"),
        ("mass = \"mass\"", "mass = nan", "nan", "not a finite number"),
        ("mass = \"mass\"", "mass = \"1 / 0\"", "\"1 / 0\"", "finite"),
        ("mass = \"mass\"", "mass = \"masss * 2\"", "masss", "did you mean `mass`?"),
        ("mass = \"mass\"", "mass = \"2 stone\"", "\"2 stone\"", "is not a unit"),
        ("value = 2, unit = \"kg\"", "value = \"2 m\", unit = \"kg\"", "\"2 m\"", "mass must be a mass [kg]; got 2 m"),
        ("value = 2, unit = \"kg\"", "value = 0, unit = \"kg\"", "0", "greater than 0"),
        ("value = 2, unit = \"kg\"", "value = 2, unit = \"g\"", "\"g\"", "not an SI unit"),
        ("child = \"rod\"", "child = \"rood\"", "\"rood\"", "did you mean `rod`?"),
        ("coordinate = \"hinge\"", "coordinate = \"knee\"", "\"knee\"", "no coordinate called `knee`"),
        ("stiffness = 3", "stiffness = -3", "-3", "zero or more"),
        ("stiffness = 1e6", "stiffness = -1e6", "-1e6", "greater than zero"),
        ("max(angle_deg)", "max(angel_deg)", "angel_deg", "did you mean `angle_deg`?"),
        ("max(angle_deg)", "angle_deg", "angle_deg", "final(angle_deg)"),
        ("y = [\"angle_deg\"]", "y = [\"angle\"]", "[\"angle\"]", "known: angle_deg"),
        ("duration = 1", "durations = 1", "", ""),
        ("duration = 1", "duration = 1\nmethod = \"rk4\"", "", "requires a `step`"),
        ("q = [\"30 deg\"]", "q = [1, 2]", "[1, 2]", "must have 1"),
        ("inertia = [\"inertia\", 0, \"inertia\"]", "inertia = [1, 0, 0]", "[1, 0, 0]", "belong to no body"),
        ("[model]", "[modle]", "modle", "did you mean `model`?"),
    ];
    for (from, to, place, words) in cases {
        if !place.is_empty() {
            one_mistake(from, to, place, words);
        } else {
            assert!(check(&PENDULUM.replacen(from, to, 1)).is_err(), "{to}");
        }
    }
}

#[test]
fn the_ending_of_a_measure_must_fit() {
    let error = check(&PENDULUM.replace("angle_deg", "angle_m")).expect_err("an angle in metres");
    assert_eq!(error.diagnostics.len(), 1, "{error}");
    assert!(error.to_string().contains("valid endings: _rad, _deg"), "{error}");
}

#[test]
fn a_misspelt_key_is_both_missing_and_unknown() {
    let error = check(&PENDULUM.replacen("duration = 1", "durations = 1", 1)).expect_err("misspelt");
    let said = error.to_string();
    assert!(said.contains("has no `duration`") && said.contains("did you mean `duration`?"), "{said}");
}

#[test]
fn all_mistakes_come_at_once_in_the_order_of_the_text() {
    let text = PENDULUM
        .replace("above = 0, about = \"bob\"", "abov = 0, about = \"bob\"")
        .replace("kind = \"pin\"", "kind = 3")
        .replace("title = \"Angle\"", "titel = \"Angle\"")
        .replace("law = \"law\"", "law = \"lww\"");
    let error = check(&text).expect_err("four errors");
    for words in ["`abov`", "`kind` of joint `hinge` is a number", "`lww`", "`titel`"] {
        assert!(error.to_string().contains(words), "{words} is missing in\n{error}");
    }
    assert!(error.diagnostics.windows(2).all(|d| d[0].span.start <= d[1].span.start));
}

#[test]
fn trees_that_are_none_are_refused() {
    let second =
        "[[body]]\nname = \"second\"\nmass = 1\n[[joint]]\nname = \"loop\"\nkind = \"pin\"\naxis = [1, 0, 0]\n";
    let circle = format!("{second}parent = \"second\"\nchild = \"second\"\n[[force]]");
    let error = check(&PENDULUM.replacen("[[force]]", &circle, 1)).expect_err("a joint to itself");
    assert!(error.to_string().contains("joint `loop`"), "{error}");
    let loose = "[[body]]\nname = \"loose\"\nmass = 1\n[[force]]";
    let error = check(&PENDULUM.replacen("[[force]]", loose, 1)).expect_err("no joint");
    assert!(error.to_string().contains("body `loose`: no joint"), "{error}");
}

#[test]
fn copies_are_numbered_and_limited() {
    let copies = |count: &str| {
        let body = format!("[[body]]\nrepeat = {count}\nname = \"copy_{{i+1}}\"\nmass = \"i + 1\"\n");
        let joint = format!("[[joint]]\nrepeat = {count}\nname = \"free_{{i}}\"\nkind = \"free\"\n");
        let joint = joint + "parent = \"ground\"\nchild = \"copy_{i+1}\"\n[[force]]";
        StudyDocument::parse("copies", &PENDULUM.replacen("[[force]]", &(body + &joint), 1)).and_then(|d| d.evaluate())
    };
    let study = copies("\"mass / mass + 2\"").expect("three copies");
    let names: Vec<&str> = study.model.bodies.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["rod", "copy_1", "copy_2", "copy_3"]);
    assert_eq!(study.model.bodies[3].mass.mass, 3.0);
    for count in ["10001", "-1", "1.5", "\"1e300\"", "nan"] {
        assert!(copies(count).is_err(), "{count}");
    }
}

#[test]
fn syntax_errors_are_reported_as_such() {
    let error = check("study = \"x").expect_err("open string");
    assert!(error.to_string().contains("invalid TOML"), "{error}");
    assert!(check("").is_err());
}
