//! Hill muscles with tracking excitations: one muscle alone, a short walk, a walk resumed from a checkpoint.

use crate::simulate::plan;
use std::f64::consts::TAU;
use wolff_movement::forward::{Checkpoint, checkpoint};
use wolff_movement::model::track::Track;
use wolff_movement::simulate::{Monitor, MovementPlan, MovementResult, simulate_movement, simulate_movement_from};
use wolff_movement::tracking::{HillLaw, MuscleLength, ReflexGains};
use wolff_movement::tracking::{TensionReference, TrackingExcitation, track_excitation};
use wolff_muscle::hill::{Activation, Curves, HillMuscle, HillParameters, MillardCurves, MillardShape};

/// Step of a walk [s].
const STEP: f64 = 5e-4;
/// Part of the path that is neither fibre nor tendon [m].
const RIGID: f64 = 0.04;

/// About a gastrocnemius.
fn muscle() -> HillMuscle {
    let curves = Curves::Millard(Box::new(MillardCurves::new("muscle", &MillardShape::default()).unwrap()));
    let parameters = HillParameters { pennation_angle: 0.3, ..HillParameters::new(2200.0, 0.06, 0.39) };
    HillMuscle::new("muscle", parameters, curves).unwrap()
}

/// A signal of one second: mean and first harmonic.
fn wave(mean: f64, amplitude: f64) -> Track {
    let values: Vec<f64> = (0..200).map(|i| mean + amplitude * (TAU * i as f64 / 200.0).sin()).collect();
    Track::cyclic_values("wave", 1.0, &values).unwrap()
}

fn make_reference(tension: &Track, length: &Track) -> TrackingExcitation {
    let reference = TensionReference { tension, length, period: 1.0, samples: 400 };
    track_excitation(&muscle(), &Activation::FIRST_ORDER, RIGID, reference).unwrap()
}

fn law(tension: &Track, length: &Track) -> HillLaw {
    HillLaw::new(muscle(), Activation::FIRST_ORDER, ReflexGains::default(), make_reference(tension, length))
}

/// A muscle on its way.
fn seen(t: f64, length: &Track) -> MuscleLength {
    let (reference, reference_rate) = length.at(t);
    MuscleLength { t, length: reference, rate: reference_rate, reference, reference_rate }
}

/// Greatest error of the force [N] over a cycle at the reference length.
fn worst(tension: &Track, length: &Track) -> f64 {
    let mut law = law(tension, length);
    let mut worst = 0.0_f64;
    for i in 1..=2000 {
        let at = seen(i as f64 * STEP, length);
        worst = worst.max((-law.push(&at, STEP).force - tension.value(at.t)).abs());
        law.settle(&at, STEP);
    }
    worst
}

/// At the reference length the muscle pulls as it tracked: exactly at rest, to the errors of step and samples in motion.
#[test]
fn muscles_pull_as_they_learnt() {
    assert!(worst(&wave(700.0, 0.0), &wave(0.49, 0.0)) < 1e-3);
    let moving = worst(&wave(700.0, 300.0), &wave(0.49, 0.01));
    assert!(moving < 0.01 * 1000.0, "{moving} N");
}

/// Forces beyond the reach of a muscle are told, with their size.
#[test]
fn limits_are_told() {
    let length = wave(0.49, 0.0);
    let within = make_reference(&wave(700.0, 0.0), &length).limits;
    assert_eq!((within.too_weak, within.missing, within.too_taut, within.excess), (0.0, 0.0, 0.0, 0.0));
    let weak = make_reference(&wave(3000.0, 0.0), &length).limits;
    // at least what is beyond the strength, at most all of it
    assert!((weak.too_weak - 1.0).abs() < 1e-12 && (800.0..3000.0).contains(&weak.missing), "{weak:?}");
    let taut = make_reference(&wave(0.0, 0.0), &wave(0.53, 0.0)).limits;
    assert!((taut.too_taut - 1.0).abs() < 1e-12 && taut.excess > 100.0 && taut.too_weak == 0.0, "{taut:?}");
}

/// Stiffness and damping of the row are what differences of the force give, on and off the reference length and where excitation is clipped.
#[test]
fn rows_have_the_right_derivatives() {
    let (tension, length) = (wave(700.0, 300.0), wave(0.49, 0.01));
    let mut law = law(&tension, &length);
    for i in 1..200 {
        law.settle(&seen(i as f64 * STEP, &length), STEP);
    }
    let at = seen(0.1, &length);
    for (stretch, faster) in [(0.0, 0.01), (0.002, 0.05), (-0.001, -0.02), (0.03, 0.0), (-0.03, 0.0)] {
        let at = MuscleLength { length: at.length + stretch, rate: at.rate + faster, ..at };
        let force = |length: f64, rate: f64| law.push(&MuscleLength { length, rate, ..at }, STEP).force;
        let push = law.push(&at, STEP);
        let (d, e) = (1e-7, 1e-6);
        let stiffness = -(force(at.length + d, at.rate) - force(at.length - d, at.rate)) / (2.0 * d);
        let damping = -(force(at.length, at.rate + e) - force(at.length, at.rate - e)) / (2.0 * e);
        // the curves are good to 1e-9 of 2200 N, of which differences leave 20 N/m and 2 N s/m at most
        assert!((push.stiffness - stiffness).abs() < 1e-4 * stiffness.abs() + 20.0, "{push:?} {stiffness}");
        assert!((push.damping - damping).abs() < 1e-3 * damping.abs() + 2.0, "{push:?} {damping}");
        assert!(push.stiffness >= 0.0 && push.damping >= 0.0);
    }
}

#[test]
fn steps_take_no_memory() {
    let (tension, length) = (wave(700.0, 300.0), wave(0.49, 0.01));
    let mut law = law(&tension, &length);
    let taken = allocation_counter::measure(|| {
        for i in 1..100 {
            let at = seen(i as f64 * STEP, &length);
            std::hint::black_box(law.push(&at, STEP));
            law.settle(&at, STEP);
        }
    });
    assert_eq!(taken.count_total, 0);
}

fn hill(cycles: usize) -> MovementPlan {
    let mut plan = plan(cycles);
    plan.controllers.hill = Some(ReflexGains::default());
    plan
}

/// Two strides stay up and press on the floor as reference.
#[test]
fn a_short_walk() {
    let done = simulate_movement(&hill(2), &mut |_, _| true).unwrap();
    assert!(done.ended.is_none(), "{:?}", done.ended);
    assert!(done.controllers.muscles.iter().all(|m| m.hill().is_some()));
    let f = &done.fidelity;
    // measured: 0.978; servos come to 0.988, a walk that stumbles to less than 0.9
    assert!(f.ground_correlation[1] > 0.96, "{:?}", f.ground_correlation);
    assert!(f.leg_angle_rms.to_degrees() < 1.5, "{}", f.leg_angle_rms);
    assert!(done.record.tensions.iter().flatten().all(|t| *t >= 0.0));
    for fibre in done.record.fibres.iter().flat_map(|row| row.chunks_exact(3)) {
        assert!((0.01..=1.0).contains(&fibre[0]) && (0.01..=1.0).contains(&fibre[1]) && fibre[2] > 0.4, "{fibre:?}");
    }
}

/// Put aside and continued from bytes, a drive ends with the same bits; without its activations it is refused.
#[test]
fn a_walk_goes_on_to_the_same_bits() {
    let plan = hill(1);
    let whole = simulate_movement(&plan, &mut |_, _| true).unwrap();
    let until = |from: Option<Checkpoint>, until: f64| {
        let mut progress = |phase: &str, share: f64| phase != "walking" || share < until;
        simulate_movement_from(&plan, from, &mut Monitor { progress: &mut progress, keep: &mut |_, _| () })
    };
    let part = until(None, 0.4).unwrap();
    assert!(part.state.step < whole.state.step && part.state.memory.len() == 2 * part.controllers.muscles.len());
    let kept = checkpoint::from_bytes(&checkpoint::to_bytes(&part.state, &part.record).unwrap()).unwrap();
    let end = until(Some(kept.clone()), 2.0).unwrap();
    let bytes = |p: &MovementResult| checkpoint::to_bytes(&p.state, &p.record).unwrap();
    assert_eq!(bytes(&end), bytes(&whole));
    assert_eq!(end.fidelity, whole.fidelity);
    let mut other = kept;
    other.state.memory.clear();
    assert!(until(Some(other), 2.0).is_err());
}
