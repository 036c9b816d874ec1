//! What can be derived from marker names: feet, trunk, sides, the upward direction and the direction that the body
//! faces.

use wolff_anatomy::{Side, marker_names};
use wolff_formats::trial::{Axes, Marker, MarkerTrial};

/// Parts of names of markers on the foot, on its front and back, and on the trunk. The usual sets: Plug-in Gait
/// and CGM, Helen Hayes, OpenSim's `R.ASIS` style; German words (`chel` is that of the ankle).
const FOOT: [&str; 18] = [
    "heel", "hee", "toe", "ankle", "ank", "mal", "calc", "cal", "mt1", "mt5", "mtp", "foot", "met", "hallux", "ferse",
    "zehe", "fuss", "chel",
];
const FRONT: [&str; 8] = ["toe", "mt1", "mt5", "mtp", "met", "hallux", "d1m", "zehe"];
const BACK: [&str; 4] = ["heel", "hee", "cal", "ferse"];
const TRUNK: [&str; 19] = [
    "asi", "psi", "sacr", "pelv", "acrom", "shoulder", "sho", "head", "c7", "clav", "ster", "neck", "t10", "iliac",
    "scap", "xiph", "becken", "schulter", "kopf",
];
const PELVIS_FRONT: [&str; 1] = ["asi"];
const PELVIS_BACK: [&str; 3] = ["psi", "sacr", "s2"];

/// Directions of the body, mean over the trial, in the axes of the trial.
#[derive(Default)]
pub(super) struct Anatomy {
    /// Unit vector from the feet to the trunk.
    pub(super) up: Option<[f64; 3]>,
    /// Mean distance from the middle of the feet to that of the trunk \[m\].
    pub(super) height: Option<f64>,
    /// Unit vector from heel to toe, or from the back of the pelvis to its front.
    pub(super) facing: Option<[f64; 3]>,
    /// Displacement of the trunk, or else of all markers \[m\].
    pub(super) travel: Option<[f64; 3]>,
    /// Axes of the laboratory from which the trial was turned.
    pub(super) axes: Axes,
}

impl Anatomy {
    pub(super) fn of(trial: &MarkerTrial) -> Self {
        let between = |from: &[&str], to: &[&str]| mean_between(&named(trial, from), &named(trial, to)).and_then(unit);
        let trunk = named(trial, &TRUNK);
        let travel = travel(if trunk.is_empty() { trial.markers().iter().collect() } else { trunk });
        let upwards = mean_between(&named(trial, &FOOT), &named(trial, &TRUNK));
        Self {
            up: upwards.and_then(unit),
            height: upwards.map(|v| super::distance(v, [0.0; 3])),
            facing: between(&BACK, &FRONT).or_else(|| between(&PELVIS_BACK, &PELVIS_FRONT)),
            travel,
            axes: *trial.axes(),
        }
    }
}

/// Markers of the feet.
pub(super) fn feet(trial: &MarkerTrial) -> Vec<&Marker> {
    named(trial, &FOOT)
}

/// Words in which a part of a name stands by chance: `ank` in `shank`, `mal` in `proximal`, `ster` in `posterior`.
const OTHERS: [&str; 4] = ["shank", "proximal", "posterior", "unterschenkel"];

pub(super) fn named<'a>(trial: &'a MarkerTrial, parts: &[&str]) -> Vec<&'a Marker> {
    let is = |m: &&Marker| {
        let name: String = m.name.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
        let name = OTHERS.iter().fold(name, |name, word| name.replace(word, "-"));
        parts.iter().any(|part| name.contains(part))
    };
    trial.markers().iter().filter(is).collect()
}

/// Markers of the trunk.
pub(super) fn trunk(trial: &MarkerTrial) -> Vec<&Marker> {
    named(trial, &TRUNK)
}

/// Markers of one foot.
pub(super) struct Foot<'a> {
    /// All of them.
    pub(super) markers: Vec<&'a Marker>,
    /// Those on its front.
    pub(super) front: Vec<&'a Marker>,
}

/// The right and the left foot; `None` where one has no markers.
pub(super) fn feet_by_side(trial: &MarkerTrial) -> Option<[Foot<'_>; 2]> {
    let names: Vec<&str> = trial.markers().iter().map(|m| m.name.as_str()).collect();
    let sides: Vec<Option<Side>> = marker_names(&names).into_iter().map(|n| n.side).collect();
    let of = |side: Side, parts: &[&str]| -> Vec<&Marker> {
        let own = |m: &&Marker| names.iter().position(|n| *n == m.name).and_then(|i| sides[i]) == Some(side);
        named(trial, parts).into_iter().filter(own).collect()
    };
    let feet = Side::BOTH.map(|side| Foot { markers: of(side, &FOOT), front: of(side, &FRONT) });
    feet.iter().all(|foot| !foot.markers.is_empty()).then_some(feet)
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
pub(super) fn middle(markers: &[&Marker], frame: usize) -> Option<[f64; 3]> {
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
