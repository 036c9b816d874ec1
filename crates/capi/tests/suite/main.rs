//! Tests of the C interface: safe modules one by one, then the library from C.
#![allow(non_snake_case)]

mod builder;
mod choice;
mod contact;
mod coordinates;
mod error;
mod ffi;
mod header;
mod support;
mod surface;
