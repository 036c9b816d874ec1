//! A flexible bone in the place of a rigid shank.

use crate::gait::shared;
use crate::{FEW, tibia};
use wolff_bone::gauges::face_row;
use wolff_bone::parametric::Side;
use wolff_bone::person::Solid;
use wolff_bone::segment::model::attachments;
use wolff_bone::segment::{Basis, BoneRecipe};
use wolff_formats::osim;
use wolff_multibody::spec::{FrameSpec, JointKind, JointSpec, ModelSpec};
use wolff_multibody::{Baumgarte, Model, System};
use wolff_muscle::path::{PathSpec, PointSpec};
use wolff_muscle::{Drive, MuscleForce, Path};
use wolff_numerics::TimeFunction;
use wolff_spatial::Vec3;

/// The whole recorded person with a flexible right tibia: undeformed it stands as the rigid one, weighs as much,
/// every muscle is as long, and pulls the same on all coordinates of the rigid model.
#[test]
fn a_person_gets_a_flexible_tibia() {
    let Some(file) = shared("data/gait1992-pipeline/residual_reduction_algorithm/model_adjusted.osim") else { return };
    let converted = wolff_opensim::convert(&osim::read(&std::fs::read(file).unwrap()).unwrap()).unwrap();
    let rigid = converted.build().unwrap();
    let paths: Vec<PathSpec> = converted.muscles.iter().map(|m| m.path.clone()).collect();
    let segment = rigid.bodies()[rigid.body_index("tibia_r").unwrap()].mass;
    let solid = Solid::tibia(0.39, Side::Right).unwrap().in_segment(0.42506489).unwrap();
    let mut recipe = BoneRecipe::new("tibia_r", &solid);
    recipe.attachments = attachments(&paths, "tibia_r", &solid);
    recipe.gauges = face_row(&solid, 0.5).unwrap();
    recipe.segment = Some(segment);
    recipe.basis = FEW;
    let bone = recipe.make().unwrap();
    println!(
        "{} attachments, {} of {} modes, gauges to {:.1e}",
        bone.attachments.len(),
        bone.body.modes(),
        bone.report.available,
        bone.report.gauge_error
    );
    let mut spec = converted.spec.clone();
    bone.replace_in(&mut spec).unwrap();
    let model = Model::build(&spec).unwrap();
    assert!((model.total_mass() - rigid.total_mass()).abs() < 1e-9);
    // the same pose, some knee flexion
    let pose = |model: &Model| {
        let mut q = model.q0.clone();
        for (name, value) in [("knee_angle_r", -0.6), ("hip_flexion_r", 0.3), ("ankle_angle_r", 0.1)] {
            q[model.position_of_speed(model.coordinate_index(name).unwrap()).unwrap()] = value;
        }
        q
    };
    let (q, q_rigid) = (pose(&model), pose(&rigid));
    let (v, v_rigid) = (vec![0.0; model.nv()], vec![0.0; rigid.nv()]);
    let (mut system, mut rigid_system) = (System::new(&model), System::new(&rigid));
    system.update_kinematics(&q, &v);
    rigid_system.update_kinematics(&q_rigid, &v_rigid);
    let toes = |system: &System<'_>| system.kin.bodies[system.model.body_index("toes_r").unwrap()].X_GB.p;
    assert!((toes(&system) - toes(&rigid_system)).norm() < 1e-12);
    let at = system.instant(0.0, &q, &v, None);
    let rigid_at = rigid_system.instant(0.0, &q_rigid, &v_rigid, None);
    let speed = |model: &Model, name: &str| model.coordinate_index(name).unwrap();
    for path in &paths {
        let carried = Path::new(&bone.carry(path).unwrap(), &model).unwrap();
        let plain = Path::new(path, &rigid).unwrap();
        let (a, b) = (carried.solve(&at, None), plain.solve(&rigid_at, None));
        assert!((a.length - b.length).abs() < 1e-12, "{}", path.name);
        for name in ["knee_angle_r", "ankle_angle_r", "hip_flexion_r"] {
            let [x, y] = [
                carried.moment_arm(&a, &at, speed(&model, name)),
                plain.moment_arm(&b, &rigid_at, speed(&rigid, name)),
            ];
            assert!((x - y).abs() < 1e-12, "{} about {name}: {x} {y}", path.name);
        }
    }
}

/// A muscle that pulls on the flexible bone makes finite accelerations, and a path with an unknown point is refused.
#[test]
fn paths_find_their_attachments() {
    let path = |points: Vec<Vec3>| PathSpec {
        name: "m".into(),
        points: points.into_iter().map(|p| PointSpec::fixed("shank_r", p)).chain([heel()]).collect(),
        wraps: Vec::new(),
        construction: Default::default(),
    };
    let soleus = path(vec![Vec3::new(-0.01, -0.16, 0.0), Vec3::new(-0.02, -0.40, 0.0)]);
    let mut recipe = BoneRecipe::new("shank_r", tibia());
    recipe.attachments = attachments(std::slice::from_ref(&soleus), "shank_r", tibia());
    recipe.basis = Basis::Lowest(6);
    let bone = recipe.make().unwrap();
    let carried = bone.carry(&soleus).unwrap();
    assert_eq!(
        carried.points.iter().map(|p| p.body.as_str()).collect::<Vec<_>>(),
        ["shank_r.m_0", "shank_r.ankle", "ground"]
    );
    assert!(bone.carry(&path(vec![Vec3::new(0.0, -0.2, 0.0)])).unwrap_err().to_string().contains("attachment"));
    let mut spec = ModelSpec { name: "shank".into(), ..Default::default() };
    assert!(bone.replace_in(&mut spec).is_err());
    spec.bodies.push(bone.body_spec());
    spec.joints.push(JointSpec {
        name: "knee".into(),
        kind: JointKind::Ball,
        parent: FrameSpec::at("ground", Vec3::zeros()),
        child: FrameSpec::at("shank_r", Vec3::zeros()),
        coordinates: Vec::new(),
        q0: Vec::new(),
        v0: Vec::new(),
    });
    bone.replace_in(&mut spec).unwrap();
    let mut model = Model::build(&spec).unwrap();
    let path = Path::new(&carried, &model).unwrap();
    let force = MuscleForce::new(path, Drive::Tension(TimeFunction::Constant(800.0))).unwrap();
    model.add_force(Box::new(force)).unwrap();
    let mut system = System::new(&model);
    let mut a = vec![0.0; model.nv()];
    system.accelerations(0.0, &model.q0, &model.v0, Baumgarte::NONE, &mut a).unwrap();
    assert!(a.iter().any(|x| *x != 0.0));
}

fn heel() -> PointSpec {
    PointSpec::fixed("ground", Vec3::new(-0.05, -0.46, 0.0))
}
