//! Inverse dynamics of a walk: the joint moments, and the residual at the pelvis.

use super::{GroundReaction, ReferenceWalk, WalkState};
use wolff_anatomy::AnatomyError;
use wolff_anatomy::{SegmentName, Side};
use wolff_multibody::dynamics::inverse::{InverseWorkspace, inverse_dynamics};
use wolff_multibody::{Instant, Kinematics, Model};
use wolff_spatial::{Force, Vec3};

/// A walk on a model, with the work memory of its inverse dynamics.
#[derive(Clone, Debug)]
pub struct InverseWalk<'a> {
    walk: &'a ReferenceWalk,
    model: &'a Model,
    order: Vec<usize>,
    feet: [usize; 2],
    root: usize,
    t: f64,
    /// Coordinates, speeds and accelerations of the last instant, in the model's order.
    pub state: WalkState,
    /// Kinematics of the last instant.
    pub kin: Kinematics,
    work: InverseWorkspace,
    loads: Vec<Force>,
    tau: Vec<f64>,
}

impl<'a> InverseWalk<'a> {
    /// Finds the walk's coordinates and feet in a model that has its skeleton.
    pub fn new(walk: &'a ReferenceWalk, model: &'a Model) -> Result<Self, AnatomyError> {
        let body = |name: &str| {
            model.body_index(name).ok_or_else(|| AnatomyError::Unknown { what: "body", name: name.into() })
        };
        let root = walk.skeleton.segments.first().map_or("", |s| s.name.as_str());
        let (n, nv) = (model.bodies().len(), model.nv());
        Ok(InverseWalk {
            walk,
            model,
            order: walk.order_in(model)?,
            feet: [body(SegmentName::Foot(Side::Right).name())?, body(SegmentName::Foot(Side::Left).name())?],
            root: body(root)?,
            t: 0.0,
            state: WalkState { q: model.q0.clone(), v: vec![0.0; nv], a: vec![0.0; nv] },
            kin: Kinematics::new(model),
            work: InverseWorkspace::new(model),
            loads: vec![Force::ZERO; n],
            tau: vec![0.0; nv],
        })
    }

    /// Generalised forces \[N, N m\] of the model's coordinates at the time `t`: forces and moments between segments,
    /// from parent on child, in the positive direction of each coordinate. The six of the pelvis are the residual.
    pub fn at(&mut self, t: f64) -> &[f64] {
        self.move_to(t);
        self.balance(&Side::BOTH.map(|foot| self.walk.ground(t, foot)));
        &self.tau
    }

    /// Inverse dynamics of the present state and kinematics, with the ground's reaction on the right and left foot.
    pub(crate) fn balance(&mut self, ground: &[GroundReaction; 2]) -> Force {
        self.loads.fill(Force::ZERO);
        for (ground, &body) in ground.iter().zip(&self.feet) {
            let wrench = self.wrench(ground, body);
            self.loads[body] += wrench;
        }
        inverse_dynamics(self.model, &self.kin, Some(&self.state.a), &self.loads, &mut self.work, &mut self.tau);
        self.residual()
    }

    /// The ground's reaction as a force on a body.
    pub(crate) fn wrench(&self, ground: &GroundReaction, body: usize) -> Force {
        let arm = ground.point - self.kin.bodies[body].origin;
        Force::through(&arm, ground.force) + Force::new(ground.moment, Vec3::zeros())
    }

    /// Kinematics of the present state.
    pub(crate) fn place(&mut self) {
        self.kin.update(self.model, &self.state.q, &self.state.v);
    }

    /// Index of each coordinate of the walk in the model.
    pub(crate) fn order(&self) -> &[usize] {
        &self.order
    }

    /// Generalised forces of the last balance.
    pub(crate) fn generalised_forces(&self) -> &[f64] {
        &self.tau
    }

    /// The body of a foot.
    pub(crate) fn foot(&self, foot: Side) -> usize {
        self.feet[foot.index()]
    }

    /// The walk.
    pub fn walk(&self) -> &ReferenceWalk {
        self.walk
    }

    /// Moves the model to the state of the walk at the time `t`.
    pub fn move_to(&mut self, t: f64) -> Instant<'_> {
        self.t = t;
        self.walk.write_state(&self.order, t, &mut self.state);
        self.place();
        self.instant()
    }

    /// The last instant, for force elements and muscle paths.
    pub fn instant(&self) -> Instant<'_> {
        let (q, v) = (&self.state.q, &self.state.v);
        Instant { t: self.t, model: self.model, kin: &self.kin, q, v, approach_speed: None }
    }

    /// Moment about the body's origin and force \[N m, N\] in world axes that the inboard joint of a body transmits in
    /// the last [`InverseWalk::at`], muscles included: from parent on child.
    pub fn joint_force(&self, body: usize) -> Force {
        self.work.F[body]
    }

    /// Moment about the pelvis' origin and force \[N m, N\] in world axes that remain as residual in the last
    /// [`InverseWalk::at`].
    pub fn residual(&self) -> Force {
        self.joint_force(self.root)
    }
}
