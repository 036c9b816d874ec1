//! Markers of a model: added, and moved to their measured positions on the subject.

use super::edit::{Edits, child, child_text, in_defaults, join, name_of, parse};
use super::factors::frame_range;
use crate::setup::{MarkerPlacer, ModelMarker};
use crate::{OpensimSubject, ik_tasks};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use wolff_formats::sto::Storage;
use wolff_formats::trial::{Marker, MarkerTrial};
use wolff_motion::MotionError;
use wolff_motion::ik::{Options, solve_trial};
use wolff_multibody::Kinematics;
use wolff_spatial::Vec3;

/// Version from which markers name their frames by paths.
const PATHS_SINCE: u32 = 40000;

/// The text of a model with these markers: they replace markers of the same name.
pub fn with_marker_set(text: &str, version: u32, markers: &[ModelMarker]) -> Result<String, MotionError> {
    let document = parse(text)?;
    let mut edits = Edits::default();
    for node in model_markers(&document).filter(|n| markers.iter().any(|m| m.name == name_of(*n))) {
        edits.replace(node.range(), "");
    }
    let mut new = String::new();
    for m in markers {
        let frame = if version < PATHS_SINCE {
            format!("<body>{}</body>", m.body)
        } else if m.body == "ground" {
            "<socket_parent_frame>/ground</socket_parent_frame>".into()
        } else {
            format!("<socket_parent_frame>/bodyset/{}</socket_parent_frame>", m.body)
        };
        let _ = write!(
            new,
            "\n<Marker name=\"{}\">{frame}<location>{}</location><fixed>{}</fixed></Marker>",
            m.name.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;"),
            join(&m.location),
            m.fixed
        );
    }
    insert_markers(&document, &mut edits, &new)?;
    Ok(edits.apply(text))
}

/// Appends markers to the marker set, which is created if it does not exist.
fn insert_markers(document: &Document<'_>, edits: &mut Edits, new: &str) -> Result<(), MotionError> {
    let find = |tag: &str| document.descendants().find(|n| n.has_tag_name(tag) && !in_defaults(*n));
    let set = find("MarkerSet");
    let objects = set.and_then(|s| child(s, "objects"));
    let text = document.input_text();
    match (objects, set, find("Model")) {
        (Some(objects), ..) => {
            let range = objects.range();
            let old = text.get(range.clone()).unwrap_or_default();
            match old.rfind("</objects") {
                Some(end) => edits.replace(range.start + end..range.start + end, new),
                None => edits.replace(range, &format!("<objects>{new}\n</objects>")),
            }
        }
        (None, Some(set), _) => {
            edits.replace(set.range(), &format!("<MarkerSet><objects>{new}\n</objects></MarkerSet>"))
        }
        (None, None, Some(model)) => {
            let end = text.get(model.range()).and_then(|t| t.rfind("</Model")).map(|i| i + model.range().start);
            let end = end.ok_or_else(|| MotionError::input("the model to scale", "its `Model` element is empty"))?;
            edits.replace(end..end, &format!("<MarkerSet><objects>{new}\n</objects></MarkerSet>\n"));
        }
        _ => return Err(MotionError::input("the model to scale", "there is no `Model` element")),
    }
    Ok(())
}

fn model_markers<'a, 'b>(document: &'a Document<'b>) -> impl Iterator<Item = Node<'a, 'b>> {
    document.descendants().filter(|n| n.has_tag_name("Marker") && !in_defaults(*n))
}

/// Result of placing markers.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The model's text with markers moved, and without those that the trial does not have.
    pub text: String,
    /// The standing pose, as time and coordinates of the solver's model.
    pub pose: (f64, Vec<f64>),
    /// Displacement of each marker \[m\].
    pub moved: BTreeMap<String, f64>,
    /// Markers removed because the trial does not have them.
    pub removed: Vec<String>,
    /// Root mean square marker distance of the pose before markers were moved \[m\].
    pub rms: f64,
    /// Largest such distance \[m\] and its marker.
    pub worst: (f64, String),
    /// Markers that moved farther than allowed while the subject stood, with the distance \[m\].
    pub restless: Vec<(String, f64)>,
}

/// Finds the pose of the mean of the standing trial, then moves every marker that is not fixed to its measured position
/// in this pose.
///
/// `coordinates` is the motion file for tasks that follow one.
pub fn place_markers(
    text: &str,
    subject: &OpensimSubject,
    placer: &MarkerPlacer,
    trial: &MarkerTrial,
    coordinates: Option<&Storage>,
) -> Result<Placed, MotionError> {
    let all = [f64::NEG_INFINITY, f64::INFINITY];
    let frames = frame_range(trial, placer.time_range.unwrap_or(all));
    let (standing, restless) = mean_pose(trial, frames, placer.max_marker_movement)?;
    let tasks = ik_tasks(subject, &placer.tasks.tasks, coordinates)?;
    let motion = solve_trial(&subject.subject, &tasks, &standing, None, Options::default(), &mut |_| {})?;
    let pose = motion.poses.first().cloned().unwrap_or_default();
    let worst = motion.worst().map_or((0.0, String::new()), |(d, name, _)| (d, name.to_string()));

    let mut kin = Kinematics::new(&subject.subject.model);
    kin.update(&subject.subject.model, &pose.1, &vec![0.0; subject.subject.model.nv()]);
    let mut places = BTreeMap::new();
    for (name, spec) in &subject.converted.markers {
        let (Some(frame), Some(seen)) = (subject.subject.model.frame(spec), seen_at(&standing, name)) else { continue };
        let here = kin.bodies[frame.body].X_GB;
        places.insert(name.as_str(), (here.inverse_point(&seen), (kin.pose(&frame).p - seen).norm()));
    }
    let (text, moved, removed) = moved_text(text, subject, trial, &places)?;
    Ok(Placed { text, pose, moved, removed, rms: motion.rms(), worst, restless })
}

fn seen_at(standing: &MarkerTrial, name: &str) -> Option<Vec3> {
    standing.marker(name)?.points.first().copied().flatten().map(Vec3::from)
}

/// One frame with the mean of each marker over the frames in which it was seen, and the markers that moved more than
/// `limit` \[m\].
fn mean_pose(
    trial: &MarkerTrial,
    frames: std::ops::Range<usize>,
    limit: Option<f64>,
) -> Result<(MarkerTrial, Vec<(String, f64)>), MotionError> {
    let mut restless = Vec::new();
    let mut markers = Vec::new();
    for m in trial.markers() {
        let seen: Vec<[f64; 3]> = m.points.get(frames.clone()).unwrap_or_default().iter().flatten().copied().collect();
        let mean = |axis: usize| seen.iter().map(|p| p[axis]).sum::<f64>() / seen.len() as f64;
        let extent = |axis: usize| {
            let fold = |f: fn(f64, f64) -> f64, start: f64| seen.iter().map(|p| p[axis]).fold(start, f);
            fold(f64::max, f64::NEG_INFINITY) - fold(f64::min, f64::INFINITY)
        };
        let point = (!seen.is_empty()).then(|| [mean(0), mean(1), mean(2)]);
        let movement = if seen.is_empty() { 0.0 } else { (0..3).map(extent).fold(0.0, f64::max) };
        if limit.is_some_and(|l| l > 0.0 && movement > l) {
            restless.push((m.name.clone(), movement));
        }
        markers.push(Marker { name: m.name.clone(), points: vec![point] });
    }
    let start = trial.times().get(frames.start).copied().unwrap_or(0.0);
    Ok((MarkerTrial::new(trial.name(), trial.rate(), vec![start], markers)?, restless))
}

type Moved = (String, BTreeMap<String, f64>, Vec<String>);

/// Writes the new positions; markers that the trial does not have are removed.
fn moved_text(
    text: &str,
    subject: &OpensimSubject,
    trial: &MarkerTrial,
    places: &BTreeMap<&str, (Vec3, f64)>,
) -> Result<Moved, MotionError> {
    let document = parse(text)?;
    let mut edits = Edits::default();
    let (mut moved, mut removed) = (BTreeMap::new(), Vec::new());
    for node in model_markers(&document) {
        let name = name_of(node);
        if trial.marker(name).is_none() {
            edits.replace(node.range(), "");
            removed.push(name.to_string());
            continue;
        }
        let fixed = child_text(node, "fixed").is_some_and(|t| t.eq_ignore_ascii_case("true"));
        let spec = subject.converted.markers.iter().find(|(n, _)| n == name);
        if let (false, Some((p_B, distance)), Some((_, spec)), Some(location)) =
            (fixed, places.get(name), spec, child(node, "location"))
        {
            // a marker may be attached to a frame that is fixed on the body
            let written = super::edit::numbers(location)?;
            let own = spec.pose
                * wolff_spatial::Pose::translation(-Vec3::from_iterator(written.into_iter().chain([0.0; 3]).take(3)));
            edits.set_text(location, &join(own.inverse_point(p_B).as_slice()));
            moved.insert(name.to_string(), *distance);
        }
    }
    Ok((edits.apply(text), moved, removed))
}
