//! Elements, materials and options.

use super::pointer::{exclusive, hand_out, numbers, put, shared, slice, take_back, text};
use crate::builder::{Layer, WolffBuilder, WolffGrid};
use crate::choice::{self, WolffLayerKind};
use crate::error::{CapiError, WolffCode, guard};
use crate::surface::WolffSurface;
use std::ffi::c_char;
use wolff_contact::Friction;

/// Thickness of the fixed layer.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WolffLayer {
    /// One of `WolffLayerKind`.
    pub kind: i32,
    /// Thickness [m], if it is constant.
    pub thickness: f64,
    /// Surface behind the layer, if the thickness is the distance to it.
    pub back: *const WolffSurface,
    /// Maximum distance to the surface behind [m].
    pub reach: f64,
}

impl WolffLayer {
    unsafe fn checked(&self) -> Result<Layer<'_>, CapiError> {
        Ok(match choice::layer_kind(self.kind)? {
            WolffLayerKind::Constant => Layer::Constant(self.thickness),
            WolffLayerKind::ToElementSurface => Layer::ToElementSurface,
            WolffLayerKind::ToBack => {
                // SAFETY: the contract of `ffi`.
                let back = unsafe { shared("layer.back", self.back) }?;
                Layer::ToBack { back, reach: self.reach }
            }
        })
    }
}

/// Applies a change to a builder.
unsafe fn change(
    builder: *mut WolffBuilder,
    change: impl FnOnce(&mut WolffBuilder) -> Result<(), CapiError>,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    guard(|| change(unsafe { exclusive("builder", builder) }?))
}

/// Begins a contact of a `moving` surface over a `fixed` one, each in the frame of its body. The fixed one carries the
/// elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_new(
    moving: *const WolffSurface,
    fixed: *const WolffSurface,
    builder: *mut *mut WolffBuilder,
) -> WolffCode {
    guard(|| {
        // SAFETY: the contract of `ffi`.
        unsafe {
            hand_out("builder", builder, || Ok(WolffBuilder::new(shared("moving", moving)?, shared("fixed", fixed)?)))
        }
    })
}

/// Frees a builder; contacts built with it remain valid. NULL has no effect.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_free(builder: *mut WolffBuilder) -> WolffCode {
    guard(|| {
        // SAFETY: the contract of `ffi`.
        unsafe { take_back(builder) };
        Ok(())
    })
}

/// Adds a compartment: the elements of a grid projected onto the fixed surface. `name` must be unique. Can be called
/// repeatedly.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_add_grid(
    builder: *mut WolffBuilder,
    name: *const c_char,
    grid: *const WolffGrid,
    layer: *const WolffLayer,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe {
        change(builder, |builder| {
            builder.add_grid(text("name", name)?, shared("grid", grid)?, &shared("layer", layer)?.checked()?)
        })
    }
}

/// Adds a compartment: the triangles of the fixed surface as elements. `name` must be unique.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_add_triangles(
    builder: *mut WolffBuilder,
    name: *const c_char,
    layer: *const WolffLayer,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe {
        change(builder, |builder| builder.add_triangles(text("name", name)?, &shared("layer", layer)?.checked()?))
    }
}

/// Linear material p = E c x, c = (1 - nu)/((1 + nu)(1 - 2 nu)), of the layer on `body` (one of `WolffBody`).
///
/// `youngs_modulus` E [Pa], `poissons_ratio` nu below 1/2, `strain` x: one of `WolffStrain`. The fixed body requires a
/// material. If the moving body has no material, that of the fixed body is used; only its stiffness at zero strain
/// matters.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_set_linear(
    builder: *mut WolffBuilder,
    body: i32,
    youngs_modulus: f64,
    poissons_ratio: f64,
    strain: i32,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe {
        change(builder, |builder| {
            builder.set_linear(choice::body(body)?, youngs_modulus, poissons_ratio, choice::strain(strain)?)
        })
    }
}

/// Nonlinear material strain = strain0/2 (p/stress0 + (p/stress0)^exponent) of the layer on `body` (one of
/// `WolffBody`).
///
/// `strain0` [-], `stress0` [Pa], `exponent` one or more, `poissons_ratio` below 1/2, `reading`: one of `WolffReading`,
/// `strain`: one of `WolffStrain`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_set_nonlinear(
    builder: *mut WolffBuilder,
    body: i32,
    strain0: f64,
    stress0: f64,
    exponent: f64,
    poissons_ratio: f64,
    reading: i32,
    strain: i32,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe {
        change(builder, |builder| {
            let (reading, strain) = (choice::reading(reading)?, choice::strain(strain)?);
            builder.set_nonlinear(choice::body(body)?, (strain0, stress0, exponent), poissons_ratio, reading, strain)
        })
    }
}

/// Damping a [s/m]: the pressure is multiplied by 1 + a d', not below zero; d' is the rate of the overlap [m/s].
/// Default: zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_set_damping(builder: *mut WolffBuilder, damping: f64) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe { change(builder, |builder| builder.set_damping(damping)) }
}

/// Measure of the overlap, direction and integration: one of `WolffDistance`, of `WolffAlong`, of `WolffRule`.
/// Default: the first value of each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_set_method(
    builder: *mut WolffBuilder,
    distance: i32,
    along: i32,
    rule: i32,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe {
        change(builder, |builder| {
            builder.set_method(choice::distance(distance)?, choice::along(along)?, choice::rule(rule)?);
            Ok(())
        })
    }
}

/// Friction with static and dynamic coefficients and the velocities [m/s] at which stiction ends and sliding begins.
/// Default: no friction.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_set_friction(
    builder: *mut WolffBuilder,
    static_coefficient: f64,
    dynamic_coefficient: f64,
    stiction_velocity: f64,
    friction_velocity: f64,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe {
        change(builder, |builder| {
            let friction =
                Friction::new(static_coefficient, dynamic_coefficient, stiction_velocity, friction_velocity)?;
            builder.set_friction(Some(friction));
            Ok(())
        })
    }
}

/// The last result is reused if no element has moved more than this distance relative to the moving body [m].
/// Default: zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_set_reuse_within(builder: *mut WolffBuilder, distance: f64) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe { change(builder, |builder| builder.set_reuse_within(distance)) }
}

/// Thickness of a layer on the moving body [m], constant. Default: zero (a rigid body).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_set_moving_layer(builder: *mut WolffBuilder, thickness: f64) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe { change(builder, |builder| builder.set_moving_layer(thickness)) }
}

/// Thickness of the layer on the moving body over the parameters of a NURBS surface of it, bilinear between samples and
/// constant beyond them.
///
/// `surface`: number of the surface in its file or array, from 0; can be called once for each. Those without a map are
/// rigid. `u`, `v`: two numbers each, the ranges of the parameters. `counts`: two numbers of samples, ends included.
/// `values`: counts[0] times counts[1] thicknesses [m], v fastest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_set_moving_layer_map(
    builder: *mut WolffBuilder,
    surface: usize,
    u: *const f64,
    v: *const f64,
    counts: *const usize,
    values: *const f64,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe {
        change(builder, |builder| {
            let ranges = (numbers::<2>("u", u)?, numbers::<2>("v", v)?);
            let counts = slice("counts", counts, 2)?;
            let counts = [counts[0], counts[1]];
            let values = slice("values", values, counts[0].saturating_mul(counts[1]))?;
            builder.set_moving_layer_map(surface, ranges, counts, values)
        })
    }
}

/// Thickness of the layer on the moving body: the distance from the moving surface, along its inward normal, to a
/// surface `back` in the frame of the moving body, up to `reach` [m]. Where it is less than `least` [m] or nothing is
/// behind, the layer is `least` thick.
///
/// The moving surface must consist of triangles (sampled at their corners) or NURBS patches (sampled at `samples` times
/// `samples` points each). `without`: part of the samples that have nothing behind them; may be NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_set_moving_layer_back(
    builder: *mut WolffBuilder,
    back: *const WolffSurface,
    reach: f64,
    least: f64,
    samples: usize,
    without: *mut f64,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe {
        change(builder, |builder| {
            let part = builder.set_moving_layer_back(shared("back", back)?, (reach, least), samples)?;
            if without.is_null() { Ok(()) } else { put("without", without, part) }
        })
    }
}

/// Minimum number of elements for which an evaluation uses all processors; results do not depend on it. Default: 4000.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_builder_set_threads_from(builder: *mut WolffBuilder, elements: usize) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    unsafe {
        change(builder, |builder| {
            builder.set_threads_from(elements);
            Ok(())
        })
    }
}
