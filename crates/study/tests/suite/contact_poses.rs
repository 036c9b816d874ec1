//! Pressures of given poses: a ball on a layer with a known answer, and a real knee against the record of another program.

use std::path::{Path, PathBuf};
use wolff_formats::sto::{self, Storage};
use wolff_formats::{Table, osim};
use wolff_multibody::Model;
use wolff_study::contact_poses::{
    Chosen, ContactPosesError, Difference, Evaluation, MeshFiles, Method, PosedModel, StateColumns, articular_contacts,
    compare, evaluate_poses, pair_contacts,
};
use wolff_study::document::read_pairs;

const BALL: &str = r#"
[[foundation]]
name = "ball"
fixed = "plate"
moving = "ball"
surface = { kind = "sphere", radius = "30 mm" }
compartments = [{ name = "plate", surface = { kind = "plane" }, grid = [20, 20], x = ["-6 mm", "6 mm"], z = ["-6 mm", "6 mm"], thickness = "8 mm" }]
young = "463 MPa"
poisson = 0.46
distance = "ray"
along = "fixed-normal"
"#;

fn storage(text: &str) -> Storage {
    sto::read(text.as_bytes()).unwrap()
}

fn ball_at(poses: &str) -> Result<Evaluation, ContactPosesError> {
    let contacts = pair_contacts(read_pairs("pair.toml", BALL, Path::new("")).unwrap(), None)?;
    let poses = storage(poses);
    let rows = (0..poses.table.rows().len()).collect();
    evaluate_poses(&contacts, &poses, Path::new("poses.sto"), &Chosen { rows, maps: vec![0] })
}

/// A ball of radius R pressed by δ into a layer: F = π k δ² (3R - δ)/(3h), p = k δ/h, wherever it stands and however it is turned.
#[test]
fn ball_on_a_layer() {
    let found = ball_at(
        "poses\ninDegrees=yes\nendheader\ntime tx ty rx rz\n0 0 0.031 0 0\n1 0 0.0298 0 0\n2 0.001 0.0298 90 45\n",
    )
    .unwrap();
    let column = |what: &str| found.table.column(&format!("ball.casting.total.{what}")).unwrap();
    let force = column("contact_force_y");
    // six elements across the contact leave 3e-5 of it
    const FORCE: f64 = 1006.484;
    assert_eq!(force[0], 0.0);
    assert!(force[1..].iter().all(|f| (f / FORCE + 1.0).abs() < 1e-4), "{force:?}");
    let k = 463e6 * 0.54 / (1.46 * 0.08);
    assert!(column("max_pressure")[1..].iter().all(|p| (p / (k * 2e-4 / 8e-3) - 1.0).abs() < 1e-3));
    let centre = column("center_of_pressure_x");
    assert!(centre[1].abs() < 1e-9 && (centre[2] - 1e-3).abs() < 1e-5, "{centre:?}");
    assert_eq!(found.maps.len(), 1);
    assert!(found.remarks[0].contains("tz, ry are zero"), "{:?}", found.remarks);
}

#[test]
fn poses_that_are_none() {
    let without = ball_at("poses\nendheader\ntime x\n0 1\n").unwrap_err().to_string();
    assert!(without.contains("tx, ty, tz, rx, ry, rz"), "{without}");
    let nan = ball_at("poses\nendheader\ntime tx\n0 nan\n").unwrap_err().to_string();
    assert!(nan.contains("row 0") && nan.contains("not finite"), "{nan}");
    let empty = ball_at("poses\nendheader\ntime tx\n").unwrap_err().to_string();
    assert!(empty.contains("no pose is chosen"), "{empty}");
    let mistakes = read_pairs("pair.toml", &BALL.replace("young", "yuong"), Path::new("")).unwrap_err().to_string();
    assert!(mistakes.contains("yuong"), "{mistakes}");
}

/// A pendulum on a slider, by the labels of both generations of files.
#[test]
fn state_columns() {
    const MODEL: &[u8] = br#"<OpenSimDocument Version="40000"><Model name="m">
        <BodySet><objects><Body name="cart"><mass>1</mass></Body><Body name="bob"><mass>2</mass></Body></objects></BodySet>
        <JointSet><objects>
        <SliderJoint name="rail"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/cart</socket_child_frame>
            <coordinates><Coordinate name="way"><default_value>0.25</default_value></Coordinate></coordinates></SliderJoint>
        <PinJoint name="hinge"><socket_parent_frame>/bodyset/cart</socket_parent_frame><socket_child_frame>/bodyset/bob</socket_child_frame>
            <coordinates><Coordinate name="angle"/></coordinates></PinJoint>
        </objects></JointSet></Model></OpenSimDocument>"#;
    let converted = wolff_opensim::convert(&osim::read(MODEL).unwrap()).unwrap();
    let model = Model::build(&converted.spec).unwrap();
    let state = |text: &str| {
        let states = storage(text);
        let columns = StateColumns::new(&model, &states);
        (columns.state(&model, &states.table.rows()[0]), columns.unset)
    };
    let four = "s\nendheader\ntime /jointset/hinge/angle/value /jointset/hinge/angle/speed /jointset/rail/way/value /forceset/m/activation\n0 0.5 2 3 9\n";
    assert_eq!(state(four), ((vec![3.0, 0.5], vec![0.0, 2.0]), vec![]));
    let three = "s\ninDegrees=yes\nendheader\ntime angle angle_u\n0 180 90\n";
    let ((q, v), unset) = state(three);
    let half = std::f64::consts::PI;
    assert!(q[0] == 0.25 && (q[1] - half).abs() < 1e-15 && (v[1] - half / 2.0).abs() < 1e-15, "{q:?} {v:?}");
    assert_eq!(unset, ["way"]);
    let degrees = "s\ninDegrees=yes\nendheader\ntime way\n0 0.125\n";
    assert_eq!(state(degrees).0.0[0], 0.125, "a length is not in degrees");
}

/// Rows are matched by time; a force is compared by its size, a centre by its distance.
#[test]
fn differences() {
    let labels = [
        "time",
        "c.contact_force_x",
        "c.contact_force_y",
        "c.contact_force_z",
        "c.center_x",
        "c.center_y",
        "c.center_z",
    ];
    let table = |rows: &[[f64; 7]]| {
        Table::new(labels.map(String::from).to_vec(), rows.iter().map(|r| r.to_vec()).collect()).unwrap()
    };
    let computed = table(&[[0.1, 3.0, 4.0, 0.0, 1.0, 0.0, 0.0], [0.3, 0.0, 0.0, 6.0, 0.0, 2.0, 0.0]]);
    let recorded = table(&[
        [0.0, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0],
        [0.1 + 1e-9, 0.0, 0.0, 4.0, 1.0, 0.0, 3.0],
        [0.2, 9.0, 9.0, 9.0, 9.0, 9.0, 9.0],
        [0.3, 0.0, 0.0, 8.0, 0.0, 2.0, 0.0],
    ]);
    let found = compare(&computed, &recorded);
    let of = |name: &str| found.iter().find(|d| d.quantity == name).unwrap().clone();
    let force = of("c.contact_force");
    // 5 against 4, 6 against 8
    assert_eq!((force.mean, force.worst, force.range, force.count), (-0.5, 2.0, (4.0, 8.0), 2));
    assert!((force.rms - 2.5f64.sqrt()).abs() < 1e-15);
    assert_eq!((of("c.center").mean, of("c.center").worst), (1.5, 3.0));
    assert_eq!(of("c.contact_force_z").mean, -3.0);
    let later = table(&[[7.0; 7]]);
    assert_eq!(compare(&computed, &later), Vec::<Difference>::new());
}
