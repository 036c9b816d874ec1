//! The algorithms of tree dynamics, a file each. All take memory from their caller and allocate nothing.

pub mod bias;
pub mod energy;
pub mod forward;
pub mod inverse;
pub mod mass_matrix;
pub mod reactions;
