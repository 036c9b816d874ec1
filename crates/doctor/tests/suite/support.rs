//! A body that walks over two plates, made by formulas.

use std::f64::consts::TAU;
use wolff_doctor::{Fault, Finding, Patient, examine};
use wolff_formats::trial::{ForcePlate, ForcePlateTrial, GroundWrench, Marker, MarkerTrial};

pub const RATE: f64 = 100.0;
pub const FRAMES: usize = 300;
pub const SPEED: f64 = 1.2;

/// Where a marker is on a body that walks along x: forward of the middle, height, to the right [m].
pub const BODY: [(&str, [f64; 3]); 15] = [
    ("C7", [-0.05, 1.5, 0.0]),
    ("R.Shoulder", [0.0, 1.4, 0.2]),
    ("L.Shoulder", [0.0, 1.4, -0.2]),
    ("R.ASIS", [0.1, 1.0, 0.12]),
    ("L.ASIS", [0.1, 1.0, -0.12]),
    ("R.PSIS", [-0.1, 1.02, 0.05]),
    ("L.PSIS", [-0.1, 1.02, -0.05]),
    ("R.Knee", [0.0, 0.5, 0.15]),
    ("L.Knee", [0.0, 0.5, -0.15]),
    ("R.Ankle", [0.0, 0.1, 0.12]),
    ("L.Ankle", [0.0, 0.1, -0.12]),
    ("R.Heel", [-0.06, 0.05, 0.1]),
    ("L.Heel", [-0.06, 0.05, -0.1]),
    ("R.Toe", [0.16, 0.05, 0.12]),
    ("L.Toe", [0.16, 0.05, -0.12]),
];

/// How far a leg is ahead of the body at a time [m]: one step a second, legs opposite.
pub fn ahead(name: &str, height: f64, time: f64) -> f64 {
    let phase = if name.starts_with('L') { 0.5 } else { 0.0 };
    let leg = if height < 0.9 { 0.3 * (1.0 - height) } else { 0.0 };
    leg * (TAU * (time + phase)).sin()
}

pub fn walker() -> MarkerTrial {
    let times: Vec<f64> = (0..FRAMES).map(|f| f as f64 / RATE).collect();
    let point = |name: &str, [x, y, z]: [f64; 3], t: f64| Some([SPEED * t + x + ahead(name, y, t), y, z]);
    let markers = BODY
        .iter()
        .map(|(name, place)| Marker {
            name: name.to_string(),
            points: times.iter().map(|&t| point(name, *place, t)).collect(),
        })
        .collect();
    MarkerTrial::new("walk", RATE, times, markers).unwrap()
}

/// Vertical force in the middle of a step [N]: the mean over a stride is the weight of 70 kg.
pub const PEAK: f64 = 1100.0;

/// Ten samples a frame; the right foot is loaded while its leg goes back, the left one otherwise. The force points to
/// the trunk.
pub fn ground(rate: f64) -> ForcePlateTrial {
    let times: Vec<f64> = (0..(FRAMES as f64 * rate / RATE) as usize).map(|i| i as f64 / rate).collect();
    let plate = |name: &str, side: f64| ForcePlate {
        name: name.into(),
        corners: None,
        samples: times
            .iter()
            .map(|&t| {
                let push = (TAU * (t + if side < 0.0 { 0.5 } else { 0.0 })).cos();
                let point = [SPEED * t + 0.05 + ahead(name, 0.05, t), 0.0, 0.11 * side];
                let up = -PEAK * push;
                let force = [up * (SPEED * t - point[0]), up, -0.11 * side * up];
                let loaded = GroundWrench { force, point: Some(point), moment: [0.0; 3] };
                Some(if push < -0.2 { loaded } else { GroundWrench::UNLOADED })
            })
            .collect(),
    };
    ForcePlateTrial::new(rate, times.clone(), vec![plate("R", 1.0), plate("L", -1.0)], Vec::new()).unwrap()
}

pub fn edit(trial: MarkerTrial, change: impl FnOnce(&mut Vec<Marker>)) -> MarkerTrial {
    let mut markers = trial.markers().to_vec();
    change(&mut markers);
    trial.with_markers(markers).unwrap()
}

pub fn index(name: &str) -> usize {
    BODY.iter().position(|(n, _)| *n == name).unwrap()
}

pub fn of_markers(trial: &MarkerTrial) -> Vec<Finding> {
    examine(&Patient { markers: Some(trial), ..Patient::default() })
}

/// The only fault there is.
pub fn only(findings: Vec<Finding>, fault: Fault) -> Finding {
    assert_eq!(findings.iter().map(|f| f.fault).collect::<Vec<_>>(), [fault], "{findings:#?}");
    findings.into_iter().next().unwrap()
}

pub fn of_both(markers: &MarkerTrial, forces: &ForcePlateTrial) -> Vec<Finding> {
    examine(&Patient { markers: Some(markers), forces: Some(forces), ..Patient::default() })
}
