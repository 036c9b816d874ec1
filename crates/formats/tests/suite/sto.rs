use proptest::prelude::*;
use wolff_formats::sto::{self, Storage, StorageWriter};
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

/// Row by row or at once, the bytes are the same.
#[test]
fn rows_may_be_written_as_they_come() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("rows-as-they-come.sto");
    let _ = std::fs::remove_file(&path);
    let whole = storage(&["time", "flexion"], vec![vec![0.0, 0.1], vec![0.01, f64::NAN], vec![0.02, -1e-9]]);
    let begin = |name: &str, labels: &[&str]| {
        StorageWriter::create(&path, name, true, labels.iter().map(|l| l.to_string()).collect())
    };
    let mut writer = begin("knee", &["time", "flexion"]).unwrap();
    whole.table.rows().iter().for_each(|row| writer.push(row).unwrap());
    assert!(writer.push(&[1.0]).unwrap_err().to_string().contains("row 4 has 1 values"));
    let mut writer = {
        drop(writer);
        std::fs::remove_file(path.with_extension("sto.rows")).unwrap();
        begin("knee", &["time", "flexion"]).unwrap()
    };
    whole.table.rows().iter().for_each(|row| writer.push(row).unwrap());
    writer.finish().unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), sto::write(&whole).unwrap());
    assert!(!path.with_extension("sto.rows").exists());
    std::fs::remove_file(&path).unwrap();
    for (name, labels) in [("a=b", &["time"][..]), ("knee", &["flexion"]), ("knee", &["time", "a\tb"])] {
        assert!(begin(name, labels).is_err(), "{name} {labels:?}");
    }
    assert!(!path.with_extension("sto.rows").exists());
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
    assert!(read.in_degrees && read.remarks[0].contains("SIMM"), "{:?}", read.remarks);
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

#[test]
fn the_dialects_give_the_same_table() {
    let plain =
        "walk\nversion=1\nnRows=2\nnColumns=3\ninDegrees=yes\nendheader\ntime\ta\tb\n0\t1.5\t2\n0.5\t3\t-4e-3\n";
    let expected = sto::read(plain.as_bytes()).unwrap();
    let cases = [
        ("windows", plain.replace('\n', "\r\n")),
        ("old mac", plain.replace('\n', "\r")),
        ("capitals", plain.replace("endheader", "EndHeader ")),
        ("two words", plain.replace("endheader", "end header")),
        ("spreadsheet", plain.replace("endheader\n", "\"endheader\"\t\t\n").replace("a\tb", "\"a\"\t\"b\"")),
        ("spaces", plain.replace('\t', "   ")),
        ("decimal comma", plain.replace("1.5", "1,5").replace("0.5", "0,5")),
        ("commas between", plain.replace('\t', ",")),
        ("spaces around =", plain.replace("nRows=2", "nRows = 2")),
        ("trailing tabs", plain.replace("2\n0.5", "2\t\t\n0.5")),
    ];
    for (what, text) in cases {
        let read = sto::read(text.as_bytes()).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!((&read.table, read.in_degrees), (&expected.table, true), "{what}");
        let remarks = usize::from(what == "decimal comma");
        assert_eq!(read.remarks.len(), remarks, "{what}: {:?}", read.remarks);
    }
}

#[test]
fn empty_cells_and_what_is_no_number_are_gaps() {
    let read = sto::read(b"x\nendheader\ntime\ta\tb\n0\t\t1\n1\t1.#QNAN\t\n2\t-1.#IND\tNaN\n").unwrap();
    let gaps: Vec<[bool; 2]> = read.table.rows().iter().map(|r| [r[1].is_nan(), r[2].is_nan()]).collect();
    assert_eq!(gaps, [[true, false], [true, true], [true, true]]);
}

#[test]
fn times_that_do_not_advance_follow_the_policy() {
    use sto::TimePolicy;
    let text = b"x\nendheader\ntime a\n0 1\n1 2\n1 3\n0.5 4\n2 5\n";
    let kept = sto::read(text).unwrap();
    assert_eq!(kept.table.rows().len(), 5);
    assert_eq!(
        kept.remarks,
        ["time is repeated in line 6; those rows are kept", "time goes back in line 7; those rows are kept"]
    );
    let first = sto::read_with(text, TimePolicy::KeepFirst).unwrap();
    assert_eq!(first.table.column("a").unwrap(), [1.0, 2.0, 5.0]);
    assert!(first.remarks[0].contains("left out"), "{:?}", first.remarks);
    let error = sto::read_with(text, TimePolicy::Refuse).unwrap_err().to_string();
    assert!(error.starts_with(".sto line 6: time is 1 s after 1 s"), "{error}");
    let error = sto::read(b"x\nendheader\ntime a\n0 1\nNaN 2\n").unwrap_err().to_string();
    assert!(error.starts_with(".sto line 5: the row has no time"), "{error}");
}

#[test]
fn vectors_and_quaternions_are_spread_over_columns_and_written_back() {
    let text = "imu\nDataType=Quaternion\nversion=3\nendheader\ntime\tpelvis\ttibia_r\n0\t1,0,0,0\t0.5,0.5,-0.5,0.5\n0.1\t\t0,1,0,0\n";
    let read = sto::read(text.as_bytes()).unwrap();
    assert_eq!(read.table.labels()[..3], ["time", "pelvis_1", "pelvis_2"]);
    assert_eq!(read.table.rows()[0][5..], [0.5, 0.5, -0.5, 0.5]);
    assert!(read.table.rows()[1][1..5].iter().all(|x| x.is_nan()));
    let again = sto::read(sto::write_typed(&read, "Quaternion").unwrap().as_bytes()).unwrap();
    assert_eq!(again.table.labels(), read.table.labels());
    assert_eq!(again.table.rows()[0], read.table.rows()[0]);
    assert!(sto::write_typed(&read, "Vec3").is_err());
    let error = sto::read(b"x\nDataType=Vec3\nendheader\ntime\ta\n0\t1,2\n").unwrap_err().to_string();
    assert!(error.contains("the cell `1,2` has 2 numbers, its type has 3"), "{error}");
}

#[test]
fn every_real_file_reads() {
    for path in crate::shared::all(&["sto", "mot"]) {
        let read = sto::read(&std::fs::read(&path).unwrap()).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        // files of controls for models without any are empty, and say so
        let empty = path.to_string_lossy().ends_with("_controls.sto") && read.table.rows().is_empty();
        assert!(empty || read.table.labels().len() > 1 && !read.table.rows().is_empty(), "{}", path.display());
    }
}

/// Facts of the READMEs.
#[test]
fn real_files_hold_what_is_known_of_them() {
    let cases = [
        ("gait1992-pipeline/inverse_kinematics/task_InverseKinematics.mot", 151, true),
        ("gait1992-pipeline/inverse_dynamics/task_InverseDynamics.sto", 2500, false),
        ("rajagopal-walk/coordinates.sto", 1350, false),
        ("opensim-core/IK/std_subject01_walk1_ik.mot", 73, true),
    ];
    for (name, rows, in_degrees) in cases {
        let Some(bytes) = crate::shared::bytes(name) else { continue };
        let read = sto::read(&bytes).unwrap();
        assert_eq!((read.table.rows().len(), read.in_degrees), (rows, in_degrees), "{name}");
    }
}

#[test]
fn a_last_number_that_is_cut_off_is_told() {
    let rows: Vec<String> = (0..10).map(|i| format!("{i}\t{:.4}", 0.5 * f64::from(i))).collect();
    let text = format!("t\nendheader\ntime\tx\n{}", rows.join("\n"));
    assert_eq!(sto::read(text.as_bytes()).unwrap().remarks, Vec::<String>::new());
    let cut = sto::read(&text.as_bytes()[..text.len() - 3]).unwrap();
    assert!(cut.remarks[0].contains("the file is cut off"), "{:?}", cut.remarks);
}
