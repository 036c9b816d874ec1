use crate::{Scratch, code, json, stderr, stdout};
use std::fs;
use wolff_formats::sto;
use wolff_formats::trial::{LengthUnit, Marker, MarkerTrial};

/// A block that goes anywhere, with four markers.
const MODEL: &str = r#"<OpenSimDocument Version="40000"><Model name="block">
<BodySet><objects><Body name="block"><mass>1</mass><inertia>1 1 1 0 0 0</inertia></Body></objects></BodySet>
<JointSet><objects><FreeJoint name="root"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/block</socket_child_frame>
<coordinates><Coordinate name="rx"/><Coordinate name="ry"/><Coordinate name="rz"/><Coordinate name="tx"/><Coordinate name="ty"/><Coordinate name="tz"/></coordinates>
</FreeJoint></objects></JointSet><MarkerSet><objects>
<Marker name="A"><socket_parent_frame>/bodyset/block</socket_parent_frame><location>0.2 0 0</location></Marker>
<Marker name="B"><socket_parent_frame>/bodyset/block</socket_parent_frame><location>0 0.3 0</location></Marker>
<Marker name="C"><socket_parent_frame>/bodyset/block</socket_parent_frame><location>0 0 0.4</location></Marker>
<Marker name="D"><socket_parent_frame>/bodyset/block</socket_parent_frame><location>-0.1 -0.1 0</location></Marker>
</objects></MarkerSet></Model></OpenSimDocument>"#;

const SETUP: &str = r#"<OpenSimDocument Version="40000"><InverseKinematicsTool name="turn"><model_file>block.osim</model_file>
<marker_file>turn.trc</marker_file><time_range>0 0.1</time_range><output_motion_file>out/turn.mot</output_motion_file>
<results_directory>out</results_directory><IKTaskSet><objects>
<IKMarkerTask name="A"><weight>1</weight></IKMarkerTask><IKMarkerTask name="B"><weight>2</weight></IKMarkerTask>
<IKMarkerTask name="C"><weight>1</weight></IKMarkerTask><IKMarkerTask name="Z"><weight>1</weight></IKMarkerTask>
</objects></IKTaskSet></InverseKinematicsTool></OpenSimDocument>"#;

/// The block turns about x by 0.5 rad a second and moves along y by 1 m/s; marker A is hidden in the third frame.
fn scratch(test: &str) -> Scratch {
    let scratch = Scratch::new(test);
    let times: Vec<f64> = (0..11).map(|i| 0.01 * i as f64).collect();
    let place = |[x, y, z]: [f64; 3], t: f64| {
        let (s, c) = (0.5 * t).sin_cos();
        [x, c * y - s * z + t, s * y + c * z]
    };
    let marker = |name: &str, p: [f64; 3]| Marker {
        name: name.into(),
        points: times.iter().map(|&t| Some(place(p, t))).collect(),
    };
    let mut markers = vec![
        marker("A", [0.2, 0.0, 0.0]),
        marker("B", [0.0, 0.3, 0.0]),
        marker("C", [0.0, 0.0, 0.4]),
        marker("D", [-0.1, -0.1, 0.0]),
        marker("foreign", [1.0, 1.0, 1.0]),
    ];
    markers[0].points[2] = None;
    let trial = MarkerTrial::new("turn.trc", 100.0, times.clone(), markers).unwrap();
    for (name, text) in [
        ("block.osim", MODEL.to_string()),
        ("setup.xml", SETUP.to_string()),
        ("turn.trc", wolff_formats::trc::write(&trial, LengthUnit::Metre).unwrap()),
    ] {
        fs::write(scratch.0.join(name), text).unwrap();
    }
    scratch
}

#[test]
fn a_setup_writes_where_it_says() {
    let scratch = scratch("ik-setup");
    let run = scratch.wolff(&["ik", "setup.xml"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    assert!(stderr(&run).contains("foreign") && stderr(&run).contains('Z'), "{}", stderr(&run));
    assert!(stdout(&run).contains("frames: 11, coordinates: 6, markers: 3"), "{}", stdout(&run));
    let motion = sto::read(&fs::read(scratch.0.join("out/turn.mot")).unwrap()).unwrap();
    assert!(motion.in_degrees);
    assert_eq!(motion.table.labels(), ["time", "rx", "ry", "rz", "tx", "ty", "tz"]);
    let last = motion.table.rows().last().unwrap().clone();
    let wanted = [0.1, 0.05_f64.to_degrees(), 0.0, 0.0, 0.0, 0.1, 0.0];
    assert!(last.iter().zip(wanted).all(|(x, w)| (x - w).abs() < 1e-6), "{last:?}");
    for file in ["turn_ik_marker_errors.sto", "turn_ik_marker_distances.sto", "turn_ik_angles.svg"] {
        assert!(scratch.0.join("out").join(file).exists(), "{file}");
    }
    let distances = sto::read(&fs::read(scratch.0.join("out/turn_ik_marker_distances.sto")).unwrap()).unwrap();
    assert!(distances.table.column("A").unwrap()[2].is_nan());
}

#[test]
fn a_model_and_markers_are_enough() {
    let scratch = scratch("ik-options");
    let arguments = ["ik", "--model", "block.osim", "--markers", "turn.trc", "--time", "0.02:0.05", "--json"];
    let run = scratch.wolff(&arguments);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let found = &json(&run)["results"];
    assert_eq!((&found["frames"], &found["not_in_model"]), (&4.into(), &serde_json::json!(["foreign"])));
    assert!(found["marker_rms_m"].as_f64().unwrap() < 1e-8, "{found}");
    assert!(!scratch.0.join("runs").exists());
    let out = scratch.wolff(&["ik", "--model", "block.osim", "--markers", "turn.trc", "--out", "there"]);
    assert_eq!(code(&out), 0, "{}", stderr(&out));
    assert!(scratch.0.join("there/turn_ik.mot").exists());
}

#[test]
fn errors_name_the_remedy() {
    let scratch = scratch("ik-errors");
    let failed = |options: &[&str], words: &[&str]| {
        let run = scratch.wolff(&[&["ik", "--json"], options].concat());
        let message = json(&run)["errors"][0].to_string();
        assert_eq!(code(&run), 2, "{message}");
        assert!(words.iter().all(|w| message.contains(w)), "{words:?} in {message}");
    };
    failed(&["--model", "gone.osim", "--markers", "turn.trc"], &["gone.osim"]);
    failed(&["--model", "block.osim", "--markers", "turn.trc", "--time", "5:6"], &["5", "0 to 0.1"]);
    failed(&["--model", "block.osim", "--markers", "turn.trc", "--tasks", "block.osim"], &["block.osim"]);
    assert_eq!(code(&scratch.wolff(&["ik", "--model", "block.osim"])), 2);
    assert_eq!(code(&scratch.wolff(&["ik", "--model", "block.osim", "--markers", "turn.trc", "--time", "now"])), 2);
}

/// A row far down that is wrong is found before anything is solved or written, and nothing lies about after.
#[test]
fn a_bad_row_leaves_nothing_behind() {
    let scratch = scratch("ik-bad-row");
    let text = fs::read_to_string(scratch.0.join("turn.trc")).unwrap();
    fs::write(scratch.0.join("bad.trc"), format!("{text}12\t0.11\tword\t0\t0\n")).unwrap();
    let before = scratch.files();
    let run = scratch.wolff(&["ik", "--model", "block.osim", "--markers", "bad.trc", "--out", "there"]);
    assert_eq!(code(&run), 2);
    assert!(stderr(&run).contains("line 18") && stderr(&run).contains("word"), "{}", stderr(&run));
    assert_eq!(scratch.files(), before);
    // a folder with other content is refused before the computation
    fs::create_dir(scratch.0.join("there")).unwrap();
    fs::write(scratch.0.join("there/mine"), "").unwrap();
    let run = scratch.wolff(&["ik", "--model", "block.osim", "--markers", "turn.trc", "--out", "there"]);
    assert!(code(&run) == 2 && stderr(&run).contains("the folder is not empty"), "{}", stderr(&run));
    assert!(scratch.0.join("there/mine").exists());
    assert_eq!(scratch.files().len(), before.len() + 1);
}

/// A set-up may name any file as its result; one that exists is replaced on request only, an own result at once.
#[test]
fn a_setup_does_not_replace_files_of_others() {
    let scratch = scratch("ik-foreign");
    let elsewhere = Scratch::new("ik-foreign-target");
    let important = elsewhere.0.join("important.mot");
    fs::write(&important, "years of work").unwrap();
    let setup = SETUP.replace("out/turn.mot", "../cli-ik-foreign-target/important.mot");
    fs::write(scratch.0.join("setup.xml"), setup).unwrap();
    let run = scratch.wolff(&["ik", "setup.xml"]);
    assert_eq!(code(&run), 2, "{}", stdout(&run));
    for word in ["important.mot", "--force", "--out"] {
        assert!(stderr(&run).replace(['\n', '│', ' '], "").contains(word), "{}", stderr(&run));
    }
    assert_eq!(fs::read(&important).unwrap(), b"years of work");
    assert!(!scratch.0.join("out").exists());
    for options in [&["ik", "setup.xml", "--force"][..], &["ik", "setup.xml"]] {
        let run = scratch.wolff(options);
        assert_eq!(code(&run), 0, "{}", stderr(&run));
        assert_ne!(fs::read(&important).unwrap(), b"years of work");
    }
}
