use faer::Mat;
use nalgebra::Vector3;
use wolff_fem::ElementKind;
use wolff_fem::assembly::assemble;
use wolff_fem::generate::bar;
use wolff_fem::material::MaterialField;

use crate::{assert_close, distort, isotropic};

/// Independent reference: traces of the explicit bar meshes, and consistent inertia = exact inertia.
#[test]
fn traces_of_the_bars_equal_reference() {
    let cases = [
        (ElementKind::Tet4, 2, 8, 84389743589.74358, 0.1152),
        (ElementKind::Tet10, 1, 5, 106973589743.58972, 0.1481142857142857),
    ];
    for (kind, across, along, k_trace, m_trace) in cases {
        let mesh = bar(kind, 0.02, 0.12, across, along).unwrap();
        let system = assemble(&mesh, &MaterialField::uniform(&mesh, &isotropic(2000.0)).unwrap()).unwrap();
        assert_close(system.stiffness.trace(), k_trace, 1e-12 * k_trace);
        assert_close(system.mass.trace(), m_trace, 1e-12 * m_trace);
        // Spinning about x through the centre: 2 T / ω² is the moment of inertia.
        let mut spin = Mat::zeros(3 * mesh.nodes().len(), 1);
        for (node, x) in mesh.nodes().iter().enumerate() {
            let v = Vector3::x().cross(&(x - Vector3::new(0.0, 0.0, 0.06)));
            for axis in 0..3 {
                spin[(3 * node + axis, 0)] = v[axis];
            }
        }
        let momentum = system.mass.mul(spin.as_ref());
        let inertia = (spin.transpose() * momentum)[(0, 0)];
        assert_close(inertia, 1.184e-4, 1e-12 * 1.184e-4);
    }
}

#[test]
fn stiffness_is_symmetric_and_free_of_rigid_forces_on_a_curved_mesh() {
    let mesh = bar(ElementKind::Tet10, 1.0, 2.0, 2, 3).unwrap().mapped(distort).unwrap();
    let system = assemble(&mesh, &MaterialField::uniform(&mesh, &isotropic(1.0)).unwrap()).unwrap();
    let n = 3 * mesh.nodes().len();
    let spin = Vector3::new(0.3, -0.2, 0.5);
    let rigid = Mat::from_fn(n, 1, |i, _| (Vector3::new(1.0, 2.0, -1.0) + spin.cross(&mesh.nodes()[i / 3]))[i % 3]);
    let force = system.stiffness.mul(rigid.as_ref());
    let scale = system.stiffness.values().iter().fold(0.0f64, |a, b| a.max(b.abs()));
    assert!(force.norm_max() < 1e-13 * scale, "{:e}", force.norm_max() / scale);
}

#[test]
fn the_same_bytes_come_out_every_time() {
    let mesh = bar(ElementKind::Tet10, 0.02, 0.12, 4, 24).unwrap();
    let field = MaterialField::uniform(&mesh, &isotropic(2000.0)).unwrap();
    let (first, second) = (assemble(&mesh, &field).unwrap(), assemble(&mesh, &field).unwrap());
    assert_eq!(first, second);
}

#[test]
fn inverted_element_is_named() {
    let mesh = bar(ElementKind::Tet4, 1.0, 1.0, 1, 1).unwrap().mapped(|x| Vector3::new(-x.x, x.y, x.z)).unwrap();
    let field = MaterialField::uniform(&mesh, &isotropic(1.0)).unwrap();
    assert!(assemble(&mesh, &field).unwrap_err().to_string().contains("element 0 is inverted"));
}
