use std::path::PathBuf;
use wolff_anatomy::Side;
use wolff_fem::ElementKind;
use wolff_imaging::density::Calibration;
use wolff_mesher::Settings;
use wolff_morphology::BoneKind;
use wolff_scan::ScanError;
use wolff_scan::bone::outcome::{bone_mass, outcome};
use wolff_scan::bone::{BoneRequest, make};

fn request(input: PathBuf) -> BoneRequest {
    BoneRequest {
        input,
        unit: None,
        series: None,
        label: None,
        threshold: None,
        seed: None,
        calibration: None,
        relation: "keyak-1998".into(),
        wall: [5e-3, 1.5e-3],
        kind: None,
        side: None,
        up: None,
        anterior: None,
        stature: None,
        mesh: Settings { size: 9e-3, order: ElementKind::Tet4, halvings: 1, ..Settings::default() },
        modes: 4,
        force: false,
    }
}

/// Mass, volume and centre of a CT whose truth is known: the blur carries 8 % of the mass out of the true surface.
#[test]
fn the_mass_of_a_known_ct() {
    let Some(input) = wolff_testdata::shared("data/synthetic-ct/ct.nii.gz") else { return };
    let calibration = Some(Calibration::parse("0.05,0.00125").unwrap());
    let made = make(&BoneRequest { calibration, ..request(input) }, &mut |_, _| true).unwrap();
    assert!(made.morphology.kind == BoneKind::Tibia && made.morphology.side == Side::Right);
    let results = outcome(&made, &request(PathBuf::new())).results;
    let value = |name: &str| results[name].as_f64().unwrap();
    assert!((value("mass_g") / 236.28 - 1.0).abs() < 0.02, "{}", value("mass_g"));
    assert!((value("outer_volume_mm3") / 287_963.0 - 1.0).abs() < 0.005, "{}", value("outer_volume_mm3"));
    assert!((value("cortical_volume_mm3") / 93_212.0 - 1.0).abs() < 0.03, "{}", value("cortical_volume_mm3"));
    for (found, truth) in results["centre_mm"].as_array().unwrap().iter().zip([-2.906, -5.431, -20.842]) {
        assert!((found.as_f64().unwrap() - truth).abs() < 0.2, "{found} {truth}");
    }
    let by_elements: f64 = made.tissue.density.iter().zip(&made.tissue.volumes).map(|(rho, v)| rho * v).sum();
    assert!((by_elements / 0.23628 - 1.0).abs() < 0.05, "{by_elements}");
    assert!(made.bodies.flexible.is_some() && made.bodies.frequencies.iter().all(|f| *f > 100.0));
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
