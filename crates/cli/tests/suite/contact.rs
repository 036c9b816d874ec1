use crate::{Scratch, code, json, stderr, stdout};
use std::fs;

const PAIR: &str = r#"
[[foundation]]
name = "ball"
fixed = "plate"
moving = "ball"
surface = { kind = "sphere", radius = "30 mm" }
compartments = [{ name = "plate", surface = { kind = "plane" }, grid = [10, 10], x = [-0.006, 0.006], z = [-0.006, 0.006], thickness = "8 mm" }]
young = "463 MPa"
poisson = 0.46
"#;

const POSES: &str = "poses\nendheader\ntime\tty\n0\t0.031\n0.5\t0.0299\n1\t0.0298\n";

/// A model with two meshes, one of which is a file that is not there.
const MODEL: &str = r#"<OpenSimDocument Version="40000"><Model name="m">
<BodySet><objects><Body name="a"><mass>1</mass></Body><Body name="b"><mass>1</mass></Body></objects></BodySet>
<JointSet><objects>
<SliderJoint name="rail"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/a</socket_child_frame>
<coordinates><Coordinate name="way"/></coordinates></SliderJoint>
<WeldJoint name="weld"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/b</socket_child_frame></WeldJoint>
</objects></JointSet>
<ForceSet><objects><Smith2018ArticularContactForce name="touch">
<socket_target_mesh>/contactgeometryset/top</socket_target_mesh><socket_casting_mesh>/contactgeometryset/bottom</socket_casting_mesh>
</Smith2018ArticularContactForce></objects></ForceSet>
<ContactGeometrySet><objects>
<Smith2018ContactMesh name="top"><socket_frame>/bodyset/a</socket_frame><mesh_file>top.obj</mesh_file></Smith2018ContactMesh>
<Smith2018ContactMesh name="bottom"><socket_frame>/bodyset/b</socket_frame><mesh_file>gone.obj</mesh_file></Smith2018ContactMesh>
</objects></ContactGeometrySet></Model></OpenSimDocument>"#;

/// Two triangles of 2 cm by 2 cm across x, outside towards -x; the other way round in the second.
const TOP: &str = "v 0 -1e-2 -1e-2\nv 0 1e-2 -1e-2\nv 0 1e-2 1e-2\nv 0 -1e-2 1e-2\nf 1 3 2\nf 1 4 3\n";
const BOTTOM: &str = "v 0 -5e-3 -5e-3\nv 0 5e-3 -5e-3\nv 0 5e-3 5e-3\nv 0 -5e-3 5e-3\nf 1 2 3\nf 1 3 4\n";

fn model(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    fs::create_dir(scratch.0.join("meshes")).unwrap();
    let states = "s\nendheader\ntime\t/jointset/rail/way/value\n0\t1e-4\n1\t-2e-4\n";
    for (name, text) in [
        ("m.osim", MODEL),
        ("states.sto", states),
        ("meshes/top.obj", TOP),
        ("meshes/low.obj", BOTTOM),
        ("forces.sto", "f\nendheader\ntime\ttouch.casting.total.contact_area\n1\t2e-4\n"),
    ] {
        fs::write(scratch.0.join(name), text).unwrap();
    }
    scratch
}

#[test]
fn a_pair_leaves_tables_maps_and_a_picture() {
    let scratch = Scratch::new("contact-pair");
    fs::write(scratch.0.join("pair.toml"), PAIR).unwrap();
    fs::write(scratch.0.join("poses.sto"), POSES).unwrap();
    let run = scratch.wolff(&["contact", "pair.toml", "--poses", "poses.sto", "--maps", "2", "--out", "out"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(stdout(&run).contains("poses: 3, contacts: 1"), "{}", stdout(&run));
    let files =
        ["ball.pvd", "ball_00000.vtu", "ball_00002.vtu", "contact.csv", "contact.sto", "pressure.svg", "summary.json"];
    let found: Vec<_> = scratch
        .files()
        .iter()
        .filter_map(|f| Some(f.strip_prefix(scratch.0.join("out")).ok()?.display().to_string()))
        .collect();
    assert_eq!(found, files);
    let again = scratch.wolff(&["contact", "pair.toml", "--poses", "poses.sto", "--rows", "1-2", "--json"]);
    let columns = &json(&again)["columns"];
    assert_eq!(columns["time"], serde_json::json!([0.5, 1.0]));
    assert!(columns["ball.casting.total.contact_force_y"][1].as_f64().unwrap() < -1000.0);
}

/// Flat faces of 1 cm by 1 cm, 0.2 mm into each other: p = k d/h with k = (1-ν)E/((1+ν)(1-2ν)) and 5 mm on each, the
/// defaults.
#[test]
fn a_model_is_placed_and_compared() {
    let scratch = model("contact-model");
    let options = ["contact", "m.osim", "--states", "states.sto", "--geometry", "meshes", "--mesh", "bottom=low.obj"];
    let run = scratch.wolff(&[&options[..], &["--compare", "forces.sto", "--json"]].concat());
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let found = json(&run);
    let pressure = 0.55 * 5e6 / (1.45 * 0.1) * 2e-4 / 0.01;
    let of = |what: &str| found["columns"][format!("touch.casting.total.{what}")].clone();
    assert_eq!(of("contact_area")[0], 0.0);
    assert!((of("max_pressure")[1].as_f64().unwrap() / pressure - 1.0).abs() < 1e-9, "{}", of("max_pressure"));
    assert!((of("contact_force_x")[1].as_f64().unwrap() / (-pressure * 1e-4) - 1.0).abs() < 1e-9);
    let difference = &found["differences"][0];
    assert!((difference["mean"].as_f64().unwrap() + 1e-4).abs() < 1e-15 && difference["count"] == 1, "{difference}");
}

#[test]
fn errors_name_the_remedy() {
    let scratch = model("contact-errors");
    let failed = |options: &[&str], words: &[&str]| {
        let run = scratch.wolff(&[&["contact", "--json"], options].concat());
        let message = json(&run)["errors"][0].to_string();
        assert_eq!(code(&run), 2, "{message}");
        for word in words {
            assert!(message.contains(word), "`{word}` is missing in {message}");
        }
    };
    failed(&["m.osim"], &["--states"]);
    failed(&["m.osim", "--states", "states.sto"], &["gone.obj", "--geometry DIR", "--mesh bottom=FILE"]);
    failed(
        &["m.osim", "--states", "states.sto", "--geometry", "meshes"],
        &["gone.obj", "meshes", "--mesh bottom=FILE"],
    );
    failed(&["m.osim", "--states", "states.sto", "--mesh", "side=low.obj"], &["side", "top, bottom"]);
    failed(&["m.osim", "--states", "states.sto", "--contact", "hold"], &["hold", "touch"]);
    failed(&["pair.toml", "--states", "states.sto"], &["--poses"]);
    assert!(!scratch.0.join("runs").exists());
}
