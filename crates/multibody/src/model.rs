//! The model: what the solver runs. Indices instead of names, bodies in depth-first order, constant during a
//! computation.

use crate::constraint::Constraint;
use crate::error::SpecError;
use crate::flexible::Flexible;
use crate::force::ForceElement;
use crate::spec::{FrameSpec, GROUND, JointKind};
use std::sync::Arc;
use wolff_spatial::{MassProperties, Pose, Vec3};

/// A body with the joint that carries it.
///
/// Its speeds are `v[v_start .. v_start + nv]`: those of its inboard joint first, its modal speeds after them. A rigid
/// body has no modes, so all its speeds are joint speeds. The nodes of a flexible body follow it as massless bodies
/// without speeds.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Index of the inboard body; 0 is ground.
    pub parent: usize,
    /// First body of the tree, whose origin is the reference point of all spatial vectors of the tree.
    pub root: usize,
    /// Name of the inboard joint.
    pub joint_name: String,
    /// The inboard joint.
    pub joint: JointKind,
    /// Frame F of the joint on the parent.
    pub X_PF: Pose,
    /// This body in frame M of the joint.
    pub X_MB: Pose,
    /// Frame F has the axes of the parent, so only its origin matters.
    pub(crate) parent_aligned: bool,
    /// Frame M is the body's own.
    pub(crate) child_coincides: bool,
    /// Mass properties in the body's frame.
    pub mass: MassProperties,
    /// First position coordinate.
    pub q_start: usize,
    /// Number of position coordinates.
    pub nq: usize,
    /// First speed.
    pub v_start: usize,
    /// Number of speeds.
    pub nv: usize,
    /// Number of modal coordinates, the last of its coordinates and speeds.
    pub modes: usize,
    /// What makes it flexible; none for rigid bodies and nodes.
    pub(crate) flexible: Option<FlexibleRef>,
    /// Set for the nodes of flexible bodies, which have no mass.
    pub(crate) node: Option<NodeRef>,
}

/// Where a flexible body is in the model's tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlexibleRef {
    /// Index of its data.
    pub index: usize,
    /// The node that frame M of its inboard joint is on.
    pub joint_node: usize,
    /// Bodies that are its nodes.
    pub nodes: (usize, usize),
}

/// Where a node is in the model's tables; its parent is the flexible body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeRef {
    /// Index of the flexible body's data.
    pub flexible: usize,
    /// Its number on the body.
    pub node: usize,
    /// First of its motion columns, one a mode.
    pub columns: usize,
    /// First modal coordinate of the flexible body.
    pub q_modes: usize,
    /// First modal speed of the flexible body.
    pub v_modes: usize,
    /// Whether a body hangs on it.
    pub carries: bool,
}

impl Body {
    /// Indices of its position coordinates.
    #[inline]
    pub fn q_range(&self) -> std::ops::Range<usize> {
        self.q_start..self.q_start + self.nq
    }

    /// Indices of its speeds.
    #[inline]
    pub fn v_range(&self) -> std::ops::Range<usize> {
        self.v_start..self.v_start + self.nv
    }

    /// Indices of the position coordinates of its inboard joint.
    #[inline]
    pub fn joint_q(&self) -> std::ops::Range<usize> {
        self.q_start..self.q_start + self.nq - self.modes
    }

    /// Indices of the speeds of its inboard joint.
    #[inline]
    pub fn joint_v(&self) -> std::ops::Range<usize> {
        self.v_start..self.v_start + self.nv - self.modes
    }

    /// Indices of its modal coordinates.
    #[inline]
    pub fn modal_q(&self) -> std::ops::Range<usize> {
        self.joint_q().end..self.q_start + self.nq
    }

    /// Indices of its modal speeds.
    #[inline]
    pub fn modal_v(&self) -> std::ops::Range<usize> {
        self.joint_v().end..self.v_start + self.nv
    }

    /// Whether it is a node of a flexible body.
    pub fn is_node(&self) -> bool {
        self.node.is_some()
    }
}

/// A frame on a body: the only thing joints, forces, contacts and markers attach to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Body index; 0 is ground.
    pub body: usize,
    /// Pose on the body.
    pub X_BF: Pose,
}

/// A multibody system ready to be computed with. A clone shares the force elements.
#[derive(Clone, Debug)]
pub struct Model {
    /// Name.
    pub name: String,
    /// Gravity in ground axes \[m/s²\].
    pub gravity: Vec3,
    pub(crate) bodies: Vec<Body>,
    pub(crate) flexible: Vec<Flexible>,
    pub(crate) coordinate_names: Vec<String>,
    /// Position coordinate whose rate is the speed, where there is one.
    pub(crate) position_of_speed: Vec<Option<usize>>,
    /// The next speed towards ground that moves the same body, or none.
    pub(crate) speed_parent: Vec<Option<usize>>,
    pub(crate) nq: usize,
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) row_count: usize,
    pub(crate) forces: Vec<Arc<dyn ForceElement>>,
    /// Initial coordinates as specified (not yet assembled).
    pub q0: Vec<f64>,
    /// Initial speeds as specified.
    pub v0: Vec<f64>,
}

impl Model {
    /// Number of position coordinates.
    pub fn nq(&self) -> usize {
        self.nq
    }

    /// Number of speeds.
    pub fn nv(&self) -> usize {
        self.coordinate_names.len()
    }

    /// Number of constraint rows.
    pub fn nc(&self) -> usize {
        self.row_count
    }

    /// Bodies in depth-first order; the first is ground.
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Number of bodies, ground and nodes not counted.
    pub fn body_count(&self) -> usize {
        self.bodies.iter().skip(1).filter(|b| !b.is_node()).count()
    }

    /// What makes a body flexible; none for rigid ones.
    pub fn flexible(&self, body: usize) -> Option<&Flexible> {
        self.bodies.get(body)?.flexible.map(|f| &self.flexible[f.index])
    }

    /// Whether any body is flexible.
    pub fn has_flexible(&self) -> bool {
        !self.flexible.is_empty()
    }

    /// Number of motion columns of all nodes.
    pub(crate) fn node_columns(&self) -> usize {
        self.bodies
            .iter()
            .filter_map(|b| b.node)
            .map(|n| n.columns + self.flexible[n.flexible].modes())
            .max()
            .unwrap_or(0)
    }

    /// Index of a body by name; 0 for ground.
    pub fn body_index(&self, name: &str) -> Option<usize> {
        self.bodies.iter().position(|b| b.name == name)
    }

    /// Names of the coordinates, one a speed.
    pub fn coordinate_names(&self) -> &[String] {
        &self.coordinate_names
    }

    /// Index of a speed by its coordinate's name.
    pub fn coordinate_index(&self, name: &str) -> Option<usize> {
        self.coordinate_names.iter().position(|n| n == name)
    }

    /// Position coordinate whose rate is speed `i`; none for angular velocities of ball and free joints.
    pub fn position_of_speed(&self, i: usize) -> Option<usize> {
        self.position_of_speed[i]
    }

    /// Constraints in the order of the specification.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// Name of the constraint that row `row` belongs to, with the number of the row in it.
    pub fn row_name(&self, row: usize) -> String {
        for c in &self.constraints {
            if row < c.start + c.rows.len() {
                let within = row - c.start + 1;
                return if c.rows.len() == 1 { c.name.clone() } else { format!("{} row {within}", c.name) };
            }
        }
        format!("row {row}")
    }

    /// Resolves a frame; none where the body (or `body.node`) is unknown, or a flexible body is named without a node.
    pub fn frame(&self, spec: &FrameSpec) -> Option<Frame> {
        let body = self.body_index(&spec.body)?;
        self.bodies[body].flexible.is_none().then_some(Frame { body, X_BF: spec.pose })
    }

    /// Force elements, contacts among them.
    pub fn forces(&self) -> &[Arc<dyn ForceElement>] {
        &self.forces
    }

    /// Adds a force element; its name must be new.
    pub fn add_force(&mut self, force: Box<dyn ForceElement>) -> Result<(), SpecError> {
        if self.forces.iter().any(|f| f.name() == force.name()) {
            return Err(SpecError::new(force.name(), "a force of this name exists already; give each its own name"));
        }
        self.forces.push(force.into());
        Ok(())
    }

    /// Replaces the mass properties of a rigid body. Bodies are numbered as in [`Model::bodies`].
    pub fn set_mass(&mut self, body: usize, mass: MassProperties) -> Result<(), SpecError> {
        let unknown = || SpecError::new(format!("body {body}"), "the model has no rigid body of this number");
        let found = self.bodies.get_mut(body).filter(|b| b.flexible.is_none() && b.node.is_none());
        found.ok_or_else(unknown)?.mass = mass;
        Ok(())
    }

    /// Total mass \[kg\].
    pub fn total_mass(&self) -> f64 {
        self.bodies.iter().map(|b| b.mass.mass).sum()
    }

    /// Rates `q' = N(q) v` of all coordinates.
    pub fn rates(&self, q: &[f64], v: &[f64], rate: &mut [f64]) {
        for b in &self.bodies[1..] {
            b.joint.rates(&q[b.joint_q()], &v[b.joint_v()], &mut rate[b.joint_q()]);
            rate[b.modal_q()].copy_from_slice(&v[b.modal_v()]);
        }
    }

    /// `q ⊕ d`: moves every joint by the displacement `d` along its manifold.
    pub fn retract(&self, q: &[f64], d: &[f64], out: &mut [f64]) {
        for b in &self.bodies[1..] {
            b.joint.retract(&q[b.joint_q()], &d[b.joint_v()], &mut out[b.joint_q()]);
            for (i, k) in b.modal_q().zip(b.modal_v()) {
                out[i] = q[i] + d[k];
            }
        }
    }

    /// Scales the quaternions in `q` to unit norm; returns whether any was off by more than rounding.
    pub fn normalize(&self, q: &mut [f64]) -> bool {
        let mut changed = false;
        for b in &self.bodies[1..] {
            if !b.joint.has_quaternion() {
                continue;
            }
            let stored = wolff_spatial::Quaternion::from_slice(&q[b.q_start..]);
            if let Some(unit) = stored.normalized() {
                changed |= (stored.norm() - 1.0).abs() > 4.0 * f64::EPSILON;
                unit.write(&mut q[b.q_start..b.q_start + 4]);
            }
        }
        changed
    }

    /// The immovable body.
    pub(crate) fn ground() -> Body {
        Body {
            name: GROUND.into(),
            parent: 0,
            root: 0,
            joint_name: String::new(),
            joint: JointKind::Weld,
            X_PF: Pose::identity(),
            X_MB: Pose::identity(),
            parent_aligned: true,
            child_coincides: true,
            mass: MassProperties { mass: 0.0, com: Vec3::zeros(), inertia: wolff_spatial::Mat3::zeros() },
            q_start: 0,
            nq: 0,
            v_start: 0,
            nv: 0,
            modes: 0,
            flexible: None,
            node: None,
        }
    }
}
