//! Tests of `wolff-walk`, a file for a file.
#![allow(non_snake_case)]

mod ground;
mod sharing;
mod teach;
mod track;
