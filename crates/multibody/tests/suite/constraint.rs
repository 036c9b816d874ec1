//! Constraint rows: Jacobian and acceleration term are derivatives of the value.

use crate::fixtures::*;
use wolff_multibody::spec::*;
use wolff_multibody::{Model, System};
use wolff_numerics::function::{Fourier, FourierTerm};
use wolff_spatial::Vec3;

const H: f64 = 1e-5;

/// One of every kind of constraint on the zoo; far from being met, which the derivatives do not mind.
fn constrained_zoo() -> Model {
    let mut spec = zoo_spec();
    let frame = |body: &str, s: f64| FrameSpec { body: body.into(), pose: tilted(s, Vec3::new(0.1, 0.2, -0.3)) };
    let (a, b) = (frame("b6", 0.3), frame("b9", 0.8));
    let wave = Fourier::new(3.0, 0.2, 0.5, &[FourierTerm { sin: 0.3, cos: -0.4 }]).unwrap();
    let kinds = vec![
        ConstraintKind::Point { a: a.clone(), b: b.clone(), along: vec![unit(1.0, 0.3, 0.0)] },
        ConstraintKind::Spherical { a: a.clone(), b: frame(GROUND, 0.1) },
        ConstraintKind::Revolute { a: a.clone(), b: b.clone() },
        ConstraintKind::Universal { a: b.clone(), b: a.clone() },
        ConstraintKind::Translational { a: a.clone(), b: b.clone() },
        ConstraintKind::Weld { a: a.clone(), b: b.clone() },
        ConstraintKind::Distance { a, b, length: 0.4 },
        ConstraintKind::Coupler {
            dependent: "j0".into(),
            independent: "j2.travel".into(),
            function: polynomial(&[0.1, 0.5, -0.7, 0.2]),
        },
        ConstraintKind::Driver { terms: vec![("j1".into(), 1.0), ("j0".into(), -2.0)], function: wave.into() },
    ];
    for (i, kind) in kinds.into_iter().enumerate() {
        spec.constraints.push(ConstraintSpec { name: format!("c{i}"), kind });
    }
    Model::build(&spec).unwrap()
}

#[test]
fn row_counts() {
    let model = constrained_zoo();
    let counts: Vec<usize> = model.constraints().iter().map(|c| c.rows.len()).collect();
    assert_eq!(counts, [1, 3, 5, 4, 5, 6, 1, 1, 1]);
    assert_eq!(model.row_name(1), "c1 row 1");
    assert_eq!(model.row_name(model.nc() - 1), "c8");
}

#[test]
fn rates_are_differences_of_values() {
    let model = constrained_zoo();
    let mut system = System::new(&model);
    let (q, v) = state(&model, 0.6);
    let t = 0.7;
    let mut at = |h: f64| {
        system.update_constraints(t + h, &moved(&model, &q, &v, h), &v);
        (system.constraints.phi.clone(), system.constraints.phi_dot.clone())
    };
    let (before, after) = (at(-H), at(H));
    system.update_constraints(t, &q, &v);
    for i in 0..model.nc() {
        let rate = (after.0[i] - before.0[i]) / (2.0 * H);
        assert!((system.constraints.phi_dot[i] - rate).abs() < 1e-8, "{}", model.row_name(i));
        // speeds constant along the manifold: the rate of φ' is the bias, -γ
        let bias = (after.1[i] - before.1[i]) / (2.0 * H);
        assert!((system.constraints.gamma[i] + bias).abs() < 1e-7 * (1.0 + bias.abs()), "{}", model.row_name(i));
    }
}

#[test]
fn jacobian_is_the_derivative() {
    let model = constrained_zoo();
    let mut system = System::new(&model);
    let (q, _) = state(&model, 0.6);
    let rest = vec![0.0; model.nv()];
    for j in 0..model.nv() {
        let mut d = rest.clone();
        d[j] = 1.0;
        let mut phi = |h: f64| {
            system.update_constraints(0.7, &moved(&model, &q, &d, h), &rest);
            system.constraints.phi.clone()
        };
        let (before, after) = (phi(-H), phi(H));
        system.update_constraints(0.7, &q, &rest);
        for i in 0..model.nc() {
            let difference = (after[i] - before[i]) / (2.0 * H);
            let exact = system.constraints.J_transpose[(j, i)];
            assert!((difference - exact).abs() < 1e-8, "{} by {j}: {difference} {exact}", model.row_name(i));
        }
    }
}

/// Multipliers act as forces: `Jᵀ λ` equals what the unit forces of the rows do to the equations of motion.
#[test]
fn multipliers_are_forces_of_the_rows() {
    let model = constrained_zoo();
    let mut system = System::new(&model);
    let (q, v) = state(&model, 1.9);
    let (n, nc) = (model.nv(), model.nc());
    let lambda: Vec<f64> = (0..nc).map(|i| (1.0 + i as f64).sin()).collect();
    let rest = vec![0.0; n];
    let (mut with, mut without) = (rest.clone(), rest.clone());
    system.residual(0.0, &q, &v, &rest, &vec![0.0; nc], &mut without);
    system.residual(0.0, &q, &v, &rest, &lambda, &mut with);
    system.update_constraints(0.0, &q, &v);
    for j in 0..n {
        let expected: f64 = (0..nc).map(|i| system.constraints.J_transpose[(j, i)] * lambda[i]).sum();
        assert!((with[j] - without[j] - expected).abs() < 1e-10 * (1.0 + expected.abs()), "coordinate {j}");
    }
}
