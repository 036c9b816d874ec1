//! Markers with exchanged names.

use crate::anatomy::{Anatomy, cross, dot};
use crate::{Fault, Finding, Severity, at, distance, median};
use wolff_anatomy::{Side, marker_names, mirrored_marker};
use wolff_formats::trial::MarkerTrial;

/// Jump between two frames \[m\] that counts as an exchange, if it is also several times the usual step.
const JUMP: f64 = 0.02;
const STEPS: f64 = 5.0;
/// Ratio by which the steps must be shorter with exchanged names.
const SHORTER: f64 = 0.5;

/// Pairs that jump to each other's position between two frames, until they jump back.
pub(super) fn exchanges(trial: &MarkerTrial) -> Vec<Finding> {
    let usual: Vec<f64> = trial.markers().iter().map(|m| usual_step(&m.points)).collect();
    let mut found: Vec<([usize; 2], Vec<usize>)> = Vec::new();
    for frame in 1..trial.times().len() {
        let jumping = jumping(trial, frame, &usual);
        for (n, &i) in jumping.iter().enumerate() {
            for &j in jumping.iter().skip(n + 1) {
                if exchanged(trial, i, j, frame) {
                    match found.iter_mut().find(|(pair, _)| *pair == [i, j]) {
                        Some((_, frames)) => frames.push(frame),
                        None => found.push(([i, j], vec![frame])),
                    }
                }
            }
        }
    }
    found.iter().flat_map(|(pair, frames)| frames.chunks(2).filter_map(|f| exchange(trial, *pair, f))).collect()
}

/// Usual distance between two frames.
fn usual_step(points: &[Option<[f64; 3]>]) -> f64 {
    let step = |pair: &[Option<[f64; 3]>]| match pair {
        [Some(a), Some(b)] => Some(distance(*a, *b)),
        _ => None,
    };
    median(points.windows(2).filter_map(step).collect()).unwrap_or(0.0)
}

/// Positions of a marker before and at a frame.
fn step(trial: &MarkerTrial, marker: usize, frame: usize) -> Option<[[f64; 3]; 2]> {
    let points = &trial.markers().get(marker)?.points;
    Some([points.get(frame.checked_sub(1)?).copied().flatten()?, points.get(frame).copied().flatten()?])
}

fn jumping(trial: &MarkerTrial, frame: usize, usual: &[f64]) -> Vec<usize> {
    let jumps =
        |&(i, usual): &(usize, &f64)| step(trial, i, frame).is_some_and(|[a, b]| distance(a, b) > JUMP + STEPS * usual);
    usual.iter().enumerate().filter(jumps).map(|(i, _)| i).collect()
}

fn exchanged(trial: &MarkerTrial, i: usize, j: usize, frame: usize) -> bool {
    let (Some([i0, i1]), Some([j0, j1])) = (step(trial, i, frame), step(trial, j, frame)) else { return false };
    distance(i0, j1) + distance(j0, i1) < SHORTER * (distance(i0, i1) + distance(j0, j1))
}

fn exchange(trial: &MarkerTrial, [i, j]: [usize; 2], frames: &[usize]) -> Option<Finding> {
    let (a, b) = (&trial.markers().get(i)?.name, &trial.markers().get(j)?.name);
    let start = *trial.times().get(*frames.first()?)?;
    let back = frames.get(1).and_then(|&f| trial.times().get(f)).copied();
    let until = back.map_or_else(|| "the end".to_string(), at);
    Some(Finding {
        severity: Severity::Error,
        fault: Fault::Swap,
        subjects: vec![a.clone(), b.clone()],
        span: Some([start, back.or(trial.times().last().copied())?]),
        message: format!("markers `{a}` and `{b}` jump to each other's position at {}", at(start)),
        remedy: format!("exchange their names from {} to {until}", at(start)),
    })
}

/// Pairs of left and right markers that are exchanged in the whole trial.
///
/// With f the facing direction of the body and u upwards, f × u points to its right.
pub(super) fn sides(trial: &MarkerTrial, anatomy: &Anatomy) -> Vec<Finding> {
    let (Some(facing), Some(up)) = (anatomy.facing, anatomy.up) else { return Vec::new() };
    let right = cross(facing, up);
    let mut pairs = Vec::new();
    let names: Vec<&str> = trial.markers().iter().map(|m| m.name.as_str()).collect();
    let read = marker_names(&names);
    for (r, _) in trial.markers().iter().zip(&read).filter(|(_, name)| name.side == Some(Side::Right)) {
        let Some(l) = mirrored_marker(&r.name, &names).and_then(|name| trial.marker(name)) else { continue };
        let apart = r.points.iter().zip(&l.points).filter_map(|(r, l)| {
            let (r, l) = ((*r)?, (*l)?);
            Some(dot([0, 1, 2].map(|i| r[i] - l[i]), right))
        });
        if let Some(apart) = median(apart.collect()) {
            pairs.push((r.name.clone(), l.name.clone(), apart));
        }
    }
    let wrong: Vec<_> = pairs.iter().filter(|(_, _, apart)| *apart < -JUMP).collect();
    // where all pairs are exchanged, an axis is mirrored
    if 2 * wrong.len() > pairs.len() {
        return vec![mirror(wrong.len(), pairs.len())];
    }
    wrong.iter().map(|(r, l, apart)| side(r, l, *apart)).collect()
}

fn side(r: &str, l: &str, apart: f64) -> Finding {
    Finding {
        severity: Severity::Error,
        fault: Fault::Swap,
        subjects: vec![r.into(), l.into()],
        span: None,
        message: format!("marker `{r}` is {:.3} m to the left of `{l}` in the whole trial", -apart),
        remedy: "exchange their names".into(),
    }
}

fn mirror(wrong: usize, pairs: usize) -> Finding {
    Finding {
        severity: Severity::Error,
        fault: Fault::Axes,
        subjects: Vec::new(),
        span: None,
        message: format!("{wrong} of {pairs} right markers are to the left of their partners"),
        remedy: "the axes are left-handed, all left and right names are exchanged, or names are shifted against the \
                 positions: check the export"
            .into(),
    }
}
