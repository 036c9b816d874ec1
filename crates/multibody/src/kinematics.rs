//! Position and velocity kinematics of the tree.
//!
//! All spatial vectors of a tree are in ground axes about one point: the place where the origin of the tree's first
//! body is just now. Going from body to body then needs no transformation, `V_B = V_P + S v`, and inertias simply add.

use crate::flexible::{FlexKinematics, FlexState, Flexible, node_motion};
use crate::joint::{Columns, MAX_FREEDOMS, about};
use crate::model::{Body, FlexibleRef, Frame, Model};
use crate::spec::JointKind;
use wolff_flexbody::Node;
use wolff_spatial::{Force, Motion, Pose, SpatialInertia, Vec3};

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
    /// Flexible bodies.
    pub flexible: Vec<FlexKinematics>,
    /// Motion columns of the nodes relative to their flexible bodies, one a mode.
    pub(crate) Phi: Vec<Motion>,
}

impl Kinematics {
    /// Memory for a model.
    pub fn new(model: &Model) -> Self {
        Kinematics {
            bodies: vec![BodyKinematics::GROUND; model.bodies.len()],
            S: vec![Motion::ZERO; model.nv()],
            flexible: model.flexible.iter().map(|f| FlexKinematics::new(f.modes())).collect(),
            Phi: vec![Motion::ZERO; model.node_columns()],
        }
    }

    /// Computes everything for coordinates `q` and speeds `v`.
    pub fn update(&mut self, model: &Model, q: &[f64], v: &[f64]) {
        for (i, body) in model.bodies.iter().enumerate().skip(1) {
            let parent = &self.bodies[body.parent];
            self.bodies[i] = if let Some(node) = &body.node {
                let modes = model.flexible[node.flexible].modes();
                let columns = &mut self.Phi[node.columns..node.columns + modes];
                let shape = &model.flexible[node.flexible].data.nodes[node.node];
                let (eta, eta_dot) = (&q[node.q_modes..node.q_modes + modes], &v[node.v_modes..node.v_modes + modes]);
                step_to_node(parent, shape, eta, eta_dot, columns)
            } else if let Some(place) = &body.flexible {
                let flexible = &model.flexible[place.index];
                let S = &mut self.S[body.v_range()];
                step_to_flexible(body, parent, flexible, place, q, v, S, &mut self.flexible[place.index])
            } else {
                let S = &mut self.S[body.v_range()];
                let at = step_outward(body, parent, &body.X_MB, &q[body.q_range()], &v[body.v_range()], S);
                BodyKinematics { I: body.mass.spatial(&at.X_GB.R, &(at.X_GB.p - at.origin)), ..at }
            };
        }
    }

    /// Motion columns of a node relative to its flexible body; none for other bodies.
    pub(crate) fn node_columns(&self, model: &Model, body: usize) -> Option<(usize, &[Motion])> {
        let node = model.bodies[body].node.as_ref()?;
        let modes = model.flexible[node.flexible].modes();
        Some((node.v_modes, &self.Phi[node.columns..node.columns + modes]))
    }

    /// Power of a force on `body` for each speed (`Jᵀ F`), handed to `add(speed, power)`; speeds that do not move it
    /// are left out.
    pub fn powers(&self, model: &Model, body: usize, force: &Force, mut add: impl FnMut(usize, f64)) {
        let mut b = body;
        while b != 0 {
            for k in model.bodies[b].v_range() {
                add(k, self.S[k].dot(force));
            }
            if let Some((first, columns)) = self.node_columns(model, b) {
                for (k, column) in columns.iter().enumerate() {
                    add(first + k, column.dot(force));
                }
            }
            b = model.bodies[b].parent;
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

/// Kinematics of a body from those of its parent, its inertia apart; fills the columns of its inboard joint.
#[inline]
fn step_outward(
    body: &Body,
    parent: &BodyKinematics,
    X_MB: &Pose,
    q: &[f64],
    v: &[f64],
    S: &mut [Motion],
) -> BodyKinematics {
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
    let X_GB = if body.child_coincides { X_GM } else { X_GM * *X_MB };
    let origin = if body.parent == 0 { X_GB.p } else { parent.origin };
    let r = X_GM.p - origin;

    let (V_J, c_J) = match &body.joint {
        JointKind::Pin { axis } => turn(X_GF.R * axis, &r, v[0], S),
        joint => joint_motion(joint, &X_GF, &r, q, v, S),
    };
    BodyKinematics { X_GB, origin, V: parent.V + V_J, c: parent.V.cross(&V_J) + c_J, I: SpatialInertia::ZERO }
}

/// A flexible body: its frame follows from frame M of the joint, which sits on a node.
///
/// With the node's motion relative to the body, `V_B = V_M - Φ η'` and `A_B = A_M - Φ η'' - c_N`.
fn step_to_flexible(
    body: &Body,
    parent: &BodyKinematics,
    flexible: &Flexible,
    place: &FlexibleRef,
    q: &[f64],
    v: &[f64],
    S: &mut [Motion],
    out: &mut FlexKinematics,
) -> BodyKinematics {
    let (eta, eta_dot) = (&q[body.modal_q()], &v[body.modal_v()]);
    let (S_joint, S_modes) = S.split_at_mut(body.nv - body.modes);
    let node = node_motion(&flexible.data.nodes[place.joint_node], eta, eta_dot, S_modes);
    let X_MB = body.X_MB * node.X_BN.inverse();
    let mut at = step_outward(body, parent, &X_MB, &q[body.joint_q()], &v[body.joint_v()], S_joint);

    let to_origin = at.origin - at.X_GB.point(&node.X_BN.p);
    let lift = |m: &Motion| m.rotated(&at.X_GB.R).at(&to_origin);
    let (V_N, bias) = (lift(&node.V), lift(&node.bias));
    for column in S_modes.iter_mut() {
        *column = -lift(column);
    }
    at.V -= V_N;
    at.c -= at.V.cross(&V_N) + bias;
    let state = FlexState { eta, eta_dot, X_GB: &at.X_GB, r: at.X_GB.p - at.origin, V: at.V };
    at.I = flexible.update(&state, out);
    at
}

/// A node: carried by the body and moved by its modes.
fn step_to_node(
    body: &BodyKinematics,
    node: &Node,
    eta: &[f64],
    eta_dot: &[f64],
    columns: &mut [Motion],
) -> BodyKinematics {
    let motion = node_motion(node, eta, eta_dot, columns);
    let X_GN = body.X_GB * motion.X_BN;
    let to_origin = body.origin - X_GN.p;
    let lift = |m: &Motion| m.rotated(&body.X_GB.R).at(&to_origin);
    for column in columns.iter_mut() {
        *column = lift(column);
    }
    let V_N = lift(&motion.V);
    BodyKinematics {
        X_GB: X_GN,
        origin: body.origin,
        V: body.V + V_N,
        c: body.V.cross(&V_N) + lift(&motion.bias),
        I: SpatialInertia::ZERO,
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
/// With `(ω, u)` the velocity of M in F at M's origin and `(α, a)` its classical bias acceleration, the spatial one at
/// that point is `(α, a - ω × u)`.
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
