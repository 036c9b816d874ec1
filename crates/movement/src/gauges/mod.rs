//! Strain gauges on a shaft, placed by anatomy, and what they tell over time.
//!
//! | file | subject |
//! |---|---|
//! | [`contour`] | the outline of a section of a mesh, seen from its centroid |
//! | [`sites`] | the anteromedial rosette, a row across its face, seven gauges around, at four levels |
//! | [`history`] | strains, their rates and peaks from modal coordinates over time |
//! | [`deflection`] | how one end of a bone bends and twists against the other |

pub mod contour;
pub mod deflection;
pub mod history;
pub mod sites;

pub use contour::Contour;
pub use deflection::{Deflection, deflection};
pub use history::{CyclePeaks, GaugeHistory, Peaks, cycle_peaks, gauge_history};
pub use sites::{ROSETTE, face_row, ring, site, tibia_gauges};
