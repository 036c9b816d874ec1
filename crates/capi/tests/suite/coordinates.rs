//! Body-three 1-2-3 coordinates.

use crate::support::assert_near;
use wolff_c::{CapiError, Coordinates};
use wolff_spatial::{Force, Mat3, Vec3, skew};

const Q: [f64; 6] = [0.1, -0.2, 0.3, 0.4, -0.7, 1.1];
const U: [f64; 6] = [1.0, -2.0, 0.5, 0.9, -1.3, 0.6];

fn at(t: f64) -> Coordinates {
    Coordinates::new(&std::array::from_fn(|i| Q[i] + t * U[i]), &U).unwrap()
}

#[test]
fn rotation_is_the_textbook_matrix() {
    let ((s1, c1), (s2, c2), (s3, c3)) = (Q[3].sin_cos(), Q[4].sin_cos(), Q[5].sin_cos());
    let expected = Mat3::new(
        c2 * c3,
        -c2 * s3,
        s2,
        s1 * s2 * c3 + s3 * c1,
        -s1 * s2 * s3 + c3 * c1,
        -s1 * c2,
        -c1 * s2 * c3 + s3 * s1,
        c1 * s2 * s3 + c3 * s1,
        c1 * c2,
    );
    assert!((at(0.0).X_FM.R - expected).amax() < 1e-15);
    assert_eq!(at(0.0).X_FM.p, Vec3::new(0.1, -0.2, 0.3));
}

#[test]
fn angular_velocity_turns_the_body() {
    // R' = [w] R; central difference of second order
    let h = 1e-6;
    let rate = (at(h).X_FM.R - at(-h).X_FM.R) / (2.0 * h);
    let V = at(0.0).V_FM;
    assert!((rate - skew(&V.w) * at(0.0).X_FM.R).amax() < 1e-9);
    assert_eq!(V.v, Vec3::new(1.0, -2.0, 0.5));
}

#[test]
fn generalized_force_has_the_power_of_the_wrench() {
    let c = at(0.0);
    let F = Force::new(Vec3::new(3.0, -1.0, 2.0), Vec3::new(10.0, 20.0, -30.0));
    let power = F.f.dot(&c.V_FM.v) + (F.n - c.X_FM.p.cross(&F.f)).dot(&c.V_FM.w);
    let generalized: f64 = c.generalized(&F).iter().zip(U).map(|(f, u)| f * u).sum();
    assert_near(generalized, power, 1e-13 * power.abs());
}

#[test]
fn huge_angles_stay_rotations() {
    let c = Coordinates::new(&[0.0, 0.0, 0.0, 1e200, -1e200, 1e18], &[0.0; 6]).unwrap();
    assert!((c.X_FM.R * c.X_FM.R.transpose() - Mat3::identity()).amax() < 1e-15);
}

#[test]
fn what_is_not_finite_is_named() {
    let mut u = U;
    u[5] = f64::NEG_INFINITY;
    let error = Coordinates::new(&Q, &u).unwrap_err();
    assert!(matches!(error, CapiError::NotFinite { argument: "u", index: 5, .. }), "{error}");
}
