use crate::data;
use std::path::Path;
use wolff_formats::trial::ForcePlateTrial;
use wolff_opensim::setup::{self, ActuatorKind, AnalysisKind, CoordinateTarget, Setup, SetupFile, TaskKind};

fn parse(text: &str) -> SetupFile {
    setup::read(text.as_bytes(), Path::new("lab/walk")).unwrap()
}

fn shared_setup(name: &str) -> Option<SetupFile> {
    data::shared(name).map(|path| setup::read_file(&path).unwrap())
}

#[test]
fn paths_start_at_the_file_and_unassigned_is_nothing() {
    let file = parse(
        "<OpenSimDocument Version=\"40000\"><InverseDynamicsTool name=\"a\"><model_file> ..\\m\\model.osim </model_file>\
         <coordinates_file>Unassigned</coordinates_file><forces_to_exclude> Muscles Springs</forces_to_exclude>\
         <time_range>0.5 1,5</time_range><lowpass_cutoff_frequency_for_coordinates>-1</lowpass_cutoff_frequency_for_coordinates>\
         <colour>red</colour></InverseDynamicsTool></OpenSimDocument>",
    );
    let Setup::InverseDynamics(tool) = &file.setup else { panic!("{file:?}") };
    assert_eq!(file.version, Some(40000));
    assert_eq!(tool.model_file.as_deref(), Some(Path::new("lab/walk/../m/model.osim")));
    assert_eq!((tool.coordinates_file.as_ref(), tool.cutoff), (None, None));
    assert_eq!(tool.forces_to_exclude, ["Muscles", "Springs"]);
    assert_eq!(tool.time_range, Some([0.5, 1.5]));
    assert_eq!(file.unknown.iter().map(|u| u.element.as_str()).collect::<Vec<_>>(), ["InverseDynamicsTool/colour"]);
}

#[test]
fn residual_reduction_says_what_may_change() {
    let text = |moves: &str| {
        format!(
            "<RRATool name=\"walk\"><model_file>m.osim</model_file><desired_kinematics_file>ik.mot</desired_kinematics_file>\
             <external_loads_file>grf.xml</external_loads_file><lowpass_cutoff_frequency>6</lowpass_cutoff_frequency>\
             <initial_time>0.5</initial_time><final_time>2</final_time><optimizer_algorithm>ipopt</optimizer_algorithm>\
             <adjust_com_to_reduce_residuals>{moves}</adjust_com_to_reduce_residuals><adjusted_com_body>torso</adjusted_com_body></RRATool>"
        )
    };
    let file = parse(&text("true"));
    let Setup::ResidualReduction(tool) = &file.setup else { panic!("{file:?}") };
    assert_eq!(tool.kinematics_file.as_deref(), Some(Path::new("lab/walk/ik.mot")));
    assert_eq!((tool.cutoff, tool.time_range, tool.adjusted_body.as_deref()), (Some(6.0), [0.5, 2.0], Some("torso")));
    assert!(file.unknown.is_empty(), "{:?}", file.unknown);
    let Setup::ResidualReduction(tool) = parse(&text("false")).setup else { panic!("no RRATool") };
    assert_eq!(tool.adjusted_body, None);
}

#[test]
fn mistakes_are_reported_with_their_line() {
    let cases = [
        ("<ScaleTool>\n<mass>heavy</mass>\n</ScaleTool>", "line 2: <mass>: `heavy` is not a number"),
        ("<ScaleTool>\n<ModelScaler><apply>perhaps</apply></ModelScaler></ScaleTool>", "line 2: <apply> is `perhaps`"),
        (
            "<InverseKinematicsTool><time_range>1</time_range></InverseKinematicsTool>",
            "<time_range> has 1 numbers; it needs 2",
        ),
        ("<PerturbationTool/>", "<PerturbationTool> is not supported"),
        ("<ScaleTool>\n<mass></ScaleTool>", "line 2"),
        ("", "line 1"),
    ];
    for (text, words) in cases {
        let error = setup::read(text.as_bytes(), Path::new("")).unwrap_err().to_string();
        assert!(error.contains(words), "{text:?}: {error}");
    }
}

#[test]
fn a_scale_tool_is_read_whole() {
    let Some(file) = shared_setup("opensim-core/Scale/subject01_Setup_Scale.xml") else { return };
    let Setup::Scale(tool) = file.setup else { panic!() };
    assert_eq!((tool.name.as_str(), tool.mass, tool.height), ("subject01", Some(72.6), Some(1803.4)));
    assert!(tool.model_file.unwrap().ends_with("opensim-core/Scale/gait2354_simbody.osim"));
    let scaler = tool.scaler.unwrap();
    assert_eq!(scaler.order, ["measurements", "manualScale"]);
    let thigh = scaler.measurements.iter().find(|m| m.name == "thigh").unwrap();
    assert_eq!(thigh.pairs[1], ["L.ASIS".to_string(), "L.Knee.Lat".to_string()]);
    assert_eq!((thigh.bodies[0].body.as_str(), thigh.bodies[0].axes), ("femur_r", [true; 3]));
    let placer = tool.placer.unwrap();
    assert!(placer.tasks.tasks.len() > 30 && placer.marker_file.is_some());
    assert!(file.unknown.is_empty(), "{:?}", file.unknown);
}

#[test]
fn inverse_kinematics_and_its_tasks_are_read() {
    let Some(file) = shared_setup("opensim-core/IK/subject01_Setup_InverseKinematics.xml") else { return };
    // the tag of OpenSim 2.3, misspelled there
    let Setup::InverseKinematics(tool) = file.setup else { panic!() };
    assert_eq!((tool.constraint_weight, tool.accuracy, tool.time_range), (10.0, 1e-5, Some([0.4, 1.6])));
    let tasks = setup::read_file(&tool.tasks.file.unwrap()).unwrap();
    assert!(matches!(&tasks.setup, Setup::Tasks(set) if set.tasks.len() > 20));
    let Some(file) = shared_setup("opensim-core/Scale/gait2354_Scale_Tasks.xml") else { return };
    let Setup::Tasks(set) = file.setup else { panic!() };
    let subtalar = set.tasks.iter().find(|t| t.name == "subtalar_angle_r").unwrap();
    assert_eq!((subtalar.kind, subtalar.weight), (TaskKind::Coordinate(CoordinateTarget::Default), 1000.0));
}

#[test]
fn analyses_are_read() {
    let Some(file) = shared_setup("opensim-core/Analyze/arm26_Setup_StaticOptimization.xml") else { return };
    let Setup::Analyze(tool) = file.setup else { panic!() };
    assert_eq!((tool.time_range, tool.cutoff, tool.analyses.len()), ([0.25, 0.75], Some(6.0), 1));
    let optimization = AnalysisKind::StaticOptimization {
        use_model_force_set: true,
        activation_exponent: 2.0,
        use_muscle_physiology: true,
    };
    assert_eq!(tool.analyses[0].kind, optimization);
    let Some(file) = shared_setup("gait1992-pipeline/joint_reaction_analysis/setup_jra.xml") else { return };
    let Setup::Analyze(tool) = file.setup else { panic!() };
    assert_eq!(tool.time_range, [f64::NEG_INFINITY, f64::INFINITY]);
    let AnalysisKind::JointReaction { joints, on_bodies, in_frames, forces_file } = &tool.analyses[0].kind else {
        panic!()
    };
    assert_eq!(
        (joints.join(" "), on_bodies.join(" "), in_frames.join(" ")),
        ("ALL".into(), "child".into(), "ground".into())
    );
    assert!(forces_file.as_ref().unwrap().ends_with("static_optimization/task_StaticOptimization_force.sto"));
}

/// External loads name the columns of their own data file.
#[test]
fn external_loads_lead_to_their_forces() {
    for name in [
        "rajagopal-walk/grf_walk.xml",
        "addbiomechanics-walk/subject01/ID/external_loads.xml",
        "gait1992-pipeline/experimental_data/setup_grf_after_rra.xml",
        "knee-tka-dm/motion/DM_ngait_og1_external_loads.xml",
        "opensim-core/ID/subject01_walk1_grf.xml",
    ] {
        let Some(file) = shared_setup(name) else { continue };
        let Setup::ExternalLoads(loads) = file.setup else { panic!() };
        let data = std::fs::read(loads.data_file.as_ref().unwrap()).unwrap();
        let storage = wolff_formats::sto::read(&data).unwrap();
        let forces =
            ForcePlateTrial::from_columns(&storage, &loads.columns()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(forces.plates().iter().any(|p| p.name.starts_with("calcn_")), "{name}");
    }
}

#[test]
fn markers_and_actuators_are_read() {
    let Some(file) = shared_setup("knee-lenhart/model/lenhart2015_markers.xml") else { return };
    let Setup::Markers(set) = file.setup else { panic!() };
    assert_eq!((set.markers[0].name.as_str(), set.markers[0].body.as_str()), ("S2", "pelvis"));
    assert_eq!(set.markers[0].location[1], 0.023809753251901045);
    let Some(file) = shared_setup("gait1992-pipeline/model/reserve_actuators.xml") else { return };
    let Setup::Actuators(set) = file.setup else { panic!() };
    let fx = &set.actuators[0];
    assert_eq!((fx.name.as_str(), fx.optimal_force, fx.control), ("FX", 1.0, [f64::NEG_INFINITY, f64::INFINITY]));
    assert!(matches!(&fx.kind, ActuatorKind::Point { body, point, .. } if body == "pelvis" && point[0] == -0.0707));
    assert!(set.actuators.iter().any(|a| matches!(&a.kind, ActuatorKind::Coordinate(c) if c == "knee_angle_r")));
}

/// Every document either is understood or is refused by the name of its element, or by the line it is broken in; or it
/// names a file that is not beside it, but several times elsewhere.
#[test]
fn every_real_file_is_read_or_refused_by_name() {
    let (mut read, mut files) = (0, 0);
    for path in data::all(&["xml"]) {
        files += 1;
        match setup::read_file(&path) {
            Ok(_) => read += 1,
            Err(e) => {
                let e = e.to_string();
                let broken = path.ends_with("IK/gait2354_IK_Tasks.xml") && e.contains("line 29");
                let ambiguous = e.contains("several files have this name");
                assert!(e.contains("> is not supported") || broken || ambiguous, "{}: {e}", path.display());
            }
        }
    }
    assert!(files == 0 || read >= 80, "{read} of {files}");
}
