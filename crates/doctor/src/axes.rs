//! The upward direction, and the directions in which the subject faces and moves.

use crate::anatomy::{Anatomy, dot, feet, nearest_axis, unit};
use crate::{Fault, Finding, Severity};
use std::ops::RangeInclusive;
use wolff_formats::trial::{Axes, MarkerTrial};

/// Displacement below which a direction of movement is not meaningful [m]: standing, or a treadmill.
const STANDING: f64 = 0.5;

/// Trunk above feet along Y, toes in front of heels along X; otherwise a finding with the axes of the laboratory.
pub(super) fn axes(anatomy: &Anatomy) -> Option<Finding> {
    let up = nearest_axis(anatomy.up?);
    // horizontal part of the facing direction
    let level = |v: [f64; 3]| {
        let u = anatomy.up?;
        unit([0, 1, 2].map(|i| v[i] - dot(v, u) * u[i]))
    };
    let facing = anatomy
        .facing
        .and_then(level)
        .map(nearest_axis)
        .filter(|f| f.trim_start_matches('-') != up.trim_start_matches('-'));
    let forward = facing.clone().unwrap_or_else(|| if up.ends_with('x') { "y".into() } else { "x".into() });
    let message = match (up.as_str(), facing.as_deref()) {
        ("y", None | Some("x")) => return None,
        ("y", Some(facing)) => format!("the subject faces {facing}, not x"),
        (up, _) => format!("the trunk is above the feet along {up}, not y"),
    };
    Some(Finding {
        severity: if up == "y" { Severity::Warning } else { Severity::Error },
        fault: Fault::Axes,
        subjects: Vec::new(),
        span: None,
        message: format!("{}{message}", turned(&anatomy.axes)),
        remedy: remedy(&forward, &up, &anatomy.axes),
    })
}

/// The turn that was made before a finding, if there was one.
pub(super) fn turned(axes: &Axes) -> String {
    if *axes == Axes::ISB { String::new() } else { format!("with --axes {axes}, ") }
}

/// Axes of the laboratory, from the forward and the up axis of the subject in axes that were turned already.
pub(super) fn remedy(forward: &str, up: &str, earlier: &Axes) -> String {
    match Axes::new(forward, up).map(|axes| axes.after(earlier)) {
        Ok(Axes::ISB) => "do not turn the trial: leave out --axes, or give --axes x,y".into(),
        Ok(axes) => format!(
            "turn the trial: the laboratory's forward axis is {}, its up axis {} (--axes {axes})",
            axes.forward(),
            axes.up()
        ),
        Err(e) => e.to_string(),
    }
}

/// Feet that point against the direction of walking.
pub(super) fn backwards(anatomy: &Anatomy) -> Option<Finding> {
    let (facing, travel) = (anatomy.facing?, anatomy.travel?);
    let along = dot(facing, travel);
    (along < -STANDING).then(|| Finding {
        severity: Severity::Warning,
        fault: Fault::Backwards,
        subjects: Vec::new(),
        span: None,
        message: format!("the body moves {:.2} m against the direction of the toes", -along),
        remedy: "walking backwards, or heel and toe markers exchanged, or a mirrored axis: check names and axes".into(),
    })
}

/// Height of the lowest marker of the feet while they are on the floor \[m\]. Chosen here: a box, a stair or the belt
/// of a treadmill may be the floor.
const FLOOR: RangeInclusive<f64> = -0.3..=0.6;

/// Feet that are far above or below y = 0, where the model has its floor.
pub(super) fn floor(trial: &MarkerTrial, anatomy: &Anatomy) -> Option<Finding> {
    let feet = feet(trial);
    let is_upright = anatomy.up.is_some_and(|up| nearest_axis(up) == "y");
    let lowest = |frame: usize| {
        feet.iter().filter_map(|m| m.points.get(frame).copied().flatten()).map(|p| p[1]).min_by(f64::total_cmp)
    };
    let mut heights: Vec<f64> = (0..trial.times().len()).filter_map(lowest).collect();
    heights.sort_by(f64::total_cmp);
    // in one frame of twenty, each foot is on the floor
    let height = *heights.get(heights.len() / 20).filter(|h| is_upright && !FLOOR.contains(h))?;
    let word = if height > 0.0 { "above" } else { "below" };
    Some(Finding {
        severity: Severity::Warning,
        fault: Fault::Floor,
        subjects: Vec::new(),
        span: None,
        message: format!("the feet are {:.2} m {word} the floor, y = 0", height.abs()),
        remedy: "check the origin and the vertical axis of the recording; forces must have the same origin".into(),
    })
}
