//! Normal force laws.

use crate::support::close;
use proptest::prelude::*;
use wolff_contact::law::{APPROACH_SPEED_FLOOR, ImpactFunction, KelvinVoigt, KelvinVoigtEnd};
use wolff_contact::{ContactError, LawKind, LawParameters, NormalLaw};

fn parameters() -> LawParameters {
    LawParameters {
        stiffness: 3.0e7,
        exponent: 1.5,
        restitution: 0.6,
        damping: Some(900.0),
        full_damping_depth: 2e-4,
        effective_mass: Some(1.3),
        end: KelvinVoigtEnd::IndentationZero,
    }
}

fn all_laws() -> impl Iterator<Item = NormalLaw> {
    LawKind::ALL.into_iter().map(|kind| NormalLaw::new(kind, &parameters()).unwrap())
}

#[test]
fn names_are_those_of_model_files() {
    let names = [
        "hooke",
        "hertz",
        "kelvin-voigt",
        "hunt-crossley",
        "herbert-mcwhannell",
        "lee-wang",
        "lankarani-nikravesh",
        "gonthier",
        "gonthier-exact",
        "zhiying-qishao",
        "flores",
        "exact-restitution",
        "impact",
    ];
    assert_eq!(LawKind::ALL.map(|kind| kind.to_string()), names);
    for name in names {
        assert_eq!(NormalLaw::from_name(name, &parameters()).unwrap().kind().name(), name);
    }
    let message = "Hertz".parse::<LawKind>().unwrap_err().to_string();
    assert!(message.contains("`Hertz`") && message.contains("kelvin-voigt, hunt-crossley"), "{message}");
}

#[test]
fn forces_by_hand() {
    let law = |name: &str| NormalLaw::from_name(name, &parameters()).unwrap();
    let (depth, rate, v0): (f64, f64, f64) = (1e-4, -0.2, 0.5);
    let elastic = 3.0e7 * depth.powf(1.5);
    close(law("hooke").force(depth, rate, v0), 3.0e3, 1e-14, "hooke");
    close(law("hertz").force(depth, rate, v0), elastic, 1e-14, "hertz");
    close(law("kelvin-voigt").force(depth, rate, v0), 3.0e3 - 180.0, 1e-14, "kelvin-voigt");
    // a = 3 (1 - 0.6)/2 = 0.6, 1 + a δ'/v0 = 0.76
    close(law("hunt-crossley").force(depth, rate, v0), 0.76 * elastic, 1e-14, "hunt-crossley");
    // half of the full damping depth: half of the damping
    close(law("impact").force(depth, 0.02, v0), elastic + 9.0, 1e-14, "impact");
}

#[test]
fn impact_function_matches_the_reference() {
    // independent reference solution: k = 1e8 N/m^2.2, e = 2.2, c = 1e5 N s/m, d = 0.1 mm
    let law = NormalLaw::Impact(ImpactFunction::new(1e8, 2.2, 1e5, 1e-4).unwrap());
    for (depth, rate, force) in [
        (1e-6, 0.0, 6.309573444801916e-06),
        (1e-6, 0.05, 1.4900063095735905),
        (1e-6, -0.05, 0.0),
        (1e-5, 0.5, 1400.001),
        (5e-5, 0.05, 2500.0344932415364),
        (1e-4, 0.0, 0.15848931924611112),
        (2e-4, 0.5, 50000.72822568121),
        (1e-3, 0.05, 5025.118864315095),
        (1e-3, -0.5, 0.0),
    ] {
        close(law.force(depth, rate, 1.0), force, 1e-12, "impact");
    }
}

#[test]
fn published_foot_contacts_match_the_reference() {
    // independent reference solution in N, mm, s: 200 N/mm with 2 N s/mm, 150 N/mm with 20 N s/mm, exponent 1, 1 mm
    let foot = |stiffness: f64, damping: f64| {
        NormalLaw::Impact(ImpactFunction::new(1e3 * stiffness, 1.0, 1e3 * damping, 1e-3).unwrap())
    };
    let (first, second) = (foot(200.0, 2.0), foot(150.0, 20.0));
    for (law, depth_mm, rate_mm, force) in [
        (first, 0.2, 50.0, 50.4),
        (first, 0.2, -20.0, 35.84),
        (first, 0.5, 50.0, 150.0),
        (first, 1.0, -20.0, 160.0),
        (first, 2.0, 50.0, 500.0),
        (second, 0.2, 50.0, 134.0),
        (second, 0.2, -20.0, 0.0),
        (second, 0.5, 50.0, 575.0),
        (second, 2.0, 50.0, 1300.0),
    ] {
        close(law.force(1e-3 * depth_mm, 1e-3 * rate_mm, 1.0), force, 1e-12, "foot");
    }
}

#[test]
fn no_force_without_overlap() {
    for law in all_laws() {
        for rate in [-1.0, 0.0, 1.0] {
            assert_eq!(law.force(-1e-9, rate, 0.3), 0.0, "{}", law.kind());
            assert_eq!(law.stiffness_derivatives(-1e-9, rate, 0.3), (0.0, 0.0));
        }
        assert_eq!(law.potential(-1e-3), 0.0);
        // only Kelvin-Voigt jumps at first touch
        let jump = law.force(0.0, 0.3, 0.3);
        assert_eq!(jump, if law.kind() == LawKind::KelvinVoigt { 270.0 } else { 0.0 }, "{}", law.kind());
    }
}

#[test]
fn nan_is_never_taken_for_an_open_contact() {
    for law in all_laws() {
        assert!(law.force(f64::NAN, 0.1, 0.3).is_nan(), "{}", law.kind());
        if !matches!(law.kind(), LawKind::Hooke | LawKind::Hertz) {
            assert!(law.force(1e-4, f64::NAN, 0.3).is_nan(), "{}", law.kind());
        }
    }
}

#[test]
fn approach_speed_has_a_floor() {
    for law in all_laws() {
        let at_floor = law.force(1e-4, 1e-4, APPROACH_SPEED_FLOOR);
        for v0 in [0.0, 1e-9, 0.999 * APPROACH_SPEED_FLOOR] {
            assert_eq!(law.force(1e-4, 1e-4, v0), at_floor, "{}", law.kind());
        }
        assert!(at_floor.is_finite());
    }
}

#[test]
fn only_the_textbook_kelvin_voigt_pulls() {
    for law in all_laws() {
        let torn = law.force(1e-6, -50.0, 0.1);
        if law.kind() == LawKind::KelvinVoigt {
            assert!(torn < 0.0);
        } else {
            assert!(torn >= 0.0, "{}", law.kind());
        }
    }
    let clamped = NormalLaw::KelvinVoigt(KelvinVoigt::new(3e7, 900.0, KelvinVoigtEnd::ForceZero).unwrap());
    assert_eq!(clamped.force(1e-6, -50.0, 0.1), 0.0);
    assert_eq!(clamped.stiffness_derivatives(1e-6, -50.0, 0.1), (0.0, 0.0));
}

#[test]
fn potential_is_the_work_of_the_elastic_force() {
    for law in all_laws() {
        // Simpson on x = δ s²: smooth for every exponent in use
        let (depth, n) = (3e-4, 2000);
        let f = |s: f64| law.elastic().force(depth * s * s) * 2.0 * depth * s;
        let h = 1.0 / f64::from(n);
        let inner: f64 = (1..n).map(|i| f(f64::from(i) * h) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
        close((f(0.0) + f(1.0) + inner) * h / 3.0, law.potential(depth), 1e-9, law.kind().name());
    }
}

#[test]
fn nonsense_is_refused_with_object_value_and_rule() {
    for kind in LawKind::ALL {
        for stiffness in [0.0, -2.0, f64::NAN, f64::INFINITY] {
            let error = NormalLaw::new(kind, &LawParameters { stiffness, ..parameters() }).unwrap_err();
            let message = error.to_string();
            assert!(message.contains(kind.name()) && message.contains("stiffness"), "{message}");
        }
    }
    let refused = |name: &str, p: LawParameters| NormalLaw::from_name(name, &p).unwrap_err();
    for exponent in [0.99, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            refused("hertz", LawParameters { exponent, ..parameters() }),
            ContactError::Parameter { quantity: "exponent [-]", .. }
        ));
    }
    for damping in [-1.0, f64::NAN] {
        refused("kelvin-voigt", LawParameters { damping: Some(damping), ..parameters() });
        refused("impact", LawParameters { damping: Some(damping), ..parameters() });
    }
    refused("impact", LawParameters { full_damping_depth: 0.0, ..parameters() });
    let without = LawParameters { damping: None, effective_mass: None, ..parameters() };
    assert!(matches!(refused("impact", without), ContactError::Missing { .. }));
    assert!(refused("kelvin-voigt", without).to_string().contains("effective mass"));
    let plastic = LawParameters { damping: None, restitution: 0.0, ..parameters() };
    assert!(refused("kelvin-voigt", plastic).to_string().contains("never separate"));
}

proptest! {
    /// Central differences; the step is 1e-6 of the argument, the error of second order.
    #[test]
    fn derivatives_have_their_finite_difference_twin(
        index in 0_usize..13, depth in 1e-6..1e-3_f64, rate in -0.4..0.4_f64, v0 in 0.5..2.0_f64, exponent in 1.0..3.0_f64,
    ) {
        let p = LawParameters { exponent, restitution: 0.8, ..parameters() };
        let law = NormalLaw::new(LawKind::ALL[index], &p).unwrap();
        // stay on one side of the clamp of IMPACT and of the end of its STEP
        let (h, k) = (1e-6 * depth, 1e-6);
        let near_step_end = (depth - 2e-4).abs() < 2.0 * h;
        let near_clamp = law.force(depth, rate, v0) < 1e-3 * law.force(depth, 0.0, v0);
        prop_assume!(!(law.kind() == LawKind::Impact && (near_clamp || near_step_end)));
        let (by_depth, by_rate) = law.stiffness_derivatives(depth, rate, v0);
        let depth_difference = (law.force(depth + h, rate, v0) - law.force(depth - h, rate, v0)) / (2.0 * h);
        let rate_difference = (law.force(depth, rate + k, v0) - law.force(depth, rate - k, v0)) / (2.0 * k);
        let force = law.force(depth, rate, v0).abs() + law.elastic().force(depth);
        prop_assert!((depth_difference - by_depth).abs() <= 1e-7 * by_depth.abs() + 1e-8 * force / depth);
        prop_assert!((rate_difference - by_rate).abs() <= 1e-7 * by_rate.abs() + 1e-9 * force / k);
    }
}

/// A jump where the contact opens or closes would spoil the step that starts or ends there: the located state is off by rounding.
#[test]
fn laws_continue_without_a_jump() {
    let force_zero = LawParameters { end: KelvinVoigtEnd::ForceZero, ..parameters() };
    let letting_go = NormalLaw::new(LawKind::KelvinVoigt, &force_zero).unwrap();
    for law in all_laws().chain([letting_go]) {
        for rate in [-0.2, 0.3] {
            let (inside, outside) = (law.continued_force(1e-15, rate, 0.3), law.continued_force(-1e-15, rate, 0.3));
            let size = law.force(1e-4, 0.0, 0.3);
            assert!((inside - outside).abs() < 1e-6 * size, "{} at {rate} m/s: {inside} {outside}", law.kind());
        }
        // beyond, the force pulls back
        assert!(law.continued_force(-1e-3, 0.0, 0.3) < 0.0, "{}", law.kind());
        assert!(law.continued_force(f64::NAN, 0.0, 0.3).is_nan(), "{}", law.kind());
    }
}
