//! What most programs need: a model, forces on it, its simulation, and studies by name.

pub use wolff_app::run::run_builtin;
pub use wolff_multibody::force::{Instant, Loads};
pub use wolff_multibody::simulation::{Settings, simulate};
pub use wolff_multibody::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec};
pub use wolff_multibody::{ForceElement, Model, System};
pub use wolff_report::outcome::{Outcome, Status};
pub use wolff_spatial::{MassProperties, Pose, Vec3};
