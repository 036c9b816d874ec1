//! Motions from tables.

use std::fs;
use std::path::{Path, PathBuf};
use wolff_formats::sto::{self, Storage};
use wolff_formats::{Table, csv};
use wolff_multibody::spec::ConstraintKind;
use wolff_numerics::TimeFunction;
use wolff_report::outcome::{Outcome, Status};
use wolff_study::document::{StudyDocument, builtin};

/// Drivers of the walking study and the columns they take, angles last.
const DRIVERS: [(&str, &str); 9] = [
    ("drive_x", "hat_x"),
    ("drive_y", "hat_y"),
    ("drive_tilt", "hat_angle"),
    ("drive_hip_right", "hip_right"),
    ("drive_knee_right", "knee_right"),
    ("drive_ankle_right", "ankle_right"),
    ("drive_hip_left", "hip_left"),
    ("drive_knee_left", "knee_left"),
    ("drive_ankle_left", "ankle_left"),
];

/// The table begins before and ends after the stride [s], so that the ends of the splines play no part.
const MARGIN: f64 = 0.1;

fn human() -> &'static str {
    builtin("human-sagittal").expect("built in")
}

/// A file of this test, unlike any other.
fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("column-{name}"))
}

fn functions() -> Vec<TimeFunction> {
    let study = StudyDocument::parse("human", human()).and_then(|d| d.evaluate()).expect("sound");
    let function = |(driver, _): &(&str, &str)| {
        let constraint = study.model.constraints.iter().find(|c| c.name == *driver).expect(driver);
        match &constraint.kind {
            ConstraintKind::Driver { function, .. } => function.clone(),
            other => panic!("{driver} is {other:?}"),
        }
    };
    DRIVERS.iter().map(function).collect()
}

/// The stand-in motion itself as a table, `h` seconds apart; `unit` gives ending and size of the unit of a column.
fn sampled(h: f64, shift: f64, unit: impl Fn(&str) -> (&'static str, f64)) -> Table {
    let functions = functions();
    let units: Vec<_> = DRIVERS.iter().map(|(_, column)| unit(column)).collect();
    let labels = DRIVERS.iter().zip(&units).map(|((_, column), (ending, _))| format!("{column}{ending}"));
    let labels = std::iter::once("time".to_string()).chain(labels).collect();
    let row = |k: i64| {
        let t = k as f64 * h;
        let values = functions.iter().zip(&units).map(|(f, (_, size))| f.value(t) / size);
        std::iter::once(t + shift).chain(values).collect()
    };
    let [first, last] = [-MARGIN, 0.957 + MARGIN].map(|t| (t / h).round() as i64);
    Table::new(labels, (first..=last).map(row).collect()).expect("a table")
}

fn is_length(column: &str) -> bool {
    column == "hat_x" || column == "hat_y"
}

fn run(overrides: &[(&str, &str)]) -> Result<Outcome, String> {
    let overrides: Vec<_> = overrides.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
    wolff_study::run("human", human(), Path::new("."), &overrides, &mut |_| {}).map_err(|e| e.to_string())
}

fn run_with(path: &Path, more: &[(&str, &str)]) -> Result<Outcome, String> {
    run(&[&[("motion", path.to_str().expect("a plain path"))], more].concat())
}

fn storage(table: Table, in_degrees: bool) -> String {
    sto::write(&Storage { name: "walk".into(), in_degrees, table, remarks: Vec::new() }).expect("a storage")
}

/// Largest difference between columns whose name passes.
fn difference(a: &Outcome, b: &Outcome, which: impl Fn(&str) -> bool) -> f64 {
    let (a, b) = (&a.series[0], &b.series[0]);
    assert_eq!((a.rows.len(), &a.columns), (b.rows.len(), &b.columns));
    let columns: Vec<usize> = (0..a.columns.len()).filter(|&k| which(&a.columns[k])).collect();
    assert!(!columns.is_empty());
    let rows = a.rows.iter().zip(&b.rows);
    rows.flat_map(|(x, y)| columns.iter().map(move |&k| (x[k] - y[k]).abs())).fold(0.0, f64::max)
}

fn angles(name: &str) -> bool {
    name.ends_with("_rad")
}

/// Moments of the drivers of the legs; the tolerance below is theirs, not one of forces or of the trunk.
fn multipliers(name: &str) -> bool {
    name.starts_with("lambda_") && name.ends_with("_n_m") && !name.contains("_hat_")
}

/// Samples of the stand-in motion give it back: angles to the order h⁴, multipliers, which need second derivatives, to
/// h².
#[test]
fn a_table_of_the_motion_gives_the_motion() {
    // short steps, for those of Runge-Kutta feel the jumps of the splines' third derivative
    let step = ("step", "0.29 ms");
    let exact = run(&[step]).expect("runs");
    let off = |h: f64, name: &str| {
        let unit = |column: &str| if is_length(column) { ("_mm", 1e-3) } else { ("_deg", 1f64.to_radians()) };
        let path = place(name);
        fs::write(&path, storage(sampled(h, 0.0, unit), true)).expect("writable");
        let table = run_with(&path, &[step]).expect("runs");
        assert_eq!(table.status, Status::Ok);
        assert!(table.warnings.iter().all(|w| !w.contains("assembled")), "{:?}", table.warnings);
        assert!(table.comparisons.is_empty(), "references belong to the stand-in");
        (difference(&exact, &table, angles), difference(&exact, &table, multipliers))
    };
    let (coarse, fine) = (off(10e-3, "10ms.sto"), off(5e-3, "5ms.sto"));
    // the knee's fourth derivative is 5e3 rad/s⁴: a spline is off by 5/384 h⁴ of it, its second derivative by h²/12
    assert!(fine.0 < 1e-7, "angles are off by {} rad", fine.0);
    // 0.01 rad/s² on a leg of 0.4 kg m² and its neighbours
    assert!(fine.1 < 2e-2, "multipliers are off by {} N m", fine.1);
    let rates = ((coarse.0 / fine.0).log2(), (coarse.1 / fine.1).log2());
    assert!((rates.0 - 4.0).abs() < 0.2 && (rates.1 - 2.0).abs() < 0.1, "orders are {rates:?}");
}

/// Units, formats and the begin of the table change only the rounding.
#[test]
fn formats_and_units_agree() {
    let h = 5e-3;
    let suffixed = |column: &str| if is_length(column) { ("_cm", 1e-2) } else { ("_rad", 1.0) };
    let bare_degrees = |column: &str| ("", if is_length(column) { 1.0 } else { 1f64.to_radians() });
    let shift = 2.5;
    let files = [
        ("si.csv", csv::write(&sampled(h, 0.0, |_| ("", 1.0))), "0"),
        ("suffixed.csv", csv::write(&sampled(h, 0.0, suffixed)), "0"),
        ("degrees.mot", storage(sampled(h, 0.0, bare_degrees), true), "0"),
        ("late.sto", storage(sampled(h, shift, |_| ("", 1.0)), false), "2.5"),
    ];
    let runs: Vec<Outcome> = files
        .iter()
        .map(|(name, text, start)| {
            fs::write(place(name), text).expect("writable");
            run_with(&place(name), &[("motion_start", start)]).expect(name)
        })
        .collect();
    for (other, (name, ..)) in runs.iter().zip(&files).skip(1) {
        // rounding of 1e-16 in samples is 1e-11 rad/s² in second derivatives; shifted times round to 4e-16 s
        let (angle, moment) = (difference(&runs[0], other, angles), difference(&runs[0], other, multipliers));
        assert!(angle < 1e-12 && moment < 1e-8, "{name}: {angle} rad, {moment} N m");
    }
}

/// A motion that starts elsewhere: the start that belongs to the stand-in is moved, and that is said.
#[test]
fn a_start_of_another_motion_is_assembled() {
    let shift = 0.05;
    fs::write(place("other.csv"), csv::write(&sampled(5e-3, -shift, |_| ("", 1.0)))).expect("writable");
    let outcome = run_with(&place("other.csv"), &[]).expect("runs");
    assert_eq!(outcome.warnings.iter().filter(|w| w.contains("the initial state violated the constraints")).count(), 1);
    let hip = outcome.series[0].columns.iter().position(|c| c == "hip_right_deg").expect("a measure");
    let function = &functions()[3];
    // 1e-7 rad as above
    for row in &outcome.series[0].rows {
        let expected = function.value(row[0] + shift).to_degrees();
        assert!((row[hip] - expected).abs() < 1e-5, "{} at {} s, not {expected}", row[hip], row[0]);
    }
    let drift = outcome.results["phi_max"].as_f64().expect("a number");
    assert!(drift < 1e-7, "assembled, then drifts by {drift}");
}

/// The low-pass takes noise out of the driving moments and leaves the motion.
#[test]
fn a_filter_takes_out_noise() {
    let h = 5e-3;
    let clean = sampled(h, 0.0, |_| ("", 1.0));
    // alternating by 1e-4: the highest frequency there is
    let noisy = |(k, row): (usize, &Vec<f64>)| {
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        let value = |(c, x): (usize, &f64)| if c == 0 { *x } else { x + sign * 1e-4 };
        row.iter().enumerate().map(value).collect()
    };
    let rows = clean.rows().iter().enumerate().map(noisy).collect();
    let table = Table::new(clean.labels().to_vec(), rows).expect("a table");
    fs::write(place("noisy.csv"), csv::write(&table)).expect("writable");
    let exact = run(&[]).expect("runs");
    let off = |cutoff: &str| {
        let outcome = run_with(&place("noisy.csv"), &[("motion_cutoff", cutoff)]).expect("runs");
        (difference(&exact, &outcome, angles), difference(&exact, &outcome, multipliers))
    };
    let (raw, filtered) = (off("0"), off("30 Hz"));
    assert!(filtered.1 < 1e-3 * raw.1, "moments are off by {} N m, without filter {}", filtered.1, raw.1);
    // both passes take (√2 - 1) (f/30 Hz)⁴, 1e-5 of the 0.15 rad of the second harmonic (2.1 Hz); the sum over the
    // chain is below this
    assert!(filtered.0 < 1e-5, "angles are off by {} rad", filtered.0);
}

#[test]
fn what_is_wrong_with_a_table_is_said() {
    let good = csv::write(&sampled(5e-3, 0.0, |_| ("", 1.0)));
    let head = good.lines().next().expect("labels").to_string();
    let long = |count: usize| good.lines().take(count).collect::<Vec<_>>().join("\n");
    let line = |k: usize| good.lines().nth(k).expect("a row").to_string();
    let cases = [
        ("absent.csv", None, "cannot read"),
        ("kind.xls", Some(good.clone()), "supported tables are .sto and .mot (OpenSim) and .csv"),
        ("short.csv", Some(long(4)), "3 rows; at least 4"),
        ("ends.csv", Some(long(100)), "the simulation runs from 0 to 0.957 s"),
        ("late.csv", Some(csv::write(&sampled(5e-3, 0.2, |_| ("", 1.0)))), "set `start`"),
        ("label.csv", Some(good.replace("hip_right", "hip_rigth_deg")), "did you mean `hip_rigth`?"),
        ("labels.csv", Some(good.replace("hip_right", "hip_rigth")), "the columns are time, hat_x, hat_y, hat_angle"),
        ("unit.csv", Some(good.replace("hip_right", "hip_right_mm")), "is a length; an angle is required"),
        ("both.csv", Some(good.replace("hip_left", "hip_right_deg")), "`hip_right` and `hip_right_deg` both match"),
        ("time.csv", Some(good.replace("time", "instant")), "no column `time`"),
        ("word.csv", Some(good.replace(&line(7), "a,b,c,d,e,f,g,h,i,j")), "line 8"),
        ("cut.csv", Some(good.replace(&line(7), "1,2")), "line 8: 2 values for 10 labels"),
        (
            "back.csv",
            Some(format!("{head}\n{}\n{good}", line(9)).replace(&format!("\n{head}"), "")),
            "times must increase",
        ),
        (
            "gap.csv",
            Some(good.replace(&line(7), &format!("{},,,,,,,,,", line(7).split(',').next().expect("t")))),
            "NaN in data row 7",
        ),
    ];
    for (name, text, words) in cases {
        if let Some(text) = text {
            fs::write(place(name), text).expect("writable");
        }
        let error = run_with(&place(name), &[]).expect_err(name);
        assert!(error.contains(words) && error.contains(name), "{name}: {error}");
    }
    // one row taken out: equidistant no more
    fs::write(place("uneven.csv"), good.replace(&format!("{}\n", line(50)), "")).expect("writable");
    run_with(&place("uneven.csv"), &[]).expect("a spline does not mind");
    let error = run_with(&place("uneven.csv"), &[("motion_cutoff", "6")]).expect_err("a filter does");
    assert!(error.contains("a filter requires equal intervals"), "{error}");
    let error = run_with(&place("si.csv"), &[("motion_cutoff", "100 Hz")]);
    assert!(error.is_err(), "half the sampling rate or above");
}

/// A value in the file is looked up in the folder of the file, one from `--set` in the current folder; the hash is part
/// of the outcome.
#[test]
fn files_are_found_and_recorded() {
    let folder = place("folder");
    fs::create_dir_all(&folder).expect("writable");
    let text = csv::write(&sampled(5e-3, 0.0, |_| ("", 1.0)));
    fs::write(folder.join("walk.csv"), &text).expect("writable");
    let study = human().replacen("motion = { value = \"\"", "motion = { value = \"walk.csv\"", 1);
    assert!(StudyDocument::parse("human", &study).is_err_and(|e| e.to_string().contains("cannot read `walk.csv`")));

    let mut document = StudyDocument::parse_in("human", &study, &folder).expect("found");
    let inputs = document.evaluate().expect("sound").inputs;
    assert_eq!((inputs.len(), inputs[0].name.as_str()), (1, "walk.csv"));
    assert_eq!((inputs[0].parameter.as_str(), inputs[0].sha256.len()), ("motion", 64));
    let error = document.apply_overrides(&[("motion".into(), "walk.csv".into())]).expect_err("not here");
    assert_eq!(error.file, "--set");
    document.apply_overrides(&[("motion".into(), String::new())]).expect("back to the stand-in");
    assert!(document.evaluate().expect("sound").inputs.is_empty());

    let outcome = wolff_study::run("human", &study, &folder, &[], &mut |_| {}).expect("runs");
    assert_eq!(outcome.inputs, inputs);
}
