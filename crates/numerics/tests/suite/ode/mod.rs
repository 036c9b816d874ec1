//! First-order integrators.

mod driver;
mod energy;
mod events;
mod models;
mod order;
mod stiff;
