//! Position and velocity kinematics of the tree.
//!
//! All spatial vectors of a tree are in ground axes about one point: the place where the origin of the tree's first body is just
//! now. Going from body to body then needs no transformation, `V_B = V_P + S v`, and inertias simply add.

use crate::joint::{Columns, MAX_FREEDOMS, about};
use crate::model::{Body, Frame, Model};
use crate::spec::JointKind;
use wolff_spatial::{Motion, Pose, SpatialInertia, Vec3};

/// Where a body is, how it moves, and its inertia.
#[derive(Clone, Copy, Debug)]
pub struct BodyKinematics {
    /// Pose in ground.
    pub X_GB: Pose,
    /// Reference point of the tree in ground.
    pub origin: Vec3,
    /// Spatial velocity.
    pub V: Motion,
    /// Spatial acceleration across the inboard joint for constant speeds.
    pub c: Motion,
    /// Spatial inertia.
    pub I: SpatialInertia,
}

impl BodyKinematics {
    const GROUND: BodyKinematics = BodyKinematics {
        X_GB: Pose::IDENTITY,
        origin: Vec3::new(0.0, 0.0, 0.0),
        V: Motion::ZERO,
        c: Motion::ZERO,
        I: SpatialInertia::ZERO,
    };
}

/// Kinematics of all bodies for one `(q, v)`.
#[derive(Clone, Debug)]
pub struct Kinematics {
    /// One entry a body, ground first.
    pub bodies: Vec<BodyKinematics>,
    /// Motion columns, one a speed.
    pub S: Vec<Motion>,
}

impl Kinematics {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        Kinematics { bodies: vec![BodyKinematics::GROUND; model.bodies.len()], S: vec![Motion::ZERO; model.nv()] }
    }

    /// Computes everything for coordinates `q` and speeds `v`.
    pub fn update(&mut self, model: &Model, q: &[f64], v: &[f64]) {
        for (i, body) in model.bodies.iter().enumerate().skip(1) {
            let parent = &self.bodies[body.parent];
            let S = &mut self.S[body.v_range()];
            self.bodies[i] = step_outward(body, parent, &q[body.q_range()], &v[body.v_range()], S);
        }
    }

    /// Pose of a frame in ground.
    #[inline]
    pub fn pose(&self, frame: &Frame) -> Pose {
        self.bodies[frame.body].X_GB * frame.X_BF
    }

    /// Velocity of the point of `body` that is at `p_G`.
    #[inline]
    pub fn point_velocity(&self, body: usize, p_G: &Vec3) -> Vec3 {
        let b = &self.bodies[body];
        b.V.at(&(p_G - b.origin)).v
    }

    /// Angular velocity of the frame and velocity of its origin, in ground axes.
    pub fn velocity(&self, frame: &Frame) -> Motion {
        let b = &self.bodies[frame.body];
        b.V.at(&(b.X_GB.point(&frame.X_BF.p) - b.origin))
    }
}

/// Kinematics of a body from those of its parent; fills the columns of its inboard joint.
#[inline]
fn step_outward(body: &Body, parent: &BodyKinematics, q: &[f64], v: &[f64], S: &mut [Motion]) -> BodyKinematics {
    // frames with the axes of their body, the usual case, are spared the product with unity
    let X_GF = if body.parent_aligned {
        Pose::new(parent.X_GB.R, parent.X_GB.point(&body.X_PF.p))
    } else {
        parent.X_GB * body.X_PF
    };
    let X_GM = match &body.joint {
        JointKind::Pin { axis } => Pose::new(X_GF.R * about(axis, q[0]), X_GF.p),
        joint => X_GF * joint.pose(q),
    };
    let X_GB = if body.child_coincides { X_GM } else { X_GM * body.X_MB };
    let origin = if body.parent == 0 { X_GB.p } else { parent.origin };
    let r = X_GM.p - origin;

    let (V_J, c_J) = match &body.joint {
        JointKind::Pin { axis } => turn(X_GF.R * axis, &r, v[0], S),
        joint => joint_motion(joint, &X_GF, &r, q, v, S),
    };
    BodyKinematics {
        X_GB,
        origin,
        V: parent.V + V_J,
        c: parent.V.cross(&V_J) + c_J,
        I: body.mass.spatial(&X_GB.R, &(X_GB.p - origin)),
    }
}

/// The commonest joint: its axis is fixed in F and passes through M's origin, so nothing but the axis is needed.
#[inline]
fn turn(axis: Vec3, r: &Vec3, v: f64, S: &mut [Motion]) -> (Motion, Motion) {
    S[0] = Motion::new(axis, r.cross(&axis));
    (S[0] * v, Motion::ZERO)
}

/// Joint velocity and joint part of the bias acceleration, and the columns, about the tree's point in ground axes.
///
/// With `(ω, u)` the velocity of M in F at M's origin and `(α, a)` its classical bias acceleration, the spatial one at that point
/// is `(α, a - ω × u)`.
fn joint_motion(joint: &JointKind, X_GF: &Pose, r: &Vec3, q: &[f64], v: &[f64], S: &mut [Motion]) -> (Motion, Motion) {
    let mut columns: Columns = [Motion::ZERO; MAX_FREEDOMS];
    let mut bias = joint.columns(q, v, &mut columns);
    let mut V_FM = Motion::ZERO;
    for (column, v) in columns.iter().zip(v) {
        V_FM += *column * *v;
    }
    bias.v -= V_FM.w.cross(&V_FM.v);

    let to_origin = -r;
    for (S, column) in S.iter_mut().zip(&columns) {
        *S = column.rotated(&X_GF.R).at(&to_origin);
    }
    (V_FM.rotated(&X_GF.R).at(&to_origin), bias.rotated(&X_GF.R).at(&to_origin))
}
