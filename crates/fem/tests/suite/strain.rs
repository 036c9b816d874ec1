use nalgebra::Vector6;
use wolff_fem::strain::{in_plane, max_shear, principal, von_mises};

use crate::assert_close;

/// Independent reference: microstrain of rosettes, `ε_y, ε_z, γ` to `ε₁, ε₂, γ_max, angle`.
#[test]
fn rosettes_equal_reference() {
    let cases = [
        ([300.0, -500.0, 200.0], [312.31056256176606, -512.3105625617661, 824.6211251235321, 0.12248933156343207]),
        ([-100.0, -100.0, 0.0], [-100.0, -100.0, 0.0, 0.0]),
        ([0.0, 0.0, 400.0], [200.0, -200.0, 400.0, std::f64::consts::FRAC_PI_4]),
        ([120.0, 80.0, -60.0], [136.0555127546399, 63.94448724536011, 72.11102550927978, -0.4913968616236645]),
    ];
    for ([y, z, shear], [first, second, max, angle]) in cases {
        let plane = in_plane(y, z, shear);
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
