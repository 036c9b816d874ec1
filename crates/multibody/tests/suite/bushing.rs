//! The six-component spring: forces are the gradient of its energy at any rotation, damping takes what it must, nonsense is refused.

use crate::fixtures::*;
use nalgebra::{Matrix6, Vector6};
use wolff_multibody::force::Bushing;
use wolff_multibody::spec::*;
use wolff_multibody::{Baumgarte, ForceElement, Frame, Model, System};
use wolff_spatial::{Force, Pose, Quaternion, Vec3};

/// A full stiffness matrix with different entries everywhere, positive definite.
fn full_matrix(scale: f64) -> Matrix6<f64> {
    let root =
        Matrix6::from_fn(|i, j| ((1.3 * i as f64 + 0.7 * j as f64).sin() + f64::from(u8::from(i == j))) * scale.sqrt());
    root * root.transpose()
}

fn frames() -> (Frame, Frame) {
    let at = |body: usize, seed: f64| Frame { body, X_BF: tilted(seed, Vec3::new(0.1, 0.2, -0.3)) };
    (at(3, 0.3), at(9, 1.9))
}

/// The rate of the whole energy is what the damper takes, `-ξ'ᵀ D ξ'`, in a tree whose frames are far turned from each other.
#[test]
fn energy_changes_by_what_the_damper_takes() {
    for damping in [0.0, 3.0] {
        let mut model = zoo();
        let (a, b) = frames();
        let bushing = Bushing::new("bushing", a, b, full_matrix(40.0), full_matrix(damping)).unwrap();
        model.add_force(Box::new(bushing.clone())).unwrap();
        let mut system = System::new(&model);
        let (q, v) = state(&model, 0.4);
        let mut acceleration = vec![0.0; model.nv()];
        system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut acceleration).unwrap();
        let at = system.instant(0.0, &q, &v, None);
        let (xi, rate) = (bushing.deformation(&at), bushing.deformation_rate(&at));
        assert!(xi.fixed_rows::<3>(3).norm() > 0.5, "a large rotation, so that J matters");
        let expected = -rate.dot(&(full_matrix(damping) * rate));
        let h = 1e-6;
        let mut energy = |h: f64| {
            let v: Vec<f64> = v.iter().zip(&acceleration).map(|(v, a)| v + h * a).collect();
            let q = moved(&model, &q, &v, h);
            system.update_kinematics(&q, &v);
            let (kinetic, potential) = system.energy(0.0, &q, &v);
            kinetic + potential
        };
        let change = (energy(h) - energy(-h)) / (2.0 * h);
        // central differences of an energy of some 100 J in steps of 1e-6 s
        assert!((change - expected).abs() < 1e-4 * (1.0 + expected.abs()), "{change} {expected}");
    }
}

/// The rate of the deformation has its finite-difference twin.
#[test]
fn rate_is_the_derivative_of_the_deformation() {
    let model = zoo();
    let (a, b) = frames();
    let bushing = Bushing::new("bushing", a, b, Matrix6::identity(), Matrix6::zeros()).unwrap();
    let mut system = System::new(&model);
    let (q, v) = state(&model, 0.4);
    let mut deformation = |h: f64| -> Vector6<f64> {
        let q = moved(&model, &q, &v, h);
        system.update_kinematics(&q, &v);
        bushing.deformation(&system.instant(0.0, &q, &v, None))
    };
    let h = 1e-5;
    let difference = (deformation(h) - deformation(-h)) / (2.0 * h);
    system.update_kinematics(&q, &v);
    let rate = bushing.deformation_rate(&system.instant(0.0, &q, &v, None));
    assert!((rate - difference).amax() < 1e-7 * (1.0 + rate.amax()), "{rate} {difference}");
}

/// Ground holds a body by a diagonal bushing: six known displacements give six known components.
#[test]
fn small_deformations_are_linear() {
    let stiffness = Vector6::new(1e3, 2e3, 3e3, 40.0, 50.0, 60.0);
    let spec = ModelSpec {
        name: "held".into(),
        bodies: vec![BodySpec::rigid("lump", lump(0.3))],
        joints: vec![JointSpec {
            name: "free".into(),
            kind: JointKind::Free,
            parent: FrameSpec::at(GROUND, Vec3::zeros()),
            child: FrameSpec::at("lump", Vec3::zeros()),
            coordinates: vec![],
            q0: vec![],
            v0: vec![],
        }],
        ..Default::default()
    };
    let model = Model::build(&spec).unwrap();
    let origin = |body: usize| Frame { body, X_BF: Pose::IDENTITY };
    let bushing =
        Bushing::new("held", origin(0), origin(1), Matrix6::from_diagonal(&stiffness), Matrix6::zeros()).unwrap();
    let xi = Vector6::new(1e-3, -2e-3, 3e-3, 4e-4, 5e-4, -6e-4);
    let turn = Quaternion::from_rotation_vector(&Vec3::new(xi[3], xi[4], xi[5]));
    let q = [turn.w, turn.v.x, turn.v.y, turn.v.z, xi[0], xi[1], xi[2]];
    let mut system = System::new(&model);
    system.update_kinematics(&q, &[0.0; 6]);
    let at = system.instant(0.0, &q, &[0.0; 6], None);
    assert!((bushing.deformation(&at) - xi).amax() < 1e-15);
    let energy = 0.5 * xi.component_mul(&xi).dot(&stiffness);
    assert!((bushing.potential_energy(&at) - energy).abs() < 1e-12 * energy);
}

#[test]
fn matrices_that_release_energy_are_refused() {
    let (a, b) = frames();
    let refused = |stiffness: Matrix6<f64>, damping: Matrix6<f64>| {
        Bushing::new("odd", a, b, stiffness, damping).unwrap_err().to_string()
    };
    let good = Matrix6::identity();
    let mut skewed = good;
    skewed[(0, 4)] = 0.5;
    let mut negative = good;
    negative[(5, 5)] = -1.0;
    assert!(refused(skewed, good).contains("symmetric"));
    assert!(refused(good, negative).contains("negative eigenvalue"));
    assert!(refused(good * f64::NAN, good).contains("finite"));
}

/// A flexible body without modes: the loads at its nodes are all that moves it.
#[test]
fn node_loads_balance_the_motion_of_the_body() {
    let mut spec = zoo_spec();
    spec.bodies[3] = BodySpec::flexible("b3", std::sync::Arc::new(soft_lump("b3", 0, 0.6, false)));
    for joint in &mut spec.joints {
        if joint.child.body == "b3" {
            joint.child.body = "b3.p1".into();
        }
        if joint.parent.body == "b3" {
            joint.parent.body = "b3.p4".into();
        }
    }
    let mut model = Model::build(&spec).unwrap();
    let (a, b) = (model.frame(&FrameSpec::at("b3.p2", Vec3::new(0.1, 0.0, 0.2))).unwrap(), frames().0);
    model.add_force(Box::new(Bushing::new("push", a, b, full_matrix(50.0), full_matrix(2.0)).unwrap())).unwrap();
    let body = model.body_index("b3").unwrap();
    let mut system = System::new(&model);
    let (q, v) = state(&model, 0.4);
    let mut acceleration = vec![0.0; model.nv()];
    system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut acceleration).unwrap();
    system.residual(0.0, &q, &v, &acceleration, &[], &mut vec![0.0; model.nv()]);
    let com = system.kin.bodies[body].X_GB.point(&model.bodies()[body].mass.com);
    let mut total = Force::ZERO;
    let mut loaded = 0;
    for (i, node) in model.bodies().iter().enumerate().filter(|(_, b)| b.is_node()) {
        assert_eq!(node.parent, body);
        let load = system.node_load(i).unwrap();
        loaded += usize::from(load.f.norm() > 1e-9);
        total += load.at(&(com - system.kin.bodies[i].X_GB.p));
    }
    // inboard joint, outboard bodies, bushing
    assert_eq!(loaded, 3);
    let felt = system.felt_acceleration(body);
    let k = &system.kin.bodies[body];
    let r = com - k.X_GB.p;
    let a_com = felt.v + felt.w.cross(&r) + k.V.w.cross(&k.V.w.cross(&r));
    let mass = &model.bodies()[body].mass;
    let I = k.X_GB.R * mass.inertia * k.X_GB.R.transpose();
    let spin = I * felt.w + k.V.w.cross(&(I * k.V.w));
    assert!((total.f - a_com * mass.mass).norm() < 1e-9 * total.f.norm(), "{} {}", total.f, a_com * mass.mass);
    assert!((total.n - spin).norm() < 1e-8 * (total.n.norm() + total.f.norm()), "{} {spin}", total.n);
    assert!(system.node_load(body).is_none());
}
