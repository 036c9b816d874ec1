use wolff_meshes::size::{Expected, finding, refusal};
use wolff_verdict::Severity;

#[test]
fn a_femur_in_mm_is_told_with_the_option_that_helps() {
    let bone = finding("the mesh", 466.0, Expected::Bone).unwrap();
    assert_eq!(bone.severity, Severity::Error);
    assert!(bone.message.contains("466 m long") && bone.remedy.contains("--unit mm"), "{}", bone.text());
    let any = finding("the surface", 466.0, Expected::Any).unwrap();
    assert!(any.severity == Severity::Warning && any.remedy.contains("--unit mm"), "{}", any.text());
    let read_in_m = refusal("`femur.stl`", 466.0).unwrap();
    assert!(read_in_m.remedy.contains("wolff mesh convert FILE OUT --unit mm"), "{}", read_in_m.text());
}

#[test]
fn sizes_that_are_too_small_or_no_lengths_are_told() {
    let twice = finding("the mesh", 4.66e-4, Expected::Bone).unwrap();
    assert!(twice.remedy.contains("omit --scale"), "{}", twice.text());
    assert!(refusal("`a.stl`", 4.66e-4).unwrap().remedy.contains("twice"));
    for length in [1e200, f64::INFINITY, f64::NAN] {
        for found in [finding("the mesh", length, Expected::Any), refusal("the mesh", length)] {
            let found = found.unwrap();
            assert!(found.severity == Severity::Error && found.remedy.contains("damaged"), "{}", found.text());
        }
    }
}

#[test]
fn parts_of_bodies_pass() {
    for length in [0.02, 0.466, 0.65] {
        assert_eq!(finding("the mesh", length, Expected::Bone), None);
        assert_eq!(refusal("the mesh", length), None);
    }
}
