//! Section resultants of a bone: force and moment from both sides of a cut, and the strain of a beam under them.
//!
//! | file | subject |
//! |---|---|
//! | [`resultant`] | the six section resultants of a segment under point loads, weight and inertia |
//! | [`mass`] | the mass of a segment spread along its axis |
//! | [`loads`] | all loads on a rigid or flexible segment of a model at an instant |
//! | [`beam`] | axial and shear strain of a thick-walled tube under section resultants |
//! | [`elastic`] | axial strain of a section whose elements differ |
//! | `shear`, `wall` | Saint-Venant's torsion and flexure on a grid of the wall |
//!
//! Frame as in [`crate::segment`]: y up along the segment. A section load acts from the part above the cut on the
//! part below: `(Vx, N, Vz)` and `(Mx, My, Mz)` about a point of the section. N is positive in tension; Mz > 0
//! stretches the anterior side, Mx > 0 the side of -z (medial on the right), My is torsion.

pub mod beam;
pub mod elastic;
pub mod loads;
pub mod mass;
pub mod resultant;
mod shear;
mod wall;

pub use beam::{BeamSection, Section, ShearStrain, torsion_constant};
pub use elastic::ElasticSection;
pub use loads::{MuscleLoad, SegmentState, flexible_segment, rigid_segment};
pub use mass::MassAlong;
pub use resultant::{PointLoad, SectionLoad, SegmentMotion, Way, section_load};
