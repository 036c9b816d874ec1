//! A measured walk retargeted to a person: markers, ground forces and a scaled OpenSim model become a reference walk.
//!
//! ```text
//! markers --inverse kinematics--> poses of the model's bodies --retarget--> coordinates of a skeleton
//! forces  --nearest foot-->       stances                     --series-->   one cycle --restore--> a consistent walk
//! ```
//! The cycle may be made symmetric ([`Symmetry`]): samples of the left side enter the series of the right side half a
//! cycle later, so one recorded stance is enough. Differences between the sides are averaged; [`Trial::asymmetry`]
//! reports how large they are. Otherwise each side has its own series, stance and times.

mod contacts;
mod cycle;
pub(crate) mod feet;
mod forces;
mod gait;
mod on_model;
mod recorded;
pub(crate) mod retarget;
pub(crate) mod series;
pub(crate) mod sole;
mod told;

pub use contacts::{MeasuredForce, Stance};
pub use gait::Gait;
pub use on_model::walk_on_model;

use crate::error::MovementError;
use crate::imported::ImportedPerson;
use crate::imported::bodies::{Bodies, Snapshot, snapshots};
use crate::reference::ReferenceWalk;
use crate::reference::rescale::{Consistency, Restoring, restore};
use crate::reference::walk::Series;
use cycle::{Measurement, cycle};
use recorded::Recorded;
use retarget::{Retargeted, proportions, retarget};
use std::path::PathBuf;
use told::Told;
use wolff_anatomy::skeleton::{AnkleAxes, GRAVITY, Proportions};
use wolff_anatomy::{CoordinateRole, Side, mirror_name};
use wolff_anatomy::{MuscleSet, Sex, Skeleton, Subject};
use wolff_doctor::{Patient, judge};
use wolff_formats::trial::Axes;
use wolff_motion::recording::Reading;
use wolff_opensim::{OpensimSubject, read_recording_with};
use wolff_verdict::Finding;

/// Files of a trial.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialFiles {
    /// Model of OpenSim, scaled to the person.
    pub model: PathBuf,
    /// Markers (`.trc`, `.c3d`), or coordinates of the model (`.mot`, `.sto`).
    pub markers: PathBuf,
    /// Ground forces (`.mot`, `.sto`, `.c3d`), or an `ExternalLoads` file that names them (`.xml`).
    pub forces: PathBuf,
    /// Weights of markers (`.xml`); `None`: all have the same weight.
    pub tasks: Option<PathBuf>,
    /// Unit, axes and names of the markers, where they differ from those of the file and the model.
    pub reading: Reading,
    /// Axes of the laboratory of the forces; `None`: those of the markers.
    pub force_axes: Option<Axes>,
}

impl TrialFiles {
    /// How the forces are read.
    fn reading_of_forces(&self) -> Reading {
        Reading { axes: self.force_axes.or(self.reading.axes), ..self.reading.clone() }
    }
}

/// Data of the person in addition to the files.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    /// Mass \[kg\]; `None`: that of the model.
    pub mass: Option<f64>,
    /// Height \[m\]; `None`: from the length of the legs, by the mean proportions of the sex.
    pub stature: Option<f64>,
    /// Sex.
    pub sex: Sex,
    /// Ankle axes of a skeleton of this program; `None`: axes along those of the world.
    pub ankle: Option<AnkleAxes>,
}

/// The skeleton to which a measured walk is retargeted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SkeletonChoice {
    /// A skeleton of this program with the leg lengths of the model.
    #[default]
    Person,
    /// The model itself.
    Model,
}

/// Whether the cycle of a trial is made symmetric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// Yes: differences between the sides are averaged, and data missing on one side are taken from the other.
    #[default]
    Yes,
    /// No: this requires a complete stance of both feet, one more strike of one foot, and a motion as long as a stride.
    No,
    /// Only where the record is not sufficient for separate sides.
    Auto,
}

/// A reference walk made from a trial.
#[derive(Clone, Debug)]
pub struct Trial {
    /// Muscles of the model, where the model itself is the skeleton.
    pub muscles: Option<MuscleSet>,
    /// The walk, consistent.
    pub walk: ReferenceWalk,
    /// The person.
    pub subject: Subject,
    /// Times and frame of the gait.
    pub gait: Gait,
    /// Measured stances, in the frame and time of the walk.
    pub stances: Vec<Stance>,
    /// Residuals of the measured cycle.
    pub before: Consistency,
    /// Residuals after consistency was restored.
    pub after: Consistency,
    /// Root mean square distance between the markers of model and trial \[m\]; `None` where coordinates were given.
    pub marker_error: Option<f64>,
    /// Largest distance between a marker of model and trial \[m\], with the name of the marker.
    pub marker_error_max: Option<(String, f64)>,
    /// Root mean square distance between joint centres and axes of person and model \[m\].
    pub retarget_error: f64,
    /// Maximum root mean square difference of a leg angle between the walk and the measured motion, with its name
    /// \[rad\].
    pub angle_change: (String, f64),
    /// Maximum root mean square difference of a leg angle between the sides, half a cycle apart, with its name \[rad\].
    pub asymmetry: (String, f64),
    /// Findings about the data and their treatment; errors only where the user insists on a trial that has them.
    pub findings: Vec<Finding>,
}

/// Settings of the consistency restoration, chosen here: force plates are more reliable than accelerations of markers,
/// and swinging feet stay clear of the floor.
const RESTORING: Restoring =
    Restoring { iterations: 20, clearance: CLEARANCE, force: 0.01, moments: Some([0.02, 0.07]), heights: true };
/// Minimum swing-foot clearance to preserve where the measured foot had it \[m\].
pub(crate) const CLEARANCE: f64 = 0.01;
/// Relative difference of the weight on the plates from the person's beyond which one of them is assumed to be wrong.
const WEIGHT_MISMATCH: f64 = 0.15;

/// Reads a trial and converts it to a reference walk; a trial with errors is refused.
pub fn read_trial(
    files: &TrialFiles,
    person: &Person,
    performer: SkeletonChoice,
    symmetry: Symmetry,
) -> Result<Trial, MovementError> {
    read_judged_trial(files, person, performer, symmetry, false)
}

/// [`read_trial`]; with `insist` a trial with errors is used all the same, and the errors are among its findings.
pub fn read_judged_trial(
    files: &TrialFiles,
    person: &Person,
    performer: SkeletonChoice,
    symmetry: Symmetry,
    insist: bool,
) -> Result<Trial, MovementError> {
    let mut told = Told { insist, ..Told::default() };
    let model = OpensimSubject::read(&files.model)?;
    let forces = read_recording_with(&files.forces, &files.reading_of_forces())?.forces.ok_or_else(|| {
        MovementError::rule(files.forces.display().to_string(), "has no force plates; a walk needs ground forces")
    })?;
    told.notes(forces.remarks());
    let recorded = Recorded::read(files, &model, &forces, person, &mut told)?;
    let bodies = Bodies::find(&model.subject)?;
    let poses = snapshots(&model.subject, &recorded.rows);
    let stances = contacts::stances(&forces, &bodies, &poses, &mut told)?;
    told.gate()?;
    check_feet(&stances)?;
    let gait = Gait::find(&bodies, &poses, &stances)?;
    let shots: Vec<_> = poses.iter().map(|s| gait.snapshot(s)).collect();
    let stances: Vec<Stance> = stances.iter().map(|s| gait.stance(s)).collect();
    let gait = sides(gait, symmetry, gait.with_sides_apart(&shots, &stances), &mut told)?;

    let lengths = proportions(&bodies, &shots);
    let subject = who(&model, person, &lengths)?;
    told.add(judge(&Patient { mass: Some(subject.mass), height: Some(subject.stature), ..Patient::default() }));
    told.add(weight_mismatch(&subject, &stances, &gait));
    told.gate()?;
    let mut like = ReferenceWalk::embedded()?;
    if !gait.symmetric {
        like = like.unfolded();
    }
    let file = ModelMotion { model: &model, rows: &recorded.rows, bodies: &bodies, shots: &shots, gait: &gait };
    let ChosenSkeleton { skeleton, motion, templates, muscles } = match performer {
        SkeletonChoice::Person => file.of_person(&subject, &lengths, person.ankle.as_ref(), &like)?,
        SkeletonChoice::Model => file.of_model(&subject, &like, &mut told)?,
    };
    let measured = Measurement { motion: &motion, stances: &stances, gait: &gait };
    let walk = cycle(skeleton, &subject, &measured, &templates, &like.ground)?;
    let restored = restore(walk, &RESTORING)?;
    let (angle_change, asymmetry) = (motion.change(&restored.walk, &gait), motion.asymmetry(&gait));
    Ok(Trial {
        muscles,
        walk: restored.walk,
        subject,
        gait,
        stances,
        before: restored.before,
        after: restored.after,
        marker_error: recorded.marker_error,
        marker_error_max: recorded.marker_error_max,
        retarget_error: motion.distance,
        angle_change,
        asymmetry,
        findings: told.findings,
    })
}

/// The recorded motion of the file's model, its times and its poses in the frame of the gait.
struct ModelMotion<'a> {
    model: &'a OpensimSubject,
    rows: &'a [(f64, Vec<f64>)],
    bodies: &'a Bodies,
    shots: &'a [Snapshot],
    gait: &'a Gait,
}

impl ModelMotion<'_> {
    /// The motion retargeted to a skeleton of this program with the leg lengths of the model.
    fn of_person(
        &self,
        subject: &Subject,
        lengths: &Proportions,
        ankle: Option<&AnkleAxes>,
        like: &ReferenceWalk,
    ) -> Result<ChosenSkeleton, MovementError> {
        let mut skeleton = Skeleton::walking(subject)?.with_proportions(lengths)?;
        if let Some(axes) = ankle {
            skeleton = skeleton.with_ankle_axes(axes);
        }
        let motion = retarget(&skeleton, lengths, self.bodies, self.shots, self.gait)?;
        Ok(ChosenSkeleton { skeleton, motion, templates: like.motion.clone(), muscles: None })
    }

    /// The motion of the model itself.
    fn of_model(
        &self,
        subject: &Subject,
        like: &ReferenceWalk,
        told: &mut Told,
    ) -> Result<ChosenSkeleton, MovementError> {
        let imported = ImportedPerson::new(self.model)?.with_mass(subject.mass)?;
        told.add(imported.findings.iter().cloned());
        let motion = imported.recorded(&self.model.subject, self.rows, self.bodies, self.shots, self.gait);
        let templates = imported.templates(&like.motion)?;
        Ok(ChosenSkeleton { skeleton: imported.skeleton, motion, templates, muscles: Some(imported.muscles) })
    }
}

/// Skeleton, motion, harmonics and muscles of a measured walk.
struct ChosenSkeleton {
    skeleton: Skeleton,
    motion: Retargeted,
    templates: Vec<Series>,
    muscles: Option<MuscleSet>,
}

/// At least one foot must have stood on a plate.
fn check_feet(stances: &[Stance]) -> Result<(), MovementError> {
    if stances.is_empty() {
        let reason = "no foot stands on a plate at any time; give the forces of this trial, in N, Y up";
        return Err(MovementError::rule("ground forces", reason));
    }
    Ok(())
}

/// The gait with the requested symmetry; `apart` is the gait with separate times of each side, or the reason why the
/// record does not allow it.
fn sides(
    symmetric: Gait,
    asked: Symmetry,
    apart: Result<Gait, String>,
    told: &mut Told,
) -> Result<Gait, MovementError> {
    match (asked, apart) {
        (Symmetry::Yes, Ok(_)) => Ok(symmetric),
        (_, Ok(gait)) => Ok(gait),
        (Symmetry::Auto | Symmetry::Yes, Err(reason)) => {
            let message = format!("{reason}: missing data of a side are the mirror image of the other");
            told.add([Finding::warning(message, "differences between the sides are not results of this trial")]);
            Ok(symmetric)
        }
        (Symmetry::No, Err(reason)) => {
            let remedy = "allow a symmetric walk, or record a complete stride with both feet on plates";
            Err(MovementError::rule("walk with separate sides", format!("{reason}; {remedy}")))
        }
    }
}

/// The person: the given values, else the mass of the model and the height that belongs to its leg lengths.
fn who(model: &OpensimSubject, person: &Person, lengths: &Proportions) -> Result<Subject, MovementError> {
    let stature = person.stature.unwrap_or_else(|| person.sex.stature_of_leg(lengths.thigh + lengths.shank));
    let name = model.file.name.clone();
    Ok(Subject::new(&name, person.mass.unwrap_or_else(|| model.mass()), stature, person.sex, None)?)
}

/// Compares the person's weight with the mean force of steady walking, `2 D` times the mean over a stance.
fn weight_mismatch(subject: &Subject, stances: &[Stance], gait: &Gait) -> Option<Finding> {
    let whole: Vec<&Stance> = stances.iter().filter(|s| s.whole().is_some()).collect();
    let mean = |s: &&Stance| s.samples.iter().map(|m| m.force.y).sum::<f64>() / s.samples.len() as f64;
    let force = 2.0 * gait.duty * whole.iter().map(mean).sum::<f64>() / whole.len().max(1) as f64;
    let measured = force / GRAVITY;
    if (subject.mass / measured - 1.0).abs() < WEIGHT_MISMATCH {
        return None;
    }
    let message = format!(
        "`{}` weighs {:.1} kg, but the plates carried {measured:.1} kg on average; at most {:.0} % difference \
         is accepted",
        subject.name,
        subject.mass,
        100.0 * WEIGHT_MISMATCH
    );
    Some(Finding::error(message, "correct the mass, or give the forces of all plates of this trial in N"))
}

impl Retargeted {
    /// Maximum root mean square difference of a leg angle between this motion and a walk, with its name \[rad\].
    fn change(&self, walk: &ReferenceWalk, gait: &Gait) -> (String, f64) {
        let looked_at = if gait.symmetric { &[Side::Right][..] } else { &[Side::Right, Side::Left] };
        worst_leg_angle(self, looked_at, |name, t| Some(walk.coordinate_named(name, t)?.value))
    }

    /// The same between the sides, half a cycle apart.
    fn asymmetry(&self, gait: &Gait) -> (String, f64) {
        let other_side = |name: &str, t: f64| self.at(&mirror_name(name), t + 0.5 * gait.cycle_time);
        worst_leg_angle(self, &[Side::Right], other_side)
    }

    /// Interpolated value of a coordinate; `None` outside the record and for a coordinate that was not measured.
    fn at(&self, name: &str, t: f64) -> Option<f64> {
        let column = self.columns.get(name)?;
        let after = self.times.partition_point(|x| *x < t);
        let (before, after) = (after.checked_sub(1)?, after);
        let (t0, t1) = (self.times[before], *self.times.get(after)?);
        let share = (t - t0) / (t1 - t0);
        Some((1.0 - share) * column[before] + share * column[after])
    }
}

/// The leg angle of these sides with the maximum root mean square difference from another signal, within the record of
/// both.
fn worst_leg_angle(motion: &Retargeted, sides: &[Side], other: impl Fn(&str, f64) -> Option<f64>) -> (String, f64) {
    let mut worst = (String::new(), 0.0);
    let is_leg = |name: &str| CoordinateRole::of(name).is_some_and(CoordinateRole::is_of_leg);
    let on_sides = |name: &str| Side::of(name).is_some_and(|side| sides.contains(&side));
    for (name, column) in motion.columns.iter().filter(|(name, _)| is_leg(name) && on_sides(name)) {
        let pairs = motion.times.iter().zip(column).filter_map(|(&t, q)| Some(q - other(name, t)?));
        let squares: Vec<f64> = pairs.map(|d| d * d).collect();
        let rms = (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt();
        if rms > worst.1 {
            worst = (name.clone(), rms);
        }
    }
    worst
}
