//! Stances: the contacts of each foot with the force plates, with their times.

use super::told::Told;
use crate::error::MovementError;
use crate::imported::bodies::{Bodies, Snapshot};
use wolff_anatomy::Side;
use wolff_formats::trial::{ForcePlate, ForcePlateTrial, GroundWrench};
use wolff_motion::signal::{EventKind, ForceThresholds, events_of_force};
use wolff_spatial::Vec3;
use wolff_verdict::Finding;

/// A force at an instant, in the world of the recording.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredForce {
    /// Time \[s\].
    pub time: f64,
    /// Force on the person \[N\].
    pub force: Vec3,
    /// Centre of pressure \[m\].
    pub point: Vec3,
    /// Moment about it \[N m\].
    pub moment: Vec3,
}

/// One foot on the ground from heel strike to toe off.
#[derive(Clone, Debug, PartialEq)]
pub struct Stance {
    /// Which foot.
    pub foot: Side,
    /// Heel strike \[s\]; `None` where the record begins later.
    pub strike: Option<f64>,
    /// Toe off \[s\]; `None` where the record ends earlier.
    pub leave: Option<f64>,
    /// Measured forces.
    pub samples: Vec<MeasuredForce>,
}

impl Stance {
    /// Heel strike and toe off of a stance that was recorded completely.
    pub fn whole(&self) -> Option<[f64; 2]> {
        Some([self.strike?, self.leave?])
    }
}

/// Maximum distance of a centre of pressure from the foot that it belongs to \[m\].
const FAR: f64 = 0.5;

/// All stances of a record in order of time, each assigned to the foot nearest to its centre of pressure.
pub(super) fn stances(
    forces: &ForcePlateTrial,
    bodies: &Bodies,
    snapshots: &[Snapshot],
    told: &mut Told,
) -> Result<Vec<Stance>, MovementError> {
    let (mut all, mut assigned) = (Vec::new(), Vec::new());
    for plate in forces.plates() {
        let (mut feet, mut farthest, mut outside) = (Vec::new(), 0.0_f64, Vec::new());
        for mut stance in contacts_of(plate, forces.times())? {
            match foot_on(&stance, bodies, snapshots) {
                Some((foot, distance)) => {
                    farthest = farthest.max(distance);
                    feet.push(foot);
                    stance.foot = foot;
                    all.push(stance);
                }
                None => outside.push(stance.samples.first().map_or(f64::NAN, |s| s.time)),
            }
        }
        told.add(too_far(&plate.name, farthest));
        told.add(exchanged(&plate.name, &feet));
        if let Some(first) = outside.first() {
            let count = outside.len();
            let message =
                format!("plate `{}`: {count} contacts, from {first:.2} s, are outside the motion", plate.name);
            told.add([Finding::note(message, "they are not used")]);
        }
        assigned.extend(feet_of_plate(&plate.name, &feet));
    }
    if !assigned.is_empty() {
        let message = format!("forces were assigned to the nearest foot: {}", assigned.join("; "));
        told.add([Finding::note(message, "")]);
    }
    all.sort_by(|a, b| a.samples[0].time.total_cmp(&b.samples[0].time));
    Ok(all)
}

/// A plate that is too far from both feet: units or axes differ.
fn too_far(plate: &str, distance: f64) -> Option<Finding> {
    let message = || {
        format!(
            "force plate `{plate}`: the centre of pressure is {distance:.2} m from the nearest foot, at most {FAR} m \
             is accepted: units or axes of forces and markers differ"
        )
    };
    let remedy = "give forces and markers of the same trial, both in m with Y up; `wolff check` finds the difference";
    (distance >= FAR).then(|| Finding::error(message(), remedy))
}

/// A plate whose name is that of a body of one side, but whose force lies under the other foot.
fn exchanged(plate: &str, feet: &[Side]) -> Option<Finding> {
    let named = Side::of(plate)?;
    let other = feet.iter().filter(|foot| **foot != named).count();
    let (here, there) = (named.word(), named.opposite().word());
    let message = || {
        format!(
            "the file assigns the force `{plate}` to the {here} foot, but {other} of its {} contacts are under the \
             {there} foot; the foot under which the force lies is used",
            feet.len()
        )
    };
    let remedy = "exchange left and right in the file of the external loads; other programs follow the file";
    (other > 0).then(|| Finding::warning(message(), remedy))
}

/// The feet that stood on a plate, as text; `None` where nobody stood on it.
fn feet_of_plate(plate: &str, feet: &[Side]) -> Option<String> {
    let count = |side: Side| feet.iter().filter(|foot| **foot == side).count();
    let sides = Side::BOTH.into_iter().filter(|side| count(*side) > 0);
    let text: Vec<String> = sides.map(|side| format!("{} {}", count(side), side.word())).collect();
    (!text.is_empty()).then(|| format!("`{plate}` {}", text.join(" and ")))
}

/// Intervals of a plate's record in which it is loaded.
fn contacts_of(plate: &ForcePlate, times: &[f64]) -> Result<Vec<Stance>, MovementError> {
    let wrench = |s: &Option<GroundWrench>| s.unwrap_or(GroundWrench::UNLOADED);
    let vertical: Vec<f64> = plate.samples.iter().map(|s| wrench(s).force[1]).collect();
    let thresholds = ForceThresholds::default();
    let events = events_of_force(times, &vertical, &thresholds)?;
    let mut open: Option<Option<f64>> = vertical.first().filter(|f| **f > thresholds.on).map(|_| None);
    let mut spans: Vec<[Option<f64>; 2]> = Vec::new();
    for event in &events {
        match (event.kind, open) {
            (EventKind::HeelStrike, _) => open = Some(Some(event.time)),
            (EventKind::ToeOff, Some(strike)) => {
                spans.push([strike, Some(event.time)]);
                open = None;
            }
            (EventKind::ToeOff, None) => (),
        }
    }
    spans.extend(open.map(|strike| [strike, None]));
    let stance = |[strike, leave]: [Option<f64>; 2]| {
        let within = |t: f64| t >= strike.unwrap_or(f64::NEG_INFINITY) && t <= leave.unwrap_or(f64::INFINITY);
        let sample = |(&time, s): (&f64, &Option<GroundWrench>)| {
            let w = wrench(s);
            let measured = |point| MeasuredForce { time, force: w.force.into(), point, moment: w.moment.into() };
            w.point.filter(|_| within(time)).map(|p| measured(Vec3::from(p)))
        };
        Stance {
            foot: Side::Right,
            strike,
            leave,
            samples: times.iter().zip(&plate.samples).filter_map(sample).collect(),
        }
    };
    Ok(spans.into_iter().map(stance).filter(|s| !s.samples.is_empty()).collect())
}

/// The foot whose mean distance from the centre of pressure over a stance is smallest, with that distance \[m\]; `None`
/// where the motion is not available.
fn foot_on(stance: &Stance, bodies: &Bodies, snapshots: &[Snapshot]) -> Option<(Side, f64)> {
    let mut sums = [0.0; 2];
    let mut count = 0;
    for shot in snapshots {
        let after = stance.samples.partition_point(|s| s.time < shot.time);
        let Some(sample) = stance.samples.get(after).filter(|s| after > 0 || s.time == shot.time) else { continue };
        for (sum, leg) in sums.iter_mut().zip(&bodies.legs) {
            let middle = 0.5 * (shot.poses[leg.talus].p + shot.poses[leg.toes].p);
            let off = sample.point - middle;
            *sum += off.x.hypot(off.z);
        }
        count += 1;
    }
    let mean = sums.map(|s| s / f64::from(count));
    let nearest = if mean[1] < mean[0] { Side::Left } else { Side::Right };
    (count > 0).then_some((nearest, mean[nearest.index()]))
}
