use wolff_formats::Table;

fn labels(names: &[&str]) -> Vec<String> {
    names.iter().map(|n| n.to_string()).collect()
}

#[test]
fn a_column_is_found_by_its_label() {
    let table = Table::new(labels(&["time", "q"]), vec![vec![0.0, 3.5], vec![0.1, -2.0]]).unwrap();
    assert_eq!(table.column("q"), Some(vec![3.5, -2.0]));
    assert_eq!(table.column("missing"), None);
}

#[test]
fn a_ragged_row_is_refused_by_number() {
    let error = Table::new(labels(&["time", "q"]), vec![vec![0.0, 1.0], vec![0.1]]).unwrap_err();
    assert_eq!(error.to_string(), "table: row 2 has 1 values for 2 columns");
}

#[test]
fn labels_that_no_format_can_hold_are_refused() {
    for bad in ["", "  ", "a\tb", "a\nb"] {
        let error = Table::new(labels(&["time", bad]), Vec::new()).unwrap_err();
        assert!(error.to_string().contains("label 2"), "{error}");
    }
    assert!(Table::new(Vec::new(), Vec::new()).is_err());
}
