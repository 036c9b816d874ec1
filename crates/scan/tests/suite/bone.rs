use std::path::PathBuf;
use wolff_anatomy::Side;
use wolff_fem::ElementKind;
use wolff_mesher::Settings;
use wolff_morphology::BoneKind;
use wolff_scan::ScanError;
use wolff_scan::bone::outcome::bone_mass;
use wolff_scan::bone::{BoneRequest, make};

pub fn request(input: PathBuf) -> BoneRequest {
    BoneRequest {
        mesh: Settings { size: 9e-3, order: ElementKind::Tet4, halvings: 1, ..Settings::default() },
        modes: 4,
        ..BoneRequest::new(input)
    }
}

#[test]
fn a_ct_without_calibration_is_refused() {
    let Some(input) = wolff_testdata::shared("data/synthetic-ct/ct.nii.gz") else { return };
    let refused = make(&request(input), &mut |_, _| true).unwrap_err();
    assert!(refused.to_string().contains("--calibration"), "{refused}");
}

/// A surface gets an assumed wall, and this is told.
#[test]
fn a_surface_becomes_a_flexible_bone() {
    let Some(input) = wolff_testdata::shared("data/knee-tka-dm/mesh/Tibia.stl") else { return };
    let made = make(&request(input), &mut |_, _| true).unwrap();
    assert!(made.morphology.kind == BoneKind::Tibia && made.morphology.side == Side::Right);
    assert!((0.15..0.45).contains(&bone_mass(&made)), "{}", bone_mass(&made));
    assert!(made.judgement.warnings().iter().any(|w| w.contains("assumed")), "{:?}", made.judgement.warnings());
    let body = &made.bodies.flexible.as_ref().unwrap().body;
    assert!(body.inertia.mass > bone_mass(&made) && body.inertia.mass < 0.7, "{}", body.inertia.mass);
    assert!(matches!(make(&request("nothing.stl".into()), &mut |_, _| true), Err(ScanError::Image(_))));
    let stopped = make(&request(PathBuf::new()), &mut |_, _| false).unwrap_err();
    assert!(matches!(stopped, ScanError::Stopped), "{stopped}");
}
