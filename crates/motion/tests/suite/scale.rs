use crate::data;
use std::collections::BTreeMap;
use wolff_formats::setup::{self, ScaleTool, Setup};
use wolff_motion::scale::{BodyInertia, ScaledSubject, factors_file, scale_inertia, scale_subject};
use wolff_motion::validation;
use wolff_motion::validation::scale::{OPENSIM_TOLERANCE, model_differences};

fn tool(path: &str) -> Option<ScaleTool> {
    Some(validation::scale::tool(&data::records(path)?, path).unwrap())
}

/// Everything but the markers of the torso, which OpenSim places by a pose that it stopped improving too early (see below).
fn agrees(scaled: &ScaledSubject, reference: &str) {
    let theirs = validation::scale::model(&data::records(reference).unwrap(), reference).unwrap();
    for (group, (difference, _)) in model_differences(&scaled.subject.file, &theirs).unwrap() {
        let tolerance = if group == "marker" { 0.01 } else { OPENSIM_TOLERANCE };
        assert!(difference < tolerance, "{group}: {difference}");
    }
}

#[test]
fn gait1992_becomes_the_model_that_opensim_made() {
    let Some(tool) = tool("gait1992-pipeline/scale/setup_scale.xml") else { return };
    let scaled = scale_subject(&tool).unwrap();
    assert_eq!(scaled.remarks, Vec::<String>::new());
    agrees(&scaled, "gait1992-pipeline/scale/model_scaled.osim");

    // the applied factors, as written with six digits
    let applied = data::shared("gait1992-pipeline/scale/model_scale_set_applied.xml").unwrap();
    let Setup::ScaleFactors(list) = setup::read_file(&applied).unwrap().setup else { panic!() };
    for scale in list.iter().filter(|s| s.body != "ground") {
        let Some(ours) = scaled.factors.get(&scale.body) else { continue };
        assert!(ours.iter().zip(scale.factors).all(|(a, b)| (a - b).abs() < 5e-6), "{}", scale.body);
    }
    assert!((scaled.mass[1] - 72.6).abs() < 1e-9);
}

/// OpenSim places markers with a pose of its default accuracy. The same pose found by OpenSim 4.6 with accuracy 1e-9 is ours.
#[test]
fn the_standing_pose_is_the_one_that_opensim_comes_to_in_the_end() {
    let Some(tool) = tool("gait1992-pipeline/scale/setup_scale.xml") else { return };
    let scaled = scale_subject(&tool).unwrap();
    let (_, q) = &scaled.placed.as_ref().unwrap().pose;
    for (name, converged) in [
        ("pelvis_tilt", -0.02066),
        ("hip_flexion_r", -0.0579),
        ("hip_adduction_l", -0.08111),
        ("hip_rotation_l", -0.02971),
        ("lumbar_extension", 0.0),
        ("lumbar_bending", 0.01255),
        ("lumbar_rotation", -0.00868),
    ] {
        let ours = q[scaled.subject.coordinate(name).unwrap().position];
        assert!((ours - converged).abs() < 1.5e-5, "{name}: {ours} and {converged}");
    }
}

#[test]
fn gait2354_becomes_the_model_that_opensim_made() {
    let Some(tool) = tool("opensim-core/Scale/subject01_Setup_Scale.xml") else { return };
    agrees(&scale_subject(&tool).unwrap(), "opensim-core/Scale/std_subject01_simbody.osim");
}

#[test]
fn ligaments_keep_their_strain() {
    let Some(tool) = tool("opensim-core/Scale/toyLigamentModel_Setup_Scale.xml") else { return };
    agrees(&scale_subject(&tool).unwrap(), "opensim-core/Scale/std_toyLigamentModelScaled.osim");
}

#[test]
fn factors_can_be_read_again() {
    let factors = BTreeMap::from([("femur".to_string(), [1.1, 1.0 / 3.0, 0.9])]);
    let text = factors_file(&factors);
    let Setup::ScaleFactors(list) = setup::read(text.as_bytes(), std::path::Path::new("")).unwrap().setup else {
        panic!()
    };
    assert_eq!((list[0].body.as_str(), list[0].factors), ("femur", [1.1, 1.0 / 3.0, 0.9]));
}

/// A cylinder of mass m, radius r, length l along y has closed moments before and after.
#[test]
fn a_cylinder_scales_into_a_cylinder() {
    let cylinder = |m: f64, r2: f64, l: f64| {
        let across = m * (l * l / 12.0 + r2 / 4.0);
        [across, 0.5 * m * r2, across, 0.0, 0.0, 0.0]
    };
    let (m, r, l) = (7.0, 0.06, 0.41);
    let body = BodyInertia { mass: m, inertia: cylinder(m, r * r, l) };
    let s = [1.2, 0.9, 1.1];
    let kept = scale_inertia(body, s, false);
    let grown = scale_inertia(body, s, true);
    let m_grown = m * 1.2 * 0.9 * 1.1;
    for (found, m) in [(kept, m), (grown, m_grown)] {
        let wanted = cylinder(m, r * r * 1.2 * 1.1, 0.9 * l);
        assert!((found.mass - m).abs() < 1e-12);
        assert!(found.inertia.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {wanted:?}");
    }
    // equal factors: the fifth power of the size at one density
    let even = scale_inertia(body, [1.3; 3], true);
    assert!((even.inertia[0] / body.inertia[0] - 1.3_f64.powi(5)).abs() < 1e-12);
    assert_eq!(scale_inertia(BodyInertia { mass: 0.0, inertia: [1.0; 6] }, s, true).inertia, [0.0; 6]);
}
