//! Codes and messages of failed calls, and the fence that no panic passes.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use thiserror::Error;
use wolff_contact::ContactError;
use wolff_geometry::GeometryError;

/// How a call ended. Everything but `WOLFF_CODE_OK` leaves a message in `wolff_last_error`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WolffCode {
    /// Done.
    Ok = 0,
    /// A pointer that is needed is NULL.
    NullPointer = 1,
    /// A number is infinite or not a number.
    NotFinite = 2,
    /// A number that is none of an enumeration.
    UnknownChoice = 3,
    /// A text that is not UTF-8, or a name that is taken.
    BadText = 4,
    /// An array has not the length it must have, or is too long.
    BadCount = 5,
    /// Something must be given or done first.
    Missing = 6,
    /// A file cannot be read.
    File = 7,
    /// A surface is refused.
    Geometry = 8,
    /// A material, an option, a grid or a layer is refused.
    Contact = 9,
    /// A fault of the library. The handle should be freed; please report the message.
    Internal = 10,
}

/// Why a call was refused.
#[derive(Debug, Error)]
pub enum CapiError {
    /// No pointer.
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
        /// Which number of it.
        index: usize,
        /// The number.
        value: f64,
    },
    /// None of an enumeration.
    #[error("`{argument}` is {value}, which is none of {known}")]
    UnknownChoice {
        /// Name of the argument.
        argument: &'static str,
        /// The number.
        value: i32,
        /// Numbers and names there are.
        known: String,
    },
    /// A text that is not UTF-8.
    #[error("`{argument}` is not UTF-8 from byte {byte} on; convert the text")]
    BadText {
        /// Name of the argument.
        argument: &'static str,
        /// The first byte that does not fit.
        byte: usize,
    },
    /// A name that is taken.
    #[error("there is a compartment `{name}` already; give each its own name")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Wrong length.
    #[error("`{argument}` is {found}, {rule}")]
    BadCount {
        /// Name of the argument.
        argument: &'static str,
        /// The length given.
        found: usize,
        /// The rule it breaks, with numbers.
        rule: String,
    },
    /// Something else comes first.
    #[error("{what}; {remedy}")]
    Missing {
        /// What is missing.
        what: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A file that cannot be read.
    #[error("`{path}`: {source}; check name and permission")]
    File {
        /// Its path.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file whose surface is refused.
    #[error("`{path}`: {source}")]
    SurfaceFile {
        /// Its path.
        path: String,
        /// Why.
        source: GeometryError,
    },
    /// A surface is refused.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A contact is refused.
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

/// Runs a call; a refusal or a panic becomes a code and the message of this thread.
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
            keep(format!("fault of the library: {}; please report it", said.unwrap_or_default()));
            WolffCode::Internal
        }
    }
}

/// The message of the last failed call of this thread, for as long as `read` runs.
pub fn with_last_message<T>(read: impl FnOnce(&CStr) -> T) -> T {
    LAST.with_borrow(|message| read(message))
}

/// The same message as a pointer that holds until the next failure in this thread.
pub(crate) fn last_message() -> *const c_char {
    with_last_message(CStr::as_ptr)
}

fn keep(message: String) {
    // a zero byte would end the text early
    let message = CString::new(message.replace('\0', "␀")).unwrap_or_default();
    LAST.replace(message);
}
