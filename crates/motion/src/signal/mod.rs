//! Recorded signals: gaps, noise, gait events, cycles.
//!
//! Nothing is mended in silence: [`fill_gaps`] says what it filled and what it left, [`low_pass_markers`] which pieces
//! were too short.

mod cycle;
mod differentiate;
mod events;
mod feet;
mod filter;
mod gaps;
mod thinned;

pub use cycle::{Closing, Cycle, cut_cycles, normalise};
pub use differentiate::DifferentiatingLowPass;
pub use events::{EventKind, ForceThresholds, GaitEvent, events_of_force, events_of_markers};
pub use feet::{FootCycles, foot_cycles, over_cycle};
pub use filter::{LowPass, Piece, low_pass_columns, low_pass_markers};
pub use gaps::{GapOutcome, GapReport, fill_gaps};
pub use thinned::Thinned;
