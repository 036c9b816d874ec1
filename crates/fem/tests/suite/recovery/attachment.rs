use nalgebra::Vector3;
use wolff_fem::attachment::{Attachment, Patch, PointSpec};
use wolff_fem::locate::Locator;
use wolff_fem::recovery::Recovery;

use crate::{field, shank};

fn at(mesh: &wolff_fem::TetMesh, patch: Patch) -> Result<Attachment, wolff_fem::FemError> {
    let spec = PointSpec { name: "soleus".into(), position: Vector3::new(0.045, 0.003, 0.2), patch };
    Attachment::new(&spec, &Recovery::new(mesh), &Locator::new(mesh).unwrap())
}

/// A rigid motion is found exactly, whatever the patch and though the point is off the surface.
#[test]
fn rigid_motion_is_followed() {
    let mesh = shank([1, 8, 8]).0;
    let (shift, turn) = (Vector3::new(0.1, -0.2, 0.3), Vector3::new(0.02, 0.01, -0.03));
    let u = field(&mesh, |x| shift + turn.cross(x));
    for patch in [Patch::Nearest, Patch::Within(0.03), Patch::Nodes(vec![3, 90])] {
        let point = at(&mesh, patch).unwrap();
        let (moved, turned) = point.motion(|node| Vector3::from_column_slice(&u[3 * node..3 * node + 3]));
        assert!((moved - shift - turn.cross(&point.position)).norm() < 1e-13);
        assert!((turned - turn).norm() < 1e-12);
        let shapes = faer::Mat::from_fn(u.len(), 1, |i, _| u[i]);
        let node = point.node(shapes.as_ref());
        assert!(
            (node.translation.column(0) - moved).norm() < 1e-15 && (node.rotation.column(0) - turned).norm() < 1e-15
        );
    }
}

/// Loads and motions do the same work: `fᵀ u = F · U + T · θ` for any displacement.
#[test]
fn loads_do_the_work_of_the_motion() {
    let mesh = shank([1, 8, 8]).0;
    let point = at(&mesh, Patch::Within(0.03)).unwrap();
    let load = [3.0, -5.0, 7.0, 0.2, 0.4, -0.1];
    let mut nodal = vec![0.0; 3 * mesh.nodes().len()];
    point.add_load(&load, &mut nodal);
    let u: Vec<f64> = (0..nodal.len()).map(|i| (0.31 * (i * i) as f64).sin()).collect();
    let (moved, turned) = point.motion(|node| Vector3::from_column_slice(&u[3 * node..3 * node + 3]));
    let work: f64 = nodal.iter().zip(&u).map(|(f, u)| f * u).sum();
    let expected = moved.dot(&Vector3::new(3.0, -5.0, 7.0)) + turned.dot(&Vector3::new(0.2, 0.4, -0.1));
    assert!((work - expected).abs() < 1e-12 * expected.abs().max(1.0));
}

#[test]
fn empty_patches_are_refused() {
    let mesh = shank([1, 8, 8]).0;
    for patch in [Patch::Within(1e-3), Patch::Nodes(vec![]), Patch::Nodes(vec![usize::MAX]), Patch::Within(f64::NAN)] {
        assert!(at(&mesh, patch).unwrap_err().to_string().contains("soleus"));
    }
}
