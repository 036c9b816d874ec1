//! Our results beside those that OpenSim and others recorded.
//!
//! [`validate`] goes through a folder of recorded trials and gives a [`ValidationRow`] for each quantity of each of
//! them: the difference, what it is wished not to exceed (OpenSim's own tolerance where it has one), and a bound that
//! says whether it has become worse. Rows that miss their limit are in the list like all others. Notes say how many
//! frames were compared and what is known to be off in a record.

#![allow(non_snake_case)]

pub mod difference;
pub mod ik;
pub mod inverse_dynamics;
pub mod loading;
pub mod manifest;
pub mod muscle_control;
pub mod muscles;
pub mod paths;
pub mod planar_leg;
pub mod reactions;
pub mod records;
mod row;
pub mod scale;
pub mod static_optimization;
pub mod table;
pub mod timing;

pub use difference::Difference;
pub use records::{Records, Walk};
pub use row::{ValidationRow, Verdict};
use wolff_motion::MotionError;

/// Compares everything; what cannot be compared has a row that says why.
pub fn validate(records: &Records) -> Vec<ValidationRow> {
    let parts: [fn(&Records) -> Vec<ValidationRow>; 11] = [
        loading::rows,
        scale::rows,
        ik::rows,
        inverse_dynamics::rows,
        planar_leg::rows,
        muscles::rows,
        muscle_control::rows,
        paths::rows,
        static_optimization::rows,
        reactions::rows,
        timing::rows,
    ];
    parts.iter().flat_map(|part| part(records)).collect()
}

/// The rows of a comparison, or one that says why there are none.
fn attempt(
    trial: &str,
    quantity: &str,
    compare: impl FnOnce() -> Result<Vec<ValidationRow>, MotionError>,
) -> Vec<ValidationRow> {
    compare().unwrap_or_else(|cause| vec![ValidationRow::failed(trial, quantity, &cause)])
}
