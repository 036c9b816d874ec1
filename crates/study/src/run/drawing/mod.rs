//! Drawings of the mechanism: the states of a run, and the model's bodies, joints, forces and surfaces in a plane.

mod parts;
mod plane;

use crate::build::Built;
use parts::{Drawn, Shape3, drawn_parts};
use plane::{choose_plane, flat};
use wolff_document::{DrawingSpec, Study};
use wolff_multibody::{Model, System};
use wolff_report::digits::short;
use wolff_report::outcome::{Mechanism, MechanismPart, Outline};

/// Coordinates at the instants that the drawings of a study need.
pub(super) struct DrawingRecord {
    drawings: Vec<DrawingSpec>,
    /// Instants that are still to come \[s\], from late to early.
    wanted: Vec<f64>,
    /// Times that count as equal \[s\].
    tolerance: f64,
    times: Vec<f64>,
    states: Vec<Vec<f64>>,
}

impl DrawingRecord {
    /// The instants that the drawings of `study` need; a study with joints that describes no drawing has one.
    pub fn new(study: &Study) -> Self {
        let drawings = match &study.drawings[..] {
            [] if study.model.joints.is_empty() => Vec::new(),
            [] => vec![DrawingSpec::automatic()],
            described => described.to_vec(),
        };
        let duration = study.integrator.duration;
        let mut wanted: Vec<f64> = drawings.iter().flat_map(|d| instants(d, duration)).collect();
        wanted.sort_by(|a, b| b.total_cmp(a));
        let tolerance = 1e-9 * duration;
        DrawingRecord { drawings, wanted, tolerance, times: Vec::new(), states: Vec::new() }
    }

    /// Records a state if it is the first at or after an instant that is needed.
    pub fn record(&mut self, t: f64, q: &[f64]) {
        let before = self.wanted.len();
        while self.wanted.last().is_some_and(|next| *next <= t + self.tolerance) {
            self.wanted.pop();
        }
        if self.wanted.len() < before {
            self.times.push(t);
            self.states.push(q.to_vec());
        }
    }

    /// The drawings, as far as the run went.
    pub fn mechanisms(&self, study: &Study, built: &Built) -> Vec<Mechanism> {
        if self.times.is_empty() {
            return Vec::new();
        }
        self.drawings.iter().filter_map(|drawing| self.mechanism(drawing, study, built)).collect()
    }

    fn mechanism(&self, drawing: &DrawingSpec, study: &Study, built: &Built) -> Option<Mechanism> {
        let parts = drawn_parts(study, built, &drawing.bodies);
        let shapes = self.shapes(&parts, &built.model);
        let plane = drawing.plane.unwrap_or_else(|| choose_plane(&shapes, &study.model.gravity));
        let outlines =
            |k: usize| -> Option<Vec<Outline>> { shapes.iter().map(|state| flat(&state[k], plane)).collect() };
        let flattened = parts.iter().enumerate();
        let flattened = flattened.filter_map(|(k, part)| {
            Some(MechanismPart { name: part.name.clone(), class: part.class, outlines: outlines(k)? })
        });
        let parts: Vec<MechanismPart> = flattened.collect();
        let shown = self.shown(drawing);
        let title = match drawing.title.as_str() {
            "" if shown.len() == 1 => format!("Mechanism at {} s", short(self.times[shown[0]])),
            "" => format!("Mechanism at {} times", shown.len()),
            title => title.into(),
        };
        (!parts.is_empty()).then(|| Mechanism {
            name: drawing.name.clone(),
            title,
            axes: plane.map(|i| ['x', 'y', 'z'][i]),
            times: self.times.clone(),
            shown,
            moves: drawing.states > 0,
            parts,
        })
    }

    /// What is drawn in every state.
    fn shapes(&self, parts: &[Drawn], model: &Model) -> Vec<Vec<Shape3>> {
        let mut system = System::new(model);
        let v = vec![0.0; model.nv()];
        let mut at = |q: &Vec<f64>| {
            system.update_kinematics(q, &v);
            parts.iter().map(|part| part.shape(&system, q)).collect()
        };
        self.states.iter().map(&mut at).collect()
    }

    /// Numbers of the states shown side by side: those at the given times, or at equal distances in the recorded time.
    fn shown(&self, drawing: &DrawingSpec) -> Vec<usize> {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let even = |k: usize| first + (last - first) * k as f64 / (drawing.pictures.max(2) - 1) as f64;
        let asked: Vec<f64> = match drawing.times.is_empty() {
            true => (0..drawing.pictures).map(even).collect(),
            false => drawing.times.iter().copied().filter(|t| *t <= last + self.tolerance).collect(),
        };
        let distance = |i: &usize, t: f64| (self.times[*i] - t).abs();
        let nearest = |t: f64| (0..self.times.len()).min_by(|a, b| distance(a, t).total_cmp(&distance(b, t)));
        let mut shown: Vec<usize> = asked.into_iter().filter_map(nearest).collect();
        shown.dedup();
        if shown.is_empty() { vec![0] } else { shown }
    }
}

/// The instants that a drawing needs \[s\].
fn instants(drawing: &DrawingSpec, duration: f64) -> Vec<f64> {
    let even = |count: usize| (0..count).map(move |k| duration * k as f64 / (count.max(2) - 1) as f64);
    let pictures = if drawing.times.is_empty() { drawing.pictures } else { 0 };
    drawing.times.iter().copied().chain(even(pictures)).chain(even(drawing.states)).collect()
}
