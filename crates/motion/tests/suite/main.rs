//! Tests of `wolff-motion`, a file for a file.
#![allow(non_snake_case)]

mod data;
mod ik;
mod recording;
mod scale;
mod signal;
