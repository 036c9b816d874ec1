use proptest::prelude::*;
use wolff_formats::sto::{self, Storage};
use wolff_formats::{FormatError, Table};

fn storage(labels: &[&str], rows: Vec<Vec<f64>>) -> Storage {
    Storage {
        name: "knee".into(),
        in_degrees: true,
        table: Table::new(labels.iter().map(|l| l.to_string()).collect(), rows).unwrap(),
        remarks: Vec::new(),
    }
}

/// The line and message of a syntax error.
fn syntax_error(text: &str) -> (usize, String) {
    match sto::read(text.as_bytes()) {
        Err(FormatError::Syntax { line, message, .. }) => (line, message),
        other => panic!("expected a syntax error, got {other:?}"),
    }
}

#[test]
fn the_text_is_what_opensim_expects() {
    let text = sto::write(&storage(&["time", "flexion [deg]"], vec![vec![0.0, 0.1], vec![0.01, f64::NAN]])).unwrap();
    assert_eq!(
        text,
        "knee\nversion=1\nnRows=2\nnColumns=2\ninDegrees=yes\nendheader\n\
         time\tflexion [deg]\n0\t0.1\n0.01\tNaN\n"
    );
}

#[test]
fn a_first_column_other_than_time_is_refused() {
    let error = sto::write(&storage(&["angle"], Vec::new())).unwrap_err();
    assert!(error.to_string().contains("must be `time`, not `angle`"), "{error}");
}

#[test]
fn a_name_that_would_be_read_as_a_header_key_is_refused() {
    let mut bad = storage(&["time"], Vec::new());
    bad.name = "nRows=3".into();
    assert!(sto::write(&bad).is_err());
}

#[test]
fn windows_line_ends_spaces_and_a_bare_header_are_read() {
    let text = "Coordinates\r\nendheader\r\n time   a b\r\n 0  1 2e-3 \r\n\r\n0.5\t-1\t3\r\n\r\n";
    let read = sto::read(text.as_bytes()).unwrap();
    assert_eq!(read.name, "Coordinates");
    assert!(!read.in_degrees);
    assert_eq!(read.table.labels(), ["time", "a", "b"]);
    assert_eq!(read.table.rows(), [vec![0.0, 1.0, 0.002], vec![0.5, -1.0, 3.0]]);
}

#[test]
fn motion_file_words_and_tabbed_labels_are_read() {
    let text = "name walk one\ndatacolumns 2\ndatarows 1\nrange 0 1\nendheader\ntime\thip flexion\t\n0\t4\n";
    let read = sto::read(text.as_bytes()).unwrap();
    assert_eq!(read.name, "walk one");
    assert_eq!(read.table.labels(), ["time", "hip flexion"]);
}

#[test]
fn a_header_without_a_name_line_is_read() {
    let text = "inDegrees=yes\nDataType=double\nversion=3\nendheader\ntime\ta\n0\t1\n";
    let read = sto::read(text.as_bytes()).unwrap();
    assert_eq!(read.name, "");
    assert!(read.in_degrees);
}

#[test]
fn mistakes_are_reported_with_their_line() {
    let cases = [
        ("x\nnRows=many\nendheader\n", 2, "count"),
        ("x\ninDegrees=maybe\nendheader\n", 2, "yes or no"),
        ("x\nDataType=Rotation\nendheader\n", 2, "DataType=double"),
        ("x\nversion=1\n", 2, "no `endheader`"),
        ("x\nendheader\n", 2, "no labels"),
        ("x\nendheader\nangle b\n", 3, "must be `time`"),
        ("x\nendheader\ntime b\n0 1\n0 one\n", 5, "`one` is not a number"),
        ("x\nendheader\ntime b\n0 1 2\n", 4, "3 values for 2 labels"),
    ];
    for (text, line, words) in cases {
        let (found, message) = syntax_error(text);
        assert_eq!(found, line, "{text:?}: {message}");
        assert!(message.contains(words), "{text:?}: {message}");
    }
}

#[test]
fn wrong_counts_are_remarked_and_the_table_decides() {
    let text = "x\nnRows=3\nnColumns=4\nendheader\ntime b\n0 1\n1 1\n";
    let read = sto::read(text.as_bytes()).unwrap();
    assert_eq!(read.table.rows().len(), 2);
    assert_eq!(read.remarks.len(), 2, "{:?}", read.remarks);
    assert!(read.remarks[0].contains("says 3 rows, the table has 2"));
    assert!(read.remarks[1].contains("says 4 columns, the table has 2"));
}

#[test]
fn bytes_that_are_no_text_are_reported_with_their_line() {
    let error = sto::read(b"x\nendheader\ntime\n\xff\n").unwrap_err();
    assert!(error.to_string().starts_with(".sto line 4: the text is not UTF-8"), "{error}");
}

proptest! {
    #[test]
    fn every_number_reads_back_to_the_same_bits(values in proptest::collection::vec(any::<f64>(), 1..40)) {
        let rows: Vec<Vec<f64>> = values.iter().map(|&x| vec![0.25, x]).collect();
        let before = storage(&["time", "a"], rows);
        let after = sto::read(sto::write(&before).unwrap().as_bytes()).unwrap();
        prop_assert_eq!(after.table.rows().len(), values.len());
        for (row, x) in after.table.rows().iter().zip(values) {
            prop_assert!(row[1].to_bits() == x.to_bits() || (row[1].is_nan() && x.is_nan()));
        }
    }

    #[test]
    fn any_bytes_are_answered_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = sto::read(&bytes);
    }

    /// Pieces of real files in any order reach the deeper branches.
    #[test]
    fn any_mixture_of_pieces_is_answered_without_a_panic(
        pieces in proptest::collection::vec(
            prop_oneof![
                Just("endheader\n"), Just("time"), Just("\t"), Just(" "), Just("\r\n"), Just("\n"),
                Just("nRows="), Just("nColumns="), Just("1"), Just("-2e400"), Just("µ"), Just("="),
            ],
            0..30,
        )
    ) {
        let _ = sto::read(pieces.concat().as_bytes());
    }
}
