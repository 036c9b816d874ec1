use wolff_verdict::Severity;
use wolff_verdict::constant::{DENSITY, LAYER_THICKNESS, POISSON, YOUNG};

#[test]
fn constants_of_bone_cartilage_and_metal_are_accepted() {
    assert!([10e6, 0.49e9, 17e9, 210e9, 380e9].iter().all(|young| YOUNG.finding("the solid", *young).is_none()));
    assert!([150.0, 1900.0, 3544.0, 8000.0].iter().all(|density| DENSITY.finding("the solid", *density).is_none()));
    assert!([1e-3, 8e-3, 0.02].iter().all(|h| LAYER_THICKNESS.finding("the layer", *h).is_none()));
    assert!(POISSON.finding("the solid", 0.45).is_none());
}

#[test]
fn other_units_are_recognised() {
    let refused = [(&YOUNG, 17000.0, "MPa"), (&DENSITY, 1.9, "g/cm³"), (&DENSITY, 1.9e-9, "t/mm³")];
    for (constant, value, unit) in refused {
        let finding = constant.finding("the solid", value).unwrap();
        assert_eq!(finding.severity, Severity::Error);
        assert!(finding.remedy.contains(unit), "{finding}");
    }
    assert_eq!(LAYER_THICKNESS.finding("the layer", 3.0).unwrap().severity, Severity::Error);
    assert_eq!(POISSON.finding("the solid", -0.3).unwrap().severity, Severity::Warning);
}
