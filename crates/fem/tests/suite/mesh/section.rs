use std::f64::consts::PI;

use nalgebra::Vector3;
use wolff_fem::ElementKind;
use wolff_fem::generate::{bar, tube};
use wolff_fem::section::{section_of_faces, section_properties};

use crate::{assert_close, assert_relative};

/// Chords of curved faces divided in sixteen: (2π / (16·16))² / 6 of the area of a circle of 16 faces, doubled for
/// fourth powers.
const CHORDS: f64 = 3e-4;

#[test]
fn section_of_a_tube_is_that_of_two_circles() {
    let (inner, outer) = (0.027f64, 0.037f64);
    let mesh = tube(ElementKind::Tet10, 0.421, inner, outer, [1, 16, 8]).unwrap();
    // Between nodes, and exactly through a layer of nodes.
    for height in [0.2, 0.421 * 0.5] {
        let cut = section_properties(&mesh, &Vector3::new(0.01, 0.0, height), [Vector3::x(), Vector3::y()]).unwrap();
        let second = PI / 4.0 * (outer.powi(4) - inner.powi(4));
        let moments = cut.second_moments;
        assert_relative(&[cut.area], &[PI * (outer.powi(2) - inner.powi(2))], CHORDS);
        assert_relative(&[moments[(0, 0)], moments[(1, 1)]], &[second, second], CHORDS);
        assert_relative(&[cut.polar_moment()], &[2.0 * second], CHORDS);
        assert_close(moments[(0, 1)], 0.0, CHORDS * second);
        assert!((cut.centroid - Vector3::new(0.0, 0.0, height)).norm() < 1e-6);
    }
}

#[test]
fn oblique_section_of_a_bar_is_stretched() {
    let mesh = bar(ElementKind::Tet4, 0.02, 0.12, 2, 8).unwrap();
    let (sin, cos) = 0.4f64.sin_cos();
    let axes = [Vector3::new(cos, 0.0, sin), Vector3::y()];
    let cut = section_properties(&mesh, &Vector3::new(0.0, 0.0, 0.061), axes).unwrap();
    let (long, wide) = (0.02 / cos, 0.02);
    assert_close(cut.area, long * wide, 1e-15);
    let [large, small] = cut.principal_moments();
    assert_close(large, wide * long.powi(3) / 12.0, 1e-19);
    assert_close(small, long * wide.powi(3) / 12.0, 1e-19);
}

#[test]
fn faces_without_the_bore_enclose_the_full_section() {
    let outer = 0.037f64;
    let mesh = tube(ElementKind::Tet10, 0.421, 0.027, outer, [1, 16, 8]).unwrap();
    let mut faces = mesh.boundary().unwrap();
    faces.retain(|face| face.nodes.iter().all(|&node| mesh.nodes()[node].xy().norm() > 0.0369));
    let axes = [Vector3::x(), Vector3::y()];
    let cut = section_of_faces(&mesh, &faces, &Vector3::new(0.0, 0.0, 0.2), axes).unwrap();
    assert_relative(&[cut.area], &[PI * outer * outer], CHORDS);
}

#[test]
fn planes_that_miss_and_skew_axes_are_refused() {
    let mesh = bar(ElementKind::Tet4, 0.02, 0.12, 1, 2).unwrap();
    let axes = [Vector3::x(), Vector3::y()];
    assert!(section_properties(&mesh, &Vector3::new(0.0, 0.0, 0.2), axes).is_err());
    assert!(section_properties(&mesh, &Vector3::new(0.0, 0.0, f64::NAN), axes).is_err());
    assert!(section_properties(&mesh, &Vector3::zeros(), [Vector3::x(), Vector3::x()]).is_err());
}
