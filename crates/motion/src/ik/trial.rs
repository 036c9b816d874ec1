//! A whole trial.

use super::report::MarkerFit;
use super::solver::{FrameFit, Options, Solver};
use super::tasks::{Matched, Tasks};
use crate::{MotionError, Subject};
use wolff_formats::trial::MarkerTrial;

/// The motion of a trial and its fit.
#[derive(Clone, Debug)]
pub struct IkMotion {
    /// Markers and tasks that match, and those that do not.
    pub matched: Matched,
    /// Time \[s\] and coordinates of each frame, positions of the solver's model.
    pub poses: Vec<(f64, Vec<f64>)>,
    /// Report of the search of each frame.
    pub frames: Vec<FrameFit>,
    /// Fit of the markers of each frame.
    pub fits: Vec<MarkerFit>,
    /// Positions of the matched markers on the model in each frame \[m\].
    pub places: Vec<Vec<[f64; 3]>>,
    /// Times of frames omitted because no marker is visible \[s\].
    pub left_out: Vec<f64>,
}

/// A fit of the first frame worse than this \[m\] is tried again with the subject facing other directions. Chosen here:
/// an order of magnitude above soft-tissue artefacts.
const DOUBTFUL_RMS: f64 = 0.1;

/// Finds the pose of every frame of the trial in the time range \[s\] (of all frames without one); `progress` receives
/// the fraction done.
///
/// The first frame starts at the default pose, and, where the fit is poor, also with the root turned by quarters of a
/// turn. The initial guess of every other frame is extrapolated linearly from the two previous frames. Frames without
/// any marker are omitted and listed.
pub fn solve_trial(
    subject: &Subject,
    tasks: &Tasks,
    trial: &MarkerTrial,
    time_range: Option<[f64; 2]>,
    options: Options,
    progress: &mut dyn FnMut(f64),
) -> Result<IkMotion, MotionError> {
    let matched = Matched::new(subject, tasks, trial)?;
    let frames = frames_within((trial.name(), trial.rate(), trial.times()), time_range)?;
    let mut pursuit = Pursuit::new(subject, tasks, &matched, options)?;
    let mut motion = IkMotion::empty(matched);
    let mut observed = vec![None; motion.matched.markers.len()];
    for (done, frame) in frames.clone().enumerate() {
        let t = trial.times()[frame];
        for (o, m) in observed.iter_mut().zip(&motion.matched.markers) {
            *o = trial.markers().get(m.recorded).and_then(|m| m.points.get(frame).copied()).flatten();
        }
        match pursuit.follow(t, &observed)? {
            None => motion.left_out.push(t),
            Some(fit) => {
                motion.record(t, pursuit.pose(), fit, pursuit.places(&observed));
                progress((done + 1) as f64 / frames.len() as f64);
            }
        }
    }
    if motion.poses.is_empty() {
        return Err(nothing_seen(trial.name()));
    }
    Ok(motion)
}

/// No frame has a pose.
pub(super) fn nothing_seen(trial: &str) -> MotionError {
    MotionError::input(format!("trial `{trial}`"), "no frame in the time range has a marker")
}

/// One pose after the other; the initial guess is extrapolated linearly from the two previous frames, the only history
/// kept.
pub(super) struct Pursuit<'m> {
    subject: &'m Subject,
    solver: Solver<'m>,
    q: Vec<f64>,
    /// The last pose and the one before it, where they exist.
    past: [Option<Vec<f64>>; 2],
}

impl<'m> Pursuit<'m> {
    pub(super) fn new(
        subject: &'m Subject,
        tasks: &Tasks,
        matched: &Matched,
        options: Options,
    ) -> Result<Self, MotionError> {
        let solver = Solver::new(subject, tasks, matched, options)?;
        Ok(Pursuit { subject, solver, q: subject.model.q0.clone(), past: [None, None] })
    }

    /// Finds the pose of a frame; `None` where no marker is visible.
    pub(super) fn follow(&mut self, t: f64, observed: &[Option<[f64; 3]>]) -> Result<Option<FrameFit>, MotionError> {
        if observed.iter().all(Option::is_none) {
            return Ok(None);
        }
        let fit = match &self.past {
            [None, _] => first_frame(self.subject, &mut self.solver, t, observed, &mut self.q)?,
            [Some(last), before] => {
                if let Some(before) = before {
                    for (q, (last, before)) in self.q.iter_mut().zip(last.iter().zip(before)) {
                        *q = 2.0 * last - before;
                    }
                }
                self.solver.solve(t, observed, &mut self.q)?
            }
        };
        self.past.swap(0, 1);
        let [last, _] = &mut self.past;
        last.get_or_insert_default().clone_from(&self.q);
        Ok(Some(fit))
    }

    /// Names of the coordinates that no marker determines.
    pub(super) fn undetermined(&mut self) -> Vec<String> {
        let speeds = self.solver.undetermined(&self.q);
        self.subject.coordinates.iter().filter(|c| speeds.contains(&c.speed)).map(|c| c.name.clone()).collect()
    }

    /// Coordinates of the last pose.
    pub(super) fn pose(&self) -> &[f64] {
        &self.q
    }

    /// Positions of the markers on the model \[m\], and their fit.
    pub(super) fn places(&self, observed: &[Option<[f64; 3]>]) -> (Vec<[f64; 3]>, MarkerFit) {
        let places: Vec<[f64; 3]> = self.solver.model_markers().map(Into::into).collect();
        let distance = |(p, o): (&[f64; 3], &Option<[f64; 3]>)| {
            o.map_or(f64::NAN, |o| p.iter().zip(o).map(|(p, o)| (p - o).powi(2)).sum::<f64>().sqrt())
        };
        let fit = MarkerFit::new(places.iter().zip(observed).map(distance).collect());
        (places, fit)
    }
}

/// The frames nearest to the ends of the time range, and all between, of a trial by its name, rate \[Hz\] and times
/// \[s\].
pub(super) fn frames_within(
    (name, rate, times): (&str, f64, &[f64]),
    range: Option<[f64; 2]>,
) -> Result<std::ops::Range<usize>, MotionError> {
    let Some([start, end]) = range else { return Ok(0..times.len()) };
    let object = || format!("trial `{name}`");
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
    let margin = 0.5 / rate;
    let inside = times.iter().any(|t| (start - margin..=end + margin).contains(t));
    if !inside {
        let (first, last) = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
        let reason = format!("no frame lies between {start} and {end} s; it has {first} to {last} s");
        return Err(MotionError::input(object(), reason));
    }
    Ok(nearest(start)..nearest(end) + 1)
}

/// The best of several starts: from the default pose, with full first steps and with small ones; with every coordinate
/// that reached the end of its range moved inside again; and, where the fit is poor, with the root turned.
fn first_frame(
    subject: &Subject,
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
        // a start without a solution is not a candidate
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
    // sets the solver to the selected pose
    solver.solve(t, observed, q)
}

/// Poses with each angle of the joints to ground changed by quarter turns.
fn turned(subject: &Subject, start: &[f64]) -> Vec<Vec<f64>> {
    let roots = subject.model.bodies().iter().skip(1).filter(|b| b.parent == 0);
    let speeds: Vec<usize> = roots.flat_map(|b| b.v_range()).collect();
    let angles = subject.coordinates.iter().filter(|c| c.is_angle() && speeds.contains(&c.speed));
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

    fn record(&mut self, t: f64, q: &[f64], fit: FrameFit, (places, markers): (Vec<[f64; 3]>, MarkerFit)) {
        self.fits.push(markers);
        self.poses.push((t, q.to_vec()));
        self.frames.push(fit);
        self.places.push(places);
    }

    /// Root mean square marker distance over all frames and markers seen \[m\].
    pub fn rms(&self) -> f64 {
        let seen: usize = self.fits.iter().flat_map(|f| &f.distances).filter(|d| d.is_finite()).count();
        (self.fits.iter().map(|f| f.total_squared).sum::<f64>() / seen.max(1) as f64).sqrt()
    }

    /// The largest distance \[m\], its marker and its time \[s\].
    pub fn worst(&self) -> Option<(f64, &str, f64)> {
        let (i, fit) = self.fits.iter().enumerate().max_by(|a, b| a.1.max.total_cmp(&b.1.max))?;
        Some((fit.max, self.matched.markers.get(fit.worst)?.name.as_str(), self.poses.get(i)?.0))
    }
}
