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
    let files = [
        "ball.pvd",
        "ball_00000.vtu",
        "ball_00002.vtu",
        "contact.sto",
        "force.svg",
        "peak-pressure.svg",
        "pressure.svg",
        "provenance.json",
        "report.html",
        "summary.json",
    ];
    let found: Vec<_> = scratch
        .files()
        .iter()
        .filter_map(|f| Some(f.strip_prefix(scratch.0.join("out")).ok()?.display().to_string()))
        .collect();
    assert_eq!(found, files);
    let again = scratch.wolff(&["contact", "pair.toml", "--poses", "poses.sto", "--rows", "1-2", "--json"]);
    let answer = json(&again);
    assert_eq!((&answer["command"], &answer["status"]), (&"contact".into(), &"ok".into()));
    assert!(answer["timing"]["wall_s"].as_f64().unwrap() >= 0.0 && answer["warnings"].is_array());
    let columns = &answer["results"]["columns"];
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
    let found = json(&run)["results"].clone();
    let pressure = 0.55 * 5e6 / (1.45 * 0.1) * 2e-4 / 0.01;
    let of = |what: &str| found["columns"][format!("touch.casting.total.{what}")].clone();
    assert_eq!(of("contact_area")[0], 0.0);
    assert!((of("max_pressure")[1].as_f64().unwrap() / pressure - 1.0).abs() < 1e-9, "{}", of("max_pressure"));
    assert!((of("contact_force_x")[1].as_f64().unwrap() / (-pressure * 1e-4) - 1.0).abs() < 1e-9);
    let difference = &found["differences"][0];
    assert!((difference["mean"].as_f64().unwrap() + 1e-4).abs() < 1e-15 && difference["count"] == 1, "{difference}");
}

/// People read MPa, and a result that cannot be right has a verdict.
#[test]
fn pressures_are_in_mpa_and_judged() {
    let scratch = Scratch::new("contact-judged");
    fs::write(scratch.0.join("pair.toml"), PAIR).unwrap();
    let run = |name: &str, height: f64| {
        fs::write(scratch.0.join("poses.sto"), format!("poses\nendheader\ntime\tty\n0\t{height}\n")).unwrap();
        scratch.wolff(&["contact", "pair.toml", "--poses", "poses.sto", "--out", name])
    };
    // p = k d/h with k = (1-ν)E/((1+ν)(1-2ν)) = 2140.6 MPa: 0.2 mm of 8 mm
    let good = run("good", 0.0298);
    assert_eq!(code(&good), 0, "{}", stderr(&good));
    let text = stdout(&good);
    for part in ["peak [MPa]", "53.", "area [mm²]", "ok        largest pressure", "contact: ok"] {
        assert!(text.contains(part), "`{part}` is missing in:\n{text}");
    }
    let page = fs::read_to_string(scratch.0.join("good/report.html")).unwrap();
    for part in ["Largest pressure, ball", "<small>MPa</small>", "elastic foundation", "deepest overlap [%]"] {
        assert!(page.contains(part) || page.contains(&part.to_lowercase()), "`{part}` is missing in the page");
    }
    // three times as deep: 160 MPa, more than polyethylene bears
    let deep = run("deep", 0.0294);
    assert_eq!(code(&deep), 3, "{}", stdout(&deep));
    assert!(stderr(&deep).contains("yield stress"), "{}", stderr(&deep));
    // apart: there is nothing to see
    let apart = run("apart", 0.05);
    assert_eq!(code(&apart), 3, "{}", stdout(&apart));
    assert!(stderr(&apart).contains("do not touch in any pose"), "{}", stderr(&apart));
}

/// Meshes in mm, and meshes that were scaled to m twice, are refused with the remedy.
#[test]
fn meshes_of_an_impossible_size_are_refused() {
    let scratch = model("contact-size");
    let scaled = |factor: f64| {
        let number = |word: &str| match word.parse::<f64>() {
            Ok(x) if word.contains('e') || word == "0" => (factor * x).to_string(),
            _ => word.to_string(),
        };
        let line = |line: &str| line.split(' ').map(number).collect::<Vec<_>>().join(" ");
        TOP.lines().map(line).collect::<Vec<_>>().join("\n")
    };
    for (factor, words) in [(1e3, ["20.0 m long", "--unit mm"]), (1e-2, ["2.00e-4 m long", "twice"])] {
        fs::write(scratch.0.join("meshes/top.obj"), scaled(factor)).unwrap();
        let options =
            ["contact", "m.osim", "--states", "states.sto", "--geometry", "meshes", "--mesh", "bottom=low.obj"];
        let run = scratch.wolff(&[&options[..], &["--json"]].concat());
        let message = json(&run)["errors"][0].to_string();
        assert_eq!(code(&run), 2, "{message}");
        assert!(words.iter().all(|word| message.contains(word)) && message.contains("top.obj"), "{message}");
    }
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
    fs::write(scratch.0.join("meshes/Go ne.OBJ"), BOTTOM).unwrap();
    failed(&["m.osim", "--states", "states.sto", "--geometry", "meshes"], &["gone.obj", "bottom=meshes/Go ne.OBJ"]);
    failed(&["m.osim", "--states", "states.sto", "--mesh", "side=low.obj"], &["side", "top, bottom"]);
    failed(&["m.osim", "--states", "states.sto", "--contact", "hold"], &["hold", "touch"]);
    failed(&["pair.toml", "--states", "states.sto"], &["--poses"]);
    assert!(!scratch.0.join("runs").exists());
}

#[test]
fn layers_poses_and_rims_that_cannot_be_right_are_told() {
    let scratch = Scratch::new("contact-doubt");
    let run = |pair: &str, poses: &str| {
        fs::write(scratch.0.join("pair.toml"), pair).unwrap();
        fs::write(scratch.0.join("poses.sto"), poses).unwrap();
        let output = scratch.wolff(&["contact", "pair.toml", "--poses", "poses.sto"]);
        (code(&output), stderr(&output))
    };
    let (status, said) = run(PAIR, POSES);
    assert!(status == 0 && !said.contains("rim"), "{said}");
    let (status, said) = run(&PAIR.replace("463 MPa", "463 Pa"), POSES);
    assert!(status != 0 && said.contains("confined modulus"), "{said}");
    let (status, said) = run(&PAIR.replace("8 mm", "8 m"), POSES);
    assert!(status != 0 && said.contains("thickness"), "{said}");
    let small = PAIR.replace("-0.006, 0.006", "-0.001, 0.001");
    assert!(run(&small, POSES).1.contains("reaches the rim"));
    assert!(run(PAIR, &POSES.replace("1\t0.0298", "0.2\t0.0298")).1.contains("time does not increase"));
    let turned = "poses\nendheader\ntime\tty\trz\n0\t0.0299\t90\n";
    assert!(run(PAIR, turned).1.contains("two turns"));
}
