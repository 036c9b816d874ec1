//! Mistakes in models and motions.

use super::edit::{change, column, elements, storage};
use super::{Kind, judged, refused, told};
use std::path::Path;

fn masses(folder: &Path, factor: f64) {
    change(folder, "model.osim", |text| {
        elements(&text, "mass", |mass| (factor * mass.trim().parse::<f64>().unwrap()).to_string())
    });
}

fn first_element(folder: &Path, name: &str, content: &str) {
    change(folder, "model.osim", |text| {
        let (open, close) = (format!("<{name}>"), format!("</{name}>"));
        let start = text.find(&open).unwrap() + open.len();
        let end = start + text[start..].find(&close).unwrap();
        format!("{}{content}{}", &text[..start], &text[end..])
    });
}

/// The rows of the motion whose time is kept.
fn rows(folder: &Path, keeps: fn(f64) -> bool) {
    change(folder, "motion.sto", |text| {
        let (head, body) = text.split_once("endheader\n").unwrap();
        let time = |line: &str| line.split('\t').next().and_then(|t| t.trim().parse().ok());
        let kept: Vec<&str> = body.lines().filter(|line| time(line).is_none_or(keeps)).collect();
        let count = kept.len() - 1;
        let head = head.lines().map(|l| if l.starts_with("nRows") { format!("nRows={count}") } else { l.into() });
        format!("{}\nendheader\n{}\n", head.collect::<Vec<_>>().join("\n"), kept.join("\n"))
    });
}

fn angles(folder: &Path, factor: f64) {
    storage(folder, "motion.sto", |label, row, labels| {
        let turns = label != "time" && !label.contains("pelvis_t") || label.contains("pelvis_tilt");
        turns.then(|| factor * column(row, labels, label).unwrap())
    });
}

pub const KINDS: &[Kind] = &[
    Kind {
        name: "a model of 13 tons",
        plant: |f| masses(f, 160.0),
        said: &[
            refused("check", &["kg"]),
            refused("id", &["kg"]),
            refused("so", &["kg"]),
            refused("rra", &["kg"]),
            refused("walk", &["kg"]),
        ],
    },
    Kind {
        name: "a model that is a third too light",
        plant: |f| masses(f, 0.66),
        said: &[refused("check", &["kg"]), refused("id", &["kg"]), refused("walk", &["kg"])],
    },
    Kind {
        name: "a mass that is not a number",
        plant: |f| first_element(f, "mass", "NaN"),
        said: &[refused("check", &["mass"]), refused("id", &["mass"]), refused("ik", &["mass"])],
    },
    Kind {
        name: "a negative mass",
        plant: |f| first_element(f, "mass", "-3"),
        said: &[refused("check", &["mass"]), refused("id", &["mass"]), refused("walk", &["mass"])],
    },
    Kind {
        name: "a model that is cut off",
        plant: |f| change(f, "model.osim", |text| text[..text.len() / 2].to_string()),
        said: &[refused("check", &["model.osim"]), refused("id", &["model.osim"]), refused("walk", &["model.osim"])],
    },
    Kind {
        name: "a path point at 1e308",
        plant: |f| first_element(f, "location", "1e308 0 0"),
        said: &[refused("so", &["addbrev_r", "metres"]), refused("muscle", &["addbrev_r", "metres"])],
    },
    Kind {
        name: "a tendon of 1e-320 m",
        plant: |f| change(f, "model.osim", |text| elements(&text, "tendon_slack_length", |_| "1e-320".into())),
        said: &[refused("muscle", &["tendon slack length of 80 of 80"]), refused("so", &["tendon slack length"])],
    },
    Kind {
        name: "one tendon in kilometres",
        plant: |f| first_element(f, "tendon_slack_length", "3.5e-5"),
        said: &[refused("muscle", &["tendon slack length of 1 of", "addbrev_r"]), refused("so", &["addbrev_r"])],
    },
    Kind {
        name: "degrees declared as radians",
        plant: |f| angles(f, 57.295_779_513),
        said: &[refused("id", &["degrees"]), refused("so", &["degrees"]), refused("muscle", &["degrees"])],
    },
    Kind {
        name: "radians declared as degrees",
        plant: |f| change(f, "motion.sto", |text| text.replacen("inDegrees=no", "inDegrees=yes", 1)),
        said: &[refused("id", &["radians"]), refused("so", &["radians"]), refused("rra", &["radians"])],
    },
    Kind {
        name: "pelvis in mm",
        plant: |f| {
            storage(f, "motion.sto", |label, row, labels| {
                let moves = ["pelvis_tx", "pelvis_ty", "pelvis_tz"]
                    .iter()
                    .any(|name| label.ends_with(&format!("{name}/value")));
                moves.then(|| 1000.0 * column(row, labels, label).unwrap())
            })
        },
        said: &[refused("id", &[]), refused("so", &[])],
    },
    Kind {
        name: "knees that bend the other way",
        plant: |f| {
            storage(f, "motion.sto", |label, row, labels| {
                label.contains("knee_angle").then(|| -column(row, labels, label).unwrap())
            })
        },
        said: &[refused("id", &["foot"]), told("muscle", &["knee_angle_r"])],
    },
    Kind {
        name: "a motion without the pelvis",
        plant: |f| change(f, "motion.sto", |text| text.replace("pelvis_ty", "pelvis_up")),
        said: &[refused("id", &["pelvis_ty"]), refused("so", &["pelvis_ty"])],
    },
    Kind {
        name: "a motion whose time repeats",
        plant: |f| {
            storage(f, "motion.sto", |label, row, _| (label == "time" && row[0] > 1.0 && row[0] < 1.01).then_some(1.0))
        },
        said: &[refused("id", &["motion.sto", "time"]), refused("muscle", &["motion.sto"])],
    },
    Kind {
        name: "an angle that is not a number",
        plant: |f| {
            storage(f, "motion.sto", |label, row, _| {
                (label.contains("hip_flexion_r") && row[0] > 1.0 && row[0] < 1.1).then_some(f64::NAN)
            })
        },
        said: &[refused("id", &["motion.sto"]), refused("so", &["motion.sto"])],
    },
    Kind {
        name: "a model without gravity",
        plant: |f| first_element(f, "gravity", "0 0 0"),
        said: &[
            refused("id", &["gravity", "0 -9.81 0"]),
            refused("so", &["gravity"]),
            refused("rra", &["gravity"]),
            refused("check", &["gravity"]),
        ],
    },
    Kind {
        name: "a model with z up",
        plant: |f| first_element(f, "gravity", "0 0 -9.81"),
        said: &[refused("id", &["gravity"]), refused("muscle", &["gravity"])],
    },
    Kind {
        name: "a mass centre in mm",
        plant: |f| first_element(f, "mass_center", "-70.7 0 0"),
        said: &[refused("id", &["mass centre of `pelvis`", "metres"]), refused("rra", &["mass centre"])],
    },
    Kind {
        name: "inertia in kg mm2",
        plant: |f| first_element(f, "inertia", "116429 98647 65576 0 0 0"),
        said: &[refused("id", &["inertia of `pelvis`", "kg m²"]), refused("check", &["inertia of `pelvis`"])],
    },
    Kind {
        name: "a path point in mm",
        plant: |f| first_element(f, "location", "-19 -90 65"),
        said: &[refused("so", &["addbrev_r", "metres"]), refused("muscle", &["addbrev_r", "metres"])],
    },
    Kind {
        name: "a path point half a metre away",
        plant: |f| first_element(f, "location", "-0.3 0.4 0.3"),
        said: &[judged("muscle", &["addbrev_r", "optimal length"])],
    },
    Kind {
        name: "a locked knee that moves",
        plant: |f| {
            change(f, "model.osim", |text| {
                let (before, knee) = text.split_once("<Coordinate name=\"knee_angle_r\">").unwrap();
                format!("{before}<Coordinate name=\"knee_angle_r\"><locked>true</locked>{knee}")
            })
        },
        said: &[told("id", &["locked", "knee_angle_r"])],
    },
    Kind {
        name: "a pelvis 10 cm too high",
        plant: |f| {
            storage(f, "motion.sto", |label, row, labels| {
                label.ends_with("pelvis_ty/value").then(|| column(row, labels, label).unwrap() + 0.11)
            })
        },
        said: &[told("id", &["not on the floor"]), told("so", &["not on the floor"])],
    },
    Kind {
        name: "a hole in the motion",
        plant: |f| rows(f, |t| !(1.0..1.1).contains(&t)),
        said: &[told("id", &["rows are missing after 0.999 s", "--time"]), told("muscle", &[])],
    },
    Kind {
        name: "an angle that jumps by a turn",
        plant: |f| {
            storage(f, "motion.sto", |label, row, labels| {
                let turns = label.ends_with("pelvis_rotation/value") && row[0] > 1.2;
                turns.then(|| column(row, labels, label).unwrap() + std::f64::consts::TAU)
            })
        },
        said: &[refused("id", &["pelvis_rotation", "360 degrees"]), refused("muscle", &["pelvis_rotation"])],
    },
    Kind {
        name: "a knee that never moves",
        plant: |f| storage(f, "motion.sto", |label, _, _| label.ends_with("knee_angle_r/value").then_some(0.3)),
        said: &[told("muscle", &["one value in all rows", "knee_angle_r"])],
    },
    Kind {
        name: "a noisy motion",
        plant: |f| {
            storage(f, "motion.sto", |label, row, labels| {
                // an angle of its own in every row, up to half a degree
                let noise = 0.01 * ((row[0] * 1e4).sin() * 1e4).fract();
                label.ends_with("value").then(|| column(row, labels, label).unwrap() + noise)
            })
        },
        said: &[refused("id", &["times gravity", "--cutoff 6"])],
    },
    Kind {
        name: "a motion whose time runs backwards",
        plant: |f| storage(f, "motion.sto", |label, row, _| (label == "time").then(|| 2.25 - row[0])),
        said: &[refused("id", &["backwards", "reverse"]), refused("muscle", &["backwards"])],
    },
    Kind {
        name: "a model without muscles",
        plant: |f| change(f, "model.osim", |text| text.replace("Millard2012EquilibriumMuscle", "UnknownThing")),
        said: &[refused("so", &["no muscles"]), refused("muscle", &["muscle"])],
    },
];
