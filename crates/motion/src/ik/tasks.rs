//! Markers and coordinates to track, matched with those of the model and of the trial.

use crate::{MotionError, Subject};
use std::collections::BTreeMap;
use wolff_formats::trial::MarkerTrial;
use wolff_multibody::Frame;
use wolff_numerics::CubicSpline;

/// Target value of a coordinate.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// The same at all times \[rad or m\].
    Value(f64),
    /// A recorded motion \[rad or m\].
    Recorded(Box<CubicSpline>),
}

impl Target {
    /// The value at a time.
    pub fn at(&self, t: f64) -> f64 {
        match self {
            Self::Value(value) => *value,
            Self::Recorded(spline) => spline.evaluate(t).value,
        }
    }
}

/// Markers and coordinates to track, with weights.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    /// Weights of markers by name.
    pub markers: BTreeMap<String, f64>,
    /// Coordinates by name, with weight and target value.
    pub coordinates: Vec<(String, f64, Target)>,
}

impl Tasks {
    /// Every marker of the model with weight 1, no coordinates.
    pub fn all_markers(subject: &Subject) -> Self {
        let markers = subject.markers.iter().map(|(name, _)| (name.clone(), 1.0)).collect();
        Self { markers, coordinates: Vec::new() }
    }
}

/// A marker that the tasks, the model and the trial have.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchedMarker {
    /// Its name.
    pub name: String,
    /// Index in the trial.
    pub recorded: usize,
    /// Its position on the model.
    pub frame: Frame,
    /// Its weight.
    pub weight: f64,
}

/// The markers that tasks, model and trial have in common, and those that are missing in one of them.
#[derive(Clone, Debug, Default)]
pub struct Matched {
    /// Tracked markers, in the order of the trial.
    pub markers: Vec<MatchedMarker>,
    /// Markers of the trial that the model does not have.
    pub not_in_model: Vec<String>,
    /// Markers of the model that the trial does not have.
    pub not_in_trial: Vec<String>,
    /// Markers of both without a task, or with weight zero.
    pub without_task: Vec<String>,
    /// Tasks whose marker is missing in the model or in the trial.
    pub idle_tasks: Vec<String>,
}

impl Matched {
    /// Finds the markers that can be tracked; an error if there is none.
    pub fn new(subject: &Subject, tasks: &Tasks, trial: &MarkerTrial) -> Result<Self, MotionError> {
        let recorded: Vec<String> = trial.markers().iter().map(|m| m.name.clone()).collect();
        let matched = Self::of_names(subject, tasks, &recorded);
        matched.check(subject, trial.name(), &recorded)?;
        Ok(matched)
    }

    /// The same for a trial of which only the marker names are known, also where no marker can be tracked.
    pub(super) fn of_names(subject: &Subject, tasks: &Tasks, names: &[String]) -> Self {
        let mut out = Self::default();
        for (recorded, name) in names.iter().enumerate() {
            let frame = subject.markers.iter().find(|(n, _)| n == name);
            let Some(frame) = frame.and_then(|(_, spec)| subject.model.frame(spec)) else {
                out.not_in_model.push(name.clone());
                continue;
            };
            match tasks.markers.get(name) {
                Some(&weight) if weight > 0.0 => {
                    out.markers.push(MatchedMarker { name: name.clone(), recorded, frame, weight });
                }
                _ => out.without_task.push(name.clone()),
            }
        }
        let of_model = subject.markers.iter().map(|(n, _)| n);
        out.not_in_trial = of_model.filter(|n| !names.contains(n)).cloned().collect();
        let followed = |name: &String| out.markers.iter().any(|m| m.name == *name);
        let idle = tasks.markers.iter().filter(|(n, w)| **w > 0.0 && !followed(n));
        out.idle_tasks = idle.map(|(n, _)| n.clone()).collect();
        out
    }

    /// An error if no marker can be tracked.
    pub(super) fn check(&self, subject: &Subject, trial: &str, names: &[String]) -> Result<(), MotionError> {
        if self.markers.is_empty() {
            let recorded: Vec<&str> = names.iter().take(5).map(String::as_str).collect();
            let model: Vec<&str> = subject.markers.iter().take(5).map(|(n, _)| n.as_str()).collect();
            let reason = format!(
                "no marker has a task and is in the model and in the trial (model: {} ..., trial: {} ...); \
                 give them equal names",
                model.join(", "),
                recorded.join(", ")
            );
            let trial = if trial.is_empty() { "the trial".into() } else { format!("trial `{trial}`") };
            return Err(MotionError::input(trial, reason));
        }
        Ok(())
    }
}
