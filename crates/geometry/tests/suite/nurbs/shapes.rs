use wolff_geometry::nurbs::{NurbsCurve, NurbsSurface};
use wolff_spatial::Vec3;

fn sample() -> impl Iterator<Item = (f64, f64)> {
    (0..31).flat_map(|i| (0..31).map(move |j| (i as f64 / 30.0, j as f64 / 30.0)))
}

#[test]
fn sphere_torus_and_cylinder_are_exact() {
    let centre = Vec3::new(0.01, -0.02, 0.03);
    let sphere = NurbsSurface::sphere(centre, 0.025).unwrap();
    let torus = NurbsSurface::torus(centre, 0.03, 0.008).unwrap();
    let axis = Vec3::new(0.01, 0.02, 0.03);
    let cylinder = NurbsSurface::cylinder(centre, axis, 0.012).unwrap();
    for (u, v) in sample() {
        let r = sphere.point(u, v).unwrap() - centre;
        assert!((r.norm() - 0.025).abs() < 1e-16);
        assert!((sphere.normal(u, v).unwrap() - r / 0.025).norm() < 1e-12, "also at the poles");
        let r = torus.point(u, v).unwrap() - centre;
        assert!(((r.x.hypot(r.y) - 0.03).hypot(r.z) - 0.008).abs() < 1e-16);
        let r = cylinder.point(u, v).unwrap() - centre;
        let radial = r - axis * (axis.dot(&r) / axis.norm_squared());
        assert!((radial.norm() - 0.012).abs() < 1e-16);
        assert!((cylinder.normal(u, v).unwrap() - radial / 0.012).norm() < 1e-13);
    }
    assert_eq!(sphere.closed(1e-12), (true, false));
    assert_eq!(torus.closed(1e-12), (true, true));
    assert!(NurbsSurface::sphere(centre, f64::NAN).is_err() && NurbsSurface::torus(centre, 0.01, 0.02).is_err());
}

#[test]
fn a_loft_passes_through_its_sections() {
    // arcs of growing radius as in a condyle, each interpolated through nine points with the same parameters
    let section = |z: f64| {
        let radius = 0.02 + 2.0 * z * z + 0.1 * z;
        let point = |k: usize| {
            let angle = 0.3 * k as f64;
            Vec3::new(radius * angle.cos(), radius * angle.sin(), z)
        };
        NurbsCurve::through(&(0..9).map(point).collect::<Vec<_>>()).unwrap()
    };
    let stations = [0.0, 0.006, 0.011, 0.018, 0.024];
    let sections: Vec<NurbsCurve> = stations.iter().map(|z| section(*z)).collect();
    // the chord-length knots of similar sections agree up to rounding; give all those of the first
    let same: Vec<NurbsCurve> = sections
        .iter()
        .map(|s| {
            let points: Vec<Vec3> = s.net().iter().map(|h| Vec3::new(h[0], h[1], h[2])).collect();
            NurbsCurve::new(sections[0].knots().clone(), &points, None).unwrap()
        })
        .collect();
    let condyle = NurbsSurface::lofted(&same).unwrap();
    let (v0, v1) = condyle.knots_v().domain();
    for (v, section) in [(v0, &same[0]), (v1, &same[4])] {
        for (u, h) in [(0.0, section.net()[0]), (1.0, section.net()[8])] {
            assert!((condyle.point(u, v).unwrap() - Vec3::new(h[0], h[1], h[2])).norm() < 1e-14);
        }
    }
    // an inner section lies in its plane of constant z
    let set = super::support::set(&condyle);
    for k in 0..9 {
        let angle = 0.3 * k as f64;
        let (z, radius) = (0.011, 0.02 + 2.0 * 0.011 * 0.011 + 0.1 * 0.011);
        let p = Vec3::new(radius * angle.cos(), radius * angle.sin(), z);
        use wolff_geometry::Surface;
        assert!((set.closest(&p).unwrap().position - p).norm() < 1e-13, "a data point of the middle section");
    }
    assert!(NurbsSurface::lofted(&sections[..1]).is_err());
}

#[test]
fn an_extruded_arc_is_a_quarter_of_a_cylinder() {
    let arc = NurbsCurve::arc(Vec3::zeros(), Vec3::x() * 0.02, Vec3::y() * 0.02, 1).unwrap();
    let sheet = NurbsSurface::extruded(&arc, Vec3::z() * 0.05).unwrap();
    for (u, v) in sample() {
        let p = sheet.point(u, v).unwrap();
        assert!((p.x.hypot(p.y) - 0.02).abs() < 1e-16 && (p.z - 0.05 * v).abs() < 1e-16);
        let w = sheet.shape_operator(u, v).unwrap();
        assert!((w.trace() - 50.0).abs() < 1e-9 && w.determinant().abs() < 1e-9, "curvatures 1/R and 0");
    }
}
