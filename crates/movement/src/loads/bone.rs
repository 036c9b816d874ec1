//! Every load on a flexible bone, its motion and its modes.

use super::cut::{Cut, SectionHistory};
use super::free_body::FreeBody;
use super::joint::carrier;
use crate::error::MovementError;
use wolff_bone::section::{PointLoad, SegmentMotion};
use wolff_multibody::Model;
use wolff_muscle::path::StationKind;
use wolff_spatial::{Force, Pose, Vec3};

/// A load on a bone and the node of the body that carries it.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeLoad {
    /// Name of the node: a joint or an attachment.
    pub node: String,
    /// Point of action on the deformed bone, in the floating frame, with force and moment in its axes.
    pub load: PointLoad,
}

/// A bone at a sample, in the axes of its floating frame.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneSample {
    /// Both joints, then every point of every muscle on the bone; the name says which joint or muscle applies the load.
    pub loads: Vec<NodeLoad>,
    /// Motion of the floating frame.
    pub motion: SegmentMotion,
    /// Modal coordinates η*, at which inertia is evaluated.
    pub eta: Vec<f64>,
    /// Modal speeds, at which velocity terms are evaluated.
    pub speed: Vec<f64>,
    /// Modal accelerations.
    pub acceleration: Vec<f64>,
    /// Modal coordinates at the end of the step, which give the elastic force `K η` and the strains.
    pub eta_end: Vec<f64>,
    /// Modal speeds that give the damping force `D η'`.
    pub speed_end: Vec<f64>,
}

/// Loads on a bone, one entry per sample, and its section loads.
#[derive(Clone, Debug, PartialEq)]
pub struct BoneLoads {
    /// The segment that the bone replaces.
    pub segment: String,
    /// Loads and motion.
    pub samples: Vec<BoneSample>,
    /// Section loads.
    pub sections: Vec<SectionHistory>,
}

impl BoneLoads {
    pub(super) fn new(segment: &str, cuts: &[Cut]) -> Self {
        let sections = cuts.iter().map(Cut::history).collect();
        BoneLoads { segment: segment.into(), samples: Vec::new(), sections }
    }
}

/// A flexible body in a model.
pub(super) struct Carrier {
    pub segment: String,
    body: usize,
    /// Bodies whose inboard joint is on it.
    children: Vec<usize>,
}

impl Carrier {
    pub fn new(model: &Model, segment: &str) -> Result<Self, MovementError> {
        let missing = || MovementError::Missing { what: "flexible body", name: segment.into(), purpose: "loads on it" };
        let body = model.body_index(segment).filter(|b| model.flexible(*b).is_some()).ok_or_else(missing)?;
        let hangs = |(child, b): (usize, &wolff_multibody::Body)| {
            (!b.is_node() && child != body && carrier(model, b.parent) == body).then_some(child)
        };
        let children = model.bodies().iter().enumerate().skip(1).filter_map(hangs).collect();
        Ok(Carrier { segment: segment.into(), body, children })
    }

    /// Loads, motion and modes at the sample `i` to which the free body was set.
    pub fn sample(&self, free: &FreeBody<'_>, i: usize) -> BoneSample {
        let (system, model, record) = (&free.system, free.model(), free.record());
        let at = &system.kin.bodies[self.body];
        let X_GB = at.X_GB;
        let felt = system.felt_acceleration(self.body);
        let into = |v: &Vec3| X_GB.R.tr_mul(v);
        let body = &model.bodies()[self.body];
        let driven = record.steps > 0;
        BoneSample {
            loads: self.joint_loads(free, &X_GB).into_iter().chain(self.muscle_loads(free, &X_GB)).collect(),
            motion: SegmentMotion {
                felt: into(&felt.v),
                angular_velocity: into(&at.V.w),
                angular_acceleration: into(&felt.w),
            },
            eta: record.predicted[i][body.modal_q()].to_vec(),
            speed: record.start[i][body.modal_v()].to_vec(),
            acceleration: record.a[i][body.modal_v()].to_vec(),
            eta_end: record.q[i][body.modal_q()].to_vec(),
            speed_end: if driven { &record.v } else { &record.start }[i][body.modal_v()].to_vec(),
        }
    }

    /// The inboard joint and the joints of all child bodies, each about its centre.
    fn joint_loads(&self, free: &FreeBody<'_>, X_GB: &Pose) -> Vec<NodeLoad> {
        let (system, model) = (&free.system, free.model());
        let joints = std::iter::once(self.body).chain(self.children.iter().copied());
        let load = |child: usize| {
            let b = &model.bodies()[child];
            // frame M of a flexible body is on a node
            let node = if child == self.body { system.joint_node(child) } else { b.parent };
            let carried = if child == self.body { node } else { system.joint_node(child) };
            let p_G = (system.kin.bodies[carried].X_GB * b.X_MB.inverse()).p;
            let sign = if child == self.body { 1.0 } else { -1.0 };
            self.load(model, node, &b.joint_name, &p_G, &(system.reaction(child) * sign), X_GB)
        };
        joints.map(load).collect()
    }

    /// Every station of every muscle on the bone, each with the sum of the unit vectors to its neighbours times the
    /// tension.
    fn muscle_loads(&self, free: &FreeBody<'_>, X_GB: &Pose) -> Vec<NodeLoad> {
        let model = free.model();
        let mut loads: Vec<NodeLoad> = Vec::new();
        for (name, geometry, tension) in free.muscles() {
            let first = loads.len();
            for (from, to, u) in geometry.straight_parts() {
                for (station, f) in [(from, u * tension), (to, u * -tension)] {
                    if station.body == self.body || carrier(model, station.body) != self.body {
                        continue;
                    }
                    let name = match station.kind {
                        StationKind::Point(k) => format!("{name}_{k}"),
                        StationKind::Arrives(k) => format!("{name}_arrives_{k}"),
                        StationKind::Leaves(k) => format!("{name}_leaves_{k}"),
                    };
                    let f = Force::new(Vec3::zeros(), f);
                    let new = self.load(model, station.body, &name, &station.p_G, &f, X_GB);
                    match loads[first..].iter_mut().find(|l| l.load.name == new.load.name) {
                        Some(known) => known.load.force += new.load.force,
                        None => loads.push(new),
                    }
                }
            }
        }
        loads
    }

    /// A load about a point in ground, in the axes of the floating frame.
    fn load(&self, model: &Model, node: usize, name: &str, p_G: &Vec3, force: &Force, X_GB: &Pose) -> NodeLoad {
        let full = &model.bodies()[node].name;
        let node = full.strip_prefix(&self.segment).and_then(|n| n.strip_prefix('.')).unwrap_or(full);
        let into = |v: &Vec3| X_GB.R.tr_mul(v);
        let load = PointLoad {
            name: name.into(),
            point: into(&(p_G - X_GB.p)),
            force: into(&force.f),
            moment: into(&force.n),
        };
        NodeLoad { node: node.into(), load }
    }
}
