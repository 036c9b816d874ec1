use crate::{ROUNDING, vector};
use proptest::prelude::*;
use wolff_spatial::{Mat3, Quaternion, Vec3};

proptest! {
    #[test]
    fn matrix_is_a_rotation(turn in vector()) {
        let R = Quaternion::from_rotation_vector(&turn).matrix();
        prop_assert!((R.transpose() * R - Mat3::identity()).amax() < ROUNDING);
        prop_assert!((R.determinant() - 1.0).abs() < ROUNDING);
        // the axis stays
        prop_assert!((R * turn - turn).norm() < ROUNDING);
    }

    #[test]
    fn matrix_and_quaternion_say_the_same(turn in vector()) {
        let R = Quaternion::from_rotation_vector(&turn).matrix();
        prop_assert!((Quaternion::from_matrix(&R).matrix() - R).amax() < ROUNDING);
    }

    #[test]
    fn products_agree_with_matrices(a in vector(), b in vector()) {
        let (p, q) = (Quaternion::from_rotation_vector(&a), Quaternion::from_rotation_vector(&b));
        prop_assert!((p.times(&q).matrix() - p.matrix() * q.matrix()).amax() < ROUNDING);
    }

    #[test]
    fn rate_and_angular_velocity_are_inverse(turn in vector(), w in vector()) {
        let q = Quaternion::from_rotation_vector(&turn);
        prop_assert!((q.angular_velocity(&q.rate(&w)) - w).norm() < ROUNDING);
    }

    #[test]
    fn rate_is_the_derivative_of_turning(turn in vector(), w in vector()) {
        let q = Quaternion::from_rotation_vector(&turn);
        let h = 1e-6;
        let after = Quaternion::from_rotation_vector(&(w * h)).times(&q);
        let before = Quaternion::from_rotation_vector(&(w * -h)).times(&q);
        let rate = q.rate(&w);
        prop_assert!(((after.v - before.v) / (2.0 * h) - rate.v).norm() < 1e-8);
        prop_assert!(((after.w - before.w) / (2.0 * h) - rate.w).abs() < 1e-8);
    }
}

/// Half turns have no scalar part: each axis must be found from its own diagonal entry.
#[test]
fn half_turns_are_recovered() {
    for axis in [Vec3::x(), Vec3::y(), Vec3::z(), Vec3::new(0.6, -0.8, 0.0)] {
        let R = Quaternion::from_rotation_vector(&(axis * std::f64::consts::PI)).matrix();
        assert!((Quaternion::from_matrix(&R).matrix() - R).amax() < ROUNDING, "{axis}");
    }
}

#[test]
fn a_tiny_turn_keeps_its_digits() {
    let turn = Vec3::new(1e-9, -2e-9, 3e-9);
    let q = Quaternion::from_rotation_vector(&turn);
    assert!((q.v * 2.0 - turn).norm() < 1e-24);
}

#[test]
fn nothing_cannot_be_normalized() {
    assert!(Quaternion { w: 0.0, v: Vec3::zeros() }.normalized().is_none());
    assert!(Quaternion { w: f64::NAN, v: Vec3::zeros() }.normalized().is_none());
}
