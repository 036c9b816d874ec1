//! Results of a movement compared with measurements and with publications.
//!
//! | file | subject |
//! |---|---|
//! | [`ground_force`] | ground force of a simulation against the measured one |
//! | [`emg`] | muscle forces against electromyograms |
//! | [`phases`] | phases of the gait cycle from the contacts of both feet |
//! | [`norms`] | joint moments of walking people from publications |
//! | [`literature`] | published strains, deflections and joint forces |

pub mod emg;
pub mod ground_force;
pub mod literature;
pub mod norms;
pub mod phases;

pub use emg::{EmgMatch, GREATEST_DELAY, Signal, emg_matches, read_emg};
pub use ground_force::{GroundMatch, ground_match};
