//! Walks are judged: built-in ones, recorded ones, recordings with mistakes.

use crate::walk::{trial, walk};
use std::path::{Path, PathBuf};
use wolff_app::Session;
use wolff_app::run::{RunError, run_text};
use wolff_report::outcome::{Judged, Outcome, Severity, Status, Verdict};
use wolff_study::document::builtin;

/// A short walk with rigid bones, a recording with errors used all the same.
fn forced(set: &[(&str, &str)]) -> Result<Outcome, RunError> {
    let overrides: Vec<(String, String)> = set.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    let mut progress = |_| true;
    let mut session = Session { force: true, ..Session::new(&mut progress) };
    run_text("walk.toml", builtin("walk").unwrap(), Path::new(""), &overrides, &mut session)
}

fn judged<'a>(outcome: &'a Outcome, name: &str) -> &'a Judged {
    let found = outcome.judgement.judged.iter().find(|j| j.quantity.starts_with(name));
    found.unwrap_or_else(|| panic!("no {name}: {:#?}", outcome.judgement.judged))
}

/// Files of the recorded trial with some of them replaced, short and with rigid bones.
fn short<'a>(files: &'a [(&'static str, String)], other: &'a [(&'static str, String)]) -> Vec<(&'static str, &'a str)> {
    let kept = files.iter().filter(|(name, _)| *name != "emg" && !other.iter().any(|(o, _)| o == name));
    let mut set: Vec<(&'static str, &str)> = kept.chain(other).map(|(k, v)| (*k, v.as_str())).collect();
    set.extend([("bones", "none"), ("cycles", "1")]);
    set
}

/// The built-in walk is within every limit, and says what was done; its six numbers have ranges.
#[test]
fn the_built_in_walk_is_within_its_limits() {
    let outcome = walk(&[("cycles", "2")]).unwrap();
    assert_eq!(outcome.judged_status(), Status::Ok, "{:#?}", outcome.judgement.warnings());
    for quantity in
        ["least correlation", "largest position error", "force of the tracking agent", "moment of", "largest"]
    {
        assert_eq!(judged(&outcome, quantity).verdict, Verdict::Ok);
    }
    assert!(outcome.judgement.judged.iter().all(|j| !j.source.is_empty() && !j.remedy.is_empty()));
    assert_eq!(outcome.headline.len(), 6, "{:#?}", outcome.headline);
    assert!(outcome.headline.iter().all(|h| h.range.is_some() && !h.source.is_empty() && h.value.is_finite()));
    verdicts_follow_from_ranges(&outcome);
    let method = outcome.method.join("\n");
    for word in ["No recording was used", "75.0 kg, 1.77 m", "39 per leg", "Flexible segments: shank_r", "0.5 ms"] {
        assert!(method.contains(word), "{word}: {method}");
    }
}

/// A number outside of the range that stands beside it is not ok, and the other way round.
fn verdicts_follow_from_ranges(outcome: &Outcome) {
    for h in &outcome.headline {
        let [low, high] = h.range.unwrap();
        let inside = (low..=high).contains(&h.value);
        assert_eq!(h.verdict == Verdict::Ok, inside, "{h:#?}");
    }
}

/// Controllers without feed-forward follow the motion with wrong ground forces: doubtful, not ok.
#[test]
fn a_walk_with_wrong_ground_forces_is_doubtful() {
    let set = [("servo", "pd"), ("servo_error", "1 mm"), ("servo_time", "10 ms"), ("bones", "none"), ("cycles", "2")];
    let outcome = walk(&set).unwrap();
    assert_eq!((outcome.status, outcome.judged_status()), (Status::Ok, Status::Doubtful));
    assert!(!outcome.judgement.warnings().is_empty());
    verdicts_follow_from_ranges(&outcome);
    assert!(outcome.method.join(" ").contains("without feed-forward"));
}

/// A mass that is not that of the plates is refused, with the remedy and the way to insist; who insists gets a doubtful
/// result.
#[test]
fn a_wrong_mass_is_refused_unless_forced() {
    let Some(files) = trial() else { return };
    let mass = [("mass", "60 kg".to_string())];
    let set = short(&files, &mass);
    let refused = walk(&set).unwrap_err().to_string();
    for word in ["60.0 kg", "the plates carry", "mass of the subject", "--force"] {
        assert!(refused.contains(word), "{word}: {refused}");
    }
    let outcome = forced(&set).unwrap();
    assert!(outcome.judged_status() >= Status::Doubtful);
    assert!(outcome.judgement.findings.iter().any(|f| f.severity == Severity::Error && f.message.contains("60.0 kg")));
}

/// A copy of a file of the trial with its text changed.
fn changed(
    files: &[(&'static str, String)],
    name: &'static str,
    copy: &str,
    change: impl Fn(String) -> String,
) -> PathBuf {
    let path = files.iter().find(|(n, _)| *n == name).map(|(_, file)| PathBuf::from(file)).unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("judged");
    std::fs::create_dir_all(&folder).unwrap();
    let copy = folder.join(copy);
    std::fs::write(&copy, change(std::fs::read_to_string(path).unwrap())).unwrap();
    copy
}

/// Millimetres under a header that says metres: the recording is refused before anything is computed from it.
#[test]
fn markers_in_another_unit_are_refused() {
    let Some(files) = trial() else { return };
    let copy = changed(&files, "markers", "metres.trc", |text| text.replacen("mm", "m", 1));
    let other = [("markers", copy.display().to_string())];
    let refused = walk(&short(&files, &other)).unwrap_err().to_string();
    assert!(refused.contains("--force") && refused.contains("mm"), "{refused}");
}

/// Left and right exchanged in an `ExternalLoads` file: the geometry decides, and both are told.
#[test]
fn exchanged_plates_are_put_right_and_told() {
    let Some(files) = trial() else { return };
    let forces = files.iter().find(|(n, _)| *n == "forces").map(|(_, file)| PathBuf::from(file)).unwrap();
    let xml = std::fs::read_to_string(forces.with_extension("xml")).unwrap();
    let xml = xml.replace("calcn_r<", "calcn_x<").replace("calcn_l<", "calcn_r<").replace("calcn_x<", "calcn_l<");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("judged");
    std::fs::create_dir_all(&folder).unwrap();
    let copy = folder.join("exchanged.xml");
    std::fs::write(&copy, xml.replace("<datafile>", &format!("<datafile>{}/", forces.parent().unwrap().display())))
        .unwrap();
    let other = [("forces", copy.display().to_string())];
    let outcome = walk(&short(&files, &other)).unwrap();
    let told: Vec<&str> = outcome.judgement.findings.iter().map(|f| f.message.as_str()).collect();
    for plate in ["the force `calcn_l` to the left foot", "the force `calcn_r` to the right foot"] {
        assert!(told.iter().any(|t| t.contains(plate) && t.contains("is used")), "{plate}: {told:#?}");
    }
    assert!(told.iter().any(|t| t.contains("assigned to the nearest foot")), "{told:#?}");
    let plain = walk(&short(&files, &[])).unwrap();
    let told: Vec<&str> = plain.judgement.findings.iter().map(|f| f.message.as_str()).collect();
    assert!(!told.iter().any(|t| t.contains("but")), "{told:#?}");
    assert_eq!(outcome.results["ground_force_correlation"], plain.results["ground_force_correlation"]);
}
