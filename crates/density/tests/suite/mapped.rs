use crate::support::{cube_chain, cube_element, cube_grid, cuboid, direct_chain, grid};
use wolff_density::{Options, Rule, map};
use wolff_fem::ElementKind;
use wolff_spatial::Vec3;

fn modulus_mpa(kind: ElementKind, rule: Rule) -> f64 {
    let options = Options { rule, least_modulus: 1e-6, ..Options::new(cube_chain()) };
    let mapped = map(&cube_element(kind), &cube_grid(), &options).unwrap();
    1e-6 * mapped.elements[0].modulus
}

/// Values of Bonemat's rules on one element among 27 voxels, which py_bonemat_abaqus and an independent program give
/// alike; the last digits are theirs.
#[test]
fn bonemat_rules_give_the_published_values() {
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        for (rule, expected) in [
            (Rule::VoxelsInside, 2.951097),
            (Rule::MeanGrey { steps: 4 }, 2.951097),
            (Rule::MeanModulus { steps: 4 }, 3.296538),
            (Rule::MeanModulus { steps: 80 }, 3.382700),
        ] {
            let found = modulus_mpa(kind, rule);
            assert!((found - expected).abs() < 1e-6, "{kind:?} {rule:?}: {found}, expected {expected}");
        }
    }
}

/// The limit of Bonemat's V3 by extrapolation of 80 and 160 steps, whose error falls with the square.
#[test]
fn the_converged_rule_gives_the_limit_of_v3() {
    let (coarse, fine) = (3.382699749, 3.382851576);
    let limit = fine + (fine - coarse) / 3.0;
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        let found = modulus_mpa(kind, Rule::Converged { tolerance: 1e-7 });
        assert!((found - limit).abs() < 1e-5, "{kind:?}: {found}, expected {limit}");
        let quick = modulus_mpa(kind, Rule::default());
        assert!((quick / limit - 1.0).abs() < 5e-3, "{quick}");
    }
}

/// A density that is linear in space is met exactly, and its mass by every rule that averages.
#[test]
fn a_linear_density_keeps_its_mass() {
    let mesh = cuboid(ElementKind::Tet10, [0.02, 0.01, 0.01], [2, 1, 1]);
    let rho = |x: &Vec3| 0.4 + 30.0 * x.x + 10.0 * x.z;
    let field = grid(30, 0.001, Vec3::from_element(-0.004), rho);
    let (low, high) = extent(mesh.nodes());
    let expected = 1e3 * rho(&(0.5 * (low + high))) * mesh.volume();
    for rule in [Rule::default(), Rule::MeanGrey { steps: 4 }] {
        let mapped = map(&mesh, &field, &Options { rule, ..Options::new(direct_chain()) }).unwrap();
        let tolerance = if rule == Rule::default() { 1e-9 } else { 0.02 };
        assert!((mapped.bone_mass() / expected - 1.0).abs() < tolerance, "{rule:?} {}", mapped.bone_mass());
        assert!((mapped.volume() - 2e-6).abs() < 1e-15);
    }
}

fn extent(points: &[Vec3]) -> (Vec3, Vec3) {
    points.iter().fold((points[0], points[0]), |(low, high), x| (low.inf(x), high.sup(x)))
}

#[test]
fn remarks_name_rule_relation_and_source() {
    let mapped = map(&cube_element(ElementKind::Tet4), &cube_grid(), &Options::new(direct_chain())).unwrap();
    let text = mapped.remarks.join("\n");
    for part in ["converged", "carter-hayes-1977", "954-962", "rho_app"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
}

#[test]
fn options_out_of_bounds_are_refused() {
    let mesh = cube_element(ElementKind::Tet4);
    for rule in [Rule::MeanGrey { steps: 0 }, Rule::MeanModulus { steps: 1000 }, Rule::Converged { tolerance: 0.0 }] {
        let error = map(&mesh, &cube_grid(), &Options { rule, ..Options::new(cube_chain()) }).unwrap_err();
        assert!(error.to_string().contains("give"), "{error}");
    }
    let options = Options { least_modulus: f64::NAN, ..Options::new(cube_chain()) };
    assert!(map(&mesh, &cube_grid(), &options).is_err());
}

/// The example files themselves: mesh by our reader, grid and law as above.
#[test]
fn the_example_of_py_bonemat_abaqus() {
    let Some(folder) = wolff_testdata::shared("data/bones/bonemat-tiny") else { return };
    let mesh = wolff_meshes::solid::read_mesh_part(folder.join("example_abaqus_mesh.inp"), Some("Part1")).unwrap();
    let rule = Rule::MeanModulus { steps: 4 };
    let options = Options { rule, least_modulus: 1e-6, ..Options::new(cube_chain()) };
    let mapped = map(&mesh, &cube_grid(), &options).unwrap();
    assert!((1e-6 * mapped.elements[0].modulus - 3.296538).abs() < 1e-6);
}
