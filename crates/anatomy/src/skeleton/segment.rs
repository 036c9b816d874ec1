//! A segment with its inboard joint, and its mirror image.

use super::{mirror_axis, mirror_point};
use crate::names::{Axis, CoordinateRole, Side, mirror_name};
use wolff_multibody::spec::GROUND;
use wolff_spatial::{MassProperties, Vec3};

/// One rotation of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Turn {
    /// Name of the angle.
    pub coordinate: String,
    /// Unit axis in the frame after the preceding rotations.
    pub axis: Vec3,
}

/// A rigid segment.
#[derive(Clone, Debug, PartialEq)]
pub struct Segment {
    /// Name; the suffix `_r` or `_l` gives the side.
    pub name: String,
    /// The parent segment, or [`GROUND`] for the root.
    pub parent: String,
    /// Position of the joint on the parent \[m\].
    pub joint: Vec3,
    /// Rotations of the joint in order, up to three; empty: welded. A root also moves along the three world axes.
    pub turns: Vec<Turn>,
    /// Mass, centre of mass from the joint, inertia about it.
    pub mass: MassProperties,
}

impl Segment {
    /// Whether it moves freely in space.
    pub fn is_root(&self) -> bool {
        self.parent == GROUND
    }

    /// Names of its joint's coordinates.
    pub fn coordinate_names(&self) -> Vec<String> {
        let slides = ["tx", "ty", "tz"].iter().filter(|_| self.is_root()).map(|t| format!("{}_{t}", self.name));
        slides.chain(self.turns.iter().map(|t| t.coordinate.clone())).collect()
    }

    /// Roles of its joint's coordinates, in the order of [`Segment::coordinate_names`].
    pub fn coordinate_roles(&self) -> Vec<CoordinateRole> {
        if !self.is_root() {
            return self.turns.iter().map(|t| CoordinateRole::of_or_other(&t.coordinate)).collect();
        }
        let slides = [Axis::X, Axis::Y, Axis::Z].map(CoordinateRole::RootTranslation);
        let turns =
            self.turns.iter().map(|t| CoordinateRole::RootRotation([Axis::X, Axis::Y, Axis::Z][t.axis.iamax()]));
        slides.into_iter().chain(turns).collect()
    }

    /// Its side; `None` in the median plane.
    pub fn side(&self) -> Option<Side> {
        Side::of(&self.name)
    }

    /// The same segment on the other side of the body.
    pub fn mirrored(&self) -> Segment {
        let mut inertia = self.mass.inertia;
        for (i, j) in [(0, 2), (1, 2), (2, 0), (2, 1)] {
            inertia[(i, j)] = -inertia[(i, j)];
        }
        let turn = |t: &Turn| Turn { coordinate: mirror_name(&t.coordinate), axis: mirror_axis(&t.axis) };
        Segment {
            name: mirror_name(&self.name),
            parent: mirror_name(&self.parent),
            joint: mirror_point(&self.joint),
            turns: self.turns.iter().map(turn).collect(),
            mass: MassProperties { mass: self.mass.mass, com: mirror_point(&self.mass.com), inertia },
        }
    }
}

/// A load-bearing part of the sole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolePart {
    /// Under the heel.
    Heel,
    /// Under the head of a metatarsal, the ball of the foot.
    Ball,
    /// Under the toes.
    Toe,
}

impl SolePart {
    /// The part by the prefix of a point's name.
    pub fn of(name: &str) -> Option<Self> {
        let parts = [(SolePart::Heel, "heel"), (SolePart::Ball, "mt"), (SolePart::Toe, "toe")];
        parts.into_iter().find(|(_, stem)| name.starts_with(stem)).map(|(part, _)| part)
    }
}

/// A point under a foot.
#[derive(Clone, Debug, PartialEq)]
pub struct FootPoint {
    /// Name, as `heel_r`.
    pub name: String,
    /// The segment to which it is fixed.
    pub segment: String,
    /// Position on the segment \[m\].
    pub point: Vec3,
    /// Contact window in walking: start and end as fractions of the cycle that begins with this foot's heel strike.
    pub window: [f64; 2],
}

impl FootPoint {
    /// The foot that it is under; a foot in the median plane counts as a right one.
    pub fn side(&self) -> Side {
        Side::of(&self.segment).unwrap_or(Side::Right)
    }

    /// The part of the sole that it marks; `None` where the name is not known.
    pub fn part(&self) -> Option<SolePart> {
        SolePart::of(&self.name)
    }

    /// The same point of the other foot.
    pub fn mirrored(&self) -> FootPoint {
        FootPoint {
            name: mirror_name(&self.name),
            segment: mirror_name(&self.segment),
            point: mirror_point(&self.point),
            window: self.window,
        }
    }
}
