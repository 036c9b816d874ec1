//! Joint reactions with muscle forces.

use crate::MotionError;
use crate::actuator::Actuator;
use crate::history::CoordinateHistory;
use crate::static_optimization::Motors;
use wolff_formats::Table;
use wolff_formats::sto::Storage;
use wolff_multibody::{Baumgarte, ForceElement, Instant, Loads, Model, System};
use wolff_muscle::{Drive, MuscleForce};
use wolff_numerics::TimeFunction;
use wolff_numerics::function::PiecewiseLinear;
use wolff_spatial::{Mat3, Vec3};

/// A body at a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The outboard body.
    #[default]
    Child,
    /// The inboard body.
    Parent,
}

/// Axes of a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Axes {
    /// Ground.
    #[default]
    Ground,
    /// A body of the joint.
    Of(Side),
}

/// A requested reaction.
#[derive(Clone, Debug, PartialEq)]
pub struct ReactionRequest {
    /// Name of the joint.
    pub joint: String,
    /// The loaded body.
    pub on: Side,
    /// The axes in which it is expressed.
    pub axes: Axes,
}

/// Reactions over time.
#[derive(Clone, Debug)]
pub struct ReactionLoads {
    /// Instants \[s\].
    pub times: Vec<f64>,
    /// For each reaction the prefix of OpenSim's labels: `knee_r_on_tibia_r_in_tibia_r`.
    pub labels: Vec<String>,
    /// For each instant and reaction: force \[N\], moment \[N m\], point where they act \[m\].
    pub rows: Vec<Vec<[Vec3; 3]>>,
}

/// An actuator with a known force over time.
#[derive(Debug)]
struct DrivenActuator {
    actuator: Actuator,
    force: TimeFunction,
}

impl ForceElement for DrivenActuator {
    fn name(&self) -> &str {
        &self.actuator.name
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        self.actuator.act(self.force.value(at.t), at, out);
    }
}

/// Applies the forces of a table to muscles and actuators of a model, linearly interpolated between rows.
pub fn add_motor_forces(model: &mut Model, motors: &Motors, forces: &Table) -> Result<(), MotionError> {
    let column = |name: &str| forces.column(name);
    let times = column("time").ok_or_else(|| MotionError::input("table of forces", "has no column `time`"))?;
    let function = |name: &str| -> Result<TimeFunction, MotionError> {
        let reason = "has no column in the table of forces; give the forces of this model with its actuators";
        let y = column(name).ok_or_else(|| MotionError::input(name, reason))?;
        let lines = PiecewiseLinear::new(&times, &y)
            .map_err(|cause| MotionError::Numerics { object: format!("forces of {name}"), cause })?;
        Ok(lines.into())
    };
    for muscle in &motors.muscles {
        let tension = function(muscle.path.name())?;
        model.add_force(Box::new(MuscleForce::new(muscle.path.clone(), Drive::Tension(tension))?))?;
    }
    for actuator in &motors.actuators {
        let force = function(&actuator.name)?;
        model.add_force(Box::new(DrivenActuator { actuator: actuator.clone(), force }))?;
    }
    Ok(())
}

/// Joint reactions of a motion under all forces of a model ([`add_motor_forces`] adds those of muscles).
///
/// Coordinates and speeds are the motion's; accelerations are those that the forces cause, `M a + Jᵀ λ = f`, as in
/// OpenSim's `JointReaction`. A reaction is the load of the joint on a body: force, and moment about the origin of the
/// joint's frame on that body, without forces of constraints elsewhere. Source: Featherstone, Rigid Body Dynamics
/// Algorithms, 2008, chapter 5, for the recursion.
pub fn joint_reactions(
    model: &Model,
    history: &CoordinateHistory,
    times: &[f64],
    requests: &[ReactionRequest],
    mut progress: impl FnMut(usize),
) -> Result<ReactionLoads, MotionError> {
    let bodies: Result<Vec<usize>, _> = requests.iter().map(|r| body_of(model, &r.joint)).collect();
    let bodies = bodies?;
    let labels = requests.iter().zip(&bodies).map(|(r, b)| label(model, r, *b)).collect();
    let mut system = System::new(model);
    let (mut q, mut v) = (vec![0.0; model.nq()], vec![0.0; model.nv()]);
    let (mut a, mut rest) = (vec![0.0; model.nv()], vec![0.0; model.nv()]);
    let mut rows = Vec::with_capacity(times.len());
    for (k, t) in times.iter().enumerate() {
        history.evaluate(*t, &mut q, &mut v, &mut a);
        system.accelerations(*t, &q, &v, Baumgarte::NONE, &mut a).map_err(MotionError::instant(*t))?;
        let lambda = system.lambda.clone();
        system.residual(*t, &q, &v, &a, &lambda, &mut rest);
        rows.push(requests.iter().zip(&bodies).map(|(r, b)| reaction(&system, r, *b)).collect());
        progress(k + 1);
    }
    Ok(ReactionLoads { times: times.to_vec(), labels, rows })
}

fn body_of(model: &Model, joint: &str) -> Result<usize, MotionError> {
    let missing = || MotionError::Unknown { owner: "joint reactions".into(), what: "joint", name: joint.into() };
    model.bodies().iter().position(|b| b.joint_name == joint).filter(|b| *b > 0).ok_or_else(missing)
}

/// The body on one side of the inboard joint of `child`.
fn on_side(model: &Model, child: usize, side: Side) -> usize {
    match side {
        Side::Child => child,
        Side::Parent => model.bodies()[child].parent,
    }
}

fn label(model: &Model, request: &ReactionRequest, child: usize) -> String {
    let name = |body: usize| model.bodies()[body].name.as_str();
    let frame = match request.axes {
        Axes::Ground => "ground",
        Axes::Of(side) => name(on_side(model, child, side)),
    };
    format!("{}_on_{}_in_{frame}", request.joint, name(on_side(model, child, request.on)))
}

/// Force, moment and point of one reaction.
fn reaction(system: &System<'_>, request: &ReactionRequest, child: usize) -> [Vec3; 3] {
    let body = &system.model.bodies()[child];
    let pose = |b: usize| system.kin.bodies[b].X_GB;
    let p_M = (pose(child) * body.X_MB.inverse()).p;
    let on_child = system.reaction(child);
    let (force, moment, point) = match request.on {
        Side::Child => (on_child.f, on_child.n, p_M),
        Side::Parent => {
            let p_F = (pose(body.parent) * body.X_PF).p;
            (-on_child.f, -(on_child.n + (p_M - p_F).cross(&on_child.f)), p_F)
        }
    };
    match request.axes {
        Axes::Ground => [force, moment, point],
        Axes::Of(side) => {
            let X = pose(on_side(system.model, child, side));
            let turn: Mat3 = X.R.transpose();
            [turn * force, turn * moment, X.inverse_point(&point)]
        }
    }
}

impl ReactionLoads {
    /// A table as OpenSim writes it, nine columns per reaction.
    pub fn to_storage(&self) -> Result<Storage, MotionError> {
        const PARTS: [&str; 9] = ["fx", "fy", "fz", "mx", "my", "mz", "px", "py", "pz"];
        let columns = self.labels.iter().flat_map(|l| PARTS.map(|part| format!("{l}_{part}")));
        let labels = std::iter::once("time".to_string()).chain(columns).collect();
        let row = |(t, row): (&f64, &Vec<[Vec3; 3]>)| {
            let numbers = row.iter().flatten().flat_map(|v| [v.x, v.y, v.z]);
            std::iter::once(*t).chain(numbers).collect()
        };
        let table = Table::new(labels, self.times.iter().zip(&self.rows).map(row).collect())?;
        Ok(Storage { name: "Joint Reaction Loads".into(), in_degrees: false, table, remarks: vec![] })
    }
}
