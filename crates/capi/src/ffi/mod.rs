//! The functions of the header: pointers to values, one call, values to pointers. All unsafe code of the crate is here.
//!
//! # Safety
//!
//! One contract for all functions, stated for C in the header of `wolff.h`. A pointer is NULL, which is an error, or
//! - a handle: from its `wolff_..._new`, `_build`, `_clone` or surface function, not yet freed, and not used by two
//!   threads at the same time;
//! - an input: valid for reads of the stated number of items, and a text ends with a zero byte;
//! - an output: valid for writes of the stated number of items, and apart from all other arguments.

#![allow(clippy::missing_safety_doc)] // stated once, above

mod pointer;

// in the order of their use, which is that of the header
pub mod surface;

pub mod builder;

pub mod contact;

use crate::error::last_message;
use std::ffi::{CStr, c_char};

/// Version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn wolff_version() -> *const c_char {
    const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(version) => version,
        Err(_) => c"",
    };
    VERSION.as_ptr()
}

/// Message of the last failed call of this thread, UTF-8; empty before the first failure. Valid until the next failure
/// in this thread.
#[unsafe(no_mangle)]
pub extern "C" fn wolff_last_error() -> *const c_char {
    last_message()
}
