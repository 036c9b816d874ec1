//! Layers of both bodies.

use super::*;
use crate::support::close;
use wolff_contact::foundation::{Back, MovingLayer, ThicknessMap};
use wolff_geometry::nurbs::{KnotVector, NurbsPatchSet, NurbsSurface};

#[test]
fn thicknesses_add_and_materials_are_in_series() {
    let law = LayerMaterial::linear(4.0 * MPA, 0.45, Strain::Large).unwrap();
    let force = |h: f64, s: FoundationSettings| {
        at(&pair(flat_layer(20, 8.0 * MM, h), ball(25.0 * MM), law, s), &Pose::translation(Vec3::z() * 24.5 * MM))
            .total
            .on_moving
            .f
            .z
    };
    let rigid = vertical(Rule::Adaptive);
    let both = FoundationSettings { moving_layer: MovingLayer::Constant(1.5 * MM), ..rigid.clone() };
    close(force(2.5 * MM, both.clone()), force(4.0 * MM, rigid.clone()), 1e-12, "one material");
    // three times as soft: counts three times
    let soft = LayerMaterial::linear(4.0 / 3.0 * MPA, 0.45, Strain::Large).unwrap();
    let series = FoundationSettings { moving_material: Some(soft), ..both };
    close(force(2.5 * MM, series), force(7.0 * MM, rigid), 1e-12, "two materials");
}

#[test]
fn thickness_map_is_bilinear() {
    let f = |u: f64, v: f64| 1.0 + 0.5 * u - 0.25 * v + 0.125 * u * v;
    let (us, vs) = ([0.0, 1.0, 2.0], [-1.0, 1.0]);
    let values = us.iter().flat_map(|u| vs.iter().map(move |v| f(*u, *v))).collect();
    let map = ThicknessMap::new((0.0, 2.0), (-1.0, 1.0), (3, 2), values).unwrap();
    for (u, v) in [(0.0, -1.0), (0.3, 0.2), (1.7, -0.6), (2.0, 1.0)] {
        close(map.at(u, v), f(u, v), 1e-14, "bilinear");
    }
    close(map.at(5.0, -9.0), f(2.0, -1.0), 1e-14, "beyond the ends");
    assert!(ThicknessMap::new((0.0, 2.0), (-1.0, 1.0), (3, 2), vec![1.0; 5]).is_err());
    assert!(ThicknessMap::new((0.0, 2.0), (-1.0, 1.0), (1, 2), vec![1.0; 2]).is_err());
    assert!(ThicknessMap::new((0.0, 2.0), (-1.0, 1.0), (2, 1), vec![f64::NAN; 2]).is_err());
    let layer = MovingLayer::Map(vec![map]);
    let place = wolff_geometry::Place { patch: 0, u: 0.3, v: 0.2 };
    close(layer.at(&place), f(0.3, 0.2), 1e-14, "on its patch");
    assert_eq!(layer.at(&wolff_geometry::Place { patch: 1, ..place }), 0.0);
}

/// A NURBS plate facing down, 24 by 24 mm about the origin, u along x and v along y.
fn plate() -> NurbsPatchSet {
    let knots = || KnotVector::new("plate", 1, vec![0.0, 0.0, 0.4, 1.0, 1.0]).unwrap();
    let at = |t: f64| (t - 0.5) * 24.0 * MM;
    let points: Vec<Vec3> =
        [0.0, 0.4, 1.0].iter().flat_map(|u| [0.0, 0.4, 1.0].map(|v| Vec3::new(at(*u), at(v), 0.0))).collect();
    let surface = NurbsSurface::new(knots(), knots(), &points, None).unwrap().reversed();
    NurbsPatchSet::new(&[surface], 1e-6).unwrap()
}

/// Wedges on both bodies under an even overlap d: `F = k d b/s ln((H + s l)/(H - s l))`, H the mean thickness of both
/// together, s slope of both, b and 2 l width and length.
#[test]
fn wedges_of_both_bodies_carry_their_closed_form() {
    let (slope_f, slope_m, h_f, h_m, d, l) = (0.15, -0.05, 3.0 * MM, 2.0 * MM, 0.1 * MM, 6.0 * MM);
    let law = polyethylene(Strain::Small);
    let floor = Plane::new(Vec3::zeros(), Vec3::z()).unwrap();
    let below = Plane::new(-Vec3::z() * h_f, Vec3::new(slope_f, 0.0, 1.0)).unwrap();
    let surface = ElementSurface::Plane { origin: Vec3::zeros(), normal: Vec3::z(), along: Vec3::x() };
    let grid = |n: usize| Grid { surface, first: (-l, l), second: (-l, l), counts: (n, 3) };
    let layer = LayerThickness::ToBack { back: &below, reach: 0.05, least: 0.0 };
    let set = |n: usize| grid(n).project("wedge", &floor, (-1.0, 1.0), &layer).unwrap();
    let front = plate();
    let above = Plane::new(Vec3::z() * h_m, Vec3::new(-slope_m, 0.0, 1.0)).unwrap();
    let back = Back { surface: &above, reach: 0.05, least: 0.0 };
    let (measured, without) = MovingLayer::to_back(&front, &back, 3).unwrap();
    assert_eq!(without, 0.0);
    // the same wedge as a map over the parameters of the surface
    let samples = [0.0, 1.0].map(|u| h_m + slope_m * (u - 0.5) * 24.0 * MM);
    let values = vec![samples[0], samples[0], samples[1], samples[1]];
    let map = ThicknessMap::new((0.0, 1.0), (0.0, 1.0), (2, 2), values).unwrap();
    let mapped = MovingLayer::over_parameters(&front, &[(0, map)]).unwrap();
    let (mean, slope) = (h_f + h_m, slope_f + slope_m);
    let k = law.modulus_at_rest();
    let exact = k * d * 2.0 * l / slope * ((mean + slope * l) / (mean - slope * l)).ln();
    let peak = k * d / (mean - slope * l);
    let front: Arc<dyn Surface> = Arc::new(front);
    for moving_layer in [measured, mapped] {
        let s = FoundationSettings { moving_layer, ..vertical(Rule::Adaptive) };
        let pressed = Pose::translation(-Vec3::z() * d);
        let on = |n: usize| at(&pair(set(n), front.clone(), law, s.clone()), &pressed).total;
        let errors = [12, 24, 48].map(|n| (on(n).normal_force / exact - 1.0).abs());
        println!("force of {exact}: {errors:?}, peak {} of {peak}", on(12).peak_pressure);
        // the moving layer is even over an element: second order
        assert!(errors[0] < 1e-4 && errors[2] < errors[0] / 12.0, "{errors:?}");
        // the largest strain is at the rim of the first element, where both thicknesses are asked for
        close(on(12).peak_pressure, peak, 1e-9, "peak of two wedges");
    }
    // a wedge of the fixed body alone is described within elements: three of them are enough
    let result = at(&pair(set(3), front, law, vertical(Rule::Adaptive)), &Pose::translation(-Vec3::z() * d)).total;
    let exact = k * d * 2.0 * l / slope_f * ((h_f + slope_f * l) / (h_f - slope_f * l)).ln();
    close(result.normal_force, exact, 1e-4, "force of one wedge");
    close(result.peak_pressure, k * d / (h_f - slope_f * l), 1e-9, "peak of one wedge");
}

/// Under a ball over a wedge the largest strain is not where the overlap is largest.
#[test]
fn peak_is_where_the_strain_is_largest() {
    let (slope, h, delta) = (0.3, 3.0 * MM, 0.2 * MM);
    let law = polyethylene(Strain::Small);
    let floor = Plane::new(Vec3::zeros(), Vec3::z()).unwrap();
    let below = Plane::new(-Vec3::z() * h, Vec3::new(slope, 0.0, 1.0)).unwrap();
    let surface = ElementSurface::Plane { origin: Vec3::zeros(), normal: Vec3::z(), along: Vec3::x() };
    let layer = LayerThickness::ToBack { back: &below, reach: 0.05, least: 0.0 };
    // the overlap along z over the thickness along x, sampled
    let strain = |x: f64| ((0.03f64.powi(2) - x * x).sqrt() - 0.03 + delta) / (h + slope * x);
    let exact = (0..40001).map(|k| strain((k as f64 / 20000.0 - 1.0) * 4.0 * MM)).fold(0.0, f64::max);
    assert!(exact > 1.02 * strain(0.0), "{exact} beside {}", strain(0.0));
    for n in [6, 7, 8, 9, 20] {
        let half = 5.0 * MM;
        let grid = Grid { surface, first: (-half, half), second: (-half, half), counts: (n, n) };
        let set = grid.project("wedge", &floor, (-1.0, 1.0), &layer).unwrap();
        let result = at(&pair(set, ball(30.0 * MM), law, vertical(Rule::Adaptive)), &pressed(delta, 0.0, 0.0)).total;
        println!("n = {n}: {} of {exact}", result.peak_strain);
        close(result.peak_strain, exact, 1e-4, "largest strain");
    }
}

#[test]
fn what_is_no_map_or_back_is_refused() {
    let points = |us: [f64; 3]| -> Vec<[f64; 3]> {
        us.iter().flat_map(|u| [0.0, 1.0].map(|v| [*u, v, 1e-3 * (1.0 + u + v)])).collect()
    };
    let map = ThicknessMap::through(&points([2.0, 0.0, 1.0])).unwrap();
    close(map.at(1.5, 0.5), 3.0e-3, 1e-12, "points in any order");
    let said = |points: &[[f64; 3]]| ThicknessMap::through(points).unwrap_err().to_string();
    assert!(said(&points([0.0, 0.5, 2.0])).contains("evenly"));
    assert!(said(&points([0.0, 1.0, 2.0])[1..]).contains("one point for each"));
    assert!(said(&[]).contains("at least two"));
    assert!(said(&[[f64::NAN; 3]]).contains("finite"));
    let back = |z: f64| Plane::new(Vec3::z() * z, Vec3::z()).unwrap();
    let to = |front: &dyn Surface, z: f64| {
        let back = back(z);
        MovingLayer::to_back(front, &Back { surface: &back, reach: 0.01, least: 0.0 }, 3).map(|_| ())
    };
    assert!(to(&plate(), 1.0 * MM).is_ok());
    assert!(to(&plate(), -MM).unwrap_err().to_string().contains("one frame"), "behind is in front");
    assert!(to(&*ball(30.0 * MM), 0.0).unwrap_err().to_string().contains("triangles or NURBS"));
    let flat = ThicknessMap::new((0.0, 1.0), (0.0, 1.0), (2, 2), vec![0.0; 4]).unwrap();
    assert!(MovingLayer::over_parameters(&plate(), &[(1, flat)]).unwrap_err().to_string().contains("surface"));
}
