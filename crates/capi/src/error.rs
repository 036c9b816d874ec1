//! Codes and messages of failed calls, and the guard that stops panics.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use thiserror::Error;
use wolff_contact::ContactError;
use wolff_geometry::GeometryError;

/// Result of a call. Every code except `WOLFF_CODE_OK` sets the message of `wolff_last_error`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WolffCode {
    /// Success.
    Ok = 0,
    /// A required pointer is NULL.
    NullPointer = 1,
    /// A number is infinite or not a number.
    NotFinite = 2,
    /// A number is not a value of the enumeration.
    UnknownChoice = 3,
    /// A text is not UTF-8, or a name is used already.
    BadText = 4,
    /// An array has an invalid length.
    BadCount = 5,
    /// A required input or a previous call is missing.
    Missing = 6,
    /// A file cannot be read.
    File = 7,
    /// A surface is invalid.
    Geometry = 8,
    /// A material, an option, a grid or a layer is invalid.
    Contact = 9,
    /// Internal error of the library. Free the handle and please report the message.
    Internal = 10,
}

/// The reason why a call failed.
#[derive(Debug, Error)]
pub enum CapiError {
    /// NULL pointer.
    #[error("`{argument}` is NULL; give a valid pointer")]
    NullPointer {
        /// Name of the argument.
        argument: &'static str,
    },
    /// Infinity or NaN.
    #[error("`{argument}[{index}]` is {value}; give a finite number")]
    NotFinite {
        /// Name of the argument.
        argument: &'static str,
        /// Index of the number.
        index: usize,
        /// The number.
        value: f64,
    },
    /// Not a value of the enumeration.
    #[error("`{argument}` is {value}; it must be one of {known}")]
    UnknownChoice {
        /// Name of the argument.
        argument: &'static str,
        /// The number.
        value: i32,
        /// Valid numbers and their names.
        known: String,
    },
    /// A text that is not UTF-8.
    #[error("`{argument}` is not UTF-8 from byte {byte} on; convert the text")]
    BadText {
        /// Name of the argument.
        argument: &'static str,
        /// The first invalid byte.
        byte: usize,
    },
    /// A name that is used already.
    #[error("there is already a compartment `{name}`; give each compartment its own name")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Invalid length.
    #[error("`{argument}` is {found}, {rule}")]
    BadCount {
        /// Name of the argument.
        argument: &'static str,
        /// The length given.
        found: usize,
        /// The violated rule, with numbers.
        rule: String,
    },
    /// A required input or a previous call is missing.
    #[error("{what}; {remedy}")]
    Missing {
        /// What is missing.
        what: String,
        /// The remedy.
        remedy: &'static str,
    },
    /// A file that cannot be read.
    #[error("`{path}`: {source}; check the name and the permissions")]
    File {
        /// The path.
        path: String,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// A file with an invalid surface.
    #[error("`{path}`: {source}")]
    SurfaceFile {
        /// The path.
        path: String,
        /// The reason.
        source: GeometryError,
    },
    /// A surface is invalid.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A contact is invalid.
    #[error(transparent)]
    Contact(#[from] ContactError),
}

impl CapiError {
    /// The code of the header.
    pub fn code(&self) -> WolffCode {
        match self {
            CapiError::NullPointer { .. } => WolffCode::NullPointer,
            CapiError::NotFinite { .. } => WolffCode::NotFinite,
            CapiError::UnknownChoice { .. } => WolffCode::UnknownChoice,
            CapiError::BadText { .. } | CapiError::NameTaken { .. } => WolffCode::BadText,
            CapiError::BadCount { .. } => WolffCode::BadCount,
            CapiError::Missing { .. } => WolffCode::Missing,
            CapiError::File { .. } => WolffCode::File,
            CapiError::SurfaceFile { .. } | CapiError::Geometry(_) => WolffCode::Geometry,
            CapiError::Contact(_) => WolffCode::Contact,
        }
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Runs a call; an error or a panic is converted to a code and the message of this thread.
pub fn guard(call: impl FnOnce() -> Result<(), CapiError>) -> WolffCode {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => WolffCode::Ok,
        Ok(Err(error)) => {
            keep(error.to_string());
            error.code()
        }
        Err(panic) => {
            let said = panic.downcast_ref::<&str>().map(ToString::to_string);
            let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
            keep(format!("internal error of the library: {}; please report it", said.unwrap_or_default()));
            WolffCode::Internal
        }
    }
}

/// The message of the last failed call of this thread, valid while `read` runs.
pub fn with_last_message<T>(read: impl FnOnce(&CStr) -> T) -> T {
    LAST.with_borrow(|message| read(message))
}

/// The same message as a pointer, valid until the next failure in this thread.
pub(crate) fn last_message() -> *const c_char {
    with_last_message(CStr::as_ptr)
}

fn keep(message: String) {
    // a zero byte would end the text early
    let message = CString::new(message.replace('\0', "␀")).unwrap_or_default();
    LAST.replace(message);
}
