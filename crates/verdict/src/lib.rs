//! How far a result can be trusted: findings about input, limits of results, and the verdict that follows from them.
//!
//! | type | subject |
//! |---|---|
//! | [`Finding`] | something that was found, with its severity and its remedy |
//! | [`Limit`] | two limits of a quantity: above the first it is doubtful, above the second it has failed |
//! | [`constant`] | values that constants of materials can have |
//! | [`Judgement`] | all findings and judged quantities of an analysis, and its [`Verdict`] |
//!
//! Is a marker error of 31 mm acceptable?
//!
//! ```
//! use wolff_verdict::{Judgement, Limit, Verdict};
//!
//! let mut judgement = Judgement::default();
//! let limit = Limit::at_most(20.0, 100.0).because("20 mm: recommended by the authors of OpenSim");
//! judgement.judge("marker error RMS", "mm", 31.0, &limit, "check the names of the markers");
//! assert_eq!(judgement.verdict(), Verdict::Doubtful);
//! ```

pub mod constant;
mod finding;
mod judgement;
mod limit;

pub use finding::{Finding, Severity, grouped};
pub use judgement::{Judged, Judgement, Verdict};
pub use limit::Limit;
