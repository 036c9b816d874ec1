//! Tracking of a reference motion: inverse dynamics, muscle forces by static optimisation, and the controllers of a forward simulation.
//!
//! | folder or file | subject |
//! |---|---|
//! | [`inverse`] | inverse dynamics of a reference motion |
//! | [`reference`] | reference lengths and tensions of all muscles |
//! | [`controllers`] | muscles, joint servos, tracking agent and floor as forces of a forward simulation |
//! | [`settings`] | settings of controllers, floor and passive tissues |
//! | [`setup`] | controllers put on a model |

mod agents;
mod bent;
pub mod controllers;
mod excitation;
mod floor;
pub mod inverse;
mod muscle;
pub mod reference;
mod role;
pub mod settings;
pub mod setup;
mod sharing;
mod walk_reference;

pub use agents::{InverseSimulation, MotionAgents, inverse_simulation};
pub(crate) use bent::{learn_bent, sample_times};
pub use controllers::{DrivenMuscle, Driver, HillLaw, JointServo, Law, ReflexGains, Seen, ServoLaw};
pub use excitation::{Limits, TrackingExcitation, Wanted, track_excitation};
pub(crate) use floor::OnFloor;
pub use inverse::Rehearsal;
pub use muscle::{HillPupil, Pupil};
pub use reference::{Lesson, SharingReport, TeachSettings, Timing, Tissue, teach};
pub use settings::{AgentSettings, PassiveRest, ServoSettings, StageSettings};
pub use setup::set_stage;
pub use walk_reference::rehearse;
