use wolff_geometry::nurbs::{Base, NurbsPatchSet, fit_mesh};
use wolff_geometry::{Surface, TriangleMesh};
use wolff_spatial::Vec3;

/// Around the z axis, seen from above.
const DOWNWARDS: Base = Base::Cylinder {
    origin: Vec3::new(0.0, 0.0, 0.0),
    axis: Vec3::new(0.0, 0.0, 1.0),
    start: Vec3::new(0.0, 1.0, 0.0),
};

/// The lower half of a ball of 30 mm, seen from an axis through its middle.
#[test]
fn half_a_ball_becomes_smooth() {
    let ball = TriangleMesh::icosphere(0.03, 4).unwrap();
    let fit = fit_mesh(&ball, &DOWNWARDS, |x| x.y < 0.0, 2e-5).unwrap();
    assert!(fit.errors.max <= 2e-5, "{:?}", fit.errors);
    let set = NurbsPatchSet::new(&[fit.surface], 1e-9).unwrap().with_mask(0, fit.mask).unwrap();
    for (x, z) in [(0.0, 0.0), (0.012, 0.004), (-0.009, -0.015), (0.004, 0.018)] {
        let out = Vec3::new(x, -(9e-4_f64 - x * x - z * z).sqrt(), z) / 0.03;
        let point = set.closest(&(out * 0.031)).unwrap();
        assert!(!point.on_rim && (point.position - out * 0.03).norm() < 1e-4);
        assert!(point.normal.dot(&out) > 0.999, "outwards");
    }
    // where the mesh has no vertex that counts, there is no surface
    assert!(set.closest(&Vec3::new(0.0, 0.031, 0.0)).unwrap().on_rim);
}

#[test]
fn too_few_vertices_are_refused() {
    let ball = TriangleMesh::icosphere(0.03, 2).unwrap();
    let refused = fit_mesh(&ball, &DOWNWARDS, |x| x.y < -0.029, 1e-5).unwrap_err();
    assert!(refused.to_string().contains("at least 32"), "{refused}");
}

/// A dish that ends in a rim of a small radius, with a notch: the rim is left out, the notch bridged and masked, and nothing that
/// exists is off the mesh; three millimetres inside the rim nothing ripples.
#[test]
fn a_sharp_rim_does_not_spoil_the_surface_inside() {
    // a hollow of 40 mm, whose rim falls off from 16 mm on with a radius of 0.5 mm
    let height = |r: f64| {
        let off = (r - 0.016).max(0.0);
        0.5 * r * r / 0.04 + (2.5e-7_f64 - off * off).max(0.0).sqrt() - 5e-4
    };
    let (steps, size) = (60, 0.034 / 60.0);
    let at = |k: usize| -0.017 + size * k as f64;
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (i, j) in (0..=steps).flat_map(|i| (0..=steps).map(move |j| (i, j))) {
        let (x, z) = (at(i), at(j));
        vertices.push(Vec3::new(x, height(x.hypot(z)), z));
    }
    for (i, j) in (0..steps).flat_map(|i| (0..steps).map(move |j| (i, j))) {
        let notch = at(i) > 0.008 && at(j).abs() < 0.003;
        if at(i + 1).abs().max(at(i).abs()).hypot(at(j).abs().max(at(j + 1).abs())) < 0.0169 && !notch {
            let k = |di: usize, dj: usize| ((i + di) * (steps + 1) + j + dj) as u32;
            triangles.extend([[k(0, 0), k(0, 1), k(1, 0)], [k(1, 0), k(0, 1), k(1, 1)]]);
        }
    }
    let dish = TriangleMesh::cleaned(vertices, triangles, true).unwrap().mesh;
    let fit = fit_mesh(&dish, &Base::Plane { x: Vec3::z(), y: Vec3::x() }, |_| true, 5e-6).unwrap();
    assert!(fit.left_out > 0 && fit.errors.max <= 5e-6, "{} left out, {:?}", fit.left_out, fit.errors);
    let set = NurbsPatchSet::new(&[fit.surface], 1e-9).unwrap().with_mask(0, fit.mask).unwrap();
    let down = |x: f64, z: f64| set.ray(&Vec3::new(x, 0.02, z), &-Vec3::y(), (0.0, 0.05));
    assert!(down(0.012, 0.0).is_none(), "the notch is open");
    for (x, z) in [(0.0, 0.0), (0.005, 0.0), (-0.01, 0.004), (0.003, -0.0125), (0.01, 0.008), (-0.0125, 0.0)] {
        let hit = down(x, z).unwrap();
        assert!((hit.point.position.y - height(x.hypot(z))).abs() < 5e-6, "at {x}, {z}: {:?}", hit.point.position);
        assert!(hit.point.normal.y > 0.9, "upwards");
        // both curvatures of the hollow are near -1/40 mm
        let W = set.shape_operator(&hit.point.place);
        assert!((W.trace() + 2.0 / 0.04).abs() < 10.0, "at {x}, {z}: {} 1/m", W.trace());
    }
}
