//! A ball of 30 mm over 8 mm of polyethylene, the case of the shared reference.

use std::f64::consts::PI;
use wolff_c::choice::{WolffBody, WolffGridShape};
use wolff_c::{Layer, WolffBuilder, WolffContact, WolffGrid, WolffSurface};
use wolff_contact::foundation::{Along, Distance, Rule, Strain};

pub const RADIUS: f64 = 0.030;
pub const THICKNESS: f64 = 0.008;
pub const E: f64 = 463e6;
pub const NU: f64 = 0.46;
/// Confined modulus of the reference [Pa].
pub const CONFINED: f64 = 2140.582191780823e6;

/// A square of half the side `half` [m] about `x`, in the plane z = 0.
pub fn grid(x: f64, half: f64, n: usize) -> WolffGrid {
    WolffGrid {
        shape: WolffGridShape::Plane as i32,
        origin: [x, 0.0, 0.0],
        normal: [0.0, 0.0, 1.0],
        along: [1.0, 0.0, 0.0],
        radius: 0.0,
        first: [-half, half],
        second: [-half, half],
        counts: [n, n],
        range: [-0.02, 0.02],
    }
}

pub fn floor() -> WolffSurface {
    WolffSurface::plane(&[0.0; 3], &[0.0, 0.0, 1.0]).unwrap()
}

/// A moving surface over one grid of 12 by 12 mm on the floor, strained along its normal; an element is under the
/// origin.
pub fn builder(moving: &WolffSurface) -> WolffBuilder {
    let mut builder = WolffBuilder::new(moving, &floor());
    builder.add_grid("layer", &grid(0.0, 0.006, 13), &Layer::Constant(THICKNESS)).unwrap();
    builder.set_linear(WolffBody::Fixed, E, NU, Strain::Small).unwrap();
    builder.set_method(Distance::Ray, Along::FixedNormal, Rule::Adaptive);
    builder
}

pub fn ball() -> WolffSurface {
    WolffSurface::sphere(&[0.0; 3], RADIUS).unwrap()
}

/// Coordinates of a ball about the moving origin at the depth [m].
pub fn pressed(depth: f64) -> [f64; 6] {
    [0.0, 0.0, RADIUS - depth, 0.0, 0.0, 0.0]
}

/// Force [N] at the depth d [m]: `π k d² (3R - d)/(3h)`.
pub fn closed_form(d: f64) -> f64 {
    PI * CONFINED * d * d * (3.0 * RADIUS - d) / (3.0 * THICKNESS)
}

/// Vertical force [N] at rest at the depth [m].
pub fn force(contact: &mut WolffContact, depth: f64) -> f64 {
    contact.evaluate(&pressed(depth), &[0.0; 6]).unwrap().force_on_moving[2]
}

#[track_caller]
pub fn assert_near(got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "got {got:e}, expected {want:e} within {tolerance:e}");
}
