//! Tests of outcomes and how they are written, one module per source file.

mod folder;
mod json;
mod page;
mod published;
