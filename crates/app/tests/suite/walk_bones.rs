//! Bones of a walk from files.

use crate::walk::{number, walk};
use std::path::{Path, PathBuf};
use wolff_report::outcome::Outcome;

/// A tibia from a file: millimetres are recognised and give what metres give; it keeps its size and mass, looks where
/// its shape says, and is scaled only where that is asked for; what is no bone in any unit, or has no front, is refused
/// with the remedy.
#[test]
fn a_tibia_from_a_file() {
    use wolff_bone::parametric::{Bone, BoneKind, Density, Sex};
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("walk-tibia");
    std::fs::create_dir_all(&folder).unwrap();
    let density = Density { around: 6, wall: 1, layers: [4, 6, 6, 4] };
    let bone = Bone { length: 0.40, density, ..Bone::new(BoneKind::Tibia, Sex::Male) }.build().unwrap();
    let file = |name: &str, scale: f64| {
        let path = folder.join(name);
        wolff_meshes::solid::write_mesh(&path, &bone.mesh.mapped(|x| scale * x).unwrap()).unwrap();
        path.display().to_string()
    };
    let with = |path: &str| walk(&[("cycles", "1"), ("tibia", path)]);
    let metres = with(&file("metres.inp", 1.0)).unwrap();
    let millimetres = with(&file("millimetres.inp", 1e3)).unwrap();
    let told = |outcome: &Outcome, what: &str| {
        outcome.warnings.iter().any(|w| w.contains("given") && w.contains("tibia") && w.contains(what))
    };
    assert!(
        told(&metres, "in metres") && told(&metres, "has 400 mm") && told(&metres, "it keeps its size"),
        "{:?}",
        metres.warnings
    );
    assert!(told(&metres, "forward is (+1.00"), "{:?}", metres.warnings);
    assert!(told(&millimetres, "in millimetres"), "{:?}", millimetres.warnings);
    let mass = bone.mesh.volume() * wolff_fem::material::Material::cortical_bone().density;
    assert!((number(&metres, "bone_mass_kg") / mass - 1.0).abs() < 1e-3, "{mass}");
    assert!((number(&metres, "bone_length_mm") - 400.0).abs() < 1e-6);
    let shear = |outcome: &Outcome| number(outcome, "max_shear_microstrain");
    assert!((shear(&metres) / shear(&millimetres) - 1.0).abs() < 1e-3);
    assert!((300.0..2000.0).contains(&shear(&metres)), "{}", shear(&metres));
    assert_eq!(metres.inputs[0].name, "metres.inp");
    let wider =
        [("cycles", "1"), ("tibia", &file("wider.inp", 1.0)), ("tibia_forward", "+x"), ("tibia_scale_anterior", "1.1")];
    let wider = walk(&wider).unwrap();
    assert!((number(&wider, "bone_mass_kg") / mass - 1.1).abs() < 1e-3 && told(&wider, "1.1 anterior"));
    let refused = with(&file("kilometres.inp", 1e-3)).unwrap_err().to_string();
    assert!(refused.contains("tibia") && refused.contains("--scale"), "{refused}");
    let tube = Bone::new(BoneKind::SHANK_TUBE, Sex::Male).build().unwrap();
    wolff_meshes::solid::write_mesh(folder.join("tube.inp"), &tube.mesh).unwrap();
    let refused = with(&folder.join("tube.inp").display().to_string()).unwrap_err().to_string();
    assert!(refused.contains("give the forward direction: tibia_forward="), "{refused}");
    std::fs::remove_dir_all(folder).unwrap();
}

fn surface(file: &str) -> Option<PathBuf> {
    wolff_testdata::shared(&format!("data/bones/bodyparts3d/{file}"))
}

/// Coarse bones, one stride of the reference motion.
const COARSE: [(&str, &str); 4] =
    [("cycles", "1"), ("servo", "prescribed"), ("scan_element_size", "8 mm"), ("wall_shaft", "4 mm")];

/// A closed surface becomes the tibia: its side and frame are found, muscles are carried over, all gauges read, and the
/// strain of a beam with its own section is near that of the flexible bone.
#[test]
fn a_tibia_from_a_surface() {
    let Some(path) = surface("tibia_r_FMA24477.stl") else { return };
    let path = path.display().to_string();
    let outcome = walk(&[&COARSE[..], &[("tibia", path.as_str())]].concat()).unwrap();
    let told = |what: &str| outcome.warnings.iter().any(|w| w.contains(what));
    assert!(told("the given right tibia has 330 mm") && told("by registration"), "{:?}", outcome.warnings);
    let [axial, beam] = ["axial_microstrain", "beam_axial_microstrain"].map(|name| outcome.results[name].clone());
    let largest = axial.as_object().unwrap().values().map(|v| v.as_f64().unwrap().abs()).fold(0.0, f64::max);
    assert!(axial.as_object().unwrap().len() == 14 && (500.0..5000.0).contains(&largest), "{axial}");
    for (gauge, strain) in axial.as_object().unwrap() {
        // near the neutral axis, tension and compression are of one size
        let [a, b] = [strain, &beam[gauge]].map(|v| v.as_f64().unwrap().abs());
        assert!((a - b).abs() < 0.15 * largest, "{gauge}: {a} {b}");
    }
    let wrong = walk(&[&COARSE[..], &[("tibia", path.as_str()), ("tibia_side", "left")]].concat());
    let text = wrong.map_or_else(|e| e.to_string(), |o| o.warnings.join(" "));
    assert!(text.contains("side"), "{text}");
}

/// A femur from a surface is flexible besides the tibia, with its head in the hip centre; a femur given as tibia is
/// refused.
#[test]
fn a_femur_from_a_surface() {
    let Some(path) = surface("femur_r_FMA24474.stl") else { return };
    let path = path.display().to_string();
    let outcome = walk(&[&COARSE[..], &[("femur", path.as_str())]].concat()).unwrap();
    assert!(outcome.warnings.iter().any(|w| w.contains("the given right femur has")), "{:?}", outcome.warnings);
    let axial = outcome.results["thigh_r.axial_microstrain"].as_object().unwrap();
    assert!(["anterior", "lateral", "posterior", "medial"].iter().all(|side| axial.contains_key(*side)), "{axial:?}");
    assert!(number(&outcome, "max_shear_microstrain") > 100.0);
    assert!(walk(&[&COARSE[..], &[("tibia", path.as_str())]].concat()).is_err());
}

/// Every relation that a walk offers exists.
#[test]
fn relations_exist() {
    let text = wolff_study::document::builtin("walk").unwrap();
    let line = text.lines().find(|line| line.starts_with("ct_relation")).unwrap();
    let words = line.split("choices = [").nth(1).unwrap().split(']').next().unwrap();
    for word in words.split(", ") {
        assert!(wolff_density::Relation::named(word.trim_matches('"')).is_ok(), "{word}");
    }
}
