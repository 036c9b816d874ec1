//! Numbers with units.

use proptest::prelude::*;
use wolff_formula::{Dimension, parse_quantity, parse_unit};

#[test]
fn units_are_converted_to_si() {
    let cases = [
        ("20 mm", 0.02, Dimension::LENGTH),
        ("15 deg", 15f64.to_radians(), Dimension::ANGLE),
        ("5 kN/m", 5e3, Dimension::STIFFNESS),
        ("0.3 m/s", 0.3, Dimension::SPEED),
        ("-9.81 m/s^2", -9.81, Dimension::ACCELERATION),
        ("9.81m/s2", 9.81, Dimension::ACCELERATION),
        ("60 rpm", 2.0 * std::f64::consts::PI, Dimension::ANGULAR_SPEED),
        ("3 g mm^2", 3e-9, Dimension::INERTIA),
        ("2e3 N*s/m", 2e3, Dimension::DAMPING),
        ("70 %", 0.7, Dimension::ONE),
        ("165 lb", 74.842_741_05, Dimension::MASS),
        ("6 ft", 1.8288, Dimension::LENGTH),
        ("70 in", 1.778, Dimension::LENGTH),
    ];
    for (text, value, dimension) in cases {
        let quantity = parse_quantity(text).expect(text);
        assert!((quantity.value - value).abs() <= 1e-15 * value.abs(), "{text} = {}", quantity.value);
        assert!(quantity.dimension.expect(text).equals(dimension), "{text}: {:?}", quantity.dimension);
    }
}

#[test]
fn what_is_no_quantity_is_left_alone() {
    for text in ["", "mm", "2 * crank", "2 foo", "1 / 12", "-gravity", "e3", "3 m^", "3 m^99"] {
        assert_eq!(parse_quantity(text), None, "{text}");
    }
    assert_eq!(parse_quantity("2.5").map(|q| q.dimension), Some(None));
}

#[test]
fn dimensions_are_written_as_people_read_them() {
    let written = |unit: &str| parse_unit(unit).map(|(_, d)| d.to_string());
    for unit in ["N/m^1.5", "kg m^2", "m/s^2", "rad/s", "N s/m", "kg", "1", "1/s"] {
        assert_eq!(written(unit).as_deref(), Some(unit));
    }
    assert_eq!(Dimension::LENGTH.describe(), "a length [m]");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,40}") {
        let _ = parse_quantity(&text);
        let _ = parse_unit(&text);
    }

    #[test]
    fn written_dimensions_are_read_back(kg in -1..2i32, m in -3..4i32, s in -3..3i32, rad in -1..2i32) {
        let dimension = Dimension { kg: kg.into(), m: m.into(), s: s.into(), rad: rad.into() };
        let (size, back) = parse_unit(&dimension.to_string()).expect("a unit");
        prop_assert!(size == 1.0 && back.equals(dimension), "{} became {}", dimension, back);
    }
}
