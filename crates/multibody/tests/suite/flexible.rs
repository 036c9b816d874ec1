//! Bodies that bend: integrals against point masses, loops at nodes, energy over a long tumble.

use crate::fixtures::*;
use std::sync::Arc;
use wolff_multibody::dynamics::energy::{center_of_mass, kinetic_energy, momentum};
use wolff_multibody::simulation::{ConstraintHandling, Integrator, Settings, simulate};
use wolff_multibody::spec::*;
use wolff_multibody::{Baumgarte, Model, System};
use wolff_numerics::{Method, Options};
use wolff_spatial::Vec3;

/// One free body that bends, without gravity.
fn free_body(stiffening: bool) -> Model {
    let body = Arc::new(soft_lump("bone", 3, 0.7, stiffening));
    let mut spec = ModelSpec { name: "free".into(), ..Default::default() };
    spec.bodies.push(BodySpec::flexible("bone", body));
    spec.joints.push(joint("loose", JointKind::Free, GROUND, "bone.p3", 0.9));
    Model::build(&spec).unwrap()
}

/// Energy, momentum and centre of mass from the integrals are those of the point masses, whose velocities the nodes give.
#[test]
fn integrals_are_sums_over_point_masses() {
    let model = free_body(false);
    let mut system = System::new(&model);
    let (q, v) = state(&model, 0.4);
    system.update_kinematics(&q, &v);
    let wave = |k: f64| ((12.9898 * (0.7 + k)).sin() * 437.58).fract();
    let masses: Vec<f64> = (0..6).map(|p| 0.2 + 0.1 * wave(3.1 * f64::from(p))).collect();
    let (mut energy, mut linear, mut center) = (0.0, Vec3::zeros(), Vec3::zeros());
    for (k, m) in masses.iter().enumerate() {
        let frame = model.frame(&FrameSpec::at(&format!("bone.p{k}"), Vec3::zeros())).unwrap();
        let velocity = system.kin.velocity(&frame).v;
        energy += 0.5 * m * velocity.norm_squared();
        linear += velocity * *m;
        center += system.kin.pose(&frame).p * *m;
    }
    let total: f64 = masses.iter().sum();
    assert!((kinetic_energy(&system.kin) - energy).abs() < 1e-13 * energy);
    assert!((momentum(&system.kin, &Vec3::zeros()).f - linear).norm() < 1e-13);
    assert!((center_of_mass(&model, &system.kin) - center / total).norm() < 1e-14);
}

/// Ten seconds of tumbling: energy, momentum and angular momentum stay, with second-order terms as without.
#[test]
fn a_free_body_keeps_energy_and_momentum() {
    for stiffening in [false, true] {
        let model = free_body(stiffening);
        let mut system = System::new(&model);
        let (q, mut v) = state(&model, 0.4);
        v.iter_mut().skip(6).for_each(|speed| *speed *= 0.2);
        let invariants = |system: &mut System<'_>, q: &[f64], v: &[f64]| {
            system.update_kinematics(q, v);
            let (kinetic, potential) = system.energy(0.0, q, v);
            let p = momentum(&system.kin, &Vec3::zeros());
            [kinetic + potential, p.f.x, p.f.y, p.f.z, p.n.x, p.n.y, p.n.z]
        };
        let before = invariants(&mut system, &q, &v);
        let settings = Settings {
            integrator: Integrator::Ode(Method::Dop853, Options::tolerances(1e-12, 1e-12)),
            constraints: ConstraintHandling::None,
            t_start: 0.0,
            t_end: 10.0,
            until_rest: None,
            assemble: true,
        };
        let report = simulate(&model, &settings, &q, &v, &[], &mut ()).unwrap();
        let after = invariants(&mut system, &report.q, &report.v);
        // a tolerance of 1e-12 a step over some thousand steps
        assert!(worst(&before, &after) < 1e-8, "stiffening {stiffening}: {before:?} {after:?}");
    }
}

/// Loops between nodes hold: the acceleration of the violation vanishes, and the forces balance.
#[test]
fn loops_close_at_nodes() {
    let model = looped_flexible_zoo();
    let mut system = System::new(&model);
    let (mut q, mut v) = state(&model, 0.2);
    system.assemble(0.0, &mut q, &mut v).unwrap();
    let mut a = vec![0.0; model.nv()];
    system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut a).unwrap();
    let lambda = system.lambda.clone();
    let mut r = a.clone();
    system.residual(0.0, &q, &v, &a, &lambda, &mut r);
    assert!(worst(&r, &vec![0.0; r.len()]) < 1e-8, "{r:?}");
    system.update_constraints(0.0, &q, &v);
    let c = &system.constraints;
    for row in 0..model.nc() {
        let J_a: f64 = c.J_transpose.column(row).iter().zip(&a).map(|(J, a)| J * a).sum();
        assert!((J_a - c.gamma[row]).abs() < 1e-8, "row {row}: {J_a} {}", c.gamma[row]);
    }
}

/// A flexible body is attached at its nodes; anything else is a mistake with the list of nodes.
#[test]
fn frames_off_the_nodes_are_refused() {
    let mistakes = |change: &dyn Fn(&mut ModelSpec)| {
        let mut spec = flexible_zoo_spec(false);
        change(&mut spec);
        let errors = Model::build(&spec).unwrap_err();
        errors.iter().map(|e| e.to_string()).collect::<Vec<_>>().join("; ")
    };
    let on_body = mistakes(&|s| s.joints[1].parent.body = "b0".into());
    assert!(on_body.contains("attach to one of its nodes (base, p0"), "{on_body}");
    let unknown = mistakes(&|s| s.joints[1].parent.body = "b0.ankle".into());
    assert!(unknown.contains("attach to one of its nodes"), "{unknown}");
    let modes = mistakes(&|s| s.bodies[0].flexible.as_mut().unwrap().eta0 = vec![1.0; 7]);
    assert!(modes.contains("7 initial modal coordinates given, the body has 2 modes"), "{modes}");
}
