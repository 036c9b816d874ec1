//! The lesson: a wanted motion is gone through once, and muscles learn how long they have to be and how hard to pull.

mod agents;
mod bent;
mod excite;
mod floor;
mod pupil;

pub use agents::{InverseSimulation, MotionAgents, inverse_simulation};
pub(crate) use bent::{learn_bent, sample_times};
pub use excite::{Limits, TrackingExcitation, Wanted, track_excitation};
pub(crate) use floor::OnFloor;
pub use pupil::{HillPupil, Pupil};

use crate::error::WalkError;
use crate::ground::Reaction;
use crate::track::Track;
use nalgebra::DMatrix;
use wolff_human::walk::{Foot, InverseWalk};
use wolff_motion::{Sharing, SharingProblem};
use wolff_multibody::Instant;
use wolff_muscle::PathGeometry;
use wolff_spatial::Vec3;

/// A wanted motion on a rigid model, gone through instant by instant.
pub trait Rehearsal {
    /// Puts the model where it is wanted at `t` [s]; returns the generalised forces [N, N m] that this takes beside the ground's.
    fn at(&mut self, t: f64) -> &[f64];

    /// Puts the model where it is wanted at `t` [s], whatever that takes.
    fn place(&mut self, t: f64) {
        self.at(t);
    }

    /// The model as the last call left it.
    fn instant(&self) -> Instant<'_>;

    /// What the ground does to the right and the left foot at `t`.
    fn ground(&self, t: f64) -> [Reaction; 2];
}

impl Rehearsal for InverseWalk<'_> {
    fn at(&mut self, t: f64) -> &[f64] {
        InverseWalk::at(self, t)
    }

    fn place(&mut self, t: f64) {
        self.move_to(t);
    }

    fn instant(&self) -> Instant<'_> {
        InverseWalk::instant(self)
    }

    fn ground(&self, t: f64) -> [Reaction; 2] {
        Foot::BOTH.map(|foot| {
            let g = self.walk().ground(t, foot);
            Reaction { force: g.force, center: g.point, free_moment: g.moment.y }
        })
    }
}

/// When the lesson happens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Timing {
    /// One cycle that repeats.
    Cycle {
        /// Its time [s].
        period: f64,
        /// How far the person comes in it along X [m].
        advance: f64,
    },
    /// Once, from and to [s].
    Once {
        /// From [s].
        start: f64,
        /// To [s].
        end: f64,
    },
}

/// A spring and damper of a joint's tissues, about the standing posture.
#[derive(Clone, Debug, PartialEq)]
pub struct Tissue {
    /// Speed of the coordinate in the rigid model.
    pub speed: usize,
    /// Stiffness [N m/rad].
    pub stiffness: f64,
    /// Damping [N m s/rad].
    pub damping: f64,
}

/// What is asked of a lesson.
#[derive(Clone, Debug)]
pub struct TeachSettings {
    /// When.
    pub timing: Timing,
    /// Samples a cycle, or of the whole.
    pub samples: usize,
    /// Coordinates that muscles must carry.
    pub balanced: Vec<String>,
    /// Force or moment that a missing muscle would cost as much as a fully active one [N m].
    pub reserve: f64,
    /// Tissues that carry a part of the moments.
    pub tissues: Vec<Tissue>,
}

/// What was learnt.
#[derive(Clone, Debug)]
pub struct Lesson {
    /// When.
    pub timing: Timing,
    /// Wanted coordinates by name, in the order of the rigid model.
    pub coordinates: Vec<(String, Track)>,
    /// Generalised forces that the motion takes, in the same order.
    pub forces: Vec<Track>,
    /// Those of all muscles with their tensions by static optimisation, in the same order.
    pub muscle_forces: Vec<Track>,
    /// Wanted length of each muscle [m].
    pub lengths: Vec<Track>,
    /// Tension of each muscle by static optimisation [N].
    pub tensions: Vec<Track>,
    /// Wanted force of the ground on the right and the left foot, X, Y, Z [N].
    pub ground: [[Track; 3]; 2],
    /// How far bending bones move the centres of mass of segments, by name: X, Y, Z [m]; empty on rigid bones.
    pub bending: Vec<(String, [Track; 3])>,
    /// What static optimisation says about the muscles.
    pub report: SharingReport,
}

/// Muscles under the wanted motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SharingReport {
    /// Mean over time of the sum of squared forces over the greatest.
    pub effort: f64,
    /// Greatest moment that muscles could not carry [N m], and the coordinate.
    pub reserve_peak: f64,
    /// Its coordinate.
    pub reserve_coordinate: String,
    /// Greatest activation, and the muscle.
    pub activation_peak: f64,
    /// Its muscle.
    pub activation_muscle: String,
    /// Greatest force left at the first body, as if a hand held it [N].
    pub residual_force: f64,
}

/// Times of the samples of a cycle [s], the end left out.
fn cycle_times(period: f64, samples: usize) -> Vec<f64> {
    (0..samples).map(|i| period * i as f64 / samples as f64).collect()
}

/// Goes through a wanted motion.
pub fn teach(rehearsal: &mut dyn Rehearsal, pupils: &[Pupil], settings: &TeachSettings) -> Result<Lesson, WalkError> {
    let mut notes = Notes::new(rehearsal, pupils, settings)?;
    notes.activations = run_in(rehearsal, pupils, settings)?;
    for i in 0..settings.samples {
        notes.take(rehearsal, pupils, settings, settings.time(i))?;
    }
    notes.finish(rehearsal, pupils, settings)
}

/// Share of a cycle after which the activations of Hill muscles have forgotten where they began.
const RUN_IN: f64 = 0.3;

/// Activations of Hill muscles at the beginning of a cycle that repeats; without such none are known.
fn run_in(
    rehearsal: &mut dyn Rehearsal,
    pupils: &[Pupil],
    settings: &TeachSettings,
) -> Result<Option<Vec<f64>>, WalkError> {
    let repeats = matches!(settings.timing, Timing::Cycle { .. });
    if !repeats || pupils.iter().all(|p| p.fibre.is_none()) {
        return Ok(None);
    }
    let mut notes = Notes::new(rehearsal, pupils, settings)?;
    for i in ((1.0 - RUN_IN) * settings.samples as f64) as usize..settings.samples {
        notes.take(rehearsal, pupils, settings, settings.time(i))?;
    }
    Ok(notes.activations)
}

impl TeachSettings {
    /// Time of a sample [s].
    fn time(&self, i: usize) -> f64 {
        match self.timing {
            Timing::Cycle { period, .. } => period * i as f64 / self.samples as f64,
            Timing::Once { start, end } => start + (end - start) * i as f64 / (self.samples - 1).max(1) as f64,
        }
    }

    fn track(&self, name: &str, advance: f64, samples: Vec<[f64; 2]>) -> Result<Track, WalkError> {
        match self.timing {
            Timing::Cycle { period, .. } => Track::cyclic(name, period, advance, samples),
            Timing::Once { start, .. } => Track::single(name, start, self.time(1) - start, samples),
        }
    }

    /// A track of values alone.
    fn value_track(&self, name: &str, values: &[f64]) -> Result<Track, WalkError> {
        match self.timing {
            Timing::Cycle { period, .. } => Track::cyclic_values(name, period, values),
            Timing::Once { start, .. } => {
                let step = self.time(1) - start;
                let n = values.len();
                let slope = |i: usize| {
                    let (a, b) = (i.saturating_sub(1), (i + 1).min(n - 1));
                    (values[b] - values[a]) / ((b - a).max(1) as f64 * step)
                };
                Track::single(name, start, step, (0..n).map(|i| [values[i], slope(i)]).collect())
            }
        }
    }
}

/// Controls are activations of the muscles, then reserves as shares of their strength [N m]; moment arms are filled in on the way.
fn problem(pupils: &[Pupil], moments: usize, strength: f64) -> Result<SharingProblem, WalkError> {
    if !(strength > 0.0 && strength.is_finite()) {
        return Err(WalkError::rule("reserves", format!("strength {strength} N m must be finite and above zero")));
    }
    if let Some(weak) = pupils.iter().find(|p| !(p.max_force > 0.0 && p.max_force.is_finite())) {
        let rule = format!("greatest force {} N must be finite and above zero", weak.max_force);
        return Err(WalkError::rule(weak.path.name(), rule));
    }
    let muscles = pupils.len();
    let mut A = DMatrix::zeros(moments, muscles + moments);
    (0..moments).for_each(|row| A[(row, muscles + row)] = strength);
    let bound = |muscle: f64, reserve: f64| [vec![muscle; muscles], vec![reserve; moments]].concat();
    let (lower, upper) = (bound(0.0, f64::NEG_INFINITY), bound(1.0, f64::INFINITY));
    Ok(SharingProblem { A, b: vec![0.0; moments], lower, upper })
}

/// What is noted on the way: one row a signal.
struct Notes {
    balanced: Vec<usize>,
    sharing: Sharing,
    problem: SharingProblem,
    geometry: PathGeometry,
    /// Derivatives of the muscles' lengths by the coordinates, one column a muscle.
    gradients: DMatrix<f64>,
    moments: Vec<f64>,
    /// Activations at the last instant, if there was one.
    activations: Option<Vec<f64>>,
    /// Least and greatest force of each muscle [N].
    ranges: Vec<[f64; 2]>,
    coordinates: Vec<Vec<[f64; 2]>>,
    forces: Vec<Vec<f64>>,
    muscle_forces: Vec<Vec<f64>>,
    lengths: Vec<Vec<[f64; 2]>>,
    tensions: Vec<Vec<f64>>,
    ground: [[Vec<f64>; 3]; 2],
    report: SharingReport,
}

impl Notes {
    fn new(rehearsal: &dyn Rehearsal, pupils: &[Pupil], settings: &TeachSettings) -> Result<Self, WalkError> {
        let model = rehearsal.instant().model;
        let index = |name: &String| {
            let purpose = "the moments that muscles carry";
            model.coordinate_index(name).ok_or_else(|| WalkError::Missing {
                what: "coordinate",
                name: name.clone(),
                purpose,
            })
        };
        let balanced: Vec<usize> = settings.balanced.iter().map(index).collect::<Result<_, _>>()?;
        let nv = model.nv();
        let (rows, columns) = (balanced.len(), pupils.len() + balanced.len());
        let refuse = |e: wolff_motion::MotionError| WalkError::rule("static optimisation", e.to_string());
        Ok(Notes {
            sharing: Sharing::new(rows, columns, 2.0).map_err(refuse)?,
            problem: problem(pupils, rows, settings.reserve)?,
            moments: vec![0.0; balanced.len()],
            activations: None,
            ranges: vec![[0.0; 2]; pupils.len()],
            balanced,
            geometry: PathGeometry::default(),
            gradients: DMatrix::zeros(nv, pupils.len()),
            coordinates: vec![Vec::new(); nv],
            forces: vec![Vec::new(); nv],
            muscle_forces: vec![Vec::new(); nv],
            lengths: vec![Vec::new(); pupils.len()],
            tensions: vec![Vec::new(); pupils.len()],
            ground: Default::default(),
            report: SharingReport::default(),
        })
    }

    fn take(
        &mut self,
        rehearsal: &mut dyn Rehearsal,
        pupils: &[Pupil],
        settings: &TeachSettings,
        t: f64,
    ) -> Result<(), WalkError> {
        for (k, force) in rehearsal.at(t).iter().enumerate() {
            self.forces[k].push(*force);
        }
        let at = rehearsal.instant();
        for (k, track) in self.coordinates.iter_mut().enumerate() {
            track.push([at.coordinate(k), at.speed(k)]);
        }
        for (row, k) in self.balanced.iter().enumerate() {
            self.moments[row] = self.forces[*k].last().copied().unwrap_or(f64::NAN);
        }
        for tissue in &settings.tissues {
            if let Some(row) = self.balanced.iter().position(|k| *k == tissue.speed) {
                self.moments[row] +=
                    tissue.stiffness * at.coordinate(tissue.speed) + tissue.damping * at.speed(tissue.speed);
            }
        }
        for (m, pupil) in pupils.iter().enumerate() {
            let geometry = &mut self.geometry;
            pupil.path.solve_into(&at, None, geometry);
            let mut column = self.gradients.column_mut(m);
            let gradient = column.as_mut_slice();
            pupil.path.length_gradient(geometry, &at, gradient);
            let rate: f64 = gradient.iter().zip(at.v).map(|(g, v)| g * v).sum();
            self.lengths[m].push([geometry.length, rate]);
            let [least, most] = pupil.range(geometry.length, rate);
            self.ranges[m] = [least, most];
            if let Some(before) = &self.activations {
                [self.problem.lower[m], self.problem.upper[m]] =
                    pupil.reach(before[m], settings.time(1) - settings.time(0));
            }
            for (row, k) in self.balanced.iter().enumerate() {
                self.problem.A[(row, m)] = -gradient[*k] * (most - least);
                self.moments[row] += gradient[*k] * least;
            }
        }
        self.share(pupils, settings.reserve, t)?;
        for (k, force) in self.muscle_forces.iter_mut().enumerate() {
            let pulls = self.tensions.iter().map(|tension| tension.last().copied().unwrap_or(0.0));
            force.push(-self.gradients.row(k).iter().zip(pulls).map(|(g, pull)| g * pull).sum::<f64>());
        }
        for (foot, reaction) in rehearsal.ground(t).iter().enumerate() {
            for axis in 0..3 {
                self.ground[foot][axis].push(reaction.force[axis]);
            }
        }
        Ok(())
    }

    /// Shares the moments among the muscles and notes how hard that was.
    fn share(&mut self, pupils: &[Pupil], strength: f64, t: f64) -> Result<(), WalkError> {
        self.problem.b.copy_from_slice(&self.moments);
        let report = self.sharing.solve(&self.problem);
        if !report.solved {
            let rule = format!("static optimisation did not settle at {t:.4} s: {:.2e} N m remain", report.residual);
            return Err(WalkError::rule("muscles", rule));
        }
        let (activations, reserves) = self.sharing.controls().split_at(pupils.len());
        self.activations = Some(activations.to_vec());
        for (m, activation) in activations.iter().enumerate() {
            let [least, most] = self.ranges[m];
            let tension = least + activation * (most - least);
            self.tensions[m].push(tension);
            self.report.effort += (tension / pupils[m].max_force).powi(2);
            if *activation > self.report.activation_peak {
                self.report.activation_peak = *activation;
                self.report.activation_muscle = pupils[m].path.name().into();
            }
        }
        for (row, share) in reserves.iter().enumerate() {
            let reserve = (share * strength).abs();
            if reserve > self.report.reserve_peak {
                self.report.reserve_peak = reserve;
                self.report.reserve_coordinate = row.to_string();
            }
        }
        Ok(())
    }

    fn finish(
        mut self,
        rehearsal: &dyn Rehearsal,
        pupils: &[Pupil],
        settings: &TeachSettings,
    ) -> Result<Lesson, WalkError> {
        let names = rehearsal.instant().model.coordinate_names();
        let advance = |name: &str| match settings.timing {
            Timing::Cycle { advance, .. } if name == "pelvis_tx" => advance,
            _ => 0.0,
        };
        self.report.effort /= settings.samples as f64;
        if let Some(row) = self.report.reserve_coordinate.parse::<usize>().ok().and_then(|r| self.balanced.get(r)) {
            self.report.reserve_coordinate = names[*row].clone();
        }
        for i in 0..settings.samples {
            let force = Vec3::from_fn(|k, _| self.forces.get(k).map_or(0.0, |f| f[i]));
            self.report.residual_force = self.report.residual_force.max(force.norm());
        }
        let track = |(name, samples): (&String, Vec<[f64; 2]>)| {
            Ok((name.clone(), settings.track(name, advance(name), samples)?))
        };
        let value = |what: &str, values: &[f64]| settings.value_track(what, values);
        let foot = |f: &[Vec<f64>; 3]| -> Result<[Track; 3], WalkError> {
            Ok([value("ground force", &f[0])?, value("ground force", &f[1])?, value("ground force", &f[2])?])
        };
        Ok(Lesson {
            timing: settings.timing,
            coordinates: names.iter().zip(self.coordinates).map(track).collect::<Result<_, WalkError>>()?,
            forces: self.forces.iter().zip(names).map(|(f, n)| value(n, f)).collect::<Result<_, _>>()?,
            muscle_forces: self.muscle_forces.iter().zip(names).map(|(f, n)| value(n, f)).collect::<Result<_, _>>()?,
            lengths: (pupils.iter().zip(self.lengths))
                .map(|(p, l)| settings.track(p.path.name(), 0.0, l))
                .collect::<Result<_, _>>()?,
            tensions: (pupils.iter().zip(&self.tensions))
                .map(|(p, f)| value(p.path.name(), f))
                .collect::<Result<_, _>>()?,
            ground: [foot(&self.ground[0])?, foot(&self.ground[1])?],
            bending: Vec::new(),
            report: self.report,
        })
    }
}
