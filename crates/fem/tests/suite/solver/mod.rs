//! Tests of `solver`.

mod elastodynamics;
mod modes;
mod ordering;
mod relief;
mod solve;
