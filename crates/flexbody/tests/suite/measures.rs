//! Measures of strain.

use nalgebra::{Matrix3, Rotation3, Vector3, Vector6};
use wolff_flexbody::measures::*;

use crate::assert_close;

/// Independent reference: microstrain of rosettes, `ε_x, ε_y, γ` to `ε₁, ε₂, γ_max, angle`.
#[test]
fn rosettes_equal_reference() {
    let cases = [
        ([300.0, -500.0, 200.0], [312.31056256176606, -512.3105625617661, 824.6211251235321, 0.12248933156343207]),
        ([-100.0, -100.0, 0.0], [-100.0, -100.0, 0.0, 0.0]),
        ([0.0, 0.0, 400.0], [200.0, -200.0, 400.0, std::f64::consts::FRAC_PI_4]),
        ([120.0, 80.0, -60.0], [136.0555127546399, 63.94448724536011, 72.11102550927978, -0.4913968616236645]),
    ];
    for ([x, y, shear], [first, second, max, angle]) in cases {
        let plane = in_plane(x, y, shear);
        assert_close(plane.first, first, 1e-12 * 500.0);
        assert_close(plane.second, second, 1e-12 * 500.0);
        assert_close(plane.max_shear, max, 1e-12 * 500.0);
        assert_close(plane.angle, angle, 1e-12);
    }
}

#[test]
fn spatial_measures_equal_reference() {
    let strain = Vector6::new(3e-4, -1e-4, 5e-5, 1.2e-4, -8e-5, 4e-5);
    let expected = [0.0003095717303287965, 5.99107018101842e-05, -0.00011948243213898062];
    for (value, expected) in principal(&strain).into_iter().zip(expected) {
        assert_close(value, expected, 1e-12 * 3e-4);
    }
    assert_close(max_shear(&strain), 0.0004290541624677771, 1e-12 * 4e-4);
    assert_close(von_mises(&strain), 0.0002488194347536203, 1e-12 * 2e-4);
    assert_close(von_mises(&Vector6::new(1e-4, 1e-4, -6e-5, 0.0, 0.0, 0.0)), 0.00010666666666666667, 1e-16);
}

/// The grids of a rosette determine the plane, and the middle one reads `ε_x cos² + ε_y sin² + γ sin cos` at 45 degrees.
#[test]
fn rosette_and_back() {
    let plane = [3e-4, -5e-4, 2e-4];
    let grids = rosette(plane[0], plane[1], plane[2]);
    let turned = rotated(
        &Vector6::new(plane[0], plane[1], 7e-5, plane[2], 0.0, 0.0),
        Rotation3::from_axis_angle(&Vector3::z_axis(), std::f64::consts::FRAC_PI_4).matrix(),
    );
    assert_close(grids[1], turned[0], 1e-18);
    for (value, expected) in from_rosette(grids).into_iter().zip(plane) {
        assert_close(value, expected, 1e-18);
    }
}

/// Turned axes change components, not invariants.
#[test]
fn rotation_keeps_the_invariants() {
    let strain = Vector6::new(3e-4, -1e-4, 5e-5, 1.2e-4, -8e-5, 4e-5);
    let axes = Rotation3::from_euler_angles(0.3, -1.1, 2.0);
    let turned = rotated(&strain, axes.matrix());
    assert!((turned - strain).amax() > 1e-5);
    for (value, expected) in principal(&turned).into_iter().zip(principal(&strain)) {
        assert_close(value, expected, 1e-12 * 3e-4);
    }
    assert_close(von_mises(&turned), von_mises(&strain), 1e-12 * 3e-4);
    assert!((rotated(&turned, &axes.matrix().transpose()) - strain).amax() < 1e-18);
}

/// Uniaxial stress is its own von Mises stress; pure shear gives `√3 τ`.
#[test]
fn von_mises_stress_of_plain_states() {
    assert_close(von_mises_stress(&Vector6::new(0.0, -7e6, 0.0, 0.0, 0.0, 0.0)), 7e6, 1e-8);
    assert_close(von_mises_stress(&Vector6::new(0.0, 0.0, 0.0, 0.0, 2e6, 0.0)), 2e6 * 3f64.sqrt(), 1e-8);
}

/// All rates are right derivatives: the forward difference with a step h comes to them as h.
#[test]
fn rates_are_right_derivatives() {
    let rate = Vector6::new(0.8, -0.5, 0.3, 0.9, -0.7, 0.4);
    let general = Vector6::new(3.0, -1.0, 0.5, 1.2, -0.8, 0.4);
    let equal_pair = Vector6::new(2.0, 2.0, -1.0, 0.0, 0.0, 0.0);
    let lower_pair = Vector6::new(2.0, -1.0, -1.0, 0.0, 0.0, 0.0);
    let turned_pair = rotated(&equal_pair, Rotation3::from_euler_angles(0.3, -1.1, 2.0).matrix());
    let sphere = Vector6::new(1.0, 1.0, 1.0, 0.0, 0.0, 0.0);
    for strain in [general, equal_pair, lower_pair, turned_pair, sphere, Vector6::zeros()] {
        let h = 1e-7;
        let after = strain + rate * h;
        let all = |e: &Vector6<f64>| {
            let plane = in_plane(e[0], e[1], e[3]);
            let [a, b, c] = principal(e);
            [plane.first, plane.second, plane.max_shear, a, b, c, von_mises(e), von_mises_stress(e)]
        };
        let plane = in_plane_rate([strain[0], strain[1], strain[3]], [rate[0], rate[1], rate[3]]);
        let [a, b, c] = principal_rate(&strain, &rate);
        let (vm, vm_stress) = (von_mises_rate(&strain, &rate), von_mises_stress_rate(&strain, &rate));
        let rates = [plane.first, plane.second, plane.max_shear, a, b, c, vm, vm_stress];
        for (k, rate) in rates.into_iter().enumerate() {
            // Error of the difference: h times the curvature (under 10 here), and rounding over h.
            assert_close((all(&after)[k] - all(&strain)[k]) / h, rate, 2e-6);
        }
    }
}

#[test]
fn angle_rate_is_the_derivative() {
    let (strain, rate, h) = ([120.0, 80.0, -60.0], [3.0, -8.0, 5.0], 1e-5);
    let angle = |t: f64| {
        let [x, y, shear] = [0, 1, 2].map(|i| strain[i] + t * rate[i]);
        in_plane(x, y, shear).angle
    };
    assert_close((angle(h) - angle(-h)) / (2.0 * h), in_plane_rate(strain, rate).angle, 1e-9);
    assert_eq!(in_plane_rate([1.0, 1.0, 0.0], rate).angle, 0.0);
}

/// `tensor` halves engineering shear and is symmetric.
#[test]
fn tensor_of_engineering_shear() {
    let e = tensor(&Vector6::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0));
    assert_eq!(e, Matrix3::new(1.0, 2.0, 3.0, 2.0, 2.0, 2.5, 3.0, 2.5, 3.0));
}
