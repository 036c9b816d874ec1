//! Set-ups from other computers: their files are found by name, and what was found is told.

use std::path::{Path, PathBuf};
use wolff_opensim::setup::{self, Setup, SetupFile};
use wolff_verdict::Severity;

/// An empty folder of this name with some empty files.
fn folder(name: &str, files: &[&str]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("set-ups").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for file in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
    folder
}

fn read(folder: &Path, markers: &str) -> Result<SetupFile, String> {
    std::fs::create_dir_all(folder).unwrap();
    let text = format!(
        "<OpenSimDocument Version=\"40000\"><InverseKinematicsTool name=\"a\">\n<marker_file>{markers}</marker_file>\
         </InverseKinematicsTool></OpenSimDocument>"
    );
    let file = folder.join("setup.xml");
    std::fs::write(&file, text).unwrap();
    setup::read_file(&file).map_err(|e| e.to_string())
}

/// The path used for markers, and the findings.
fn markers(folder: &Path, written: &str) -> (PathBuf, Vec<wolff_verdict::Finding>) {
    let file = read(folder, written).unwrap();
    let Setup::InverseKinematics(tool) = file.setup else { panic!() };
    (tool.marker_file.unwrap(), file.findings)
}

#[test]
fn a_file_where_the_set_up_says_needs_no_word() {
    let lab = folder("right", &["data/walk.trc", "walk.trc"]);
    let (path, findings) = markers(&lab, "data\\walk.trc");
    assert!(path.ends_with("data/walk.trc") && findings.is_empty(), "{path:?} {findings:?}");
}

#[test]
fn a_path_of_windows_leads_to_the_file_beside_the_set_up() {
    let lab = folder("windows", &["walk.trc", "sub/walk.trc"]);
    for written in ["H:/OpenSim/lab/walk.trc", r"C:\Users\me\walk.trc", r"\\server\lab\walk.trc", "/lab/me/walk.trc"] {
        let (path, findings) = markers(&lab, written);
        assert_eq!(path, lab.join("walk.trc"), "{written}");
        assert!(findings.len() == 1 && findings[0].severity == Severity::Note, "{findings:?}");
        let message = &findings[0].message;
        assert!(message.contains(written) && message.contains("beside the set-up is used"), "{message}");
    }
}

/// Capital letters do not matter where only one file is meant.
#[test]
fn capital_letters_may_differ() {
    let lab = folder("capitals", &["Walk.TRC"]);
    assert_eq!(markers(&lab, "H:/walk.trc").0, lab.join("Walk.TRC"));
    let lab = folder("capitals-elsewhere", &["marks/Walk.trc"]);
    assert!(markers(&lab, "H:/walk.trc").0.ends_with("marks/Walk.trc"));
}

/// A file in another folder is used with a warning: it could be another subject's.
#[test]
fn a_file_in_a_neighbouring_folder_is_a_warning() {
    let lab = folder("neighbour", &["raw/walk.trc", "setups/other.trc"]);
    let (path, findings) = markers(&lab.join("setups"), "D:/study/raw/walk.trc");
    assert!(path.ends_with("raw/walk.trc") && path.is_file(), "{path:?}");
    assert!(findings[0].severity == Severity::Warning && findings[0].remedy.contains("this subject"), "{findings:?}");
}

/// Two files of that name: the folders of the written path decide, otherwise it is an error that lists both.
#[test]
fn two_files_of_one_name() {
    let lab = folder("two", &["a/walk.trc", "b/walk.trc", "setups/x"]);
    let (path, _) = markers(&lab.join("setups"), "H:/study/b/walk.trc");
    assert!(path.ends_with("b/walk.trc"), "{path:?}");
    let lab = folder("two-below", &["a/walk.trc", "b/walk.trc", "x"]);
    let error = read(&lab, "H:/study/c/walk.trc").unwrap_err();
    assert!(error.contains("line 2") && error.contains("<marker_file>") && error.contains("several files"), "{error}");
    assert!(error.contains("a/walk.trc") && error.contains("b/walk.trc"), "{error}");
}

/// The folder of another subject has a file of the same name.
#[test]
fn a_file_of_another_subject_is_not_used() {
    let lab = folder("subjects", &["subject01/x", "subject02/walk.trc"]);
    for written in ["walk.trc", "H:/study/subject01/walk.trc"] {
        let (path, findings) = markers(&lab.join("subject01"), written);
        assert!(!path.is_file(), "{path:?}");
        assert!(findings[0].message.contains("another subject"), "{findings:?}");
    }
}

#[test]
fn a_file_that_is_nowhere_is_told() {
    let lab = folder("nowhere", &["setups/x"]);
    let (path, findings) = markers(&lab.join("setups"), "H:/study/walk-of-nobody.trc");
    assert_eq!(path, Path::new("H:/study/walk-of-nobody.trc"));
    assert!(findings[0].message.contains("there is no `walk-of-nobody.trc`"), "{findings:?}");
    assert!(findings[0].remedy.contains("by an option"), "{findings:?}");
}

/// Results do not go to a folder called `H:`.
#[test]
fn results_of_another_system_go_beside_the_set_up() {
    let lab = folder("results", &["x"]);
    let text = "<RRATool name=\"a\"><results_directory>H:\\OpenSim\\ResultsRRA</results_directory>\
                <output_model_file>adjusted.osim</output_model_file></RRATool>";
    let file = setup::read(text.as_bytes(), &lab).unwrap();
    let Setup::ResidualReduction(tool) = file.setup else { panic!() };
    assert_eq!(tool.results_directory, Some(lab.join("ResultsRRA")));
    assert_eq!(tool.output_model_file, Some(lab.join("adjusted.osim")));
    assert!(file.findings.len() == 1 && file.findings[0].message.contains("another system"), "{:?}", file.findings);
}

/// The forces of an `ExternalLoads` file from another computer are found, and the recording says so.
#[test]
fn forces_of_external_loads_are_found() {
    let Some(source) = crate::data::shared("rajagopal-walk") else { return };
    let lab = folder("loads", &["x"]);
    std::fs::copy(source.join("grf_walk.mot"), lab.join("grf_walk.mot")).unwrap();
    let text = std::fs::read_to_string(source.join("grf_walk.xml")).unwrap();
    let file = lab.join("grf.xml");
    std::fs::write(&file, text.replace("<datafile>", "<datafile>H:/OpenSim/Subject07/")).unwrap();
    let forces = wolff_opensim::read_recording(&file, None).unwrap().forces.unwrap();
    assert_eq!(forces.plates().len(), 2);
    assert!(forces.remarks().iter().any(|r| r.contains("H:/OpenSim/Subject07/grf_walk.mot")), "{:?}", forces.remarks());
}

#[test]
fn a_set_up_with_many_attributes_is_refused_at_once() {
    let attributes: String = (0..200_000).map(|i| format!(" a{i}=\"\"")).collect();
    let error = setup::read(format!("<ScaleTool{attributes}/>").as_bytes(), Path::new("")).unwrap_err().to_string();
    assert!(error.contains("200000 attributes"), "{error}");
}
