//! Tests of outcomes and how they are written, one module per source file.

mod digits;
mod finite;
mod folder;
mod json;
mod naming;
mod page;
mod published;
