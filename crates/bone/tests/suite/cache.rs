//! Reductions kept in files.

use crate::{recipe, tibia};
use std::path::Path;
use wolff_bone::flexible::{
    FlexibleBody, FlexibleSource, Interface, InterfaceKind, MaterialChoice, Recipe, SolidSource, Solver, Way,
    parse_gauge, parse_point,
};
use wolff_bone::parametric::{Bone, BoneKind, Density, Sex};
use wolff_bone::segment::WalkingBone;
use wolff_fem::reduce::Selection;

/// The file gives the same body; another recipe has a file of its own; a damaged file is replaced; a folder that
/// cannot be made does no harm.
#[test]
fn a_reduction_is_read_from_its_file() {
    let folder = std::env::temp_dir().join(format!("wolff-bone-cache-{}", std::process::id()));
    let files = || -> Vec<_> { std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect() };
    let mut recipe = recipe(tibia());
    recipe.cache = Some(folder.clone());
    let is_read = |bone: &WalkingBone| bone.report.seconds[0].0 == "read";
    let made = recipe.make().unwrap();
    let read = recipe.make().unwrap();
    assert!(!is_read(&made) && is_read(&read));
    assert_eq!(made.body, read.body);
    let first = files();
    recipe.attachments[0].point.y -= 0.01;
    assert!(!is_read(&recipe.make().unwrap()));
    assert_eq!(files().len(), 2);
    recipe.attachments[0].point.y += 0.01;

    let mut bytes = std::fs::read(&first[0]).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&first[0], &bytes).unwrap();
    let mended = recipe.make().unwrap();
    assert!(!is_read(&mended) && is_read(&recipe.make().unwrap()));
    assert_eq!(made.body, mended.body);

    recipe.cache = Some(first[0].join("below a file"));
    assert_eq!(recipe.make().unwrap().body, made.body);
    std::fs::remove_dir_all(folder).unwrap();
}

fn tube() -> Recipe {
    let density = Density { around: 6, wall: 1, layers: [1, 2, 2, 1] };
    let bone = Bone { density, ..Bone::new(BoneKind::SHANK_TUBE, Sex::Male) };
    Recipe {
        solid: SolidSource::Bone(bone),
        material: MaterialChoice::cortical(),
        mass: None,
        interfaces: Recipe::bone_interfaces(&bone),
        interface_kind: InterfaceKind::Rigid,
        points: vec![parse_point("tendon=0.037,-0.2,0,0.02").unwrap()],
        gauges: vec![parse_gauge("front=anterior:0.5").unwrap()],
        solver: Solver::plain(3),
    }
}

fn body(recipe: Recipe, cache: Option<&Path>) -> FlexibleBody {
    FlexibleBody {
        name: "tube".into(),
        source: FlexibleSource::Solid(Box::new(recipe)),
        way: Way::FloatingFrame,
        damping_ratio: 0.02,
        strain_energy: None,
        disabled: Vec::new(),
        eta: Vec::new(),
        eta_dot: Vec::new(),
        cache: cache.map(Into::into),
    }
}

/// A body of a study read from its file is the computed one to the last bit; damping is applied afterwards and shares
/// the file.
#[test]
fn a_body_of_a_study_is_the_same_with_the_cache() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache-study");
    let _ = std::fs::remove_dir_all(&folder);
    let files = || std::fs::read_dir(&folder).unwrap().count();
    let plain = body(tube(), None).make_with_surface(true).unwrap();
    for _ in 0..2 {
        assert_eq!(body(tube(), Some(&folder)).make_with_surface(true).unwrap(), plain);
        assert_eq!(files(), 1);
    }
    let damped = |cache| FlexibleBody { damping_ratio: 0.5, ..body(tube(), cache) }.make_with_surface(true).unwrap();
    assert_eq!(damped(Some(&folder)), damped(None));
    assert_eq!(files(), 1);
    std::fs::remove_dir_all(folder).unwrap();
}

/// A mesh file with the same name, size and time of change but another content has another key.
#[test]
fn the_content_of_a_mesh_file_counts_not_its_size_and_time() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache-content");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let (path, cache) = (folder.join("bar.inp"), folder.join("cache"));
    let mesh = wolff_fem::generate::bar(wolff_fem::ElementKind::Tet4, 0.02, 0.12, 1, 5).unwrap();
    wolff_meshes::solid::write_mesh(&path, &mesh).unwrap();
    let time = std::fs::metadata(&path).unwrap().modified().unwrap();
    let made = || {
        let solid = SolidSource::Mesh { path: path.clone(), part: None, scale: 1.0, axis: wolff_spatial::Vec3::z() };
        let interfaces = Vec::new();
        let recipe = Recipe { solid, interfaces, points: Vec::new(), gauges: Vec::new(), ..tube() };
        body(Recipe { interface_kind: InterfaceKind::Free, ..recipe }, Some(&cache)).make().unwrap();
        std::fs::read_dir(&cache).unwrap().count()
    };
    assert_eq!((made(), made()), (1, 1));
    let text = std::fs::read_to_string(&path).unwrap();
    let changed = text.replacen("1.2e-1", "1.3e-1", 1);
    assert!(changed != text && changed.len() == text.len());
    std::fs::write(&path, changed).unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
    assert_eq!(made(), 2);
    std::fs::remove_dir_all(folder).unwrap();
}

/// Every input of the reduction is part of the key.
#[test]
fn every_change_of_a_recipe_has_a_file_of_its_own() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache-key");
    let _ = std::fs::remove_dir_all(&folder);
    let changes: [&dyn Fn(&mut Recipe); 13] = [
        &|_| (),
        &|r| {
            let SolidSource::Bone(bone) = &mut r.solid else { panic!("a bone") };
            bone.length += 1e-9;
        },
        &|r| r.material.name = "rho".into(),
        &|r| r.mass = Some(1.0),
        &|r| r.interfaces[1].at = None,
        &|r| r.interfaces[1] = Interface { name: "ankle".into(), ..r.interfaces[1].clone() },
        &|r| r.interface_kind = InterfaceKind::Average,
        &|r| r.points[0].2 = 0.03,
        &|r| r.gauges[0] = parse_gauge("front=anterior:0.4").unwrap(),
        &|r| r.solver.fixed_modes = 4,
        &|r| r.solver.selection = Selection::Count(5),
        &|r| r.solver.relief = true,
        &|r| r.solver.stiffening = true,
    ];
    for (k, change) in changes.into_iter().enumerate() {
        let mut recipe = tube();
        change(&mut recipe);
        body(recipe, Some(&folder)).make().unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), k + 1, "change {k}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// The number of modes is known before the reduction.
#[test]
fn mode_counts_are_those_of_the_reduction() {
    let mut recipe = tube();
    for (relief, selection) in [(false, Selection::All), (true, Selection::All), (true, Selection::Count(4))] {
        recipe.solver.relief = relief;
        recipe.solver.selection = selection;
        assert_eq!(recipe.mode_count(), recipe.reduce("tube").unwrap().body.modes());
    }
    recipe.interfaces.clear();
    (recipe.interface_kind, recipe.solver.selection, recipe.solver.relief) =
        (InterfaceKind::Free, Selection::All, false);
    assert_eq!(recipe.mode_count(), recipe.reduce("tube").unwrap().body.modes());
}
