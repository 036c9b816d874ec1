//! Formulas: precedence, functions, dimensions, and what is wrong with bad ones.

use proptest::prelude::*;
use wolff_formula::{Dimension, Expression, Lookup, Quantity, Scope};

struct Numbers;

impl Lookup for Numbers {
    fn get(&self, name: &str) -> Option<f64> {
        match name {
            "x" => Some(3.0),
            "impact.1.t_s" => Some(0.5),
            _ => None,
        }
    }
}

fn value(text: &str) -> f64 {
    Expression::parse(text).and_then(|e| e.value(&Numbers)).unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn operators_bind_as_in_mathematics() {
    let cases = [
        ("2 + 3 * 4", 14.0),
        ("(2 + 3) * 4", 20.0),
        ("8 - 4 - 2", 2.0),
        ("16 / 4 / 2", 2.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("2 * -x", -6.0),
        ("1.5e1 + .5", 15.5),
        ("2 * impact.1.t_s", 1.0),
        ("min(x, 1, 2) + max(4, x)", 5.0),
        ("atan2(1, 1) * 4 - pi", 0.0),
        ("sqrt(abs(-9)) + ln(exp(2))", 5.0),
    ];
    for (text, expected) in cases {
        assert!((value(text) - expected).abs() < 1e-14, "{text} = {}", value(text));
    }
}

#[test]
fn mistakes_name_their_column() {
    let cases = [
        ("", 0, "ends where a value"),
        ("1 +", 3, "ends where a value"),
        ("2 $ 3", 2, "`$`"),
        ("(1 + 2", 6, "`)` is missing"),
        ("1 + y", 4, "unknown name `y`"),
        ("foo(1)", 0, "no function `foo` of 1"),
        ("sin(1, 2)", 0, "no function `sin` of 2"),
        ("1e999", 0, "finite"),
    ];
    for (text, column, words) in cases {
        let error = Expression::parse(text).and_then(|e| e.value(&Numbers)).expect_err(text);
        assert_eq!(error.at.start, column, "{text}: {error}");
        assert!(error.message.contains(words), "{text}: {error}");
    }
}

#[test]
fn size_and_depth_are_bounded() {
    for text in ["(".repeat(900), "-".repeat(900), "2^".repeat(400) + "2", "1+".repeat(600) + "1"] {
        assert!(Expression::parse(&text).is_err());
    }
    // long chains without nesting are fine
    assert_eq!(value(&("1+".repeat(400) + "1")), 401.0);
}

/// A length, a time and a mass.
struct Measured;

impl Scope for Measured {
    fn get(&self, name: &str) -> Option<Quantity> {
        let (value, dimension) = match name {
            "l" => (2.0, Dimension::LENGTH),
            "t" => (4.0, Dimension::TIME),
            "m" => (3.0, Dimension::MASS),
            _ => return None,
        };
        Some(Quantity { value, dimension: Some(dimension) })
    }
}

#[test]
fn dimensions_follow_the_formula() {
    let dimension = |text: &str| Expression::parse(text).and_then(|e| e.evaluate(&Measured)).map(|q| q.dimension);
    assert_eq!(dimension("m * l^2 / 12"), Ok(Some(Dimension::INERTIA)));
    assert_eq!(dimension("sqrt(l * l) / t + 1"), Ok(Some(Dimension::SPEED)));
    assert_eq!(dimension("2 * 3"), Ok(None));
    for wrong in ["l + t", "sin(l)", "2^l", "max(m, l)", "exp(t)"] {
        assert!(dimension(wrong).is_err(), "{wrong}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[ 0-9a-z.+*/^(),-]{0,60}") {
        if let Ok(expression) = Expression::parse(&text) {
            let _ = expression.value(&Numbers);
        }
    }

    #[test]
    fn sums_and_products_agree_with_rust(a in -1e3..1e3f64, b in -1e3..1e3f64, c in 0.1..1e3f64) {
        prop_assert_eq!(value(&format!("({a}) + ({b}) * {c}")), a + b * c);
        prop_assert_eq!(value(&format!("({a} - ({b})) / {c}")), (a - b) / c);
    }
}
