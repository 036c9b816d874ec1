//! C interface to the elastic foundation contact, as declared in the header `wolff.h`.
//!
//! | file | subject |
//! |---|---|
//! | [`error`] | codes, messages, and the guard that stops panics |
//! | [`choice`] | the enumerations of the header |
//! | [`coordinates`] | six generalised coordinates and their rates as pose and velocity |
//! | [`surface`] | surfaces from arrays and files |
//! | [`builder`] | elements, materials and options, and the contact built from them |
//! | [`contact`] | forces, measures and derivatives at a pose |
//! | [`ffi`] | the functions of the header: pointers to values, one call, values to pointers |
//!
//! Only [`ffi`] uses pointers. The other modules are safe Rust, so that all rules can be tested without C.
//!
//! Source: Bei and Fregly, Multibody dynamic simulation of knee contact mechanics, Med Eng Phys 2004, section 2.4:
//! parameters and options once; then coordinates and rates in, net force and torque on each body and measures out.
#![allow(non_snake_case)]

pub mod builder;
pub mod choice;
pub mod contact;
pub mod coordinates;
pub mod error;
#[allow(unsafe_code)]
pub mod ffi;
pub mod surface;

pub use builder::{Layer, WolffBuilder, WolffGrid};
pub use contact::{WolffContact, WolffContactResult, WolffElement, WolffPatch};
pub use coordinates::Coordinates;
pub use error::{CapiError, WolffCode};
pub use surface::WolffSurface;
