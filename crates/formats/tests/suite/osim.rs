//! OpenSim models: both generations of the format, what files in the wild get wrong, and never a panic.

use proptest::prelude::*;
use std::path::PathBuf;
use wolff_formats::FormatError;
use wolff_formats::osim::*;

/// A model of version 4 with one of nearly everything.
const NEW: &str = include_str!("osim_version4.xml");

/// The same generation of things before version 4.
const OLD: &str = include_str!("osim_version3.xml");

fn shared(path: &str) -> Option<PathBuf> {
    wolff_testdata::shared(&format!("data/{path}"))
}

/// All files of that name ending, in order.
fn files(ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = shared("").into_iter().collect();
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn syntax_error(text: &str) -> (usize, String) {
    match read(text.as_bytes()) {
        Err(FormatError::Syntax { line, message, .. }) => (line, message),
        other => panic!("expected a syntax error, got {other:?}"),
    }
}

fn force<'a>(model: &'a OsimModel, name: &str) -> &'a OsimForceKind {
    &model.forces.iter().find(|f| f.name == name).unwrap_or_else(|| panic!("no force {name}")).kind
}

#[test]
fn version_4_frames_bodies_and_joints() {
    let model = read(NEW.as_bytes()).unwrap();
    assert_eq!((model.name.as_str(), model.version, model.gravity), ("leg", 40000, [0.0, -9.8, 0.0]));
    let [femur, tibia] = &model.bodies[..] else { panic!("two bodies") };
    assert_eq!(
        (femur.mass, femur.mass_center, femur.inertia),
        (8.0, [0.0, -0.2, 0.0], [0.1, 0.02, 0.1, 0.0, 0.001, 0.0])
    );
    assert_eq!(femur.attached.geometry[0].file, "femur.vtp");
    assert_eq!(femur.attached.frames[0].name, "condyles");
    assert_eq!(femur.attached.frames[0].attached.frames[0].parent, "..");
    assert_eq!(femur.attached.wraps[0].shape, OsimWrapShape::Cylinder { radius: 0.03, length: 0.1 });
    assert_eq!(tibia.attached, OsimAttached::default());
    let [hip, knee] = &model.joints[..] else { panic!("two joints") };
    assert_eq!((&hip.kind, hip.coordinates.len()), (&OsimJointKind::Ball, 3));
    assert_eq!(knee.frames[0].orientation, [0.1, 0.2, 0.3]);
    let angle = &knee.coordinates[0];
    assert_eq!(
        (angle.default_value, angle.range, angle.clamped, angle.locked),
        (0.5, [-2.0, f64::INFINITY], true, true)
    );
    let OsimJointKind::Custom(axes) = &knee.kind else { panic!("a custom joint") };
    assert_eq!(axes[0].axis, [0.0, 0.0, 1.0]);
    assert_eq!(axes[0].function, Some(OsimFunction::Linear { slopes: vec![1.0], intercept: 0.0 }));
    let spline = OsimPoints { x: vec![0.0, 1.0, 2.0], y: vec![0.0, 0.1, 0.3] };
    let scaled = OsimFunction::Multiplier { scale: 2.0, function: Box::new(OsimFunction::SimmSpline(spline)) };
    assert_eq!(axes[3].function, Some(scaled));
    assert_eq!(axes[4].function, Some(OsimFunction::Polynomial(vec![3.0, 2.0, 1.0])), "by rising power");
    // axes that the file leaves out stand still
    assert_eq!((&axes[5].function, axes[5].coordinates.len()), (&Some(OsimFunction::Constant(0.0)), 0));
    assert_eq!(model.markers[0].frame, "/bodyset/tibia");
}

#[test]
fn version_4_forces_and_contacts() {
    let model = read(NEW.as_bytes()).unwrap();
    let OsimForceKind::Muscle(muscle) = force(&model, "vastus") else { panic!("a muscle") };
    assert_eq!((muscle.max_isometric_force, muscle.pennation_angle), (1500.0, 0.1));
    assert_eq!(muscle.optimal_fiber_length, 0.07, "from the defaults of the file");
    assert_eq!(muscle.tendon_slack_length, 0.2, "from the defaults of the class");
    assert_eq!(muscle.parameter("fiber_damping"), Some(0.05));
    assert_eq!(muscle.parameter("activation_time_constant"), Some(0.012), "from the defaults of the file");
    assert_eq!(muscle.curves[0].class, "ActiveForceLengthCurve");
    assert_eq!(muscle.curves[0].parameters, [("min_norm_active_fiber_length".to_string(), 0.45)]);
    let kinds: Vec<_> = muscle.path.points.iter().map(|p| &p.kind).collect();
    assert_eq!(kinds[0], &OsimPointKind::Fixed);
    assert!(matches!(kinds[1], OsimPointKind::Conditional { range: [-1.0, 1.0], .. }));
    let OsimPointKind::Moving(axes) = kinds[2] else { panic!("a moving point") };
    assert_eq!(axes[1].function, Some(OsimFunction::Constant(0.02)));
    assert_eq!(muscle.path.wraps[0].wrap_object, "patella_groove");

    let OsimForceKind::Blankevoort(acl) = force(&model, "acl") else { panic!("a ligament") };
    assert_eq!((acl.linear_stiffness, acl.transition_strain, acl.slack_length), (2000.0, 0.06, 0.03));
    assert!(matches!(force(&model, "knee_spring"), OsimForceKind::SpringGeneralized { viscosity: 0.5, .. }));
    let OsimForceKind::Contact(OsimContactForce::HuntCrossley(pairs)) = force(&model, "heel") else {
        panic!("contact")
    };
    assert_eq!(pairs.materials[0].geometry, ["floor", "ball"]);
    assert_eq!(pairs.materials[0].friction, [0.8, 0.7, 0.1]);
    assert!(matches!(
        force(&model, "cartilage"),
        OsimForceKind::Contact(OsimContactForce::Smith2018 { lumped: true, .. })
    ));
    assert!(!model.forces.iter().find(|f| f.name == "motor").unwrap().enabled);
    let OsimContactShape::Smith2018Mesh(layer) = &model.contact_geometry[1].shape else { panic!("a layer") };
    assert_eq!((layer.elastic_modulus, layer.thickness), (1e7, 0.003));
    assert!(matches!(model.constraints[0].kind, OsimConstraintKind::CoordinateCoupler { scale: 1.5, .. }));
}

#[test]
fn what_is_not_understood_is_listed() {
    let model = read(NEW.as_bytes()).unwrap();
    let listed: Vec<_> = model.unsupported.iter().map(|u| (u.element.as_str(), u.object.as_str())).collect();
    assert_eq!(listed, [("ExoticForce", "odd"), ("viscosity", "knee_spring"), ("PrescribedController", "brain")]);
    // `ExoticForce` is where it says
    let line = NEW.lines().nth(model.unsupported[0].line - 1).unwrap();
    assert!(line.contains("<ExoticForce"), "{line}");
}

#[test]
fn before_version_4_places_become_frames() {
    let model = read(OLD.as_bytes()).unwrap();
    assert_eq!(model.unsupported, []);
    assert_eq!(model.bodies.len(), 1, "ground is no body");
    assert_eq!(model.ground.geometry[0].file, "floor.vtp");
    assert_eq!(model.bodies[0].inertia, [1.0, 2.0, 3.0, 0.1, 0.2, 0.3]);
    assert_eq!(model.bodies[0].attached.geometry[0].scale, [2.0, 3.0, 4.0]);
    let joint = &model.joints[0];
    assert_eq!(
        (joint.name.as_str(), joint.parent.as_str(), joint.child.as_str()),
        ("pinjoint", "ground_offset", "thigh_offset")
    );
    assert_eq!(joint.frames[0].translation, [0.1, 0.2, 0.3]);
    assert_eq!(joint.frames[1].orientation, [0.0, 0.5, 0.0]);
    let OsimForceKind::Muscle(muscle) = force(&model, "glut") else { panic!("a muscle") };
    assert_eq!((muscle.pennation_angle, muscle.max_contraction_velocity, muscle.enabled), (0.2, 9.0, false));
    assert_eq!(muscle.path.points[0].frame, "thigh");
    let OsimConstraintKind::Point([a, b]) = &model.constraints[0].kind else { panic!("a point constraint") };
    assert_eq!((a.frame.as_str(), b.location), ("ground", [0.0, 1.0, 0.0]));
}

#[test]
fn files_in_the_wild_are_forgiven() {
    let text = OLD.replace("name=\"old\"", "name=\"Smith & Jones &lt;old&gt;\"");
    let model = read(text.as_bytes()).unwrap();
    assert_eq!(model.name, "Smith & Jones <old>");
    assert!(model.remarks[0].contains("`&`"), "{:?}", model.remarks);
    let mut bytes = OLD.replace("name=\"old\"", "name=\"XX\"").into_bytes();
    let at = bytes.windows(2).position(|w| w == b"XX").unwrap();
    bytes[at] = 0x96;
    let model = read(&bytes).unwrap();
    assert!(model.remarks[0].contains("Latin-1"));
    assert_eq!(model.bodies.len(), 1);
}

#[test]
fn errors_have_line_and_remedy() {
    let (line, message) = syntax_error(&OLD.replace("<mass>5</mass>", "<mass>five</mass>"));
    assert!(OLD.lines().nth(line - 1).unwrap().contains("<mass>5</mass>"));
    assert_eq!(message, "mass of Body `thigh`: `five` is not a number; give numbers with blanks between them");
    let (_, message) = syntax_error(&OLD.replace("<mass>5</mass>", "<mass>inf</mass>"));
    assert!(message.contains("infinite"), "{message}");
    let (_, message) = syntax_error(&OLD.replace("<mass>5</mass>", "<mass>NaN</mass>"));
    assert!(message.contains("not a number"), "{message}");
    let (_, message) = syntax_error(&OLD.replace("<location>0 0 0</location>", "<location>0 0</location>"));
    assert!(message.contains("2 numbers; give 3"), "{message}");
    let (_, message) = syntax_error(&OLD.replace("<reverse>false</reverse>", "<reverse>maybe</reverse>"));
    assert!(message.contains("give true or false"), "{message}");
    let (line, message) = syntax_error("<OpenSimDocument Version=\"30000\">\n<Model>\n</OpenSimDocument>");
    assert!(line == 3 && message.contains("not well-formed"), "{line} {message}");
    assert!(syntax_error("<a Version=\"1\"/>").1.contains("no `Model`"));
    assert!(syntax_error("<a><Model/></a>").1.contains("no version"));
    let deep = format!("<a Version=\"1\">{}{}</a>", "<b>".repeat(100_000), "</b>".repeat(100_000));
    assert!(syntax_error(&deep).1.contains("nested deeper"));
}

/// Every model of the shared data is read; what is not understood is known.
#[test]
fn all_shared_models_are_read() {
    let mut unknown = std::collections::BTreeSet::new();
    for path in files(".osim") {
        let model = read(&std::fs::read(&path).unwrap()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        assert_eq!(model.bodies.len(), model.joints.len(), "{}", path.display());
        unknown.extend(model.unsupported.into_iter().map(|u| u.element));
    }
    // of moving points before version 2
    assert!(unknown.iter().all(|u| u == "scale_factors"), "{unknown:?}");
}

/// A few bytes of a text replaced, doubled or taken away.
fn mutate(text: &[u8], edits: &[(prop::sample::Index, u8, u8)]) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for (at, what, byte) in edits {
        let at = at.index(bytes.len());
        match what % 4 {
            0 => bytes[at] = *byte,
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, *byte),
            _ => {
                let end = (at + usize::from(*byte)).min(bytes.len());
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes
}

/// Few cases by default; `WOLFF_FUZZ_CASES=100000` runs long.
fn cases() -> u32 {
    std::env::var("WOLFF_FUZZ_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(64)
}

#[test]
fn mutated_files_never_panic() {
    let mut texts = vec![NEW.as_bytes().to_vec(), OLD.as_bytes().to_vec()];
    let small = |p: &PathBuf| std::fs::metadata(p).is_ok_and(|m| m.len() < 40_000);
    texts.extend(files(".osim").iter().filter(|p| small(p)).map(|p| std::fs::read(p).unwrap()));
    let config = ProptestConfig {
        cases: cases(),
        rng_seed: proptest::test_runner::RngSeed::Fixed(20_250_101),
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let edit = (any::<prop::sample::Index>(), any::<u8>(), any::<u8>());
    let strategy = (any::<prop::sample::Index>(), prop::collection::vec(edit, 1..8));
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let outcome = runner.run(&strategy, |(which, edits)| {
        let bytes = mutate(&texts[which.index(texts.len())], &edits);
        // an error or a model, and every error tells its line
        if let Err(e) = read(&bytes) {
            prop_assert!(e.to_string().starts_with(".osim line "), "{e}");
        }
        Ok(())
    });
    outcome.unwrap();
}

#[test]
fn a_model_in_utf_16_is_refused_with_the_remedy() {
    let text = "<OpenSimDocument Version=\"40000\"><Model name=\"m\"/></OpenSimDocument>";
    let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert!(read(&wide).unwrap_err().to_string().contains("save it as UTF-8"));
}
