use wolff_verdict::{Finding, grouped};

#[test]
fn text_has_message_and_remedy() {
    assert_eq!(
        Finding::warning("plate 2 is upside down", "turn it").to_string(),
        "warning: plate 2 is upside down; turn it"
    );
    assert_eq!(Finding::note("3 gaps are filled", "").text(), "3 gaps are filled");
}

#[test]
fn many_names_are_counted() {
    let names: Vec<String> = (0..44).map(|i| format!("M{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    assert_eq!(grouped(&names[..2]), "`M0`, `M1`");
    assert_eq!(grouped(&names), "`M0`, `M1`, `M2`, `M3`, `M4`, `M5` and 38 more");
}
