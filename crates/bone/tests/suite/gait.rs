//! The recorded walk with its muscle forces, and reference section loads: files that are not part of the project.

use nalgebra::DVector;
use serde_json::Value;
use std::path::PathBuf;
use wolff_bone::gauges::{face_row, ring};
use wolff_bone::parametric::{BoneKind, Sex, Side, length_from_stature};
use wolff_bone::person::Solid;
use wolff_bone::section::{MuscleLoad, PointLoad, SegmentState, rigid_segment};
use wolff_bone::segment::{Attachment, AttachmentKind, Basis, BoneRecipe, WalkingBone};
use wolff_formats::{Table, osim, sto};
use wolff_motion::{MotionType, Muscle};
use wolff_multibody::force::{WrenchRow, WrenchTable};
use wolff_multibody::{Model, System};
use wolff_muscle::{Drive, MuscleForce};
use wolff_numerics::TimeFunction;
use wolff_numerics::function::PiecewiseLinear;
use wolff_numerics::spline::{CubicSpline, EndCondition};
use wolff_opensim::{OpensimModel, convert};
use wolff_spatial::Vec3;

/// Distance of knee and ankle centre of the recorded person [m].
pub const SHANK: f64 = 0.425_064_89;

/// The tibia of the recorded person, who was 1.80 m tall: the mean CT sections as they are.
pub fn recorded_tibia() -> Solid {
    let length = length_from_stature(BoneKind::Tibia, Sex::Male, 1.80).unwrap();
    Solid::tibia(length, Side::Right).unwrap().in_segment(SHANK).unwrap()
}

/// A file beside the workspace, or none with a line that says so.
pub fn shared(path: &str) -> Option<PathBuf> {
    wolff_testdata::shared(path)
}

/// The data of a reference file.
pub fn reference(name: &str) -> Option<Value> {
    let text = std::fs::read_to_string(shared(&format!("reference/{name}"))?).unwrap();
    serde_json::from_str::<Value>(&text).unwrap().get("data").cloned()
}

/// Numbers of an array.
pub fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn table(path: &str) -> Option<Table> {
    Some(sto::read(&std::fs::read(shared(&format!("data/gait1992-pipeline/{path}"))?).unwrap()).unwrap().table)
}

/// Loads of a walking tibia by node: joints take the ends, patches the shaft.
pub struct Loaded {
    pub bone: WalkingBone,
    pub solid: Solid,
}

impl Loaded {
    pub fn new(solid: Solid, states: &[Vec<PointLoad>], basis: Basis) -> Self {
        let mut attachments: Vec<Attachment> = Vec::new();
        for load in states.iter().flatten() {
            let name = format!("p{}", attachments.len());
            let attachment = Attachment::at(&name, load.point, &solid.ends);
            let known = |a: &Attachment| (a.point - load.point).norm() < 1e-9;
            if matches!(attachment.kind, AttachmentKind::Patch { .. }) && !attachments.iter().any(known) {
                attachments.push(attachment);
            }
        }
        let mut recipe = BoneRecipe::new("tibia_r", &solid);
        recipe.attachments = attachments;
        recipe.gauges = face_row(&solid, 0.5).unwrap();
        recipe.gauges.extend(ring(&solid, 0.5, "").unwrap());
        recipe.basis = basis;
        let bone = recipe.make().unwrap();
        println!("modes {}, near gauges {:?}", bone.body.modes(), bone.report.near_gauges);
        Loaded { bone, solid }
    }

    /// Static modal coordinates under loads out of balance, which the bone's own inertia balances.
    pub fn statics(&self, loads: &[PointLoad]) -> Vec<f64> {
        let body = &self.bone.body;
        let mut force = DVector::zeros(body.modes());
        for load in loads {
            let fraction = self.solid.ends.fraction(load.point.y);
            let node = if fraction < 0.12 {
                body.node("knee").unwrap()
            } else if fraction > 0.88 {
                body.node("ankle").unwrap()
            } else {
                let near = |a: &&Attachment| (a.point - load.point).norm() < 1e-9;
                body.node(&self.bone.attachments.iter().find(near).unwrap().name).unwrap()
            };
            let moment = load.moment + (load.point - node.position).cross(&load.force);
            force += node.translation.transpose() * load.force + node.rotation.transpose() * moment;
        }
        body.stiffness.clone().cholesky().unwrap().solve(&force).as_slice().to_vec()
    }
}

/// The walk of file 12: model with muscles and ground forces, motion, tensions.
pub struct Gait {
    pub model: Model,
    pub muscles: Vec<Muscle>,
    motion: Vec<Option<CubicSpline>>,
    tensions: Vec<TimeFunction>,
}

impl Gait {
    pub fn new() -> Option<Self> {
        let bytes = shared("data/gait1992-pipeline/residual_reduction_algorithm/model_adjusted.osim")?;
        let converted = convert(&osim::read(&std::fs::read(bytes).unwrap()).unwrap()).unwrap();
        let mut model = converted.build().unwrap();
        let forces = table("static_optimization/task_StaticOptimization_force.sto")?;
        let muscles: Vec<Muscle> = converted.muscles.iter().map(|m| m.resolve(&model).unwrap()).collect();
        let times = forces.column("time").unwrap();
        let tension = |m: &Muscle| {
            let values = forces.column(m.hill.name()).unwrap();
            TimeFunction::PiecewiseLinear(PiecewiseLinear::new(&times, &values).unwrap())
        };
        let tensions: Vec<TimeFunction> = muscles.iter().map(tension).collect();
        for (muscle, tension) in muscles.iter().zip(&tensions) {
            let force = MuscleForce::new(muscle.path.clone(), Drive::Tension(tension.clone())).unwrap();
            model.add_force(Box::new(force)).unwrap();
        }
        add_ground(&mut model, &table("experimental_data/task_grf.mot")?);
        let motion = motion(&converted, &model, &table("residual_reduction_algorithm/task_Kinematics_q.sto")?);
        Some(Gait { model, muscles, motion, tensions })
    }

    /// Loads and motion of a body at a time.
    pub fn segment(&self, system: &mut System<'_>, body: &str, t: f64) -> SegmentState {
        let model = &self.model;
        let (mut q, mut v, mut a) = (model.q0.clone(), vec![0.0; model.nv()], vec![0.0; model.nv()]);
        for (i, spline) in self.motion.iter().enumerate() {
            let Some(spline) = spline else { continue };
            let at = spline.evaluate(t);
            q[model.position_of_speed(i).unwrap()] = at.value;
            (v[i], a[i]) = (at.d1, at.d2);
        }
        let mut missing = vec![0.0; model.nv()];
        system.residual(t, &q, &v, &a, &vec![0.0; model.nc()], &mut missing);
        let at = system.instant(t, &q, &v, None);
        let ways: Vec<_> = self.muscles.iter().map(|m| m.path.solve(&at, None)).collect();
        let pulls = self.muscles.iter().zip(&ways).zip(&self.tensions);
        let loads: Vec<MuscleLoad<'_>> = pulls
            .map(|((m, geometry), tension)| MuscleLoad { path: &m.path, geometry, tension: tension.value(t) })
            .collect();
        rigid_segment(system, model.body_index(body).unwrap(), &loads)
    }
}

fn add_ground(model: &mut Model, plates: &Table) {
    for (foot, prefix) in [("calcn_r", ""), ("calcn_l", "1_")] {
        let column = |what: &str, axis: &str| plates.column(&format!("{prefix}ground_{what}{axis}")).unwrap();
        let vectors = |what: &str| -> Vec<Vec3> {
            let [x, y, z] = ["x", "y", "z"].map(|axis| column(what, axis));
            x.iter().zip(&y).zip(&z).map(|((x, y), z)| Vec3::new(*x, *y, *z)).collect()
        };
        let (force, point, torque) = (vectors("force_v"), vectors("force_p"), vectors("torque_"));
        let rows = (0..force.len()).map(|k| WrenchRow { force: force[k], point: point[k], torque: torque[k] });
        let body = model.body_index(foot).unwrap();
        let times = plates.column("time").unwrap();
        model.add_force(Box::new(WrenchTable::new(foot, body, times, rows.collect()).unwrap())).unwrap();
    }
}

/// Splines through the recorded coordinates, by speed.
fn motion(converted: &OpensimModel, model: &Model, recorded: &Table) -> Vec<Option<CubicSpline>> {
    // the last row of the file has the time of the one before
    let count = recorded.rows().len() - 1;
    let times = &recorded.column("time").unwrap()[..count];
    let mut splines = vec![None; model.nv()];
    for name in &recorded.labels()[1..] {
        let turns = converted.coordinates.iter().any(|c| &c.name == name && c.motion == MotionType::Rotational);
        let scale = if turns { 1f64.to_radians() } else { 1.0 };
        let values: Vec<f64> = recorded.column(name).unwrap()[..count].iter().map(|x| x * scale).collect();
        let spline = CubicSpline::new(times, &values, EndCondition::NotAKnot).unwrap();
        splines[model.coordinate_index(name).unwrap()] = Some(spline);
    }
    splines
}
