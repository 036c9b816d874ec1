use nalgebra::{Matrix6, Rotation3, Vector3};
use wolff_fem::ElementKind;
use wolff_fem::generate::bar;
use wolff_fem::material::{Elasticity, Material, MaterialField, axes_along, rotated_stiffness};

use crate::assert_close;

/// Rounding of a 6 by 6 inverse.
const EXACT: f64 = 1e-12;

fn cortical_with(poisson_axial: f64, material: Material) -> Elasticity {
    match material.elasticity {
        Elasticity::TransverselyIsotropic {
            young_axial, young_transverse, shear_axial, poisson_transverse, ..
        } => Elasticity::TransverselyIsotropic {
            young_axial,
            young_transverse,
            shear_axial,
            poisson_axial,
            poisson_transverse,
        },
        _ => unreachable!(),
    }
}

#[test]
fn isotropic_stiffness_is_that_of_lame() {
    // Independent reference: E = 1, ν = 1/4 gives 6/5, 2/5 and 2/5.
    let d = Elasticity::Isotropic { young: 1.0, poisson: 0.25 }.stiffness().unwrap();
    let expected = Matrix6::from_fn(|i, j| match (i < 3, j < 3, i == j) {
        (true, true, true) => 1.2,
        (true, true, false) | (false, false, true) => 0.4,
        _ => 0.0,
    });
    assert!((d - expected).amax() < EXACT);
}

#[test]
fn cortical_bone_is_isotropic_across_with_the_quoted_shear_modulus() {
    for (material, nu_t) in [(Material::cortical_bone(), 3.0 / 7.0), (Material::cortical_bone_as_printed(), -2.0 / 7.0)]
    {
        let s = material.elasticity.compliance();
        assert_close(s[(3, 3)] * 3.5e9, 1.0, EXACT);
        assert_close(s[(2, 2)] * 17e9, 1.0, EXACT);
        assert_close(s[(0, 1)] / s[(0, 0)], -nu_t, EXACT);
        assert_close(s[(0, 2)] * 17e9, -0.3, EXACT);
        // A turn about the shaft changes nothing.
        let d = material.elasticity.stiffness().unwrap();
        let turned = rotated_stiffness(&d, &Rotation3::from_axis_angle(&Vector3::z_axis(), 0.7));
        assert!((turned - d).amax() < EXACT * d.amax());
    }
}

/// Independent reference: entries 11, 12, 13, 33 of the stiffness, GPa; the shear moduli are the rest.
#[test]
fn stiffness_of_bone_equals_reference() {
    // Isotropy across given up: the printed moduli with ν_t = 0.3.
    let orthotropic = Elasticity::Orthotropic {
        young: [5e9, 5e9, 17e9],
        shear: [3.5e9, 10e9, 10e9],
        poisson: [0.3, 0.3 * 5.0 / 17.0, 0.3 * 5.0 / 17.0],
    };
    let cases = [
        (
            Material::cortical_bone().elasticity,
            [14.240072202166065, 7.240072202166065, 6.444043321299639, 20.86642599277978],
        ),
        (
            Material::cortical_bone_as_printed().elasticity,
            [5.5279481935923656, -1.4720518064076347, 1.2167689161554192, 17.73006134969325],
        ),
        (orthotropic, [5.786713286713287, 1.9405594405594406, 2.3181818181818183, 18.39090909090909]),
    ];
    for (elasticity, expected) in cases {
        let d = elasticity.stiffness().unwrap() / 1e9;
        for (value, expected) in [d[(0, 0)], d[(1, 0)], d[(1, 2)], d[(2, 2)]].into_iter().zip(expected) {
            assert_close(value, expected, EXACT * 20.0);
        }
    }
}

#[test]
fn rotated_stiffness_keeps_energy_and_turns_the_stiff_axis() {
    let d = Material::cortical_bone().elasticity.stiffness().unwrap();
    let axis = Vector3::new(0.3, -0.5, 0.8).normalize();
    let global = rotated_stiffness(&d, &axes_along(&axis).unwrap());
    // Uniaxial stress along the axis strains it by 1/E_l.
    let n = axis;
    let stress = nalgebra::Vector6::new(n.x * n.x, n.y * n.y, n.z * n.z, n.x * n.y, n.y * n.z, n.z * n.x);
    let strain = global.try_inverse().unwrap() * stress;
    assert_close(stress.dot(&strain) * 17e9, 1.0, EXACT);
    for axis in [Vector3::z(), -Vector3::z()] {
        assert!((rotated_stiffness(&d, &axes_along(&axis).unwrap()) - d).amax() < EXACT * d.amax());
    }
    assert!(axes_along(&Vector3::zeros()).is_err());
}

#[test]
fn axial_poisson_ratio_is_admissible_up_to_the_stated_bound() {
    // Independent reference: bounds 0.697 (swapped) and 1.478 (printed).
    for (material, bound) in [
        (Material::cortical_bone(), (4.0f64 / 7.0 * 17.0 / 20.0).sqrt()),
        (Material::cortical_bone_as_printed(), (9.0f64 / 7.0 * 17.0 / 10.0).sqrt()),
    ] {
        assert!(cortical_with(bound * (1.0 - 1e-6), material).stiffness().is_ok());
        let refused = cortical_with(bound * (1.0 + 1e-6), material).stiffness().unwrap_err().to_string();
        assert!(refused.contains(&format!("{bound:.4}")), "{refused}");
    }
}

#[test]
fn orthotropic_bound_is_where_the_determinant_vanishes() {
    let orthotropic = |nu: f64| Elasticity::Orthotropic { young: [1.0; 3], shear: [0.4; 3], poisson: [nu; 3] };
    // With equal moduli and ratios 1 - 3ν² - 2ν³ = 0 at ν = 1/2.
    assert!(orthotropic(0.5 - 1e-6).stiffness().is_ok());
    assert!(orthotropic(0.5 + 1e-6).stiffness().unwrap_err().to_string().contains("ν12 ν21"));
    let ratio = Elasticity::Orthotropic { young: [1.0, 4.0, 1.0], shear: [1.0; 3], poisson: [0.6, 0.0, 0.0] };
    assert!(ratio.stiffness().unwrap_err().to_string().contains("0.5000"));
}

#[test]
fn inadmissible_constants_are_refused() {
    for (young, poisson) in [(-1.0, 0.3), (f64::NAN, 0.3), (1.0, 0.5), (1.0, -1.0), (1.0, f64::NAN)] {
        assert!(Elasticity::Isotropic { young, poisson }.stiffness().is_err(), "{young} {poisson}");
    }
    let mesh = bar(ElementKind::Tet4, 1.0, 1.0, 1, 1).unwrap();
    let weightless = Material { density: 0.0, ..Material::cortical_bone() };
    assert!(MaterialField::uniform(&mesh, &weightless).unwrap_err().to_string().contains("density"));
    assert!(MaterialField::per_element(&mesh, &[Material::cortical_bone()], &[]).is_err());
}

/// Materials by number are the same as materials by element.
#[test]
fn grouped_materials_are_those_of_their_elements() {
    let mesh = bar(ElementKind::Tet4, 1.0, 2.0, 1, 2).unwrap();
    let (kinds, axes) = ([Material::cortical_bone(), Material::trabecular_bone()], Rotation3::identity());
    let numbers: Vec<usize> = (0..mesh.element_count()).map(|element| element % 2).collect();
    let each: Vec<Material> = numbers.iter().map(|&number| kinds[number]).collect();
    let by_element = MaterialField::per_element(&mesh, &each, &vec![axes; each.len()]).unwrap();
    let by_number = MaterialField::grouped(&mesh, &kinds, &axes, numbers.clone()).unwrap();
    for element in 0..mesh.element_count() {
        assert_eq!(by_number.stiffness(element), by_element.stiffness(element));
        assert_eq!(by_number.density(element), by_element.density(element));
    }
    assert!(MaterialField::grouped(&mesh, &kinds[..1], &axes, numbers.clone()).is_err());
    assert!(MaterialField::grouped(&mesh, &kinds, &axes, numbers[1..].to_vec()).is_err());
}

#[test]
fn materials_of_the_literature_are_admissible() {
    for material in [
        Material::cortical_bone(),
        Material::cortical_bone_as_printed(),
        Material::cortical_reilly_burstein(),
        Material::cortical_ashman(),
        Material::cortical_rho(),
        Material::trabecular_bone(),
    ] {
        material.elasticity.check().unwrap();
        material.check_density().unwrap();
        assert!(material.elasticity.stiffness().unwrap().symmetric_eigenvalues().min() > 0.0);
    }
}

#[test]
fn ultrasonic_poissons_ratios_are_reciprocal_as_published() {
    // ν31, ν32, ν21 are published beside ν13, ν23, ν12, rounded to three digits.
    for (material, expected) in
        [(Material::cortical_ashman(), [0.371, 0.350, 0.422]), (Material::cortical_rho(), [0.417, 0.390, 0.435])]
    {
        let s = material.elasticity.compliance();
        let reciprocal = [(2, 0), (2, 1), (1, 0)].map(|(i, j)| -s[(i, j)] / s[(i, i)]);
        for (value, published) in reciprocal.into_iter().zip(expected) {
            assert_close(value, published, 0.004);
        }
    }
}
