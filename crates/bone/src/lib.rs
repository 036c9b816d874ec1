//! Bodies that bend.
#![allow(non_snake_case)]

pub mod flexible;
