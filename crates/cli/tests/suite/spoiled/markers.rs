//! Mistakes in recordings of markers.

use super::edit::{change, trc};
use super::{Kind, judged, refused, told};
use std::path::Path;

fn every_marker(folder: &Path, edit: impl Fn([f64; 3]) -> [f64; 3]) {
    trc(folder, |t| t.points(|_, _, p| Some(edit(p))));
}

/// Names of the other side exchanged.
fn exchanged(folder: &Path) {
    trc(folder, |t| {
        for name in &mut t.names {
            *name = match name.split_at_checked(2) {
                Some(("R.", rest)) => format!("L.{rest}"),
                Some(("L.", rest)) => format!("R.{rest}"),
                _ => name.clone(),
            };
        }
    });
}

fn renamed(folder: &Path, name: impl Fn(usize, &str) -> String) {
    trc(folder, |t| t.names.iter_mut().enumerate().for_each(|(k, n)| *n = name(k, n)));
}

pub const KINDS: &[Kind] = &[
    Kind {
        name: "the header says m, the numbers are mm",
        plant: |f| trc(f, |t| t.unit("m")),
        said: &[
            refused("check", &["mm", "--input-unit"]),
            refused("ik", &["mm", "--input-unit", "--force"]),
            refused("scale", &["mm"]),
            refused("walk", &["mm", "--force"]),
            refused("convert", &["mm"]),
        ],
    },
    Kind {
        name: "the header says mm, the numbers are m",
        plant: |f| every_marker(f, |p| p.map(|x| x / 1000.0)),
        said: &[refused("check", &["unit"]), refused("ik", &["unit"]), refused("walk", &["unit"])],
    },
    Kind {
        name: "left and right exchanged",
        plant: exchanged,
        said: &[
            refused("check", &["right"]),
            refused("ik", &["right"]),
            refused("scale", &["right"]),
            refused("walk", &["right"]),
        ],
    },
    Kind {
        name: "z is up",
        plant: |f| every_marker(f, |[x, y, z]| [x, -z, y]),
        said: &[
            refused("check", &["--axes x,z"]),
            refused("ik", &["--axes x,z"]),
            refused("scale", &["--axes x,z"]),
            refused("walk", &["axes"]),
        ],
    },
    Kind {
        name: "mirrored",
        plant: |f| every_marker(f, |[x, y, z]| [x, y, -z]),
        said: &[refused("check", &[]), refused("ik", &[]), refused("walk", &[])],
    },
    Kind {
        name: "walks along z",
        plant: |f| every_marker(f, |[x, y, z]| [-z, y, x]),
        said: &[refused("check", &["--axes z,y"]), told("ik", &["--axes z,y"])],
    },
    Kind {
        name: "zeros for lost markers",
        plant: |f| {
            trc(f, |t| {
                t.points(|frame, name, p| {
                    Some(if (60..120).contains(&frame) && name.contains("TH") { [0.0; 3] } else { p })
                })
            })
        },
        said: &[
            told("check", &["gap", "zeros"]),
            told("ik", &["gap"]),
            told("convert", &["gap"]),
            told("walk", &["gap"]),
        ],
    },
    Kind {
        name: "a long gap",
        plant: |f| {
            trc(f, |t| t.points(|frame, name, p| (!((60..140).contains(&frame) && name == "R.Knee")).then_some(p)))
        },
        said: &[told("check", &["R.Knee"]), told("ik", &["R.Knee"]), told("walk", &["R.Knee"])],
    },
    Kind {
        name: "names with a prefix",
        plant: |f| renamed(f, |_, name| format!("Subject01:{name}")),
        said: &[told("check", &["Subject01:"]), told("ik", &["Subject01:"]), told("walk", &["Subject01:"])],
    },
    Kind {
        name: "names of another convention",
        plant: |f| renamed(f, |_, name| name.replace("R.", "r_").replace("L.", "l_").to_lowercase()),
        said: &[
            refused("check", &["--marker-map", "r_asis, R.ASIS"]),
            refused("ik", &["--marker-map", "r_asis, R.ASIS"]),
            refused("walk", &["--marker-map"]),
        ],
    },
    Kind {
        name: "names without a meaning",
        plant: |f| renamed(f, |k, _| format!("M{k}")),
        said: &[refused("check", &["names"]), refused("ik", &["--marker-map"]), refused("walk", &["names"])],
    },
    Kind {
        name: "two markers of one name",
        plant: |f| renamed(f, |_, name| if name == "L.Knee" { "R.Knee".into() } else { name.into() }),
        said: &[
            told("check", &["R.Knee", "twice"]),
            told("ik", &["R.Knee", "twice"]),
            told("walk", &["R.Knee", "twice"]),
        ],
    },
    Kind {
        name: "a marker 0.3 m off",
        plant: |f| {
            trc(f, |t| {
                t.points(|_, name, [x, y, z]| Some(if name == "R.Knee" { [x, y, z + 300.0] } else { [x, y, z] }))
            })
        },
        said: &[judged("ik", &["R.Knee", "mm"]), judged("walk", &["marker error"])],
    },
    Kind {
        name: "two markers change places",
        plant: |f| {
            trc(f, |t| {
                let at = |name: &str| 2 + 3 * t.names.iter().position(|n| n == name).unwrap();
                let (a, b) = (at("R.Ankle"), at("R.Toe"));
                for row in t.rows.iter_mut().skip(100) {
                    (0..3).for_each(|i| row.swap(a + i, b + i));
                }
            })
        },
        said: &[refused("check", &["R.Ankle", "R.Toe"]), refused("ik", &["R.Ankle", "R.Toe"])],
    },
    Kind {
        name: "spikes",
        plant: |f| {
            trc(f, |t| {
                t.points(|frame, name, [x, y, z]| {
                    Some(if name == "R.Heel" && frame % 50 == 25 { [x, y + 400.0, z] } else { [x, y, z] })
                })
            })
        },
        said: &[told("check", &["R.Heel"]), judged("ik", &["R.Heel"])],
    },
    Kind {
        name: "time goes back",
        plant: |f| trc(f, |t| t.rows.swap(50, 120)),
        said: &[refused("check", &["time"]), refused("ik", &["time"]), refused("walk", &["time"])],
    },
    Kind {
        name: "time in milliseconds",
        plant: |f| {
            trc(f, |t| {
                t.rows.iter_mut().for_each(|row| row[1] = (1e3 * row[1].trim().parse::<f64>().unwrap()).to_string());
            })
        },
        said: &[refused("check", &["in ms"]), refused("ik", &["in ms"])],
    },
    Kind {
        name: "a file that is cut off",
        plant: |f| change(f, "walk.trc", |text| text[..text.len() * 3 / 5].to_string()),
        said: &[told("check", &["frames"]), told("ik", &["frames"]), told("convert", &["frames"])],
    },
    Kind {
        name: "words in place of numbers",
        plant: |f| trc(f, |t| t.rows[30][8] = "abc".into()),
        said: &[refused("check", &["abc"]), refused("ik", &["abc"]), refused("walk", &["abc"])],
    },
    Kind {
        name: "a recording without frames",
        plant: |f| trc(f, |t| t.rows.clear()),
        said: &[refused("check", &["no frames"]), refused("ik", &["no frame"]), refused("convert", &["no frames"])],
    },
];
