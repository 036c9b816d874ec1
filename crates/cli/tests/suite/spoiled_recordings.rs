//! Recordings whose mistakes are found beside the model, the forces or the options.

use crate::{Scratch, code, stderr, stdout};
use std::fs;
use std::path::{Path, PathBuf};
use wolff_formats::trial::{LengthUnit, Marker, MarkerTrial};
use wolff_formats::{sto, trc};

/// A recorded walk; nothing where the data are not there.
struct Walk {
    scratch: Scratch,
    data: PathBuf,
    trial: MarkerTrial,
}

impl Walk {
    fn new(test: &str) -> Option<Self> {
        let data = wolff_testdata::shared("data/addbiomechanics-walk/subject01/processed")?;
        let trial = trc::read(&fs::read(data.join("walk2.trc")).unwrap()).unwrap();
        Some(Walk { scratch: Scratch::new(test), data, trial })
    }

    fn path(&self, name: &str) -> String {
        self.data.join(name).display().to_string()
    }

    fn model(&self) -> String {
        self.path("optimized_scale_and_markers.osim")
    }

    /// Exit code and all text of a command, on one line.
    fn run(&self, arguments: &[&str]) -> (i32, String) {
        let run = self.scratch.wolff(arguments);
        let text = format!("{} {}", stderr(&run), stdout(&run));
        (code(&run), text.replace('│', " ").split_whitespace().collect::<Vec<_>>().join(" "))
    }

    #[track_caller]
    fn gives(&self, arguments: &[&str], wanted: i32, words: &str) {
        let (code, text) = self.run(arguments);
        assert!(code == wanted && text.contains(words), "{arguments:?}: {wanted} `{words}`: {code} {text}");
    }

    fn write(&self, trial: &MarkerTrial) {
        fs::write(self.scratch.0.join("walk.trc"), trc::write(trial, LengthUnit::Millimetre).unwrap()).unwrap();
    }

    /// A model with changed text.
    fn changed_model(&self, change: impl Fn(String) -> String) {
        let text = fs::read_to_string(self.model()).unwrap();
        fs::write(self.scratch.0.join("model.osim"), change(text)).unwrap();
    }

    /// A force file with changed numbers.
    fn changed_forces(&self, change: impl Fn(&str, f64) -> f64) {
        let mut storage = sto::read(&fs::read(self.data.join("walk2_grf.mot")).unwrap()).unwrap();
        let labels = storage.table.labels().to_vec();
        let row = |row: &Vec<f64>| row.iter().zip(&labels).map(|(x, label)| change(label, *x)).collect();
        storage.table =
            wolff_formats::Table::new(labels.clone(), storage.table.rows().iter().map(row).collect()).unwrap();
        storage.name = "grf".into();
        fs::write(self.scratch.0.join("grf.mot"), sto::write(&storage).unwrap()).unwrap();
    }
}

/// Markers that are exchanged with their neighbours in the whole trial do not jump; the model tells their places.
#[test]
fn exchanged_neighbours_are_found_by_the_model() {
    let Some(walk) = Walk::new("recordings-neighbours") else { return };
    let (model, markers) = (walk.model(), walk.path("walk2.trc"));
    walk.gives(&["check", &model, &markers], 0, "check: ok");
    for [a, b] in [["LTH1", "LTH2"], ["RTB1", "RTB2"], ["RASI", "RPSI"]] {
        let names = [(a.to_string(), b.to_string()), (b.to_string(), a.to_string())];
        walk.write(&walk.trial.clone().renamed(&names).unwrap());
        let words = format!("`{a}` and `{b}` seem to be exchanged");
        walk.gives(&["check", &model, "walk.trc"], 3, &words);
        // the remedy is as it says
        let renamed = [format!("{a}={b}"), format!("{b}={a}")];
        walk.gives(&["check", &model, "walk.trc", "--rename", &renamed[0], "--rename", &renamed[1]], 0, "check: ok");
    }
}

/// A turn that was given by mistake; the axes of the remedy are those of the laboratory.
#[test]
fn axes_that_were_given_are_part_of_the_remedy() {
    let Some(walk) = Walk::new("recordings-axes") else { return };
    let markers = walk.path("walk2.trc");
    walk.gives(&["check", &markers, "--axes", "x,z"], 2, "leave out --axes");
    let up = |p: [f64; 3]| [p[0], -p[2], p[1]];
    let turned = |m: &Marker| Marker { name: m.name.clone(), points: m.points.iter().map(|p| p.map(up)).collect() };
    walk.write(&walk.trial.clone().with_markers(walk.trial.markers().iter().map(turned).collect()).unwrap());
    walk.gives(&["ik", "--model", &walk.model(), "--markers", "walk.trc", "--axes", "y,z"], 0, "(--axes x,z)");
    walk.gives(&["check", "walk.trc", "--axes", "x,z"], 0, "check: ok");
}

/// What other commands refuse in a model or a motion, `check` refuses too.
#[test]
fn models_and_motions_are_checked() {
    let Some(walk) = Walk::new("recordings-models") else { return };
    let (model, motion) = (walk.model(), walk.path("walk2_ik.mot"));
    walk.gives(&["check", &model, &motion], 0, "motion: ");
    walk.gives(&["check", &motion], 0, "check: ok");
    let text = fs::read_to_string(&motion).unwrap();
    fs::write(walk.scratch.0.join("ik.mot"), text.replacen("inDegrees=no", "inDegrees=yes", 1)).unwrap();
    walk.gives(&["check", "ik.mot"], 3, "they are radians");
    walk.gives(&["check", &model, "ik.mot"], 2, "as radians these are");
    walk.changed_model(|text| text.replace("<optimal_fiber_length>", "<optimal_fiber_length>9"));
    walk.gives(&["check", "model.osim"], 2, "optimal fibre length");
    walk.gives(&["check", &walk.path("walk2.trc"), &walk.path("walk2.trc")], 2, "the second file with markers");
}

#[test]
fn forces_are_checked_beside_the_feet() {
    let Some(walk) = Walk::new("recordings-forces") else { return };
    let markers = walk.path("walk2.trc");
    let sound = walk.path("walk2_grf.mot");
    walk.gives(&["check", &markers, &sound, "--mass", "72.84", "--stature", "1.808"], 0, "check: ok");
    walk.changed_forces(|label, x| if label.contains("calcn_l") { 0.0 } else { x });
    walk.gives(&["check", &markers, "grf.mot"], 3, "the left foot stands on the floor");
    walk.changed_forces(|label, x| if label.ends_with("vy") { x.min(600.0) } else { x });
    walk.gives(&["check", &markers, "grf.mot"], 3, "is exactly 600.0 N");
    walk.gives(&["check", &markers, "--stature", "1.2"], 2, "as those of a person of 1.");
}

/// Tables are checked before they are converted, and the unit of angles is not invented.
#[test]
fn tables_are_checked_before_they_are_converted() {
    let Some(walk) = Walk::new("recordings-tables") else { return };
    let table = |name: &str, text: &str| fs::write(walk.scratch.0.join(name), text).unwrap();
    table("twice.csv", "time,x\n0,1\n0.1,2\n0.1,3\n0.2,4\n");
    walk.gives(&["convert", "twice.csv", "out.sto"], 2, "delete the repeated rows");
    walk.gives(&["convert", "twice.csv", "out.sto", "--force"], 3, "convert: doubtful");
    table("back.csv", "time,x\n0.2,1\n0.1,2\n0,3\n");
    walk.gives(&["convert", "back.csv", "out.sto"], 2, "reverse the order of the rows");
    table("labels.csv", "time,x,x\n0,1,1\n0.1,2,2\n");
    walk.gives(&["convert", "labels.csv", "out.sto"], 0, "belong to several columns");
    let header = "m\ninDegrees=yes\nendheader\ntime\tknee_angle_r\n0\t10\n1\t40\n";
    table("knee.mot", header);
    walk.gives(&["convert", "knee.mot", "knee.csv"], 0, "angles are in degrees");
    walk.gives(&["convert", "knee.csv", "back.mot"], 0, "give --in-degrees yes or --in-degrees no");
    walk.gives(&["convert", "knee.csv", "back.mot", "--in-degrees", "yes"], 0, "convert: ok");
    assert!(fs::read_to_string(walk.scratch.0.join("back.mot")).unwrap().contains("inDegrees=yes"));
    let degrees = fs::read_to_string(walk.path("walk2_ik.mot")).unwrap().replacen("inDegrees=no", "inDegrees=yes", 1);
    table("ik.mot", &degrees);
    walk.gives(&["convert", "ik.mot", "ik.sto"], 0, "they are radians");
    walk.changed_forces(|label, x| if label.contains("_v") { 1e-3 * x } else { x });
    walk.gives(&["convert", "grf.mot", "out.mot"], 0, "no plate is loaded");
}

/// Tasks without a marker to track, and a file that a set-up names but that is not there.
#[test]
fn tasks_and_set_ups_of_ik() {
    let Some(walk) = Walk::new("recordings-tasks") else { return };
    let tasks = r#"<OpenSimDocument Version="40000"><IKTaskSet><objects>
        <IKMarkerTask name="RASI"><apply>false</apply><weight>1</weight></IKMarkerTask></objects></IKTaskSet></OpenSimDocument>"#;
    fs::write(walk.scratch.0.join("tasks.xml"), tasks).unwrap();
    let (model, markers) = (walk.model(), walk.path("walk2.trc"));
    walk.gives(
        &["ik", "--model", &model, "--markers", &markers, "--tasks", "tasks.xml"],
        2,
        "no task of a marker applies",
    );
    let setup = r#"<OpenSimDocument Version="40000"><InverseKinematicsTool name="t"><model_file>gone.osim</model_file>
        <marker_file>gone.trc</marker_file></InverseKinematicsTool></OpenSimDocument>"#;
    fs::write(walk.scratch.0.join("ik.xml"), setup).unwrap();
    walk.gives(&["ik", "ik.xml"], 2, "which the set-up `ik.xml` names, does not exist");
    let lock = |text: String| {
        let knee = text.find("<Coordinate name=\"knee_angle_r\">").unwrap();
        let (before, after) = text.split_at(knee);
        format!("{before}{}", after.replacen("<locked>false</locked>", "<locked>true</locked>", 1))
    };
    walk.changed_model(lock);
    walk.gives(&["ik", "--model", "model.osim", "--markers", &markers, "--time", "3.4:3.5"], 3, "locked in the model");
    assert!(
        walk.run(&["ik", "--model", "model.osim", "--markers", &markers, "--time", "4:3.5"]).1.contains("4 s is after")
    );
}

/// The files that scaling writes are beside the model that `--out-model` names.
#[test]
fn scaling_checks_the_person_and_the_times() {
    let Some(data) = wolff_testdata::shared("data/opensim-models/gait2392_thelen2003muscle.osim") else { return };
    let scratch = Scratch::new("recordings-scale");
    let model = data.display().to_string();
    let person = |mass: &str, stature: &str| {
        let run = scratch.wolff(&[
            "scale",
            &model,
            "--mass",
            mass,
            "--stature",
            stature,
            "--sex",
            "male",
            "--out-model",
            "out.osim",
        ]);
        (code(&run), stderr(&run))
    };
    let (refused, text) = person("35", "1.95");
    assert!(refused == 2 && text.contains("body mass index of 9"), "{refused} {text}");
    assert!(!Path::new(&scratch.0).join("out.osim").exists());
    assert_eq!(person("75", "1.8").0, 0);
}
