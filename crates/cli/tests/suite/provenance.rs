//! A change of one byte in any file that takes part changes the recorded inputs.

use crate::{Scratch, code, json, stderr};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// The inputs in the provenance that a command wrote below the folder: name and hash, sorted. `None` without one.
fn inputs(scratch: &Scratch) -> Option<Vec<(String, String)>> {
    let files = scratch.files();
    if let Some(body) = files.iter().find(|file| file.extension().is_some_and(|e| e == "flexbody")) {
        // a body holds the hash of its mesh itself
        let mesh = wolff_flexbody::FlexBodyFile::load(body).unwrap().mesh?;
        let hash = mesh.sha256.iter().map(|byte| format!("{byte:02x}")).collect();
        return Some(vec![(mesh.path, hash)]);
    }
    let file = files.into_iter().find(|file| file.ends_with("provenance.json"))?;
    let provenance: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    Some(listed(&provenance["inputs"]))
}

/// Names and hashes of a JSON list of inputs, sorted.
fn listed(inputs: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_string();
    let list = inputs.as_array().unwrap();
    let mut found: Vec<_> = list.iter().map(|input| (text(&input["name"]), text(&input["sha256"]))).collect();
    found.sort();
    found
}

fn sha256(path: &Path) -> String {
    Sha256::digest(fs::read(path).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A command with its files, each with a text that is replaced by another of the same length.
struct Case<'a> {
    files: &'a [(&'a str, &'a str, &'a str, &'a str)],
    command: &'a [&'a str],
}

impl Case<'_> {
    /// Runs the command with its files, one of which may be changed; what is recorded.
    fn run(&self, test: &str, changed: Option<usize>) -> Option<Vec<(String, String)>> {
        let scratch = Scratch::new(&format!("provenance-{test}"));
        for (i, (name, text, from, to)) in self.files.iter().enumerate() {
            let path = scratch.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            let text = if changed == Some(i) { text.replacen(from, to, 1) } else { text.to_string() };
            fs::write(path, text).unwrap();
        }
        let mut run = scratch.wolff(self.command);
        if code(&run) == 2 && stderr(&run).contains("--force") {
            run = scratch.wolff(&[self.command, &["--force"]].concat());
        }
        // a doubtful or failed result has a provenance too
        assert_ne!(code(&run), 2, "{}", stderr(&run));
        let found = match self.command.contains(&"--json") {
            true => listed(&json(&run)["inputs"]),
            false => inputs(&scratch)?,
        };
        for (name, ..) in self.files {
            let base = Path::new(name).file_name().unwrap().to_string_lossy().into_owned();
            let hash = sha256(&scratch.0.join(name));
            assert!(found.contains(&(base, hash)), "{test}: {name} is not among {found:?}");
        }
        Some(found)
    }

    fn every_file_counts(&self, test: &str) {
        let first = self.run(test, None);
        assert!(first.is_some(), "wolff {} records no inputs", self.command[0]);
        assert_eq!(first, self.run(test, None), "{test}: the same inputs are recorded in the same way");
        for (i, (name, text, from, to)) in self.files.iter().enumerate() {
            assert!(text.contains(from) && from.len() == to.len());
            assert_ne!(first, self.run(test, Some(i)), "{test}: a change of {name} is not recorded");
        }
    }
}

const ARM: &str = r#"<OpenSimDocument Version="40000"><Model name="arm"><gravity>0 -10 0</gravity>
<BodySet><objects><Body name="forearm"><mass>2</mass><mass_center>0.2 0 0</mass_center></Body></objects></BodySet>
<JointSet><objects><PinJoint name="elbow">
<socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/forearm</socket_child_frame>
<coordinates><Coordinate name="flexion"/></coordinates></PinJoint></objects></JointSet>
<ForceSet><objects>
<Thelen2003Muscle name="biceps"><max_isometric_force>500</max_isometric_force>
<optimal_fiber_length>0.1</optimal_fiber_length><tendon_slack_length>0.2</tendon_slack_length>
<GeometryPath><PathPointSet><objects>
<PathPoint name="a"><socket_parent_frame>/ground</socket_parent_frame><location>0 0.3 0</location></PathPoint>
<PathPoint name="b"><socket_parent_frame>/bodyset/forearm</socket_parent_frame><location>0.04 0 0</location></PathPoint>
</objects></PathPointSet></GeometryPath></Thelen2003Muscle></objects></ForceSet></Model></OpenSimDocument>"#;

const STILL: &str = "still\nendheader\ntime\tflexion\n0\t0\n0.1\t0\n0.2\t0\n0.3\t0\n0.4\t0\n0.5\t0\n0.6\t0\n0.7\t0\n";

const LOADS: &str = r#"<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects>
<ExternalForce name="hand"><applied_to_body>forearm</applied_to_body>
<force_expressed_in_body>ground</force_expressed_in_body><point_expressed_in_body>ground</point_expressed_in_body>
<force_identifier>f</force_identifier><point_identifier>p</point_identifier></ExternalForce></objects>
<datafile>measured/forces.mot</datafile></ExternalLoads></OpenSimDocument>"#;

const FORCES: &str =
    "forces\nendheader\ntime\tfx\tfy\tfz\tpx\tpy\tpz\n0\t0\t-1\t0\t0.3\t0\t0\n1\t0\t-1\t0\t0.3\t0\t0\n";

const RESERVES: &str = r#"<OpenSimDocument Version="40000"><ForceSet name="reserves"><objects>
<CoordinateActuator name="reserve"><coordinate>flexion</coordinate><optimal_force>1</optimal_force></CoordinateActuator>
</objects></ForceSet></OpenSimDocument>"#;

#[test]
fn of_inverse_dynamics() {
    let files = [
        ("arm.osim", ARM, "<mass>2", "<mass>3"),
        ("still.mot", STILL, "0.7\t0", "0.7\t1"),
        ("loads.xml", LOADS, "\"hand\"", "\"Hand\""),
        // named in the set-up of the loads only
        ("measured/forces.mot", FORCES, "0\t0\t-1", "0\t0\t-2"),
    ];
    let command = ["id", "--model", "arm.osim", "--motion", "still.mot", "--loads", "loads.xml", "--out", "out"];
    Case { files: &files, command: &command }.every_file_counts("id");
}

/// A set-up of a tool with its files, some of them in a folder in which they are found by their names.
fn set_up(tool: &str, name: &str, more: &str) -> String {
    format!(
        r#"<OpenSimDocument Version="40000"><{tool} name="{name}"><model_file>arm.osim</model_file>
<results_directory>out</results_directory><external_loads_file>C:\lab\loads.xml</external_loads_file>
<coordinates_file>still.mot</coordinates_file>{more}</{tool}></OpenSimDocument>"#
    )
}

#[test]
fn of_inverse_dynamics_by_a_set_up() {
    let setup = set_up("InverseDynamicsTool", "lift", "");
    let files = [
        ("setup.xml", setup.as_str(), "\"lift\"", "\"Lift\""),
        ("arm.osim", ARM, "<mass>2", "<mass>3"),
        ("still.mot", STILL, "0.7\t0", "0.7\t1"),
        ("lab/loads.xml", LOADS, "\"hand\"", "\"Hand\""),
        ("lab/measured/forces.mot", FORCES, "0\t0\t-1", "0\t0\t-2"),
    ];
    Case { files: &files, command: &["id", "setup.xml"] }.every_file_counts("id-setup");
}

#[test]
fn of_static_optimisation() {
    let files = [
        ("arm.osim", ARM, "<mass>2", "<mass>3"),
        ("still.mot", STILL, "0.7\t0", "0.7\t1"),
        ("reserves.xml", RESERVES, "_force>1", "_force>2"),
        ("loads.xml", LOADS, "\"hand\"", "\"Hand\""),
        ("measured/forces.mot", FORCES, "0\t0\t-1", "0\t0\t-2"),
    ];
    let inputs = ["so", "--model", "arm.osim", "--motion", "still.mot", "--loads", "loads.xml"];
    let command = [&inputs[..], &["--actuators", "reserves.xml", "--out", "out"]].concat();
    Case { files: &files, command: &command }.every_file_counts("so");
}

#[test]
fn of_static_optimisation_by_a_set_up() {
    let analysis = "<force_set_files>reserves.xml</force_set_files><AnalysisSet><objects>\
        <StaticOptimization name=\"StaticOptimization\"/></objects></AnalysisSet>";
    let setup = set_up("AnalyzeTool", "lift", analysis);
    let files = [
        ("setup.xml", setup.as_str(), "\"lift\"", "\"Lift\""),
        ("arm.osim", ARM, "<mass>2", "<mass>3"),
        ("still.mot", STILL, "0.7\t0", "0.7\t1"),
        ("reserves.xml", RESERVES, "_force>1", "_force>2"),
        ("lab/loads.xml", LOADS, "\"hand\"", "\"Hand\""),
        ("lab/measured/forces.mot", FORCES, "0\t0\t-1", "0\t0\t-2"),
    ];
    Case { files: &files, command: &["so", "setup.xml"] }.every_file_counts("so-setup");
}

#[test]
fn of_reactions_and_muscles() {
    let forces = "forces\nendheader\ntime\tbiceps\n0\t100\n1\t100\n";
    let activations = "activations\nendheader\ntime\tbiceps\n0\t0.1\n1\t0.1\n";
    for (command, option, table, from, to) in [
        ("reactions", "--forces", forces, "1\t100", "1\t101"),
        ("muscle", "--activations", activations, "1\t0.1", "1\t0.2"),
    ] {
        let files = [
            ("arm.osim", ARM, "<mass>2", "<mass>3"),
            ("still.mot", STILL, "0.7\t0", "0.7\t1"),
            ("table.sto", table, from, to),
        ];
        let words = [command, "--model", "arm.osim", "--motion", "still.mot", option, "table.sto", "--out", "out"];
        Case { files: &files, command: &words }.every_file_counts(command);
    }
}

const BLOCK: &str = r#"<OpenSimDocument Version="40000"><Model name="block">
<BodySet><objects><Body name="block"><mass>1</mass><inertia>1 1 1 0 0 0</inertia></Body></objects></BodySet>
<JointSet><objects><FreeJoint name="root"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/block</socket_child_frame>
<coordinates><Coordinate name="rx"/><Coordinate name="ry"/><Coordinate name="rz"/><Coordinate name="tx"/><Coordinate name="ty"/><Coordinate name="tz"/></coordinates>
</FreeJoint></objects></JointSet><MarkerSet><objects>
<Marker name="A"><socket_parent_frame>/bodyset/block</socket_parent_frame><location>0.2 0 0</location></Marker>
<Marker name="B"><socket_parent_frame>/bodyset/block</socket_parent_frame><location>0 0.3 0</location></Marker>
<Marker name="C"><socket_parent_frame>/bodyset/block</socket_parent_frame><location>0 0 0.4</location></Marker>
</objects></MarkerSet></Model></OpenSimDocument>"#;

const MARKERS: &str = "PathFileType\t4\t(X/Y/Z)\tturn.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\t\
OrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n100\t100\t3\t3\tm\t100\t1\t3\nFrame#\tTime\tA\t\t\tB\t\t\tC\t\t\n\t\tX1\tY1\t\
Z1\tX2\tY2\tZ2\tX3\tY3\tZ3\n\n1\t0\t0.2\t0\t0\t0\t0.3\t0\t0\t0\t0.4\n2\t0.01\t0.2\t0\t0\t0\t0.3\t0\t0\t0\t0.4\n3\t0.02\t0.2\t0\t0\
\t0\t0.3\t0\t0\t0\t0.4\n";

const TASKS: &str = r#"<OpenSimDocument Version="40000"><IKTaskSet name="tasks"><objects>
<IKMarkerTask name="A"><weight>1</weight></IKMarkerTask><IKMarkerTask name="B"><weight>2</weight></IKMarkerTask>
<IKMarkerTask name="C"><weight>1</weight></IKMarkerTask></objects></IKTaskSet></OpenSimDocument>"#;

#[test]
fn of_inverse_kinematics() {
    let files = [
        ("block.osim", BLOCK, "<mass>1", "<mass>2"),
        ("turn.trc", MARKERS, "3\t0.02\t0.2", "3\t0.02\t0.3"),
        ("tasks.xml", TASKS, "<weight>2", "<weight>3"),
    ];
    let command = ["ik", "--model", "block.osim", "--markers", "turn.trc", "--tasks", "tasks.xml", "--out", "out"];
    Case { files: &files, command: &command }.every_file_counts("ik");
}

const KNEE: &str = r#"<OpenSimDocument Version="40000"><Model name="m">
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
<Smith2018ContactMesh name="bottom"><socket_frame>/bodyset/b</socket_frame><mesh_file>low.obj</mesh_file></Smith2018ContactMesh>
</objects></ContactGeometrySet></Model></OpenSimDocument>"#;

#[test]
fn of_contact() {
    let top = "v 0 -1e-2 -1e-2\nv 0 1e-2 -1e-2\nv 0 1e-2 1e-2\nv 0 -1e-2 1e-2\nf 1 3 2\nf 1 4 3\n";
    let low = "v 0 -5e-3 -5e-3\nv 0 5e-3 -5e-3\nv 0 5e-3 5e-3\nv 0 -5e-3 5e-3\nf 1 2 3\nf 1 3 4\n";
    let states = "s\nendheader\ntime\t/jointset/rail/way/value\n0\t1e-4\n1\t-2e-4\n";
    let files = [
        ("m.osim", KNEE, "<mass>1", "<mass>2"),
        ("states.sto", states, "-2e-4", "-3e-4"),
        // named in the model only, found in a folder of meshes
        ("meshes/top.obj", top, "-1e-2 -1e-2", "-2e-2 -1e-2"),
        ("meshes/low.obj", low, "-5e-3 -5e-3", "-6e-3 -5e-3"),
    ];
    let command = ["contact", "m.osim", "--states", "states.sto", "--geometry", "meshes", "--out", "out"];
    Case { files: &files, command: &command }.every_file_counts("contact");
}

const SOLID: &str = "*NODE\n1, 0, 0, 0\n2, 0.01, 0, 0\n3, 0, 0.01, 0\n4, 0, 0, 0.01\n5, 0.01, 0.01, 0.01\n\
    *ELEMENT, TYPE=C3D4, ELSET=all\n1, 1, 2, 3, 4\n2, 2, 3, 4, 5\n";

#[test]
fn of_modes() {
    let files = [("solid.inp", SOLID, "5, 0.01", "5, 0.02")];
    let command = ["modes", "solid.inp", "--free", "--count", "1", "--out", "out.flexbody"];
    Case { files: &files, command: &command }.every_file_counts("modes");
}

/// The mesh is named in the recipe only.
#[test]
fn of_modes_of_a_recipe() {
    let recipe = "kind = \"mesh\"\npath = \"solid.inp\"\naxis = [0, 0, 1]\nfixed_modes = 1\n";
    let files = [("bone.toml", recipe, "modes = 1", "modes = 2"), ("solid.inp", SOLID, "5, 0.01", "5, 0.02")];
    let command = ["modes", "bone.toml", "--free", "--json"];
    Case { files: &files, command: &command }.every_file_counts("modes-recipe");
}

#[test]
fn of_a_mesh() {
    let files = [("solid.inp", SOLID, "5, 0.01", "5, 0.02")];
    Case { files: &files, command: &["mesh", "info", "solid.inp", "--json"] }.every_file_counts("mesh");
}

/// A study with a file, which is also given by an absolute path: it is recorded once.
#[test]
fn of_a_study_with_an_outline() {
    let scratch = Scratch::new("provenance-study");
    assert_eq!(code(&scratch.wolff(&["new", "pendulum", "."])), 0);
    let run = scratch.wolff(&["run", "study.toml", "--out", "out"]);
    assert_eq!(code(&run), 0, "{}", stderr(&run));
    let found = inputs(&scratch).unwrap();
    assert_eq!(found, [("study.toml".to_string(), sha256(&scratch.0.join("study.toml")))]);
}

/// A measured walk: the model, the markers, the loads, and the forces that only the set-up of the loads names.
#[test]
fn of_a_measured_walk() {
    let names =
        ["subject_walk_scaled.osim", "markers_walk.trc", "grf_walk.xml", "grf_walk.mot", "electromyography.sto"];
    let Some(folder) = wolff_testdata::shared("data/rajagopal-walk") else { return };
    let recorded = |change: Option<&str>| {
        let scratch = Scratch::new("provenance-walk");
        let copies: Vec<PathBuf> = names.iter().map(|name| scratch.0.join(name)).collect();
        for (name, copy) in names.iter().zip(&copies) {
            let mut bytes = fs::read(folder.join(name)).unwrap();
            if change == Some(name) {
                // the last digit of a measured force
                let digit = bytes.iter().rposition(u8::is_ascii_digit).unwrap();
                bytes[digit] = if bytes[digit] == b'1' { b'2' } else { b'1' };
            }
            fs::write(copy, bytes).unwrap();
        }
        let set = [
            "model=subject_walk_scaled.osim",
            "markers=markers_walk.trc",
            "forces=grf_walk.xml",
            "emg=electromyography.sto",
            "bones=none",
            "cycles=1",
        ];
        let mut command = vec!["run", "walk", "--quiet", "--out", "out"];
        set.iter().for_each(|value| command.extend(["--set", value]));
        let run = scratch.wolff(&command);
        assert_ne!(code(&run), 2, "{}", stderr(&run));
        let found = inputs(&scratch).unwrap();
        for (name, copy) in names.iter().zip(&copies) {
            assert!(found.contains(&(name.to_string(), sha256(copy))), "{name} is not among {found:?}");
        }
        assert_eq!(found.len(), names.len() + 1, "each file once, and the study: {found:?}");
        found
    };
    assert_ne!(recorded(None), recorded(Some("grf_walk.mot")));
}
