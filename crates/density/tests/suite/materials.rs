use crate::support::{cuboid, direct_chain, grid};
use nalgebra::Rotation3;
use wolff_density::{Mapped, MaterialOptions, Options, Pores, Symmetry, map};
use wolff_fem::assembly::assemble;
use wolff_fem::craig_bampton::craig_bampton;
use wolff_fem::dofs::Constraints;
use wolff_fem::material::{Material, MaterialField};
use wolff_fem::modes::ModeOptions;
use wolff_fem::{ElementKind, TetMesh};
use wolff_spatial::Vec3;

fn bar() -> (TetMesh, Mapped) {
    let mesh = cuboid(ElementKind::Tet4, [0.01, 0.01, 0.04], [2, 2, 8]);
    let field = grid(60, 0.001, Vec3::from_element(-0.01), |x| 0.4 + 30.0 * (x.z + 0.01));
    let mapped = map(&mesh, &field, &Options::new(direct_chain())).unwrap();
    (mesh, mapped)
}

#[test]
fn every_element_has_its_own_modulus_and_mass() {
    let (mesh, mapped) = bar();
    let dry = MaterialOptions { pores: Pores::Empty, ..MaterialOptions::default() };
    let found = mapped.materials(&mesh, &dry).unwrap();
    assert_eq!(found.classes.len(), mesh.element_count());
    assert!(found.largest_change < 1e-12);
    assert!((found.field.mass(&mesh) / mapped.bone_mass() - 1.0).abs() < 1e-12);
    let stiffness = found.field.stiffness(5)[(3, 3)];
    assert!((stiffness / (mapped.elements[5].modulus / 2.6) - 1.0).abs() < 1e-12, "G = E / (2 (1 + ν))");
}

/// Marrow adds what the pores leave: 1000 kg/m³ x (1 - ρ/2000).
#[test]
fn marrow_fills_the_pores() {
    let (mesh, mapped) = bar();
    let wet = mapped.materials(&mesh, &MaterialOptions::default()).unwrap().field.mass(&mesh);
    let expected = mapped.bone_mass() + 1000.0 * (mapped.volume() - mapped.bone_mass() / 2000.0);
    assert!((wet / expected - 1.0).abs() < 1e-12);
}

#[test]
fn classes_keep_the_mass_and_come_closer_with_their_number() {
    let (mesh, mapped) = bar();
    let of = |classes| {
        let options = MaterialOptions { classes: Some(classes), ..MaterialOptions::default() };
        mapped.materials(&mesh, &options).unwrap()
    };
    let (few, many) = (of(3), of(12));
    assert!(few.classes.len() <= 3 && many.classes.len() <= 12);
    assert!(many.largest_change < few.largest_change && many.largest_change < 0.3);
    assert!((few.field.mass(&mesh) / many.field.mass(&mesh) - 1.0).abs() < 1e-12);
    assert!(mapped.materials(&mesh, &MaterialOptions { classes: Some(0), ..MaterialOptions::default() }).is_err());
}

/// The axial modulus of a scaled material is that of the scan, and the ratios of the others stay.
#[test]
fn scaled_materials_keep_their_ratios() {
    let (mesh, mapped) = bar();
    let pattern = Material::cortical_bone().elasticity;
    let axes = Rotation3::from_euler_angles(0.3, -0.2, 0.5);
    let options = MaterialOptions { symmetry: Symmetry::Scaled { pattern, axes }, ..MaterialOptions::default() };
    let found = mapped.materials(&mesh, &options).unwrap();
    let whole = MaterialField::uniform_along(&mesh, &Material::cortical_bone(), &axes).unwrap();
    let factor = found.field.stiffness(3)[(0, 0)] / whole.stiffness(3)[(0, 0)];
    assert!((found.field.stiffness(3) - whole.stiffness(3) * factor).norm() < 1e-9 * whole.stiffness(3).norm());
}

#[test]
fn another_mesh_is_refused() {
    let (_, mapped) = bar();
    let other = cuboid(ElementKind::Tet4, [0.01, 0.01, 0.04], [1, 1, 1]);
    assert!(mapped.materials(&other, &MaterialOptions::default()).unwrap_err().to_string().contains("map this mesh"));
}

/// Materials of elements go through reduction: four times the stiffness doubles every frequency, four times the mass
/// halves it, and a soft end lowers it.
#[test]
fn reduction_follows_the_materials_of_elements() {
    let (mesh, mapped) = bar();
    let eigenvalues = |mapped: &Mapped| {
        let dry = MaterialOptions { pores: Pores::Empty, ..MaterialOptions::default() };
        let system = assemble(&mesh, &mapped.materials(&mesh, &dry).unwrap().field).unwrap();
        let tied = Constraints::default().tie("end", Vec3::zeros(), mesh.node_set("start").unwrap());
        let body = craig_bampton(&mesh, &system, &tied, 24, &ModeOptions::default()).unwrap();
        body.orthonormalise().unwrap().eigenvalues
    };
    let changed = |stiffness: fn(usize) -> f64, mass: f64| {
        let mut other = mapped.clone();
        for (i, element) in other.elements.iter_mut().enumerate() {
            element.modulus *= stiffness(i);
            element.apparent_density *= mass;
        }
        eigenvalues(&other)
    };
    let first = eigenvalues(&mapped);
    for (scaled, factor) in [(changed(|_| 4.0, 1.0), 4.0), (changed(|_| 1.0, 4.0), 0.25)] {
        for (a, b) in first.iter().zip(scaled.iter()) {
            assert!((b / a / factor - 1.0).abs() < 1e-6, "{a} {b} {factor}");
        }
    }
    let softer = changed(|i| if i < 24 { 0.5 } else { 1.0 }, 1.0);
    assert!(softer[0] < 0.999 * first[0] && softer[0] > 0.5 * first[0], "{first:?} {softer:?}");
}
