//! Motion of an OpenSim model as motion of a person's skeleton.
//!
//! Legs and pelvis: the pose whose joint centres and axes lie nearest to those of the model, by inverse kinematics.
//! Trunk: its rotation against the pelvis, half of it in each of the two joints. Arms: directions of upper arm and
//! forearm. Toes: their turn against the foot.

use super::gait::Gait;
use super::recorded::rms_over_frames;
use crate::error::MovementError;
use crate::imported::bodies::{ArmBodies, Bodies, LegBodies, Snapshot};
use crate::imported::toe_flexion;
use std::collections::BTreeMap;
use wolff_anatomy::skeleton::Proportions;
use wolff_anatomy::{CoordinateRole, Joint, Motion, SegmentName, Side, Skeleton};
use wolff_formats::trial::{Marker, MarkerTrial};
use wolff_motion::ik::{Options, Tasks, solve_trial};
use wolff_motion::{Coordinate, Subject};
use wolff_multibody::spec::{FrameSpec, ModelSpec};
use wolff_multibody::{Kinematics, Model};
use wolff_spatial::{Mat3, Pose, Quaternion, Vec3};

/// Distance from the joint centre of the auxiliary points that mark its axis \[m\].
const ARM: f64 = 0.1;
/// Weight of the points of a foot; all others have weight one. The position of the feet determines the joint moments.
const FOOT_WEIGHT: f64 = 4.0;
/// A joint that moves less than this in a trial is treated as fixed \[rad\].
pub(crate) const MOVES: f64 = 0.035;
/// Maximum extension of toes that are assumed to lie flat [rad]: beyond it their tip leaves the floor.
const GREATEST_TOE_BEND: f64 = 0.6;
/// Fraction of the cycle in which toes return to zero after they have left the floor.
const TOES_STRETCH: f64 = 0.12;

/// Coordinates of a skeleton over time, as far as they follow from the model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Retargeted {
    pub times: Vec<f64>,
    pub columns: BTreeMap<String, Vec<f64>>,
    /// Root mean square distance of joint centres and axis points from those of the model \[m\].
    pub distance: f64,
}

/// Leg lengths of the model: means over both sides and all snapshots.
pub(crate) fn proportions(bodies: &Bodies, snapshots: &[Snapshot]) -> Proportions {
    let mean = |length: &dyn Fn(&Snapshot, &LegBodies) -> f64| {
        let all = snapshots.iter().flat_map(|s| bodies.legs.iter().map(move |leg| length(s, leg)));
        all.sum::<f64>() / (2 * snapshots.len().max(1)) as f64
    };
    let between = |s: &Snapshot, a: usize, b: usize| (s.poses[a].p - s.poses[b].p).norm();
    Proportions {
        half_hips: mean(&|s, _| 0.5 * between(s, bodies.legs[0].femur, bodies.legs[1].femur)),
        thigh: mean(&|s, leg| between(s, leg.femur, leg.tibia)),
        shank: mean(&|s, leg| between(s, leg.tibia, leg.talus)),
        forefoot: mean(&|s, leg| {
            let foot = &s.poses[leg.calcaneus];
            (foot.R.transpose() * (s.poses[leg.toes].p - s.poses[leg.talus].p)).x
        }),
    }
}

/// Retargets the motion.
pub(crate) fn retarget(
    skeleton: &Skeleton,
    lengths: &Proportions,
    bodies: &Bodies,
    shots: &[Snapshot],
    gait: &Gait,
) -> Result<Retargeted, MovementError> {
    let mut out = legs(skeleton, lengths, bodies, shots)?;
    for (leg, foot) in bodies.legs.iter().zip(Side::BOTH) {
        let turn = |s: &Snapshot| zxy(&relative(s, leg.calcaneus, leg.toes))[0];
        let toes: Vec<f64> = shots.iter().map(turn).collect();
        let moves = spread(&toes) > MOVES;
        let flat =
            |s: &Snapshot| flat_toes(&s.poses[leg.calcaneus], gait.phase(s.time, foot), gait.duties[foot.index()]);
        let toes = if moves { toes } else { shots.iter().map(flat).collect() };
        out.columns.insert(toe_flexion(foot), toes);
    }
    if let Some(torso) = bodies.torso {
        let halves: Vec<[f64; 3]> = shots.iter().map(|s| zxy(&half(&relative(s, bodies.pelvis, torso)))).collect();
        for joint in [Joint::Lumbar, Joint::Thoracic] {
            let motions = [(Motion::Flexion, 0, -1.0), (Motion::Bending, 1, 1.0), (Motion::Rotation, 2, 1.0)];
            for (motion, axis, sign) in motions {
                let name = CoordinateRole::angle(joint, motion, None).name().unwrap_or_default();
                out.columns.insert(name, halves.iter().map(|h| sign * h[axis]).collect());
            }
        }
        for (arm, side) in bodies.arms.iter().flatten().zip(Side::BOTH) {
            arm_columns(arm, torso, side, shots, &mut out.columns);
        }
    }
    Ok(out)
}

/// Extension of toes that no marker determines: they lie flat while the heel rises, and return to zero in the first
/// part of swing.
pub(crate) fn flat_toes(foot: &Pose, phase: f64, duty: f64) -> f64 {
    let pitch = -foot.R[(1, 0)].clamp(-1.0, 1.0).asin();
    let after = ((phase - duty) / TOES_STRETCH).clamp(0.0, 1.0);
    pitch.clamp(0.0, GREATEST_TOE_BEND) * 0.5 * (1.0 + (std::f64::consts::PI * after).cos())
}

/// Rotation of a body in the axes of another.
fn relative(shot: &Snapshot, from: usize, to: usize) -> Mat3 {
    shot.poses[from].R.transpose() * shot.poses[to].R
}

pub(crate) fn spread(values: &[f64]) -> f64 {
    let (low, high) = values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)));
    high - low
}

/// The rotation by half the angle about the same axis.
fn half(R: &Mat3) -> Mat3 {
    let q = Quaternion::from_matrix(R);
    Quaternion { w: q.w + 1.0, v: q.v }.normalized().unwrap_or(Quaternion::IDENTITY).matrix()
}

/// Angles α, β, γ of `R = Rz(α) Rx(β) Ry(γ)`, β between ±π/2.
pub(crate) fn zxy(R: &Mat3) -> [f64; 3] {
    [(-R[(0, 1)]).atan2(R[(1, 1)]), R[(2, 1)].clamp(-1.0, 1.0).asin(), (-R[(2, 0)]).atan2(R[(2, 2)])]
}

/// Shoulder and elbow from the directions of upper arm and forearm: `d = Rz(flexion) Rx(±adduction) (-e_y)` in the
/// thorax.
fn arm_columns(
    arm: &ArmBodies,
    torso: usize,
    side: Side,
    shots: &[Snapshot],
    columns: &mut BTreeMap<String, Vec<f64>>,
) {
    // the mirror image of an axis X is -X
    let outward = side.outward();
    let mut rows: [Vec<f64>; 3] = Default::default();
    for s in shots {
        let direction = |from: usize, to: usize| {
            let d = s.poses[to].p - s.poses[from].p;
            s.poses[torso].R.transpose() * d / d.norm().max(f64::MIN_POSITIVE)
        };
        let upper = direction(arm.humerus, arm.forearm);
        let fore = direction(arm.forearm, arm.hand);
        // Rx(a) (-e_y) = (0, -cos a, -sin a), turned by Rz(f): (cos a sin f, -cos a cos f, -sin a)
        rows[0].push(upper.x.atan2(-upper.y));
        rows[1].push(outward * (-upper.z).clamp(-1.0, 1.0).asin());
        rows[2].push(upper.dot(&fore).clamp(-1.0, 1.0).acos());
    }
    let angles =
        [(Joint::Shoulder, Motion::Flexion), (Joint::Shoulder, Motion::Adduction), (Joint::Elbow, Motion::Flexion)];
    for ((joint, motion), row) in angles.into_iter().zip(rows) {
        columns.insert(CoordinateRole::angle(joint, motion, Some(side)).name().unwrap_or_default(), row);
    }
}

/// Target position of a point at an instant.
type Target = Box<dyn Fn(&Snapshot) -> Vec3>;

/// A point and its target position.
pub(crate) struct Landmark {
    pub at: LegPoint,
    pub target: Target,
}

/// Positions of the joints of a leg: hip on the pelvis \[m\], length of thigh and shank \[m\].
#[derive(Clone, Copy)]
pub(crate) struct LegPlaces {
    pub hip: Vec3,
    pub thigh: f64,
    pub shank: f64,
}

impl LegPlaces {
    /// Right and left leg of a symmetric person.
    pub fn both(p: &Proportions) -> [Self; 2] {
        let leg = |outward: f64| LegPlaces { hip: Vec3::z() * (p.half_hips * outward), thigh: p.thigh, shank: p.shank };
        [leg(1.0), leg(-1.0)]
    }
}

/// A point of a segment, and its weight.
pub(crate) struct LegPoint {
    pub name: String,
    pub segment: String,
    pub point: Vec3,
    pub weight: f64,
}

/// Points that determine the pose of pelvis and legs: two at a distance from the origin of the pelvis, then joint
/// centres, axes and the foot of the right and the left leg.
pub(crate) fn leg_points(legs: &[LegPlaces; 2]) -> Vec<LegPoint> {
    let point = |name: &str, segment: &str, point, weight| LegPoint {
        name: name.into(),
        segment: segment.into(),
        point,
        weight,
    };
    let mut all = vec![point("front", "pelvis", Vec3::x() * ARM, 1.0), point("top", "pelvis", Vec3::y() * ARM, 1.0)];
    for (leg, body_side) in legs.iter().zip(Side::BOTH) {
        let (outward, name) = (body_side.outward(), |stem: &str| body_side.name(stem));
        let [thigh, shank, foot] =
            [SegmentName::Thigh(body_side), SegmentName::Shank(body_side), SegmentName::Foot(body_side)];
        let (knee, ankle) = (Vec3::new(0.0, -leg.thigh, 0.0), Vec3::new(0.0, -leg.shank, 0.0));
        let side = Vec3::z() * (ARM * outward);
        all.push(point(&name("hip"), "pelvis", leg.hip, 1.0));
        all.push(point(&name("knee"), thigh.name(), knee, 1.0));
        all.push(point(&name("knee_side"), thigh.name(), knee + side, 1.0));
        all.push(point(&name("ankle"), shank.name(), ankle, FOOT_WEIGHT));
        all.push(point(&name("ankle_side"), shank.name(), ankle + side, 1.0));
        all.push(point(&name("foot_front"), foot.name(), Vec3::x() * ARM, FOOT_WEIGHT));
        all.push(point(&name("foot_side"), foot.name(), side, FOOT_WEIGHT));
    }
    all
}

/// These points on a person, and their target positions from the bodies of a model.
fn landmarks(p: &Proportions, bodies: &Bodies) -> Vec<Landmark> {
    let mut targets: Vec<Target> = Vec::new();
    for axis in [Vec3::x(), Vec3::y()] {
        let hips = bodies.clone();
        targets.push(Box::new(move |s| s.mid_hips(&hips) + s.poses[hips.pelvis].R * axis * ARM));
    }
    for (leg, outward) in bodies.legs.iter().zip([1.0, -1.0]) {
        let LegBodies { femur, tibia, talus, calcaneus, .. } = *leg;
        let side = Vec3::z() * (ARM * outward);
        let beside = |place: usize, axes: usize, v: Vec3| -> Target {
            Box::new(move |s| s.poses[place].p + s.poses[axes].R * v)
        };
        let at = |place: usize| beside(place, place, Vec3::zeros());
        targets.extend([at(femur), at(tibia), beside(tibia, femur, side), at(talus), beside(talus, tibia, side)]);
        targets.extend([Vec3::x() * ARM, side].map(|v| beside(talus, calcaneus, v)));
    }
    leg_points(&LegPlaces::both(p)).into_iter().zip(targets).map(|(at, target)| Landmark { at, target }).collect()
}

/// Pelvis and legs by inverse kinematics.
fn legs(
    skeleton: &Skeleton,
    lengths: &Proportions,
    bodies: &Bodies,
    shots: &[Snapshot],
) -> Result<Retargeted, MovementError> {
    let below = |name: SegmentName| name == SegmentName::Pelvis || name.is_of_leg();
    let kept = skeleton.segments.iter().filter(|s| SegmentName::of(&s.name).is_some_and(below));
    let lower = Skeleton { segments: kept.cloned().collect(), contacts: vec![], ..skeleton.clone() };
    follow(lower.spec()?, &range_of, &landmarks(lengths, bodies), shots)
}

/// Moves a system, its angles within ranges, so that its points stay as near as possible to their target positions.
pub(crate) fn follow(
    spec: ModelSpec,
    range: &dyn Fn(&str) -> Option<[f64; 2]>,
    points: &[Landmark],
    shots: &[Snapshot],
) -> Result<Retargeted, MovementError> {
    let subject = subject(spec, range, points)?;
    let times: Vec<f64> = shots.iter().map(|s| s.time).collect();
    let marker = |l: &Landmark| Marker {
        name: l.at.name.clone(),
        points: shots.iter().map(|s| Some((l.target)(s).into())).collect(),
    };
    let rate = (times.len().max(2) - 1) as f64 / (times.last().unwrap_or(&1.0) - times.first().unwrap_or(&0.0));
    let trial = MarkerTrial::new("joint centres", rate, times.clone(), points.iter().map(marker).collect())
        .map_err(|e| MovementError::input("measured motion", e))?;
    let tasks =
        Tasks { markers: points.iter().map(|l| (l.at.name.clone(), l.at.weight)).collect(), coordinates: vec![] };
    let motion = solve_trial(&subject, &tasks, &trial, None, Options::default(), &mut |_| ())?;
    let column = |c: &Coordinate| (c.name.clone(), motion.poses.iter().map(|(_, q)| q[c.position]).collect());
    Ok(Retargeted {
        columns: subject.coordinates.iter().map(column).collect(),
        distance: rms_over_frames(&motion.fits),
        times,
    })
}

/// Ranges of leg angles [rad]: wide, but such that every pose has only one set of angles within them.
pub(crate) fn range_of(name: &str) -> Option<[f64; 2]> {
    const RANGES: [(Joint, Motion, [f64; 2]); 6] = [
        (Joint::Hip, Motion::Flexion, [-1.0, 2.2]),
        (Joint::Hip, Motion::Adduction, [-1.0, 1.0]),
        (Joint::Hip, Motion::Rotation, [-1.3, 1.3]),
        (Joint::Knee, Motion::Flexion, [-0.3, 2.6]),
        (Joint::Ankle, Motion::Flexion, [-1.3, 1.0]),
        (Joint::Ankle, Motion::Inversion, [-1.0, 1.0]),
    ];
    let asked = CoordinateRole::of(name)?.joint_motion()?;
    RANGES.iter().find(|(joint, motion, _)| (*joint, *motion) == asked).map(|(_, _, range)| *range)
}

/// A system with markers.
fn subject(
    spec: ModelSpec,
    range: &dyn Fn(&str) -> Option<[f64; 2]>,
    points: &[Landmark],
) -> Result<Subject, MovementError> {
    let mut subject = Subject::new(Model::build(&spec)?)?;
    for c in &mut subject.coordinates {
        c.range = range(&c.name);
    }
    subject.markers = points.iter().map(|l| (l.at.name.clone(), FrameSpec::at(&l.at.segment, l.at.point))).collect();
    Ok(subject)
}

/// Poses of all bodies of the skeleton at each instant, by its coordinates; angles that were not measured are zero.
pub(crate) fn poses(model: &Model, motion: &Retargeted) -> Vec<Vec<Pose>> {
    let mut kin = Kinematics::new(model);
    let still = vec![0.0; model.nv()];
    let place = |name: &str| model.coordinate_index(name).and_then(|k| model.position_of_speed(k));
    let columns: Vec<(usize, &Vec<f64>)> =
        motion.columns.iter().filter_map(|(name, column)| Some((place(name)?, column))).collect();
    let mut q = model.q0.clone();
    let mut at = |i: usize| {
        columns.iter().for_each(|(place, column)| q[*place] = column[i]);
        kin.update(model, &q, &still);
        kin.bodies.iter().map(|b| b.X_GB).collect()
    };
    (0..motion.times.len()).map(&mut at).collect()
}
