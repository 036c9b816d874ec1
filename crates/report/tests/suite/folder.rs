use serde_json::{Map, Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use wolff_formats::{csv, sto};
use wolff_report::folder::{Provenance, check_run_folder, write_run_folder};
use wolff_report::json::Timing;
use wolff_report::outcome::{InputFile, Outcome, Plot, Series, SeriesFormat};

const TIMING: Timing = Timing { cpu_s: 0.25, wall_s: 0.5, simulated_s: 0.1, parts_cpu_s: Vec::new() };
const TEXT: &str = "study = \"test\"\n[integrator]\nrtol = 1e-9\n";

/// A place for one run folder, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("folder-{test}"));
        let _ = fs::remove_dir_all(&path);
        Self(path)
    }

    fn write(&self, outcome: &Outcome) {
        write_run_folder(&self.0, outcome, &provenance(), &TIMING).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn provenance() -> Provenance {
    Provenance::new("some/where/test.toml", TEXT, &[("integrator.rtol".into(), "1e-6".into())])
}

fn series(name: &str, first: &str) -> Series {
    let rows = vec![vec![0.0, 0.1], vec![0.1, -2.5e-7]];
    Series { name: name.into(), columns: vec![first.into(), "flexion [deg]".into()], rows }
}

fn outcome(series: Vec<Series>) -> Outcome {
    let curve = ("flexion".to_string(), vec![(0.0, 0.1), (0.1, 0.2)]);
    let plot = Plot {
        name: "motion".into(),
        title: "Motion".into(),
        x_label: "time [s]".into(),
        y_label: "angle [deg]".into(),
        curves: vec![curve],
        log_y: false,
        bands: Vec::new(),
    };
    Outcome {
        study: "test".into(),
        results: Map::from_iter([("peak".to_string(), json!(0.1))]),
        series,
        plots: vec![plot],
        simulated_s: 0.1,
        ..Outcome::default()
    }
}

#[test]
fn every_series_and_picture_becomes_files_that_read_back() {
    let scratch = Scratch::new("files");
    let outcome = outcome(vec![series("motion", "time")]);
    scratch.write(&outcome);
    assert_eq!(scratch.names(), ["motion.sto", "motion.svg", "provenance.json", "report.html", "summary.json"]);
    let storage = sto::read(&scratch.read("motion.sto")).unwrap();
    assert_eq!(storage.table.rows(), outcome.series[0].rows);
    assert!(storage.in_degrees);
    assert!(scratch.read("motion.svg").starts_with(b"<svg"));
}

/// Long series are written once; the other format, or both, on request.
#[test]
fn a_series_is_written_in_the_format_asked_for() {
    let scratch = Scratch::new("formats");
    let mut outcome = outcome(vec![series("motion", "time")]);
    let has = |name: &str| scratch.0.join(name).is_file();
    for (format, sto, csv) in
        [(SeriesFormat::Sto, true, false), (SeriesFormat::Csv, false, true), (SeriesFormat::Both, true, true)]
    {
        outcome.series_format = format;
        scratch.write(&outcome);
        assert_eq!((has("motion.sto"), has("motion.csv")), (sto, csv), "{format:?}");
    }
    assert_eq!(csv::read(&scratch.read("motion.csv")).unwrap().rows(), outcome.series[0].rows);
}

#[test]
fn provenance_tells_everything_but_the_machine() {
    let scratch = Scratch::new("provenance");
    scratch.write(&outcome(Vec::new()));
    let text = scratch.read("provenance.json");
    let provenance: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(provenance["program"], "wolff");
    assert_eq!(provenance["study_file"], "test.toml");
    // printf 'study = "test"\n[integrator]\nrtol = 1e-9\n' | sha256sum
    let hash = "ab9ff422864ec336b703e85b6211220868a2896c7d58bade014155bfa1025357";
    assert_eq!(provenance["inputs"], json!([{ "name": "test.toml", "sha256": hash }]));
    assert_eq!(provenance["settings"]["integrator"]["rtol"], 1e-9);
    assert_eq!(provenance["overrides"], json!({ "integrator.rtol": "1e-6" }));
    assert!(!String::from_utf8(text).unwrap().contains("some/where"));
}

#[test]
fn tables_are_among_the_inputs_without_their_folder() {
    let scratch = Scratch::new("tables");
    let input =
        InputFile { parameter: "motion".into(), name: "walk.sto".into(), sha256: "00ff".into(), remarks: Vec::new() };
    let outcome = Outcome { inputs: vec![input], ..outcome(Vec::new()) };
    let set = [("motion".to_string(), "some/where/walk.sto".to_string())];
    write_run_folder(&scratch.0, &outcome, &Provenance::new("test.toml", TEXT, &set), &TIMING).unwrap();
    let provenance: Value = serde_json::from_slice(&scratch.read("provenance.json")).unwrap();
    assert_eq!(provenance["inputs"][0]["name"], "test.toml");
    assert_eq!(provenance["inputs"][1], json!({ "name": "walk.sto", "sha256": "00ff" }));
    assert_eq!(provenance["overrides"], json!({ "motion": "walk.sto" }));
}

#[test]
fn the_same_outcome_gives_the_same_bytes() {
    let (a, b) = (Scratch::new("same-a"), Scratch::new("same-b"));
    let outcome = outcome(vec![series("motion", "time")]);
    a.write(&outcome);
    b.write(&outcome);
    for name in a.names() {
        assert_eq!(a.read(&name), b.read(&name), "{name}");
    }
}

#[test]
fn odd_and_equal_names_become_safe_and_distinct() {
    let scratch = Scratch::new("names");
    scratch.write(&outcome(vec![
        series("../knee left", "time"),
        series("a", "time"),
        series("A", "time"),
        series("", "time"),
    ]));
    let names = scratch.names();
    for name in ["___knee_left.sto", "a.sto", "A-2.sto", "unnamed.sto"] {
        assert!(names.iter().any(|n| n == name), "{name} missing in {names:?}");
    }
}

#[test]
fn a_table_over_something_else_than_time_is_csv_only() {
    let scratch = Scratch::new("sweep");
    scratch.write(&outcome(vec![series("sweep", "stiffness [N/m]")]));
    assert!(scratch.names().contains(&"sweep.csv".to_string()));
    assert!(!scratch.names().contains(&"sweep.sto".to_string()));
}

#[test]
fn a_run_folder_is_replaced_unless_something_was_added() {
    let scratch = Scratch::new("replace");
    scratch.write(&outcome(vec![series("old", "time")]));
    scratch.write(&outcome(vec![series("new", "time")]));
    assert!(!scratch.names().contains(&"old.sto".to_string()));

    fs::write(scratch.0.join("notes.md"), "mine").unwrap();
    let error = check_run_folder(&scratch.0).unwrap_err();
    assert!(error.to_string().contains("`notes.md`"), "{error}");
}

#[test]
fn a_provenance_file_of_another_program_protects_its_folder() {
    let scratch = Scratch::new("foreign");
    fs::create_dir_all(&scratch.0).unwrap();
    fs::write(scratch.0.join("provenance.json"), "{\"program\": \"other\", \"files\": [\"provenance.json\"]}").unwrap();
    assert!(check_run_folder(&scratch.0).is_err());
}
