use faer::Mat;
use nalgebra::Vector3;
use wolff_fem::craig_bampton::{CraigBampton, craig_bampton, craig_bampton_with_loads};
use wolff_fem::dofs::Constraints;
use wolff_fem::modes::ModeOptions;
use wolff_fem::solve::{Loads, Statics};
use wolff_fem::{ElementKind, TetMesh};

use crate::{assert_close, reference_bar};

/// Exactness asked of attachment modes.
const EXACT: f64 = 1e-9;

fn joints(mesh: &TetMesh) -> Constraints {
    Constraints::default().tie("start", Vector3::zeros(), mesh.node_set("start").unwrap()).tie(
        "end",
        Vector3::new(0.0, 0.0, 0.12),
        mesh.node_set("end").unwrap(),
    )
}

/// Two muscles on the shaft, and a copy, a sum and an interface load, which bring nothing new.
fn patterns(mesh: &TetMesh) -> Mat<f64> {
    let node = |z: f64| {
        let distance = |n: &usize| (mesh.nodes()[*n] - Vector3::new(0.01, 0.01, z)).norm();
        (0..mesh.nodes().len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap()
    };
    let mut loads = Mat::zeros(3 * mesh.nodes().len(), 5);
    for (axis, force) in [30.0, -10.0, 200.0].into_iter().enumerate() {
        loads[(3 * node(0.05) + axis, 0)] = force;
        loads[(3 * node(0.08) + axis, 1)] = -2.0 * force + 7.0;
    }
    for dof in 0..loads.nrows() {
        loads[(dof, 2)] = -3.0 * loads[(dof, 0)];
        loads[(dof, 3)] = loads[(dof, 0)] + 0.5 * loads[(dof, 1)];
    }
    loads[(3 * mesh.node_set("end").unwrap()[2], 4)] = 40.0;
    loads
}

/// The reduced response to a nodal load with the start held.
fn response(reduced: &CraigBampton, load: &[f64]) -> Mat<f64> {
    let load = Mat::from_fn(load.len(), 1, |i, _| load[i]);
    let forces = reduced.basis.transpose() * &load;
    let q = reduced.static_response(forces.col_as_slice(0), reduced.interface(0)).unwrap();
    &reduced.basis * Mat::from_fn(q.len(), 1, |i, _| q[i])
}

#[test]
fn static_response_to_attachment_loads_is_exact() {
    for kind in [ElementKind::Tet4, ElementKind::Tet10] {
        let (mesh, system) = reference_bar(kind);
        let loads = patterns(&mesh);
        let options = ModeOptions::default();
        let reduced = craig_bampton_with_loads(&mesh, &system, &joints(&mesh), loads.as_ref(), 6, &options).unwrap();
        let without = craig_bampton(&mesh, &system, &joints(&mesh), 6, &options).unwrap();
        assert_eq!(reduced.dependent_attachments.len(), 3);
        assert!(reduced.dependent_attachments.contains(&4), "{:?}", reduced.dependent_attachments);
        assert_eq!(reduced.stiffness.nrows(), 12 + 6 + 2);
        let supported = Constraints::default().clamp(mesh.node_set("start").unwrap()).tie(
            "end",
            Vector3::new(0.0, 0.0, 0.12),
            mesh.node_set("end").unwrap(),
        );
        let statics = Statics::new(&mesh, &system, &supported).unwrap();
        for pattern in 0..loads.ncols() {
            let mut case = Loads::none(&mesh, 1);
            case.nodal = loads.col_as_slice(pattern).to_vec();
            let full = statics.solve(&case).unwrap().displacement;
            let size = full.iter().fold(0.0f64, |a, b| a.max(b.abs()));
            let error = |reduced: &CraigBampton| {
                let u = response(reduced, loads.col_as_slice(pattern));
                full.iter().enumerate().map(|(dof, u_full)| (u[(dof, 0)] - u_full).abs()).fold(0.0, f64::max) / size
            };
            assert!(error(&reduced) < EXACT, "{kind:?}, load {pattern}: {:e}", error(&reduced));
            if pattern < 4 {
                assert!(error(&without) > 1e-3, "load {pattern} needs no attachment: {:e}", error(&without));
            }
        }
    }
}

#[test]
fn orthonormal_modes_keep_all_attachments() {
    let (mesh, system) = reference_bar(ElementKind::Tet10);
    let loads = patterns(&mesh);
    let reduced =
        craig_bampton_with_loads(&mesh, &system, &joints(&mesh), loads.as_ref(), 6, &ModeOptions::default()).unwrap();
    let modes = reduced.orthonormalise().unwrap();
    assert_eq!(modes.eigenvalues.len(), 12 + 6 + 2 - 6);
    let mass = modes.shapes.transpose() * system.mass.mul(modes.shapes.as_ref());
    for i in 0..mass.nrows() {
        for j in 0..mass.ncols() {
            assert_close(mass[(i, j)], f64::from(u8::from(i == j)), 1e-9);
        }
    }
}

#[test]
fn loads_that_do_not_fit_are_refused() {
    let (mesh, system) = reference_bar(ElementKind::Tet4);
    let refuse = |loads: Mat<f64>, word: &str| {
        let options = ModeOptions::default();
        let error = craig_bampton_with_loads(&mesh, &system, &joints(&mesh), loads.as_ref(), 2, &options);
        assert!(error.unwrap_err().to_string().contains(word));
    };
    refuse(Mat::zeros(7, 1), "7 dof");
    refuse(Mat::from_fn(3 * mesh.nodes().len(), 1, |_, _| f64::NAN), "attachment load 0");
}
