//! Layers of both bodies.

use super::*;
use crate::support::close;
use wolff_contact::foundation::{MovingLayer, ThicknessMap};

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
