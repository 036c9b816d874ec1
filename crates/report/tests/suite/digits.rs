use serde_json::json;
use wolff_report::digits::{compared, plain, setting, short};

#[test]
fn results_have_four_digits_and_settings_those_that_were_given() {
    assert_eq!(short(812.3456), "812.3");
    assert_eq!(short(30445.2), "30445", "no digit before the decimal point is lost");
    assert_eq!(plain(&json!(0.995148)), "0.9951");
    assert_eq!(plain(&json!({ "hip": 0.998148, "knee": 1.0 })), "hip 0.9981, knee 1");
    assert_eq!(setting(0.9 * 1e-3), "0.0009");
    assert_eq!(setting(9e-5 * (1.0 + f64::EPSILON)), "9e-5");
    assert_eq!(setting(1.401298464), "1.401298464");
}

#[test]
fn digits_of_comparisons_follow_their_tolerance() {
    assert_eq!(compared(999.9926, 0.1), "999.99");
    assert_eq!(compared(1000.0, 0.1), "1000.00");
    assert_eq!(compared(1.5467512e-5, 1.5e-11), "1.5467512e-5");
    assert_eq!(compared(390.296, 20.0), "390");
    assert_eq!(compared(0.999995, 0.01), "1.000");
    // two that look equal are equal within the tolerance
    for (a, b, tolerance) in [(9.80665, 9.80661, 1e-5), (-0.50004, -0.50011, 1e-4), (123456.0, 123460.0, 3.0)] {
        assert_ne!(compared(a, tolerance), compared(b, tolerance), "{a} {b}");
    }
    // below the tolerance only the magnitude matters, and without one nothing is lost
    assert_eq!(compared(1.234e-14, 1e-9), "1.2e-14");
    assert_eq!(compared(14.0, 0.0), "14");
    assert_eq!(compared(0.0, 1e-9), "0");
    assert_eq!(compared(f64::NAN, 1e-9), "NaN");
}
