use crate::{Scratch, code, json, stderr, stdout};
use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::fs;

/// Markers of a body that walks along x: forward of the middle, height, to the right [m].
const BODY: [(&str, [f64; 3]); 11] = [
    ("C7", [-0.05, 1.5, 0.0]),
    ("R.ASIS", [0.1, 1.0, 0.12]),
    ("L.ASIS", [0.1, 1.0, -0.12]),
    ("R.PSIS", [-0.1, 1.02, 0.05]),
    ("L.PSIS", [-0.1, 1.02, -0.05]),
    ("R.Knee", [0.0, 0.5, 0.15]),
    ("L.Knee", [0.0, 0.5, -0.15]),
    ("R.Heel", [-0.06, 0.05, 0.1]),
    ("L.Heel", [-0.06, 0.05, -0.1]),
    ("R.Toe", [0.16, 0.05, 0.12]),
    ("L.Toe", [0.16, 0.05, -0.12]),
];
const FRAMES: usize = 200;

/// A walk of two seconds as text, 1.2 m/s; `point` may change a marker of a frame or hide it.
fn walk(unit: &str, point: impl Fn(usize, &str, [f64; 3]) -> Option<[f64; 3]>) -> String {
    let mut text = format!(
        "PathFileType\t4\t(X/Y/Z)\twalk.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n\
         100\t100\t{FRAMES}\t{}\t{unit}\t100\t1\t{FRAMES}\nFrame#\tTime",
        BODY.len()
    );
    BODY.iter().for_each(|(name, _)| write!(text, "\t{name}\t\t").unwrap());
    text.push_str("\n\t");
    (1..=BODY.len()).for_each(|i| write!(text, "\tX{i}\tY{i}\tZ{i}").unwrap());
    text.push_str("\n\n");
    for frame in 0..FRAMES {
        let t = frame as f64 / 100.0;
        write!(text, "{}\t{t}", frame + 1).unwrap();
        for (name, [x, y, z]) in BODY {
            let phase = if name.starts_with('L') { 0.5 } else { 0.0 };
            let leg = if y < 0.9 { 0.3 * (1.0 - y) } else { 0.0 };
            let seen = point(frame, name, [1.2 * t + x + leg * (TAU * (t + phase)).sin(), y, z]);
            match seen {
                Some([x, y, z]) => write!(text, "\t{x}\t{y}\t{z}").unwrap(),
                None => text.push_str("\tNaN\tNaN\tNaN"),
            }
        }
        text.push('\n');
    }
    text
}

/// Exit code and findings for one trial.
fn findings(test: &str, text: &str) -> (i32, Vec<String>) {
    let scratch = Scratch::new(test);
    fs::write(scratch.0.join("walk.trc"), text).unwrap();
    let run = scratch.wolff(&["check", "walk.trc", "--json"]);
    let found = json(&run);
    let all = found["results"]["findings"].as_array().unwrap();
    let text = |f: &serde_json::Value| format!("{}: {} {}", f["severity"], f["message"], f["remedy"]);
    (code(&run), all.iter().map(text).collect())
}

#[track_caller]
fn finds(test: &str, text: &str, wanted: i32, words: &[&str]) {
    let (code, all) = findings(test, text);
    assert_eq!(code, wanted, "{all:?}");
    assert!(all.iter().any(|f| words.iter().all(|w| f.contains(w))), "{words:?} in {all:?}");
}

#[test]
fn a_sound_trial_passes() {
    assert_eq!(findings("check-sound", &walk("m", |_, _, p| Some(p))), (0, vec![]));
}

#[test]
fn planted_faults_are_found_with_their_remedy() {
    finds("check-units", &walk("m", |_, _, p| Some(p.map(|x| 1000.0 * x))), 2, &["error", "--input-unit mm"]);
    finds("check-axes", &walk("m", |_, _, [x, y, z]| Some([x, -z, y])), 2, &["--axes x,z"]);
    let hidden = |f: usize, n: &str, p| (n != "R.Knee" || !(50..100).contains(&f)).then_some(p);
    finds("check-gap", &walk("m", hidden), 3, &["warning", "R.Knee", "1 gap", "0.500 s"]);
    // each heel where the other one is
    let swapped = |f: usize, n: &str, p: [f64; 3]| {
        let phase = if n.starts_with('L') { 0.0 } else { 0.5 };
        let t = f as f64 / 100.0;
        let other = [1.2 * t - 0.06 + 0.3 * 0.95 * (TAU * (t + phase)).sin(), p[1], -p[2]];
        Some(if (80..120).contains(&f) && n.ends_with("Heel") { other } else { p })
    };
    finds("check-swap", &walk("m", swapped), 2, &["R.Heel", "L.Heel"]);
}

/// A short gap is a note: it can be filled.
#[test]
fn a_few_missing_values_are_notes() {
    let (code, all) = findings("check-nan", &walk("m", |f, n, p| (n != "C7" || !(20..23).contains(&f)).then_some(p)));
    assert_eq!(code, 0, "{all:?}");
    assert!(all[0].contains("note") && all[0].contains("C7"), "{all:?}");
}

#[test]
fn model_and_trial_are_compared() {
    let scratch = Scratch::new("check-model");
    let model = r#"<OpenSimDocument Version="40000"><Model name="m"><BodySet><objects><Body name="a"><mass>60</mass></Body></objects></BodySet>
<JointSet><objects><FreeJoint name="j"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/a</socket_child_frame></FreeJoint></objects></JointSet>
<MarkerSet><objects><Marker name="LASI"><socket_parent_frame>/bodyset/a</socket_parent_frame></Marker>
<Marker name="RASI"><socket_parent_frame>/bodyset/a</socket_parent_frame></Marker></objects></MarkerSet></Model></OpenSimDocument>"#;
    fs::write(scratch.0.join("m.osim"), model).unwrap();
    fs::write(scratch.0.join("walk.trc"), walk("m", |_, _, p| Some(p))).unwrap();
    let run = scratch.wolff(&["check", "m.osim", "walk.trc"]);
    assert_eq!(code(&run), 2, "{}", stdout(&run));
    // the remedy is a line of a map file
    assert!(
        stdout(&run).contains("only 0 names are equal") && stdout(&run).contains("L.ASIS, LASI"),
        "{}",
        stdout(&run)
    );
    // a name that is given by an option is found
    let run = scratch.wolff(&["check", "m.osim", "walk.trc", "--rename", "L.ASIS=LASI", "--rename", "R.ASIS=RASI"]);
    assert_eq!(code(&run), 0, "{}", stdout(&run));
    let gone = scratch.wolff(&["check", "gone.trc"]);
    assert_eq!(code(&gone), 2);
    assert!(stderr(&gone).contains("gone.trc"));
}

/// Loads of a real walk with the feet exchanged, and a mass that is not that of the subject.
#[test]
fn loads_on_the_wrong_foot_and_a_wrong_mass_are_refused() {
    let Some(data) = wolff_testdata::shared("data/rajagopal-walk") else { return };
    let scratch = Scratch::new("check-loads");
    fs::copy(data.join("grf_walk.mot"), scratch.0.join("grf_walk.mot")).unwrap();
    let loads = fs::read_to_string(data.join("grf_walk.xml")).unwrap();
    let exchanged = loads.replace("calcn_r", "calcn_?").replace("calcn_l", "calcn_r").replace("calcn_?", "calcn_l");
    fs::write(scratch.0.join("right.xml"), &loads).unwrap();
    fs::write(scratch.0.join("wrong.xml"), exchanged).unwrap();
    let markers = data.join("markers_walk.trc").display().to_string();
    let check = |more: &[&str]| {
        let run = scratch.wolff(&[&["check", markers.as_str()], more].concat());
        (code(&run), stdout(&run))
    };
    let (sound, text) = check(&["right.xml", "--mass", "85.3", "--height", "1.83"]);
    assert_eq!(sound, 0, "{text}");
    for (options, words) in [
        (&["wrong.xml"][..], "`calcn_l` is under the right foot"),
        (&["right.xml", "--mass", "40"], "the plates carry at least"),
        (&["right.xml", "--mass", "60"], "the plates carry at least"),
        (&["right.xml", "--mass", "140"], "carry the whole subject"),
        (&["right.xml", "--mass", "11685"], "which no person has"),
        (&["right.xml", "--mass", "188"], "in pounds, give 85.3 kg"),
        (&["right.xml", "--stature", "183"], "cm were meant: give 1.83 m"),
    ] {
        let (code, text) = check(options);
        assert!(code == 2 && text.contains(words), "{options:?}: {code} {text}");
    }
}
