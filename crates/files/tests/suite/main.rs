//! Tests of files, one module per source file.

mod atomic;
mod guard;
mod input;
mod leftover;
mod place;
mod text;
