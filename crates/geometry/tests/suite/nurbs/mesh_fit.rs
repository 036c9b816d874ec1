use wolff_geometry::nurbs::{NurbsPatchSet, fit_around_axis};
use wolff_geometry::{Surface, TriangleMesh};
use wolff_spatial::Vec3;

/// The lower half of a ball of 30 mm, seen from an axis through its middle.
#[test]
fn half_a_ball_becomes_smooth() {
    let ball = TriangleMesh::icosphere(0.03, 4).unwrap();
    let fit = fit_around_axis(&ball, (Vec3::zeros(), Vec3::z()), |x| x.y < 0.0, 2e-5).unwrap();
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
    let refused = fit_around_axis(&ball, (Vec3::zeros(), Vec3::z()), |x| x.y < -0.029, 1e-5).unwrap_err();
    assert!(refused.to_string().contains("at least 32"), "{refused}");
}
