//! Stiff forces, and a step that survives them.
//!
//! Bone modes, servo muscles, ground contact and friction are a thousand times faster than the motion they carry. Each
//! of them acts along one scalar `s(q)`: a length, a depth, a sliding, an angle. [`Rows`] lists its direction
//! `J = ∂s/∂q`, its force, and how the force answers to `s` and `s'`; [`ImplicitStep`] puts these answers into the
//! equations, so that no step is too long for them.

mod factor;
mod rows;
mod squares;
mod step;

pub use rows::{Push, Rows, StiffForces};
pub use step::ImplicitStep;
