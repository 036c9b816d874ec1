//! Knees of our own design: condyles and plateaus from a few radii.

mod condyle;
mod plateau;

pub use condyle::Condyle;
pub use plateau::Plateau;
