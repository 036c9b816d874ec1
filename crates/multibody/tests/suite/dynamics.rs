//! Two ways must agree: forward and inverse, mass matrix by composites and by columns, energy and power; then other engines.

use crate::fixtures::*;
use nalgebra::DMatrix;
use wolff_multibody::benchmark::chain;
use wolff_multibody::dynamics::bias::{body_accelerations, point_acceleration};
use wolff_multibody::dynamics::energy::{center_of_mass, kinetic_energy, momentum};
use wolff_multibody::dynamics::mass_matrix::MassMatrix;
use wolff_multibody::{Baumgarte, Frame, Model, System};
use wolff_spatial::{Motion, Pose, Vec3};

/// Rounding of chains of ten bodies with accelerations of order 100.
const ROUNDING: f64 = 1e-9;

fn accelerations(system: &mut System<'_>, q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut a = vec![0.0; v.len()];
    system.accelerations(0.0, q, v, Baumgarte::NONE, &mut a).unwrap();
    a
}

fn mass_matrix(model: &Model, system: &System<'_>) -> DMatrix<f64> {
    let mut mass = MassMatrix::new(model);
    mass.compute(model, &system.kin);
    let mut M = DMatrix::zeros(model.nv(), model.nv());
    mass.write_full(&mut M);
    M
}

#[test]
fn inverse_undoes_forward() {
    for model in zoos() {
        let mut system = System::new(&model);
        let (q, v) = state(&model, 0.3);
        let a = accelerations(&mut system, &q, &v);
        let mut r = vec![1.0; model.nv()];
        system.residual(0.0, &q, &v, &a, &[], &mut r);
        assert!(worst(&r, &vec![0.0; r.len()]) < ROUNDING, "{r:?}");
    }
}

#[test]
fn mass_matrix_by_columns_of_inverse_dynamics() {
    for model in zoos() {
        let mut system = System::new(&model);
        let (q, v) = state(&model, 1.7);
        let n = model.nv();
        let mut bias = vec![0.0; n];
        system.residual(0.0, &q, &v, &vec![0.0; n], &[], &mut bias);
        let M = mass_matrix(&model, &system);
        for j in 0..n {
            let mut unit = vec![0.0; n];
            unit[j] = 1.0;
            let mut column = vec![0.0; n];
            system.residual(0.0, &q, &v, &unit, &[], &mut column);
            for i in 0..n {
                assert!((column[i] - bias[i] - M[(i, j)]).abs() < ROUNDING, "M[{i},{j}]");
            }
        }
    }
}

#[test]
fn factor_solves_like_a_dense_one() {
    for model in zoos() {
        let mut system = System::new(&model);
        let (q, v) = state(&model, 0.9);
        system.update_kinematics(&q, &v);
        let M = mass_matrix(&model, &system);
        let mut mass = MassMatrix::new(&model);
        mass.compute(&model, &system.kin);
        mass.factor(&model).unwrap();
        let b: Vec<f64> = (0..model.nv()).map(|i| (i as f64).cos()).collect();
        let mut x = b.clone();
        mass.solve(&model, &mut x);
        let dense = M.cholesky().unwrap().solve(&nalgebra::DVector::from_vec(b));
        assert!(worst(&x, dense.as_slice()) < ROUNDING);
    }
}

#[test]
fn kinetic_energy_is_the_quadratic_form() {
    for model in zoos() {
        let mut system = System::new(&model);
        let (q, v) = state(&model, 2.9);
        system.update_kinematics(&q, &v);
        let v = nalgebra::DVector::from_vec(v);
        let form = 0.5 * v.dot(&(mass_matrix(&model, &system) * &v));
        assert!((kinetic_energy(&system.kin) - form).abs() < ROUNDING * form);
    }
}

/// Free motion keeps its energy: its rate along the computed acceleration is zero.
#[test]
fn power_balances() {
    for model in zoos() {
        let mut system = System::new(&model);
        let (q, v) = state(&model, 0.3);
        let a = accelerations(&mut system, &q, &v);
        let h = 1e-6;
        let mut energy = |h: f64| {
            let v: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + h * a).collect();
            let q = moved(&model, &q, &v, h);
            system.update_kinematics(&q, &v);
            let (kinetic, potential) = system.energy(0.0, &q, &v);
            kinetic + potential
        };
        let rate = (energy(h) - energy(-h)) / (2.0 * h);
        // energies of order 100 J and differences over 2e-6 s: rounding of 1e-14/1e-6
        assert!(rate.abs() < 1e-6, "{rate}");
    }
}

/// The rate of momentum about a fixed point is the moment of gravity: checks all accelerations at once.
#[test]
fn a_free_tree_obeys_newton_and_euler() {
    let model = chain(6).unwrap();
    let mut system = System::new(&model);
    let (q, v) = state(&model, 0.8);
    let a = accelerations(&mut system, &q, &v);
    let point = Vec3::new(0.3, -0.7, 1.1);
    let h = 1e-6;
    let mut at = |h: f64| {
        let v: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + h * a).collect();
        system.update_kinematics(&moved(&model, &q, &v, h), &v);
        momentum(&system.kin, &point)
    };
    let rate = (at(h) - at(-h)) * (0.5 / h);
    system.update_kinematics(&q, &v);
    let weight = model.gravity * model.total_mass();
    let moment = (center_of_mass(&model, &system.kin) - point).cross(&weight);
    assert!((rate.f - weight).norm() < 1e-6 * weight.norm(), "{}", rate.f - weight);
    assert!((rate.n - moment).norm() < 1e-6 * weight.norm(), "{}", rate.n - moment);
}

#[test]
fn point_accelerations_are_rates_of_point_velocities() {
    for model in zoos() {
        let mut system = System::new(&model);
        let (q, v) = state(&model, 1.2);
        let a = accelerations(&mut system, &q, &v);
        let mut A = vec![Motion::ZERO; model.bodies().len()];
        body_accelerations(&model, &system.kin, Some(&a), &mut A);
        for body in 1..model.bodies().len() {
            let frame = Frame { body, X_BF: Pose::translation(Vec3::new(0.3, 0.1, -0.2)) };
            system.update_kinematics(&q, &v);
            let p = system.kin.pose(&frame).p;
            let exact = point_acceleration(&system.kin, body, &A[body], &p);
            let h = 1e-5;
            let mut velocity = |h: f64| {
                let v: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + h * a).collect();
                // the mean speed of the interval moves the coordinates to second order
                let mean: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v - 0.5 * h * a).collect();
                system.update_kinematics(&moved(&model, &q, &mean, h), &v);
                system.kin.velocity(&frame).v
            };
            let difference = (velocity(h) - velocity(-h)) / (2.0 * h);
            assert!((difference - exact).norm() < 1e-5 * (1.0 + exact.norm()), "body {body}: {difference} {exact}");
        }
    }
}

/// Accelerations and torques on which MuJoCo 4.0, Pinocchio 4.1, Drake and OpenSim agree to the six digits that they print.
#[test]
fn chain_agrees_with_other_engines() {
    const PRINTED: f64 = 6e-7;
    let model = chain(20).unwrap();
    let mut system = System::new(&model);
    let a = accelerations(&mut system, &model.q0, &model.v0);
    let mut tau = vec![0.0; model.nv()];
    system.residual(0.0, &model.q0, &model.v0, &vec![0.0; model.nv()], &[], &mut tau);
    assert!(worst(&a[6..10], &[0.140593, -0.707781, -0.775768, 0.543519]) < PRINTED);
    assert!(worst(&tau[6..10], &[80.011804, 35.138484, 60.648452, 17.408538]) < PRINTED);
}

/// The reaction of the base joint of a chain at rest on ground carries its weight.
#[test]
fn reaction_of_a_weld_carries_the_weight() {
    let mut spec = zoo_spec();
    spec.joints[0].kind = wolff_multibody::spec::JointKind::Weld;
    let model = Model::build(&spec).unwrap();
    let mut system = System::new(&model);
    let n = model.nv();
    let rest = vec![0.0; n];
    let mut tau = vec![0.0; n];
    system.residual(0.0, &model.q0, &rest, &rest, &[], &mut tau);
    let first_tree: f64 = model.bodies().iter().filter(|b| b.root == 1).map(|b| b.mass.mass).sum();
    let reaction = system.reaction(1);
    assert!((reaction.f + model.gravity * first_tree).norm() < ROUNDING * 100.0);
}
