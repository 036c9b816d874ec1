//! How well a forward simulation follows its reference: motion, ground force, tracking agent, muscle effort.

use crate::error::MovementError;
use crate::model::MovementRecord;
use crate::model::stance::STANDS_BW;
use crate::model::track::Track;
use crate::model::{SharedSegment, shared_segments};
use crate::tracking::Controllers;
use crate::tracking::{InverseMotion, TrackingReference};
use wolff_multibody::{Kinematics, Model};
use wolff_numerics::correlation::pearson;
use wolff_numerics::filter::Butterworth;
use wolff_spatial::Vec3;

/// Cut-off frequency with which ground forces are smoothed before peaks are taken \[Hz\]; chosen here: far above the
/// frequencies of walking and far below those of impacts.
pub const PEAK_CUTOFF: f64 = 20.0;

/// A person and a walk, as the measures need them.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    /// Body weight \[N\].
    pub weight: f64,
    /// Height of the person \[m\].
    pub stature: f64,
}

/// A number with the name of the quantity at which it was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Named {
    /// The number.
    pub value: f64,
    /// Where.
    pub at: String,
}

/// Measures of how well a forward simulation follows its reference.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fidelity {
    /// Minimum Pearson correlation of a coordinate of a segment's centre of mass, simulated against reference; on
    /// flexible bones the reference includes their bending.
    pub kinematics_correlation: Named,
    /// Minimum of the same correlation along X, Y and Z.
    pub axis_correlation: [f64; 3],
    /// Maximum rms distance of a segment's centre of mass from its reference \[m\].
    pub position_rms: Named,
    /// Maximum rms error of an angle between segments \[rad\].
    pub angle_rms: Named,
    /// Rms error of all angles of the legs together \[rad\].
    pub leg_angle_rms: f64,
    /// Correlation of the ground force along X, Y, Z, both feet in one series, not smoothed.
    pub ground_correlation: [f64; 3],
    /// Rms error of the vertical ground force over body weight.
    pub ground_rms: f64,
    /// First and second peak of the vertical force of a foot, smoothed, over body weight: mean of all stances.
    pub ground_peaks: [f64; 2],
    /// The same peaks of the reference force.
    pub reference_peaks: [f64; 2],
    /// Maximum vertical force of a foot, not smoothed, over body weight.
    pub ground_max: f64,
    /// Maximum loading rate of a foot, simulated and reference [body weights/s]: rise of the vertical force over
    /// [`RISE`] within [`LOADING`] after heel strike, mean of all stances.
    pub loading_rates: [f64; 2],
    /// Maximum force of the tracking agent over body weight.
    pub agent_force: f64,
    /// Maximum moment of the tracking agent over body weight times height.
    pub agent_moment: f64,
    /// Mean over time of the sum of squared muscle forces, each divided by its maximum force.
    pub effort: f64,
    /// Fraction of muscles and time at maximum force; for Hill muscles, at full excitation.
    pub saturation: f64,
}

/// Compares a record with the reference it followed.
pub fn fidelity(
    model: &Model,
    controllers: &Controllers,
    record: &MovementRecord,
    reference: &TrackingReference,
    motion: &mut dyn InverseMotion,
    scale: Scale,
) -> Result<Fidelity, MovementError> {
    let Positions { correlation, axis_correlation, rms } = kinematics(model, record, reference, motion)?;
    let mut out =
        Fidelity { kinematics_correlation: correlation, axis_correlation, position_rms: rms, ..Fidelity::default() };
    angles(model, record, reference, &mut out);
    ground(record, reference, scale, &mut out)?;
    for row in &record.agent {
        let norm = |translations: bool| {
            let of = controllers.agent.iter().zip(row).filter(|(servo, _)| servo.role.is_translation() == translations);
            of.map(|(_, f)| f * f).sum::<f64>().sqrt()
        };
        out.agent_force = out.agent_force.max(norm(true) / scale.weight);
        out.agent_moment = out.agent_moment.max(norm(false) / (scale.weight * scale.stature));
    }
    let mut full = 0;
    for row in &record.tensions {
        for (tension, muscle) in row.iter().zip(&controllers.muscles) {
            out.effort += (tension / muscle.max_force).powi(2);
            full += usize::from(muscle.hill().is_none() && *tension >= muscle.max_force);
        }
    }
    full += record.fibres.iter().flat_map(|row| row.chunks_exact(3)).filter(|fibre| fibre[0] >= 1.0).count();
    let rows = record.tensions.len().max(1) as f64;
    out.effort /= rows;
    out.saturation = full as f64 / (rows * controllers.muscles.len().max(1) as f64);
    Ok(out)
}

/// How well the centres of mass of the segments follow their reference.
struct Positions {
    /// Minimum correlation over all segments and axes.
    correlation: Named,
    /// Minimum along each axis.
    axis_correlation: [f64; 3],
    /// Maximum rms distance \[m\].
    rms: Named,
}

/// Correlations and distances of all segments.
fn kinematics(
    model: &Model,
    record: &MovementRecord,
    reference: &TrackingReference,
    motion: &mut dyn InverseMotion,
) -> Result<Positions, MovementError> {
    let segments = shared_segments(motion.instant().model, model);
    // X, Y, Z of the reference, then of the simulation
    let mut series: Vec<[Vec<f64>; 6]> = segments.iter().map(|_| Default::default()).collect();
    let bending =
        |s: &SharedSegment| reference.bending.iter().find(|(name, _)| *name == s.name).map(|(_, tracks)| tracks);
    let bendings: Vec<Option<&[Track; 3]>> = segments.iter().map(bending).collect();
    let mut kin = Kinematics::new(model);
    for ((t, q), v) in record.times.iter().zip(&record.q).zip(&record.v) {
        motion.place(*t);
        kin.update(model, q, v);
        for ((segment, series), bending) in segments.iter().zip(&mut series).zip(&bendings) {
            let bent = bending.map_or(Vec3::zeros(), |tracks| Vec3::from_fn(|axis, _| tracks[axis].value(*t)));
            let expected = segment.on_rigid(motion.instant().kin) + bent;
            let driven = segment.on_driven(&kin);
            for axis in 0..3 {
                series[axis].push(expected[axis]);
                series[3 + axis].push(driven[axis]);
            }
        }
    }
    let (mut worst, mut least) = (Named { value: 1.0, at: String::new() }, [1.0_f64; 3]);
    let mut rms = Named::default();
    for (segment, series) in segments.iter().zip(&series) {
        let squares =
            (0..3).flat_map(|axis| series[axis].iter().zip(&series[3 + axis])).map(|(a, b)| (a - b) * (a - b));
        let distance = (squares.sum::<f64>() / record.times.len().max(1) as f64).sqrt();
        if distance > rms.value {
            rms = Named { value: distance, at: segment.name.clone() };
        }
        for axis in 0..3 {
            let r = correlate(&series[axis], &series[3 + axis])?;
            least[axis] = least[axis].min(r);
            if r < worst.value {
                worst = Named { value: r, at: format!("{} {}", segment.name, ["x", "y", "z"][axis]) };
            }
        }
    }
    Ok(Positions { correlation: worst, axis_correlation: least, rms })
}

fn correlate(a: &[f64], b: &[f64]) -> Result<f64, MovementError> {
    pearson(a, b).map_err(|e| MovementError::numerical("correlation", e))
}

/// Indices of the angles: all coordinates except the translations of the first body.
fn angles(model: &Model, record: &MovementRecord, reference: &TrackingReference, out: &mut Fidelity) {
    let (mut legs, mut count) = (0.0, 0);
    for ((name, track), role) in reference.coordinates.iter().zip(&reference.roles) {
        let Some(q) = model.coordinate_index(name).and_then(|k| model.position_of_speed(k)) else { continue };
        if role.is_translation() || record.times.is_empty() {
            continue;
        }
        let square = |(t, row): (&f64, &Vec<f64>)| (row[q] - track.value(*t)).powi(2);
        let mean = record.times.iter().zip(&record.q).map(square).sum::<f64>() / record.times.len() as f64;
        if role.is_of_leg() {
            legs += mean;
            count += 1;
        }
        if mean.sqrt() > out.angle_rms.value {
            out.angle_rms = Named { value: mean.sqrt(), at: name.clone() };
        }
    }
    out.leg_angle_rms = (legs / f64::from(count.max(1))).sqrt();
}

fn ground(
    record: &MovementRecord,
    reference: &TrackingReference,
    scale: Scale,
    out: &mut Fidelity,
) -> Result<(), MovementError> {
    let driven = |foot: usize, axis: usize| -> Vec<f64> {
        record.ground.iter().map(|g| g[foot].force[axis] / scale.weight).collect()
    };
    let expected = |foot: usize, axis: usize| -> Vec<f64> {
        record.times.iter().map(|t| reference.ground[foot][axis].value(*t) / scale.weight).collect()
    };
    for axis in 0..3 {
        let both = |of: &dyn Fn(usize, usize) -> Vec<f64>| [of(0, axis), of(1, axis)].concat();
        let (a, b) = (both(&driven), both(&expected));
        out.ground_correlation[axis] = correlate(&a, &b)?;
        if axis == 1 {
            out.ground_rms = (a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / a.len() as f64).sqrt();
            out.ground_max = a.iter().fold(0.0, |m: f64, f| m.max(*f));
        }
    }
    let step = if record.times.len() > 1 { record.times[1] - record.times[0] } else { 1.0 };
    let peaks = |of: &dyn Fn(usize, usize) -> Vec<f64>| -> Result<[f64; 2], MovementError> {
        let mut all = Vec::new();
        for foot in 0..2 {
            all.extend(stance_peaks(&smooth(&of(foot, 1), step)?, step));
        }
        let n = all.len().max(1) as f64;
        Ok([all.iter().map(|p| p[0]).sum::<f64>() / n, all.iter().map(|p| p[1]).sum::<f64>() / n])
    };
    (out.ground_peaks, out.reference_peaks) = (peaks(&driven)?, peaks(&expected)?);
    let rate = |of: &dyn Fn(usize, usize) -> Vec<f64>| {
        let all: Vec<f64> = (0..2).flat_map(|foot| loading_rates(&of(foot, 1), step)).collect();
        all.iter().sum::<f64>() / all.len().max(1) as f64
    };
    out.loading_rates = [rate(&driven), rate(&expected)];
    Ok(())
}

/// Zero-phase low-pass filter of second order at [`PEAK_CUTOFF`].
pub fn smooth(signal: &[f64], step: f64) -> Result<Vec<f64>, MovementError> {
    let filter = Butterworth::low_pass_dual_pass(2, PEAK_CUTOFF, 1.0 / step);
    filter.and_then(|f| f.zero_phase(signal, None)).map_err(|e| MovementError::numerical("ground force", e))
}

/// Contacts shorter than this are not counted as stances \[s\].
const SHORTEST_STANCE: f64 = 0.2;

/// Time after heel strike in which a foot is loaded \[s\].
pub const LOADING: f64 = 0.2;

/// Time over which a loading rate is taken \[s\].
pub const RISE: f64 = 0.01;

/// Maximum rise of the force over [`RISE`] in the first [`LOADING`] of every stance that begins in the record; samples
/// `step` \[s\] apart.
fn loading_rates(force: &[f64], step: f64) -> Vec<f64> {
    let [rise, loading] = [RISE, LOADING].map(|time| ((time / step).round() as usize).max(1));
    let begins =
        |i: &usize| *i >= rise && force[*i] > STANDS_BW && force[*i - 1] <= STANDS_BW && *i + loading < force.len();
    let rate = |i: usize| {
        let slope = |k: usize| (force[k] - force[k - rise]) / (rise as f64 * step);
        (i..i + loading).map(slope).fold(0.0, f64::max)
    };
    (1..force.len()).filter(begins).map(rate).collect()
}

/// Maximum force in the first and in the second half of every complete stance; samples `step` \[s\] apart.
pub fn stance_peaks(force: &[f64], step: f64) -> Vec<[f64; 2]> {
    let mut peaks = Vec::new();
    let mut start = None;
    for (i, f) in force.iter().enumerate() {
        match (start, *f > STANDS_BW) {
            // a stance that began before the record is incomplete
            (None, true) if i > 0 && force[i - 1] <= STANDS_BW => start = Some(i),
            (Some(s), false) => {
                let (first, second) = force[s..i].split_at((i - s) / 2);
                let largest = |part: &[f64]| part.iter().fold(0.0, |m: f64, f| m.max(*f));
                if (i - s) as f64 * step > SHORTEST_STANCE {
                    peaks.push([largest(first), largest(second)]);
                }
                start = None;
            }
            _ => (),
        }
    }
    peaks
}
