//! From markers and forces to joint angles, moments and muscle forces.
//!
//! - [`subject`]: a model with its coordinates, markers, muscles and actuators, from any source.
//! - [`recording`]: marker and force files by their endings; [`model_markers`]: their names and lengths
//!   beside those of a model.
//! - [`signal`]: gaps, filters, gait events and cycles of recorded signals.
//! - [`ik`]: inverse kinematics.
//! - [`history`]: coordinates over time with speeds and accelerations, by natural quintic splines ([`quintic`]).
//! - [`external_loads`]: measured forces on bodies.
//! - [`mod@inverse_dynamics`]: generalised forces of a motion.
//! - [`planar_leg`]: moments of a leg in a plane, from markers and a plate.
//! - [`residual_reduction`]: a motion and masses that are consistent with the ground forces.
//! - [`reactions`]: joint reactions with muscle forces.
//! - [`balance`]: whether muscle forces balance a motion; [`sense`]: which sign is flexion.
//! - [`mod@muscle_analysis`]: lengths, moment arms, fibres and forces of muscles.
//! - [`mod@static_optimization`]: muscle forces of a motion, by distribution of its moments at minimum cost
//!   ([`sharing`]); [`reserves`]: ideal actuators where muscles lack; [`shortfall`]: the moments that lack force.
#![allow(non_snake_case)]

pub mod actuator;
pub mod balance;
pub mod coordinate;
pub mod coupling;
pub mod error;
pub mod external_loads;
pub mod history;
pub mod ik;
pub mod inverse_dynamics;
pub mod lowpass;
pub mod marker_distances;
pub mod marker_map;
pub mod model_markers;
pub mod muscle;
pub mod muscle_analysis;
pub mod planar_leg;
pub mod quintic;
pub mod reactions;
pub mod recording;
pub mod reserves;
pub mod residual_reduction;
pub mod sense;
pub mod sharing;
pub mod shortfall;
pub mod signal;
pub mod static_optimization;
pub mod subject;

pub use actuator::{Actuator, ActuatorKind, ActuatorSpec};
pub use coordinate::{Coordinate, MotionType};
pub use error::MotionError;
pub use external_loads::ExternalLoad;
pub use history::{Accelerations, CoordinateHistory};
pub use inverse_dynamics::{GeneralizedForces, InverseFrame, inverse_dynamics};
pub use lowpass::Lowpass;
pub use muscle::{Muscle, MuscleSpec};
pub use muscle_analysis::{MuscleHistory, MuscleInstant, muscle_analysis};
pub use reactions::{Axes, ReactionLoads, ReactionRequest, Side, add_motor_forces, joint_reactions};
pub use residual_reduction::{ReductionOptions, ReductionScales, ResidualReduction, reduce_residuals};
pub use sharing::{Sharing, SharingProblem, SharingReport};
pub use static_optimization::{Motors, MuscleForces, Physiology, SharingFrame, SharingOptions, static_optimization};
pub use subject::{Poses, Subject};
