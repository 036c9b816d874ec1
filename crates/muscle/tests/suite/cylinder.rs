//! Cylinders: helices, and OpenSim's lengths.

use crate::support::*;
use crate::wrap_facts::CYLINDER;
use wolff_muscle::path::wrap::{Problem, Touch, touch};
use wolff_muscle::path::*;
use wolff_spatial::Vec3;

fn shape(size: &[f64; 3]) -> WrapSurface {
    WrapSurface::Cylinder { radius: size[0], length: size[1] }
}

fn pipe(p1: Vec3, p2: Vec3) -> Problem {
    fact_problem(&("all", "", [0.0; 3], p1.into(), p2.into(), 0.0), shape(&[0.05, 2.0, 0.0]), Construction::Shortest)
}

/// Closed forms on both sides; OpenSim's plane loses some digits where it is nearly parallel to the axis.
#[test]
fn lengths_are_those_of_opensim() {
    let worst = worst_fact(CYLINDER, shape);
    assert!(worst < 1e-9, "{worst:e}");
}

/// Unrolled, the path is straight: `L² = (s1 + r θ + s2)² + h²`, and the slope is the same all along.
#[test]
fn the_helix_is_straight_when_unrolled() {
    let (r, height) = (0.05_f64, 0.23);
    let problem = pipe(Vec3::new(-0.1, 0.02, -0.1), Vec3::new(0.08, -0.01, height - 0.1));
    let (d1, d2) = (0.1_f64.hypot(0.02), 0.08_f64.hypot(0.01));
    let between = ((-0.1 * 0.08 - 0.02 * 0.01) / (d1 * d2)).acos();
    let arc = between - (r / d1).acos() - (r / d2).acos();
    let developed = (d1 * d1 - r * r).sqrt() + r * arc + (d2 * d2 - r * r).sqrt();
    assert!((way(&problem) - developed.hypot(height)).abs() < 1e-14);

    let Touch::Through(w) = touch(&problem) else { panic!("no way") };
    let slope = |a: &Vec3, b: &Vec3| (b.z - a.z) / (b - a).xy().norm();
    let slopes = [slope(&problem.p1, &w.r1), (w.r2.z - w.r1.z) / (r * arc), slope(&w.r2, &problem.p2)];
    assert!(slopes.iter().all(|s| (s - height / developed).abs() < 1e-13), "{slopes:?}");
}

/// The helix is the shortest: OpenSim's plane is never shorter, and never longer by more than its error.
#[test]
fn the_helix_is_not_longer_than_the_plane() {
    let mut compared = 0;
    for fact in CYLINDER.iter().filter(|f| f.0 == "all") {
        let size = [fact.2[0], 10.0, 0.0];
        let helix = way(&fact_problem(fact, shape(&size), Construction::Shortest));
        let plane = way(&fact_problem(fact, shape(&size), Construction::OpenSim));
        assert!(helix <= plane + 1e-15 && plane - helix < 1e-3, "{helix} {plane}");
        compared += 1;
    }
    assert!(compared >= 3);
}

#[test]
fn a_path_beyond_both_ends_slips_off() {
    let mut problem = pipe(Vec3::new(-0.1, 0.02, 0.2), Vec3::new(0.08, -0.01, 0.3));
    assert!(matches!(touch(&problem), Touch::Through(_)));
    problem.surface = shape(&[0.05, 0.3, 0.0]);
    assert_eq!(touch(&problem), Touch::Not);
}

/// With both ends on the unwanted half the path goes round the long way, more than half a turn.
#[test]
fn a_wanted_half_can_take_more_than_half_a_turn() {
    let mut problem = pipe(Vec3::new(0.02, -0.06, 0.0), Vec3::new(-0.02, -0.06, 0.05));
    problem.quadrant = Quadrant::from_name("y");
    let Touch::Beside(w) = touch(&problem) else { panic!("no way") };
    assert!(w.arc > std::f64::consts::PI * 0.05, "{w:?}");
}
