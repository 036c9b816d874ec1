//! Timoshenko's beam against its differential equation and published numbers.

use super::assert_close;
use nalgebra::{Matrix2, Matrix4};
use std::f64::consts::TAU;
use wolff_flexbody::timoshenko::{Ends, TimoshenkoBeam, ring_shear_coefficient};

/// A tube of 0.421 m with radii of 27 and 37 mm, E = 17 GPa, ν = 0.3, 3 kg.
fn tube(shear_coefficient: f64) -> TimoshenkoBeam {
    let (area, second_moment, young, density) = (0.002010619298297467, 1.0545698219570214e-06, 17e9, 3544.127295692445);
    TimoshenkoBeam {
        length: 0.421,
        mass_per_length: density * area,
        rotary_inertia: density * second_moment,
        bending_stiffness: young * second_moment,
        shear_stiffness: shear_coefficient * young / 2.6 * area,
    }
}

fn slender() -> TimoshenkoBeam {
    TimoshenkoBeam { rotary_inertia: 0.0, shear_stiffness: f64::INFINITY, ..tube(1.0) }
}

/// Rows of deflection, rotation, moment and shear force that vanish at an end, and at the other.
fn held(ends: Ends) -> [[usize; 2]; 2] {
    match ends {
        Ends::FreeFree => [[2, 3], [2, 3]],
        Ends::ClampedClamped => [[0, 1], [0, 1]],
        Ends::ClampedFree => [[0, 1], [2, 3]],
    }
}

/// Determinant that vanishes at a natural frequency: what the start leaves open against what the end forbids, by the exponential of the
/// first-order system `w' = ψ + Q/kGA, ψ' = M/EI, M' = -Q - ω²ρI ψ, Q' = -ω²ρA w` in units of `L` and `EI`.
fn determinant(beam: &TimoshenkoBeam, ends: Ends, hertz: f64) -> f64 {
    let (L2, EI) = (beam.length.powi(2), beam.bending_stiffness);
    let w2 = (TAU * hertz).powi(2);
    let mut system = Matrix4::zeros();
    system[(0, 1)] = 1.0;
    system[(0, 3)] = EI / (beam.shear_stiffness * L2);
    system[(1, 2)] = 1.0;
    system[(2, 3)] = -1.0;
    system[(2, 1)] = -w2 * beam.rotary_inertia * L2 / EI;
    system[(3, 0)] = -w2 * beam.mass_per_length * L2 * L2 / EI;
    let transfer = system.exp();
    let [start, end] = held(ends);
    let open: Vec<usize> = (0..4).filter(|k| !start.contains(k)).collect();
    Matrix2::from_fn(|i, j| transfer[(end[i], open[j])]).determinant()
}

const ALL: [Ends; 3] = [Ends::FreeFree, Ends::ClampedClamped, Ends::ClampedFree];

/// Where the closed forms vanish, the determinant of the differential equation changes its sign, and nowhere else.
#[test]
fn frequencies_are_those_of_the_differential_equation() {
    for (beam, count) in [(tube(0.55), 5), (tube(0.2), 2), (TimoshenkoBeam { length: 2.0, ..tube(0.55) }, 5)] {
        for ends in ALL {
            let found = beam.frequencies(ends, count).unwrap();
            for f in &found {
                let around = [1.0 - 1e-9, 1.0 + 1e-9].map(|part| determinant(&beam, ends, part * f));
                assert!(around[0] * around[1] < 0.0, "{ends:?}: {f} Hz is not a frequency of the beam, {around:?}");
            }
            let scan =
                |k: usize| determinant(&beam, ends, f64::from(k as u32) / 400.0 * found[count - 1] * (1.0 + 1e-9));
            let changes = (1..400).filter(|&k| scan(k) * scan(k + 1) < 0.0).count();
            assert_eq!(changes, count, "{ends:?}: {found:?}");
        }
    }
}

/// Values of a transfer matrix confirmed by a Legendre-Galerkin solution, Hz.
#[test]
fn tube_has_the_published_frequencies() {
    let k = ring_shear_coefficient(0.027, 0.037, 0.3);
    assert_close(k, 0.5511992058277232, 1e-15);
    for (beam, ends, expected) in [
        (tube(k), Ends::FreeFree, [883.9656012061455, 4555.503744042364]),
        (tube(k), Ends::ClampedClamped, [768.6021353080922, 4014.4245520273075]),
        (tube(k), Ends::ClampedFree, [152.51933851128638, 3046.5271494851286]),
        (tube(0.5), Ends::FreeFree, [878.5903992409718, 4421.853943473789]),
        (slender(), Ends::FreeFree, [1007.6930294426465, 9001.671802452505]),
        (slender(), Ends::ClampedFree, [158.36136743110873, 5445.423665424402]),
    ] {
        let found = beam.frequencies(ends, 4).unwrap();
        for (ours, theirs) in [found[0], found[3]].into_iter().zip(expected) {
            assert_close(ours, theirs, 1e-12 * theirs);
        }
    }
}

#[test]
fn shear_and_rotary_inertia_lower_every_frequency() {
    for ends in ALL {
        let (full, without) = (tube(0.55).frequencies(ends, 4).unwrap(), slender().frequencies(ends, 4).unwrap());
        assert!(full.iter().zip(&without).all(|(a, b)| a < b), "{ends:?}: {full:?} {without:?}");
    }
}

/// A cantilever twice as long bends like half of a beam on two supports under twice the force.
#[test]
fn deflections_agree_with_each_other() {
    let half = tube(0.55);
    let whole = TimoshenkoBeam { length: 2.0 * half.length, ..half };
    assert_close(whole.middle_deflection(2.0), half.end_deflection(1.0), 1e-15 * half.end_deflection(1.0));
    assert_close(slender().middle_deflection(500.0), 4.3356158358610584e-05, 1e-12 * 4.3e-5);
}

#[test]
fn bad_beams_and_modes_above_the_cut_off_are_refused() {
    let refused = |beam: TimoshenkoBeam, count: usize| beam.frequencies(Ends::FreeFree, count).unwrap_err().to_string();
    assert!(refused(tube(0.55), 20).contains("cut-off"));
    assert!(refused(slender(), 101).contains("at most 100"));
    assert!(refused(TimoshenkoBeam { length: f64::NAN, ..tube(0.55) }, 1).contains("greater than zero"));
    assert!(refused(TimoshenkoBeam { shear_stiffness: f64::NAN, ..tube(0.55) }, 1).contains("greater than zero"));
    assert!(refused(TimoshenkoBeam { rotary_inertia: -1.0, ..tube(0.55) }, 1).contains("zero or more"));
}
