//! Walks that are stopped and continued: every file of the run folder is the same to the byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wolff_app::run::run_text;
use wolff_app::{SavedWalk, Session};
use wolff_report::folder::{Provenance, RESUME, write_run_folder};
use wolff_report::json::Timing;
use wolff_report::outcome::{Outcome, Status};
use wolff_study::RunError;
use wolff_study::document::builtin;

/// A folder of one test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("saved-{test}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A stride, from a saved walk, until the share of the work, with what is kept on the way in `kept.resume`.
    fn walk(&self, set: &[(&str, &str)], from: Option<&str>, until: f64) -> Result<Outcome, RunError> {
        let overrides = pairs(set);
        let mut progress = |fraction: f64| fraction < until;
        let from = from.map(|name| SavedWalk::load(&self.0.join(name))).transpose()?;
        let keep = Some((self.0.join("kept.resume"), Duration::ZERO));
        let mut session = Session { from, keep, cache: Some(self.0.join("cache")), ..Session::new(&mut progress) };
        run_text("walk.toml", builtin("walk").unwrap(), Path::new(""), &overrides, &mut session)
    }

    /// Writes the run folder; all its files by name.
    fn write(&self, name: &str, set: &[(&str, &str)], outcome: &Outcome) -> BTreeMap<String, Vec<u8>> {
        let timing = Timing { cpu_s: 0.0, wall_s: 0.0, simulated_s: outcome.simulated_s, parts_cpu_s: Vec::new() };
        let provenance = Provenance::new("walk.toml", builtin("walk").unwrap(), &pairs(set));
        write_run_folder(&self.0.join(name), outcome, &provenance, &timing).unwrap();
        let mut files = BTreeMap::new();
        read_all(&self.0.join(name), "", &mut files);
        files
    }
}

/// Adds all files of a folder and of folders in it.
fn read_all(folder: &Path, before: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{before}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            read_all(&path, &format!("{name}/"), files);
        } else {
            files.insert(name, fs::read(path).unwrap());
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn pairs(set: &[(&str, &str)]) -> Vec<(String, String)> {
    set.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect()
}

/// A stride with a bending tibia, stopped at two places: the partial folder says so and has what was done, the end is
/// the same to the byte.
#[test]
fn a_walk_that_was_stopped_ends_with_the_same_files() {
    let scratch = Scratch::new("bytes");
    let set = [("cycles", "1")];
    let whole = scratch.walk(&set, None, 2.0).unwrap();
    assert!(whole.status == Status::Ok && whole.resume.is_none());
    let expected = scratch.write("whole", &set, &whole);
    for (until, from) in [(0.35, "run/resume.bin"), (0.8, "kept.resume")] {
        let part = scratch.walk(&set, None, until).unwrap();
        assert_eq!(part.status, Status::Partial);
        assert!(part.warnings[0].contains("stopped by the user"), "{:?}", part.warnings);
        assert!(part.simulated_s < whole.simulated_s && part.series[0].rows.len() > 8);
        let files = scratch.write("run", &set, &part);
        assert!(files.contains_key(RESUME));
        assert!(String::from_utf8_lossy(&files["summary.json"]).contains("\"partial\""));
        // what was kept while it went on is as good as what the folder has
        let end = scratch.walk(&set, Some(from), 2.0).unwrap();
        let files = scratch.write("run", &set, &end);
        assert_eq!(files.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (name, bytes) in &files {
            assert!(*bytes == expected[name], "{name} differs after a stop at {until}");
        }
    }
}

/// A walk goes on only as it was: other values, other studies, damaged files are refused with the reason.
#[test]
fn only_the_same_walk_goes_on() {
    let scratch = Scratch::new("refused");
    let set = [("cycles", "1"), ("bones", "none"), ("mass", "70")];
    let part = scratch.walk(&set, None, 0.5).unwrap();
    scratch.write("run", &set, &part);
    let saved = SavedWalk::load(&scratch.0.join("run/resume.bin")).unwrap();
    assert_eq!(saved.set(), pairs(&set));
    assert!(saved.steps() > 0 && saved.steps() < 2080);
    // the same value in other words is the same walk
    let same = [("mass", "70000 g"), ("bones", "none"), ("cycles", "1")];
    assert_eq!(scratch.walk(&same, Some("run/resume.bin"), 2.0).unwrap().status, Status::Ok);

    let refused = |set: &[(&str, &str)]| scratch.walk(set, Some("run/resume.bin"), 2.0).unwrap_err().to_string();
    let message = refused(&[("cycles", "1"), ("bones", "none"), ("mass", "71")]);
    assert!(message.contains("its `mass` is 70, not 71") && message.contains("--set"), "{message}");
    let mut bytes = fs::read(scratch.0.join("run/resume.bin")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(scratch.0.join("run/resume.bin"), &bytes).unwrap();
    assert!(refused(&set).contains("was modified"));
    fs::write(scratch.0.join("run/resume.bin"), &bytes[..100]).unwrap();
    assert!(refused(&set).contains("truncated"));

    let mut go_on = |_| true;
    let mut session = Session { from: Some(saved), ..Session::new(&mut go_on) };
    let other = run_text("pendulum.toml", builtin("pendulum").unwrap(), Path::new(""), &[], &mut session);
    assert!(other.unwrap_err().to_string().contains("only studies of walking"));
    // nothing to keep yet
    assert!(matches!(scratch.walk(&set, None, 0.0), Err(RunError::Stopped)));
}

/// A walk goes on where nothing can be kept on the way, and its end is the same; but it says so, once.
#[test]
fn who_cannot_be_continued_is_told() {
    let scratch = Scratch::new("unkept");
    let file = scratch.0.join("file");
    fs::write(&file, "in the way").unwrap();
    let set = pairs(&[("cycles", "1"), ("bones", "none")]);
    let walk = |keep: PathBuf| {
        let mut go_on = |_| true;
        let mut session = Session { keep: Some((keep, Duration::ZERO)), ..Session::new(&mut go_on) };
        run_text("walk.toml", builtin("walk").unwrap(), Path::new(""), &set, &mut session).unwrap()
    };
    let (kept, unkept) = (walk(scratch.0.join("kept.resume")), walk(file.join("kept.resume")));
    assert_eq!((unkept.status, &unkept.results), (Status::Ok, &kept.results));
    let told =
        |outcome: &Outcome| outcome.warnings.iter().filter(|w| w.contains("could not have been resumed")).count();
    assert_eq!((told(&kept), told(&unkept)), (0, 1), "{:?}", unkept.warnings);
}
