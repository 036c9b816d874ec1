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
    let all = found["findings"].as_array().unwrap();
    let text = |f: &serde_json::Value| format!("{}: {} {}", f["severity"], f["message"], f["remedy"]);
    (code(&run), all.iter().map(text).collect())
}

#[track_caller]
fn finds(test: &str, text: &str, words: &[&str]) {
    let (code, all) = findings(test, text);
    assert_eq!(code, 1, "{all:?}");
    assert!(all.iter().any(|f| words.iter().all(|w| f.contains(w))), "{words:?} in {all:?}");
}

#[test]
fn a_sound_trial_passes() {
    assert_eq!(findings("check-sound", &walk("m", |_, _, p| Some(p))), (0, vec![]));
}

#[test]
fn planted_faults_are_found_with_their_remedy() {
    finds("check-units", &walk("m", |_, _, p| Some(p.map(|x| 1000.0 * x))), &["error", "mm"]);
    finds("check-axes", &walk("m", |_, _, [x, y, z]| Some([x, -z, y])), &["--axes x,z"]);
    let hidden = |f: usize, n: &str, p| (n != "R.Knee" || !(50..100).contains(&f)).then_some(p);
    finds("check-gap", &walk("m", hidden), &["warning", "R.Knee", "50 of 200"]);
    // each heel where the other one is
    let swapped = |f: usize, n: &str, p: [f64; 3]| {
        let phase = if n.starts_with('L') { 0.0 } else { 0.5 };
        let t = f as f64 / 100.0;
        let other = [1.2 * t - 0.06 + 0.3 * 0.95 * (TAU * (t + phase)).sin(), p[1], -p[2]];
        Some(if (80..120).contains(&f) && n.ends_with("Heel") { other } else { p })
    };
    finds("check-swap", &walk("m", swapped), &["R.Heel", "L.Heel"]);
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
<MarkerSet><objects><Marker name="LASI"><socket_parent_frame>/bodyset/a</socket_parent_frame></Marker></objects></MarkerSet></Model></OpenSimDocument>"#;
    fs::write(scratch.0.join("m.osim"), model).unwrap();
    fs::write(scratch.0.join("walk.trc"), walk("m", |_, _, p| Some(p))).unwrap();
    let run = scratch.wolff(&["check", "m.osim", "walk.trc"]);
    assert_eq!(code(&run), 1, "{}", stdout(&run));
    assert!(stdout(&run).contains("the trial does not have: LASI"), "{}", stdout(&run));
    let gone = scratch.wolff(&["check", "gone.trc"]);
    assert_eq!(code(&gone), 2);
    assert!(stderr(&gone).contains("gone.trc"));
}
