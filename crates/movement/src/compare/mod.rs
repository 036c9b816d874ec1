//! Results of a movement compared with its reference, with measurements and with publications.
//!
//! | file | subject |
//! |---|---|
//! | [`fidelity`] | how well a forward simulation follows its reference |
//! | [`ground_force`] | ground force of a simulation against the measured one |
//! | [`emg`] | muscle forces against electromyograms |
//! | `ways` | strains of the same motion without the floating frame |
//! | [`moments`] | net joint moments |
//! | [`norms`] | joint moments of walking people from publications |
//! | [`literature`] | published strains, deflections and joint forces |

pub mod emg;
pub mod fidelity;
pub mod ground_force;
pub mod literature;
pub mod moments;
pub mod norms;
mod ways;

pub use emg::{EmgMatch, GREATEST_DELAY, Signal, emg_matches, read_emg};
pub use ground_force::{GroundMatch, ground_match};
