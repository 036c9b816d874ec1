//! Tests of the C interface: safe modules one by one, then the library from C.
#![allow(non_snake_case)]

mod header;
