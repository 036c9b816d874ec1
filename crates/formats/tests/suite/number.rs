//! How numbers are written.

use proptest::prelude::*;
use wolff_formats::{Table, csv};

/// The text of a number in a table.
fn written(x: f64) -> String {
    let table = Table::new(vec!["x".into()], vec![vec![x]]).unwrap();
    csv::write(&table).trim_start_matches("x\n").trim_end().into()
}

/// What the standard library writes, which takes three times as long; whole numbers without their `.0`.
fn expected(x: f64) -> String {
    let text = format!("{x:?}");
    text.strip_suffix(".0").map_or(text.clone(), String::from)
}

#[test]
fn short_numbers_stay_short() {
    for (x, text) in [
        (0.0, "0"),
        (-0.0, "-0"),
        (1.0, "1"),
        (-2.5, "-2.5"),
        (0.1, "0.1"),
        (1e-4, "0.0001"),
        (9.5e-5, "9.5e-5"),
        (-1e-5, "-1e-5"),
        (1e-6, "1e-6"),
        (1e15, "1000000000000000"),
        (1e16, "1e16"),
        (-1.25e300, "-1.25e300"),
        (5e-324, "5e-324"),
        (f64::NAN, "NaN"),
        (f64::INFINITY, "Inf"),
        (f64::NEG_INFINITY, "-Inf"),
    ] {
        assert_eq!(written(x), text);
    }
}

/// In every decade, where whole numbers, fractions and powers of ten take over from each other.
#[test]
fn every_decade_is_written_as_the_standard_library_does() {
    for exponent in -320..=307 {
        for mantissa in ["1", "9.999999999999999", "1.2345678901234567", "-4.5", "7"] {
            let x: f64 = format!("{mantissa}e{exponent}").parse().unwrap();
            assert_eq!(written(x), expected(x));
        }
    }
}

proptest! {
    #[test]
    fn any_bits_are_written_as_the_standard_library_does(bits in any::<u64>(), small in -1e-3..1e-3_f64) {
        let x = f64::from_bits(bits);
        prop_assume!(x.is_finite());
        prop_assert_eq!(written(x), expected(x));
        prop_assert_eq!(written(small), expected(small));
    }
}
