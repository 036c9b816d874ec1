//! Functions as OpenSim 4.6 evaluates them, value, slope and curvature, inside the points and outside.

use crate::data::leg;
use wolff_formats::osim::{OsimFunction, OsimJointKind, OsimPoints};
use wolff_multibody::{Model, System};
use wolff_opensim::convert;

const X: [f64; 5] = [-2.0, -1.2, -0.3, 0.4, 1.7];
const Y: [f64; 5] = [0.3, -0.1, 0.25, 0.6, -0.4];

fn points(n: usize) -> OsimPoints {
    OsimPoints { x: X[..n].to_vec(), y: Y[..n].to_vec() }
}

/// The displacement that a joint's function gives at a value of its coordinate, and its rate at unit speed.
fn displacement(function: OsimFunction, q: f64) -> Result<(f64, f64), String> {
    let mut model = leg();
    let OsimJointKind::Custom(axes) = &mut model.joints[1].kind else { panic!("the knee is a custom joint") };
    axes[3].function = Some(function);
    let converted = convert(&model).map_err(|e| e.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
    let model: Model = converted.build().unwrap();
    let tibia = model.body_index("tibia").unwrap();
    let (mut at, mut v) = (model.q0.clone(), vec![0.0; model.nv()]);
    let i = model.coordinate_index("knee_angle").unwrap();
    at[model.position_of_speed(i).unwrap()] = q;
    v[i] = 1.0;
    let mut system = System::new(&model);
    system.update_kinematics(&at, &v);
    let joint = &model.bodies()[tibia];
    let femur = &system.kin.bodies[joint.parent];
    let X_GF = femur.X_GB * joint.X_PF;
    let p = X_GF.inverse() * system.kin.bodies[tibia].X_GB;
    let velocity = system.kin.point_velocity(tibia, &system.kin.bodies[tibia].X_GB.p);
    Ok((p.p.x, (X_GF.R.transpose() * velocity).x))
}

fn check(function: OsimFunction, q: f64, value: f64, slope: f64) {
    // straight lines are continued to points a thousand tables away, whose rounding they bring back
    let tolerance = if matches!(function, OsimFunction::PiecewiseLinear(_)) { 1e-12 } else { 1e-14 };
    let (x, rate) = displacement(function, q).unwrap();
    assert!((x - value).abs() < tolerance && (rate - slope).abs() < 1e-13, "{q}: {x} {value}, {rate} {slope}");
}

#[test]
fn simm_splines() {
    let five = [
        (-3.0, 1.470087376909478, -1.170087376909478),
        (-1.5, -0.061471652778370245, -0.32303166884452583),
        (-0.3, 0.25, 0.5865325027134365),
        (0.1, 0.47754475344856784, 0.5088225641085212),
        (1.0, 0.5398238567534933, -0.5717010269066145),
        (2.5, -2.185977460460042, -2.232471825575052),
    ];
    for (q, value, slope) in five {
        check(OsimFunction::SimmSpline(points(5)), q, value, slope);
    }
    check(OsimFunction::SimmSpline(points(4)), 0.1, 0.471139705882353, 0.5050551470588235);
    check(OsimFunction::SimmSpline(points(3)), -1.5, -0.028431372549019618, -0.39542483660130723);
    check(OsimFunction::SimmSpline(points(3)), 0.1, 0.5937908496732025, 0.8594771241830064);
    check(OsimFunction::SimmSpline(points(2)), 1.0, -1.2, -0.5);
}

#[test]
fn straight_lines_go_on() {
    for (q, value, slope) in
        [(-3.0, 0.8, -0.5), (-1.5, 0.05, -0.5), (0.1, 0.45, 0.5), (2.5, -1.0153846153846156, -0.7692307692307694)]
    {
        check(OsimFunction::PiecewiseLinear(points(5)), q, value, slope);
    }
}

#[test]
fn closed_forms() {
    check(OsimFunction::Polynomial(vec![3.0, 2.0, 1.0]), 0.5, 3.0 + 1.0 + 0.25, 3.0);
    check(OsimFunction::Linear { slopes: vec![2.0], intercept: 0.5 }, 0.25, 1.0, 2.0);
    let inner = Box::new(OsimFunction::Linear { slopes: vec![2.0], intercept: 0.5 });
    check(OsimFunction::Multiplier { scale: -3.0, function: inner }, 0.25, -3.0, -6.0);
    check(OsimFunction::Constant(0.7), 0.25, 0.7, 0.0);
}

#[test]
fn what_cannot_be_evaluated_is_refused() {
    let refused = |f: OsimFunction| displacement(f, 0.0).unwrap_err();
    let gcv = OsimFunction::GcvSpline { points: points(5), half_order: 3.0, error_variance: 0.0 };
    assert!(refused(gcv).contains("half order 3"));
    assert!(refused(OsimFunction::Linear { slopes: vec![1.0, 2.0], intercept: 0.0 }).contains("2 coordinates"));
    assert!(refused(OsimFunction::Unsupported("Magic".into())).contains("`Magic`"));
    let twice = OsimPoints { x: vec![0.0, 0.0, 1.0], y: vec![0.0, 1.0, 2.0] };
    assert!(refused(OsimFunction::SimmSpline(twice.clone())).contains("greater than the one before"));
    assert!(refused(OsimFunction::PiecewiseLinear(twice)).contains("greater than the one before"));
}
