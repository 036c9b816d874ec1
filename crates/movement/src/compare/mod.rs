//! Results of a movement compared with its reference and with other methods.
//!
//! | file | subject |
//! |---|---|
//! | [`fidelity`] | how well a forward simulation follows its reference |
//! | `ways` | strains of the same motion without the floating frame |
//! | [`moments`] | net joint moments |

pub mod fidelity;
pub mod moments;
mod ways;
