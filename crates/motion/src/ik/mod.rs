//! Inverse kinematics: the pose whose markers lie nearest to the recorded ones.
//!
//! Each frame minimises, over the coordinates that are free,
//!
//! ```text
//! c(q) = Σ w_m |p_m(q) - o_m|² / (2 Σ w_m)  +  ½ Σ w_k (q_k - q̂_k)²
//! ```
//!
//! p_m position of a marker of the model \[m\], o_m its measured position \[m\], w_m its weight; q̂_k target value of a
//! coordinate \[rad or m\], w_k its weight. Missing markers are in neither sum. This is the cost of OpenSim's tool, so
//! that its task sets have the same meaning here.
//!
//! - Locked and prescribed coordinates and couplers are eliminated and therefore hold exactly; loops are enforced
//!   by multipliers to rounding, independent of `constraint_weight`.
//! - Clamped coordinates stay in their range.
//! - Gauss-Newton with damping, started from the previous poses. `Jᵀ W J` of points on a tree is the mass matrix of
//!   that tree with a mass w_m at each marker, and is computed by composite bodies in one sweep; no Jacobian is stored.
//!
//! [`IkJob`] reads and writes files with one frame in memory at a time; [`solve_trial`] solves a whole trial in memory;
//! [`Solver`] solves single frames without allocation.

mod factor;
mod freedoms;
mod job;
mod judge;
mod loops;
mod normal;
mod report;
mod sketch;
mod solver;
mod source;
mod summary;
mod tasks;
mod trial;

pub use freedoms::Freedoms;
pub use job::{IkJob, IkResult, RESULTS, file_name, locked};
pub use judge::{max_limit_mm, rms_limit_mm};
pub use report::{MarkerFit, MarkerStatistics};
pub use sketch::{IkPlot, StrideCurve};
pub use solver::{FrameFit, Options, Solver};
pub use summary::{IkSummary, Ranges};
pub use tasks::{Matched, MatchedMarker, Target, Tasks};
pub use trial::{IkMotion, solve_trial};
