//! A whole trial.

use super::report::{MarkerFit, MarkerStatistics};
use super::solver::{FrameFit, Options, Solver};
use super::tasks::{Matched, Tasks};
use crate::{MotionError, SubjectModel};
use wolff_formats::Table;
use wolff_formats::sto::Storage;
use wolff_formats::trial::MarkerTrial;
use wolff_opensim::MotionType;

/// The motion of a trial and how well it fits.
#[derive(Clone, Debug)]
pub struct IkMotion {
    /// What was followed, and what could not be.
    pub matched: Matched,
    /// Time [s] and coordinates of each frame, positions of the solver's model.
    pub poses: Vec<(f64, Vec<f64>)>,
    /// How the search of each frame went.
    pub frames: Vec<FrameFit>,
    /// Fit of the markers of each frame.
    pub fits: Vec<MarkerFit>,
    /// Places of the matched markers on the model in each frame [m].
    pub places: Vec<Vec<[f64; 3]>>,
    /// Times of frames left out because no marker was seen [s].
    pub left_out: Vec<f64>,
}

/// A fit of the first frame worse than this [m] is tried again with the subject facing other ways. Own choice: an order above what
/// soft tissue does.
const DOUBTFUL_RMS: f64 = 0.1;

/// Finds the pose of every frame of the trial in the time range [s] (of all frames without one); `progress` is told the fraction done.
///
/// The first frame starts at the default pose, and, where that does not lead to a fit, with the root turned by quarters of a turn. Every other
/// frame starts where the two before it lead. Frames without any marker are left out and listed.
pub fn solve_trial(
    subject: &SubjectModel,
    tasks: &Tasks,
    trial: &MarkerTrial,
    time_range: Option<[f64; 2]>,
    options: Options,
    progress: &mut dyn FnMut(f64),
) -> Result<IkMotion, MotionError> {
    let matched = Matched::new(subject, tasks, trial)?;
    let frames = frames_within(trial, time_range)?;
    let mut solver = Solver::new(subject, tasks, &matched, options)?;
    let mut motion = IkMotion::empty(matched);
    let mut observed = vec![None; motion.matched.markers.len()];
    let mut q = subject.model.q0.clone();
    for (done, frame) in frames.clone().enumerate() {
        let t = trial.times()[frame];
        for (o, m) in observed.iter_mut().zip(&motion.matched.markers) {
            *o = trial.markers().get(m.recorded).and_then(|m| m.points.get(frame).copied()).flatten();
        }
        if observed.iter().all(Option::is_none) {
            motion.left_out.push(t);
            continue;
        }
        let fit = match &motion.poses[..] {
            [] => first_frame(subject, &mut solver, t, &observed, &mut q)?,
            poses => {
                predict(poses, &mut q);
                solver.solve(t, &observed, &mut q)?
            }
        };
        motion.record(t, &q, fit, &solver, &observed);
        progress((done + 1) as f64 / frames.len() as f64);
    }
    if motion.poses.is_empty() {
        return Err(MotionError::input(format!("trial `{}`", trial.name()), "no frame in the time range has a marker"));
    }
    Ok(motion)
}

/// The frames nearest to the ends of the time range, and all between.
fn frames_within(trial: &MarkerTrial, range: Option<[f64; 2]>) -> Result<std::ops::Range<usize>, MotionError> {
    let times = trial.times();
    let Some([start, end]) = range else { return Ok(0..times.len()) };
    let object = || format!("trial `{}`", trial.name());
    if !(start <= end) {
        return Err(MotionError::input(
            object(),
            format!("the time range {start} to {end} s is empty; exchange its ends"),
        ));
    }
    let nearest = |t: f64| {
        let distance = |i: &usize| (times[*i] - t).abs();
        (0..times.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(0)
    };
    // times are often written with three decimals: half a frame counts as inside
    let margin = 0.5 / trial.rate();
    let inside = times.iter().any(|t| (start - margin..=end + margin).contains(t));
    if !inside {
        let (first, last) = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
        let reason = format!("no frame lies between {start} and {end} s; it has {first} to {last} s");
        return Err(MotionError::input(object(), reason));
    }
    Ok(nearest(start)..nearest(end) + 1)
}

/// Continues the last two poses.
fn predict(poses: &[(f64, Vec<f64>)], q: &mut [f64]) {
    if let [.., (_, before), (_, last)] = poses {
        for (q, (last, before)) in q.iter_mut().zip(last.iter().zip(before)) {
            *q = 2.0 * last - before;
        }
    }
}

/// The best of several starts: from the default pose, trusting the first step and going down in small ones; with every coordinate that came
/// to the end of its range moved inside again; and, where the fit is doubtful, with the root turned.
fn first_frame(
    subject: &SubjectModel,
    solver: &mut Solver<'_>,
    t: f64,
    observed: &[Option<[f64; 3]>],
    q: &mut [f64],
) -> Result<FrameFit, MotionError> {
    let start = q.to_vec();
    let mut best = solver.solve(t, observed, q)?;
    let mut candidate = start.clone();
    let mut attempt = |from: &[f64], best: &mut FrameFit, q: &mut [f64]| {
        candidate.copy_from_slice(from);
        // a start from which nothing is found is no candidate
        let Ok(fit) = solver.solve_damped(t, observed, &mut candidate, 1.0) else { return };
        if fit.cost < best.cost {
            *best = fit;
            q.copy_from_slice(&candidate);
        }
    };
    attempt(&start, &mut best, q);
    if (2.0 * best.cost).sqrt() > DOUBTFUL_RMS {
        for from in turned(subject, &start) {
            attempt(&from, &mut best, q);
        }
    }
    for c in &subject.coordinates {
        let Some([low, high]) = c.range else { continue };
        if q[c.position] <= low || q[c.position] >= high {
            let mut from = q.to_vec();
            from[c.position] = 0.5 * (low + high);
            attempt(&from, &mut best, q);
        }
    }
    // leaves the solver at the pose kept
    solver.solve(t, observed, q)
}

/// Poses with each angle of bodies that hang on ground turned by quarters.
fn turned(subject: &SubjectModel, start: &[f64]) -> Vec<Vec<f64>> {
    let roots = subject.model.bodies().iter().skip(1).filter(|b| b.parent == 0);
    let speeds: Vec<usize> = roots.flat_map(|b| b.v_range()).collect();
    let angles = subject.coordinates.iter().filter(|c| c.kind == MotionType::Rotational && speeds.contains(&c.speed));
    let mut out = Vec::new();
    for c in angles {
        for quarter in [1.0, 2.0, 3.0] {
            let mut from = start.to_vec();
            from[c.position] += quarter * std::f64::consts::FRAC_PI_2;
            out.push(from);
        }
    }
    out
}

impl IkMotion {
    fn empty(matched: Matched) -> Self {
        Self { matched, poses: vec![], frames: vec![], fits: vec![], places: vec![], left_out: vec![] }
    }

    fn record(&mut self, t: f64, q: &[f64], fit: FrameFit, solver: &Solver<'_>, observed: &[Option<[f64; 3]>]) {
        let places: Vec<[f64; 3]> = solver.model_markers().map(Into::into).collect();
        let distance = |(p, o): (&[f64; 3], &Option<[f64; 3]>)| {
            o.map_or(f64::NAN, |o| p.iter().zip(o).map(|(p, o)| (p - o).powi(2)).sum::<f64>().sqrt())
        };
        self.fits.push(MarkerFit::new(places.iter().zip(observed).map(distance).collect()));
        self.poses.push((t, q.to_vec()));
        self.frames.push(fit);
        self.places.push(places);
    }

    /// Root mean square marker distance over all frames and markers seen [m].
    pub fn rms(&self) -> f64 {
        let seen: usize = self.fits.iter().flat_map(|f| &f.distances).filter(|d| d.is_finite()).count();
        (self.fits.iter().map(|f| f.total_squared).sum::<f64>() / seen.max(1) as f64).sqrt()
    }

    /// The largest distance [m], of which marker, and when [s].
    pub fn worst(&self) -> Option<(f64, &str, f64)> {
        let (i, fit) = self.fits.iter().enumerate().max_by(|a, b| a.1.max.total_cmp(&b.1.max))?;
        Some((fit.max, self.matched.markers.get(fit.worst)?.name.as_str(), self.poses.get(i)?.0))
    }

    /// Each marker over the whole trial, the worst first.
    pub fn by_marker(&self) -> Vec<MarkerStatistics> {
        let one = |(i, m): (usize, &super::tasks::MatchedMarker)| {
            let seen = || {
                self.fits.iter().zip(&self.poses).filter_map(move |(f, (t, _))| {
                    f.distances.get(i).copied().filter(|d| d.is_finite()).map(|d| (d, *t))
                })
            };
            let frames = seen().count();
            let squares: f64 = seen().map(|(d, _)| d * d).sum();
            let (max, at) = seen().fold((0.0, f64::NAN), |best, x| if x.0 > best.0 { x } else { best });
            MarkerStatistics { name: m.name.clone(), frames, rms: (squares / frames.max(1) as f64).sqrt(), max, at }
        };
        let mut all: Vec<_> = self.matched.markers.iter().enumerate().map(one).collect();
        all.sort_by(|a, b| b.rms.total_cmp(&a.rms));
        all
    }

    /// Marker errors as OpenSim writes them: squared sum [m²], root mean square and largest distance [m] of each frame.
    pub fn error_file(&self, name: &str) -> Result<Storage, MotionError> {
        let labels = ["time", "total_squared_error", "marker_error_RMS", "marker_error_max"].map(String::from).to_vec();
        let row = |((t, _), f): (&(f64, Vec<f64>), &MarkerFit)| vec![*t, f.total_squared, f.rms, f.max];
        let rows = self.poses.iter().zip(&self.fits).map(row).collect();
        Ok(Storage { name: name.into(), in_degrees: false, table: Table::new(labels, rows)?, remarks: Vec::new() })
    }

    /// Distance of every marker in every frame [m]; NaN where it was not seen.
    pub fn distance_file(&self, name: &str) -> Result<Storage, MotionError> {
        let names = self.matched.markers.iter().map(|m| m.name.clone());
        let labels = std::iter::once("time".to_string()).chain(names).collect();
        let row =
            |((t, _), f): (&(f64, Vec<f64>), &MarkerFit)| std::iter::once(*t).chain(f.distances.clone()).collect();
        let rows = self.poses.iter().zip(&self.fits).map(row).collect();
        Ok(Storage { name: name.into(), in_degrees: false, table: Table::new(labels, rows)?, remarks: Vec::new() })
    }
}
