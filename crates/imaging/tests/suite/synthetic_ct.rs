//! The synthetic CT of a right tibia whose truth is known; numbers from `truth.json` beside it.

use serde_json::Value;
use wolff_density::DensityKind;
use wolff_geometry::{Normals, TriangleSurface};
use wolff_imaging::cortex::{Cortex, CortexOptions, cortex};
use wolff_imaging::density::{Calibration, DensityField, DensityOptions};
use wolff_imaging::segment::{BoneOptions, bone};
use wolff_imaging::{Choice, read};

fn number(truth: &Value, path: &str) -> f64 {
    truth.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path}"))
}

#[test]
fn both_files_give_the_known_bone() {
    let Some(folder) = wolff_testdata::shared("data/synthetic-ct") else { return };
    let image = read(&folder.join("ct.nii.gz"), &Choice::only()).unwrap().volume;
    // the same samples and the same frame: all that follows has the same bytes
    assert_eq!(read(&folder.join("dicom.zip"), &Choice::only()).unwrap().volume, image);
    let truth: Value = serde_json::from_slice(&std::fs::read(folder.join("truth.json")).unwrap()).unwrap();
    let bone = bone(&image, &BoneOptions::default()).unwrap();
    let cortex = cortex(&image, &bone, &CortexOptions::default()).unwrap();

    let stl = std::fs::read(folder.join("bone_lps.stl")).unwrap();
    let known = wolff_meshes::surface::read("bone.stl", &stl).unwrap().mesh.scaled(1e-3).unwrap();
    let known = TriangleSurface::new(known, Normals::Facets).unwrap();
    let distance = |x: &wolff_spatial::Vec3| 1e3 * known.signed_distance(x).unwrap().abs();
    let mean = cortex.outer.vertices().iter().map(distance).sum::<f64>() / cortex.outer.vertices().len() as f64;
    assert!(mean < 0.08, "mean distance {mean} mm; half a voxel is 0.25 mm");
    let volume = 1e9 * cortex.outer.report().unwrap().volume.unwrap();
    assert!((volume / number(&truth, "/outer_volume_mm3") - 1.0).abs() < 0.005, "{volume}");
    let thickness = shaft_thickness(&cortex, &truth);
    assert!((thickness - number(&truth, "/parameters/t_shaft")).abs() < 0.3, "{thickness}");
    assert!((1e3 * cortex.shared.blur - number(&truth, "/parameters/psf_mm")).abs() < 0.05, "{:?}", cortex.shared);

    let calibration =
        Calibration::line(number(&truth, "/cal_a"), number(&truth, "/cal_b"), DensityKind::Apparent).unwrap();
    let field = DensityField::new(&image, &bone, cortex, &calibration, &DensityOptions::default()).unwrap();
    let mass = field.mass();
    let exact = number(&truth, "/bone_mass_g");
    for (way, found) in [("sum", mass.total), ("balance", mass.by_balance)] {
        assert!((1e3 * found / exact - 1.0).abs() < 0.01, "{way}: {} g, {exact} g", 1e3 * found);
    }
    let centre = [0, 1, 2].map(|n| number(&truth, &format!("/centre_of_bone_mass_lps_mm/{n}")));
    assert!((1e3 * mass.centre - wolff_spatial::Vec3::from(centre)).norm() < 0.3);
}

/// Mean thickness of the wall in the middle tenth of the length \[mm\].
fn shaft_thickness(cortex: &Cortex, truth: &Value) -> f64 {
    let [low, high] = [0, 1].map(|n| number(truth, &format!("/axial_range_mm/{n}")));
    let at = |z: f64| (1e3 * z - low) / (high - low);
    let both = cortex.outer.vertices().iter().zip(&cortex.thickness);
    let middle: Vec<f64> = both.filter(|(x, _)| (0.45..0.55).contains(&at(x.z))).map(|(_, t)| 1e3 * t).collect();
    middle.iter().sum::<f64>() / middle.len() as f64
}
