//! Tests of what commands do, one module per source file.

mod answers;
mod checkpoint;
mod compare;
mod extremes;
mod judged_walk;
mod person_scaling;
mod run;
mod sensitivity;
mod walk;
mod walk_bones;
