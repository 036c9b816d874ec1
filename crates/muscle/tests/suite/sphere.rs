//! Spheres: great circles, and OpenSim's lengths.

use crate::support::*;
use crate::wrap_facts::SPHERE;
use std::f64::consts::PI;
use wolff_muscle::path::wrap::{Problem, Touch, touch};
use wolff_muscle::path::*;
use wolff_spatial::Vec3;

/// Both codes use closed forms; what remains is rounding of acos.
const ROUNDING: f64 = 1e-12;

fn ball(p1: Vec3, p2: Vec3) -> Problem {
    fact_problem(
        &("all", "", [0.0; 3], p1.into(), p2.into(), 0.0),
        WrapSurface::Sphere { radius: 0.05 },
        Construction::Shortest,
    )
}

#[test]
fn lengths_are_those_of_opensim() {
    let worst = worst_fact(SPHERE, |size| WrapSurface::Sphere { radius: size[0] });
    assert!(worst < ROUNDING, "{worst:e}");
}

/// Two ends opposite each other at distance d: `2 √(d² - r²) + r (π - 2 acos(r/d))`.
#[test]
fn opposite_ends_have_the_closed_form() {
    let (r, d) = (0.05_f64, 0.13_f64);
    let away = Vec3::new(0.3, -0.5, 0.8).normalize() * d;
    // a hair beside the centre, so that the plane is defined
    let expected = 2.0 * (d * d - r * r).sqrt() + r * (PI - 2.0 * (r / d).acos());
    let found = way(&ball(away, -away + Vec3::new(1e-9, 0.0, 0.0)));
    assert!((found - expected).abs() < 1e-8, "{found} {expected}");
}

/// Through the very centre the side is free; the hint decides, without one there is still a path.
#[test]
fn through_the_centre_the_hint_decides() {
    let mut problem = ball(Vec3::new(0.1, 0.0, 0.0), Vec3::new(-0.12, 0.0, 0.0));
    for side in [Vec3::y(), -Vec3::y(), Vec3::new(0.0, 0.6, -0.8)] {
        problem.hint = Some(side * 0.05);
        let Touch::Through(w) = touch(&problem) else { panic!("no way") };
        assert!((w.r1 + w.r2).dot(&side) > 0.0);
    }
    problem.hint = None;
    assert!(way(&problem) > 0.22 && way(&problem).is_finite());
}

#[test]
fn an_end_inside_has_no_way() {
    assert_eq!(touch(&ball(Vec3::new(0.04, 0.0, 0.0), Vec3::new(-0.1, 0.01, 0.0))), Touch::Inside);
}

/// The way over a wanted half is never shorter than the free one, and is in that half.
#[test]
fn a_wanted_half_costs_length() {
    let mut problem = ball(Vec3::new(0.08, -0.03, 0.01), Vec3::new(-0.09, -0.02, 0.02));
    let free = way(&problem);
    problem.quadrant = Quadrant::from_name("y");
    let Touch::Beside(w) = touch(&problem) else { panic!("no way") };
    assert!(way(&problem) > free && w.r1.y > 0.0 && w.r2.y > 0.0);
}
