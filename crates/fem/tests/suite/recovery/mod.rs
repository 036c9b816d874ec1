//! Tests of `recovery`.

mod attachment;
mod gauge;
mod nodal_strain;
