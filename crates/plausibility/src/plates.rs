//! The foot on each plate: ground forces of a recording as loads on the feet of a model.

use crate::{Foot, feet_of};
use wolff_formats::trial::{ForcePlate, ForcePlateTrial, GroundWrench};
use wolff_motion::MotionError;
use wolff_motion::external_loads::ExternalLoad;
use wolff_motion::history::CoordinateHistory;
use wolff_motion::signal::{EventKind, ForceThresholds, events_of_force};
use wolff_motion::subject::Subject;
use wolff_multibody::Kinematics;
use wolff_spatial::Vec3;

/// Vertical force below which the centre of pressure is not used \[N\]: it is noise there (chosen here).
const LEAST_FORCE: f64 = 20.0;
/// Number of samples of a contact that are compared with the feet (chosen here).
const COMPARED: usize = 2000;
/// A foot is on the plate where its distance from the centre of pressure is smaller by this than that of the other one
/// \[m\] (chosen here: the width of a foot).
const NEARER: f64 = 0.1;
/// The other foot has stepped on a loaded plate where it is nearer for this time \[s\] (chosen here: below the shortest
/// contact of running).
const LASTING: f64 = 0.05;

/// A contact of a foot with a plate.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// Name of the plate.
    pub plate: String,
    /// Start and end \[s\].
    pub span: [f64; 2],
    /// Name of the body of the foot.
    pub foot: String,
    /// Mean horizontal distance of the centre of pressure from that foot \[m\].
    pub distance: f64,
}

/// Loads of the feet, and the contacts from which they are made.
#[derive(Clone, Debug)]
pub struct PlateLoads {
    /// One load for each pair of a plate and a foot.
    pub loads: Vec<ExternalLoad>,
    /// Contacts in the order of plates and time.
    pub contacts: Vec<Contact>,
}

/// Ground forces as loads on the feet of a subject, whose motion tells which foot is on a plate at each contact: the
/// one whose bodies are nearest to the centre of pressure. One plate may be hit by different feet at different times,
/// also without being unloaded between.
///
/// Samples between contacts belong to the nearest contact in time. The centre of pressure at small forces is that of
/// the nearest sample with a larger force. Limits: both feet on one plate at the same time cannot be separated.
pub fn loads_of_plates(
    trial: &ForcePlateTrial,
    subject: &Subject,
    history: &CoordinateHistory,
) -> Result<PlateLoads, MotionError> {
    let feet = feet_of(&subject.model);
    if feet.is_empty() {
        let reason = "has no bodies that are named like feet (calcn_r, foot_l, ...), so the foot on a plate cannot be \
                      found; give an ExternalLoads file that names the bodies";
        return Err(MotionError::input(format!("model `{}`", subject.name), reason));
    }
    let mut places = Places::new(subject, history, &feet);
    let mut out = PlateLoads { loads: Vec::new(), contacts: Vec::new() };
    for plate in trial.plates() {
        let contacts = contacts(trial, plate, &places.up)?;
        let found: Vec<(usize, [f64; 2], f64)> =
            contacts.iter().flat_map(|span| places.feet(trial, plate, *span)).collect();
        for (k, foot) in feet.iter().enumerate().filter(|(k, _)| found.iter().any(|(f, ..)| f == k)) {
            let samples = samples_of(trial, plate, &found, k, &places.up);
            let name = format!("{} on {}", plate.name, foot.name);
            let part = ForcePlate { name: name.clone(), corners: plate.corners, samples };
            out.loads.push(ExternalLoad::from_plate(&name, &foot.name, trial.times(), &part, &subject.model)?);
        }
        out.contacts.extend(found.into_iter().map(|(foot, span, distance)| Contact {
            plate: plate.name.clone(),
            span,
            foot: feet[foot].name.clone(),
            distance,
        }));
    }
    if out.loads.is_empty() {
        return Err(MotionError::input("ground forces", no_contact(trial, history, &places.up)));
    }
    Ok(out)
}

/// Why no foot was found on any plate.
fn no_contact(trial: &ForcePlateTrial, history: &CoordinateHistory, up: &Vec3) -> String {
    let samples = trial.plates().iter().flat_map(|p| p.samples.iter().flatten());
    let most = samples.map(|s| Vec3::from(s.force).dot(up).abs()).fold(0.0, f64::max);
    let ends = |times: &[f64]| [times.first(), times.last()].map(|t| t.copied().unwrap_or(f64::NAN));
    let ([start, end], [first, last]) = (ends(trial.times()), ends(history.times()));
    if most < ForceThresholds::default().on {
        return format!(
            "the largest vertical force is {most:.3} N, too small for a foot on a plate: forces must be in N; those in \
             kN are multiplied by 1000, those in body weights by the weight of the subject"
        );
    }
    format!(
        "no foot is on a plate while the motion is recorded: forces go from {start:.3} to {end:.3} s, the motion from \
         {first:.3} to {last:.3} s; give motion and forces of the same trial with the same time in seconds"
    )
}

/// Spans of contact with a plate \[s\], also those that are cut by the ends of the record.
fn contacts(trial: &ForcePlateTrial, plate: &ForcePlate, up: &Vec3) -> Result<Vec<[f64; 2]>, MotionError> {
    let vertical: Vec<f64> =
        plate.samples.iter().map(|s| s.map_or(0.0, |s| Vec3::from(s.force).dot(up).abs())).collect();
    let events = events_of_force(trial.times(), &vertical, &ForceThresholds::default())?;
    let (Some(&first), Some(&last)) = (trial.times().first(), trial.times().last()) else { return Ok(Vec::new()) };
    let on = vertical.first().is_some_and(|f| *f > ForceThresholds::default().on);
    let mut start = on.then_some(first);
    let mut spans = Vec::new();
    for event in events {
        match (event.kind, start) {
            (EventKind::HeelStrike, _) => start = Some(event.time),
            (EventKind::ToeOff, Some(from)) => {
                spans.push([from, event.time]);
                start = None;
            }
            (EventKind::ToeOff, None) => {}
        }
    }
    spans.extend(start.map(|from| [from, last]));
    Ok(spans)
}

/// Samples of a plate that belong to one foot; zero at the other times.
fn samples_of(
    trial: &ForcePlateTrial,
    plate: &ForcePlate,
    contacts: &[(usize, [f64; 2], f64)],
    foot: usize,
    up: &Vec3,
) -> Vec<Option<GroundWrench>> {
    let away = |t: f64, [start, end]: [f64; 2]| (start - t).max(t - end).max(0.0);
    let belongs = |t: f64| {
        // at a common end, the later contact
        let nearest = contacts.iter().rev().min_by(|a, b| away(t, a.1).total_cmp(&away(t, b.1)));
        nearest.is_some_and(|(f, ..)| *f == foot)
    };
    let strong = |s: &GroundWrench| Vec3::from(s.force).dot(up).abs() >= LEAST_FORCE;
    let own = |i: usize| trial.times().get(i).is_some_and(|t| belongs(*t));
    // points of this foot's samples with enough force, by index
    let known: Vec<(usize, [f64; 3])> = (plate.samples.iter().enumerate())
        .filter_map(|(i, s)| s.filter(|s| strong(s) && own(i)).and_then(|s| Some((i, s.point?))))
        .collect();
    let point = |i: usize| {
        let after = known.partition_point(|(k, _)| *k < i);
        let around = [after.checked_sub(1), Some(after)].into_iter().flatten().filter_map(|k| known.get(k));
        around.min_by_key(|(k, _)| k.abs_diff(i)).map(|(_, p)| *p)
    };
    let sample = |(i, s): (usize, &Option<GroundWrench>)| {
        if !own(i) {
            return Some(GroundWrench { point: point(i), ..GroundWrench::UNLOADED });
        }
        // a sample without numbers and a force without its point remain so: they are told
        s.map(|s| GroundWrench { point: if strong(&s) { s.point } else { point(i) }, ..s })
    };
    plate.samples.iter().enumerate().map(sample).collect()
}

/// Places of the feet over time.
struct Places<'a> {
    subject: &'a Subject,
    history: &'a CoordinateHistory,
    feet: &'a [Foot],
    kin: Kinematics,
    up: Vec3,
}

impl<'a> Places<'a> {
    fn new(subject: &'a Subject, history: &'a CoordinateHistory, feet: &'a [Foot]) -> Self {
        let up = subject.model.gravity.try_normalize(0.0).map_or(Vec3::y(), |g| -g);
        Places { subject, history, feet, kin: Kinematics::new(&subject.model), up }
    }

    /// The feet that are nearest to the centre of pressure during a contact, one after the other, each with its span
    /// and mean distance \[m\]; none where the contact is outside of the motion or has no centre of pressure.
    fn feet(&mut self, trial: &ForcePlateTrial, plate: &ForcePlate, span: [f64; 2]) -> Vec<(usize, [f64; 2], f64)> {
        let places = self.distances_during(trial, plate, span);
        let count = places.len() as f64;
        let mean = |k: usize| places.iter().filter_map(|(_, d)| d.get(k)).sum::<f64>() / count;
        let nearest = (0..self.feet.len()).min_by(|a, b| mean(*a).total_cmp(&mean(*b)));
        let Some(nearest) = nearest.filter(|_| !places.is_empty()) else { return Vec::new() };
        let runs = lasting(&places);
        if runs.len() < 2 {
            return vec![(nearest, span, mean(nearest))];
        }
        // from the middle between two runs to the next middle
        let middle = |i: usize| 0.5 * (runs[i - 1].1[1] + runs[i].1[0]);
        let start = |i: usize| if i == 0 { span[0] } else { middle(i) };
        let end = |i: usize| if i + 1 == runs.len() { span[1] } else { middle(i + 1) };
        let one = |(i, (foot, _)): (usize, &(usize, [f64; 2]))| {
            let [start, end] = [start(i), end(i)];
            let own = || places.iter().filter(|(t, _)| *t >= start && *t <= end).filter_map(|(_, d)| d.get(*foot));
            (*foot, [start, end], own().sum::<f64>() / own().count().max(1) as f64)
        };
        runs.iter().enumerate().map(one).collect()
    }

    /// Distances of the feet from the centre of pressure at some samples of a contact.
    fn distances_during(
        &mut self,
        trial: &ForcePlateTrial,
        plate: &ForcePlate,
        [start, end]: [f64; 2],
    ) -> Vec<(f64, Vec<f64>)> {
        let (Some(&from), Some(&to)) = (self.history.times().first(), self.history.times().last()) else {
            return Vec::new();
        };
        let inside = |t: f64| t >= start.max(from) && t <= end.min(to);
        let indices: Vec<usize> = (0..trial.times().len()).filter(|i| inside(trial.times()[*i])).collect();
        let every = indices.len().div_ceil(COMPARED).max(1);
        let mut found = Vec::new();
        for i in indices.into_iter().step_by(every) {
            let Some(point) = plate.samples.get(i).copied().flatten().and_then(|s| s.point) else { continue };
            found.push((trial.times()[i], self.distances(trial.times()[i], Vec3::from(point))));
        }
        found
    }

    /// Horizontal distances of a point from the middles of the feet \[m\].
    fn distances(&mut self, t: f64, point: Vec3) -> Vec<f64> {
        let model = &self.subject.model;
        let (mut q, mut v, mut a) = (vec![0.0; model.nq()], vec![0.0; model.nv()], vec![0.0; model.nv()]);
        self.history.evaluate(t, &mut q, &mut v, &mut a);
        self.kin.update(model, &q, &v);
        let middle = |foot: &Foot| {
            let sum: Vec3 = foot.bodies.iter().map(|b| self.kin.bodies[*b].X_GB.p).sum();
            let d = sum / foot.bodies.len() as f64 - point;
            (d - self.up * d.dot(&self.up)).norm()
        };
        self.feet.iter().map(middle).collect()
    }
}

/// Spans in which one foot is clearly nearer, in turns; those that do not last are left out.
fn lasting(places: &[(f64, Vec<f64>)]) -> Vec<(usize, [f64; 2])> {
    let clear = |d: &[f64]| {
        let k = (0..d.len()).min_by(|a, b| d[*a].total_cmp(&d[*b]))?;
        d.iter().enumerate().all(|(i, other)| i == k || *other > d[k] + NEARER).then_some(k)
    };
    let mut runs: Vec<(usize, [f64; 2])> = Vec::new();
    for (t, foot) in places.iter().filter_map(|(t, d)| Some((*t, clear(d)?))) {
        match runs.last_mut() {
            Some((last, [_, end])) if *last == foot => *end = t,
            _ => runs.push((foot, [t, t])),
        }
    }
    runs.retain(|(_, [start, end])| end - start >= LASTING);
    runs.dedup_by(|b, a| {
        let same = a.0 == b.0;
        if same {
            a.1[1] = b.1[1];
        }
        same
    });
    runs
}
