//! The embedded walk against reference values computed by two other programs, and what the walk must hold by construction.

use crate::support::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use wolff_anatomy::Side;
use wolff_multibody::Model;
use wolff_reference::ReferenceWalk;
use wolff_reference::walk::InverseWalk;
use wolff_spatial::Vec3;

/// Positions [m], angles and angular velocities agree as far as the reference is given.
const KINEMATICS: f64 = 1e-9;
/// Generalised forces: relative, and absolute below 1 N or N m.
const DYNAMICS: f64 = 1e-6;

type Points = BTreeMap<String, [f64; 3]>;
type Values = BTreeMap<String, f64>;

#[derive(Deserialize)]
struct Check {
    t_s: f64,
    q: Values,
    qd: Values,
    qdd: Values,
    joint_centre_m: Points,
    angular_velocity_rad_s: Points,
    contact_point_right_m: Points,
    contact_point_left_m: Points,
    centre_of_mass_m: [f64; 3],
    ground: BTreeMap<String, Ground>,
    generalised_force: Values,
    #[serde(rename = "residual_force_N")]
    residual_force: [f64; 3],
    #[serde(rename = "residual_moment_at_pelvis_origin_Nm")]
    residual_moment: [f64; 3],
}

#[derive(Deserialize)]
struct Ground {
    #[serde(rename = "force_N")]
    force: [f64; 3],
    point_m: [f64; 3],
    #[serde(rename = "free_moment_Nm")]
    free_moment: [f64; 3],
}

/// Five instants of the cycle, from the shared reference solutions (own Newton-Euler code, confirmed by pinocchio).
fn checks() -> Vec<Check> {
    serde_json::from_str(include_str!("walk_checks.json")).unwrap()
}

#[track_caller]
fn near(a: &Vec3, b: &[f64; 3], tolerance: f64) {
    let off = (a - Vec3::from(*b)).norm();
    assert!(off <= tolerance, "{a} is not {b:?}: off by {off:e}");
}

#[test]
fn coordinates_are_those_of_the_reference() {
    let (walk, _) = embedded();
    for check in checks() {
        let state = walk.coordinates(check.t_s);
        let names = walk.coordinate_names();
        assert_eq!(names.len(), check.q.len());
        for (i, name) in names.iter().enumerate() {
            close(state.q[i], check.q[name], KINEMATICS, 1.0);
            close(state.v[i], check.qd[name], KINEMATICS, 1.0);
            close(state.a[i], check.qdd[name], KINEMATICS, 1.0 + check.qdd[name].abs());
        }
    }
}

#[test]
fn bodies_are_and_turn_as_in_the_reference() {
    let (walk, model) = embedded();
    let mut inverse = InverseWalk::new(&walk, &model).unwrap();
    for check in checks() {
        inverse.move_to(check.t_s);
        for (name, p) in &check.joint_centre_m {
            let k = &inverse.kin.bodies[model.body_index(name).unwrap()];
            near(&k.X_GB.p, p, KINEMATICS);
            near(&k.V.w, &check.angular_velocity_rad_s[name], KINEMATICS);
        }
        for (side, points) in [("r", &check.contact_point_right_m), ("l", &check.contact_point_left_m)] {
            for (name, p) in points {
                let contact = walk.skeleton.contacts.iter().find(|c| c.name == format!("{name}_{side}")).unwrap();
                let X = inverse.kin.bodies[model.body_index(&contact.segment).unwrap()].X_GB;
                near(&X.point(&contact.point), p, KINEMATICS);
            }
        }
        near(&centre_of_mass(&model, &inverse), &check.centre_of_mass_m, KINEMATICS);
    }
}

fn centre_of_mass(model: &Model, inverse: &InverseWalk<'_>) -> Vec3 {
    let moments = model.bodies().iter().zip(&inverse.kin.bodies).map(|(b, k)| k.X_GB.point(&b.mass.com) * b.mass.mass);
    moments.sum::<Vec3>() / model.total_mass()
}

#[test]
fn the_ground_pushes_as_in_the_reference() {
    let (walk, _) = embedded();
    for check in checks() {
        for (side, foot) in [("r", Side::Right), ("l", Side::Left)] {
            let (here, there) = (walk.ground(check.t_s, foot), &check.ground[side]);
            near(&here.force, &there.force, DYNAMICS);
            near(&here.point, &there.point_m, KINEMATICS);
            near(&here.moment, &there.free_moment, DYNAMICS);
        }
    }
}

#[test]
fn moments_and_residuals_are_those_of_the_reference() {
    let (walk, model) = embedded();
    let mut inverse = InverseWalk::new(&walk, &model).unwrap();
    for check in checks() {
        let tau = inverse.at(check.t_s).to_vec();
        for (name, wanted) in &check.generalised_force {
            let i = model.coordinate_index(name).unwrap();
            close(tau[i], *wanted, DYNAMICS, wanted.abs().max(1.0));
        }
        near(&inverse.residual().f, &check.residual_force, DYNAMICS);
        near(&inverse.residual().n, &check.residual_moment, DYNAMICS);
    }
}

#[test]
fn residual_peaks_are_those_reported() {
    let (walk, model) = embedded();
    let mut inverse = InverseWalk::new(&walk, &model).unwrap();
    let (mut force, mut moment, mut mean) = (Vec3::zeros(), Vec3::zeros(), Vec3::zeros());
    for k in 0..2000 {
        inverse.at(f64::from(k) / 2000.0 * walk.constants.cycle_time);
        let residual = inverse.residual();
        force = force.sup(&residual.f.abs());
        moment = moment.sup(&residual.n.abs());
        mean += residual.f / 2000.0;
    }
    // printed with five decimals
    near(&force, &[1.30961, 5.38695, 0.92666], 1e-5);
    near(&moment, &[1.62205, 1.20738, 2.92727], 1e-5);
    // coefficients are rounded to eight decimals of body weight
    near(&mean, &[0.0, 0.0, 0.0], 1e-5);
}

#[test]
fn rates_are_the_derivatives() {
    let (walk, _) = embedded();
    let (t, h) = (0.37, 1e-4);
    let [before, now, after] = [t - h, t, t + h].map(|t| walk.coordinates(t));
    for i in 0..now.q.len() {
        // the error of central differences is h²/6 q''' with q''' up to (12 ω)³ 0.4 rad
        close((after.q[i] - before.q[i]) / (2.0 * h), now.v[i], 1e-4, 1.0);
        close((after.v[i] - before.v[i]) / (2.0 * h), now.a[i], 1e-2, 1.0);
    }
}

#[test]
fn the_walk_goes_on_and_mirrors_itself() {
    let (walk, _) = embedded();
    let (t, T) = (0.29, walk.constants.cycle_time);
    let stride = walk.constants.stride();
    let (now, next) = (walk.coordinates(t), walk.coordinates(t + T));
    close(next.q[0] - now.q[0], stride, 1e-12, 1.0);
    for i in 1..now.q.len() {
        close(next.q[i], now.q[i], 1e-12, 1.0);
    }
    let (right, left) = (walk.ground(t, Side::Right), walk.ground(t + 0.5 * T, Side::Left));
    close(left.force.z, -right.force.z, 1e-9, 1.0);
    close(left.point.x - right.point.x, 0.5 * stride, 1e-12, 1.0);
    close(walk.ground(t + T, Side::Right).point.x - right.point.x, stride, 1e-12, 1.0);
}

#[test]
fn bad_walks_are_refused_with_the_reason() {
    let text = include_str!("../../data/walk.json");
    let refusal = |from: &str, to: &str| {
        assert!(text.contains(from));
        ReferenceWalk::from_json(&text.replacen(from, to, 1)).unwrap_err().to_string()
    };
    assert!(refusal("\"duty\": 0.63", "\"duty\": 0.3").contains("between 0.5 and 1"));
    assert!(refusal("\"mass\": 75.0", "\"mass\": -75.0").contains("mass [kg] is -75"));
    assert!(
        refusal("\"harmonics\": [2, 4, 6, 8, 10, 12]", "\"harmonics\": [2, 4, 6]").contains("3 harmonics, 6 cosines")
    );
    assert!(refusal("\"harmonics\": [2, 4, 6, 8, 10, 12]", "\"harmonics\": [0, 4, 6, 8, 10, 12]").contains("order 0"));
    assert!(
        refusal("\"coordinate\": \"knee_flexion_r\", \"mean\"", "\"coordinate\": \"knee\", \"mean\"")
            .contains("knee_flexion_r")
    );
    assert!(refusal("\"inertia\": [0.029142", "\"inertia\": [2.029142").contains("head"));
    assert!(refusal("\"about\"", "\"abuot\"").contains("abuot"));
}

#[test]
fn a_written_walk_is_read_back() {
    let walk = ReferenceWalk::embedded().unwrap();
    let text = walk.to_json("a copy", "the embedded walk").unwrap();
    let mut again = ReferenceWalk::from_json(&text).unwrap();
    again.skeleton.name = walk.skeleton.name.clone();
    assert_eq!(again, walk);
    assert!(walk.to_json("a copy", " ").unwrap_err().to_string().contains("source"));
}

#[test]
fn a_model_without_feet_is_refused() {
    let walk = ReferenceWalk::embedded().unwrap();
    let mut skeleton = walk.skeleton.clone();
    skeleton.segments.retain(|s| !s.name.starts_with("toes"));
    let model = Model::build(&skeleton.spec().unwrap()).unwrap();
    let message = InverseWalk::new(&walk, &model).unwrap_err().to_string();
    assert!(message.contains("toe_flexion_r"), "{message}");
}
