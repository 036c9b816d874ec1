//! Tests of images; each module mirrors one of the sources.

mod frame;
mod phantom;
mod read;
mod volume;
