//! A person walks and a bone bends.

pub mod bone;
pub mod gauges;
pub mod literature;
pub mod section;
