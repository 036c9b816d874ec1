//! No input makes the reader panic.

use proptest::prelude::*;
use wolff_study::build::build_model;
use wolff_study::document::{BUILTIN, StudyDocument};

/// Reads and builds as far as it goes; every span must lie in the text.
fn read(text: &str) {
    match StudyDocument::parse("fuzz", text).and_then(|d| d.evaluate()).and_then(|s| build_model(&s)) {
        Ok(_) => {}
        Err(error) => {
            assert!(!error.diagnostics.is_empty());
            assert!(error.diagnostics.iter().all(|d| error.text.get(d.span.clone()).is_some()));
            assert!(!error.to_string().is_empty());
        }
    }
}

/// Pieces of which TOML studies are made.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        "study",
        "title",
        "about",
        "[parameters]",
        "[[body]]",
        "[[joint]]",
        "[[contact]]",
        "[[measure]]",
        "[results]",
        "[[reference]]",
        "[integrator]",
        "name",
        "kind",
        "repeat",
        "value",
        "unit",
        "=",
        " = ",
        "\n",
        "{",
        "}",
        "[",
        "]",
        ",",
        "\"",
        "\"pin\"",
        "\"{i}\"",
        "\"1 m\"",
        "1e308",
        "-1",
        "nan",
        "inf",
        "true",
        "1979-05-27",
        ".",
        "\"\"\"",
        "{ value = 1, about = \"x\" }",
        "9223372036854775808",
        "\"ground\"",
        "'",
        "#",
        "0x",
        "µ",
    ];
    proptest::sample::select(words.to_vec()).prop_map(String::from)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_toml(pieces in proptest::collection::vec(piece(), 0..80)) {
        read(&pieces.concat());
    }

    /// A piece of a built-in study is cut out and something else put in its place.
    #[test]
    fn mutated_studies(
        index in 0..BUILTIN.len(),
        start in 0.0..1.0f64,
        length in 0usize..40,
        insert in proptest::collection::vec(piece(), 0..3),
    ) {
        let text = BUILTIN[index].1;
        let mut from = (start * text.len() as f64) as usize;
        while !text.is_char_boundary(from) { from -= 1; }
        let mut to = (from + length).min(text.len());
        while !text.is_char_boundary(to) { to -= 1; }
        read(&format!("{}{}{}", &text[..from], insert.concat(), &text[to.max(from)..]));
    }

    #[test]
    fn any_override(key in "[a-z_.]{0,20}", value in "\\PC{0,20}") {
        let mut document = StudyDocument::parse("pendulum", BUILTIN[4].1).expect("sound");
        for key in [key, "mass".into(), "integrator.rtol".into(), "output.interval".into()] {
            if document.apply_overrides(&[(key, value.clone())]).is_ok() {
                let _ = document.evaluate();
            }
        }
    }
}
