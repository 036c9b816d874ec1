//! `wolff id` with tables that have lost something: rows, columns, numbers, units; and with movements that are no gait.

use crate::spoiling::{direct, plain, refused, replace, run, spoil, walk};
use crate::{Scratch, code, json, stderr, stdout};
use std::fs;

/// Lines of a table: the header with the labels, and the rows.
fn lines(scratch: &Scratch, file: &str) -> (String, Vec<String>) {
    let text = fs::read_to_string(scratch.0.join(file)).unwrap();
    let (head, body) = text.split_once("endheader\n").unwrap();
    let mut rows = body.lines().filter(|l| !l.trim().is_empty()).map(String::from);
    let labels = rows.next().unwrap();
    (format!("{head}endheader\n{labels}\n"), rows.collect())
}

fn write(scratch: &Scratch, file: &str, head: &str, rows: &[String]) {
    fs::write(scratch.0.join(file), format!("{head}{}\n", rows.join("\n"))).unwrap();
}

/// The time of the middle row is that of the row before.
fn repeat_time(scratch: &Scratch, file: &str) {
    let (head, mut rows) = lines(scratch, file);
    let middle = rows.len() / 2;
    let before = rows[middle - 1].split('\t').next().unwrap().to_string();
    let (_, cells) = rows[middle].split_once('\t').unwrap();
    rows[middle] = format!("{before}\t{cells}");
    write(scratch, file, &head, &rows);
}

#[test]
fn two_poses_at_one_instant_are_refused() {
    let Some(scratch) = walk("table-time") else { return };
    repeat_time(&scratch, "coordinates.sto");
    refused(&scratch, &["coordinates.sto", "time does not increase", "two poses"]);
    // the same row twice is no contradiction
    let Some(scratch) = walk("table-twice") else { return };
    let (head, mut rows) = lines(&scratch, "coordinates.sto");
    rows.insert(40, rows[40].clone());
    write(&scratch, "coordinates.sto", &head, &rows);
    let run1 = run(&scratch, "id", &["--json"]);
    assert!([0, 3].contains(&code(&run1)) && stdout(&run1).contains("is used once"), "{}", stdout(&run1));
}

#[test]
fn a_time_of_forces_that_repeats_names_the_file() {
    let Some(scratch) = walk("table-force-time") else { return };
    repeat_time(&scratch, "grf.mot");
    let run1 = run(&scratch, "id", &["--out", "out"]);
    let text = plain(&stderr(&run1));
    assert!(code(&run1) == 2 && text.contains("grf.mot") && text.contains("time does not increase"), "{text}");
    assert!(!scratch.0.join("out").exists());
}

#[test]
fn cells_without_numbers_are_refused() {
    let Some(scratch) = walk("table-nan") else { return };
    spoil(&scratch, "coordinates.sto", |label, row, _| {
        (label == "hip_flexion_r" && (row[0] - 4.0).abs() < 1e-6).then_some(f64::NAN)
    });
    let run1 = run(&scratch, "id", &["--out", "out"]);
    let text = plain(&stderr(&run1));
    assert_eq!(code(&run1), 2, "{text}");
    assert!(text.contains("coordinates.sto") && text.contains("`hip_flexion_r`") && text.contains("4 s"), "{text}");

    let Some(scratch) = walk("table-nan-force") else { return };
    spoil(&scratch, "grf.mot", |label, row, _| {
        (label == "ground_force_r_vy" && (row[0] - 3.8).abs() < 0.002).then_some(f64::NAN)
    });
    refused(&scratch, &["samples without numbers", "3.8"]);
}

/// The centre of pressure is not defined while nothing is on a plate: such cells are often empty.
#[test]
fn a_missing_centre_of_pressure_of_no_force_is_accepted() {
    let Some(scratch) = walk("table-no-point") else { return };
    let good = direct(&scratch, "x,y");
    spoil(&scratch, "grf.mot", |label, row, labels| {
        let stem = label.strip_suffix(['x', 'y', 'z'])?.strip_suffix("_p")?;
        let force = labels.iter().position(|l| *l == format!("{stem}_vy")).unwrap();
        (row[force].abs() < 5.0).then_some(f64::NAN)
    });
    let text = fs::read_to_string(scratch.0.join("grf.mot")).unwrap();
    assert!(text.contains("NaN"));
    for loads in ["external_loads.xml", "grf.mot"] {
        let inputs = ["id", "--model", "subject01.osim", "--motion", "coordinates.sto", "--json", "--loads", loads];
        let report = json(&scratch.wolff(&inputs));
        assert_eq!(report["status"], "ok", "{loads}: {report}");
        let moment = |r: &serde_json::Value| r["results"]["range"]["ankle_angle_r_moment"][0].as_f64().unwrap();
        assert!((moment(&report) - moment(&good)).abs() < 1.0, "{loads}: {} and {}", moment(&report), moment(&good));
    }
}

#[test]
fn coordinates_without_a_column_are_named() {
    let Some(scratch) = walk("table-columns") else { return };
    replace(&scratch, "coordinates.sto", |text| text.replacen("knee_angle_r\t", "knee_of_another_model\t", 1));
    refused(&scratch, &["coordinates.sto", "no column for 1 of", "`knee_angle_r`"]);
}

#[test]
fn forces_in_other_units_are_recognised() {
    for (unit, factor) in [("kN", 1e-3), ("body weights", 1.0 / 715.0), ("kgf", 1.0 / 9.81)] {
        let Some(scratch) = walk("table-units") else { return };
        spoil(&scratch, "grf.mot", |label, row, labels| {
            let i = labels.iter().position(|l| *l == label).unwrap();
            (label.contains("_v") || label.contains("torque")).then(|| factor * row[i])
        });
        refused(&scratch, &[&format!("seem to be in {unit}"), "multiply"]);
        // the forces themselves: too small for a contact, or too small for the mass
        let inputs = ["id", "--model", "subject01.osim", "--motion", "coordinates.sto", "--loads", "grf.mot"];
        let run1 = scratch.wolff(&inputs);
        assert_eq!(code(&run1), 2, "{unit}: {}", stderr(&run1));
    }
}

#[test]
fn a_time_in_milliseconds_is_refused() {
    let Some(scratch) = walk("table-ms") else { return };
    // from zero, so that the records overlap
    spoil(&scratch, "grf.mot", |label, row, _| (label == "time").then(|| 1000.0 * (row[0] - 3.38)));
    refused(&scratch, &["one sample per", "milliseconds"]);
}

/// Residuals do not change where a ground force is applied to another body of the leg; moments of joints do.
#[test]
fn ground_forces_on_the_shank_are_refused() {
    let Some(scratch) = walk("table-shank") else { return };
    replace(&scratch, "external_loads.xml", |text| text.replace(">calcn_r<", ">tibia_r<"));
    refused(&scratch, &["applied to `tibia_r`", "`calcn_r`"]);
}

#[test]
fn statures_in_centimetres_are_refused() {
    let Some(scratch) = walk("table-stature") else { return };
    let run1 = run(&scratch, "id", &["--stature", "181", "--json"]);
    assert_eq!(code(&run1), 2, "{}", stderr(&run1));
    let report = json(&run1);
    assert_eq!((report["command"].as_str(), report["status"].as_str()), (Some("id"), Some("failed")));
    assert!(report["errors"][0]["message"].as_str().unwrap().contains("in cm"), "{report}");
}

/// A squat has no strides, and is not compared with walking.
#[test]
fn a_squat_is_no_gait() {
    let Some(folder) = wolff_testdata::shared("data/movements/opencap/subject3") else { return };
    let scratch = Scratch::new("table-squat");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (model, motion, loads) = (path("model.osim"), path("squats1/ik.mot"), path("squats1/grf.mot"));
    let words = ["id", "--model", &model, "--motion", &motion, "--loads", &loads, "--out", "out"];
    let run1 = scratch.wolff(&words);
    assert!([0, 3].contains(&code(&run1)), "{}", stderr(&run1));
    let page = fs::read_to_string(scratch.0.join("out/report.html")).unwrap();
    assert!(page.contains("time [s]") && page.contains("Knee extension moment"));
    assert!(!page.contains("gait cycle [%]") && !page.contains("healthy walking"));
    assert!(!scratch.0.join("out/gait_cycle.csv").exists());
}

#[test]
fn a_ground_force_without_its_point_is_refused() {
    let Some(scratch) = walk("table-point") else { return };
    replace(&scratch, "external_loads.xml", |text| {
        let parts: Vec<&str> = text.split("<point_identifier>").collect();
        parts[1..].iter().fold(parts[0].to_string(), |all, part| {
            format!("{all}<point_identifier>{}", &part[part.find('<').unwrap()..])
        })
    });
    refused(&scratch, &["has no centre of pressure", "point_identifier"]);
}
