use nalgebra::{Matrix3, Rotation3, Vector3};
use wolff_fem::dofs::{Constraints, DofMap};
use wolff_fem::generate::{bar, tube};
use wolff_fem::material::{Elasticity, Material, MaterialField};
use wolff_fem::solve::{Loads, Statics, strain_at};
use wolff_fem::{ElementKind, FemError, TetMesh, assembly};

use crate::{assembled, assert_close, distort, isotropic, reference_bar};

/// Independent reference: the static response of the explicit bars is given to 1e-8.
const REFERENCE: f64 = 1e-8;

fn displacement_gradient() -> Matrix3<f64> {
    Matrix3::new(1e-3, 3e-4, -2e-4, 1e-4, -5e-4, 4e-4, 2.5e-4, 1.5e-4, 7e-4)
}

/// Prescribes `c + H x` on the boundary and checks displacement and strain everywhere.
fn patch_test(mesh: &TetMesh, material: &Material, axes: &Rotation3<f64>) {
    let field = |x: &Vector3<f64>| Vector3::new(0.01, -0.02, 0.03) + displacement_gradient() * x;
    let mut constraints = Constraints::default();
    for face in mesh.boundary().unwrap() {
        for &node in &face.nodes {
            let u = field(&mesh.nodes()[node]);
            constraints.prescribed.extend((0..3).map(|axis| (node, axis, u[axis])));
        }
    }
    let materials = MaterialField::uniform_along(mesh, material, axes).unwrap();
    let system = assembly::assemble(mesh, &materials).unwrap();
    let statics = Statics::new(mesh, &system, &constraints).unwrap();
    let solution = statics.solve(&Loads::none(mesh, 0)).unwrap();
    for (node, x) in mesh.nodes().iter().enumerate() {
        for axis in 0..3 {
            assert_close(solution.displacement[3 * node + axis], field(x)[axis], 1e-14);
        }
    }
    let h = displacement_gradient();
    let expected =
        [h[(0, 0)], h[(1, 1)], h[(2, 2)], h[(0, 1)] + h[(1, 0)], h[(1, 2)] + h[(2, 1)], h[(2, 0)] + h[(0, 2)]];
    for element in 0..mesh.element_count() {
        let strain = strain_at(mesh, element, [0.2, 0.1, 0.4], &solution.displacement).unwrap();
        for (value, expected) in strain.iter().zip(expected) {
            assert_close(*value, expected, 1e-13);
        }
    }
}

#[test]
fn patch_test_is_exact_on_the_reference_patch() {
    // Independent reference: a cube of twelve elements around one inner node.
    let mut nodes: Vec<Vector3<f64>> =
        (0..8).map(|i| Vector3::new(f64::from(i / 4), f64::from(i / 2 % 2), f64::from(i % 2))).collect();
    nodes.push(Vector3::new(0.45, 0.55, 0.4));
    #[rustfmt::skip]
    let tets = vec![
        1, 0, 3, 8, 3, 0, 2, 8, 6, 4, 7, 8, 7, 4, 5, 8, 4, 0, 5, 8, 5, 0, 1, 8,
        3, 2, 7, 8, 7, 2, 6, 8, 2, 0, 6, 8, 6, 0, 4, 8, 5, 1, 7, 8, 7, 1, 3, 8,
    ];
    let mesh = TetMesh::new(ElementKind::Tet4, nodes, tets).unwrap();
    patch_test(&mesh, &isotropic(1.0), &Rotation3::identity());
    patch_test(&mesh.to_quadratic(), &Material::cortical_bone(), &Rotation3::from_euler_angles(0.3, 1.0, -0.4));
}

#[test]
fn patch_test_is_exact_on_distorted_straight_and_curved_meshes() {
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        let mesh = bar(kind, 1.0, 1.5, 3, 3).unwrap().mapped(distort).unwrap();
        patch_test(&mesh, &Material::cortical_bone(), &Rotation3::from_euler_angles(0.3, 1.0, -0.4));
    }
}

#[test]
fn bar_with_rigid_end_equals_reference() {
    let cases = [
        (
            ElementKind::Tet4,
            [10.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [
                1.1115973649200121e-05,
                -1.5386711179064785e-06,
                2.0654122256279768e-08,
                1.9471793294267956e-05,
                0.0001341198784948448,
                7.510809334154885e-06,
            ],
        ),
        (
            ElementKind::Tet10,
            [10.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            [
                2.4736250346510464e-05,
                -9.725182239793385e-08,
                9.41111473035563e-10,
                6.959117107670834e-07,
                0.00030784953603582436,
                0.0,
            ],
        ),
        (ElementKind::Tet10, [0.0, 0.0, 0.0, 0.0, 0.0, 0.1], [0.0, 0.0, 0.0, 0.0, 0.0, 6.88235294117685e-05]),
    ];
    for (kind, load, expected) in cases {
        let (mesh, system) = reference_bar(kind);
        let (start, end) = (mesh.node_set("start").unwrap(), mesh.node_set("end").unwrap());
        let constraints = Constraints::default().clamp(start).tie("end", Vector3::new(0.0, 0.0, 0.12), end);
        let statics = Statics::new(&mesh, &system, &constraints).unwrap();
        let mut loads = Loads::none(&mesh, 1);
        loads.interface[0] = load;
        let solution = statics.solve(&loads).unwrap();
        for i in 0..6 {
            // Translations and rotations are measured by the largest of their kind; zeros of symmetry by rounding.
            let scale = expected[i / 3 * 3..i / 3 * 3 + 3].iter().fold(1e-9f64, |a, b| a.max(f64::abs(*b)));
            assert_close(solution.interface[0][i], expected[i], REFERENCE * scale);
        }
        if kind == ElementKind::Tet4 {
            let strain = strain_at(&mesh, 96, [0.25; 3], &solution.displacement).unwrap();
            let expected = [
                -2.2085971521915355e-06,
                3.824307342497788e-07,
                2.3305281045797458e-07,
                -1.2636825868482548e-06,
                -1.1536587564734435e-06,
                1.0366723472156846e-05,
            ];
            for (value, expected) in strain.iter().zip(expected) {
                assert_close(*value, expected, REFERENCE * 1e-5);
            }
        }
    }
}

#[test]
fn reactions_balance_traction_in_force_and_moment() {
    let mesh = tube(ElementKind::Tet10, 0.2, 0.027, 0.037, [1, 8, 4]).unwrap();
    let system = assembled(&mesh, &isotropic(1.0));
    let statics = Statics::new(&mesh, &system, &Constraints::default().clamp(mesh.node_set("start").unwrap())).unwrap();
    let mut loads = Loads::none(&mesh, 0);
    let end: Vec<_> = mesh
        .boundary()
        .unwrap()
        .into_iter()
        .filter(|f| f.nodes.iter().all(|&n| mesh.nodes()[n].z > 0.2 - 1e-9))
        .collect();
    loads.add_traction(&mesh, &end, &Vector3::new(1e5, 0.0, -3e5));
    let solution = statics.solve(&loads).unwrap();
    let resultants = |forces: &[f64]| {
        let mut sum = (Vector3::zeros(), Vector3::zeros());
        for (x, f) in mesh.nodes().iter().zip(forces.chunks_exact(3)) {
            let f = Vector3::from_column_slice(f);
            sum = (sum.0 + f, sum.1 + x.cross(&f));
        }
        sum
    };
    let (applied, reaction) = (resultants(&loads.nodal), resultants(&solution.reaction));
    assert!((applied.0 + reaction.0).norm() < 1e-9 * applied.0.norm());
    assert!((applied.1 + reaction.1).norm() < 1e-9 * applied.1.norm());
    // The curved annulus of eight quadratic sides is within 2e-4 of the round one.
    let area = std::f64::consts::PI * (0.037f64.powi(2) - 0.027f64.powi(2));
    assert_close(applied.0.x, 1e5 * area, 1e-3 * 1e5 * area);
}

/// Independent reference: cantilever tube under 500 N, converged strains at mid length within 1 %.
#[test]
fn surface_strain_of_a_bent_tube_equals_converged_values() {
    let (length, inner, outer) = (0.421, 0.027, 0.037);
    let mesh = tube(ElementKind::Tet10, length, inner, outer, [2, 32, 24]).unwrap();
    let cases = [
        (isotropic(1.0), 7.1872e-4),
        (Material::cortical_bone(), 7.3029e-4),
        (Material::cortical_bone_as_printed(), 7.1319e-4),
    ];
    for (material, tip) in cases {
        let system = assembled(&mesh, &material);
        let statics =
            Statics::new(&mesh, &system, &Constraints::default().clamp(mesh.node_set("start").unwrap())).unwrap();
        let on_end = |&n: &usize| mesh.nodes()[n].z > length - 1e-9;
        let end: Vec<_> = mesh.boundary().unwrap().into_iter().filter(|f| f.nodes.iter().all(on_end)).collect();
        let mut loads = Loads::none(&mesh, 0);
        loads.add_traction(&mesh, &end, &Vector3::x());
        let resultant: f64 = loads.nodal.iter().step_by(3).sum();
        loads.nodal.iter_mut().for_each(|f| *f *= 500.0 / resultant);
        let solution = statics.solve(&loads).unwrap();
        let end_nodes = mesh.node_set("end").unwrap();
        let mean = end_nodes.iter().map(|&n| solution.displacement[3 * n]).sum::<f64>() / end_nodes.len() as f64;
        assert_close(mean, tip, 5e-3 * tip);
        let site = Vector3::new(outer, 0.0, length / 2.0);
        let strain = mean_node_strain(&mesh, &site, &solution.displacement);
        assert_close(strain[2], -217.22e-6, 0.01 * 217.22e-6);
        assert_close(strain[1], 65.166e-6, 0.01 * 65.166e-6);
    }
}

/// Mean over the elements that meet at the node nearest to `site`.
fn mean_node_strain(mesh: &TetMesh, site: &Vector3<f64>, displacement: &[f64]) -> nalgebra::Vector6<f64> {
    let distance = |n: &usize| (mesh.nodes()[*n] - site).norm();
    let node = (0..mesh.nodes().len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
    let mut strains = Vec::new();
    for (index, element) in mesh.elements().enumerate() {
        if let Some(local) = element.iter().position(|&n| n == node) {
            let at = wolff_fem::element::tet10::NODES[local];
            strains.push(strain_at(mesh, index, at, displacement).unwrap());
        }
    }
    strains.iter().sum::<nalgebra::Vector6<f64>>() / strains.len() as f64
}

#[test]
fn strain_energy_error_falls_with_the_order_of_the_element() {
    // A clamped bar pulled at its end by gravity-like nodal loads has no corner singularity worse than the clamp, so use
    // a manufactured field instead: u = (sin, cos) on the boundary of a cube, ν = 0, interpolation decides.
    let error = |kind: ElementKind, n: usize| {
        let mesh = bar(kind, 1.0, 1.0, n, n).unwrap();
        let material = Material { elasticity: Elasticity::Isotropic { young: 1.0, poisson: 0.0 }, density: 1.0 };
        // Harmonic and divergence-free, so it is in equilibrium without body force.
        let field = |x: &Vector3<f64>| Vector3::new(x.z.exp() * x.x.cos(), 0.0, x.z.exp() * x.x.sin());
        let mut constraints = Constraints::default();
        for face in mesh.boundary().unwrap() {
            for &node in &face.nodes {
                let u = field(&mesh.nodes()[node]);
                constraints.prescribed.extend((0..3).map(|axis| (node, axis, u[axis])));
            }
        }
        let system = assembled(&mesh, &material);
        let solution = Statics::new(&mesh, &system, &constraints).unwrap().solve(&Loads::none(&mesh, 0)).unwrap();
        let mut sum = 0.0;
        for (index, element) in mesh.elements().enumerate() {
            for (at, weight) in wolff_fem::element::quadrature::degree_5() {
                let point = kind.sample(at, weight);
                let x: Vector3<f64> = element.iter().zip(point.shape).map(|(&n, s)| mesh.nodes()[n] * s).sum();
                let strain = strain_at(&mesh, index, at, &solution.displacement).unwrap();
                let exact = -x.z.exp() * x.x.sin();
                sum += weight * (strain[0] - exact).powi(2) * 6.0 / mesh.element_count() as f64;
            }
        }
        sum.sqrt()
    };
    for (kind, expected) in [(ElementKind::Tet4, 1.0), (ElementKind::Tet10, 2.0)] {
        let order = (error(kind, 3) / error(kind, 6)).log2();
        assert!((order - expected).abs() < 0.15, "{kind:?}: order {order}");
    }
}

#[test]
fn contradictory_boundary_conditions_are_refused() {
    let mesh = bar(ElementKind::Tet4, 1.0, 2.0, 1, 2).unwrap();
    let system = assembled(&mesh, &isotropic(1.0));
    let free = Statics::new(&mesh, &system, &Constraints::default());
    assert!(matches!(free.unwrap_err(), FemError::NotPositiveDefinite { .. }));
    let refuse = |constraints: Constraints, word: &str| {
        let message = DofMap::new(&mesh, &constraints).unwrap_err().to_string();
        assert!(message.contains(word), "{message}");
    };
    let end = mesh.node_set("end").unwrap();
    refuse(Constraints::default().clamp(end).tie("a", Vector3::zeros(), end), "claimed by two");
    refuse(Constraints::default().tie("a", Vector3::zeros(), &end[..2]), "interface `a` holds 2 nodes");
    refuse(Constraints::default().tie("empty", Vector3::zeros(), &[]), "interface `empty` holds 0 nodes");
    refuse(Constraints::default().clamp(&[99]), "node 99");
    refuse(Constraints { prescribed: vec![(0, 0, f64::NAN)], ..Default::default() }, "not finite");
}
