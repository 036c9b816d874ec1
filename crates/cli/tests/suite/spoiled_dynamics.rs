//! `wolff id` on a recorded walk, and on the same walk with typical mistakes; `so` and `rra` refuse the same.

use crate::spoiling::{WALK, direct, refused, replace, run, same_moments, spoil, value, walk};
use crate::{code, json, stderr};
use serde_json::Value;
use std::fs;

#[test]
fn a_recorded_walk_is_judged_and_has_a_page() {
    let Some(scratch) = walk("dyn-good") else { return };
    let run1 = run(&scratch, "id", &["--out", "out"]);
    assert!([0, 3].contains(&code(&run1)), "{}", stderr(&run1));
    let read = |name: &str| fs::read_to_string(scratch.0.join("out").join(name)).unwrap();
    let summary: Value = serde_json::from_str(&read("summary.json")).unwrap();
    assert_eq!(summary["command"], "id");
    assert!(value(&summary, "residual_force_rms_percent_bw") < 15.0);
    assert!(summary["results"]["range"]["knee_angle_r_moment"].is_array());
    // the force data behind the ExternalLoads file is recorded
    let provenance: Value = serde_json::from_str(&read("provenance.json")).unwrap();
    let inputs: Vec<&str> =
        provenance["inputs"].as_array().unwrap().iter().map(|i| i["name"].as_str().unwrap()).collect();
    for name in WALK {
        assert!(inputs.contains(&name), "{name} not in {inputs:?}");
    }
    // a plantarflexion moment of walking, per mass, against the same curve in the table of all instants
    let peaks = &summary["results"]["peak_moments_n_m_per_kg"];
    let ankle = peaks.as_object().unwrap().iter().find(|(k, _)| k.contains("plantarflexion")).unwrap();
    assert!((1.0..2.2).contains(&ankle.1.as_f64().unwrap()), "{peaks}");
    let knee = peaks.as_object().unwrap().iter().find(|(k, _)| k.contains("knee extension")).unwrap();
    assert!((0.2..1.5).contains(&knee.1.as_f64().unwrap()), "{peaks}");
    assert!(read("report.html").contains("Ankle plantarflexion moment"));
    assert!(summary["judged"][0]["source"].as_str().unwrap().contains("Hicks"));
}

#[test]
fn a_model_that_is_not_a_person_is_refused() {
    let Some(scratch) = walk("dyn-mass") else { return };
    replace(&scratch, "subject01.osim", |text| {
        let mut out = String::new();
        for line in text.lines() {
            match line.trim().strip_prefix("<mass>").and_then(|l| l.strip_suffix("</mass>")) {
                Some(mass) => out += &format!("<mass>{}</mass>\n", 160.0 * mass.parse::<f64>().unwrap()),
                None => out += &format!("{line}\n"),
            }
        }
        out
    });
    refused(&scratch, &["kg", "a person has"]);
}

#[test]
fn a_mass_that_the_plates_do_not_carry_is_refused() {
    let Some(scratch) = walk("dyn-plates") else { return };
    spoil(&scratch, "grf.mot", |label, row, labels| {
        let i = labels.iter().position(|l| *l == label).unwrap();
        (label.contains("_v") || label.contains("torque")).then(|| 1.5 * row[i])
    });
    refused(&scratch, &["the ground forces carry", "kg"]);
}

#[test]
fn plates_with_z_up_are_refused() {
    let Some(scratch) = walk("dyn-z-up") else { return };
    spoil(&scratch, "grf.mot", |label, row, labels| {
        let at = |name: String| labels.iter().position(|l| **l == *name).map(|i| row[i]);
        let stem = label.get(..label.len() - 1)?;
        match label.chars().last()? {
            'y' => at(format!("{stem}z")).map(|z| -z),
            'z' => at(format!("{stem}y")),
            _ => None,
        }
    });
    refused(&scratch, &["points along z", "not up", "--axes x,z"]);
    // the axes that are proposed put it right
    let Some(good) = walk("dyn-y-up") else { return };
    let [good, turned] = [(&good, "x,y"), (&scratch, "x,z")].map(|(s, axes)| direct(s, axes));
    same_moments(&good, &turned, 1e-9);
}

/// After 4.15 s the left foot is on the plate that the right one left: each contact finds its foot.
#[test]
fn one_plate_may_be_hit_by_both_feet() {
    let Some(scratch) = walk("dyn-plate") else { return };
    // the remains of a filter, a few newtons after a contact, belong to no foot
    spoil(&scratch, "grf.mot", |label, row, labels| {
        let vertical = format!("{}_vy", label.split("_v").next()?);
        let i = labels.iter().position(|l| **l == *vertical)?;
        (label.contains("_v") && row[i] < 25.0).then_some(0.0)
    });
    let good = direct(&scratch, "x,y");
    spoil(&scratch, "grf.mot", |label, row, labels| {
        let other = if label.contains("_r_") { label.replace("_r_", "_l_") } else { label.replace("_l_", "_r_") };
        let i = labels.iter().position(|l| **l == *other).unwrap();
        (row[0] > 4.15).then(|| row[i])
    });
    let exchanged = direct(&scratch, "x,y");
    let notes = exchanged["notes"].to_string();
    assert!(notes.contains("plate `ground_force_r` is under `calcn_l`"), "{notes}");
    assert!(notes.contains("plate `ground_force_r` is under `calcn_r`"), "{notes}");
    same_moments(&good, &exchanged, 1.0);
}

#[test]
fn forces_that_are_late_by_some_frames_are_refused() {
    let Some(scratch) = walk("dyn-late") else { return };
    spoil(&scratch, "grf.mot", |label, row, _| (label == "time").then(|| row[0] + 0.03));
    refused(&scratch, &["later than the motion", "by -0.030 s"]);
}

#[test]
fn forces_on_the_ground_are_refused() {
    let Some(scratch) = walk("dyn-sign") else { return };
    spoil(&scratch, "grf.mot", |label, row, labels| {
        let i = labels.iter().position(|l| *l == label).unwrap();
        label.contains("_v").then(|| -row[i])
    });
    refused(&scratch, &["pulls the foot down", "change the sign"]);
}

#[test]
fn a_centre_of_pressure_in_millimetres_is_refused() {
    let Some(scratch) = walk("dyn-mm") else { return };
    spoil(&scratch, "grf.mot", |label, row, labels| {
        let i = labels.iter().position(|l| *l == label).unwrap();
        label.contains("_p").then(|| 1000.0 * row[i])
    });
    refused(&scratch, &["millimetres", "0.001"]);
}

#[test]
fn exchanged_sides_are_refused_and_named() {
    let Some(scratch) = walk("dyn-sides") else { return };
    replace(&scratch, "external_loads.xml", |text| {
        text.replace(">calcn_r<", ">X<").replace(">calcn_l<", ">calcn_r<").replace(">X<", ">calcn_l<")
    });
    refused(&scratch, &["nearest to `calcn_l`", "nearest to `calcn_r`", "left and right are exchanged"]);
}

#[test]
fn degrees_and_radians_are_told_apart() {
    let Some(scratch) = walk("dyn-degrees") else { return };
    replace(&scratch, "coordinates.sto", |text| text.replacen("endheader", "inDegrees=yes\nendheader", 1));
    refused(&scratch, &["coordinates.sto", "inDegrees=no"]);
    let Some(scratch) = walk("dyn-radians") else { return };
    spoil(&scratch, "coordinates.sto", |label, row, labels| {
        let i = labels.iter().position(|l| *l == label).unwrap();
        (label != "time" && !label.contains("pelvis_t") || label == "pelvis_tilt").then(|| row[i].to_degrees())
    });
    refused(&scratch, &["they are degrees", "inDegrees=yes"]);
}

#[test]
fn forces_of_another_time_are_refused() {
    let Some(scratch) = walk("dyn-time") else { return };
    spoil(&scratch, "grf.mot", |label, row, _| (label == "time").then(|| row[0] + 20.0));
    refused(&scratch, &["do not overlap"]);
    let Some(scratch) = walk("dyn-shift") else { return };
    spoil(&scratch, "grf.mot", |label, row, _| (label == "time").then(|| row[0] + 0.1));
    refused(&scratch, &["later than the motion"]);
}

/// The forces themselves give the same moments as the ExternalLoads file, and the feet are named.
#[test]
fn loads_may_be_a_file_of_forces() {
    let Some(scratch) = walk("dyn-forces") else { return };
    let by_xml = json(&run(&scratch, "id", &["--json"]));
    let direct = direct(&scratch, "x,y");
    let notes = direct["notes"].to_string();
    assert!(notes.contains("under `calcn_r`") && notes.contains("under `calcn_l`"), "{notes}");
    same_moments(&by_xml, &direct, 3.0);
}
