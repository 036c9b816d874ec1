//! Mistakes in measured forces.

use super::edit::{change, column, storage};
use super::{Kind, judged, refused, told};
use std::path::Path;

fn is_force(label: &str) -> bool {
    label.contains("_v")
}

fn is_point(label: &str) -> bool {
    label.contains("_p")
}

/// Columns that a change multiplies.
fn scaled(folder: &Path, which: fn(&str) -> bool, factor: f64) {
    storage(folder, "grf.mot", |label, row, labels| which(label).then(|| factor * column(row, labels, label).unwrap()));
}

/// Columns with this ending are larger by this much.
fn moved(folder: &Path, ending: &str, by: f64) {
    storage(folder, "grf.mot", |label, row, labels| {
        label.ends_with(ending).then(|| column(row, labels, label).unwrap() + by)
    });
}

/// Axes turned: x, -z, y of a laboratory with z up.
fn z_up(folder: &Path) {
    storage(folder, "grf.mot", |label, row, labels| {
        let stem = label.get(..label.len() - 1)?;
        match label.chars().last()? {
            'y' => column(row, labels, &format!("{stem}z")).map(|z| -z),
            'z' => column(row, labels, &format!("{stem}y")),
            _ => None,
        }
    });
}

fn exchanged(folder: &Path) {
    change(folder, "loads.xml", |text| {
        text.replace("calcn_r<", "calcn_x<").replace("calcn_l<", "calcn_r<").replace("calcn_x<", "calcn_l<")
    });
}

pub const KINDS: &[Kind] = &[
    Kind {
        name: "forces with z up",
        plant: z_up,
        said: &[
            refused("check", &["up"]),
            refused("id", &["z", "--axes x,z"]),
            refused("id of plates", &["--axes x,z"]),
            refused("so", &["--axes x,z"]),
            refused("rra", &["--axes x,z"]),
            refused("walk", &[]),
        ],
    },
    Kind {
        name: "centre of pressure in mm",
        plant: |f| scaled(f, is_point, 1000.0),
        said: &[
            refused("check", &["another unit"]),
            refused("id", &["millimetres"]),
            refused("so", &["millimetres"]),
            refused("rra", &["millimetres"]),
            refused("walk", &["foot"]),
        ],
    },
    Kind {
        name: "forces in kN",
        plant: |f| scaled(f, is_force, 1e-3),
        said: &[judged("check", &["kN"]), refused("id", &["kN"]), refused("walk", &["in N"])],
    },
    Kind {
        name: "forces in body weights",
        plant: |f| scaled(f, is_force, 1.0 / 836.0),
        said: &[judged("check", &["body weights"]), refused("id", &["body weights"]), refused("walk", &["in N"])],
    },
    Kind {
        name: "forces on the ground instead of on the foot",
        plant: |f| scaled(f, is_force, -1.0),
        said: &[refused("check", &["down"]), refused("id", &["down"]), refused("walk", &[])],
    },
    Kind {
        name: "gain of the plates wrong by a third",
        plant: |f| scaled(f, |label| label.contains("_v") || label.contains("torque"), 1.34),
        said: &[refused("check", &["kg"]), refused("id", &["kg"]), refused("walk", &["kg"])],
    },
    Kind {
        name: "left and right of the loads exchanged",
        plant: exchanged,
        said: &[
            refused("id", &["calcn_"]),
            refused("so", &["calcn_"]),
            refused("rra", &["calcn_"]),
            told("walk by loads", &["nearest foot"]),
        ],
    },
    Kind {
        name: "torques in N mm",
        plant: |f| scaled(f, |label| label.contains("torque"), 1000.0),
        said: &[refused("id", &["N mm"]), refused("check", &["N mm"])],
    },
    Kind {
        name: "forces half a second late",
        plant: |f| storage(f, "grf.mot", |label, row, _| (label == "time").then(|| row[0] + 0.5)),
        said: &[refused("id", &[]), refused("check", &[])],
    },
    Kind {
        name: "forces of another time",
        plant: |f| storage(f, "grf.mot", |label, row, _| (label == "time").then(|| row[0] + 100.0)),
        said: &[
            refused("id", &["time"]),
            refused("so", &["time"]),
            refused("walk", &["do not overlap"]),
            refused("check", &["do not overlap"]),
        ],
    },
    Kind {
        name: "no force at all",
        plant: |f| scaled(f, is_force, 0.0),
        said: &[
            refused("id", &["all ground forces are zero"]),
            judged("check", &["no plate is loaded"]),
            refused("walk", &["plate"]),
        ],
    },
    Kind {
        name: "a force that is not a number",
        plant: |f| {
            storage(f, "grf.mot", |label, row, _| {
                (label == "ground_force_r_vy" && row[0] > 0.92 && row[0] < 0.98).then_some(f64::NAN)
            })
        },
        said: &[
            refused("id", &["without numbers"]),
            judged("check", &["without a number"]),
            refused("so", &["without numbers"]),
        ],
    },
    Kind {
        name: "a column of the forces is missing",
        plant: |f| change(f, "grf.mot", |text| text.replacen("ground_force_r_vy", "ground_force_r_up", 1)),
        said: &[refused("id", &["ground_force_r_vy", "grf.mot"]), refused("walk", &["grf.mot"])],
    },
    Kind {
        name: "no file behind the loads",
        plant: |f| std::fs::remove_file(f.join("grf.mot")).unwrap(),
        said: &[refused("id", &["grf.mot"]), refused("so", &["grf.mot"]), refused("walk by loads", &["grf.mot"])],
    },
    Kind {
        name: "a path of another computer behind the loads",
        plant: |f| change(f, "loads.xml", |text| text.replace("grf.mot", "H:\\OpenSim\\Trials\\grf.mot")),
        said: &[told("id", &["grf.mot"]), told("so", &["grf.mot"])],
    },
    Kind {
        name: "the force forward has the wrong sign",
        plant: |f| scaled(f, |label| label.ends_with("_vx"), -1.0),
        said: &[refused("id", &["along x", "sign"]), refused("rra", &["sign"])],
    },
    Kind {
        name: "the force to the side has the wrong sign",
        plant: |f| scaled(f, |label| label.ends_with("_vz"), -1.0),
        said: &[refused("id", &["along z", "sign"]), refused("rra", &["sign"])],
    },
    Kind {
        name: "plates 10 cm above the floor",
        plant: |f| moved(f, "_py", 0.1),
        said: &[told("id", &["not on the floor", "height"]), told("id of plates", &["not on the floor"])],
    },
    Kind {
        name: "plates half a metre above the floor",
        plant: |f| moved(f, "_py", 0.5),
        said: &[refused("id", &["not on the floor"])],
    },
    Kind {
        name: "plates 6 cm forward",
        plant: |f| moved(f, "_px", 0.06),
        said: &[told("id", &["centres of pressure moved by -0.0"])],
    },
    Kind {
        name: "all centres of pressure zero",
        plant: |f| scaled(f, is_point, 0.0),
        said: &[refused("id", &["0 0 0"]), refused("so", &["0 0 0"])],
    },
    Kind {
        name: "no force under the left foot",
        plant: |f| scaled(f, |label| label.contains("force_l_v"), 0.0),
        said: &[judged("id", &["no force acts on `calcn_l`", "--time"])],
    },
    Kind {
        name: "force on the toes",
        plant: |f| change(f, "loads.xml", |text| text.replace("calcn_r<", "toes_r<")),
        said: &[refused("id", &["toes_r", "calcn_r"])],
    },
    Kind {
        name: "no moments in the loads",
        plant: |f| scaled(f, |label| label.contains("torque"), 0.0),
        said: &[told("id", &["no free moment"])],
    },
    Kind {
        name: "one plate without its zero",
        plant: |f| {
            storage(f, "grf.mot", |label, row, labels| {
                (label == "ground_force_r_vy").then(|| column(row, labels, label).unwrap() + 80.0)
            })
        },
        said: &[told("check", &[]), judged("id", &[])],
    },
];
