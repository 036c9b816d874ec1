//! Scaling a generic model to a subject, as OpenSim's `ScaleTool` does.
//!
//! 1. [`body_factors`]: factors of every body from distances of markers in a standing trial (recorded over model, mean
//!    of the pairs of a measurement) and from a list.
//! 2. [`scaled_text`]: the model's own XML with every length of a body multiplied by its factors: joints, wrap
//!    surfaces, path points, centres of mass, markers, display geometry; inertia; masses to those of the subject;
//!    optimal fibre lengths, tendon slack lengths and resting lengths in the ratio of path lengths in the default pose.
//!    Everything else of the file is unchanged, byte by byte.
//! 3. [`place_markers`]: inverse kinematics of the mean standing pose; markers that are not fixed are moved to their
//!    measured positions.
//!
//! [`scale_subject`] does all three from a set-up, [`scale_by`] the second with given factors and masses.

mod edit;
mod factors;
mod geometry;
mod inertia;
mod judge;
mod lengths;
mod masses;
mod placer;
mod tool;

pub use factors::{BodyFactors, MeasurementResult, body_factors, default_origins};
pub use geometry::scaled_text;
pub use inertia::{BodyInertia, scale_inertia};
pub use judge::examine_scaling;
pub use masses::with_masses;
pub use placer::{Placed, place_markers, with_marker_set};
pub use tool::{ScaledSubject, factors_file, scale_by, scale_subject, scale_subject_with};
