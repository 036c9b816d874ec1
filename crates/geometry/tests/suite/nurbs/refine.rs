use super::support::wavy;
use wolff_geometry::nurbs::{Direction, KnotVector, NurbsSurface};
use wolff_spatial::Vec3;

/// Rounding of positions of size 0.2 m.
const ROUNDING: f64 = 1e-15;

fn sample() -> impl Iterator<Item = (f64, f64)> {
    (0..21).flat_map(|i| (0..21).map(move |j| (i as f64 / 20.0, j as f64 / 20.0)))
}

fn largest_difference(a: &NurbsSurface, b: &NurbsSurface) -> f64 {
    sample().map(|(u, v)| (a.point(u, v).unwrap() - b.point(u, v).unwrap()).norm()).fold(0.0, f64::max)
}

#[test]
fn knot_insertion_leaves_the_surface_unchanged() {
    let surface = wavy(3, 4e-3, true);
    let finer = surface.with_knot(Direction::U, 0.35).unwrap().with_knot(Direction::V, 0.35).unwrap();
    let finer = finer.with_knot(Direction::U, 0.35).unwrap();
    assert_eq!(finer.knots_u().control_count(), surface.knots_u().control_count() + 2);
    assert!(largest_difference(&surface, &finer) < ROUNDING);
    assert!(surface.with_knot(Direction::U, 1.0).is_err() && surface.with_knot(Direction::U, f64::NAN).is_err());
}

#[test]
fn bezier_pieces_are_the_surface() {
    for rational in [false, true] {
        let surface = wavy(4, 4e-3, rational);
        let pieces = surface.bezier_pieces();
        assert_eq!(pieces.len(), 12 * 17);
        for piece in &pieces {
            for (a, b) in [(0.0, 0.0), (0.3, 0.8), (1.0, 0.5)] {
                let jet = piece.jet(a, b);
                let [(u0, u1), (v0, v1)] = piece.ranges();
                let (wide, high) = (u1 - u0, v1 - v0);
                let expected = surface.jet(u0 + a * wide, v0 + b * high).unwrap();
                assert!((jet.s - expected.s).norm() < ROUNDING);
                assert!((jet.su - expected.su * wide).norm() < 20.0 * ROUNDING);
                // at the end of a piece the third derivative jumps, the second does not
                assert!((jet.suv - expected.suv * (wide * high)).norm() < 100.0 * ROUNDING);
                assert!((jet.svv - expected.svv * (high * high)).norm() < 100.0 * ROUNDING);
            }
        }
    }
}

#[test]
fn unclamped_knots_and_other_degrees_are_cut_exactly() {
    // periodic-style knots in u (degree 4), degree 1 in v
    let u = KnotVector::new("ring", 4, (0..12).map(|k| k as f64 * 0.1).collect()).unwrap();
    let v = KnotVector::uniform("ring", 1, 2).unwrap();
    let points: Vec<Vec3> =
        (0..21).map(|k| Vec3::new((k as f64).sin(), (k as f64 * 0.7).cos(), k as f64 * 0.1)).collect();
    let surface = NurbsSurface::new(u, v, &points, None).unwrap();
    let pieces = surface.bezier_pieces();
    assert_eq!(pieces.len(), 3 * 2);
    for piece in pieces {
        for (a, b) in [(0.0, 0.2), (0.4, 0.9), (1.0, 1.0)] {
            let jet = piece.jet(a, b);
            let [(u0, u1), (v0, v1)] = piece.ranges();
            let (u, v) = (u0 + a * (u1 - u0), v0 + b * (v1 - v0));
            assert!((jet.s - surface.point(u, v).unwrap()).norm() < 1e-14, "coordinates of size 2");
        }
    }
}

#[test]
fn split_parts_cover_the_surface() {
    let surface = wavy(5, 4e-3, false);
    let parts = surface.split(4, 3).unwrap();
    assert_eq!(parts.len(), 12);
    for (u, v) in sample() {
        let part = parts.iter().find(|part| {
            let ((u0, u1), (v0, v1)) = (part.knots_u().domain(), part.knots_v().domain());
            u0 <= u && u <= u1 && v0 <= v && v <= v1
        });
        let position = part.unwrap().point(u, v).unwrap();
        assert!((position - surface.point(u, v).unwrap()).norm() < ROUNDING);
    }
    assert!(surface.part(Direction::U, (0.5, 0.2)).is_err() && surface.split(0, 3).is_err());
}
