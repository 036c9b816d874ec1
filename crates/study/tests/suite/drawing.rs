//! Drawings of mechanisms, and measures of springs, line forces and ligaments.

use std::path::Path;
use wolff_report::outcome::{Mechanism, MechanismClass, MechanismPart, Outcome, Outline};
use wolff_study::document::StudyDocument;
use wolff_study::run;

/// A ball of 2 kg that moves along y on a spring of 800 N/m and 0.5 m from (0.3, 0) to its centre, from y = 0.6 m at
/// rest without gravity, and a line force that pulls it to the origin with 5 N after 0.1 s.
fn text(rest: &str) -> String {
    format!(
        r#"
study = "ball"
title = "A ball on a spring"
about = "a guide along y"
[model]
gravity = [0, 0, 0]
[[body]]
name = "ball"
mass = 2
inertia = [0.01, 0.01, 0.01]
[[joint]]
name = "guide"
kind = "slider"
axis = [0, 1, 0]
parent = "ground"
child = "ball"
q = [0.6]
v = [1.5]
[[force]]
name = "spring"
kind = "spring"
a = {{ body = "ground", at = [0.3, 0, 0] }}
b = "ball"
stiffness = 800
damping = 7
rest_length = 0.5
[[force]]
name = "pull"
kind = "line-force"
a = "ground"
b = "ball"
tension = {{ kind = "step", start = 0.1, from = 0, end = 0.2, to = 5 }}
[[contact]]
name = "touch"
a = {{ body = "ball", shape = "sphere", radius = 0.1 }}
b = {{ body = "ground", at = [0, -1, 0], shape = "plane" }}
law = "hooke"
stiffness = 1e4
[integrator]
method = "dop853"
rtol = 1e-9
duration = 0.4
[output]
interval = 0.01
[[measure]]
name = "y_m"
kind = "coordinate"
of = "guide"
[[measure]]
name = "v_m_s"
kind = "speed"
of = "guide"
[results]
last_m = "final(y_m)"
{rest}
"#
    )
}

fn outcome(rest: &str) -> Outcome {
    run("ball", &text(rest), Path::new(""), &[], &mut |_| {}).unwrap_or_else(|e| panic!("{e}"))
}

fn error(rest: &str) -> String {
    match StudyDocument::parse("ball", &text(rest)) {
        Err(e) => e.to_string(),
        Ok(_) => run("ball", &text(rest), Path::new(""), &[], &mut |_| {}).unwrap_err().to_string(),
    }
}

fn part<'a>(drawn: &'a Mechanism, name: &str, class: MechanismClass) -> &'a MechanismPart {
    drawn.parts.iter().find(|p| p.name == name && p.class == class).unwrap()
}

const STRETCHES: &str = r#"
[[measure]]
name = "spring_n"
kind = "tension"
of = "spring"
[[measure]]
name = "spring_m"
kind = "length"
of = "spring"
[[measure]]
name = "spring_m_s"
kind = "length-rate"
of = "spring"
[[measure]]
name = "pull_n"
kind = "tension"
of = "pull"
[[measure]]
name = "pull_mm"
kind = "length"
of = "pull"
"#;

/// Length, rate and tension follow from the height alone: l = √(0.3² + y²), l' = y y' / l, f = k (l - l0) + c l'.
#[test]
fn stretches_are_those_of_the_geometry() {
    let rows = outcome(STRETCHES).series[0].rows.clone();
    assert!(rows.len() > 40);
    for row in &rows {
        let [t, y, speed, tension, length, rate, pull, pull_mm] = row[..] else { panic!("{row:?}") };
        let l = 0.3_f64.hypot(y);
        let l_rate = y * speed / l;
        assert!((length - l).abs() < 1e-12 && (rate - l_rate).abs() < 1e-12, "{t}: {length} {l} {rate} {l_rate}");
        assert!((tension - (800.0 * (l - 0.5) + 7.0 * l_rate)).abs() < 1e-9, "{t}: {tension}");
        let s = ((t - 0.1) / 0.1).clamp(0.0, 1.0);
        // both ends of the smooth step and its middle
        if s == 0.0 || s == 1.0 || (s - 0.5).abs() < 1e-9 {
            assert!((pull - 5.0 * s).abs() < 1e-9, "{t}: {pull}");
        }
        assert!((pull_mm - 1e3 * y.abs()).abs() < 1e-9);
    }
}

#[test]
fn a_stretch_of_a_force_without_a_line_is_refused() {
    let message = error(
        r#"
[[force]]
name = "push"
kind = "point-force"
on = "ball"
force = [0, 1, 0]
[[measure]]
name = "push_n"
kind = "tension"
of = "push"
"#,
    );
    assert!(message.contains("does not act along a line"), "{message}");
    let message = error("[[measure]]\nname = \"push_n\"\nkind = \"tension\"\nof = \"sprng\"\n");
    assert!(message.contains("`sprng`") && message.contains("spring"), "{message}");
}

/// A study with joints is drawn without asking; what is drawn is where the measures say it is.
#[test]
fn the_automatic_drawing_follows_the_motion() {
    let outcome = outcome("");
    let drawn = &outcome.mechanisms[0];
    assert_eq!((drawn.name.as_str(), drawn.axes), ("mechanism", ['x', 'y']));
    assert_eq!(drawn.shown.len(), 5);
    assert_eq!(drawn.times[drawn.shown[4]], 0.4);
    let row_at = |t: f64| outcome.series[0].rows.iter().find(|row| (row[0] - t).abs() < 1e-9).unwrap();
    let spring = part(drawn, "spring", MechanismClass::Spring);
    for (t, outline) in drawn.times.iter().zip(&spring.outlines) {
        let Outline::Points(points, false) = outline else { panic!("{outline:?}") };
        let y = row_at(*t)[1];
        assert!((points[0][0] - 0.3).abs() < 1e-12 && points[0][1].abs() < 1e-12);
        assert!(points[1][0].abs() < 1e-12 && (points[1][1] - y).abs() < 1e-12, "{t}: {points:?} {y}");
    }
    let Outline::Circle { centre, radius } = part(drawn, "touch", MechanismClass::Surface).outlines[0] else {
        panic!("the sphere is a circle")
    };
    assert!((radius - 0.1).abs() < 1e-15 && (centre[1] - 0.6).abs() < 1e-12);
    let floor = drawn.parts.iter().find_map(|p| match p.outlines[0] {
        Outline::Line { at, along } => Some((at, along)),
        _ => None,
    });
    let (at, along) = floor.unwrap();
    assert!((at[1] + 1.0).abs() < 1e-15 && (along[0].abs() - 1.0).abs() < 1e-15);
    assert!(drawn.moving_svg().is_some());
}

#[test]
fn a_drawing_has_the_times_plane_and_bodies_of_its_study() {
    let asked = r#"
[[drawing]]
name = "side"
title = "From the side"
plane = "zy"
times = [0.0, 0.123, "0.4"]
states = 0
bodies = ["ball"]
"#;
    let outcome = outcome(asked);
    let [drawn] = &outcome.mechanisms[..] else { panic!("one drawing") };
    assert_eq!((drawn.title.as_str(), drawn.axes, drawn.times.len()), ("From the side", ['z', 'y'], 3));
    assert!((drawn.times[1] - 0.123).abs() < 1e-12 && drawn.moving_svg().is_none());
    for (wrong, word) in [
        ("times = [0.5]", "the run ends at 0.4 s"),
        ("plane = \"xx\"", "xy"),
        ("bodies = [\"bal\"]", "`bal`"),
        ("pictures = 0", "pictures"),
    ] {
        let message = error(&format!("[[drawing]]\nname = \"side\"\n{wrong}\n"));
        assert!(message.contains(word), "{wrong}: {message}");
    }
}

/// The points along the beam are not closer to its pin than the arc is long; the pin holds the first.
#[test]
fn a_flexible_beam_bends_in_its_drawing() {
    let text = wolff_study::document::builtin("flexible-pendulum").unwrap();
    let outcome = run("flexible-pendulum", text, Path::new(""), &[], &mut |_| {}).unwrap();
    let drawn = &outcome.mechanisms[0];
    let beam = drawn.parts.iter().find(|p| matches!(p.class, MechanismClass::Flexible(_))).unwrap();
    for outline in &beam.outlines {
        let Outline::Points(points, false) = outline else { panic!("{outline:?}") };
        assert_eq!(points.len(), 17);
        assert!(points[0][0].hypot(points[0][1]) < 1e-9, "the pin holds the first point");
        let chord: f64 = points.windows(2).map(|w| (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1])).sum();
        let length = points[16][0].hypot(points[16][1]);
        assert!(chord >= length && chord < 1.01 * length);
    }
}
