//! A person walks and a bone bends.
//!
//! | folder or file | subject |
//! |---|---|
//! | [`perform`] | the whole: a subject, a walk, bones; lesson, drive, strains |
//! | [`stage`] | a person with muscles and bones, put together |
//! | [`teach`] | a wanted motion gone through once: muscle lengths, static optimisation |
//! | [`drive`] | forward dynamics: servo or Hill muscles, joints, tracking agent, floor |
//! | [`ways`] | strains of the same motion without the floating frame |
//! | [`loads`] | joint contact forces, loads on bones and their sections along a walk |
//! | [`literature`] | published measurements to print beside results |
//! | [`moments`] | net joint moments of a driven walk |
//! | [`norms`] | joint moments of walking people to judge a walk by |
//! | [`footing`] | a walk on rigid ground carried over to a floor that gives way |
//! | [`ground`] | pads under the feet on a plane floor |
//! | [`fidelity`] | how well a drive follows its lesson |
//! | [`tune`] | the floor fitted to a force curve |
//! | [`imported`] | an OpenSim model as the person who walks |
//! | [`trial`] | a measured walk made one that can be performed |
//! | [`track`] | signals on equal steps of time |
#![allow(non_snake_case)]
// units in brackets are not links
#![allow(rustdoc::broken_intra_doc_links)]

mod centers;
pub mod drive;
pub mod error;
pub mod fidelity;
pub mod footing;
pub mod ground;
pub mod imported;
mod leg;
pub mod literature;
pub mod loads;
pub mod moments;
pub mod norms;
pub mod perform;
mod prescribed;
pub mod stage;
pub mod teach;
pub mod track;
pub mod trial;
pub mod tune;
pub mod ways;

pub use error::WalkError;
