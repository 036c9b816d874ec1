//! Fibres, the paths of 80 muscles, and moment arms beside slopes of lengths.

use super::difference::larger;
use super::muscles::{analysis, table, worst};
use super::records::{Records, ValidationError, Walk, times};
use super::{ValidationRow, attempt};
use crate::coupling::Coupling;
use crate::ik::Freedoms;
use crate::validation::difference::of_tables;
use crate::{Accelerations, Motors, SubjectModel};
use wolff_multibody::System;

/// Lengths [m] and moment arms [m] of the 80 muscles at three instants of the walk of Rajagopal's model, from OpenSim 4.6.
const OPENSIM_PATHS: &str = include_str!("opensim_paths.txt");
/// Coordinates of those moment arms.
const COORDINATES: [&str; 4] = ["hip_flexion_r", "hip_adduction_r", "knee_angle_r", "ankle_angle_r"];
/// Muscles over two surfaces at once, of which OpenSim moves the touching points without renewing the arc.
const TWO_SURFACES: [&str; 4] = ["gasmed_r", "gasmed_l", "gaslat_r", "gaslat_l"];

/// All trials.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let mut rows = attempt("gait1992", "fibres", || gait1992_fibres(records));
    rows.extend(attempt("rajagopal", "paths of 80 muscles", || rajagopal(records)));
    rows.extend(attempt("opensim-core", "moment arms", || moment_arms(records)));
    rows
}

/// Fibre lengths and tendon forces of hardly active muscles in equilibrium.
fn gait1992_fibres(records: &Records) -> Result<Vec<ValidationRow>, ValidationError> {
    let walk = Walk::gait1992(records, Accelerations::OfSpeeds)?;
    let record = |name: &str| {
        let file = format!("gait1992-pipeline/opensim-4.5.2/task_MuscleAnalysis_{name}.sto");
        Ok::<_, ValidationError>(records.storage(&file)?.table)
    };
    let lengths = record("NormalizedFiberLength")?;
    let found = analysis(&walk, &times(&lengths), &[])?;
    let row = |name: &str, what: &str, unit: &'static str, bound: f64| {
        let off = of_tables(&table(&found, name)?, &record(name)?, |_| unit)?;
        let rms = (off.iter().map(|d| d.rms * d.rms).sum::<f64>() / off.len().max(1) as f64).sqrt();
        let (value, muscle) = worst(off.iter());
        let note = format!("worst {value:.2e} of {muscle}; {} muscles, {} instants", off.len(), lengths.rows().len());
        let row = ValidationRow::measured("gait1992", what, rms, unit).bounded(bound).noted(note);
        Ok::<_, ValidationError>(row)
    };
    let note = "the record's fibres move, ours rest at every instant";
    Ok(vec![
        row("NormalizedFiberLength", "fibre lengths over optimal, RMS", "", 0.05)?.noted(note),
        row("TendonForce", "tendon forces, RMS", "N", 200.0)?.noted(note),
    ])
}

/// A muscle of the record: name, length, moment arms.
fn recorded(line: &str) -> Option<(&str, Vec<f64>)> {
    let (name, numbers) = line.split_once(' ')?;
    Some((name, numbers.split(' ').map(|n| n.parse().unwrap_or(f64::NAN)).collect()))
}

fn rajagopal(records: &Records) -> Result<Vec<ValidationRow>, ValidationError> {
    let walk = Walk::new(
        records,
        "rajagopal-walk/subject_walk_scaled.osim",
        &records.storage("rajagopal-walk/coordinates.sto")?,
        None,
        None,
        Accelerations::OfSpeeds,
    )?;
    let mut worst = [(0.0, String::new()), (0.0, String::new()), (0.0, String::new())];
    let mut muscles = 0;
    for part in OPENSIM_PATHS.split("time ").skip(1) {
        let mut lines = part.lines();
        let time = lines.next().and_then(|t| t.parse().ok()).unwrap_or(f64::NAN);
        let found = analysis(&walk, &[time], &COORDINATES.map(String::from))?;
        muscles = found.names.len();
        for (name, numbers) in lines.filter_map(recorded) {
            let missing = || ValidationError::input(name, "is no muscle of the model");
            let k = found.names.iter().position(|n| n == name).ok_or_else(missing)?;
            let [length, arms @ ..] = &numbers[..] else { continue };
            let off = (found.rows[0][k].length - length).abs();
            let off_arms = found.moment_arms.iter().zip(arms).map(|((_, rows), arm)| rows[0][k] - arm);
            let off_arms = off_arms.fold(0.0, larger);
            let two = TWO_SURFACES.contains(&name);
            for (slot, value) in [(if two { 2 } else { 0 }, off), (if two { 2 } else { 1 }, off_arms)] {
                if larger(worst[slot].0, value) != worst[slot].0 {
                    worst[slot] = (value, format!("{name} at {time} s"));
                }
            }
        }
    }
    let row = |what: &str, slot: usize, limit: f64, bound: f64| {
        let row = ValidationRow::measured("rajagopal", what, worst[slot].0, "m").limited(limit, "OpenSim's test");
        row.bounded(bound).noted(&worst[slot].1).noted(format!("{muscles} muscles, 3 instants, OpenSim 4.6"))
    };
    let two = "lengths and moment arms over two surfaces, worst";
    let why = "OpenSim does not renew the arc when it moves the touching points";
    Ok(vec![
        row("muscle lengths, worst", 0, 1e-6, 1e-4),
        row("moment arms, worst", 1, 1e-6, 1e-3),
        row(two, 2, 1e-6, 1e-2).noted(why),
    ])
}

/// Models of OpenSim's test of moment arms.
const ARM_MODELS: [&str; 9] = [
    "P2PBallJointMomentArmTest",
    "P2PBallCustomJointMomentArmTest",
    "P2PCustomJointMomentArmTest",
    "MovingPathPointMomentArmTest",
    "MovingPointCustomJointMomentArmTest",
    "MultipleMPPsMomentArmTest",
    "CoupledCoordinatesMPPsMomentArmTest",
    "WrapPathCustomJointMomentArmTest",
    "PathOnConstrainedBodyMomentArmTest",
];
/// Shares of a coordinate's range where moment arms are looked at, and the step of the difference [rad or m].
const SHARES: [f64; 4] = [0.2, 0.4, 0.6, 0.8];
const STEP: f64 = 1e-5;

/// Moment arms beside minus the slope of the length, coupled coordinates following: OpenSim's own test.
fn moment_arms(records: &Records) -> Result<Vec<ValidationRow>, ValidationError> {
    let mut worst = (0.0, String::new());
    let mut count = 0;
    for name in ARM_MODELS {
        let subject = records.subject(&format!("opensim-core/momentarm/{name}.osim"))?;
        for (off, whose) in arms_of(&subject)? {
            count += 1;
            if larger(worst.0, off) != worst.0 {
                worst = (off, format!("{whose} of {name}"));
            }
        }
    }
    let row = ValidationRow::measured("opensim-core", "moment arms less slopes of lengths, worst", worst.0, "m");
    let note = format!("{} models, {count} poses of coordinates and muscles", ARM_MODELS.len());
    Ok(vec![row.limited(1e-6, "OpenSim's test").bounded(1e-6).noted(worst.1).noted(note)])
}

/// Differences of moment arms from slopes of lengths, at several poses of each free coordinate that moves a muscle.
fn arms_of(subject: &SubjectModel) -> Result<Vec<(f64, String)>, ValidationError> {
    let model = &subject.model;
    let muscles = Motors::new(&subject.converted, model)?.muscles;
    let freedoms = Freedoms::new(model);
    let mut system = System::new(model);
    let mut coupling = Coupling::new(model.nc(), model.nv());
    let still = vec![0.0; model.nv()];
    let mut gradient = still.clone();
    let mut out = Vec::new();
    // rows that are left to multipliers would have to be assembled again after each step
    if !freedoms.rows().is_empty() {
        return Ok(out);
    }
    for &k in freedoms.free() {
        let name = &model.coordinate_names()[k];
        let at = freedoms.position(k);
        let range = subject.converted.coordinates.iter().find(|c| c.name == *name).map_or([-0.5, 0.5], |c| c.range);
        for share in SHARES {
            let mut q = model.q0.clone();
            q[at] = range[0] + share * (range[1] - range[0]);
            freedoms.fix(0.0, &mut q);
            freedoms.follow(&mut q);
            system.update_constraints(0.0, &q, &still);
            coupling.update(&system.constraints);
            for muscle in &muscles {
                let instant = system.instant(0.0, &q, &still, None);
                muscle.path.length_gradient(&muscle.path.solve(&instant, None), &instant, &mut gradient);
                let arm = -coupling.derivative_along(&gradient, k);
                let mut length = |step: f64| {
                    let mut moved = q.clone();
                    moved[at] += step;
                    freedoms.follow(&mut moved);
                    system.update_kinematics(&moved, &still);
                    muscle.path.solve(&system.instant(0.0, &moved, &still, None), None).length
                };
                let slope = (length(STEP) - length(-STEP)) / (2.0 * STEP);
                system.update_constraints(0.0, &q, &still);
                out.push((arm + slope, format!("{} about {name}", muscle.hill.name())));
            }
        }
    }
    Ok(out)
}
