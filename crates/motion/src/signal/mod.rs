//! Recorded signals: gaps, noise, gait events, cycles.
//!
//! Nothing is corrected silently: [`fill_gaps`] reports which gaps it filled and which not, [`low_pass_markers`]
//! reports which intervals were too short, and [`Preparation`] reports all that it changed.

mod cycle;
mod differentiate;
mod events;
mod feet;
mod filter;
mod gaps;
mod prepare;
mod thinned;

pub use cycle::{Closing, Cycle, cut_cycles, normalise};
pub use differentiate::DifferentiatingLowPass;
pub use events::{EventKind, ForceThresholds, GaitEvent, events_of_force, events_of_markers};
pub use feet::{CycleCurve, FootCycles, cycle_curves, foot_cycles, over_cycle};
pub use filter::{LowPass, Piece, low_pass_columns, low_pass_markers};
pub use gaps::{GapOutcome, GapReport, fill_gaps};
pub use prepare::{Preparation, Prepared};
pub use thinned::Thinned;
