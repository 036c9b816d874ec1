//! Beams from shape functions against closed forms.

use std::f64::consts::{PI, TAU};
use wolff_flexbody::beam::{Beam, BeamGauge, Direction, Shape, ShapeFunction};
use wolff_spatial::Vec3;

fn beam(shapes: Vec<Shape>) -> Beam {
    Beam {
        length: 2.0,
        mass_per_length: 0.8,
        axial_stiffness: 4e5,
        bending_stiffness: [2.0, 3.0],
        section_inertia: [0.0, 0.0],
        young: 0.0,
        shapes,
        stiffening: true,
        axial_inertia_factor: 1.0,
    }
}

fn bending(function: ShapeFunction) -> Shape {
    Shape { direction: Direction::Y, function }
}

/// Sine shapes are the modes of a pinned beam: `ω = (k π / L)² √(EI / ρA)`.
#[test]
fn pinned_frequencies_are_exact() {
    let body = beam((1..=6).map(|k| bending(ShapeFunction::Sine(k))).collect()).body("beam", &[], &[]).unwrap();
    for (k, f) in (1..).zip(body.frequencies()) {
        let exact = (f64::from(k) * PI / 2.0).powi(2) * (2.0f64 / 0.8).sqrt() / TAU;
        assert!((f / exact - 1.0).abs() < 1e-12, "mode {k}: {f} Hz, exact {exact} Hz");
    }
}

/// Cantilever shapes: `β` = 1.875104, 4.694091, 7.854757 (Blevins 1979), tip displacement ±2, orthogonal.
#[test]
fn cantilever_frequencies_are_exact() {
    let body =
        beam((1..=12).map(|k| bending(ShapeFunction::Cantilever(k))).collect()).body("beam", &[("tip", 2.0)], &[]);
    let body = body.unwrap();
    for (beta, f) in
        [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613].iter().zip(body.frequencies())
    {
        let exact = (beta / 2.0f64).powi(2) * (2.0f64 / 0.8).sqrt() / TAU;
        assert!((f / exact - 1.0).abs() < 1e-10, "{f} Hz, exact {exact} Hz");
    }
    let mass = body.inertia.modal_mass();
    for i in 0..12 {
        let tip = body.nodes[1].translation[(1, i)];
        assert!((tip.abs() - 2.0).abs() < 1e-9, "tip of shape {i}: {tip}");
        assert!((0..i).all(|j| mass[(i, j)].abs() < 1e-9 * mass[(i, i)]));
    }
}

/// The slope of `v = sin(π s)` shortens the chord by `½ ∫ v'² dx = π² / (4 L)`, half of it at mid-span.
#[test]
fn bending_shortens_the_chord() {
    let body = beam(vec![bending(ShapeFunction::Sine(1))]).body("beam", &[("end", 2.0), ("middle", 1.0)], &[]).unwrap();
    let [end, middle] = [body.nodes[1].second[0].x, body.nodes[2].second[0].x];
    let exact = -PI * PI / 4.0;
    assert!((end - exact).abs() < 1e-12 && (middle - exact / 2.0).abs() < 1e-12, "{end} {middle} {exact}");
    // ∫ ρA g dx of a shape symmetric about mid-span is the mean
    assert!((body.inertia.S2[0].x - 0.8 * 2.0 * exact / 2.0).abs() < 1e-12);
}

/// The fibre on the outside of the bend is stretched: `ε = -y v''`.
#[test]
fn gauge_reads_fibre_strain() {
    let gauge = BeamGauge { name: "top".into(), position: Vec3::new(1.0, 0.03, 0.0) };
    let shapes = vec![
        bending(ShapeFunction::Sine(1)),
        Shape { direction: Direction::Axial, function: ShapeFunction::QuadraticEnd },
    ];
    let body = beam(shapes).body("beam", &[], &[gauge]).unwrap();
    let strain = body.gauges[0].strain(&[1e-3, 1e-4])[0];
    let exact = 0.03 * 1e-3 * (PI / 2.0).powi(2) + 1e-4 * (4.0 * 0.5 - 1.0) / 2.0;
    assert!((strain - exact).abs() < 1e-15, "{strain} {exact}");
}

#[test]
fn bad_beams_are_refused() {
    let one = || vec![bending(ShapeFunction::Sine(1))];
    let refused = |beam: Beam, nodes: &[(&str, f64)], rule: &str| {
        let message = beam.body("beam", nodes, &[]).unwrap_err().to_string();
        assert!(message.contains(rule), "{message}");
    };
    refused(Beam { length: -1.0, ..beam(one()) }, &[], "greater than zero");
    refused(Beam { mass_per_length: f64::NAN, ..beam(one()) }, &[], "greater than zero");
    refused(beam(one()), &[("tip", 2.5)], "from 0 to 2 m");
    refused(beam(vec![bending(ShapeFunction::Sine(0))]), &[], "numbered from 1");
    refused(beam([one(), one()].concat()), &[], "not independent");
}
