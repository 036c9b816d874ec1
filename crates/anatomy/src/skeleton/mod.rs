//! Skeletons: segments in a tree, the joints between them, and the points on which the feet stand.
//!
//! Every segment's frame has its origin at the joint with its parent and the axes of the world in standing, where all
//! angles are zero.

mod ankle;
mod passive;
mod person;
mod proportions;
mod segment;
mod spec;

pub use ankle::AnkleAxes;
pub use passive::PassiveJoint;
pub use person::{GRAVITY, SECOND_METATARSAL, foot_length, foot_points};
pub use proportions::Proportions;
pub use segment::{FootPoint, Segment, SolePart, Turn};

use crate::names::{CoordinateRole, Side};
use std::sync::Arc;
use wolff_multibody::spec::ModelSpec;
use wolff_spatial::Vec3;

/// A person's segments, right and left, root first and every parent before its children.
#[derive(Clone, Debug)]
pub struct Skeleton {
    /// Name of the model.
    pub name: String,
    /// Acceleration of gravity along -Y \[m/s²\].
    pub gravity: f64,
    /// Segments.
    pub segments: Vec<Segment>,
    /// Points under both feet.
    pub contacts: Vec<FootPoint>,
    /// Joints other than rotations about a point: the whole system, whose bodies are the segments. `None`: the joints
    /// of the segments.
    pub given: Option<Arc<ModelSpec>>,
}

impl PartialEq for Skeleton {
    /// Systems are equal where they are the same object.
    fn eq(&self, other: &Self) -> bool {
        let same_system = match (&self.given, &other.given) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        same_system
            && (&self.name, self.gravity, &self.segments, &self.contacts)
                == (&other.name, other.gravity, &other.segments, &other.contacts)
    }
}

impl Skeleton {
    /// The middle and the right side with its mirror image added.
    pub fn mirrored(name: &str, gravity: f64, segments: Vec<Segment>, contacts: Vec<FootPoint>) -> Self {
        let left = segments.iter().filter(|s| s.side() == Some(Side::Right)).map(Segment::mirrored);
        let left_contacts = contacts.iter().map(FootPoint::mirrored);
        Skeleton {
            name: name.into(),
            gravity,
            segments: segments.iter().cloned().chain(left).collect(),
            contacts: contacts.iter().cloned().chain(left_contacts).collect(),
            given: None,
        }
    }

    /// A segment by name.
    pub fn segment(&self, name: &str) -> Option<&Segment> {
        self.segments.iter().find(|s| s.name == name)
    }

    /// Length of a segment \[m\]: from its joint to the joint of its child segment; `None` where it has no child.
    pub fn length(&self, name: &str) -> Option<f64> {
        self.segments.iter().find(|s| s.parent == name).map(|child| child.joint.norm())
    }

    /// Mass of the whole person \[kg\].
    pub fn mass(&self) -> f64 {
        self.segments.iter().map(|s| s.mass.mass).sum()
    }

    /// Coordinates, segment by segment: the three displacements of a root come first.
    pub fn coordinate_names(&self) -> Vec<String> {
        if let Some(system) = &self.given {
            return system.joints.iter().flat_map(|j| j.coordinates.iter().cloned()).collect();
        }
        self.segments.iter().flat_map(Segment::coordinate_names).collect()
    }

    /// Roles of the coordinates, in the order of [`Skeleton::coordinate_names`]; those without a known role are
    /// [`CoordinateRole::Other`].
    pub fn coordinate_roles(&self) -> Vec<CoordinateRole> {
        match &self.given {
            Some(_) => self.coordinate_names().iter().map(|name| CoordinateRole::of_or_other(name)).collect(),
            None => self.segments.iter().flat_map(Segment::coordinate_roles).collect(),
        }
    }

    /// The role of a coordinate by its name; `None` where the skeleton has no such coordinate.
    pub fn role_of(&self, coordinate: &str) -> Option<CoordinateRole> {
        let place = self.coordinate_names().iter().position(|name| name == coordinate)?;
        self.coordinate_roles().get(place).copied()
    }
}

/// The mirror image of a point in the median plane: z reversed.
pub fn mirror_point(p: &Vec3) -> Vec3 {
    Vec3::new(p.x, p.y, -p.z)
}

/// The mirror image of an axis of rotation: a turn about it keeps its sense seen from the other side.
pub fn mirror_axis(a: &Vec3) -> Vec3 {
    Vec3::new(-a.x, -a.y, a.z)
}
