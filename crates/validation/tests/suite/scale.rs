use crate::data;
use wolff_opensim::scale::{ScaledSubject, scale_subject};
use wolff_opensim::setup::{self, ScaleTool, Setup};
use wolff_validation::scale::{OPENSIM_TOLERANCE, model_differences};

fn tool(path: &str) -> Option<ScaleTool> {
    Some(wolff_validation::scale::tool(&data::records(path)?, path).unwrap())
}

/// Everything but the markers of the torso, which OpenSim places by a pose that it stopped improving too early (see
/// below).
fn agrees(scaled: &ScaledSubject, reference: &str) {
    let theirs = wolff_validation::scale::model(&data::records(reference).unwrap(), reference).unwrap();
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

/// OpenSim places markers with a pose of its default accuracy. The same pose found by OpenSim 4.6 with accuracy 1e-9 is
/// ours.
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
