//! Tests of images; each module mirrors one of the sources.

mod cortex;
mod density;
mod frame;
mod phantom;
mod read;
mod resample;
mod segment;
mod surface;
mod synthetic_ct;
mod volume;
