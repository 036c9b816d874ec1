//! Tracking of a reference motion: inverse dynamics, muscle forces by static optimisation, and the controllers of a
//! forward simulation.
//!
//! | folder or file | subject |
//! |---|---|
//! | [`inverse`] | inverse dynamics of a reference motion |
//! | [`mod@reference`] | reference lengths and tensions of all muscles |
//! | [`controllers`] | muscles, joint servos, tracking agent and floor as forces of a forward simulation |
//! | `limits` | ranges of joints and the passive moments at their ends |
//! | [`settings`] | settings of controllers, floor and passive tissues |
//! | [`setup`] | controllers put on a model |

mod agents;
mod bent;
pub mod controllers;
mod excitation;
mod floor;
pub mod inverse;
mod limits;
mod muscle;
pub mod reference;
mod role;
pub mod settings;
pub mod setup;
mod sharing;
mod walk_reference;

pub use agents::{InverseSimulation, MotionAgents, inverse_simulation};
pub(crate) use bent::{bent_reference, sample_times};
pub use controllers::{ControlledMuscle, Controllers, HillLaw, JointServo, Law, MuscleLength, ReflexGains, ServoLaw};
pub use excitation::{Limits, TensionReference, TrackingExcitation, track_excitation};
pub(crate) use floor::OnFloor;
pub use inverse::InverseMotion;
pub use limits::LimitSettings;
pub use muscle::{ReferenceFibre, ReferenceMuscle};
pub use reference::{ReferenceSettings, SharingReport, Timing, Tissue, TrackingReference, tracking_reference};
pub use role::published_inversion;
pub use settings::{AgentSettings, ControllerSettings, PassiveRest, SeriesSettings, ServoSettings};
pub use setup::set_up_controllers;
pub use walk_reference::walk_reference;
