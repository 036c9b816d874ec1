//! Bone out of a CT: a start that the cortex fit makes exact.
//!
//! | file | subject |
//! |---|---|
//! | [`mod@levels`] | levels of soft tissue and cortical bone, noise and threshold from the histogram |
//! | [`smooth`] | Gaussian smoothing |
//! | [`mod@components`] | connected parts; cavities |
//! | [`distance`] | distance to the nearest voxel outside |
//! | [`watershed`] | touching bones apart |
//! | [`mod@bone`] | all of it: the solid bone with its first surface |

pub mod bone;
pub mod components;
pub mod distance;
pub mod levels;
pub mod smooth;
pub mod watershed;

pub use bone::{Bone, BoneOptions, Part, bone, cut};
pub use components::{Components, components, filled};
pub use distance::squared_distances;
pub use levels::{Histogram, Levels, levels};
pub use smooth::gaussian;
pub use watershed::split_touching;
