//! A flexible shank in a model: its section loads both ways, and the strain that they make.

use crate::{LENGTH, recipe, tibia};
use wolff_bone::section::{MassAlong, Way, flexible_segment, section_load};
use wolff_multibody::force::PointForce;
use wolff_multibody::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec};
use wolff_multibody::{Baumgarte, Model, System};
use wolff_numerics::TimeFunction;
use wolff_spatial::{MassProperties, Mat3, Vec3};

/// A shank that swings on a knee with a foot on it while soleus pulls. With all accelerations of an instant, loads
/// and inertia of the whole shank are in balance, so both ways of a cut give one load; what is missing is the inertia
/// of vibration, none at rest.
#[test]
fn a_swinging_flexible_shank_has_one_section_load() {
    let inertia = Mat3::from_diagonal(&Vec3::new(0.0475, 0.0048, 0.0482));
    let segment = MassProperties::new(3.58, Vec3::new(0.0, -0.1845, 0.0), inertia).unwrap();
    let mut recipe = recipe(tibia());
    recipe.segment = Some(segment);
    let bone = recipe.make().unwrap();
    let joint = |name: &str, parent: FrameSpec, child: FrameSpec| JointSpec {
        name: name.into(),
        kind: JointKind::Pin { axis: Vec3::z() },
        parent,
        child,
        coordinates: Vec::new(),
        q0: vec![0.3],
        v0: vec![1.7],
    };
    let foot = MassProperties::new(1.2, Vec3::new(0.06, -0.03, 0.0), Mat3::identity() * 0.004).unwrap();
    let spec = ModelSpec {
        name: "leg".into(),
        gravity: Vec3::new(0.0, -9.81, 0.0),
        bodies: vec![bone.body_spec(), BodySpec::rigid("foot", foot)],
        joints: vec![
            joint("knee", FrameSpec::at(GROUND, Vec3::zeros()), bone.joint_frame(0)),
            joint("ankle", bone.joint_frame(1), FrameSpec::at("foot", Vec3::zeros())),
        ],
        constraints: Vec::new(),
    };
    let mut model = Model::build(&spec).unwrap();
    let soleus = model.frame(&bone.frame("soleus").unwrap()).unwrap();
    let pull = [40.0, -600.0, 15.0].map(TimeFunction::Constant);
    let none = [0.0; 3].map(TimeFunction::Constant);
    model.add_force(Box::new(PointForce::new("soleus", soleus, pull, none, false))).unwrap();
    let mut system = System::new(&model);
    let (q, v) = (model.q0.clone(), model.v0.clone());
    let mut a = vec![0.0; model.nv()];
    system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut a).unwrap();
    // as if the modes were at rest
    let shank = model.body_index("shank_r").unwrap();
    model.bodies()[shank].modal_v().for_each(|i| a[i] = 0.0);
    let mut missing = vec![0.0; model.nv()];
    system.residual(0.0, &q, &v, &a, &[], &mut missing);
    let state = flexible_segment(&system, shank);
    let mass = MassAlong::new(&segment, LENGTH).unwrap();
    for fraction in [0.2, 0.5, 0.8] {
        let point = Vec3::new(0.005, -fraction * LENGTH, 0.0);
        let [d, p] =
            [Way::Distal, Way::Proximal].map(|way| section_load(&point, &state.loads, &state.motion, &mass, way));
        assert!((d.force - p.force).norm() < 1e-8 && (d.moment - p.moment).norm() < 1e-8, "{d:?} {p:?}");
    }
}
