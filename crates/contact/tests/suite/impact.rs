//! Collisions of one degree of freedom against an independent reference and against direct integration.

use crate::support::{close, integrate_collision};
use proptest::prelude::*;
use wolff_contact::law::{KelvinVoigt, KelvinVoigtEnd, LawKind};
use wolff_contact::{Collision, ContactError, LawParameters, NormalLaw};

/// Two spheres of 0.092 kg at ±0.15 m/s.
const MASS: f64 = 0.046;
const APPROACH: f64 = 0.3;
const STIFFNESS: f64 = 5.5e9;
const RESTITUTION: f64 = 0.7;

/// The closed forms are good to a few ulp, the quadrature stops at 1e-14.
const REFERENCE_TOLERANCE: f64 = 1e-13;

/// Independent reference solution (30 digits): law, then a, δmax, its time, Fmax, δ and δ' there, duration, e, loss, impulse.
#[rustfmt::skip]
const REFERENCE: [(&str, [f64; 10]); 9] = [
    ("hertz", [0.0, 1.546746228927637e-05, 7.587499653417556e-05, 334.5733064167766, 1.546746228927637e-05, 0.0, 0.00015174999306835112, 1.0, 0.0, 0.0276]),
    ("hunt-crossley", [0.45, 1.3965876930040577e-05, 7.138570520234675e-05, 304.80394525571364, 1.3480700849803954e-05, 0.07977853119724028, 0.00015680661889267146, 0.7679997890784757, 0.0008490649906291129, 0.024398397089282965]),
    ("herbert-mcwhannell", [0.569620253164557, 1.3654305615145292e-05, 7.043363342481113e-05, 302.89626197637364, 1.2999029025051253e-05, 0.09220512272233776, 0.00015828092483502433, 0.7226826490879225, 0.0009889006626240338, 0.02377302055741333]),
    ("lee-wang", [0.225, 1.4639309966574031e-05, 7.341827551873238e-05, 313.63086169347974, 1.4472405868068422e-05, 0.0476350577299917, 0.00015416644878012226, 0.8693431103470632, 0.0005055820919386341, 0.025796934922789474]),
    ("lankarani-nikravesh", [0.3825, 1.415482035863763e-05, 7.195936612373684e-05, 306.60181785257265, 1.3768465638660951e-05, 0.07148874058649533, 0.00015599499442317687, 0.7959725953653285, 0.0007585051887746829, 0.024784421816041534]),
    ("gonthier", [0.7285714285714285, 1.3279740816311872e-05, 6.927852916333501e-05, 302.2050877725401, 1.2418773310441858e-05, 0.10521101956376604, 0.00016030321113029523, 0.6695813197483054, 0.0011419379724253236, 0.023040222212526613]),
    ("gonthier-exact", [0.6348282812664168, 1.3495625606251906e-05, 6.994572901185922e-05, 302.3994184764199, 1.2752724642217807e-05, 0.09796164432415733, 0.00015910233342793332, 0.7, 0.0010557, 0.02346]),
    ("zhiying-qishao", [0.6969604411493697, 1.3351010540168945e-05, 6.949923203980869e-05, 302.2095894396834, 1.2528768717686407e-05, 0.10288959391457997, 0.00015989572771985347, 0.6795665064772713, 0.001114051981977753, 0.023178017789386343]),
    ("flores", [0.6857142857142857, 1.337673324633857e-05, 6.957878073822895e-05, 302.22549485838505, 1.2568538352050107e-05, 0.10203460278734364, 0.00015975137163526225, 0.6831841997306839, 0.0011038468529233742, 0.02322794195628344]),
];

fn parameters() -> LawParameters {
    LawParameters { stiffness: STIFFNESS, restitution: RESTITUTION, ..LawParameters::default() }
}

fn values(c: &Collision) -> [f64; 9] {
    [
        c.depth_max,
        c.time_of_depth_max,
        c.force_max,
        c.depth_at_force_max,
        c.rate_at_force_max,
        c.duration,
        c.restitution,
        c.energy_loss,
        c.impulse,
    ]
}

#[test]
fn power_laws_match_the_reference() {
    for (name, expected) in REFERENCE {
        let law = NormalLaw::from_name(name, &parameters()).unwrap();
        if let NormalLaw::Hysteretic(family) = &law {
            close(family.damping_factor(), expected[0], REFERENCE_TOLERANCE, name);
        }
        let collision = Collision::solve(&law, MASS, APPROACH).unwrap();
        for (i, (got, want)) in values(&collision).into_iter().zip(&expected[1..]).enumerate() {
            close(got, *want, REFERENCE_TOLERANCE, &format!("{name}, value {i}"));
        }
    }
}

#[test]
fn hooke_matches_the_reference() {
    let law = NormalLaw::from_name("hooke", &parameters()).unwrap();
    let collision = Collision::solve(&law, MASS, APPROACH).unwrap();
    close(collision.depth_max, 8.675985665774654e-07, REFERENCE_TOLERANCE, "depth");
    close(collision.force_max, 4771.79211617606, REFERENCE_TOLERANCE, "force");
    close(collision.duration, 9.085470943416002e-06, REFERENCE_TOLERANCE, "duration");
    assert_eq!(collision.restitution, 1.0);
}

#[test]
fn kelvin_voigt_matches_the_reference_at_both_ends() {
    for (end, duration, restitution) in [
        (KelvinVoigtEnd::IndentationZero, 9.143838314498117e-06, 0.7),
        (KelvinVoigtEnd::ForceZero, 8.485762781163817e-06, 0.7182013610075204),
    ] {
        let p = LawParameters { effective_mass: Some(MASS), end, ..parameters() };
        let law = NormalLaw::from_name("kelvin-voigt", &p).unwrap();
        let NormalLaw::KelvinVoigt(spring_damper) = &law else { unreachable!() };
        close(spring_damper.damping(), 3588.6565043844466, REFERENCE_TOLERANCE, "damping");
        let collision = Collision::solve(&law, MASS, APPROACH).unwrap();
        close(collision.depth_max, 7.352616892917829e-07, REFERENCE_TOLERANCE, "depth");
        close(collision.time_of_depth_max, 4.242881390581908e-06, REFERENCE_TOLERANCE, "time of depth");
        close(collision.force_max, 4149.08957529037, REFERENCE_TOLERANCE, "force");
        close(collision.duration, duration, REFERENCE_TOLERANCE, "duration");
        close(collision.restitution, restitution, REFERENCE_TOLERANCE, "restitution");
    }
}

/// Parameters far from those of the reference: soft and stiff, slow and fast, blunt and sharp, elastic and nearly plastic.
const CASES: [(f64, f64, f64, f64, f64); 7] = [
    // K, n, m, v0, c_r
    (2.0e5, 1.0, 1.7, 0.02, 0.9),
    (3.0e7, 1.5, 0.2, 4.0, 0.25),
    (8.0e8, 2.2, 40.0, 0.5, 0.6),
    (1.0e4, 3.0, 0.01, 12.0, 0.05),
    (5.0e6, 1.5, 3.0, 0.7, 0.02),
    (5.0e6, 1.25, 3.0, 0.7, 0.999),
    (4.0e9, 1.5, 0.046, 2.0e-4, 0.5), // below the floor of the approach speed
];

/// Of the direct integration, whose local tolerance is 1e-13, over some hundred steps.
const INTEGRATION_TOLERANCE: f64 = 1e-11;

#[test]
fn closed_forms_agree_with_direct_integration() {
    for (stiffness, exponent, mass, v0, restitution) in CASES {
        for kind in LawKind::ALL.into_iter().filter(|kind| *kind != LawKind::Impact) {
            let p =
                LawParameters { stiffness, exponent, restitution, effective_mass: Some(mass), ..Default::default() };
            let law = NormalLaw::new(kind, &p).unwrap();
            let exact = Collision::solve(&law, mass, v0).unwrap();
            let scale = exact.depth_max;
            let followed = integrate_collision(&law, mass, v0, scale, 2.0 * exact.duration * v0 / scale);
            let what = format!("{kind}, K = {stiffness:e}");
            close(followed.depth_max, exact.depth_max, INTEGRATION_TOLERANCE, &what);
            close(followed.duration, exact.duration, INTEGRATION_TOLERANCE, &what);
            close(followed.restitution, exact.restitution, INTEGRATION_TOLERANCE, &what);
        }
    }
}

#[test]
fn over_damped_kelvin_voigt_ends_at_zero_force_only() {
    // damping ratios below, at and beyond critical
    let (stiffness, mass, v0): (f64, f64, f64) = (3.0e5, 1.2, 0.4);
    for zeta in [0.3, 0.7, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 2.5] {
        let damping = 2.0 * zeta * (stiffness * mass).sqrt();
        let law = NormalLaw::KelvinVoigt(KelvinVoigt::new(stiffness, damping, KelvinVoigtEnd::ForceZero).unwrap());
        let exact = Collision::solve(&law, mass, v0).unwrap();
        let followed =
            integrate_collision(&law, mass, v0, exact.depth_max, 2.0 * exact.duration * v0 / exact.depth_max);
        close(followed.duration, exact.duration, INTEGRATION_TOLERANCE, "duration");
        close(followed.restitution, exact.restitution, INTEGRATION_TOLERANCE, "restitution");
        close(followed.depth_max, exact.depth_max, INTEGRATION_TOLERANCE, "depth");
    }
    let damping = 2.0 * (stiffness * mass).sqrt() * 1.01;
    let law = NormalLaw::KelvinVoigt(KelvinVoigt::new(stiffness, damping, KelvinVoigtEnd::IndentationZero).unwrap());
    assert!(matches!(Collision::solve(&law, mass, v0), Err(ContactError::NoSeparation { .. })));
}

#[test]
fn largest_force_is_stationary() {
    // F along the exact path through (δ, δ') at its largest: dF/dt = F_δ δ' - F_δ' F/m = 0
    for (stiffness, exponent, mass, v0, restitution) in CASES {
        let p = LawParameters { stiffness, exponent, restitution, ..Default::default() };
        for kind in LawKind::ALL.into_iter().filter(|kind| matches!(kind, LawKind::Hysteretic(_))) {
            let law = NormalLaw::new(kind, &p).unwrap();
            let c = Collision::solve(&law, mass, v0).unwrap();
            let (by_depth, by_rate) = law.stiffness_derivatives(c.depth_at_force_max, c.rate_at_force_max, v0);
            close(law.force(c.depth_at_force_max, c.rate_at_force_max, v0), c.force_max, 1e-12, "force");
            close(by_depth * c.rate_at_force_max, by_rate * c.force_max / mass, 1e-9, "stationary");
        }
    }
}

#[test]
fn impact_function_loses_nothing_without_damping() {
    let p = LawParameters {
        stiffness: 1e8,
        exponent: 2.2,
        damping: Some(0.0),
        full_damping_depth: 1e-4,
        ..Default::default()
    };
    let elastic = Collision::solve(&NormalLaw::from_name("hertz", &p).unwrap(), 39.0, 0.5).unwrap();
    let impact = Collision::solve(&NormalLaw::from_name("impact", &p).unwrap(), 39.0, 0.5).unwrap();
    for (got, want) in values(&impact).into_iter().zip(values(&elastic)) {
        // rate at the largest force and loss are zero; relative to v0 and to the energy they are of order one
        close(got, want, 1e-10, "impact without damping");
    }
}

#[test]
fn impact_function_agrees_with_direct_integration() {
    // moderate, creeping (over-damped), fast; then a published heel: 1e8 N/m^2.2, 1e5 N s/m at 0.1 mm
    for (stiffness, exponent, damping, full_damping_depth, mass, v0) in [
        (2e5, 1.0, 2.0e3, 1e-3, 5.0, 0.8),
        (2e5, 1.0, 1.0e5, 1e-3, 39.0, 0.1),
        (2e5, 1.0, 2.0e4, 1e-3, 39.0, 1.5),
        (1e8, 2.2, 1.0e5, 1e-4, 39.0, 0.5),
    ] {
        let p = LawParameters { stiffness, exponent, damping: Some(damping), full_damping_depth, ..Default::default() };
        let law = NormalLaw::from_name("impact", &p).unwrap();
        let solved = Collision::solve(&law, mass, v0).unwrap();
        let scale = solved.depth_max;
        let followed = integrate_collision(&law, mass, v0, scale, 2.0 * solved.duration * v0 / scale);
        // the direct integration steps over the kinks of the law
        close(followed.depth_max, solved.depth_max, 1e-9, "depth");
        close(followed.duration, solved.duration, 1e-8, "duration");
        close(followed.restitution, solved.restitution, 1e-8, "restitution");
        assert!(solved.force_max >= law.force(solved.depth_max, 0.0, v0));
        assert!(solved.restitution < 1.0 && solved.energy_loss > 0.0);
        close(law.force(solved.depth_at_force_max, solved.rate_at_force_max, v0), solved.force_max, 1e-12, "force");
    }
}

#[test]
fn nearly_plastic_collisions_creep_out() {
    // a → ∞: the bodies part at the constant speed v0/a = e v0, over the whole largest indentation
    let p = LawParameters { stiffness: 4e6, restitution: 1e-6, ..Default::default() };
    let law = NormalLaw::from_name("exact-restitution", &p).unwrap();
    let c = Collision::solve(&law, 0.8, 1.7).unwrap();
    close(c.restitution, 1e-6, 1e-12, "restitution");
    // the start of the way back is faster by nothing and slower by about e of the duration times a logarithm
    close(c.duration * c.restitution * 1.7 / c.depth_max, 1.0, 1e-4, "creep");
    assert!(c.duration > 1e3 * c.time_of_depth_max);
}

proptest! {
    /// Scaling: δmax ∝ (m v0²/K)^(1/(n+1)), duration ∝ δmax/v0, force ∝ m v0²/δmax; the shape depends on n and a only.
    #[test]
    fn collisions_scale(
        index in 3_usize..12, n in 1.0..6.0_f64, cr in 0.01..1.0_f64, k in 2.0..10.0_f64, m in -3.0..3.0_f64,
        v in -2.5..2.0_f64,
    ) {
        let (stiffness, mass, v0) = (10_f64.powf(k), 10_f64.powf(m), 10_f64.powf(v));
        let p = LawParameters { stiffness: 1.0, exponent: n, restitution: cr, ..Default::default() };
        let unit = NormalLaw::new(LawKind::ALL[index], &p).unwrap();
        let law = NormalLaw::new(LawKind::ALL[index], &LawParameters { stiffness, ..p }).unwrap();
        let (a, b) = (Collision::solve(&unit, 1.0, 1.0).unwrap(), Collision::solve(&law, mass, v0).unwrap());
        let depth = (mass * v0 * v0 / stiffness).powf(1.0 / (n + 1.0));
        close(b.depth_max, a.depth_max * depth, 1e-11, "depth");
        close(b.duration, a.duration * depth / v0, 1e-11, "duration");
        close(b.force_max, a.force_max * mass * v0 * v0 / depth, 1e-11, "force");
        close(b.restitution, a.restitution, 1e-14, "restitution");
        close(b.impulse * v0 * (1.0 - b.restitution), 2.0 * b.energy_loss, 1e-11, "energy");
        prop_assert!(b.time_of_depth_max <= 0.5 * b.duration * (1.0 + 1e-12));
        // no less than the force that does the work at constant strength
        prop_assert!(b.force_max * b.depth_max >= 0.5 * mass * v0 * v0 * (1.0 - 1e-12));
    }
}

#[test]
fn nonsense_is_refused() {
    let law = NormalLaw::from_name("hertz", &parameters()).unwrap();
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(Collision::solve(&law, bad, 1.0).is_err());
        assert!(Collision::solve(&law, 1.0, bad).is_err());
    }
}
