use nalgebra::Complex;
use wolff_geometry::TriangleMesh;
use wolff_morphology::section::{Across, Moments};
use wolff_spatial::Vec3;

/// A rectangle a x b: A = ab, ∫w² dA = ab (a² - b²)/12, ∫|w|² dA = ab (a² + b²)/12, ∫w³ dA = 0.
#[test]
fn moments_of_a_rectangle() {
    let mesh = TriangleMesh::cuboid([3.0, 2.0, 5.0]).unwrap();
    let across = Across { origin: Vec3::zeros(), along: Vec3::z(), first: Vec3::x(), second: Vec3::y() };
    let triangles = (0..mesh.triangles().len()).map(|t| mesh.corners(t));
    let found = Moments::cut(triangles, &across, 0.4).unwrap();
    assert!((found.area - 6.0).abs() < 1e-12);
    assert!((found.second - Complex::new(6.0 * 5.0 / 12.0, 0.0)).norm() < 1e-12);
    assert!((found.polar - 6.0 * 13.0 / 12.0).abs() < 1e-12);
    assert!(found.third.norm() < 1e-12);
}

/// A right triangle with legs of 1: area 1/2, centroid (1/3, 1/3). It is its own mirror image about the diagonal, so
/// that `w -> i w*` changes no moment: `∫w³ dA = -i (∫w³ dA)*`, whose real and imaginary part are opposite.
#[test]
fn moments_of_a_triangle() {
    let [a, b, c] = [Complex::new(0.0, 0.0), Complex::new(1.0, 0.0), Complex::new(0.0, 1.0)];
    let found = Moments::of(&[[a, b], [b, c], [c, a]]).unwrap();
    assert!((found.area - 0.5).abs() < 1e-15);
    assert!((found.centroid - Complex::new(1.0 / 3.0, 1.0 / 3.0)).norm() < 1e-15);
    assert!((found.third.re + found.third.im).abs() < 1e-15 && found.third.norm() > 1e-4);
    let reversed = Moments::of(&[[b, a], [c, b], [a, c]]).unwrap();
    assert!((reversed.third - found.third).norm() < 1e-15, "winding does not matter");
    assert!(Moments::of(&[]).is_none() && Moments::of(&[[a, b], [b, a]]).is_none());
}

#[test]
fn axes_across_are_right_handed() {
    let across = Across::axis(Vec3::zeros(), Vec3::new(1.0, -2.0, 0.5)).unwrap();
    assert!((across.first.cross(&across.second) - across.along).norm() < 1e-12);
    assert!(Across::axis(Vec3::zeros(), Vec3::zeros()).is_none());
}
