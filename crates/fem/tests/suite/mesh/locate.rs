use nalgebra::Vector3;
use wolff_fem::ElementKind;
use wolff_fem::generate::bar;
use wolff_fem::locate::Locator;

use crate::{SHANK, field, shank};

/// On the curved surface: distance, position and normal of a round tube.
#[test]
fn points_are_projected_on_the_round_surface() {
    let mesh = shank([1, 16, 8]).0;
    let locator = Locator::new(&mesh).unwrap();
    let outer = SHANK[2];
    // A quadratic arc through three points h apart on a circle is inside it by up to (1 - cos h)²/8.
    let sag = (1.0 - (std::f64::consts::PI / 16.0).cos()).powi(2) / 8.0;
    for (angle, z) in [(0.1f64, 0.2), (1.3, 0.05), (2.9, 0.333), (-2.0, 0.21)] {
        let radial = Vector3::new(angle.cos(), angle.sin(), 0.0);
        let found = locator.on_surface(&(radial * 0.04 + Vector3::z() * z)).unwrap();
        assert!((found.distance - (0.04 - outer)).abs() < 1.01 * sag * outer, "{}", found.distance);
        assert!((found.position - radial * outer - Vector3::z() * z).norm() < 1e-4 * outer);
        assert!((locator.normal(&found).unwrap() - radial).norm() < 5e-3);
    }
    // In the last row of faces, whose rim has no normal of its own.
    let rim = locator.on_surface(&Vector3::new(0.0, 0.04, 0.001)).unwrap();
    assert!((locator.normal(&rim).unwrap() - Vector3::y()).norm() < 5e-3);
    let inwards = locator.on_surface(&Vector3::new(0.026, 0.0, 0.2)).unwrap();
    assert!((locator.normal(&inwards).unwrap() + Vector3::x()).norm() < 5e-3);
}

/// Inside: the weights reproduce position and any quadratic displacement.
#[test]
fn points_inside_are_found() {
    let mesh = bar(ElementKind::Tet10, 0.02, 0.12, 2, 6).unwrap();
    let locator = Locator::new(&mesh).unwrap();
    let quadratic = |x: &Vector3<f64>| Vector3::new(x.z * x.x, x.y * x.y - x.z, x.x + 2.0 * x.z * x.z);
    let u = field(&mesh, quadratic);
    for point in [Vector3::new(0.003, -0.0071, 0.0333), Vector3::new(0.0, 0.0, 0.06), Vector3::new(0.01, 0.01, 0.12)] {
        let found = locator.inside(&point).unwrap();
        let position: Vector3<f64> = found.weights.iter().map(|&(node, w)| mesh.nodes()[node] * w).sum();
        assert!((position - point).norm() < 1e-15 * 10.0 && found.distance == 0.0);
        assert!((found.displacement(&u) - quadratic(&point)).norm() < 1e-15 * 10.0);
    }
    let outside = Vector3::new(0.05, 0.004, 0.03);
    assert!(locator.inside(&outside).is_none());
    let nearest = locator.nearest(&outside).unwrap();
    assert!((nearest.position - Vector3::new(0.01, 0.004, 0.03)).norm() < 1e-12);
    assert!(locator.on_surface(&Vector3::new(f64::NAN, 0.0, 0.0)).is_err());
    let (node, distance) = locator.nearest_node(&Vector3::new(0.011, 0.01, 0.12)).unwrap();
    assert!((mesh.nodes()[node] - Vector3::new(0.01, 0.01, 0.12)).norm() < 1e-15 && (distance - 0.001).abs() < 1e-15);
    // 3D interior nodes are not on the surface.
    assert!(locator.surface_nodes().len() < mesh.nodes().len());
}
