//! Tests of the verification problems, one module per source file.

mod verify;
