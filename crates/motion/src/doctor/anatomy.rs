//! What can be derived from marker names: feet, trunk, sides, the upward direction and the direction that the body
//! faces.

use wolff_formats::trial::{Marker, MarkerTrial};

/// Parts of names of markers on the foot, on its front and back, and on the trunk. The usual sets: Plug-in Gait
/// and CGM, Helen Hayes, OpenSim's `R.ASIS` style.
const FOOT: [&str; 14] =
    ["heel", "hee", "toe", "ankle", "ank", "mal", "calc", "cal", "mt1", "mt5", "mtp", "foot", "met", "hallux"];
const FRONT: [&str; 7] = ["toe", "mt1", "mt5", "mtp", "met", "hallux", "d1m"];
const BACK: [&str; 3] = ["heel", "hee", "cal"];
const TRUNK: [&str; 16] = [
    "asi", "psi", "sacr", "pelv", "acrom", "shoulder", "sho", "head", "c7", "clav", "ster", "neck", "t10", "iliac",
    "scap", "xiph",
];
const PELVIS_FRONT: [&str; 1] = ["asi"];
const PELVIS_BACK: [&str; 3] = ["psi", "sacr", "s2"];

/// Directions of the body, mean over the trial, in the axes of the trial.
pub(super) struct Anatomy {
    /// Unit vector from the feet to the trunk.
    pub(super) up: Option<[f64; 3]>,
    /// Unit vector from heel to toe, or from the back of the pelvis to its front.
    pub(super) facing: Option<[f64; 3]>,
    /// Displacement of the trunk, or else of all markers \[m\].
    pub(super) travel: Option<[f64; 3]>,
}

impl Anatomy {
    pub(super) fn of(trial: &MarkerTrial) -> Self {
        let between = |from: &[&str], to: &[&str]| mean_between(&named(trial, from), &named(trial, to)).and_then(unit);
        let trunk = named(trial, &TRUNK);
        let travel = travel(if trunk.is_empty() { trial.markers().iter().collect() } else { trunk });
        Self {
            up: between(&FOOT, &TRUNK),
            facing: between(&BACK, &FRONT).or_else(|| between(&PELVIS_BACK, &PELVIS_FRONT)),
            travel,
        }
    }
}

/// Markers of the feet.
pub(super) fn feet(trial: &MarkerTrial) -> Vec<&Marker> {
    named(trial, &FOOT)
}

fn named<'a>(trial: &'a MarkerTrial, parts: &[&str]) -> Vec<&'a Marker> {
    let is = |m: &&Marker| {
        let name: String = m.name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
        parts.iter().any(|part| name.contains(part))
    };
    trial.markers().iter().filter(is).collect()
}

/// The name of the marker on the other side, such as `L.ASIS` for `R.ASIS`; `None` for one in the median plane.
pub(super) fn mirrored(name: &str) -> Option<String> {
    let turn = |c: char| match c {
        'R' => Some('L'),
        'L' => Some('R'),
        'r' => Some('l'),
        'l' => Some('r'),
        _ => None,
    };
    let mut chars = name.chars();
    let first = chars.next().and_then(turn)?;
    Some(std::iter::once(first).chain(chars).collect())
}

/// Mean vector between the centres of two groups, over the frames in which both are visible.
fn mean_between(from: &[&Marker], to: &[&Marker]) -> Option<[f64; 3]> {
    let frames = from.first()?.points.len();
    let mut sum = [0.0; 3];
    let mut count = 0.0;
    for frame in 0..frames {
        if let (Some(a), Some(b)) = (middle(from, frame), middle(to, frame)) {
            sum = [0, 1, 2].map(|i| sum[i] + b[i] - a[i]);
            count += 1.0;
        }
    }
    (count > 0.0).then(|| sum.map(|x| x / count))
}

/// Mean of the markers seen in a frame.
fn middle(markers: &[&Marker], frame: usize) -> Option<[f64; 3]> {
    let seen: Vec<[f64; 3]> = markers.iter().filter_map(|m| m.points.get(frame).copied().flatten()).collect();
    let n = seen.len() as f64;
    (n > 0.0).then(|| [0, 1, 2].map(|i| seen.iter().map(|p| p[i]).sum::<f64>() / n))
}

/// Displacement from the first to the last visible frame, the median over the markers for each axis.
fn travel(markers: Vec<&Marker>) -> Option<[f64; 3]> {
    let moved: Vec<[f64; 3]> = markers
        .iter()
        .filter_map(|m| {
            let first = m.points.iter().flatten().next()?;
            let last = m.points.iter().flatten().next_back()?;
            Some([0, 1, 2].map(|i| last[i] - first[i]))
        })
        .collect();
    let axis = |i: usize| super::median(moved.iter().map(|d| d[i]).collect());
    Some([axis(0)?, axis(1)?, axis(2)?])
}

pub(super) fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = super::distance(v, [0.0; 3]);
    (length > 0.0).then(|| v.map(|x| x / length))
}

pub(super) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(&b).map(|(x, y)| x * y).sum()
}

pub(super) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The signed axis closest to a direction, such as `-y`.
pub(super) fn nearest_axis(v: [f64; 3]) -> String {
    let (mut best, mut name) = (f64::NEG_INFINITY, "x");
    for (value, axis) in v.into_iter().zip(["x", "y", "z"]) {
        if value.abs() > best {
            (best, name) = (value.abs(), axis);
        }
    }
    let index = ["x", "y", "z"].iter().position(|a| *a == name).unwrap_or(0);
    let negative = v.get(index).is_some_and(|x| *x < 0.0);
    format!("{}{name}", if negative { "-" } else { "" })
}
