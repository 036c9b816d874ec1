//! Models scaled by tables of segments: lengths, masses, what is refused.

use std::fs;
use std::path::PathBuf;
use wolff_anatomy::anthropometry::BodyPart;
use wolff_anatomy::{Sex, Subject};
use wolff_app::person_scaling::{Person, scale_to_person};
use wolff_opensim::scale::{ScaledSubject, default_origins};

const SHE: Person = Person { mass: 70.0, stature: 1.75, sex: Sex::Female };

/// A body on a hinge at a place of another.
fn hinged(name: &str, mass: f64, parent: &str, place: [f64; 3]) -> (String, String) {
    let body = format!(
        r#"<Body name="{name}"><mass>{mass}</mass><mass_center>0 -0.1 0</mass_center><inertia>0.1 0.02 0.1 0 0 0</inertia></Body>"#
    );
    let [x, y, z] = place;
    let joint = format!(
        r#"<PinJoint name="j_{name}"><socket_parent_frame>at</socket_parent_frame><socket_child_frame>/bodyset/{name}</socket_child_frame>
<coordinates><Coordinate name="q_{name}"/></coordinates><frames><PhysicalOffsetFrame name="at"><socket_parent>/bodyset/{parent}</socket_parent>
<translation>{x} {y} {z}</translation></PhysicalOffsetFrame></frames></PinJoint>"#
    );
    (body, joint)
}

/// A walker without arms.
fn walker(extra: &str) -> String {
    let extra = (!extra.is_empty()).then(|| hinged(extra, 1.0, "torso", [0.0, 0.2, 0.0]));
    walker_with(&["r", "l"], extra.as_slice())
}

/// A walker with these legs and with further bodies.
fn walker_with(legs: &[&str], extra: &[(String, String)]) -> String {
    let mut parts = vec![(
        r#"<Body name="pelvis"><mass>11</mass><mass_center>0 0 0</mass_center><inertia>0.1 0.1 0.1 0 0 0</inertia></Body>"#.to_string(),
        r#"<PinJoint name="root"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/pelvis</socket_child_frame>
<coordinates><Coordinate name="tilt"/></coordinates></PinJoint>"#
            .to_string(),
    )];
    parts.push(hinged("torso", 34.0, "pelvis", [0.0, 0.1, 0.0]));
    for (side, z) in [("r", 0.08), ("l", -0.08)].into_iter().filter(|(side, _)| legs.contains(side)) {
        parts.push(hinged(&format!("femur_{side}"), 9.0, "pelvis", [0.0, -0.07, z]));
        parts.push(hinged(&format!("tibia_{side}"), 3.5, &format!("femur_{side}"), [0.0, -0.4, 0.0]));
        parts.push(hinged(&format!("talus_{side}"), 0.1, &format!("tibia_{side}"), [0.0, -0.43, 0.0]));
        parts.push(hinged(&format!("calcn_{side}"), 1.2, &format!("talus_{side}"), [-0.05, -0.04, 0.0]));
    }
    parts.extend_from_slice(extra);
    let (bodies, joints): (Vec<String>, Vec<String>) = parts.into_iter().unzip();
    format!(
        r#"<OpenSimDocument Version="40000"><Model name="walker"><BodySet><objects>{}</objects></BodySet><JointSet><objects>{}</objects></JointSet></Model></OpenSimDocument>"#,
        bodies.join("\n"),
        joints.join("\n")
    )
}

fn written(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

fn length(scaled: &ScaledSubject, from: &str, to: &str) -> f64 {
    let origins = default_origins(&scaled.subject);
    (origins[to] - origins[from]).norm()
}

fn mass(scaled: &ScaledSubject, body: &str) -> f64 {
    scaled.subject.file.bodies.iter().find(|b| b.name == body).unwrap().mass
}

#[test]
fn legs_and_masses_are_those_of_the_tables() {
    let scaled = scale_to_person(&written("walker.osim", &walker("")), SHE).unwrap();
    let she = Subject::new("she", 70.0, 1.75, Sex::Female, None).unwrap();
    let (thigh, shank) = (she.part(BodyPart::Thigh), she.part(BodyPart::Shank));
    // rounding of written numbers only
    assert!((length(&scaled, "femur_r", "tibia_r") - thigh.length).abs() < 1e-12);
    assert!((length(&scaled, "tibia_l", "talus_l") - shank.length).abs() < 1e-12);
    assert!((mass(&scaled, "femur_l") - thigh.mass).abs() < 1e-12);
    // two bodies share a foot as in the model
    let foot = she.part(BodyPart::Foot).mass;
    assert!((mass(&scaled, "talus_r") - foot * 0.1 / 1.3).abs() < 1e-12);
    // arms and head, which the model has not, are the torso's
    let above: f64 =
        [BodyPart::Head, BodyPart::UpperTrunk, BodyPart::MiddleTrunk].map(|p| she.part(p).mass).iter().sum();
    let arms: f64 =
        [BodyPart::UpperArm, BodyPart::Forearm, BodyPart::Hand].map(|p| 2.0 * she.part(p).mass).iter().sum();
    assert!((mass(&scaled, "torso") - above - arms).abs() < 1e-9);
}

/// One leg is one leg, as heavy as either of two; the torso carries the other.
#[test]
fn one_leg_is_not_as_heavy_as_two() {
    let she = Subject::new("she", 70.0, 1.75, Sex::Female, None).unwrap();
    let both = scale_to_person(&written("walker-both.osim", &walker("")), SHE).unwrap();
    let leg: f64 = [BodyPart::Thigh, BodyPart::Shank, BodyPart::Foot].map(|p| she.part(p).mass).iter().sum();
    for side in ["r", "l"] {
        let one = scale_to_person(&written("walker-one.osim", &walker_with(&[side], &[])), SHE).unwrap();
        for body in ["femur", "tibia", "talus", "calcn"].map(|start| format!("{start}_{side}")) {
            assert!((mass(&one, &body) - mass(&both, &body)).abs() < 1e-12, "{body}");
        }
        assert!((mass(&one, "torso") - mass(&both, "torso") - leg).abs() < 1e-9);
        assert!((one.mass[1] - 70.0).abs() < 1e-11);
    }
}

/// The trunk is as long as the shoulders are above the hips; an arm that is missing makes it no longer.
#[test]
fn shoulders_are_a_height_above_the_hips() {
    let she = Subject::new("she", 70.0, 1.75, Sex::Female, None).unwrap();
    let arm = |side: &str, z: f64| hinged(&format!("humerus_{side}"), 2.0, "torso", [0.03, 0.35, z]);
    for arms in [vec![arm("r", 0.17), arm("l", -0.17)], vec![arm("r", 0.17)]] {
        let scaled = scale_to_person(&written("walker-arms.osim", &walker_with(&["r", "l"], &arms)), SHE).unwrap();
        // hips 0.07 m below the pelvis, the torso 0.1 m above, the shoulders 0.35 m above that
        let expected = she.shoulder_height() / (0.07 + 0.1 + 0.35);
        for body in ["pelvis", "torso"] {
            assert!((scaled.factors[body][0] - expected).abs() < 1e-12, "{} arms: {body}", arms.len());
        }
    }
}

#[test]
fn mass_is_exactly_what_was_asked_for() {
    for mass in [47.3, 70.0, 101.1] {
        let scaled = scale_to_person(&written("walker-mass.osim", &walker("")), Person { mass, ..SHE }).unwrap();
        let sum: f64 = scaled.subject.file.bodies.iter().map(|b| b.mass).sum();
        // a sum of twelve numbers is rounded eleven times
        assert!((sum - mass).abs() < 1e-13 * mass, "{sum}");
    }
}

/// Inertia grows as mass times the square of the length.
#[test]
fn inertia_follows_mass_and_length() {
    let scaled = scale_to_person(&written("walker-inertia.osim", &walker("")), SHE).unwrap();
    let tibia = scaled.subject.file.bodies.iter().find(|b| b.name == "tibia_r").unwrap();
    let factor = scaled.factors["tibia_r"][0];
    let expected = 0.1 * tibia.mass / 3.5 * factor * factor;
    assert!((tibia.inertia[0] - expected).abs() < 1e-12 * expected);
    assert!((tibia.mass_center[1] + 0.1 * factor).abs() < 1e-12);
}

#[test]
fn what_no_table_knows_is_refused() {
    let refused =
        |text: &str, person| scale_to_person(&written("walker-bad.osim", text), person).unwrap_err().to_string();
    let foreign = refused(&walker("backpack"), SHE);
    assert!(foreign.contains("backpack") && foreign.contains("set-up"), "{foreign}");
    let tall = refused(&walker(""), Person { stature: 175.0, ..SHE });
    assert!(tall.contains("stature"), "{tall}");
    let legless = walker("").replace("tibia", "shank");
    assert!(refused(&legless, SHE).contains("legs"));
}

/// Models in use; their person of the same size is near the model itself.
#[test]
fn models_in_use_can_be_scaled() {
    for file in ["opensim-models/gait2392_thelen2003muscle.osim", "rajagopal-walk/subject_walk_scaled.osim"] {
        let Some(path) = wolff_testdata::shared(&format!("data/{file}")) else { continue };
        let he = Person { mass: 75.0, stature: 1.80, sex: Sex::Male };
        let scaled = scale_to_person(&path, he).unwrap();
        assert!((scaled.mass[1] - 75.0).abs() < 1e-11, "{}", scaled.mass[1]);
        for (body, f) in &scaled.factors {
            // grown men are alike to a fifth
            assert!((0.8..1.2).contains(&f[0]), "{file}: {body} {f:?}");
        }
    }
}
