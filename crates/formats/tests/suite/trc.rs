use crate::shared;
use std::path::Path;
use wolff_formats::trial::{LengthUnit, Marker, MarkerTrial};
use wolff_formats::{FormatError, trc};

const HEADER: &str = "PathFileType\t4\t(X/Y/Z)\tC:\\lab\\walk.trc\n\
    DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n\
    100\t100\t2\t2\tmm\t100\t1\t2\n";

fn read(text: &str) -> MarkerTrial {
    trc::read(text.as_bytes()).unwrap()
}

/// The trial as a file gives it one frame at a time.
fn frame_by_frame(bytes: &[u8], name: &str) -> Result<MarkerTrial, FormatError> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("frames-{}.trc", name.replace(' ', "-")));
    std::fs::write(&path, bytes).unwrap();
    let opened = trc::FrameFile::open(&path);
    let read = opened.and_then(|file| {
        let survey = file.survey().clone();
        let (mut frames, mut points) = (file.frames()?, Vec::new());
        let mut markers: Vec<Marker> =
            survey.names.iter().map(|name| Marker { name: name.clone(), points: Vec::new() }).collect();
        for &time in &survey.times {
            assert_eq!(frames.next_frame(&mut points)?, Some(time));
            markers.iter_mut().zip(&points).for_each(|(marker, point)| marker.points.push(*point));
        }
        assert_eq!(frames.next_frame(&mut points)?, None);
        let trial = MarkerTrial::new(&survey.name, survey.rate, survey.times, markers)?;
        let whole = trc::read(bytes)?;
        assert_eq!((whole.remarks(), whole.source_unit()), (&survey.remarks[..], survey.unit));
        assert_eq!((trial.markers(), trial.times()), (whole.markers(), whole.times()));
        Ok(whole)
    });
    std::fs::remove_file(&path).unwrap();
    read
}

/// A character that two blocks of a file share is one; a byte that is none makes the file Latin-1, wherever it stands.
#[test]
fn letters_beyond_ascii_survive_blocks() {
    for shift in 0..4 {
        let name = format!("{}{}", "x".repeat(shift), "é".repeat(6000));
        let text = format!("{HEADER}Frame#\tTime\t{name}\t\t\n1\t0\t1\t2\t3\n2\t0.01\t1\t2\t3\n");
        assert_eq!(frame_by_frame(text.as_bytes(), "letters").unwrap().markers()[0].name, name);
        let mut bytes = text.into_bytes();
        bytes.extend(b"\xe9");
        let error = frame_by_frame(&bytes, "latin").unwrap_err().to_string();
        assert!(error.contains("line 7"), "{error}");
    }
}

#[test]
fn a_plain_file_is_read_in_metres() {
    let trial = read(&format!(
        "{HEADER}Frame#\tTime\tR.ASIS\t\t\tL.ASIS\t\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n\
         1\t0\t10\t20\t30\t40\t50\t60\n2\t0.01\t11\t21\t31\t\t\t\n"
    ));
    assert_eq!(trial.name(), "walk.trc");
    assert_eq!(trial.source_unit(), LengthUnit::Millimetre);
    assert_eq!(trial.marker("R.ASIS").unwrap().points, [Some([0.01, 0.02, 0.03]), Some([0.011, 0.021, 0.031])]);
    assert_eq!(trial.marker("L.ASIS").unwrap().points[1], None);
    assert_eq!(trial.remarks(), [""; 0]);
}

#[test]
fn the_dialects_give_the_same_markers() {
    let plain = format!(
        "{HEADER}Frame#\tTime\tR.ASIS\t\t\tL.ASIS\t\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n\
         1\t0\t10.5\t20\t30\t40\t50\t60\n2\t0.01\t11\t21\t31\t41\t51\t61\n"
    );
    let expected = read(&plain);
    let cases = [
        ("windows", plain.replace('\n', "\r\n")),
        ("old mac", plain.replace('\n', "\r")),
        ("decimal comma", plain.replace("10.5", "10,5").replace("0.01", "0,01")),
        ("no blank line", plain.replace("\n\n", "\n")),
        ("no X1 Y1 Z1", plain.replace("\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n", "")),
        ("X1 Y1 Z1 on the line of names", plain.replace("\t\t\t\n\t\tX1", "\tX1")),
        ("doubled tabs in the header", plain.replace("100\t100\t2\t2\tmm", "100.0\t\t100.0\t\t2\t\t2\t\t mm")),
        ("spaces for tabs", plain.replace('\t', "  ")),
        ("names shifted by a tab", plain.replace("Time\tR.ASIS\t\t\tL", "Time\t\tR.ASIS\t\tL")),
        ("trailing tabs", plain.replace("60\n", "60\t\t\n")),
        ("quotes", plain.replace("R.ASIS", "\"R.ASIS\"")),
        ("byte order mark", format!("\u{feff}{plain}")),
        ("no first line", plain.split_once('\n').unwrap().1.to_string()),
    ];
    for (what, text) in cases {
        let trial = trc::read(text.as_bytes()).unwrap_or_else(|e| panic!("{what}: {e}"));
        assert_eq!(trial.markers(), expected.markers(), "{what}");
        assert_eq!(trial.times(), expected.times(), "{what}");
        assert_eq!(frame_by_frame(text.as_bytes(), what).unwrap(), trial, "{what}");
    }
}

#[test]
fn names_may_hold_spaces_and_stand_twice() {
    let trial = read(&format!(
        "{HEADER}Frame#\tTime\tknee lateral\t\t\tknee lateral\t\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n5\t0.4\t1\t2\t3\t4\t5\t6\n6\t0.41\t1\t2\t3\t4\t5\t6\n"
    ));
    let names: Vec<&str> = trial.markers().iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["knee lateral", "knee lateral#2"]);
    // which of the two is meant is not known
    assert!(trial.warnings()[0].contains("knee lateral#2"), "{:?}", trial.warnings());
}

#[test]
fn what_does_not_fit_is_remarked() {
    let cases = [
        (
            "1\t0\t1\t2\t3\t4\t5\t6\n3\t0.01\t1\t2\t3\t4\t5\t6\n",
            "frame number does not follow the one before in line 8",
        ),
        ("1\t0\t1\t2\t3\t4\t5\t6\n2\t0\t1\t2\t3\t4\t5\t6\n", "time does not advance in line 8"),
        ("1\t0\t1\t\t3\t4\t5\t6\n2\t0.01\t1\t2\t3\t4\t5\t6\n", "counts as not seen in line 7"),
        ("1\t0\t1\t2\t3\t4\t5\t6\n2\t0.01\t1\t2\n", "the row ends early and counts as gaps from there on in line 8"),
        ("1\t0\t1\t2\t3\t4\t5\t6\n", "NumFrames is 2, the file has 1 frames"),
        (
            "1\t0\t1\t2\t3\t4\t5\t6\n2\t0.02\t1\t2\t3\t4\t5\t6\n",
            "the times advance at 50.0000 Hz; the rate of the times is used",
        ),
    ];
    for (rows, words) in cases {
        let trial = read(&format!("{HEADER}Frame#\tTime\tA\t\t\tB\t\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n{rows}"));
        let mut told = trial.remarks().iter().chain(trial.warnings());
        assert!(told.any(|r| r.contains(words)), "{rows:?}: {:?} {:?}", trial.remarks(), trial.warnings());
    }
}

#[test]
fn mistakes_are_refused_with_their_line() {
    let rest = "Frame#\tTime\tA\t\t\tB\t\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n";
    let cases = [
        (format!("{HEADER}{rest}1\t0\t1\t2\tx\t4\t5\t6\n"), "line 7: `x` is not a number"),
        (format!("{HEADER}{rest}1\t\t1\t2\t3\t4\t5\t6\n"), "line 7: the row has no time"),
        (format!("{HEADER}{rest}1\t0\t1\t2\t3\t4\t5\t6\t7\n"), "line 7: cell 9 is one more"),
        (format!("{HEADER}{rest}1 0 1 2 3\n"), "line 7: 5 numbers for 8 columns"),
        (format!("{}{rest}", HEADER.replace("mm", "feet")), "line 3: Units is `feet`"),
        (format!("{HEADER}1\t0\t1\n"), "line 4: `1\t0\t1` stands where the line `Frame# Time"),
        ("knee\n".to_string(), "line 1: `knee` stands where the line `DataRate"),
        (String::new(), "line 1: the file ends before its header"),
    ];
    for (text, words) in cases {
        let error = trc::read(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(words), "{text:?}: {error}");
    }
}

#[test]
fn a_unit_given_takes_the_place_of_the_header() {
    let text = format!("{}Frame#\tTime\tA\t\t\n1\t0\t1\t2\t3\n", HEADER.replace("mm", "feet"));
    let trial = trc::read_in(text.as_bytes(), Some(LengthUnit::Centimetre)).unwrap();
    assert_eq!(trial.markers()[0].points, [Some([0.01, 0.02, 0.03])]);
}

#[test]
fn what_was_written_reads_back() {
    let markers = vec![
        Marker { name: "R.ASIS".into(), points: vec![Some([0.1, 0.2, 0.3]), None, Some([-1e-9, 2.5, 1.0 / 3.0])] },
        Marker { name: "the knee".into(), points: vec![None, Some([1.0, 2.0, 3.0]), None] },
    ];
    let before = MarkerTrial::new("walk.trc", 60.0, vec![0.5, 0.5 + 1.0 / 60.0, 0.5 + 2.0 / 60.0], markers).unwrap();
    let after = read(&trc::write(&before, LengthUnit::Metre).unwrap());
    // metres are written with all digits
    assert_eq!(after, before);
    let in_mm = read(&trc::write(&before, LengthUnit::Millimetre).unwrap());
    assert_eq!(in_mm.gaps(), before.gaps());
    let p = in_mm.marker("the knee").unwrap().points[1].unwrap();
    assert!((p[2] - 3.0).abs() < 1e-15);
}

/// OpenSim counts the cells of a row, and those of an empty end do not count: every row has all columns, and a gap is
/// `NaN`. Names do not control the terminal.
#[test]
fn every_row_has_all_columns() {
    let hidden = |f: usize| (f != 1).then_some([0.1, 0.2, 0.3]);
    let marker = |name: &str| Marker { name: name.into(), points: (0..3).map(hidden).collect() };
    let trial = MarkerTrial::new("a", 60.0, vec![0.0, 0.1, 0.2], vec![marker("A"), marker("\u{1b}[31mB")]).unwrap();
    let text = trc::write(&trial, LengthUnit::Millimetre).unwrap();
    let rows: Vec<usize> = text.lines().skip(6).map(|l| l.split('\t').filter(|c| !c.is_empty()).count()).collect();
    assert_eq!(rows, [8, 8, 8], "{text}");
    assert!(text.contains("NaN\tNaN\tNaN\n") && !text.contains('\u{1b}'), "{text}");
}

/// Zeros in mm, large numbers, words and empty cells are all gaps.
#[test]
fn what_programs_write_for_a_lost_marker_is_a_gap() {
    let row = |f: usize, cells: &str| format!("{}\t{}\t100\t200\t300\t{cells}\n", f + 1, 0.01 * f as f64);
    let lost = ["0\t0\t0", "NaN\tNaN\tNaN", "\t\t", "9999999\t9999999\t9999999", "-9999\t-9999\t-9999", "4\t5\t600"];
    let rows: String = lost.iter().enumerate().map(|(f, cells)| row(f, cells)).collect();
    let trial = read(&format!("{HEADER}Frame#\tTime\tA\t\t\tB\t\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n{rows}"));
    let seen: Vec<bool> = trial.marker("B").unwrap().points.iter().map(Option::is_some).collect();
    assert_eq!(seen, [false, false, false, false, false, true]);
    assert!(trial.remarks().iter().any(|r| r.contains("fill values for 1 marker")), "{:?}", trial.remarks());
}

/// Facts of the README and of the file's own text.
#[test]
fn real_files_hold_what_is_known_of_them() {
    let cases = [
        ("gait1992-pipeline/experimental_data/task.trc", 41, 151, 60.0),
        ("rajagopal-walk/markers_walk.trc", 41, 238, 100.0),
        ("knee-lenhart/motion/overground_17.trc", 40, 515, 200.0),
        ("knee-tka-dm/motion/DM_ngait_og1_new.trc", 68, 381, 120.0),
        ("addbiomechanics-walk/subject01/processed/walk2.trc", 64, 223, 200.0),
        ("opensim-core/IK/subject01_synthetic_marker_data.trc", 31, 73, 60.0),
        ("c3d/BTKData/trc/Gait.trc", 33, 487, 100.0),
        ("c3d/BTKData/trc/Knee.trc", 71, 200, 200.0),
    ];
    for (name, markers, frames, rate) in cases {
        let Some(bytes) = shared::bytes(name) else { continue };
        let trial = trc::read(&bytes).unwrap();
        assert_eq!((trial.markers().len(), trial.times().len(), trial.rate()), (markers, frames, rate), "{name}");
    }
}

#[test]
fn every_real_file_reads_but_the_broken_ones() {
    for path in shared::all(&["trc"]) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let result = trc::read(&std::fs::read(&path).unwrap());
        match name.as_str() {
            "Empty.trc" => assert!(result.unwrap_err().to_string().contains("empty or truncated")),
            "Truncated.trc" => assert!(result.unwrap_err().to_string().contains("the values of `DataRate")),
            _ => assert!(!result.unwrap_or_else(|e| panic!("{name}: {e}")).times().is_empty(), "{name}"),
        }
        let bytes = std::fs::read(&path).unwrap();
        let whole = trc::read(&bytes).map_err(|e| e.to_string());
        assert_eq!(frame_by_frame(&bytes, "real").map_err(|e| e.to_string()), whole, "{name}");
    }
}

/// One minute of sixty markers comes back.
#[test]
fn a_long_trial_comes_back_with_its_gaps() {
    let frames: usize = 6_000;
    let point = |m: usize, f: usize| {
        (!(m + f).is_multiple_of(97)).then_some([1.234567 + f as f64 * 1e-5, 0.01 * m as f64, -0.5])
    };
    let markers: Vec<Marker> = (0..60)
        .map(|m| Marker { name: format!("marker {m}"), points: (0..frames).map(|f| point(m, f)).collect() })
        .collect();
    let times = (0..frames).map(|f| f as f64 / 100.0).collect();
    let trial = MarkerTrial::new("long", 100.0, times, markers).unwrap();
    let text = trc::write(&trial, LengthUnit::Millimetre).unwrap();
    let read = trc::read(text.as_bytes()).unwrap();
    assert_eq!(read.gaps(), trial.gaps());
}

/// The rows of a trial with other times, and the end of its file.
fn rows(times: impl Iterator<Item = f64>, end: &str) -> String {
    let rows: Vec<String> = times.enumerate().map(|(i, t)| format!("{i}\t{t:.3}\t1.0000\t2.0000\t3.0000")).collect();
    let text = format!("{HEADER}Frame#\tTime\tA\n\tX1\tY1\tZ1\n\n{}{end}", rows.join("\n"));
    text.replace("100\t100\t2\t2", &format!("100\t100\t{}\t1", rows.len()))
}

/// The rate is that of the usual step: rows that are missing do not change it.
#[test]
fn a_hole_between_rows_is_no_other_rate() {
    let trial = read(&rows((0..50).chain(70..100).map(|i| 0.01 * f64::from(i)), "\n"));
    assert_eq!((trial.rate(), trial.warnings()), (100.0, &[][..]));
    let other = read(&rows((0..50).map(|i| 0.005 * f64::from(i)), "\n"));
    assert!(other.warnings()[0].contains("DataRate is 100 Hz but the times advance at 200.0000 Hz"));
}

#[test]
fn a_last_number_that_is_cut_off_is_told() {
    let times = || (0..20).map(|i| 0.01 * f64::from(i));
    for sound in ["\n", ""] {
        assert_eq!(read(&rows(times(), sound)).warnings(), &[] as &[String]);
    }
    let whole = rows(times(), "");
    let cut = read(&whole[..whole.len() - 2]);
    assert!(cut.warnings()[0].contains("2 digits after the point where all other rows have 4"), "{:?}", cut.warnings());
}

#[test]
fn other_encodings_and_separators_are_refused_with_the_remedy() {
    let text = rows((0..20).map(|i| 0.01 * f64::from(i)), "\n");
    let wide: Vec<u8> = [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    assert!(trc::read(&wide).unwrap_err().to_string().contains("save it as UTF-8"));
    let semicolons = text.replace('\t', ";");
    assert!(trc::read(semicolons.as_bytes()).unwrap_err().to_string().contains("export the file with tabs"));
}
