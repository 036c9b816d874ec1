//! Derivatives against central differences, and smoothness.

use super::*;
use crate::support::rotation_matrix;
use nalgebra::{Matrix6, Vector6};
use wolff_contact::Friction;
use wolff_contact::foundation::FoundationJacobian;
use wolff_spatial::Force;

fn stacked(F: &Force) -> Vector6<f64> {
    Vector6::new(F.f.x, F.f.y, F.f.z, F.n.x, F.n.y, F.n.z)
}

/// The pose after a translation of its origin and a rotation about it.
fn displaced(X: &Pose, k: usize, step: f64) -> Pose {
    let axis = Vec3::ith(k % 3, step);
    if k < 3 { Pose::new(X.R, X.p + axis) } else { Pose::new(rotation_matrix(&axis) * X.R, X.p) }
}

fn wrench(pair: &FoundationPair, X: &Pose, V: &Motion) -> Vector6<f64> {
    stacked(&pair.evaluate(&mut pair.memory(), X, V).unwrap().total.on_moving)
}

fn differences(pair: &FoundationPair, X: &Pose, V: &Motion) -> FoundationJacobian {
    let mut out = FoundationJacobian::default();
    // balances rounding (1e-13 of the force) and curvature of the edge elements
    let (step, rate) = (1e-7, 1e-6);
    for k in 0..6 {
        let difference = wrench(pair, &displaced(X, k, step), V) - wrench(pair, &displaced(X, k, -step), V);
        out.pose.set_column(k, &(difference / (2.0 * step)));
        let moved = |s: f64| {
            let axis = Vec3::ith(k % 3, s);
            if k < 3 { Motion::new(V.w, V.v + axis) } else { Motion::new(V.w + axis, V.v) }
        };
        let difference = wrench(pair, X, &moved(rate)) - wrench(pair, X, &moved(-rate));
        out.velocity.set_column(k, &(difference / (2.0 * rate)));
    }
    out
}

/// Largest difference relative to the stiffness, moments and rotations taken at a lever of 20 mm.
fn mismatch(got: &Matrix6<f64>, want: &Matrix6<f64>) -> f64 {
    let lever = [1.0, 1.0, 1.0, 20.0 * MM, 20.0 * MM, 20.0 * MM];
    let scale = want.fixed_view::<3, 3>(0, 0).amax();
    let off = |i: usize, j: usize| (got - want)[(i, j)].abs() / (lever[i] * lever[j]);
    let worst = (0..36).map(|k| off(k / 6, k % 6)).fold(0.0, f64::max);
    if scale > 0.0 { worst / scale } else { worst }
}

/// A ball away from the origin of its body, so that rotations matter.
fn off_centre(radius: f64, centre: Vec3) -> Arc<dyn Surface> {
    Arc::new(Sphere::new(centre, radius).unwrap())
}

/// Pose that puts the off-centre ball at `target`, with a general rotation.
fn posed(centre: &Vec3, target: Vec3) -> Pose {
    let R = rotation_matrix(&Vec3::new(0.4, -0.7, 1.1));
    Pose::new(R, target - R * centre)
}

#[test]
fn against_central_differences() {
    let centre = Vec3::new(7.0, -12.0, 5.0) * MM;
    let friction = Friction::new(0.3, 0.2, 0.01, 0.05).unwrap();
    let V = Motion::new(Vec3::new(0.3, -0.2, 0.5), Vec3::new(0.011, -0.02, -0.03));
    for (set, radius, target) in [
        (socket(24, 0.8, 22.3 * MM, 8.0 * MM), 22.0 * MM, Vec3::new(0.02, -0.01, -0.38) * MM),
        (flat_layer(24, 6.0 * MM, 8.0 * MM), 30.0 * MM, Vec3::new(0.3, -0.2, 29.8) * MM),
    ] {
        let X = posed(&centre, target);
        for distance in [Distance::Minimum, Distance::Ray] {
            for along in [Along::Midsurface, Along::FixedNormal, Along::MovingNormal] {
                // where dp/dd falls steeply within an element, the derivative of the quadrature is not quite the
                // quadrature of the derivative
                for (law, friction, tolerance) in [
                    (polyethylene(Strain::Small), None, 1e-6),
                    (polyethylene(Strain::Large).with_damping(3.0).unwrap(), Some(friction), 1e-6),
                    (nonlinear(Reading::Tangent, Strain::Large), Some(friction), 1e-4),
                ] {
                    let s = FoundationSettings { friction, ..settings(distance, along, Rule::Adaptive) };
                    let pair = pair(set.clone(), off_centre(radius, centre), law, s);
                    let mut memory = pair.memory();
                    pair.evaluate(&mut memory, &X, &V).unwrap();
                    let (got, want) = (pair.jacobian(&memory), differences(&pair, &X, &V));
                    let off = (mismatch(&got.pose, &want.pose), mismatch(&got.velocity, &want.velocity));
                    println!(
                        "{distance:?} {along:?} friction {}: pose {:.1e} velocity {:.1e}",
                        friction.is_some(),
                        off.0,
                        off.1
                    );
                    assert!(
                        off.0 < tolerance && off.1 < tolerance,
                        "{distance:?} {along:?}: {off:?}\n{}{}",
                        got.pose,
                        want.pose
                    );
                }
            }
        }
    }
}

/// With minimum distance and pressure along the moving normal the force is minus the gradient of the energy.
#[test]
fn force_is_the_gradient_of_the_energy() {
    let centre = Vec3::new(7.0, -12.0, 5.0) * MM;
    let mut last = f64::INFINITY;
    for n in [10, 20, 40, 80] {
        let set = socket(n, 0.8, 22.3 * MM, 8.0 * MM);
        let X = posed(&centre, Vec3::new(0.02, -0.01, -0.38) * MM);
        let s = settings(Distance::Minimum, Along::MovingNormal, Rule::Adaptive);
        let pair = pair(set, off_centre(22.0 * MM, centre), nonlinear(Reading::Tangent, Strain::Large), s);
        let energy = |X: &Pose| {
            let mut memory = pair.memory();
            pair.evaluate(&mut memory, X, &Motion::ZERO).unwrap();
            pair.stored_energy(&memory)
        };
        let wrench = at(&pair, &X).total.on_moving;
        let about_origin = wrench.n - X.p.cross(&wrench.f);
        let mut worst: f64 = 0.0;
        for k in 0..6 {
            let step = 1e-7;
            let slope = (energy(&displaced(&X, k, step)) - energy(&displaced(&X, k, -step))) / (2.0 * step);
            let lever = if k < 3 { 1.0 } else { 20.0 * MM };
            let force = if k < 3 { wrench.f[k] } else { about_origin[k - 3] };
            let scale = wrench.f.norm() * lever;
            worst = worst.max((slope + force).abs() / scale);
        }
        println!("n = {n}: {worst:.1e}");
        assert!(worst < 0.5 * last);
        last = worst;
    }
    assert!(last < 1e-6, "{last:e}");
}

/// Slid over the grid in steps of a thousandth of an element, the stiffness does not jump; with the rule of the paper it does.
#[test]
fn stiffness_is_continuous_across_elements() {
    let jump = |rule| {
        let pair = pair(
            flat_layer(12, 6.0 * MM, 8.0 * MM),
            ball(30.0 * MM),
            polyethylene(Strain::Small),
            settings(Distance::Minimum, Along::Midsurface, rule),
        );
        let mut memory = pair.memory();
        let mut last: Option<Matrix6<f64>> = None;
        let mut worst: f64 = 0.0;
        for k in 0..1500 {
            let x = (0.1 + k as f64 * 1e-3) * MM;
            pair.evaluate(&mut memory, &pressed(0.2 * MM, x, 0.37 * x), &Motion::ZERO).unwrap();
            let now = pair.jacobian(&memory).pose;
            worst = worst.max(last.map_or(0.0, |l| (now - l)[(2, 2)].abs() / now[(2, 2)].abs()));
            last = Some(now);
        }
        worst
    };
    let (smooth, rough) = (jump(Rule::Adaptive), jump(Rule::Centre));
    println!("largest relative jump of the stiffness: adaptive {smooth:.1e}, centre {rough:.1e}");
    assert!(smooth < 1e-4 && rough > 1e-2);
}
