use crate::support::{cube_chain, cube_element, grid};
use wolff_density::{Options, Rule, map};
use wolff_fem::ElementKind;
use wolff_spatial::Vec3;

#[test]
fn every_rule_has_a_name_of_its_own() {
    let rules = [Rule::VoxelsInside, Rule::MeanGrey { steps: 4 }, Rule::MeanModulus { steps: 4 }, Rule::default()];
    let mut names: Vec<String> = rules.iter().map(Rule::name).collect();
    names.dedup();
    assert_eq!(names.len(), 4);
    assert!(names[2].contains("V3") && names[2].contains('4'));
}

/// An element between voxel centres has none inside and takes the value at its own centre.
#[test]
fn an_element_between_voxels_takes_the_value_at_its_centre() {
    let field = grid(3, 30.0, Vec3::new(-20.0, -25.0, -25.0), |x| 10.0 + x.x);
    let options = Options { rule: Rule::VoxelsInside, ..Options::new(cube_chain()) };
    let mapped = map(&cube_element(ElementKind::Tet4), &field, &options).unwrap();
    assert!((mapped.elements[0].grey - 10.0).abs() < 1e-12);
}

/// All rules agree where the grey value is the same everywhere.
#[test]
fn rules_agree_on_constant_fields() {
    let field = grid(5, 1.0, Vec3::from_element(-2.0), |_| 15.0);
    let of = |rule| {
        let options = Options { rule, least_modulus: 1e-6, ..Options::new(cube_chain()) };
        map(&cube_element(ElementKind::Tet10), &field, &options).unwrap().elements[0].modulus
    };
    let expected = of(Rule::VoxelsInside);
    for rule in [Rule::MeanGrey { steps: 1 }, Rule::MeanModulus { steps: 7 }, Rule::default()] {
        assert!((of(rule) / expected - 1.0).abs() < 1e-12, "{rule:?}");
    }
}
