//! The table of passive joints: as printed, in SI units, and accepted by the force element.

use crate::support::*;
use wolff_multibody::force::{PassiveJointTorque, PassiveParameters};
use wolff_muscle::passive_defaults::*;

#[test]
fn values_are_those_of_the_table() {
    // 270 N mm/° is 0.27 N m over 0.01745 rad
    let knee = passive_default("Knee", JointMotion::Flexion).unwrap();
    close(knee.stiffness, 15.469860, 1e-7, 1.0);
    close(knee.damping, 1.5469860, 1e-7, 1.0);
    close(passive_default("ankle", JointMotion::Abduction).unwrap().stiffness, 572.95780, 1e-7, 1.0);
    assert!(passive_default("knee", JointMotion::Rotation).is_none());
    assert!(PASSIVE_DEFAULTS.iter().all(|d| (d.damping - 0.1 * d.stiffness).abs() < 1e-12 * d.stiffness));
}

#[test]
fn they_make_a_passive_torque() {
    let hip = passive_default("hip", JointMotion::Flexion).unwrap();
    let p = PassiveParameters {
        stiffness: hip.stiffness,
        damping: hip.damping,
        neutral: 0.0,
        limits: [-0.5, 2.0],
        limit_torque: 0.0,
        width: 0.1,
    };
    close(PassiveJointTorque::new("hip", 0, p).unwrap().torque(0.1, 0.0), -0.1 * hip.stiffness, 1e-12, 1.0);
}
