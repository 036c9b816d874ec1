use crate::data::records;
use wolff_validation::table::{number, table};
use wolff_validation::{Difference, Records, ValidationRow, Verdict, loading, validate};

#[test]
fn no_number_is_within_no_limit() {
    let row = |value| ValidationRow::measured("walk", "angles", value, "deg").limited(0.2, "goal").bounded(0.3);
    let verdicts = [0.2, 0.25, 0.35, f64::NAN].map(|x| (row(x).verdict, row(x).is_step_back()));
    let beyond = Verdict::Beyond;
    assert_eq!(verdicts, [(Verdict::Within, false), (beyond, false), (beyond, true), (beyond, true)]);
    assert!(!ValidationRow::measured("walk", "time", 1e9, "ms").is_step_back());
}

#[test]
fn differences_keep_what_is_no_number() {
    let d = Difference::new("knee", "deg", &[1.0, 2.0, 3.0], &[1.0, -1.0, 7.0]);
    assert_eq!((d.rms, d.worst, d.largest), ((25.0_f64 / 3.0).sqrt(), 4.0, 7.0));
    let broken = Difference::new("knee", "deg", &[f64::NAN, 2.0], &[1.0, 2.0]);
    assert!(broken.rms.is_nan() && broken.worst.is_nan());
    for (found, recorded) in [(&[1.0][..], &[1.0, 1.0][..]), (&[], &[])] {
        let d = Difference::new("knee", "deg", found, recorded);
        assert!(d.rms.is_nan() && d.worst.is_nan(), "{d:?}");
    }
}

/// A folder without records gives a row for everything that is missing, with its name.
#[test]
fn what_is_missing_is_named() {
    let rows = validate(&Records::new("nowhere"));
    assert!(rows.len() > 15 && rows.iter().all(|r| r.verdict == Verdict::Failed && r.is_step_back()));
    assert!(rows.iter().skip(1).all(|r| r.note.contains("nowhere/")), "{rows:?}");
}

/// Of the shared models one cannot be built, and the note says which and why.
#[test]
fn models_that_do_not_load_are_named() {
    let Some(records) = records("opensim-core/Analyze") else { return };
    let rows = loading::rows(&records);
    assert!(rows.iter().all(|r| !r.is_step_back()), "{rows:?}");
    assert!(rows[0].value == 0.0 || rows[0].note.contains("BothLegs.osim: patella"), "{rows:?}");
}

#[test]
fn numbers_have_three_digits() {
    assert_eq!(
        [0.0, 1.0, 0.2, 0.0123456, 123.456, 4e-9, f64::NAN].map(number).join(" "),
        "0 1 0.200 0.0123 123 4.00e-9 NaN"
    );
}

#[test]
fn rows_are_lined_up_and_those_that_got_worse_are_named() {
    let good = ValidationRow::measured("walk", "angles", 0.1, "deg").limited(0.2, "goal").bounded(0.15);
    let bad = ValidationRow::measured("run", "angles", 0.3, "deg").bounded(0.15).noted("hip");
    let text = table(&[good, bad]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0].find("quantity"), lines[2].find("angles"));
    assert!(lines[1].ends_with("within") && lines[2].contains("WORSE THAN BEFORE"), "{text}");
}
