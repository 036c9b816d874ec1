//! Recorded walks that are not part of the project: tests that need them skip aloud where they are absent.

use crate::data::records;
use wolff_motion::Accelerations;
use wolff_validation::{Records, Walk};

/// The records and the walk of 92 muscles, as OpenSim's inverse dynamics tool or its analyses see it.
pub fn gait1992(accelerations: Accelerations) -> Option<(Records, Walk)> {
    let records = records("gait1992-pipeline")?;
    let walk = Walk::gait1992(&records, accelerations).unwrap();
    Some((records, walk))
}
