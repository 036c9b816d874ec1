//! All loads on a segment of a model at an instant, in its axes.

use wolff_multibody::System;
use wolff_muscle::{Path, PathGeometry};
use wolff_spatial::{Force, Pose, Vec3};

use super::resultant::{PointLoad, SegmentMotion};

/// Loads and motion of a segment at an instant.
#[derive(Debug, Clone, PartialEq)]
pub struct SegmentState {
    /// All loads on it except weight.
    pub loads: Vec<PointLoad>,
    /// Its motion.
    pub motion: SegmentMotion,
}

/// A muscle with its path geometry and tension at an instant.
#[derive(Debug, Clone, Copy)]
pub struct MuscleLoad<'a> {
    /// Its path.
    pub path: &'a Path,
    /// Geometry of the path at this instant.
    pub geometry: &'a PathGeometry,
    /// Tension \[N\].
    pub tension: f64,
}

/// The state of a rigid body after [`System::residual`] with all forces of the instant (muscles too) in the model.
///
/// Loads: the inboard joint, the joints of all bodies that hang on it, and every station of every muscle on it, each
/// with the sum of the unit vectors to its neighbours times the tension. Joint loads are what the joint transmits
/// altogether: constraint forces, the moment of coordinate actuators, and the generalised force of path points that
/// move with a coordinate. Other forces that the model puts on the body itself (contacts, springs) are not listed:
/// the two ways of a section would differ by them.
pub fn rigid_segment(system: &System<'_>, body: usize, muscles: &[MuscleLoad<'_>]) -> SegmentState {
    let X_GB = system.kin.bodies[body].X_GB;
    let mut loads = Vec::new();
    for (child, b) in system.model.bodies().iter().enumerate().skip(1) {
        if child != body && b.parent != body {
            continue;
        }
        let X_GM = system.kin.bodies[child].X_GB * b.X_MB.inverse();
        let sign = if child == body { 1.0 } else { -1.0 };
        loads.push(load(&b.joint_name, &X_GB, &X_GM.p, &(system.reaction(child) * sign)));
    }
    for muscle in muscles {
        for (from, to, u) in muscle.geometry.straight_parts() {
            for (station, f) in [(from, u * muscle.tension), (to, u * -muscle.tension)] {
                if station.body == body {
                    loads.push(load(muscle.path.name(), &X_GB, &station.p_G, &Force::new(Vec3::zeros(), f)));
                }
            }
        }
    }
    SegmentState { loads, motion: motion(system, body) }
}

/// The state of a flexible body after [`System::residual`]: what acts on its nodes. The inertia of its vibration is
/// left out, and the nodes are taken where they are on the undeformed bone.
pub fn flexible_segment(system: &System<'_>, body: usize) -> SegmentState {
    let X_GB = system.kin.bodies[body].X_GB;
    let nodes = system.model.bodies().iter().enumerate().filter(|(_, b)| b.is_node() && b.parent == body);
    let loads = nodes.filter_map(|(node, b)| {
        let p_G = system.kin.bodies[node].X_GB.p;
        system.node_load(node).map(|force| load(&b.name, &X_GB, &p_G, &force))
    });
    SegmentState { loads: loads.collect(), motion: motion(system, body) }
}

/// A load about a point in ground, in the body's axes.
fn load(name: &str, X_GB: &Pose, p_G: &Vec3, force: &Force) -> PointLoad {
    let into = X_GB.R.transpose();
    PointLoad { name: name.into(), point: into * (p_G - X_GB.p), force: into * force.f, moment: into * force.n }
}

fn motion(system: &System<'_>, body: usize) -> SegmentMotion {
    let k = &system.kin.bodies[body];
    let into = k.X_GB.R.transpose();
    let felt = system.felt_acceleration(body);
    SegmentMotion { felt: into * felt.v, angular_velocity: into * k.V.w, angular_acceleration: into * felt.w }
}
