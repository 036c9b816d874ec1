//! All forces of a record applied to the model again.

use crate::error::MovementError;
use crate::model::MovementRecord;
use crate::model::MuscledModel;
use crate::tracking::Controllers;
use wolff_anatomy::{SegmentName, Side};
use wolff_multibody::{Instant, Loads, Model, System};
use wolff_muscle::PathGeometry;
use wolff_spatial::Vec3;

/// The model with everything that acted on it at a sample.
///
/// ```text
/// r = M(q*) a + h(q*, v) - Σ f Jᵀ        and in the rows of modes  + K (η - η*) + D (η' - η'*)
/// ```
/// f the forces of floor, muscles, joints and agent as they were applied; η and η' at the end of the step, where
/// stiffness and damping were evaluated. For a forward simulation r is rounding error; for a prescribed motion it is
/// the force of the reserves, and at the height of the first body the residual of the reference motion, which no agent
/// carries.
#[derive(Debug)]
pub struct FreeBody<'a> {
    muscled: &'a MuscledModel,
    controllers: &'a Controllers,
    record: &'a MovementRecord,
    feet: [usize; 2],
    /// The model: kinematics and reactions of the last sample.
    pub system: System<'a>,
    /// Muscle paths at the last sample.
    pub paths: Vec<PathGeometry>,
    sample: usize,
    left_over: Vec<f64>,
}

impl<'a> FreeBody<'a> {
    /// Allocates the work memory for a record on a model.
    ///
    /// # Errors
    /// When the model lacks a foot.
    pub fn new(
        muscled: &'a MuscledModel,
        controllers: &'a Controllers,
        record: &'a MovementRecord,
    ) -> Result<Self, MovementError> {
        let model = &muscled.model;
        let foot = |foot: Side| {
            let name = SegmentName::Foot(foot).name();
            let missing =
                || MovementError::Missing { what: "body", name: name.into(), purpose: "the ground's reaction" };
            model.body_index(name).ok_or_else(missing)
        };
        let [right, left] = Side::BOTH.map(foot);
        Ok(FreeBody {
            muscled,
            controllers,
            record,
            feet: [right?, left?],
            system: System::new(model),
            paths: vec![PathGeometry::default(); muscled.paths.len()],
            sample: 0,
            left_over: vec![0.0; model.nv()],
        })
    }

    /// The model.
    pub fn model(&self) -> &'a Model {
        &self.muscled.model
    }

    /// The record.
    pub fn record(&self) -> &'a MovementRecord {
        self.record
    }

    /// The names of the muscles with their paths and tensions \[N\] at the last sample.
    pub fn muscles(&self) -> impl Iterator<Item = (&str, &PathGeometry, f64)> {
        let tensions = &self.record.tensions[self.sample];
        self.muscled
            .paths
            .iter()
            .zip(&self.paths)
            .zip(tensions)
            .map(|((path, geometry), t)| (path.name(), geometry, *t))
    }

    /// Sets the model and all forces to a sample of the record.
    pub fn at(&mut self, sample: usize) {
        let (record, controllers, muscled, feet, paths) =
            (self.record, self.controllers, self.muscled, self.feet, &mut self.paths);
        self.sample = sample;
        let state =
            (record.times[sample], &record.predicted[sample][..], &record.start[sample][..], &record.a[sample][..]);
        let apply = |at: &Instant<'_>, out: &mut Loads<'_>| {
            for ((path, geometry), tension) in muscled.paths.iter().zip(paths).zip(&record.tensions[sample]) {
                path.solve_into(at, None, geometry);
                path.pull(geometry, *tension, at, out);
            }
            push_feet(controllers, record, sample, feet, at, out);
            let held = controllers.joints.iter().zip(&record.joints[sample]);
            for (servo, force) in held.chain(controllers.agent.iter().zip(&record.agent[sample])) {
                out.generalized(servo.speed, *force);
            }
        };
        self.system.residual_under(state, &[], apply, &mut self.left_over);
        self.end_of_step();
    }

    /// Stiffness and damping of modes at the end of the step instead of at its start. A prescribed walk has no steps
    /// and no damping: its bones bend under the loads on the undeformed bones.
    fn end_of_step(&mut self) {
        let (record, i, model) = (self.record, self.sample, &self.muscled.model);
        for (index, body) in model.bodies().iter().enumerate() {
            let Some(flexible) = model.flexible(index) else { continue };
            let moved = |q: usize| record.q[i][q] - record.predicted[i][q];
            let hastened = |v: usize| if record.steps > 0 { record.v[i][v] - record.start[i][v] } else { 0.0 };
            for (row, left_over) in self.left_over[body.modal_v()].iter_mut().enumerate() {
                let stiffness = flexible.data.stiffness.row(row);
                let damping = flexible.data.damping.row(row);
                *left_over += stiffness.iter().zip(body.modal_q()).map(|(k, q)| k * moved(q)).sum::<f64>();
                *left_over += damping.iter().zip(body.modal_v()).map(|(d, v)| d * hastened(v)).sum::<f64>();
            }
        }
    }

    /// r, one value per speed \[N, N m\].
    pub fn missing(&self) -> &[f64] {
        &self.left_over
    }

    /// The largest magnitude of r in the rows of joints \[N, N m\] and in those of modes.
    pub fn left_over(&self) -> [f64; 2] {
        let largest = |rows: std::ops::Range<usize>| self.left_over[rows].iter().fold(0.0_f64, |m, r| m.max(r.abs()));
        let mut most = [0.0_f64; 2];
        for body in self.muscled.model.bodies().iter().skip(1) {
            most[0] = most[0].max(largest(body.joint_v()));
            most[1] = most[1].max(largest(body.modal_v()));
        }
        most
    }

    /// The largest elastic force of a mode, `K η`.
    pub fn elastic_force(&self) -> f64 {
        let model = &self.muscled.model;
        let mut most = 0.0_f64;
        for (index, body) in model.bodies().iter().enumerate() {
            let Some(flexible) = model.flexible(index) else { continue };
            let eta = &self.record.q[self.sample][body.modal_q()];
            for row in flexible.data.stiffness.row_iter() {
                most = most.max(row.iter().zip(eta).map(|(k, eta)| k * eta).sum::<f64>().abs());
            }
        }
        most
    }
}

/// The floor's force on every pad; where a record has no pad forces, the ground reactions on the feet.
fn push_feet(
    controllers: &Controllers,
    record: &MovementRecord,
    sample: usize,
    feet: [usize; 2],
    at: &Instant<'_>,
    out: &mut Loads<'_>,
) {
    for (pad, force) in controllers.floor.pads.iter().zip(record.pads[sample].chunks_exact(3)) {
        out.force_at(pad.frame.body, &pad.lowest(at), Vec3::new(force[1], force[0], force[2]));
    }
    if record.pads[sample].is_empty() {
        for (foot, reaction) in feet.into_iter().zip(&record.ground[sample]) {
            out.force_at(foot, &reaction.center, reaction.force);
            out.torque(foot, Vec3::y() * reaction.free_moment);
        }
    }
}
