//! Third step: the solution of the whole mesh, static, free or in motion.
//!
//! | module | subject |
//! |---|---|
//! | [`ordering`], `fronts`, [`factor`] | order of elimination, Cholesky factors by fronts |
//! | [`solve`], [`relief`] | statics with supports, statics of a free body (inertia relief) |
//! | [`modes`], `krylov`, `sturm` | lowest vibration modes, and a count that proves that none is missing |
//! | [`newmark`], [`elastodynamics`] | the whole mesh in motion |
//! | `dense` | small dense symmetric problems |

pub(crate) mod dense;
pub mod elastodynamics;
pub mod factor;
pub(crate) mod fronts;
pub(crate) mod krylov;
pub mod modes;
pub mod newmark;
pub mod ordering;
pub mod relief;
pub mod solve;
pub(crate) mod sturm;
