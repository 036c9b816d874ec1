//! Ellipsoids: geodesics, and OpenSim's lengths.

use crate::support::*;
use crate::wrap_facts::{ELLIPSOID, SPHERE};
use proptest::prelude::*;
use wolff_muscle::path::wrap::{Touch, touch};
use wolff_muscle::path::*;
use wolff_spatial::Vec3;

fn shape(size: &[f64; 3]) -> WrapSurface {
    WrapSurface::Ellipsoid { radii: (*size).into() }
}

/// OpenSim sums chords of a millimetre, which is short by h²/(24 r²) of the arc, and finds touching points to about 1e-6 m.
#[test]
fn lengths_are_those_of_opensim() {
    let worst = worst_fact(ELLIPSOID, shape);
    assert!(ELLIPSOID.len() > 25 && worst < 2e-5, "{worst:e}");
}

/// An ellipsoid with equal half axes is a sphere, whose geodesics are great circles.
#[test]
fn a_round_one_is_a_sphere() {
    for fact in SPHERE.iter().filter(|f| f.0 == "all") {
        let radius = fact.2[0];
        let round = way(&fact_problem(fact, shape(&[radius; 3]), Construction::Shortest));
        let sphere = way(&fact_problem(fact, WrapSurface::Sphere { radius }, Construction::Shortest));
        assert!((round - sphere).abs() < 1e-9, "{round} {sphere}");
    }
}

/// The geodesic is tangent at both ends and not longer than the plane section that it starts from.
#[test]
fn geodesics_are_tangent_and_short() {
    for fact in ELLIPSOID.iter().filter(|f| f.0 == "all") {
        let geodesic = fact_problem(fact, shape(&fact.2), Construction::Shortest);
        let plane = way(&fact_problem(fact, shape(&fact.2), Construction::OpenSim));
        assert!(way(&geodesic) <= plane + 1e-9 && plane - way(&geodesic) < 3e-3);
        let Touch::Through(w) = touch(&geodesic) else { continue };
        let radii = Vec3::from(fact.2);
        for (r, p) in [(w.r1, geodesic.p1), (w.r2, geodesic.p2)] {
            let y = r.component_div(&radii);
            let normal = y.component_div(&radii).normalize();
            assert!((y.norm() - 1.0).abs() < 1e-7, "{:e}", y.norm() - 1.0);
            assert!(normal.dot(&(r - p).normalize()).abs() < 1e-7);
        }
    }
}

/// The length of a geodesic path changes with its ends as the directions of its straight parts say: it is stationary.
#[test]
fn geodesics_are_stationary() {
    let fact = ("all", "hybrid", [0.06, 0.035, 0.045], [0.02, 0.09, 0.03], [0.01, -0.08, -0.05], 0.0);
    let problem = fact_problem(&fact, shape(&fact.2), Construction::Shortest);
    let Touch::Through(w) = touch(&problem) else { panic!("no way") };
    let (h, u) = (1e-6, (problem.p1 - w.r1).normalize());
    for k in 0..3 {
        let moved = |h: f64| {
            let mut p = problem;
            p.p1[k] += h;
            way(&p)
        };
        let slope = (moved(h) - moved(-h)) / (2.0 * h);
        assert!((slope - u[k]).abs() < 1e-6, "{slope} {}", u[k]);
    }
}

#[test]
fn ends_inside_have_no_way() {
    let fact = ("all", "hybrid", [0.06, 0.035, 0.045], [0.02, 0.01, 0.0], [0.01, -0.08, -0.05], 0.0);
    assert_eq!(touch(&fact_problem(&fact, shape(&fact.2), Construction::OpenSim)), Touch::Inside);
}

proptest! {
    /// Random ellipsoids up to three times as long as wide, random ends: the path found is stationary (its length changes with an end as
    /// the direction there says) and as long backwards, up to the error of the numerical geodesic.
    #[test]
    fn every_geodesic_settles(
        radii in (0.02..0.06_f64, 0.03..0.06_f64),
        p1 in prop::array::uniform3(-0.15..0.15_f64),
        p2 in prop::array::uniform3(-0.15..0.15_f64),
    ) {
        let size = [radii.0, radii.1, 0.05];
        let there = fact_problem(&("all", "", size, p1, p2, 0.0), shape(&size), Construction::Shortest);
        let back = fact_problem(&("all", "", size, p2, p1, 0.0), shape(&size), Construction::Shortest);
        prop_assert!((way(&there) - way(&back)).abs() < 1e-6);
        // an end close to the surface sees a tiny horizon, whose size the difference cannot tell
        let clear = Vec3::from(p1).component_div(&Vec3::from(size)).norm() > 1.05;
        if let (Touch::Through(w), true) = (touch(&there), clear) {
            let moved = |h: f64| {
                let mut p = there;
                p.p1.x += h;
                way(&p)
            };
            let slope = (moved(1e-7) - moved(-1e-7)) / 2e-7;
            prop_assert!((slope - (there.p1 - w.r1).normalize().x).abs() < 1e-4);
        }
    }
}
