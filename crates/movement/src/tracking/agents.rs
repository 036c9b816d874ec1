//! Inverse simulation: motion agents move a person through the reference motion, and the lengths of the muscles are
//! recorded.
//!
//! A massless marker moves with every segment of the reference motion. Six springs and dampers connect the segment to
//! it, three against displacement of its centre of mass and three against turning (the motion agents of Al Nazer,
//! thesis, Lappeenranta 2008, Figure 3.4; there at the positions of markers). There is neither floor nor muscle: the
//! agents support the person.

use super::TrackingReference;
use crate::error::MovementError;
use crate::model::track::Track;
use crate::reference::walk::InverseWalk;
use wolff_multibody::stiff::{ImplicitStep, Push, Rows, StiffForces};
use wolff_multibody::{Instant, Kinematics, Model};
use wolff_muscle::Path;
use wolff_spatial::{Quaternion, Vec3};

/// Stiffness and damping of the motion agents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionAgents {
    /// Translational stiffness \[N/m\].
    pub stiffness: f64,
    /// Rotational stiffness \[N m/rad\].
    pub turn_stiffness: f64,
    /// Damping over stiffness \[s\].
    pub damping_time: f64,
}

impl MotionAgents {
    /// For muscles that follow the recorded lengths to a few tenths of a millimetre, and nothing else (chosen here).
    pub const FIRM: Self = MotionAgents { stiffness: 1e6, turn_stiffness: 1e4, damping_time: 0.01 };
}

impl Default for MotionAgents {
    /// Chosen here: segments follow within a millimetre.
    fn default() -> Self {
        MotionAgents { stiffness: 1e5, turn_stiffness: 1e3, damping_time: 0.01 }
    }
}

/// Report of an inverse simulation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InverseSimulation {
    /// Root mean square distance of the segments' centres of mass from the reference motion \[m\].
    pub distance: f64,
    /// Maximum force of an agent \[N\].
    pub force: f64,
}

/// Cycles before the one that is recorded, in which the transient of the start decays.
const BEFORE: usize = 1;

/// A segment and its centre of mass.
struct Tie {
    body: usize,
    com: Vec3,
}

/// Agents at all segments with mass.
struct Agents<'a> {
    reference: InverseWalk<'a>,
    ties: Vec<Tie>,
    settings: MotionAgents,
}

impl StiffForces for Agents<'_> {
    fn rows(&mut self, at: &Instant<'_>, rows: &mut Rows) {
        let MotionAgents { stiffness, turn_stiffness, damping_time } = self.settings;
        let target = self.reference.move_to(at.t);
        for tie in &self.ties {
            let [place, velocity] = motion(at.kin, tie);
            let [aim, aim_velocity] = motion(target.kin, tie);
            let (own, marker) = (&at.kin.bodies[tie.body], &target.kin.bodies[tie.body]);
            let turn = rotation_vector(&(own.X_GB.R * marker.X_GB.R.transpose()));
            let (off, off_rate, spin) = (place - aim, velocity - aim_velocity, own.V.w - marker.V.w);
            for (axis, e) in [Vec3::x(), Vec3::y(), Vec3::z()].into_iter().enumerate() {
                let push = |k: f64, x: f64, v: f64| Push::spring(-k * (x + damping_time * v), k, damping_time * k);
                rows.on_point(at, tie.body, &place, &e, push(stiffness, off[axis], off_rate[axis]));
                rows.on_turn(at, tie.body, &e, push(turn_stiffness, turn[axis], spin[axis]));
            }
        }
    }
}

/// Place and velocity of a segment's centre of mass.
fn motion(kin: &Kinematics, tie: &Tie) -> [Vec3; 2] {
    let body = &kin.bodies[tie.body];
    let place = body.X_GB.point(&tie.com);
    [place, body.V.v + body.V.w.cross(&(place - body.origin))]
}

/// Axis times angle of a rotation by less than half a turn.
fn rotation_vector(R: &wolff_spatial::Mat3) -> Vec3 {
    let q = Quaternion::from_matrix(R);
    let sin = q.v.norm();
    if sin < 1e-9 { 2.0 * q.v } else { q.v * (2.0 * sin.atan2(q.w) / sin) }
}

/// Moves the person through the reference cycle and replaces the reference lengths by the lengths that the muscles then
/// have.
///
/// `samples` samples of the cycle are recorded; steps between them are at most `step` \[s\] long.
pub fn inverse_simulation(
    walk: InverseWalk<'_>,
    model: &Model,
    paths: &[Path],
    reference: &mut TrackingReference,
    settings: MotionAgents,
    (samples, step): (usize, f64),
) -> Result<InverseSimulation, MovementError> {
    let period = walk.walk().constants.cycle_time;
    let between = period / samples as f64;
    let count = (between / step).ceil().max(1.0) as usize;
    let h = between / count as f64;
    let massive = model.bodies().iter().enumerate().skip(1).filter(|(_, b)| b.mass.mass > 0.0);
    let ties = massive.map(|(body, b)| Tie { body, com: b.mass.com }).collect();
    let mut agents = Agents { reference: walk, ties, settings };
    agents.reference.move_to(0.0);
    let (mut q, mut v) = (agents.reference.state.q.clone(), agents.reference.state.v.clone());
    let (mut stepper, mut kin) = (ImplicitStep::new(model), Kinematics::new(model));
    let mut lengths = vec![Vec::with_capacity(samples); paths.len()];
    let (mut squares, mut report) = (0.0, InverseSimulation::default());
    for i in 0..samples * (BEFORE + 1) * count {
        let t = i as f64 * h;
        if i % count == 0 && i >= samples * BEFORE * count {
            kin.update(model, &q, &v);
            let at = Instant { t, model, kin: &kin, q: &q, v: &v, approach_speed: None };
            for (track, path) in lengths.iter_mut().zip(paths) {
                let geometry = path.solve(&at, None);
                track.push([geometry.length, path.speed(&geometry, &at)]);
            }
            squares += agents.distances(&kin, t);
        }
        stepper.advance(&mut agents, t, h, &mut q, &mut v).map_err(|reason| MovementError::Step { time: t, reason })?;
        report.force = stepper.applied().iter().step_by(2).fold(report.force, |m, f| m.max(f.abs()));
    }
    for (track, noted) in reference.lengths.iter_mut().zip(lengths) {
        *track = Track::cyclic("length of a muscle", period, 0.0, noted)?;
    }
    report.distance = (squares / samples as f64).sqrt();
    Ok(report)
}

impl Agents<'_> {
    /// Mean square distance of the segments from their markers \[m²\].
    fn distances(&mut self, kin: &Kinematics, t: f64) -> f64 {
        let target = self.reference.move_to(t);
        let square = |tie: &Tie| (motion(kin, tie)[0] - motion(target.kin, tie)[0]).norm_squared();
        self.ties.iter().map(square).sum::<f64>() / self.ties.len().max(1) as f64
    }
}
