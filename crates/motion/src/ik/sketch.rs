//! Plots of a trial, from only as many frames as a plot needs.

use super::report::MarkerFit;
use crate::signal::{Thinned, foot_cycles, over_cycle};
use crate::{MotionError, Subject};
use wolff_formats::plot::{Curve, LinePlot};

/// Frames to draw.
#[derive(Clone, Debug, Default)]
pub(super) struct Sketch {
    poses: Thinned<(f64, Vec<f64>)>,
    /// Root mean square and largest distance of markers \[m\].
    errors: Thinned<[f64; 2]>,
}

/// Maximum number of angles in a plot; more cannot be distinguished.
const MOST_CURVES: usize = 8;

/// A curve over time.
type Points = Vec<(f64, f64)>;

impl Sketch {
    /// Number of frames per drawn frame.
    pub(super) fn every(&self) -> usize {
        self.poses.every()
    }

    /// Adds the next frame.
    pub(super) fn add(&mut self, t: f64, q: &[f64], fit: &MarkerFit) {
        self.poses.add(|| (t, q.to_vec()));
        self.errors.add(|| [fit.rms, fit.max]);
    }

    /// Plots by the suffixes of their file names: marker errors, angles that move most over time and, where there are
    /// gait cycles, over these.
    pub(super) fn pictures(&self, subject: &Subject, name: &str) -> Result<Vec<(&'static str, String)>, MotionError> {
        let angles = self.moving_angles(subject);
        let mut out = vec![
            ("_ik_marker_errors.svg", self.error_plot(name)),
            ("_ik_angles.svg", angle_plot(&format!("{name}: angles that move most"), "time [s]", &angles)),
        ];
        let feet = foot_cycles(&subject.model, self.poses.kept(), &[]);
        let moving: Vec<String> = angles.into_iter().map(|(label, _)| label).collect();
        let curves = over_cycle(&subject.motion_file(name, self.poses.kept())?.table, &feet, &moving);
        if !curves.is_empty() {
            let title = format!("{name}: angles that move most, mean of the gait cycles");
            out.push(("_ik_angles_cycle.svg", angle_plot(&title, "gait cycle [%]", &curves)));
        }
        Ok(out)
    }

    fn error_plot(&self, name: &str) -> String {
        let over_time = |k: usize| -> Points {
            self.poses.kept().iter().zip(self.errors.kept()).map(|((t, _), error)| (*t, 1e3 * error[k])).collect()
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
    fn moving_angles(&self, subject: &Subject) -> Vec<(String, Points)> {
        let mut angles: Vec<(String, Points, f64)> = Vec::new();
        for c in subject.coordinates.iter().filter(|c| c.is_angle()) {
            let points: Points = self.poses.kept().iter().map(|(t, q)| (*t, q[c.position].to_degrees())).collect();
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
