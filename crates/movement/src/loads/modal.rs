//! Strains of a known motion without the floating frame: results of older methods for the same walk.
//!
//! The loads on the modes of a bone follow from a completed simulation,
//!
//! ```text
//! Q = Jᵀ F - (M a + h)  in the rows of the modes, without the terms of the deformation itself
//! ```
//!
//! F the forces of muscles and floor, a the accelerations, h weight and velocity terms. The response of the bone is
//! computed by one of two methods:
//!
//! ```text
//! quasi-static    K η = Q                        elastodynamic    M η'' + D η' + K η = Q
//! ```
//! The first neglects the inertia and the damping of the deformation. Where the simulation had a rigid bone
//! (`η = η' = η'' = 0`), the bending changes neither motion nor forces in both methods, as in work before flexible
//! bones were simulated; where it had this flexible bone, Q is the load that really acted, and the second method must
//! reproduce the strains of the simulation. The floating frame is the simulation itself. For the methods see Shabana,
//! Dynamics of Multibody Systems, on the linear theory of elastodynamics.

use crate::error::MovementError;
use crate::model::MovementRecord;
use crate::model::MuscledModel;
use crate::model::{Reaction, shared_joints};
use crate::tracking::Controllers;
use nalgebra::DVector;
use wolff_anatomy::{SegmentName, Side};
use wolff_flexbody::FlexBody;
use wolff_multibody::{Kinematics, Model, System};
use wolff_spatial::{Force, Vec3};

/// Modes whose stiffness, mass or damping are coupled by more than this fraction of the diagonal are rejected.
const COUPLED: f64 = 1e-6;

/// Loads on the modes of a bone along a motion, one row per sample.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalLoads {
    /// Times \[s\].
    pub times: Vec<f64>,
    /// `Q`, one value per mode.
    pub loads: Vec<Vec<f64>>,
}

/// Modal coordinates and speeds, one row per sample.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalHistory {
    /// `η`.
    pub eta: Vec<Vec<f64>>,
    /// `η'` \[1/s\].
    pub eta_dot: Vec<Vec<f64>>,
}

/// Loads on the modes of the bone that replaces `segment`, for a motion recorded with the model `moved`: that of
/// `muscled`, or one with the same joints and rigid segments instead of bones. `controllers` has the pads on the model
/// of `muscled`; forces are those of the record: on the pads, or, where the record has no pad forces, the reactions at
/// the centres of pressure.
pub fn modal_loads(
    muscled: &MuscledModel,
    controllers: &Controllers,
    moved: &Model,
    record: &MovementRecord,
    segment: &str,
) -> Result<ModalLoads, MovementError> {
    let model = &muscled.model;
    let missing = |what, purpose| MovementError::Missing { what, name: segment.into(), purpose };
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
        add_muscles(muscled, &system, (*t, &q, &v), &record.tensions[i], &mut work);
        if record.pads[i].is_empty() {
            add_reactions(&system, (*t, &q, &v), &record.ground[i], &mut work)?;
        } else {
            add_pads(controllers, &system, (*t, &q, &v), &record.pads[i], &mut work);
        }
        let own = deformation(&bone.data, [&q[eta.clone()], &v[modes.clone()], &a[modes.clone()]]);
        loads.push(modes.clone().zip(own).map(|(k, own)| work[k] - residual[k] + own).collect());
    }
    Ok(ModalLoads { times: record.times.clone(), loads })
}

/// Terms of the deformation itself: `K η + D η' + M η''`.
fn deformation(body: &FlexBody, [eta, speed, acceleration]: [&[f64]; 3]) -> Vec<f64> {
    let [eta, speed, acceleration] = [eta, speed, acceleration].map(DVector::from_column_slice);
    let force = &body.stiffness * eta + &body.damping * speed + body.inertia.modal_mass() * acceleration;
    force.as_slice().to_vec()
}

/// Adds `-T ∂l/∂q` of every muscle.
fn add_muscles(
    muscled: &MuscledModel,
    system: &System<'_>,
    (t, q, v): (f64, &[f64], &[f64]),
    tensions: &[f64],
    work: &mut [f64],
) {
    let at = system.instant(t, q, v, None);
    let mut gradient = vec![0.0; work.len()];
    for (path, tension) in muscled.paths.iter().zip(tensions).filter(|(_, tension)| **tension != 0.0) {
        gradient.fill(0.0);
        path.length_gradient(&path.solve(&at, None), &at, &mut gradient);
        work.iter_mut().zip(&gradient).for_each(|(work, slope)| *work -= tension * slope);
    }
}

/// Adds the generalised forces of the floor at every pad.
fn add_pads(
    controllers: &Controllers,
    system: &System<'_>,
    (t, q, v): (f64, &[f64], &[f64]),
    forces: &[f64],
    work: &mut [f64],
) {
    let at = system.instant(t, q, v, None);
    let kin: &Kinematics = at.kin;
    for (pad, force) in controllers.floor.pads.iter().zip(forces.chunks_exact(3)) {
        let force = Vec3::new(force[1], force[0], force[2]);
        let arm = pad.lowest(&at) - kin.bodies[pad.frame.body].origin;
        kin.powers(at.model, pad.frame.body, &Force::through(&arm, force), |k, power| work[k] += power);
    }
}

/// Adds the generalised forces of the ground reactions on the right and the left foot.
fn add_reactions(
    system: &System<'_>,
    (t, q, v): (f64, &[f64], &[f64]),
    reactions: &[Reaction; 2],
    work: &mut [f64],
) -> Result<(), MovementError> {
    let at = system.instant(t, q, v, None);
    for (foot, reaction) in Side::BOTH.into_iter().zip(reactions) {
        let name = SegmentName::Foot(foot).name();
        let missing = || MovementError::Missing { what: "body", name: name.into(), purpose: "the ground's reaction" };
        let body = at.model.body_index(name).ok_or_else(missing)?;
        let arm = reaction.center - at.kin.bodies[body].origin;
        let free = Force::new(Vec3::y() * reaction.free_moment, Vec3::zeros());
        let force = Force::through(&arm, reaction.force) + free;
        at.kin.powers(at.model, body, &force, |k, power| work[k] += power);
    }
    Ok(())
}

impl ModalLoads {
    /// `η = K⁻¹ Q`; speeds are its finite differences.
    pub fn quasi_static(&self, body: &FlexBody) -> Result<ModalHistory, MovementError> {
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
}

/// An uncoupled mode.
pub(crate) struct Mode {
    pub stiffness: f64,
    /// ω \[rad/s\].
    pub frequency: f64,
    /// ζ.
    pub ratio: f64,
}

/// The uncoupled modes of a body; coupled modes are rejected.
pub(crate) fn uncoupled(body: &FlexBody) -> Result<Vec<Mode>, MovementError> {
    let (K, D, M) = (&body.stiffness, &body.damping, body.inertia.modal_mass());
    for A in [K, D, &M] {
        for (i, j) in (0..A.ncols()).flat_map(|j| (0..j).map(move |i| (i, j))) {
            if A[(i, j)].abs() > COUPLED * (A[(i, i)] * A[(j, j)]).abs().sqrt() {
                let rule = format!("modes {i} and {j} are coupled; build the bone by a recipe, which uncouples them");
                return Err(MovementError::rule(&body.name, rule));
            }
        }
    }
    let mode = |i: usize| {
        let (stiffness, mass) = (K[(i, i)], M[(i, i)]);
        let frequency = (stiffness / mass).sqrt();
        if !(stiffness > 0.0 && frequency > 0.0 && frequency.is_finite()) {
            let rule = format!("mode {i} has the stiffness {stiffness} and the mass {mass}; both must be positive");
            return Err(MovementError::rule(&body.name, rule));
        }
        Ok(Mode { stiffness, frequency, ratio: D[(i, i)] / (2.0 * mass * frequency) })
    };
    (0..K.ncols()).map(mode).collect()
}
