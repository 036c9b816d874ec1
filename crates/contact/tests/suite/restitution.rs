//! Damping factor and true restitution.

use crate::support::close;
use wolff_contact::LawKind;
use wolff_contact::law::DampingModel;
use wolff_contact::restitution::{MIN_RESTITUTION, exact_damping_factor, true_restitution};

/// Few-ulp formulas; the reference carries 15 digits.
const TOLERANCE: f64 = 1e-13;

/// Independent reference solution (30 digits): law, c_r, damping factor, true restitution.
#[rustfmt::skip]
const TRUE_RESTITUTION: [(&str, f64, f64, f64); 49] = [
    ("hunt-crossley", 0.1, 1.35, 0.5158326164003957),
    ("herbert-mcwhannell", 0.1, 1.4835164835164836, 0.49069765963362844),
    ("lee-wang", 0.1, 0.675, 0.6866634390554718),
    ("lankarani-nikravesh", 0.1, 0.7425, 0.6652654067551503),
    ("gonthier", 0.1, 9.899999999999999, 0.10098977421796947),
    ("zhiying-qishao", 0.1, 4.4918632423266125, 0.21746934061376463),
    ("flores", 0.1, 14.399999999999999, 0.0694442251515404),
    ("hunt-crossley", 0.3, 1.05, 0.5812880418085737),
    ("herbert-mcwhannell", 0.3, 1.3291139240506329, 0.5199665549434133),
    ("lee-wang", 0.3, 0.525, 0.738995319529823),
    ("lankarani-nikravesh", 0.3, 0.6825, 0.6842246057494477),
    ("gonthier", 0.3, 3.0333333333333337, 0.3042248639172528),
    ("zhiying-qishao", 0.3, 2.7676739773714907, 0.3266974028035398),
    ("flores", 0.3, 3.7333333333333334, 0.25620790667982424),
    ("hunt-crossley", 0.5, 0.75, 0.662962200001546),
    ("herbert-mcwhannell", 0.5, 1.0, 0.5936242600400401),
    ("lee-wang", 0.5, 0.375, 0.7991987821935678),
    ("lankarani-nikravesh", 0.5, 0.5625, 0.7252411140101973),
    ("gonthier", 0.5, 1.5, 0.4877412560153485),
    ("zhiying-qishao", 0.5, 1.5290335285082128, 0.48260802056123026),
    ("flores", 0.5, 1.6, 0.4704447793267395),
    ("hunt-crossley", 0.7, 0.45000000000000007, 0.7679997890784757),
    ("herbert-mcwhannell", 0.7, 0.5696202531645571, 0.7226826490879225),
    ("lee-wang", 0.7, 0.22500000000000003, 0.8693431103470632),
    ("lankarani-nikravesh", 0.7, 0.38250000000000006, 0.7959725953653285),
    ("gonthier", 0.7, 0.7285714285714288, 0.6695813197483053),
    ("zhiying-qishao", 0.7, 0.6969604411493698, 0.6795665064772712),
    ("flores", 0.7, 0.6857142857142858, 0.6831841997306839),
    ("hunt-crossley", 0.8, 0.29999999999999993, 0.8328697922656016),
    ("herbert-mcwhannell", 0.8, 0.35714285714285704, 0.8069800661849894),
    ("lee-wang", 0.8, 0.14999999999999997, 0.9090157413492024),
    ("lankarani-nikravesh", 0.8, 0.26999999999999996, 0.8471022797876163),
    ("gonthier", 0.8, 0.4499999999999999, 0.7679997890784758),
    ("zhiying-qishao", 0.8, 0.40279266836314287, 0.787364919124652),
    ("flores", 0.8, 0.3999999999999999, 0.7885391259070652),
    ("hunt-crossley", 0.9, 0.14999999999999997, 0.9090157413492024),
    ("herbert-mcwhannell", 0.9, 0.1648351648351648, 0.9008929856761426),
    ("lee-wang", 0.9, 0.07499999999999998, 0.9523701528204058),
    ("lankarani-nikravesh", 0.9, 0.14249999999999996, 0.9131766778055811),
    ("gonthier", 0.9, 0.21111111111111105, 0.8764354238617547),
    ("zhiying-qishao", 0.9, 0.17404989303782414, 0.89591818639379),
    ("flores", 0.9, 0.17777777777777773, 0.8939206926633783),
    ("hunt-crossley", 0.95, 0.07500000000000007, 0.9523701528204057),
    ("herbert-mcwhannell", 0.95, 0.07874015748031503, 0.9501122795677001),
    ("lee-wang", 0.95, 0.03750000000000003, 0.9756083051021112),
    ("lankarani-nikravesh", 0.95, 0.07312500000000006, 0.9535060451421328),
    ("gonthier", 0.95, 0.10263157894736852, 0.9359343215400856),
    ("zhiying-qishao", 0.95, 0.0808156233842818, 0.9488638983652146),
    ("flores", 0.95, 0.08421052631578956, 0.9468288314252674),
];

fn model(name: &str) -> DampingModel {
    match name.parse() {
        Ok(LawKind::Hysteretic(model)) => model,
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn table_of_true_restitution() {
    for (name, cr, a, e) in TRUE_RESTITUTION {
        let factor = model(name).damping_factor(cr).unwrap();
        close(factor, a, 1e-14 / (1.0 - cr), name);
        close(true_restitution(a).unwrap(), e, TOLERANCE, name);
    }
}

#[test]
fn exact_factor_gives_the_restitution_asked_for() {
    // a is ill conditioned in e near 1 (a ≈ 3 (1 - e)/2), e in a never: compare the restitutions
    for e in [1e-6, 1e-5, 1e-3, 0.013_748_453_526_414_009, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999, 1.0 - 1e-9, 1.0]
    {
        let a = exact_damping_factor(e).unwrap();
        close(true_restitution(a).unwrap(), e, 1e-14, "restitution");
    }
    assert_eq!(exact_damping_factor(1.0).unwrap(), 0.0);
    assert_eq!(true_restitution(0.0).unwrap(), 1.0);
}

#[test]
fn condition_of_separation_holds_as_printed() {
    // a (1 + e) = ln((1 + a)/(1 - a e)); 1 - a e keeps few digits at small e, where it is exponentially small
    for e in [0.2, 0.35, 0.5, 0.7, 0.85] {
        let a = exact_damping_factor(e).unwrap();
        close(((1.0 + a) / (1.0 - a * e)).ln(), a * (1.0 + e), 1e-12, "first integral");
    }
}

#[test]
fn gonthier_exact_solves_its_own_equation_and_is_the_exact_law() {
    for cr in [0.2, 0.4, 0.7, 0.9] {
        let a = model("gonthier-exact").damping_factor(cr).unwrap();
        let d = a * cr;
        // eq. 4.24 as printed; the spurious root d = 0 solves it too
        assert!(d > 0.1 && d < 1.0, "d = {d}");
        close((1.0 + d / cr) / (1.0 - d), (d * (1.0 + 1.0 / cr)).exp(), 1e-11, "eq. 4.24");
        assert_eq!(a, model("exact-restitution").damping_factor(cr).unwrap());
    }
    // reference value at c_r = 0.7
    close(model("gonthier-exact").damping_factor(0.7).unwrap() * 0.7, 0.4443797968864917, 1e-13, "d");
}

#[test]
fn factor_near_its_limits() {
    // e → 1: a = 3 (1 - e)/2 to first order; e → 0: a e → 1 and 1 + a = θ
    let eta = 1e-5;
    close(exact_damping_factor(1.0 - eta).unwrap(), 1.5 * eta, 3.0 * eta, "nearly elastic");
    close(exact_damping_factor(1e-6).unwrap(), 1e6, 1e-12, "nearly plastic");
    close(true_restitution(1e8).unwrap(), 1e-8, 1e-12, "strong damping");
}

#[test]
fn restitution_falls_with_damping() {
    let factors = (0..400).map(|k| 10_f64.powf(-12.0 + 0.05 * f64::from(k)));
    let restitutions: Vec<f64> = factors.map(|a| true_restitution(a).unwrap()).collect();
    assert!(restitutions.windows(2).all(|w| w[1] <= w[0]), "not monotonic");
    assert!(restitutions[0] > 1.0 - 1e-11 && restitutions[399] < 1e-7);
}

#[test]
fn plastic_collisions_are_refused_with_the_reason() {
    for name in ["gonthier", "flores", "gonthier-exact", "exact-restitution"] {
        let message = model(name).damping_factor(0.0).unwrap_err().to_string();
        assert!(message.contains(name) && message.contains("infinite"), "{message}");
        assert!(model(name).damping_factor(MIN_RESTITUTION).unwrap().is_finite());
    }
    for name in ["hunt-crossley", "herbert-mcwhannell", "lee-wang", "lankarani-nikravesh", "zhiying-qishao"] {
        assert!(model(name).damping_factor(0.0).unwrap() > 0.0);
    }
    for bad in [f64::NAN, -0.1, 1.0 + 1e-9, f64::INFINITY] {
        for kind in LawKind::ALL {
            if let LawKind::Hysteretic(model) = kind {
                assert!(model.damping_factor(bad).is_err(), "{kind} accepts {bad}");
            }
        }
        assert!(true_restitution(-bad.abs()).is_err());
    }
}

#[test]
fn every_model_is_elastic_at_one() {
    for kind in LawKind::ALL {
        if let LawKind::Hysteretic(model) = kind {
            assert_eq!(model.damping_factor(1.0).unwrap(), 0.0, "{kind}");
        }
    }
}
