//! `wolff id`, `so`, `reactions` and `muscle` on a forearm with one muscle.

use crate::{Scratch, code, json, stderr, stdout};
use std::fs;

pub const MODEL: &str = r#"<OpenSimDocument Version="40000"><Model name="arm"><gravity>0 -10 0</gravity>
<BodySet><objects><Body name="forearm"><mass>2</mass><mass_center>0.2 0 0</mass_center></Body></objects></BodySet>
<JointSet><objects><PinJoint name="elbow">
<socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/forearm</socket_child_frame>
<coordinates><Coordinate name="flexion"/></coordinates></PinJoint></objects></JointSet>
<ForceSet><objects>
<Thelen2003Muscle name="biceps"><max_isometric_force>500</max_isometric_force>
<optimal_fiber_length>0.1</optimal_fiber_length><tendon_slack_length>0.2</tendon_slack_length>
<GeometryPath><PathPointSet><objects>
<PathPoint name="a"><socket_parent_frame>/ground</socket_parent_frame><location>0 0.3 0</location></PathPoint>
<PathPoint name="b"><socket_parent_frame>/bodyset/forearm</socket_parent_frame><location>0.04 0 0</location></PathPoint>
</objects></PathPointSet></GeometryPath></Thelen2003Muscle>
<CoordinateActuator name="reserve"><coordinate>flexion</coordinate><optimal_force>1</optimal_force></CoordinateActuator>
</objects></ForceSet></Model></OpenSimDocument>"#;

pub fn arm(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    let rows: String = (0..=20).map(|i| format!("{}\t0\n", 0.05 * f64::from(i))).collect();
    fs::write(scratch.0.join("arm.osim"), MODEL).unwrap();
    fs::write(scratch.0.join("still.mot"), format!("still\nendheader\ntime\tflexion\n{rows}")).unwrap();
    scratch
}

/// The weight of 20 N at 0.2 m.
#[test]
fn a_forearm_held_still() {
    let scratch = arm("dynamics-id");
    let run = scratch.wolff(&["id", "--model", "arm.osim", "--motion", "still.mot", "--out", "out"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(stdout(&run).contains("flexion_moment") && scratch.0.join("out/moments.svg").exists());
    let run = scratch.wolff(&["id", "--model", "arm.osim", "--motion", "still.mot", "--json"]);
    let range = json(&run)["results"]["range"]["flexion_moment"][0].as_f64().unwrap();
    assert!((range - 4.0).abs() < 1e-9, "{range}");
}

/// The biceps carries it, the elbow feels both, and files go from one command to the next.
#[test]
fn forces_then_reactions_then_lengths() {
    let scratch = arm("dynamics-so");
    let inputs = ["--model", "arm.osim", "--motion", "still.mot"];
    let with = |command: &str, rest: &[&str]| {
        let words: Vec<&str> = [command].into_iter().chain(inputs).chain(rest.iter().copied()).collect();
        let run = scratch.wolff(&words);
        assert_eq!(code(&run), 0, "{}", stderr(&run));
        run
    };
    with("so", &["--out", "so"]);
    let shared = json(&with("so", &["--json", "--power", "3"]));
    // 4 N m over a moment arm of 0.0396 m, less what the reserve takes
    let force = shared["results"]["range"]["biceps"][1].as_f64().unwrap();
    assert!((95.0..101.0).contains(&force), "{force}");
    let forces = "so/static_optimization_force.sto";
    let loads = json(&with("reactions", &["--forces", forces, "--in", "ground", "--json"]));
    let down = loads["results"]["range"]["elbow_on_forearm_in_ground_fy"][0].as_f64().unwrap();
    assert!(down < -70.0, "{down}");
    let muscles = json(&with("muscle", &["--coordinate", "flexion", "--json"]));
    let length = muscles["results"]["range"]["biceps"][0].as_f64().unwrap();
    assert!((length - 0.3_f64.hypot(0.04)).abs() < 1e-12, "{length}");
}

#[test]
fn mistakes_are_told() {
    let scratch = arm("dynamics-mistakes");
    let run = scratch.wolff(&["id", "--model", "arm.osim"]);
    assert_eq!(code(&run), 2);
    assert!(stderr(&run).contains("there is no motion"), "{}", stderr(&run));
    let run = scratch.wolff(&["reactions", "--model", "arm.osim", "--motion", "still.mot"]);
    assert!(code(&run) == 2 && stderr(&run).contains("no forces of them"), "{}", stderr(&run));
    let run = scratch.wolff(&["so", "--model", "arm.osim", "--motion", "still.mot", "--power", "1"]);
    assert!(code(&run) == 2 && stderr(&run).contains("must be above 1"), "{}", stderr(&run));
}

const BLOCK: &str = r#"<OpenSimDocument Version="40000"><Model name="block"><gravity>0 -10 0</gravity>
<BodySet><objects><Body name="torso"><mass>50</mass><mass_center>0.1 0 0</mass_center><inertia>2 3 4 0 0 0</inertia></Body></objects></BodySet>
<JointSet><objects><PlanarJoint name="floor"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/torso</socket_child_frame>
<coordinates><Coordinate name="turn"/><Coordinate name="x"/><Coordinate name="y"/></coordinates></PlanarJoint></objects></JointSet></Model></OpenSimDocument>"#;

const PUSH: &str = r#"<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="push">
<applied_to_body>torso</applied_to_body><force_expressed_in_body>ground</force_expressed_in_body><point_expressed_in_body>ground</point_expressed_in_body>
<force_identifier>f</force_identifier><point_identifier>p</point_identifier></ExternalForce></objects><datafile>push.sto</datafile></ExternalLoads></OpenSimDocument>"#;

const REDUCE: &str = r#"<OpenSimDocument Version="40000"><RRATool name="hold"><model_file>block.osim</model_file><task_set_file>none.xml</task_set_file>
<desired_kinematics_file>still.mot</desired_kinematics_file><external_loads_file>push.xml</external_loads_file><initial_time>0.1</initial_time>
<final_time>1.9</final_time><adjust_com_to_reduce_residuals>true</adjust_com_to_reduce_residuals><adjusted_com_body>torso</adjusted_com_body></RRATool></OpenSimDocument>"#;

/// A block at rest on a force that passes 3 cm beside its mass centre.
fn block(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    let times = || (0..=200).map(|i| 0.01 * f64::from(i));
    let still: String = times().map(|t| format!("{t}\t0\t0\t0\n")).collect();
    let push: String = times().map(|t| format!("{t}\t0\t500\t0\t0.13\t0\t0\n")).collect();
    for (name, text) in [
        ("block.osim", BLOCK.to_string()),
        ("push.xml", PUSH.to_string()),
        ("setup.xml", REDUCE.to_string()),
        ("still.mot", format!("still\nendheader\ntime\tturn\tx\ty\n{still}")),
        ("push.sto", format!("push\nendheader\ntime\tfx\tfy\tfz\tpx\tpy\tpz\n{push}")),
    ] {
        fs::write(scratch.0.join(name), text).unwrap();
    }
    scratch
}

#[test]
fn residuals_of_a_block_are_reduced_and_written() {
    let scratch = block("dynamics-rra");
    let run = scratch.wolff(&["rra", "setup.xml", "--out", "out"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(stdout(&run).contains("mass centre of `torso` moved by"), "{}", stdout(&run));
    let model = fs::read_to_string(scratch.0.join("out/model_adjusted.osim")).unwrap();
    assert!(model.contains("<mass>50</mass>") && !model.contains("<mass_center>0.1 0 0"), "{model}");
    // the written files have the reported residuals
    let told = json(&scratch.wolff(&["rra", "setup.xml", "--json"]));
    let turn = &told["results"]["residuals_before_after"][0];
    let [before, after] = [0, 1].map(|i| turn["rms"][i].as_f64().unwrap());
    assert!((before - 15.0).abs() < 1e-6 && after < 0.2 * before, "{turn}");
    let run = scratch.wolff(&[
        "id",
        "--model",
        "out/model_adjusted.osim",
        "--motion",
        "out/kinematics_q.sto",
        "--loads",
        "push.xml",
        "--json",
    ]);
    let range = &json(&run)["results"]["range"]["turn_moment"];
    assert!(
        range[0].as_f64().unwrap().abs() < 3.0 * after && range[1].as_f64().unwrap().abs() < 3.0 * after,
        "{range}"
    );
}

#[test]
fn a_mass_centre_may_be_kept_and_bad_names_are_refused() {
    let scratch = block("dynamics-rra-options");
    let kept = json(&scratch.wolff(&["rra", "setup.xml", "--no-centre", "--json"]));
    assert_eq!(kept["results"]["centre_shift_m"], serde_json::json!([0.0, 0.0, 0.0]));
    let run = scratch.wolff(&["rra", "setup.xml", "--body", "head", "--json"]);
    assert_eq!(code(&run), 2);
    assert!(json(&run)["errors"][0]["message"].as_str().unwrap().contains("head"));
}
