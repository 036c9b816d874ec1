//! Plots of a trial, from only as many frames as a plot needs.

use super::report::MarkerFit;
use crate::signal::{FootCycles, Thinned, foot_cycles, over_cycle};
use crate::{MotionError, Subject};
use wolff_anatomy::Side;
use wolff_plots::{Curve, LinePlot};

/// A plot of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct IkPlot {
    /// Suffix of its file name.
    pub ending: &'static str,
    /// Title.
    pub title: String,
    /// Label of the horizontal axis.
    pub x_label: &'static str,
    /// Label of the vertical axis.
    pub y_label: &'static str,
    /// Labels and points.
    pub curves: Vec<(String, Vec<(f64, f64)>)>,
}

/// An angle over the strides of a foot.
#[derive(Clone, Debug, PartialEq)]
pub struct StrideCurve {
    /// Name of the coordinate.
    pub coordinate: String,
    /// The foot whose strides they are.
    pub foot: String,
    /// Percent of the cycle and angle \[deg\] of each stride.
    pub strides: Vec<Vec<(f64, f64)>>,
}

/// Frames to draw.
#[derive(Clone, Debug, Default)]
pub(super) struct Sketch {
    poses: Thinned<(f64, Vec<f64>)>,
    /// Root mean square and largest distance of markers \[m\].
    errors: Thinned<[f64; 2]>,
}

/// Maximum number of angles in a plot; more cannot be distinguished.
const MOST_CURVES: usize = 8;

/// Maximum number of strides of a foot of which curves are kept; of more, as many are chosen over the whole trial, so
/// that memory does not grow with its length.
const MOST_STRIDES: usize = 50;

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

    /// Plots of marker errors, of the angles that move most over time and, where there are gait cycles, over these.
    pub(super) fn plots(&self, subject: &Subject, name: &str) -> Result<Vec<IkPlot>, MotionError> {
        let angles = self.moving_angles(subject);
        let moving: Vec<String> = angles.iter().map(|(label, _)| label.clone()).collect();
        let title = format!("{name}: angles that move most");
        let mut out = vec![self.error_plot(name), IkPlot::angles("_ik_angles.svg", title.clone(), "time [s]", angles)];
        let feet = foot_cycles(&subject.model, self.poses.kept(), &[]);
        let table = subject.motion_file(name, self.poses.kept())?.table;
        let curves = over_cycle(&table, &feet, &moving);
        if !curves.is_empty() {
            let title = format!("{title}, mean of the gait cycles");
            out.push(IkPlot::angles("_ik_angles_cycle.svg", title, "gait cycle [%]", curves));
        }
        Ok(out)
    }

    /// Angles of legs and arms over the gait cycle; none where no cycle is found.
    pub(super) fn strides(&self, subject: &Subject) -> Result<Vec<StrideCurve>, MotionError> {
        let feet = foot_cycles(&subject.model, self.poses.kept(), &[]);
        let table = subject.motion_file("", self.poses.kept())?.table;
        let labels: Vec<String> = subject.coordinates.iter().filter(|c| c.is_angle()).map(|c| c.name.clone()).collect();
        let mut found: Vec<StrideCurve> = Vec::new();
        for foot in &feet {
            let every = foot.cycles.len().div_ceil(MOST_STRIDES).max(1);
            for cycle in foot.cycles.iter().step_by(every) {
                let one = FootCycles { cycles: vec![*cycle], ..foot.clone() };
                for (coordinate, points) in over_cycle(&table, std::slice::from_ref(&one), &labels) {
                    let of_foot = Side::of(&coordinate).is_none() || Side::of(&coordinate) == Side::of(&foot.foot);
                    if !of_foot {
                        continue;
                    }
                    match found.iter_mut().find(|c| c.coordinate == coordinate && c.foot == foot.foot) {
                        Some(curve) => curve.strides.push(points),
                        None => found.push(StrideCurve { coordinate, foot: foot.foot.clone(), strides: vec![points] }),
                    }
                }
            }
        }
        // coordinates in the median plane over the cycles of the first foot only
        let first = feet.first().map(|f| f.foot.clone()).unwrap_or_default();
        found.retain(|c| Side::of(&c.coordinate).is_some() || c.foot == first);
        Ok(found)
    }

    fn error_plot(&self, name: &str) -> IkPlot {
        let over_time = |k: usize| -> Points {
            self.poses.kept().iter().zip(self.errors.kept()).map(|((t, _), error)| (*t, 1e3 * error[k])).collect()
        };
        IkPlot {
            ending: "_ik_marker_errors.svg",
            title: format!("{name}: marker errors"),
            x_label: "time [s]",
            y_label: "distance [mm]",
            curves: vec![("root mean square".into(), over_time(0)), ("largest".into(), over_time(1))],
        }
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

impl IkPlot {
    fn angles(ending: &'static str, title: String, x_label: &'static str, curves: Vec<(String, Points)>) -> Self {
        IkPlot { ending, title, x_label, y_label: "angle [deg]", curves }
    }

    /// The plot as SVG.
    pub fn to_svg(&self) -> String {
        let curves = self.curves.iter().map(|(label, points)| Curve { label, points }).collect();
        let IkPlot { title, x_label, y_label, .. } = self;
        LinePlot { title, x_label, y_label, curves, log_y: false }.to_svg()
    }
}

impl StrideCurve {
    /// Percent of the cycle, mean and standard deviation over the strides; the deviation of a single stride is zero.
    pub fn statistics(&self) -> Vec<[f64; 3]> {
        let Some(first) = self.strides.first() else { return Vec::new() };
        let n = self.strides.len() as f64;
        let at = |(i, (percent, _)): (usize, &(f64, f64))| {
            let values = || self.strides.iter().filter_map(|s| s.get(i)).map(|(_, value)| *value);
            let mean = values().sum::<f64>() / n;
            let squares: f64 = values().map(|v| (v - mean).powi(2)).sum();
            [*percent, mean, if n > 1.0 { (squares / (n - 1.0)).sqrt() } else { 0.0 }]
        };
        first.iter().enumerate().map(at).collect()
    }
}
