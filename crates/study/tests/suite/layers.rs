//! Layers and grids of foundations in files of contact pairs: local thickness, element surfaces.

use std::path::{Path, PathBuf};
use wolff_contact::foundation::PatchResult;
use wolff_spatial::{Motion, Pose, Vec3};
use wolff_study::document::read_pairs;

/// A ball of 30 mm over a plate with a layer; `{...}` are replaced.
const BALL: &str = r#"
{parameters}
[[foundation]]
name = "ball"
fixed = "plate"
moving = "ball"
surface = { kind = "{moving}"{size}{file} }
compartments = [{ name = "plate", surface = { kind = "plane" }, grid = [20, 20], {ranges}, {thickness} }]
young = "463 MPa"
poisson = 0.46
distance = "ray"
along = "fixed-normal"
{layer}
"#;

const RANGES: &str = "x = [-0.006, 0.006], z = [-0.006, 0.006]";

/// The text with the usual values where `changes` has no other ones.
fn text(changes: &[(&str, &str)]) -> String {
    let usual = [
        ("parameters", ""),
        ("moving", "sphere"),
        ("file", ""),
        ("size", ", radius = \"30 mm\""),
        ("ranges", RANGES),
        ("thickness", "thickness = \"8 mm\""),
        ("layer", ""),
    ];
    let value = |name: &str, default| changes.iter().find(|(n, _)| *n == name).map_or(default, |(_, v)| *v);
    usual
        .iter()
        .fold(BALL.to_string(), |text, (name, default)| text.replace(&format!("{{{name}}}"), value(name, *default)))
}

fn evaluate(folder: &Path, changes: &[(&str, &str)], pose: Vec3) -> PatchResult {
    let pairs = read_pairs("pair.toml", &text(changes), folder).unwrap_or_else(|e| panic!("{changes:?}: {e}"));
    let pair = &pairs[0].pair;
    pair.evaluate(&mut pair.memory(), &Pose::translation(pose), &Motion::ZERO).expect("finite").total
}

fn refusal(folder: &Path, changes: &[(&str, &str)]) -> String {
    read_pairs("pair.toml", &text(changes), folder).expect_err(&format!("{changes:?}")).to_string()
}

/// A folder that is removed again.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("wolff-layers-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const PRESSED: Vec3 = Vec3::new(0.0, 0.0298, 0.0);

fn near(got: f64, want: f64, relative: f64, what: &str) {
    assert!((got / want - 1.0).abs() < relative, "{what}: {got} is not {want}");
}

/// The default grid written out as `on`, and a cylinder below whose rays leave it upwards.
#[test]
fn grids_on_other_element_surfaces_carry_the_same() {
    let folder = Folder::new("grids");
    let usual = evaluate(&folder.0, &[], PRESSED);
    let plane = r#"on = { kind = "plane", normal = [0, 1, 0], along = [0, 0, 1], first = [-0.006, 0.006], second = [-0.006, 0.006] }"#;
    let same = evaluate(&folder.0, &[("ranges", plane)], PRESSED);
    assert_eq!(usual.normal_force, same.normal_force);
    let cylinder = r#"on = { kind = "cylinder", origin = [0, "-40 mm", 0], axis = [1, 0, 0], start = [0, 1, 0], radius = "10 mm", first = ["-10 deg", "10 deg"], second = [-0.006, 0.006] }"#;
    let on_cylinder = evaluate(&folder.0, &[("ranges", cylinder)], PRESSED);
    near(on_cylinder.normal_force, usual.normal_force, 1e-4, "cylinder");
    let sphere = r#"on = { kind = "sphere", centre = [0, "-40 mm", 0], towards = [0, 1, 0], along = [0, 0, 1], radius = "10 mm", first = ["-10 deg", "10 deg"], second = ["-10 deg", "10 deg"] }"#;
    let on_sphere = evaluate(&folder.0, &[("ranges", sphere)], PRESSED);
    near(on_sphere.normal_force, usual.normal_force, 1e-4, "sphere");
    let said = refusal(&folder.0, &[("ranges", &sphere.replace("\"10 mm\"", "\"-1 mm\""))]);
    assert!(said.contains("radius"), "{said}");
    let said = refusal(&folder.0, &[("ranges", &plane.replace("first = [-0.006", "first = [0.016"))]);
    assert!(said.contains("[low, high]"), "{said}");
    // rays that end before the plate
    let said = refusal(&folder.0, &[("ranges", &cylinder.replace("first", "reach = \"1 mm\", first"))]);
    assert!(said.contains("compartment `plate`"), "{said}");
}

/// A map of a wedge, a wedge down to a surface, and a flat map beside a number.
#[test]
fn maps_and_backs_are_the_layers_that_they_describe() {
    let folder = Folder::new("maps");
    folder.write("even.csv", "z,x,thickness\n-0.01,-0.01,0.008\n-0.01,0.01,0.008\n0.01,-0.01,0.008\n0.01,0.01,0.008\n");
    let usual = evaluate(&folder.0, &[], PRESSED);
    let mapped = evaluate(&folder.0, &[("thickness", "thickness = { map = \"even.csv\" }")], PRESSED);
    near(mapped.normal_force, usual.normal_force, 1e-12, "even map");
    // thicker along x by 0.2 per length: as the plane behind
    folder
        .write("wedge.csv", "z,x,thickness\n0.01,-0.01,0.006\n-0.01,-0.01,0.006\n-0.01,0.01,0.010\n0.01,0.01,0.010\n");
    folder.write(
        "behind.obj",
        "v -0.05 0.002 -0.05\nv -0.05 0.002 0.05\nv 0.05 -0.018 0.05\nv 0.05 -0.018 -0.05\nf 1 2 3\nf 1 3 4\n",
    );
    let parameters = "[parameters]\nbone = { value = \"behind.obj\", file = \"surface\", about = \"bone\" }\n";
    let wedge = evaluate(&folder.0, &[("thickness", "thickness = { map = \"wedge.csv\" }")], PRESSED);
    let back = "thickness = \"1 m\", back = \"bone\"";
    let behind = evaluate(&folder.0, &[("parameters", parameters), ("thickness", back)], PRESSED);
    near(behind.normal_force, wedge.normal_force, 1e-9, "force over a wedge");
    near(behind.peak_pressure, wedge.peak_pressure, 1e-9, "peak over a wedge");
    // (δ - x²/2R)/(h + s x) is largest at x = -s R δ/h, by s² R δ/(2 h²)
    near(wedge.peak_pressure / usual.peak_pressure, 1.0 + 0.04 * 0.03 * 0.0002 / (2.0 * 0.008 * 0.008), 1e-4, "peak");
    assert!(wedge.on_moving.n.z < 0.0, "the thin side carries more");
    // where the parameter names nothing, the number holds
    let none = parameters.replace("behind.obj", "");
    let number =
        evaluate(&folder.0, &[("parameters", &none), ("thickness", "thickness = \"8 mm\", back = \"bone\"")], PRESSED);
    assert_eq!(number.normal_force, usual.normal_force);
    // nowhere thinner than the least
    let least = "thickness = \"1 m\", back = \"bone\", least_thickness = \"20 mm\"";
    let thick = evaluate(&folder.0, &[("parameters", parameters), ("thickness", least)], PRESSED);
    near(thick.peak_pressure, usual.peak_pressure * 8.0 / 20.0, 1e-6, "least thickness");
    let said = refusal(&folder.0, &[("thickness", "thickness = { map = \"none.csv\" }")]);
    assert!(said.contains("cannot read `none.csv`"), "{said}");
    folder.write("uneven.csv", "z,x,thickness\n0,0,0.008\n0,1,0.008\n1,0,0.008\n");
    let said = refusal(&folder.0, &[("thickness", "thickness = { map = \"uneven.csv\" }")]);
    assert!(said.contains("one point for each pair"), "{said}");
    folder.write("wrong.csv", "u,v,thickness\n0,0,0.008\n");
    let said = refusal(&folder.0, &[("thickness", "thickness = { map = \"wrong.csv\" }")]);
    assert!(said.contains("z, x and thickness"), "{said}");
}

/// A plate that faces down on a ball as the fixed body's layer is rigid nowhere: its own layer is down to the back, or
/// from a map that only NURBS surfaces can have.
#[test]
fn the_moving_layer_is_measured_too() {
    let folder = Folder::new("moving");
    // seen from below, counter-clockwise
    let plate = |y: f64, flip: bool| {
        let faces = if flip { "f 1 3 2\nf 1 4 3\n" } else { "f 1 2 3\nf 1 3 4\n" };
        format!("v -0.05 {y} -0.05\nv 0.05 {y} -0.05\nv 0.05 {y} 0.05\nv -0.05 {y} 0.05\n{faces}")
    };
    folder.write("plate.obj", &plate(0.0, false));
    folder.write("bone.obj", &plate(0.004, false));
    let parameters = "[parameters]\nplate = { value = \"plate.obj\", file = \"surface\", about = \"plate\" }\nbone = { value = \"bone.obj\", file = \"surface\", about = \"bone\" }\n";
    let base = [
        ("parameters", parameters),
        ("moving", "plane"),
        ("size", ""),
        ("file", ", file = \"plate\", articular = \"whole\", normals = \"facet\""),
    ];
    let with =
        |layer: &str| evaluate(&folder.0, &[&base[..], &[("layer", layer)]].concat(), Vec3::new(0.0, -1e-4, 0.0));
    let (rigid, number, back) = (with(""), with("layer = \"4 mm\""), with("layer_back = \"bone\""));
    near(rigid.normal_force / number.normal_force, 12.0 / 8.0, 1e-12, "layers add");
    near(back.normal_force, number.normal_force, 1e-12, "the way to the back");
    let least = with("layer_back = \"bone\"\nleast_layer = \"16 mm\"");
    near(rigid.normal_force / least.normal_force, 24.0 / 8.0, 1e-12, "least layer");
    folder.write("map.csv", "u,v,thickness\n0,0,0.004\n0,1,0.004\n1,0,0.004\n1,1,0.004\n");
    let said = refusal(&folder.0, &[&base[..], &[("layer", "layer = { map = \"map.csv\" }")]].concat());
    assert!(said.contains("NURBS"), "{said}");
}
