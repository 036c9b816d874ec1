//! From the generic bones of gait2392 to the segments of a skeleton.

use super::HumanMuscle;
use super::table::{Bone, GenericMuscle, GenericPoint};
use crate::error::{AnatomyError, positive};
use crate::names::{SegmentName, Side, mirror_name};
use crate::skeleton::{SECOND_METATARSAL, Skeleton, mirror_point};
use wolff_muscle::PathSpec;
use wolff_muscle::path::{Construction, EllipsoidMethod, PointSpec, Quadrant, WrapSpec, WrapSurface};
use wolff_spatial::{Pose, Vec3};

/// Hip centre in gait2392's pelvis \[m\], right side.
const HIP: Vec3 = Vec3::new(-0.0707, -0.0661, 0.0835);
/// Knee in gait2392's femur \[m\], straight leg (its functions of the knee angle at zero, to 0.1 mm).
const KNEE: Vec3 = Vec3::new(-0.0043, -0.3959, 0.0);
/// Length of gait2392's tibia from knee to ankle \[m\].
const TIBIA: f64 = 0.43;
/// Origin of gait2392's calcaneus from its ankle \[m\].
const HEEL: Vec3 = Vec3::new(-0.04877, -0.04195, 0.00792);
/// Forward distance of gait2392's toe joint from its ankle \[m\].
const FOREFOOT: f64 = -0.04877 + 0.1788;
/// Radius of the cylinder that the knee extensors run over, on a leg of gait2392's size \[m\]; chosen here, near
/// published moment arms of 4 cm.
const KNEE_RADIUS: f64 = 0.038;

/// Generic bones of the right side on a skeleton.
pub(super) trait Placement {
    /// A generic point as segment and position \[m\]; `None` where the generic body has no such bone.
    fn point(&self, generic: &GenericPoint) -> Option<(&'static str, Vec3)>;

    /// Wrapping surfaces of the muscle, on the right or left side.
    fn wraps(&self, generic: &GenericMuscle, side: Side) -> Vec<WrapSpec>;
}

/// A generic muscle on one side of a person.
pub(super) fn place(on: &impl Placement, generic: &GenericMuscle, side: Side) -> Result<HumanMuscle, AnatomyError> {
    let name = side.name(&generic.name);
    let left = side == Side::Left;
    let point = |generic_point: &GenericPoint| {
        let missing =
            || AnatomyError::rule(&name, format!("bone {:?} is not available on this skeleton", generic_point.bone));
        let (segment, p) = on.point(generic_point).ok_or_else(missing)?;
        Ok(if left { PointSpec::fixed(&mirror_name(segment), mirror_point(&p)) } else { PointSpec::fixed(segment, p) })
    };
    let points: Result<Vec<_>, _> = generic.points.iter().map(point).collect();
    let path = PathSpec {
        name: name.clone(),
        points: points?,
        wraps: on.wraps(generic, side),
        construction: Construction::Shortest,
    };
    let pcsa = generic.pcsa();
    Ok(HumanMuscle {
        name: path.name.clone(),
        group: generic.group.clone(),
        side: Some(side),
        path,
        max_force: wolff_muscle::servo::max_force(pcsa),
        pcsa,
        fibre: None,
    })
}

/// The right leg of gait2392 placed on a leg of a skeleton; on the left mirrored.
pub(super) struct GenericLeg {
    pelvis: f64,
    thigh: f64,
    shank: f64,
    foot: f64,
    /// Knee on the thigh, mirrored to the right side \[m\].
    knee: Vec3,
}

impl GenericLeg {
    /// Scales of the bones: half the distance of the hips, thigh and shank length, ankle to ball of the foot.
    pub fn on(skeleton: &Skeleton, side: Side) -> Result<Self, AnatomyError> {
        let left = side == Side::Left;
        let own = |name: &str| if left { mirror_name(name) } else { name.into() };
        let joint = |name: &str| match skeleton.segment(&own(name)) {
            Some(segment) if left => Ok(mirror_point(&segment.joint)),
            Some(segment) => Ok(segment.joint),
            None => Err(AnatomyError::Unknown { what: "segment", name: own(name) }),
        };
        let ball = skeleton.contacts.iter().find(|c| c.name == own(SECOND_METATARSAL));
        let missing =
            || AnatomyError::rule(own(SECOND_METATARSAL), "the skeleton has no such point under the foot; add it");
        let ball = ball.ok_or_else(missing)?.point.x;
        let (hip, knee, ankle) = (joint("thigh_r")?, joint("shank_r")?, joint("foot_r")?);
        Ok(GenericLeg {
            pelvis: positive("pelvis", "half distance of the hips [m]", hip.z)? / HIP.z,
            thigh: positive(&own("thigh_r"), "length [m]", -knee.y)? / -KNEE.y,
            shank: positive(&own("shank_r"), "length [m]", -ankle.y)? / TIBIA,
            foot: positive(&own("foot_r"), "forward distance of the ball from the ankle [m]", ball)? / FOREFOOT,
            knee,
        })
    }

    /// The front half of a cylinder about the knee, fixed on the thigh.
    fn knee_cylinder(&self, side: Side) -> WrapSpec {
        let centre = match side {
            Side::Right => self.knee,
            Side::Left => mirror_point(&self.knee),
        };
        WrapSpec {
            name: side.name("knee"),
            body: SegmentName::Thigh(side).name().into(),
            pose: Pose::translation(centre),
            surface: WrapSurface::Cylinder { radius: KNEE_RADIUS * self.thigh, length: 0.2 },
            quadrant: Some(Quadrant { axis: 0, positive: true }),
            method: EllipsoidMethod::Hybrid,
            first: None,
            last: None,
        }
    }
}

impl Placement for GenericLeg {
    fn point(&self, generic: &GenericPoint) -> Option<(&'static str, Vec3)> {
        let p = Vec3::from(generic.at);
        match generic.bone {
            // both origins lie in the median plane
            Bone::Pelvis => Some(("pelvis", (p - Vec3::new(HIP.x, HIP.y, 0.0)) * self.pelvis)),
            // the line from hip to knee is made vertical
            Bone::Femur => Some(("thigh_r", Vec3::new(p.x - p.y / KNEE.y * KNEE.x, p.y, p.z) * self.thigh)),
            Bone::Tibia => Some(("shank_r", p * self.shank)),
            Bone::Calcaneus => Some(("foot_r", (p + HEEL) * self.foot)),
            _ => None,
        }
    }

    fn wraps(&self, generic: &GenericMuscle, side: Side) -> Vec<WrapSpec> {
        if generic.knee_cylinder { vec![self.knee_cylinder(side)] } else { vec![] }
    }
}
