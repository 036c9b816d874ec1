//! Pressures of given poses: a ball on a layer with a known answer, and a real knee against the record of another
//! program.

use std::path::{Path, PathBuf};
use wolff_analyses::contact_poses::{
    ArticularSide, Chosen, ContactPosesError, Difference, Evaluation, MeshFiles, Method, PosedModel, StateColumns,
    articular_contacts, compare, evaluate_poses, pair_contacts,
};
use wolff_formats::sto::{self, Storage};
use wolff_formats::{Table, osim};
use wolff_multibody::Model;
use wolff_spatial::Vec3;
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

/// A ball of radius R pressed by δ into a layer: F = π k δ² (3R - δ)/(3h), p = k δ/h, wherever it stands and however it
/// is turned.
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
    assert!(empty.contains("no pose is selected"), "{empty}");
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

/// Vertices in single precision, 0.05 m from the origin, are off by up to 3e-9 m: times 6.32e9 Pa/m [Pa].
const PRESSURE: f64 = 20.0;
/// The same over the largest contact area, 3.2e-4 m² [N].
const FORCE: f64 = 6.4e-3;
/// The same 3 cm from the origin [N m].
const MOMENT: f64 = 2e-4;
/// Records have eight decimals.
const RECORD: f64 = 5.01e-9;

fn shared(path: &str) -> Option<PathBuf> {
    wolff_testdata::shared(&format!("data/knee-lenhart/{path}"))
}

/// A model of the knee with its cartilages at one of four densities.
fn knee(density: &str, method: &Method) -> Option<PosedModel> {
    let model = osim::read(&std::fs::read(shared("model/lenhart2015.osim")?).unwrap()).unwrap();
    let replaced = match density {
        // the model's own tibia and patella
        "full" => vec![("femur_cartilage".into(), "femur-cartilage-full.obj".into())],
        _ => {
            let file = |bone: &str| (format!("{bone}_cartilage"), format!("{bone}-cartilage-{density}.stl").into());
            ["femur", "tibia", "patella"].map(file).to_vec()
        }
    };
    let files = MeshFiles { folders: vec![shared("mesh")?], replaced, sides: Vec::new() };
    let contacts = articular_contacts(&model, &files, method, None).unwrap();
    Some(PosedModel::new(&model, contacts).unwrap())
}

/// Every 50th instant of a simulation, with the pressures of all, and the record of its forces.
fn simulation(posed: &PosedModel, trial: &str) -> Option<(Evaluation, Table)> {
    let folder = format!("examples/{trial}/results/forsim/{trial}");
    let path = shared(&format!("{folder}_states.sto"))?;
    let read = |path: &Path| sto::read(&std::fs::read(path).unwrap()).unwrap();
    let (states, forces) = (read(&path), read(&shared(&format!("{folder}_ForceReporter_forces.sto"))?));
    let rows: Vec<usize> = (0..states.table.rows().len()).step_by(50).collect();
    let maps = (0..rows.len()).collect();
    Some((posed.evaluate(&states, &path, &Chosen { rows, maps }).unwrap(), forces.table))
}

fn worst(found: &[Difference], quantity: &str) -> f64 {
    found.iter().find(|d| d.quantity == quantity).unwrap_or_else(|| panic!("no {quantity}")).worst
}

/// Rays from the centres of the triangles of tibia and patella, as OpenSim JAM casts them: its record comes back to the
/// rounding of the vertices. In the last instant of the flexion one patellar triangle of 0.2 mm², whose nearest femoral
/// point is on the rim, carries nothing here and 0.43 N there.
#[test]
fn casting_gives_the_record_of_a_knee() {
    let Some(posed) = knee("full", &Method::CASTING) else { return };
    for trial in ["passive_flexion", "anterior_laxity"] {
        let Some((evaluation, record)) = simulation(&posed, trial) else { return };
        let found = compare(&evaluation.table, &record);
        for contact in ["tf_contact", "pf_contact"] {
            let rim = if (trial, contact) == ("passive_flexion", "pf_contact") { 1.0 } else { 0.0 };
            let of = |quantity: &str| worst(&found, &format!("{contact}.casting.total.{quantity}"));
            for axis in ["x", "y", "z"] {
                assert!(of(&format!("contact_force_{axis}")) < FORCE + 0.5 * rim, "{trial} {contact} {axis}");
                assert!(of(&format!("contact_moment_{axis}")) < MOMENT + 5e-3 * rim, "{trial} {contact} {axis}");
            }
            assert!(of("max_pressure") < PRESSURE, "{trial} {contact}: {}", of("max_pressure"));
            assert!(of("contact_area") < RECORD + 3e-7 * rim, "{trial} {contact}: {}", of("contact_area"));
            assert!(of("center_of_pressure") < 4.0 * RECORD + 1e-5 * rim, "{trial} {contact}");
        }
        recorded_means(&posed, &evaluation, &record);
    }
}

/// The recorded mean pressure is that over triangles, whatever their areas.
fn recorded_means(posed: &PosedModel, evaluation: &Evaluation, record: &Table) {
    let recorded = record.column("tf_contact.casting.total.mean_pressure").unwrap();
    for map in evaluation.maps.iter().filter(|map| posed.contacts()[map.contact].name == "tf_contact") {
        let touching: Vec<f64> = map.pressures.iter().copied().filter(|p| *p > 0.0).collect();
        let mean = touching.iter().sum::<f64>() / touching.len() as f64;
        assert!((mean - recorded[map.row]).abs() < PRESSURE, "{mean} {}", recorded[map.row]);
    }
}

/// Integrated, with smooth normals and strained along their bisector, a knee carries a little less than by rays along
/// the casting normals, which measure too deep where the surfaces are not parallel: mean differences within 1.5 % of
/// the largest recorded value, of the largest pressure, which no centre of a triangle hits, within 3 %. The 46
/// ligaments without wrap objects agree to the record.
#[test]
fn default_method_is_near_the_record() {
    let Some(posed) = knee("full", &Method::default()) else { return };
    assert_eq!((posed.ligaments().len(), posed.wrapping.len()), (76, 30));
    for trial in ["passive_flexion", "anterior_laxity"] {
        let Some((evaluation, record)) = simulation(&posed, trial) else { return };
        let found = compare(&evaluation.table, &record);
        for (quantity, bound) in
            [("contact_force", 0.015), ("contact_area", 0.015), ("mean_pressure", 0.015), ("max_pressure", 0.03)]
        {
            for contact in ["tf_contact", "pf_contact"] {
                let name = format!("{contact}.casting.total.{quantity}");
                let relative = found.iter().find(|d| d.quantity == name).unwrap().relative_mean().unwrap();
                println!("{trial} {name}: {:+.2} %", 100.0 * relative);
                assert!(relative.abs() < bound, "{trial} {name}: {relative}");
            }
        }
        let straight = posed.ligaments().iter().map(|l| l.name());
        for name in straight.filter(|name| !posed.wrapping.iter().any(|w| w == name)) {
            for quantity in ["length", "strain", "force_spring", "force_damping", "force_total"] {
                assert!(worst(&found, &format!("{name}.{quantity}")) < RECORD, "{trial} {name}.{quantity}");
            }
        }
    }
}

/// Four densities of the same cartilages: each finer one halves the distance to the finest at least.
#[test]
fn finer_meshes_converge() {
    let mut forces = Vec::new();
    for density in ["wicked-coarse", "coarse", "medium", "full"] {
        let Some(posed) = knee(density, &Method::default()) else { return };
        let Some((evaluation, _)) = simulation(&posed, "passive_flexion") else { return };
        let last = evaluation.table.rows().last().unwrap();
        let at = |name: &str| last[evaluation.table.labels().iter().position(|l| l == name).unwrap()];
        let size = |contact: &str| {
            ["x", "y", "z"]
                .map(|a| at(&format!("{contact}.casting.total.contact_force_{a}")))
                .iter()
                .map(|f| f * f)
                .sum::<f64>()
                .sqrt()
        };
        let of = |contact: &str| [size(contact), at(&format!("{contact}.casting.total.contact_area"))];
        forces.push([of("tf_contact"), of("pf_contact")].concat());
        println!("{density}: {:?}, {:.1} ms per pose", forces.last().unwrap(), 1e3 * evaluation.seconds / 6.0);
    }
    for k in 0..4 {
        let from_finest: Vec<f64> = forces[..3].iter().map(|f| (f[k] - forces[3][k]).abs()).collect();
        assert!(from_finest.windows(2).all(|w| w[1] < 0.5 * w[0]), "{k}: {from_finest:?}");
    }
}

/// Cartilages made closed, 2.5 mm thick: the sides that see each other touch, and forces are those of the open sheets.
/// What is said to touch from behind does not.
#[test]
fn closed_cartilages_press_as_open_ones() {
    let Some(mesh_folder) = shared("mesh") else { return };
    let Some(open) = knee("coarse", &Method::default()) else { return };
    let Some((of_open, _)) = simulation(&open, "passive_flexion") else { return };
    let folder = std::env::temp_dir().join(format!("wolff-closed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let closed = ["femur", "tibia", "patella"].map(|bone| {
        let name = format!("{bone}-cartilage-coarse.stl");
        let bytes = std::fs::read(mesh_folder.join(&name)).unwrap();
        let sheet = wolff_meshes::surface::read(&name, &bytes).unwrap().mesh;
        let solid = wolff_meshes::surface::write(&name, &sheet.thickened(0.0025).unwrap()).unwrap();
        std::fs::write(folder.join(&name), solid).unwrap();
        (format!("{bone}_cartilage"), folder.join(&name))
    });
    let model = osim::read(&std::fs::read(shared("model/lenhart2015.osim").unwrap()).unwrap()).unwrap();
    let contacts = |sides: Vec<(String, ArticularSide)>| {
        let files = MeshFiles { folders: Vec::new(), replaced: closed.to_vec(), sides };
        articular_contacts(&model, &files, &Method::default(), None)
    };
    let posed = PosedModel::new(&model, contacts(Vec::new()).unwrap()).unwrap();
    let (of_closed, _) = simulation(&posed, "passive_flexion").unwrap();
    for contact in ["tf_contact", "pf_contact"] {
        let name = format!("{contact}.casting.total.contact_force_y");
        let [a, b] = [&of_open, &of_closed].map(|e| e.table.column(&name).unwrap());
        let largest = a.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
        println!("{name}: open {a:?}, closed {b:?}");
        assert!(largest > 10.0 && a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 0.01 * largest), "{a:?} {b:?}");
    }
    let remarks: Vec<&String> = posed.contacts().iter().flat_map(|c| &c.remarks).collect();
    assert!(remarks.iter().filter(|r| r.contains("closed shell of 2.")).count() >= 4, "{remarks:?}");
    let downwards = ("tibia_cartilage".to_string(), ArticularSide::Towards(-Vec3::y()));
    let behind = PosedModel::new(&model, contacts(vec![downwards]).unwrap()).unwrap();
    assert!(behind.contacts()[0].remarks[0].contains("-1.00") || behind.contacts()[0].remarks[0].contains("-0.9"));
    let unknown = contacts(vec![("tibia".into(), ArticularSide::Whole)]).unwrap_err().to_string();
    assert!(unknown.contains("--articular tibia") && unknown.contains("tibia_cartilage"), "{unknown}");
    std::fs::remove_dir_all(&folder).unwrap();
}
