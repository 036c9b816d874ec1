//! Equilibrium of fibre and tendon: OpenSim's, and never a failure.

use crate::hill_facts::*;
use crate::support::*;
use proptest::prelude::*;
use wolff_muscle::hill::*;
use wolff_muscle::{HillMuscle, HillParameters};

/// OpenSim stops at 1e-8 of the maximum force; weak forces feel it.
const FORCE: f64 = 1e-6;

#[test]
fn millard_and_thelen_rest_where_opensims_do() {
    let thelen = Curves::Thelen(ThelenCurves::default());
    for (curves, facts) in [(millard(), MILLARD_REST), (thelen, THELEN_REST)] {
        let muscle = fact_muscle(curves, false, 0.1);
        for [a, length, l, force, active, passive] in facts {
            let found = muscle.equilibrium(*a, *length, 0.0);
            assert_eq!(found.status, Status::Balanced);
            close(found.state.fibre_length, *l, 1e-7, 0.01);
            close(found.state.tendon_force, *force, FORCE, 1.0);
            close(found.state.active_force, *active, FORCE, 1.0);
            close(found.state.passive_force, *passive, FORCE, 1.0);
        }
    }
}

#[test]
fn degroote_and_schutte_rest_where_opensims_do() {
    let degroote = fact_muscle(Curves::DeGroote(DeGrooteCurves::default()), false, 0.0);
    for [a, length, l, force] in DEGROOTE_REST {
        let found = degroote.equilibrium(*a, *length, 0.0);
        close(found.state.fibre_length, *l, 1e-6, 0.01);
        close(found.state.tendon_force, *force, 1e-6, 1.0);
    }
    let schutte = fact_muscle(schutte(), false, 0.1);
    for [a, length, _, force] in SCHUTTE_REST {
        // OpenSim's own residual is up to 0.01 N, and its tendon force off by that
        assert!((schutte.equilibrium(*a, *length, 0.0).state.tendon_force - force).abs() < 0.02);
    }
}

/// A muscle too short for its tendon: the fibre is at its shortest length and says so.
#[test]
fn short_muscles_are_clamped() {
    for muscle in elastic_muscles() {
        let found = muscle.equilibrium(0.5, 0.1, 0.3);
        assert_eq!(found.status, Status::ShortestFibre);
        assert_eq!(found.state.fibre_length, muscle.shortest_fibre());
        assert!(found.state.tendon_force == 0.0 && found.state.clamped && found.state.fibre_velocity == 0.0);
    }
}

fn curves() -> impl Strategy<Value = Curves> {
    prop_oneof![
        Just(millard()),
        Just(schutte()),
        (0.02..0.1_f64)
            .prop_map(|tendon_strain| Curves::Thelen(ThelenCurves { tendon_strain, ..ThelenCurves::default() })),
        (0.02..0.1_f64)
            .prop_map(|tendon_strain| Curves::DeGroote(DeGrooteCurves { tendon_strain, ..DeGrooteCurves::default() })),
    ]
}

fn muscles() -> impl Strategy<Value = HillMuscle> {
    (curves(), 10.0..8000.0_f64, 0.02..0.5_f64, 0.01..10.0_f64, 0.0..1.0_f64, any::<bool>()).prop_map(
        |(curves, force, l0, ratio, pennation_angle, rigid_tendon)| {
            let parameters =
                HillParameters { pennation_angle, rigid_tendon, ..HillParameters::new(force, l0, ratio * l0) };
            HillMuscle::new("random", parameters, curves).unwrap()
        },
    )
}

fn is_finite(s: &HillState) -> bool {
    [
        s.fibre_length,
        s.fibre_velocity,
        s.tendon_length,
        s.tendon_velocity,
        s.active_force,
        s.passive_force,
        s.tendon_force,
    ]
    .iter()
    .all(|x| x.is_finite())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// Random muscles, all activations, all lengths: balanced or clamped, never a failure, never a NaN.
    #[test]
    fn every_muscle_has_an_equilibrium(muscle in muscles(), a in 0.0..1.1_f64, stretch in 0.0..2.0_f64, speed in -5.0..5.0_f64) {
        let p = muscle.parameters();
        let length = stretch * (p.tendon_slack_length + p.optimal_fibre_length);
        let found = muscle.equilibrium(a, length, speed);
        prop_assert!(is_finite(&found.state), "{:?}", found);
        prop_assert!(found.state.tendon_force >= 0.0 && found.state.fibre_length >= muscle.shortest_fibre());
        if found.status == Status::Balanced {
            // rounding of the length, seen through the stiffness of fibre and tendon
            let stiffness = if p.rigid_tendon { 0.0 } else { muscle.fibre_rates(&found.state).force_by_length };
            let scale = found.state.fibre_force().abs() + p.max_isometric_force + stiffness * length;
            prop_assert!(found.residual.abs() <= 1e-11 * scale, "{:?}", found);
        }
        let next = muscle.state(a, found.state.fibre_length, length, speed);
        prop_assert!(is_finite(&next));
    }

    #[test]
    fn states_are_finite_anywhere(muscle in muscles(), a in -1.0..2.0_f64, l in -0.1..2.0_f64, length in -1.0..5.0_f64) {
        prop_assert!(is_finite(&muscle.state(a, l, length, 1.0)));
    }
}

#[test]
fn what_is_not_a_number_does_not_spread_and_is_told() {
    for muscle in elastic_muscles() {
        let found = muscle.equilibrium(f64::NAN, f64::NAN, f64::INFINITY);
        assert!(is_finite(&found.state) && found.status == Status::NotFinite);
    }
}
