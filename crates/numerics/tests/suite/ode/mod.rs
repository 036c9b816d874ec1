//! First-order integrators.

mod driver;
mod energy;
mod events;
pub mod models;
mod order;
mod stiff;
