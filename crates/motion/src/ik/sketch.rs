//! Pictures of a trial, from no more frames than a picture needs.

use super::report::MarkerFit;
use crate::signal::{foot_cycles, over_cycle};
use crate::{MotionError, SubjectModel};
use wolff_formats::plot::{Curve, LinePlot};
use wolff_opensim::MotionType;

/// Frames to draw: all of a trial that has few, every second, fourth and so on of a longer one. Own limit: four and a half minutes at 60 Hz, and fewer bytes than a model.
#[derive(Clone, Debug)]
pub struct Sketch {
    most: usize,
    every: usize,
    passed: usize,
    poses: Vec<(f64, Vec<f64>)>,
    /// Root mean square and largest distance of markers [m].
    errors: Vec<[f64; 2]>,
}

impl Default for Sketch {
    fn default() -> Self {
        Self::new(1 << 14)
    }
}

/// Angles in a picture; more cannot be told apart.
const MOST_CURVES: usize = 8;

/// A curve over time.
type Points = Vec<(f64, f64)>;

impl Sketch {
    /// Keeps no more than `most` frames, two at least.
    pub fn new(most: usize) -> Self {
        Sketch { most: most.max(2), every: 1, passed: 0, poses: Vec::new(), errors: Vec::new() }
    }

    /// How many frames there are for each that is drawn.
    pub fn every(&self) -> usize {
        self.every
    }

    /// Time [s] and coordinates of the frames that are drawn.
    pub fn poses(&self) -> &[(f64, Vec<f64>)] {
        &self.poses
    }

    /// Adds the next frame.
    pub fn add(&mut self, t: f64, q: &[f64], fit: &MarkerFit) {
        if self.passed % self.every == 0 {
            if self.poses.len() == self.most {
                self.thin_out();
            }
            if self.passed % self.every == 0 {
                self.poses.push((t, q.to_vec()));
                self.errors.push([fit.rms, fit.max]);
            }
        }
        self.passed += 1;
    }

    /// Drops every second frame.
    fn thin_out(&mut self) {
        let (mut pose, mut error) = (0, 0);
        let even = |i: &mut usize| {
            *i += 1;
            *i % 2 == 1
        };
        self.poses.retain(|_| even(&mut pose));
        self.errors.retain(|_| even(&mut error));
        self.every *= 2;
    }

    /// Pictures by the ends of their names: marker errors, angles that move most over time and, where there are gait cycles, over these.
    pub(super) fn pictures(
        &self,
        subject: &SubjectModel,
        name: &str,
    ) -> Result<Vec<(&'static str, String)>, MotionError> {
        let angles = self.moving_angles(subject);
        let mut out = vec![
            ("_ik_marker_errors.svg", self.error_plot(name)),
            ("_ik_angles.svg", angle_plot(&format!("{name}: angles that move most"), "time [s]", &angles)),
        ];
        let feet = foot_cycles(&subject.model, &self.poses, &[]);
        let moving: Vec<String> = angles.into_iter().map(|(label, _)| label).collect();
        let curves = over_cycle(&subject.motion_file(name, &self.poses)?.table, &feet, &moving);
        if !curves.is_empty() {
            let title = format!("{name}: angles that move most, mean of the gait cycles");
            out.push(("_ik_angles_cycle.svg", angle_plot(&title, "gait cycle [%]", &curves)));
        }
        Ok(out)
    }

    fn error_plot(&self, name: &str) -> String {
        let over_time = |k: usize| -> Points {
            self.poses.iter().zip(&self.errors).map(|((t, _), error)| (*t, 1e3 * error[k])).collect()
        };
        let (rms, max) = (over_time(0), over_time(1));
        LinePlot {
            title: &format!("{name}: marker errors"),
            x_label: "time [s]",
            y_label: "distance [mm]",
            curves: vec![Curve { label: "root mean square", points: &rms }, Curve { label: "largest", points: &max }],
            log_y: false,
        }
        .to_svg()
    }

    /// The angles that move most, in degrees.
    fn moving_angles(&self, subject: &SubjectModel) -> Vec<(String, Points)> {
        let mut angles: Vec<(String, Points, f64)> = Vec::new();
        for c in subject.coordinates.iter().filter(|c| c.kind == MotionType::Rotational) {
            let points: Points = self.poses.iter().map(|(t, q)| (*t, q[c.position].to_degrees())).collect();
            let low = points.iter().fold(f64::INFINITY, |m, p| m.min(p.1));
            let high = points.iter().fold(f64::NEG_INFINITY, |m, p| m.max(p.1));
            angles.push((c.name.clone(), points, high - low));
            angles.sort_by(|a, b| b.2.total_cmp(&a.2));
            angles.truncate(MOST_CURVES);
        }
        angles.into_iter().map(|(label, points, _)| (label, points)).collect()
    }
}

fn angle_plot(title: &str, x_label: &str, curves: &[(String, Points)]) -> String {
    let curves = curves.iter().map(|(label, points)| Curve { label, points }).collect();
    LinePlot { title, x_label, y_label: "angle [deg]", curves, log_y: false }.to_svg()
}
