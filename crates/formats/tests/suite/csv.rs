use proptest::prelude::*;
use wolff_formats::csv;
use wolff_formats::{FormatError, Table};

fn table(labels: &[&str], rows: Vec<Vec<f64>>) -> Table {
    Table::new(labels.iter().map(|l| l.to_string()).collect(), rows).unwrap()
}

/// The line and message of a syntax error.
fn syntax_error(text: &str) -> (usize, String) {
    match csv::read(text.as_bytes()) {
        Err(FormatError::Syntax { line, message, .. }) => (line, message),
        other => panic!("expected a syntax error, got {other:?}"),
    }
}

#[test]
fn labels_are_quoted_only_when_they_need_it() {
    let text = csv::write(&table(
        &["time", "force, left [N]", "the \"knee\"", " padded"],
        vec![vec![0.0, 1.5, f64::NAN, f64::NEG_INFINITY]],
    ));
    assert_eq!(text, "time,\"force, left [N]\",\"the \"\"knee\"\"\",\" padded\"\n0,1.5,NaN,-Inf\n");
}

#[test]
fn quotes_line_breaks_and_windows_line_ends_are_split_as_rfc_4180_says() {
    let records = csv::records("a,\"b \"\"x\"\"\"\r\n\"two\r\nlines\",\r\n\r\nlast,1").unwrap();
    let fields: Vec<_> = records.iter().map(|r| (r.line, r.fields.join("|"))).collect();
    assert_eq!(fields, [(1, "a|b \"x\"".to_string()), (2, "two\r\nlines|".to_string()), (5, "last|1".to_string()),]);
}

#[test]
fn an_empty_field_is_a_gap() {
    let read = csv::read(b"time,a\r\n0,\r\n1, 2\r\n").unwrap();
    assert!(read.rows()[0][1].is_nan());
    assert_eq!(read.rows()[1], [1.0, 2.0]);
}

#[test]
fn mistakes_are_reported_with_their_line() {
    let cases = [
        ("", 1, "empty"),
        ("time,a\n0\n", 2, "1 values for 2 labels"),
        ("time,a\n0,1\n1,two\n", 3, "`two` is not a number"),
        ("time,a\n0,\"1\n2\n", 2, "never closed"),
        ("time,\"a\"b\n", 1, "after a closing quote"),
        ("time,a\"b\n", 1, "inside the unquoted field"),
        ("time,\n", 1, "label 2"),
    ];
    for (text, line, words) in cases {
        let (found, message) = syntax_error(text);
        assert_eq!(found, line, "{text:?}: {message}");
        assert!(message.contains(words), "{text:?}: {message}");
    }
}

proptest! {
    #[test]
    fn what_was_written_reads_back(
        label in "[ -~]{0,12}[!-~]",
        values in proptest::collection::vec(any::<f64>(), 0..20),
    ) {
        let label = label.trim().to_string();
        let before = table(&["time", &label], values.iter().map(|&x| vec![1.0, x]).collect());
        let after = csv::read(csv::write(&before).as_bytes()).unwrap();
        prop_assert_eq!(after.labels(), before.labels());
        for (row, x) in after.rows().iter().zip(&values) {
            prop_assert!(row[1].to_bits() == x.to_bits() || (row[1].is_nan() && x.is_nan()));
        }
    }

    #[test]
    fn any_bytes_are_answered_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = csv::read(&bytes);
    }

    #[test]
    fn any_mixture_of_pieces_is_answered_without_a_panic(text in "[a,\"\n\r1. µ]{0,60}") {
        let _ = csv::read(text.as_bytes());
    }
}

#[test]
fn semicolons_and_tabs_separate_too_and_then_commas_are_points() {
    let expected = csv::read(b"time,a b\n0,1.5\n1,\n").unwrap();
    for text in ["time;a b\n0;1,5\n1;\n", "time\ta b\n0\t1,5\n1\t\n", "\"time\";\"a b\"\r\n0;1.5\r\n1;NaN\r\n"] {
        let read = csv::read(text.as_bytes()).unwrap();
        assert_eq!(read.labels(), expected.labels(), "{text:?}");
        assert_eq!(read.rows()[0], expected.rows()[0], "{text:?}");
        assert!(read.rows()[1][1].is_nan(), "{text:?}");
    }
}

#[test]
fn a_table_without_labels_keeps_its_first_row() {
    let read = csv::read(b"1,2.5\n3,4\n").unwrap();
    assert_eq!(read.labels(), ["column 1", "column 2"]);
    assert_eq!(read.rows(), [vec![1.0, 2.5], vec![3.0, 4.0]]);
    // 301 samples of 15 results, and the peak of the ankle moment that the README gives
    let Some(bytes) = crate::shared::bytes("gait2d-invdyn/refresults.csv") else { return };
    let read = csv::read(&bytes).unwrap();
    assert_eq!((read.rows().len(), read.labels().len()), (301, 15));
    let peak = read.column("column 9").unwrap().into_iter().fold(0.0, |a: f64, x| a.max(x.abs()));
    assert!((peak - 1.79).abs() < 0.005, "{peak}");
}

#[test]
fn words_are_written_so_that_they_split_again() {
    let records = vec![vec!["a".to_string(), "x, \"y\"".into()], vec![String::new(), " 1\n2".into()]];
    let text = csv::write_records(&records);
    let back: Vec<Vec<String>> = csv::records(&text).unwrap().into_iter().map(|r| r.fields).collect();
    assert_eq!(back, records);
}

#[test]
fn texts_that_spreadsheets_would_compute_are_marked() {
    let records = vec![vec!["=1+1".into(), "@SUM(A1)".into(), "+cmd|x".into(), "-2+3".into(), " =x".into()]];
    assert_eq!(csv::write_records(&records), "'=1+1,'@SUM(A1),'+cmd|x,'-2+3,' =x\n");
    // numbers and a dash alone stay
    let numbers = vec![vec!["-1.5".into(), "+2e3".into(), "-".into(), "-inf".into(), "a=b".into()]];
    assert_eq!(csv::write_records(&numbers), "-1.5,+2e3,-,-inf,a=b\n");
}

#[test]
fn marked_labels_come_back() {
    let labels = ["=x", "-y,z", "'quoted'", "plain"].map(String::from).to_vec();
    let table = Table::new(labels.clone(), vec![vec![-1.0, 2.0, -3.0, 4.0]]).unwrap();
    let text = csv::write(&table);
    assert!(text.starts_with("'=x,\"'-y,z\",'quoted',plain\n-1"), "{text}");
    assert_eq!(csv::read(text.as_bytes()).unwrap().labels(), labels);
}

/// Names of others do not control the terminal that shows the file.
#[test]
fn control_characters_in_labels_are_shown() {
    let table = Table::new(vec!["time".into(), "\u{1b}[31mknee".into()], vec![vec![0.0, 1.0]]).unwrap();
    assert_eq!(csv::write(&table), "time,\\u{1b}[31mknee\n0,1\n");
    let storage = wolff_formats::sto::Storage { name: "a\u{9b}".into(), in_degrees: false, table, remarks: Vec::new() };
    let text = wolff_formats::sto::write(&storage).unwrap();
    assert!(text.starts_with("a\\u{9b}\n") && text.contains("\t\\u{1b}[31mknee\n"), "{text}");
}
