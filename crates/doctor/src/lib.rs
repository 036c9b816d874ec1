//! Checks of recorded trials: what is implausible, where, when, and what to do about it.
//!
//! Positions and forces are assumed to be in metres and newtons, X forward, Y up, Z to the right, as in the rest of the
//! program; a finding reports where a trial seems to differ. Thresholds are chosen here, each named and explained at
//! its definition; a finding is a suspicion with its evidence, and nothing is changed.
//!
//! [`examine`] has a finding for each marker and plate; [`judge`] has the same findings grouped, in the form that every
//! command reports: its errors refuse a recording.

mod anatomy;
mod axes;
mod channels;
mod feet;
mod frames;
mod frozen;
mod gaps;
mod judge;
mod mass;
mod plates;
mod spikes;
mod stance;
mod stature;
mod swaps;
mod tables;
mod times;
mod units;
mod visible;
mod weight;

use anatomy::Anatomy;
pub use feet::plate_sides;
pub use judge::{group, judge};
pub use mass::{BODY_MASS_INDEX, HEAVIEST};
use std::fmt;
pub use tables::{AngleColumn, angle_columns, judge_angles, judge_table};
use wolff_formats::trial::{ForcePlateTrial, MarkerTrial};
pub use wolff_verdict::Severity;

/// Kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// Lengths in another unit than metres.
    Unit,
    /// The upward axis is not Y, or the subject does not face along X.
    Axes,
    /// The subject moves backwards.
    Backwards,
    /// A marker is not seen for a while.
    Gap,
    /// A marker lies at the origin, which some programs write for a marker that was not seen.
    AtOrigin,
    /// Two markers exchange names.
    Swap,
    /// A marker jumps away and back.
    Spike,
    /// A marker jumps to another place.
    Jump,
    /// A marker does not move while the body moves.
    Frozen,
    /// The feet are far above or below the floor.
    Floor,
    /// Time repeats or decreases.
    Time,
    /// Frames are missing, or rates do not fit.
    Rate,
    /// Ground forces pull down or point sideways.
    ForceDirection,
    /// The moment of a plate is larger than a foot exerts.
    ForceMoment,
    /// The centre of pressure is far from every foot.
    PlateNotUnderFoot,
    /// The centre of pressure is outside of the plate.
    OffPlate,
    /// Force samples are missing.
    ForceGap,
    /// A plate has a spike, or its amplifier was saturated.
    ForceChannel,
    /// The mass does not fit: pounds, perhaps.
    Mass,
    /// The height does not fit the markers.
    Stature,
    /// Less force was measured than the weight of the subject; the plates may carry only a part of it.
    PartialContact,
}

/// A fault, with its evidence.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Severity.
    pub severity: Severity,
    /// Kind of fault.
    pub fault: Fault,
    /// Markers or plates concerned; empty for the whole trial.
    pub subjects: Vec<String>,
    /// When it starts and ends \[s\]; `None` for the whole trial.
    pub span: Option<[f64; 2]>,
    /// What was found, with numbers.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.severity.word(), self.message, self.remedy)
    }
}

/// Data that are checked together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patient<'a> {
    /// Markers.
    pub markers: Option<&'a MarkerTrial>,
    /// Ground forces of the same trial.
    pub forces: Option<&'a ForcePlateTrial>,
    /// Mass of the subject \[kg\].
    pub mass: Option<f64>,
    /// Height of the subject \[m\].
    pub height: Option<f64>,
}

/// All findings, the worst first.
pub fn examine(patient: &Patient) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(markers) = patient.markers {
        let anatomy = Anatomy::of(markers);
        findings.extend(times::markers(markers));
        findings.extend(units::lengths(markers, &anatomy, patient.height));
        findings.extend(stature::stature(markers, &anatomy, patient.height));
        findings.extend(axes::axes(&anatomy));
        findings.extend(axes::backwards(&anatomy).or_else(|| feet::lifted_backwards(markers, &anatomy)));
        findings.extend(axes::floor(markers, &anatomy));
        findings.extend(frames::frames(markers));
        findings.extend(gaps::gaps(markers));
        findings.extend(gaps::at_origin(markers));
        let exchanges = swaps::exchanges(markers);
        let exchanged: Vec<&str> = exchanges.iter().flat_map(|f| &f.subjects).map(String::as_str).collect();
        findings.extend(spikes::spikes(markers, &exchanged));
        findings.extend(exchanges);
        findings.extend(swaps::sides(markers, &anatomy));
        findings.extend(frozen::frozen(markers));
        if let Some(forces) = patient.forces {
            findings.extend(times::rates(markers, forces));
            findings.extend(beside(markers, forces, &anatomy));
        }
    }
    if let Some(forces) = patient.forces {
        findings.extend(times::forces(forces));
        findings.extend(plates::direction(forces, &patient.markers.map(Anatomy::of).unwrap_or_default()));
        findings.extend(plates::moments(forces));
        findings.extend(plates::off_plate(forces));
        findings.extend(plates::gaps(forces));
        findings.extend(plates::unloaded(forces));
        findings.extend(channels::channels(forces));
    }
    findings.extend(units::height(patient.height));
    findings.extend(mass::mass(patient));
    findings.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.fault.cmp(&b.fault)));
    findings
}

/// Findings about forces beside the markers. Where a plate is not under a foot, what the foot does there says nothing
/// more.
fn beside(markers: &MarkerTrial, forces: &ForcePlateTrial, anatomy: &Anatomy) -> Vec<Finding> {
    let far = plates::under_foot(markers, forces, anatomy);
    let is_turned =
        !plates::direction(forces, &Anatomy::default()).is_empty() || !anatomy.up.is_some_and(|up| up[1] > 0.7);
    if !far.is_empty() || is_turned {
        return far;
    }
    let swinging = feet::swinging(markers, forces, anatomy);
    if !swinging.is_empty() {
        return swinging;
    }
    feet::away_from_body(markers, forces).into_iter().chain(stance::without_force(markers, forces)).collect()
}

/// Distance of two points.
pub fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(&b).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
}

/// The median (of two middle values the lower one); `None` of an empty list.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    let middle = values.len().checked_sub(1)? / 2;
    Some(*values.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// An instant as text for a message.
pub(crate) fn at(time: f64) -> String {
    format!("{time:.3} s")
}
