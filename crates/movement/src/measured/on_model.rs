//! Walks on an imported model: the recorded motion of the model itself, or the retargeted walk of another person.

use super::feet::Feet;
use super::retarget::{
    Landmark, LegPlaces, LegPoint, MOVES, Retargeted, flat_toes, follow, leg_points, range_of, spread, zxy,
};
use super::series::motion_series;
use super::sole::Sole;
use super::{CLEARANCE, Gait};
use crate::error::MovementError;
use crate::imported::bodies::{Bodies, Snapshot};
use crate::imported::frames::root_coordinates;
use crate::imported::{ImportedPerson, Standing, toe_flexion};
use crate::reference::ReferenceWalk;
use crate::reference::rescale::{RescaleSettings, Rescaled, Restoring, rescale_to, restore};
use crate::reference::walk::{Harmonic, InverseWalk, Series, WalkConstants};
use std::collections::BTreeMap;
use wolff_anatomy::skeleton::Proportions;
use wolff_anatomy::{CoordinateRole, Joint, SegmentName, Sex, Side, Skeleton, Subject};
use wolff_multibody::Model;
use wolff_multibody::spec::ModelSpec;
use wolff_spatial::Vec3;

/// Number of instants of a cycle at which a walk is retargeted.
const INSTANTS: usize = 200;
/// Harmonics of an angle that the embedded walk does not have: of one side; in the median plane, equal in both half
/// cycles; in the median plane, opposite in both half cycles; in the median plane of a walk with different sides.
const HARMONICS: [&[u32]; 4] = [&[1, 2, 3, 4, 5, 6], &[2, 4, 6, 8], &[1, 3, 5, 7], &[1, 2, 3, 4, 5, 6, 7, 8]];

/// Another person's walk on a model: first rescaled to a person with the leg lengths of the model, then retargeted
/// joint by joint, and made consistent.
///
/// Legs follow joint centres and axes; trunk and arms turn about each axis by the same angles as the other person's.
/// Soles are placed on the floor while the feet are flat, because a foot without inversion tilts with the leg.
pub fn walk_on_model(
    walk: &ReferenceWalk,
    person: &ImportedPerson,
    sex: Sex,
    stature: Option<f64>,
    settings: &RescaleSettings,
) -> Result<(Subject, Rescaled), MovementError> {
    let lengths = person.proportions()?;
    let stature = stature.unwrap_or_else(|| sex.stature_of_leg(lengths.thigh + lengths.shank));
    let mass = person.skeleton.mass();
    let subject = Subject::new(&person.skeleton.name, mass, stature, sex, None)?;
    let similar = Skeleton::walking(&subject)?.with_proportions(&lengths)?;
    let similar = rescale_to(walk, similar, stature, settings)?.walk;
    let motion = person.carried_over(&similar, &lengths)?;
    let WalkConstants { cycle_time, speed, duty, .. } = similar.constants;
    let gait = Gait::steady(cycle_time, speed, duty);
    let series = motion_series(&person.templates(&similar.motion)?, &motion, &gait)?;
    let constants = WalkConstants { mass, gravity: person.skeleton.gravity, ..similar.constants };
    let mut skeleton = person.skeleton.clone();
    let feet = Feet::new(&skeleton, &motion)?;
    let sole = Sole { feet: &feet, motion: &motion, gait: &gait, grounds: [&similar.ground; 2] };
    sole.place(&mut skeleton.contacts, lengths.forefoot);
    let start = ReferenceWalk::new(constants, skeleton, series, similar.ground.clone())?;
    // legs of unequal length move differently
    let start = if start.is_symmetric() { start } else { start.unfolded() };
    let restoring = Restoring { iterations: 20, clearance: CLEARANCE, ..Restoring::default() };
    Ok((subject, restore(start, &restoring)?))
}

impl ImportedPerson {
    /// Lengths of the legs: means of both sides \[m\].
    fn proportions(&self) -> Result<Proportions, MovementError> {
        let missing = |name: &str| MovementError::Missing { what: "segment", name: name.into(), purpose: "the legs" };
        let mean = |segment: fn(Side) -> SegmentName, length: &dyn Fn(&str) -> Option<f64>| {
            let of = |side: Side| {
                let name = segment(side).name();
                length(name).ok_or_else(|| missing(name))
            };
            Ok::<f64, MovementError>(0.5 * (of(Side::Right)? + of(Side::Left)?))
        };
        let skeleton = &self.skeleton;
        Ok(Proportions {
            half_hips: mean(SegmentName::Thigh, &|name| skeleton.segment(name).map(|s| s.joint.z.abs()))?,
            thigh: mean(SegmentName::Thigh, &|name| skeleton.length(name))?,
            shank: mean(SegmentName::Shank, &|name| skeleton.length(name))?,
            forefoot: mean(SegmentName::Toes, &|name| skeleton.segment(name).map(|s| s.joint.x))?,
        })
    }

    /// One cycle of another person's walk as motion of this one.
    fn carried_over(&self, walk: &ReferenceWalk, lengths: &Proportions) -> Result<Retargeted, MovementError> {
        let model = Model::build(&walk.skeleton.spec()?)?;
        let mut inverse = InverseWalk::new(walk, &model)?;
        let shots: Vec<Snapshot> = (0..INSTANTS)
            .map(|i| {
                let time = walk.constants.cycle_time * i as f64 / INSTANTS as f64;
                let poses = inverse.move_to(time).kin.bodies.iter().map(|b| b.X_GB).collect();
                Snapshot { time, poses }
            })
            .collect();
        let own = Standing::of(self.skeleton.spec()?)?;
        let other = Standing::of(walk.skeleton.spec()?)?;
        // ranges of the other person, reversed where the angle has the opposite sign
        let range = |name: &str| {
            let [low, high] = range_of(name)?;
            let same = own.axis(name)?.dot(&other.axis(name)?) > 0.0;
            Some(if same { [low, high] } else { [-high, -low] })
        };
        let mut motion = follow(self.legs()?, &range, &self.landmarks(&model, lengths)?, &shots)?;
        for (name, _) in &self.names {
            if motion.columns.contains_key(name) {
                continue;
            }
            let alike = own.alike(name, &other);
            let value = |t: f64| -> f64 {
                let turn =
                    |(twin, sign): &(String, f64)| walk.coordinate_named(twin, t).map_or(0.0, |q| sign * q.value);
                alike.iter().map(turn).sum()
            };
            motion.columns.insert(name.clone(), shots.iter().map(|s| value(s.time)).collect());
        }
        Ok(motion)
    }

    /// Pelvis and legs without toes.
    fn legs(&self) -> Result<ModelSpec, MovementError> {
        let mut spec = self.skeleton.spec()?;
        let carries = |name: &str, foot: &str| {
            let mut up = std::iter::successors(self.skeleton.segment(foot), |s| self.skeleton.segment(&s.parent));
            up.any(|s| s.name == name)
        };
        let kept = |name: &str| Side::BOTH.into_iter().any(|side| carries(name, SegmentName::Foot(side).name()));
        spec.joints.retain(|j| kept(&j.child.body));
        spec.bodies.retain(|b| kept(&b.name));
        Ok(spec)
    }

    /// Points of pelvis and legs, and their positions on a person with the mean lengths of both legs.
    fn landmarks(&self, other: &Model, lengths: &Proportions) -> Result<Vec<Landmark>, MovementError> {
        let skeleton = &self.skeleton;
        let own = Side::BOTH.map(|side| LegPlaces {
            hip: skeleton.segment(SegmentName::Thigh(side).name()).map_or_else(Vec3::zeros, |s| s.joint),
            thigh: skeleton.length(SegmentName::Thigh(side).name()).unwrap_or(lengths.thigh),
            shank: skeleton.length(SegmentName::Shank(side).name()).unwrap_or(lengths.shank),
        });
        let landmark = |(at, there): (LegPoint, LegPoint)| {
            let missing =
                || MovementError::Missing { what: "body", name: there.segment.clone(), purpose: "retargeting a walk" };
            let body = other.body_index(&there.segment).ok_or_else(missing)?;
            Ok(Landmark { at, target: Box::new(move |s: &Snapshot| s.poses[body].point(&there.point)) })
        };
        leg_points(&own).into_iter().zip(leg_points(&LegPlaces::both(lengths))).map(landmark).collect()
    }

    /// The recorded motion of the file's model in the frame of a gait as motion of the person: times and positions of
    /// the file's model, and its poses in that frame.
    pub(crate) fn recorded(
        &self,
        subject: &wolff_motion::Subject,
        rows: &[(f64, Vec<f64>)],
        bodies: &Bodies,
        shots: &[Snapshot],
        gait: &Gait,
    ) -> Retargeted {
        let mut columns: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for (here, there) in &self.names {
            if let Some(c) = subject.coordinate(there) {
                columns.insert(here.clone(), rows.iter().map(|(_, q)| q[c.position]).collect());
            }
        }
        for foot in Side::BOTH {
            let name = toe_flexion(foot);
            if columns.get(&name).is_none_or(|toes| spread(toes) <= MOVES) {
                let sign = if self.toes_rise[foot.index()] { 1.0 } else { -1.0 };
                let heel = bodies.legs[foot.index()].calcaneus;
                let bend = |s: &Snapshot| {
                    sign * flat_toes(&s.poses[heel], gait.phase(s.time, foot), gait.duties[foot.index()])
                };
                columns.insert(name, shots.iter().map(bend).collect());
            }
        }
        let root = root_coordinates();
        let pelvis = shots.iter().map(|s| s.poses[bodies.pelvis] * self.pelvis);
        for X in pelvis {
            for (name, value) in root.iter().zip(X.p.iter().copied().chain(zxy(&X.R))) {
                columns.entry(name.clone()).or_default().push(value);
            }
        }
        Retargeted { times: shots.iter().map(|s| s.time).collect(), columns, distance: 0.0 }
    }

    /// Zero series with the harmonics of each coordinate: those of `like` where it has the coordinate.
    pub(crate) fn templates(&self, like: &[Series]) -> Result<Vec<Series>, MovementError> {
        let standing = Standing::of(self.skeleton.spec()?)?;
        let apart = like.iter().any(|s| Side::of(&s.coordinate) == Some(Side::Left));
        let kind = |name: &str| match (Side::of(name), standing.axis(name)) {
            (None, _) if apart => 3,
            (None, Some(axis)) if axis.iamax() == 2 => 1,
            (None, _) => 2,
            (Some(_), _) => 0,
        };
        let template = |name: String| {
            let rests = |order: &u32| Harmonic { order: *order, cos: 0.0, sin: 0.0 };
            let orders: Vec<u32> = match like.iter().find(|s| s.coordinate == name) {
                Some(series) => series.harmonics.iter().map(|h| h.order).collect(),
                None => HARMONICS[kind(&name)].to_vec(),
            };
            Series { coordinate: name, mean: 0.0, harmonics: orders.iter().map(rests).collect() }
        };
        let has_series = |name: &String| apart || Side::of(name) != Some(Side::Left);
        Ok(self.skeleton.coordinate_names().into_iter().filter(has_series).map(template).collect())
    }
}

/// Joints of a walk whose angles are transferred to a segment of the model.
fn moving_joints(segment: SegmentName) -> &'static [Joint] {
    match segment {
        SegmentName::Thorax => &[Joint::Lumbar, Joint::Thoracic],
        SegmentName::UpperArm(_) => &[Joint::Shoulder],
        SegmentName::Forearm(_) => &[Joint::Elbow],
        SegmentName::Toes(_) => &[Joint::Toe],
        // pelvis and legs follow joint centres and axes
        SegmentName::Pelvis | SegmentName::Thigh(_) | SegmentName::Shank(_) | SegmentName::Foot(_) => &[],
        // no joint of an imported model is matched to these
        SegmentName::Abdomen
        | SegmentName::Neck
        | SegmentName::Head
        | SegmentName::Scapula(_)
        | SegmentName::Hand(_) => &[],
    }
}

impl Standing {
    /// Coordinates of another person that turn the same segment about the same axis, with their sign here.
    fn alike(&self, coordinate: &str, other: &Standing) -> Vec<(String, f64)> {
        let Some((k, axis)) = self.model.coordinate_index(coordinate).zip(self.axis(coordinate)) else { return vec![] };
        let Some(body) = self.model.bodies().iter().find(|b| b.joint_v().contains(&k)) else { return vec![] };
        let moved_by = SegmentName::of(&body.name).map_or(&[][..], moving_joints);
        let same_side = |name: &&String| Side::of(name) == Side::of(&body.name);
        let joints = other.model.coordinate_names().iter().filter(same_side);
        let joint_of = |name: &str| CoordinateRole::of(name).and_then(CoordinateRole::joint);
        let moving = joints.filter(|name| joint_of(name).is_some_and(|joint| moved_by.contains(&joint)));
        let twin = |name: &String| {
            let there = other.axis(name).filter(|there| there.iamax() == axis.iamax())?;
            Some((name.clone(), there.dot(&axis).signum()))
        };
        moving.filter_map(twin).collect()
    }
}
