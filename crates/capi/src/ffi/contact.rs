//! Evaluation.

use super::pointer::{exclusive, hand_out, numbers, put, put_all, require, shared, take_back};
use crate::builder::WolffBuilder;
use crate::contact::{WolffContact, WolffContactResult, WolffElement, WolffPatch};
use crate::error::{CapiError, WolffCode, guard};
use std::ffi::c_char;

/// Builds the contact. The builder remains valid: it can be changed for another contact, or freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_contact_build(
    builder: *const WolffBuilder,
    contact: *mut *mut WolffContact,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    guard(|| unsafe { hand_out("contact", contact, || shared("builder", builder)?.build()) })
}

/// A second handle of the same contact with its own state, for another thread. Surfaces and elements are shared, not
/// copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_contact_clone(contact: *const WolffContact, copy: *mut *mut WolffContact) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    guard(|| unsafe { hand_out("copy", copy, || Ok(shared("contact", contact)?.clone())) })
}

/// Frees a contact. NULL has no effect.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_contact_free(contact: *mut WolffContact) -> WolffCode {
    guard(|| {
        // SAFETY: the contract of `ffi`.
        unsafe { take_back(contact) };
        Ok(())
    })
}

/// Forces and measures at a pose.
///
/// `q`: six numbers, the position x, y, z [m] of the moving origin in the fixed frame and three angles [rad],
/// body-three 1-2-3: the moving body turns about its own x, then its own new y, then its own new z axis, R = R1(q4)
/// R2(q5) R3(q6). `u`: their six time derivatives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_contact_evaluate(
    contact: *mut WolffContact,
    q: *const f64,
    u: *const f64,
    result: *mut WolffContactResult,
) -> WolffCode {
    guard(|| {
        // SAFETY: the contract of `ffi`.
        unsafe {
            let values = exclusive("contact", contact)?.evaluate(&numbers("q", q)?, &numbers("u", u)?)?;
            put("result", result, values)
        }
    })
}

/// Derivatives of the force [N] and the moment about the fixed origin [N m] on the moving body.
///
/// `by_q` and `by_u`: 36 numbers each, entry [6 i + j] is the derivative of force_on_moving[i] (i below 3) or
/// torque_on_moving[i - 3] by q[j] at constant u, and by u[j] at constant q. After `wolff_contact_evaluate` at the same
/// q and u no new distances are computed. They are exact where the moving surface has constant curvature, otherwise to
/// the order of (element size)^2.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_contact_derivatives(
    contact: *mut WolffContact,
    q: *const f64,
    u: *const f64,
    by_q: *mut f64,
    by_u: *mut f64,
) -> WolffCode {
    guard(|| {
        require("by_q", by_q)?;
        require("by_u", by_u)?;
        // SAFETY: the contract of `ffi`.
        unsafe {
            let (F_q, F_u) = exclusive("contact", contact)?.derivatives(&numbers("q", q)?, &numbers("u", u)?)?;
            // columns of the transpose are the rows
            put_all("by_q", by_q, 36, F_q.transpose().as_slice())?;
            put_all("by_u", by_u, 36, F_u.transpose().as_slice())
        }
    })
}

/// Number of compartments.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_contact_compartment_count(contact: *const WolffContact, count: *mut usize) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    guard(|| unsafe { put("count", count, shared("contact", contact)?.compartment_names().len()) })
}

/// Name of the compartment number `index`, from 0; valid until the contact is freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_contact_compartment_name(
    contact: *const WolffContact,
    index: usize,
    name: *mut *const c_char,
) -> WolffCode {
    guard(|| {
        // SAFETY: the contract of `ffi`.
        unsafe {
            let mut names = shared("contact", contact)?.compartment_names();
            let rule = format!("must be below the number of compartments, {}", names.len());
            let found = names.nth(index).ok_or(CapiError::BadCount { argument: "index", found: index, rule })?;
            put("name", name, found.as_ptr())
        }
    })
}

/// The compartments at the last pose evaluated: `count` must be their number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_contact_compartments(
    contact: *mut WolffContact,
    patches: *mut WolffPatch,
    count: usize,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    guard(|| unsafe { put_all("patches", patches, count, &exclusive("contact", contact)?.compartments()?) })
}

/// Number of elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_contact_element_count(contact: *const WolffContact, count: *mut usize) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    guard(|| unsafe { put("count", count, shared("contact", contact)?.element_count()) })
}

/// Mean pressure [Pa] of each element at the last pose evaluated: `count` must be the number of elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_contact_pressures(
    contact: *mut WolffContact,
    pressures: *mut f64,
    count: usize,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    guard(|| unsafe { put_all("pressures", pressures, count, exclusive("contact", contact)?.pressures()?) })
}

/// Position, corners, area and thickness of each element: `count` must be the number of elements.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wolff_contact_element_geometry(
    contact: *const WolffContact,
    elements: *mut WolffElement,
    count: usize,
) -> WolffCode {
    // SAFETY: the contract of `ffi`.
    guard(|| unsafe { put_all("elements", elements, count, &shared("contact", contact)?.elements()) })
}
