//! Skipped tests are recorded, and those that have what they need are not.

mod record;
mod shared;
