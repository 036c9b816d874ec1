//! The dynamically similar walk.

use crate::walk::{GroundSeries, LeftStance, ReferenceWalk, Series, StanceFoot, WalkConstants};
use wolff_anatomy::AnatomyError;
use wolff_anatomy::skeleton::SECOND_METATARSAL;
use wolff_anatomy::skeleton::Skeleton;
use wolff_anatomy::{Axis, CoordinateRole, Joint, Motion, SegmentName, Side};

/// Whether the amplitude of a coordinate grows with the length of the step: thighs, pelvis and arms.
fn swings(role: CoordinateRole) -> bool {
    role == CoordinateRole::RootRotation(Axis::Y)
        || matches!(role.joint_motion(), Some((Joint::Hip | Joint::Shoulder, Motion::Flexion)))
}

/// The walk of a body of other size with the same angles at the same phases.
///
/// ```text
/// λ = l'/l     lengths · λ,  v' = v √λ,  T' = T √λ,  forces · m'/m
/// ```
/// l length of the leg from hip to ankle \[m\], mean of both. Equal Froude numbers `v²/(g l)` make walks of similar
/// bodies dynamically similar (Alexander and Jayes, J Zool 201, 1983). A speed f times v' is reached by steps longer by
/// √f in a time shorter by √f (chosen here, near observed walking); the swing of thighs, pelvis and arms grows with √f.
pub(super) fn similar(
    walk: &ReferenceWalk,
    skeleton: Skeleton,
    stature: f64,
    speed: Option<f64>,
) -> Result<ReferenceWalk, AnatomyError> {
    let (own, other) = (leg_length(&walk.skeleton)?, leg_length(&skeleton)?);
    let scale = other / own;
    let foot_scale = forefoot(&skeleton)? / forefoot(&walk.skeleton)?;
    let froude_speed = walk.constants.speed * scale.sqrt();
    let faster = speed.unwrap_or(froude_speed) / froude_speed;
    let constants = WalkConstants {
        mass: skeleton.mass(),
        stature,
        gravity: skeleton.gravity,
        cycle_time: walk.constants.cycle_time * (scale / faster).sqrt(),
        speed: froude_speed * faster,
        duty: walk.constants.duty,
    };
    let names = skeleton.coordinate_names();
    let motion = motion_for(&names, &walk.motion).map(|s| scaled_series(&s, scale, faster.sqrt())).collect();
    let times = |list: &Vec<f64>, by: f64| list.iter().map(|x| x * by).collect::<Vec<_>>();
    let scaled = |series: &GroundSeries| {
        let StanceFoot { x, z, turn } = series.foot;
        GroundSeries {
            foot: StanceFoot { x: x * scale * faster.sqrt(), z: z * scale, turn },
            force: series.force.clone(),
            centre: series.centre.each_ref().map(|c| times(c, foot_scale)),
            free_moment: times(&series.free_moment, scale),
        }
    };
    let similar = ReferenceWalk::new(constants, skeleton, motion, scaled(&walk.ground))?;
    match &walk.left {
        Some(left) => similar.with_left_stance(LeftStance { series: scaled(&left.series), ..left.clone() }),
        None => Ok(similar),
    }
}

/// The series of the coordinates that a skeleton has. Without a series in `motion`, coordinates of the median plane and
/// of the right side are at rest, and left ones follow those of the right side.
fn motion_for<'a>(names: &'a [String], motion: &'a [Series]) -> impl Iterator<Item = Series> + 'a {
    names.iter().filter_map(|name| {
        let rest = || Series { coordinate: name.clone(), mean: 0.0, harmonics: vec![] };
        let own = motion.iter().find(|s| s.coordinate == *name).cloned();
        own.or_else(|| (Side::of(name) != Some(Side::Left)).then(rest))
    })
}

/// A translation is scaled with the body, a swing with the step; other angles are not changed.
fn scaled_series(series: &Series, scale: f64, step: f64) -> Series {
    let role = CoordinateRole::of_or_other(&series.coordinate);
    let (mean, wave) = if role.is_translation() {
        (scale, scale)
    } else if swings(role) {
        (1.0, step)
    } else {
        (1.0, 1.0)
    };
    let mut scaled = series.clone();
    scaled.mean *= mean;
    for h in &mut scaled.harmonics {
        h.cos *= wave;
        h.sin *= wave;
    }
    scaled
}

fn leg_length(skeleton: &Skeleton) -> Result<f64, AnatomyError> {
    let length = |segment: SegmentName| {
        let rule = "the skeleton has no such segment with another below it; add it";
        skeleton.length(segment.name()).ok_or_else(|| AnatomyError::rule(segment.name(), rule))
    };
    let [right, left] = [Side::Right, Side::Left].map(|side| (SegmentName::Thigh(side), SegmentName::Shank(side)));
    let legs = length(right.0)? + length(right.1)? + length(left.0)? + length(left.1)?;
    Ok(0.5 * legs)
}

/// Forward distance from ankle to the ball of the foot \[m\].
fn forefoot(skeleton: &Skeleton) -> Result<f64, AnatomyError> {
    let point = skeleton.contacts.iter().find(|c| c.name == SECOND_METATARSAL);
    let missing = || AnatomyError::rule(SECOND_METATARSAL, "the skeleton has no such point under the foot; add it");
    point.map(|c| c.point.x).ok_or_else(missing)
}
