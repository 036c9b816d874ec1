//! Tests of what commands do, one module per source file.

mod answers;
mod checkpoint;
mod contact_poses;
mod person_scaling;
mod walk;
