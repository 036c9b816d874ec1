//! Strains of a known motion without the floating frame: what older ways give for the same walk.
//!
//! The loads on the modes of a bone follow from a drive that is over,
//!
//! ```text
//! Q = Jᵀ F - (M a + h)  in the rows of the modes, less what the deformation itself needs there
//! ```
//!
//! F the forces of muscles and floor, a the accelerations, h weight and velocity terms, and the bone answers in one of two ways:
//!
//! ```text
//! quasi-static    K η = Q                        elastodynamic    M η'' + D η' + K η = Q
//! ```
//! The first leaves out the inertia and the damping of the deformation. Where the drive had a rigid bone (`η = η' = η'' = 0`), neither lets
//! the bending bone change motion and forces, as was done before bones bent in the simulation; where it had this bone, Q is what really
//! acted, and the second way must give the drive's own strains again. The floating frame is the drive itself. For the ways see Shabana,
//! Dynamics of Multibody Systems, on the linear theory of elastodynamics.

use crate::drive::{DriveRecord, Driver};
use crate::error::WalkError;
use crate::ground::Reaction;
use crate::stage::Cast;
use nalgebra::{DVector, Matrix2, Vector2};
use std::ops::Range;
use wolff_bone::BoneError;
use wolff_bone::gauges::{GaugeHistory, gauge_history};
use wolff_flexbody::FlexBody;
use wolff_human::walk::Foot;
use wolff_multibody::{Kinematics, Model, System};
use wolff_spatial::{Force, Vec3};

/// Modes whose stiffness, mass or damping couple by more than this share of the diagonal are refused.
const COUPLED: f64 = 1e-6;

/// Loads on the modes of a bone along a motion, a row a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalLoads {
    /// Times [s].
    pub times: Vec<f64>,
    /// `Q`, one a mode.
    pub loads: Vec<Vec<f64>>,
}

/// Modal coordinates and speeds, a row a sample.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalHistory {
    /// `η`.
    pub eta: Vec<Vec<f64>>,
    /// `η'` [1/s].
    pub eta_dot: Vec<Vec<f64>>,
}

/// Loads on the modes of the bone in the place of `segment`, for a motion recorded with the model `moved`: that of the cast, or one with
/// the same joints and rigid segments in the places of bones. `driver` tells where the pads are on the model of the cast; forces are those of the
/// record: on the pads, or where it has none of them the reactions at the centres of pressure.
pub fn modal_loads(
    cast: &Cast,
    driver: &Driver,
    moved: &Model,
    record: &DriveRecord,
    segment: &str,
) -> Result<ModalLoads, WalkError> {
    let model = &cast.model;
    let missing = |what, purpose| WalkError::Missing { what, name: segment.into(), purpose };
    let body = model.body_index(segment).ok_or_else(|| missing("body", "loads on its modes"))?;
    let bone = model.flexible(body).ok_or_else(|| missing("flexible body", "loads on its modes"))?;
    let (eta, modes) = (model.bodies()[body].modal_q(), model.bodies()[body].modal_v());
    let joints = shared_joints(moved, model)?;
    let mut system = System::new(model);
    let (mut q, mut v, mut a) = (model.q0.clone(), vec![0.0; model.nv()], vec![0.0; model.nv()]);
    model.bodies().iter().for_each(|b| q[b.modal_q()].fill(0.0));
    let (mut residual, mut work) = (vec![0.0; model.nv()], vec![0.0; model.nv()]);
    let mut loads = Vec::with_capacity(record.times.len());
    for (i, t) in record.times.iter().enumerate() {
        for joint in &joints {
            q[joint.q.1.clone()].copy_from_slice(&record.q[i][joint.q.0.clone()]);
            v[joint.v.1.clone()].copy_from_slice(&record.v[i][joint.v.0.clone()]);
            a[joint.v.1.clone()].copy_from_slice(&record.a[i][joint.v.0.clone()]);
        }
        system.residual(*t, &q, &v, &a, &[], &mut residual);
        work.fill(0.0);
        add_muscles(cast, &system, (*t, &q, &v), &record.tensions[i], &mut work);
        if record.pads[i].is_empty() {
            add_reactions(&system, (*t, &q, &v), &record.ground[i], &mut work)?;
        } else {
            add_pads(driver, &system, (*t, &q, &v), &record.pads[i], &mut work);
        }
        let own = deformation(&bone.data, [&q[eta.clone()], &v[modes.clone()], &a[modes.clone()]]);
        loads.push(modes.clone().zip(own).map(|(k, own)| work[k] - residual[k] + own).collect());
    }
    Ok(ModalLoads { times: record.times.clone(), loads })
}

/// What the deformation needs on its own: `K η + D η' + M η''`.
fn deformation(body: &FlexBody, [eta, speed, acceleration]: [&[f64]; 3]) -> Vec<f64> {
    let [eta, speed, acceleration] = [eta, speed, acceleration].map(DVector::from_column_slice);
    let force = &body.stiffness * eta + &body.damping * speed + body.inertia.modal_mass() * acceleration;
    force.as_slice().to_vec()
}

/// Where a joint's coordinates and speeds are in two models; with those of its modes where both bodies have the same number.
pub(crate) struct SharedJoint {
    pub q: (Range<usize>, Range<usize>),
    pub v: (Range<usize>, Range<usize>),
}

pub(crate) fn shared_joints(from: &Model, to: &Model) -> Result<Vec<SharedJoint>, WalkError> {
    let moving = from.bodies().iter().skip(1).filter(|b| !b.joint_v().is_empty());
    let pair = |b: &wolff_multibody::Body| {
        let found = to.bodies().iter().find(|o| o.joint_name == b.joint_name && o.joint_v().len() == b.joint_v().len());
        let missing =
            || WalkError::Missing { what: "joint", name: b.joint_name.clone(), purpose: "the recorded motion" };
        let other = found.ok_or_else(missing)?;
        if b.modes == other.modes {
            return Ok(SharedJoint { q: (b.q_range(), other.q_range()), v: (b.v_range(), other.v_range()) });
        }
        Ok(SharedJoint { q: (b.joint_q(), other.joint_q()), v: (b.joint_v(), other.joint_v()) })
    };
    moving.map(pair).collect()
}

/// Adds `-T ∂l/∂q` of every muscle.
fn add_muscles(cast: &Cast, system: &System<'_>, (t, q, v): (f64, &[f64], &[f64]), tensions: &[f64], work: &mut [f64]) {
    let at = system.instant(t, q, v, None);
    let mut gradient = vec![0.0; work.len()];
    for (path, tension) in cast.paths.iter().zip(tensions).filter(|(_, tension)| **tension != 0.0) {
        gradient.fill(0.0);
        path.length_gradient(&path.solve(&at, None), &at, &mut gradient);
        work.iter_mut().zip(&gradient).for_each(|(work, slope)| *work -= tension * slope);
    }
}

/// Adds the work of the floor at every pad.
fn add_pads(driver: &Driver, system: &System<'_>, (t, q, v): (f64, &[f64], &[f64]), forces: &[f64], work: &mut [f64]) {
    let at = system.instant(t, q, v, None);
    let kin: &Kinematics = at.kin;
    for (pad, force) in driver.floor.pads.iter().zip(forces.chunks_exact(3)) {
        let force = Vec3::new(force[1], force[0], force[2]);
        let arm = pad.lowest(&at) - kin.bodies[pad.frame.body].origin;
        kin.powers(at.model, pad.frame.body, &Force::through(&arm, force), |k, power| work[k] += power);
    }
}

/// Adds the work of the ground's reactions on right and left foot.
fn add_reactions(
    system: &System<'_>,
    (t, q, v): (f64, &[f64], &[f64]),
    reactions: &[Reaction; 2],
    work: &mut [f64],
) -> Result<(), WalkError> {
    let at = system.instant(t, q, v, None);
    for (foot, reaction) in Foot::BOTH.into_iter().zip(reactions) {
        let name = foot.segment();
        let missing = || WalkError::Missing { what: "body", name: name.into(), purpose: "the ground's reaction" };
        let body = at.model.body_index(name).ok_or_else(missing)?;
        let arm = reaction.center - at.kin.bodies[body].origin;
        let free = Force::new(Vec3::y() * reaction.free_moment, Vec3::zeros());
        let force = Force::through(&arm, reaction.force) + free;
        at.kin.powers(at.model, body, &force, |k, power| work[k] += power);
    }
    Ok(())
}

impl ModalLoads {
    /// `η = K⁻¹ Q`; speeds are differences of it.
    pub fn quasi_static(&self, body: &FlexBody) -> Result<ModalHistory, WalkError> {
        let modes = uncoupled(body)?;
        let eta: Vec<Vec<f64>> =
            self.loads.iter().map(|Q| Q.iter().zip(&modes).map(|(Q, m)| Q / m.stiffness).collect()).collect();
        let last = eta.len().saturating_sub(1);
        let rate = |i: usize| {
            let (from, to) = (i.saturating_sub(1), (i + 1).min(last));
            let time = self.times[to] - self.times[from];
            let slope = |(a, b): (&f64, &f64)| if time > 0.0 { (b - a) / time } else { 0.0 };
            eta[from].iter().zip(&eta[to]).map(slope).collect()
        };
        let eta_dot = (0..eta.len()).map(rate).collect();
        Ok(ModalHistory { eta, eta_dot })
    }

    /// `m η'' + d η' + k η = Q` of every mode, exactly for loads that are linear between samples, from rest at the first static answer.
    ///
    /// ```text
    /// η = s - (2 ζ/ω) s' + x,   s = Q/k linear in t,   x'' + 2 ζ ω x' + ω² x = 0
    /// ```
    /// ω² = k/m, ζ = d/(2 m ω). Chopra, Dynamics of Structures, on the interpolation of excitation.
    pub fn elastodynamic(&self, body: &FlexBody) -> Result<ModalHistory, WalkError> {
        let modes = uncoupled(body)?;
        let mut state: Vec<Vector2<f64>> = match self.loads.first() {
            Some(Q) => Q.iter().zip(&modes).map(|(Q, m)| Vector2::new(Q / m.stiffness, 0.0)).collect(),
            None => Vec::new(),
        };
        let mut history = ModalHistory { eta: Vec::new(), eta_dot: Vec::new() };
        for i in 0..self.loads.len() {
            if i > 0 {
                let h = self.times[i] - self.times[i - 1];
                for (k, mode) in modes.iter().enumerate() {
                    state[k] = mode.step(h, state[k], [self.loads[i - 1][k], self.loads[i][k]]);
                }
            }
            history.eta.push(state.iter().map(|x| x[0]).collect());
            history.eta_dot.push(state.iter().map(|x| x[1]).collect());
        }
        Ok(history)
    }
}

impl ModalHistory {
    /// What the gauges of the body read.
    pub fn gauges(&self, body: &FlexBody) -> Result<Vec<GaugeHistory>, WalkError> {
        let read = |g: &wolff_flexbody::Gauge| gauge_history(body, &g.name, &self.eta);
        Ok(body.gauges.iter().map(read).collect::<Result<_, _>>().map_err(BoneError::from)?)
    }
}

/// A mode on its own.
struct Mode {
    stiffness: f64,
    /// ω [rad/s].
    frequency: f64,
    /// ζ.
    ratio: f64,
}

impl Mode {
    /// `(η, η')` after a time h under a load that goes from one value to another.
    fn step(&self, h: f64, state: Vector2<f64>, loads: [f64; 2]) -> Vector2<f64> {
        let (w, [s0, s1]) = (self.frequency, loads.map(|Q| Q / self.stiffness));
        let slope = (s1 - s0) / h;
        let lag = 2.0 * self.ratio / w * slope;
        // x and x'/ω turn and decay together
        let x = Vector2::new(state[0] - (s0 - lag), (state[1] - slope) / w);
        let x = (Matrix2::new(0.0, w, -w, -2.0 * self.ratio * w) * h).exp() * x;
        Vector2::new(s1 - lag + x[0], slope + w * x[1])
    }
}

/// The modes of a body, each on its own; refuses modes that couple.
fn uncoupled(body: &FlexBody) -> Result<Vec<Mode>, WalkError> {
    let (K, D, M) = (&body.stiffness, &body.damping, body.inertia.modal_mass());
    for A in [K, D, &M] {
        for (i, j) in (0..A.ncols()).flat_map(|j| (0..j).map(move |i| (i, j))) {
            if A[(i, j)].abs() > COUPLED * (A[(i, i)] * A[(j, j)]).abs().sqrt() {
                let rule = format!("modes {i} and {j} are coupled; make the bone by a recipe, which uncouples them");
                return Err(WalkError::rule(&body.name, rule));
            }
        }
    }
    let mode = |i: usize| {
        let (stiffness, mass) = (K[(i, i)], M[(i, i)]);
        let frequency = (stiffness / mass).sqrt();
        if !(stiffness > 0.0 && frequency > 0.0 && frequency.is_finite()) {
            let rule = format!("mode {i} has the stiffness {stiffness} and the mass {mass}; both must be positive");
            return Err(WalkError::rule(&body.name, rule));
        }
        Ok(Mode { stiffness, frequency, ratio: D[(i, i)] / (2.0 * mass * frequency) })
    };
    (0..K.ncols()).map(mode).collect()
}
