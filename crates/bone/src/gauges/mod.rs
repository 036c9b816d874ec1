//! Strain gauges on a shaft, placed by anatomy, and their readings over time.
//!
//! | file | subject |
//! |---|---|
//! | [`contour`] | the outline of a section of a mesh, seen from its centroid |
//! | [`sites`] | the anteromedial rosette, a row across its face, seven gauges around, at four levels |
//! | [`history`] | strains from modal coordinates over time |
//! | [`peaks`] | peaks of strain and strain rate over strides |
//! | [`drawing`] | a section with the gauges around it |
//! | [`mod@deflection`] | how one end of a bone bends and twists against the other |

pub mod contour;
pub mod deflection;
pub mod drawing;
pub mod history;
pub mod peaks;
pub mod sites;

pub use contour::Contour;
pub use deflection::{Deflection, deflection};
pub use drawing::section_svg;
pub use history::{GaugeHistory, gauge_history};
pub use peaks::{RATE_WINDOW, StrainPeaks, extremes};
pub use sites::{ROSETTE, face_row, femur_gauges, ring, site, tibia_gauges};
