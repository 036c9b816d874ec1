//! Rings: OpenSim's lengths, and the path stays in the hole.

use crate::support::*;
use crate::wrap_facts::TORUS;
use wolff_muscle::path::wrap::{Touch, touch};
use wolff_muscle::path::*;
use wolff_spatial::Vec3;

fn shape(size: &[f64; 3]) -> WrapSurface {
    WrapSurface::Torus { ring_radius: size[0], tube_radius: size[1] }
}

/// OpenSim's search for the closest point of the ring stops at 1e-4 of its way; the length feels less than a micrometre of it.
#[test]
fn lengths_are_those_of_opensim() {
    let worst = worst_fact(TORUS, shape);
    assert!(worst < 1e-6, "{worst:e}");
}

/// A path that would cut the tube is drawn into the hole; touching points are on the tube's cylinder.
#[test]
fn the_path_runs_through_the_hole() {
    let fact = ("all", "", [0.05, 0.01, 0.0], [0.065, 0.01, 0.08], [0.06, -0.02, -0.07], 0.0);
    let problem = fact_problem(&fact, shape(&fact.2), Construction::Shortest);
    let Touch::Beside(w) = touch(&problem) else { panic!("no way") };
    assert!(w.length(&problem.p1, &problem.p2) > (problem.p2 - problem.p1).norm());
    assert!(w.r1.xy().norm() < 0.05 && w.r2.xy().norm() < 0.05, "{w:?}");
}

#[test]
fn a_path_in_the_middle_of_the_hole_is_straight() {
    let fact = ("all", "", [0.05, 0.01, 0.0], [0.005, 0.01, 0.08], [0.01, -0.02, -0.07], 0.0);
    assert_eq!(touch(&fact_problem(&fact, shape(&fact.2), Construction::Shortest)), Touch::Not);
}

/// Over the middle of the ring no point of it is the closest; nothing breaks.
#[test]
fn the_axis_itself_is_straight() {
    for construction in [Construction::Shortest, Construction::OpenSim] {
        let fact = ("x", "", [0.05, 0.01, 0.0], [0.0, 0.0, 0.08], [0.0, 0.0, -0.07], 0.0);
        let problem = fact_problem(&fact, shape(&fact.2), construction);
        assert!((way(&problem) - (Vec3::from(fact.3) - Vec3::from(fact.4)).norm()).abs() < 1e-12);
    }
}
