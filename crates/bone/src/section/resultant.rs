//! The six section resultants of a segment.

use wolff_spatial::{Mat3, Vec3};

use super::mass::MassAlong;

/// A force and a moment on the segment at a point, all in its axes.
#[derive(Debug, Clone, PartialEq)]
pub struct PointLoad {
    /// Its origin, such as a muscle or a joint.
    pub name: String,
    /// Point of application \[m\].
    pub point: Vec3,
    /// Force \[N\].
    pub force: Vec3,
    /// Moment about the point \[N m\].
    pub moment: Vec3,
}

/// Motion of a segment in its own axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SegmentMotion {
    /// Acceleration of the origin less that of gravity, `a - g` \[m/s²\].
    pub felt: Vec3,
    /// Angular velocity \[rad/s\].
    pub angular_velocity: Vec3,
    /// Angular acceleration \[rad/s²\].
    pub angular_acceleration: Vec3,
}

/// Load of the part above a cut on the part below, about a point of the section.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SectionLoad {
    /// Reference point of the moment \[m\].
    pub point: Vec3,
    /// `(Vx, N, Vz)` \[N\].
    pub force: Vec3,
    /// `(Mx, My, Mz)` \[N m\].
    pub moment: Vec3,
}

/// From which side of the cut the load is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// Equilibrium of the part below the cut.
    Distal,
    /// Equilibrium of the part above.
    Proximal,
}

impl SectionLoad {
    /// The same load about another point of the section \[m\]: `M' = M + (p - p') × F`.
    pub fn about(&self, point: Vec3) -> Self {
        SectionLoad { point, force: self.force, moment: self.moment + (self.point - point).cross(&self.force) }
    }
}

/// The section load at a point, with the plane across the segment through it.
///
/// ```text
/// distal:    R = Σ m (a - g) - Σ F  over the part below        proximal:  R = Σ F - Σ m (a - g)  over the part above
/// ```
/// and likewise for moments about the point. `loads` are all loads on the segment: both joints, every path point and
/// touching point of every muscle, anything else; one at the height of the cut belongs to the part above. Both ways
/// agree to the accuracy with which loads, weight and inertia of the whole segment are in equilibrium.
pub fn section_load(
    point: &Vec3,
    loads: &[PointLoad],
    motion: &SegmentMotion,
    mass: &MassAlong,
    way: Way,
) -> SectionLoad {
    let (mut force, mut moment) = (Vec3::zeros(), Vec3::zeros());
    let below = |p: &Vec3| p.y < point.y;
    for load in loads.iter().filter(|l| below(&l.point) == (way == Way::Distal)) {
        force += load.force;
        moment += load.moment + (load.point - point).cross(&load.force);
    }
    let part = match way {
        Way::Distal => mass.part(-point.y, mass.length),
        Way::Proximal => mass.part(0.0, -point.y),
    };
    let SegmentMotion { felt, angular_velocity: w, angular_acceleration: alpha } = motion;
    let inertia = Mat3::identity() * part.second.trace() - part.second;
    let needed = felt * part.mass + alpha.cross(&part.first) + w.cross(&w.cross(&part.first));
    let about_origin = part.first.cross(felt) + inertia * alpha + w.cross(&(inertia * w));
    let needed_moment = about_origin - point.cross(&needed);
    let sign = if way == Way::Distal { 1.0 } else { -1.0 };
    SectionLoad { point: *point, force: (needed - force) * sign, moment: (needed_moment - moment) * sign }
}
