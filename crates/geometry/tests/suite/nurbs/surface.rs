use super::reference::{CYLINDER_POINTS, PointRow, SPHERE_POINTS, TORUS_POINTS};
use super::support::wavy;
use wolff_geometry::nurbs::{KnotVector, NurbsSurface};
use wolff_spatial::Vec3;

/// Tolerance of the reference file.
const REFERENCE: f64 = 1e-10;

#[test]
fn points_derivatives_and_normals_match_the_reference() {
    let z = Vec3::z() * 40.0;
    let cylinder = NurbsSurface::cylinder(Vec3::zeros(), z, 12.0).unwrap();
    // the reference cylinder starts on +x
    let start = cylinder.point(0.0, 0.0).unwrap();
    let turn = wolff_spatial::Quaternion::from_rotation_vector(&(Vec3::z() * -start.y.atan2(start.x)));
    let cylinder = cylinder.transformed(&wolff_spatial::Pose::new(turn.matrix(), Vec3::zeros()));
    let cases: [(NurbsSurface, &[PointRow]); 3] = [
        (NurbsSurface::sphere(Vec3::zeros(), 25.0).unwrap(), &SPHERE_POINTS),
        (cylinder, &CYLINDER_POINTS),
        (NurbsSurface::torus(Vec3::zeros(), 30.0, 8.0).unwrap(), &TORUS_POINTS),
    ];
    for (surface, rows) in cases {
        for row in rows {
            let jet = surface.jet(row.u, row.v).unwrap();
            assert!((jet.s - Vec3::from(row.point)).norm() < REFERENCE);
            assert!((jet.su - Vec3::from(row.su)).norm() < REFERENCE, "{} {}", jet.su, Vec3::from(row.su));
            assert!((jet.sv - Vec3::from(row.sv)).norm() < REFERENCE);
            assert!((surface.normal(row.u, row.v).unwrap() - Vec3::from(row.normal)).norm() < REFERENCE);
        }
    }
}

#[test]
fn derivatives_and_curvature_match_finite_differences() {
    for rational in [false, true] {
        let surface = wavy(11, 4e-3, rational);
        // away from knots, where third derivatives jump
        for (u, v) in [(0.13, 0.21), (0.47, 0.555), (0.81, 0.93)] {
            let jet = surface.jet(u, v).unwrap();
            let h = 1e-5;
            let at = |a: f64, b: f64| surface.jet(u + a * h, v + b * h).unwrap();
            let (east, west, north, south) = (at(1.0, 0.0), at(-1.0, 0.0), at(0.0, 1.0), at(0.0, -1.0));
            let close = |a: Vec3, b: Vec3| (a - b).norm() < 1e-6 * (1.0 + b.norm());
            assert!(close((east.s - west.s) / (2.0 * h), jet.su) && close((north.s - south.s) / (2.0 * h), jet.sv));
            assert!(
                close((east.su - west.su) / (2.0 * h), jet.suu) && close((north.sv - south.sv) / (2.0 * h), jet.svv)
            );
            assert!(close((north.su - south.su) / (2.0 * h), jet.suv));
            // dn = W dx
            let w = surface.shape_operator(u, v).unwrap();
            let n = surface.normal(u, v).unwrap();
            assert!((w * n).norm() < 1e-9 * w.norm() && (w - w.transpose()).norm() < 1e-12 * w.norm());
            for (a, b, ahead, behind) in [(1.0, 0.0, east, west), (0.0, 1.0, north, south)] {
                let normal = |s: f64| surface.normal(u + s * a * h, v + s * b * h).unwrap();
                let expected = normal(1.0) - normal(-1.0);
                let predicted = w * (ahead.s - behind.s);
                assert!((expected - predicted).norm() < 1e-5 * expected.norm(), "second order in h");
            }
        }
    }
}

#[test]
fn reversing_turns_the_normal_and_the_curvature() {
    let sphere = NurbsSurface::sphere(Vec3::zeros(), 0.02).unwrap();
    let hollow = sphere.clone().reversed();
    let (u, v) = (0.3, 0.4);
    assert_eq!(sphere.normal(u, v).unwrap(), -hollow.normal(u, v).unwrap());
    let (w, opposite) = (sphere.shape_operator(u, v).unwrap(), hollow.shape_operator(u, v).unwrap());
    assert!((w + opposite).norm() < 1e-12 && (w.trace() - 100.0).abs() < 1e-9, "2/R for the ball");
    assert!((sphere.transposed().normal(v, u).unwrap() - sphere.normal(u, v).unwrap()).norm() < 1e-15);
    let larger = sphere.scaled(3.0).unwrap();
    assert!((larger.point(u, v).unwrap().norm() - 0.06).abs() < 1e-16 && sphere.scaled(f64::NAN).is_err());
}

#[test]
fn wrong_control_points_are_refused() {
    let knots = || KnotVector::uniform("patch", 1, 1).unwrap();
    let square = [Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::x() + Vec3::y()];
    let message = |points: &[Vec3], weights: Option<&[f64]>| {
        NurbsSurface::new(knots(), knots(), points, weights).unwrap_err().to_string()
    };
    assert!(message(&square[..3], None).contains("number of control points is 3"));
    assert!(message(&square, Some(&[1.0; 3])).contains("number of weights is 3"));
    assert!(message(&square, Some(&[1.0, 1.0, -2.0, 1.0])).contains("control point (1, 0): weight is -2"));
    let broken = [square[0], square[1], Vec3::repeat(f64::NAN), square[3]];
    assert!(message(&broken, None).contains("control point (1, 0)"));
    let patch = NurbsSurface::new(knots(), knots(), &square, None).unwrap();
    assert!(patch.point(f64::NAN, 0.5).is_none());
    assert_eq!(patch.point(-3.0, 9.0), patch.point(0.0, 1.0), "parameters are moved into the domain");
}
