//! Pointers from C as references and values. Each function relies on the contract of the parent module.

use crate::coordinates::require_finite;
use crate::error::CapiError;
use std::ffi::{CStr, c_char};

/// A handle or value to read.
pub unsafe fn shared<'a, T>(argument: &'static str, pointer: *const T) -> Result<&'a T, CapiError> {
    // SAFETY: valid for reads where it is not NULL, by the contract.
    unsafe { pointer.as_ref() }.ok_or(CapiError::NullPointer { argument })
}

/// A handle to change.
pub unsafe fn exclusive<'a, T>(argument: &'static str, pointer: *mut T) -> Result<&'a mut T, CapiError> {
    // SAFETY: a live handle that no other thread uses, by the contract.
    unsafe { pointer.as_mut() }.ok_or(CapiError::NullPointer { argument })
}

/// Finite numbers.
pub unsafe fn numbers<const N: usize>(argument: &'static str, pointer: *const f64) -> Result<[f64; N], CapiError> {
    // SAFETY: valid for reads of N numbers, by the contract; arrays are laid out and aligned as their items.
    let values = unsafe { shared(argument, pointer.cast::<[f64; N]>()) }?;
    require_finite(argument, values)?;
    Ok(*values)
}

/// An array to read.
pub unsafe fn slice<'a, T>(argument: &'static str, pointer: *const T, count: usize) -> Result<&'a [T], CapiError> {
    require(argument, pointer)?;
    let most = isize::MAX as usize / size_of::<T>().max(1);
    if count > most {
        let rule = format!("an array in memory holds at most {most}");
        return Err(CapiError::BadCount { argument, found: count, rule });
    }
    // SAFETY: not NULL, valid for reads of `count` items by the contract, and no longer than an allocation can be.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// A text.
pub unsafe fn text<'a>(argument: &'static str, pointer: *const c_char) -> Result<&'a str, CapiError> {
    require(argument, pointer)?;
    // SAFETY: not NULL, and ends with a zero byte by the contract.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|error| CapiError::BadText { argument, byte: error.valid_up_to() })
}

/// Writes a value.
pub unsafe fn put<T>(argument: &'static str, pointer: *mut T, value: T) -> Result<(), CapiError> {
    require(argument, pointer)?;
    // SAFETY: not NULL, and valid for writes by the contract; what was there is not dropped, it may be anything.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Writes an array, whose length C must know.
pub unsafe fn put_all<T: Copy>(
    argument: &'static str,
    pointer: *mut T,
    count: usize,
    values: &[T],
) -> Result<(), CapiError> {
    require(argument, pointer)?;
    if count != values.len() {
        let rule = format!("must be {}", values.len());
        return Err(CapiError::BadCount { argument: "count", found: count, rule });
    }
    // SAFETY: not NULL, valid for writes of `count` items and apart from `values` by the contract.
    unsafe { pointer.copy_from_nonoverlapping(values.as_ptr(), count) };
    Ok(())
}

/// Makes a handle for C to own; NULL if it cannot be made.
pub unsafe fn hand_out<T>(
    argument: &'static str,
    pointer: *mut *mut T,
    make: impl FnOnce() -> Result<T, CapiError>,
) -> Result<(), CapiError> {
    // SAFETY: checked and written under the contract of `put`.
    unsafe { put(argument, pointer, std::ptr::null_mut()) }?;
    let handle = Box::into_raw(Box::new(make()?));
    // SAFETY: as above.
    unsafe { put(argument, pointer, handle) }
}

/// Takes a handle back and drops it; NULL has no effect.
pub unsafe fn take_back<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: made by `hand_out` and not yet taken back, by the contract.
        drop(unsafe { Box::from_raw(pointer) });
    }
}

/// Refuses NULL.
pub fn require<T>(argument: &'static str, pointer: *const T) -> Result<(), CapiError> {
    if pointer.is_null() { Err(CapiError::NullPointer { argument }) } else { Ok(()) }
}
