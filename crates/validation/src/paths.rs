//! Fibres, the paths of 80 muscles, and moment arms beside slopes of lengths.

use crate::difference::larger;
use crate::muscles::analysis;
use crate::records::{Records, Walk, times};
use crate::{ValidationRow, attempt};
use wolff_motion::coupling::Coupling;
use wolff_motion::ik::Freedoms;
use wolff_motion::{Accelerations, MotionError};
use wolff_multibody::System;
use wolff_opensim::OpensimSubject;

/// Lengths \[m\] and moment arms \[m\] of the 80 muscles at three instants of the walk of Rajagopal's model, from
/// OpenSim 4.6.
const OPENSIM_PATHS: &str = include_str!("opensim_paths.txt");
/// Coordinates of those moment arms.
const COORDINATES: [&str; 4] = ["hip_flexion_r", "hip_adduction_r", "knee_angle_r", "ankle_angle_r"];
/// Muscles over two surfaces at once, of which OpenSim moves the touching points without renewing the arc.
const TWO_SURFACES: [&str; 4] = ["gasmed_r", "gasmed_l", "gaslat_r", "gaslat_l"];

/// Activation of muscles that do nothing, as in OpenSim.
const ACTIVATION: f64 = 0.05;

/// All trials.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let mut rows = attempt("gait1992", "fibres", || gait1992_fibres(records));
    rows.extend(attempt("rajagopal", "paths of 80 muscles", || rajagopal(records)));
    rows.extend(attempt("opensim-core", "moment arms", || moment_arms(records)));
    rows
}

/// Tendon forces at the fibre lengths of the record: path, pennation and the curve of the tendon. The record was made
/// without equilibrium, so its fibres are where the model starts them, and tendons may be stretched as none is; nothing
/// is to be learnt from the lengths themselves.
fn gait1992_fibres(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let walk = Walk::gait1992(records, Accelerations::OfSpeeds)?;
    let record = |name: &str| {
        let file = format!("gait1992-pipeline/opensim-4.5.2/task_MuscleAnalysis_{name}.sto");
        Ok::<_, MotionError>(records.storage(&file)?.table)
    };
    let (lengths, forces) = (record("NormalizedFiberLength")?, record("TendonForce")?);
    let found = analysis(&walk, &times(&lengths), &[])?;
    let muscles = walk.subject.motors()?.muscles;
    let mut worst = (0.0, String::new());
    for (k, muscle) in muscles.iter().enumerate() {
        let name = muscle.hill.name();
        let missing = || MotionError::input(name, "has no column in the record");
        let fibre = lengths.column(name).ok_or_else(missing)?;
        let force = forces.column(name).ok_or_else(missing)?;
        let optimal = muscle.hill.parameters().optimal_fibre_length;
        let largest = force.iter().fold(muscle.hill.parameters().max_isometric_force, |m, f| m.max(f.abs()));
        for ((row, x), f) in found.rows.iter().zip(&fibre).zip(&force) {
            let ours = muscle.hill.state(ACTIVATION, x * optimal, row[k].length, row[k].speed).tendon_force;
            let off = ((ours - f) / largest).abs();
            if larger(worst.0, off) != worst.0 {
                worst = (off, name.into());
            }
        }
    }
    let what = "tendon forces at the record's fibre lengths, worst over largest";
    let row = ValidationRow::measured("gait1992", what, worst.0, "").limited(1e-5, "goal").bounded(1e-5);
    let note = format!("{}; {} muscles, {} instants", worst.1, muscles.len(), lengths.rows().len());
    Ok(vec![row.noted(note)])
}

/// A muscle of the record: name, length, moment arms.
fn recorded(line: &str) -> Option<(&str, Vec<f64>)> {
    let (name, numbers) = line.split_once(' ')?;
    Some((name, numbers.split(' ').map(|n| n.parse().unwrap_or(f64::NAN)).collect()))
}

fn rajagopal(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
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
            let missing = || MotionError::input(name, "is no muscle of the model");
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
        row("muscle lengths, worst", 0, 1e-6, 1e-8),
        row("moment arms, worst", 1, 1e-6, 1e-8),
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
/// Shares of a coordinate's range where moment arms are looked at, and the step of the difference \[rad or m\].
const SHARES: [f64; 4] = [0.2, 0.4, 0.6, 0.8];
const STEP: f64 = 1e-5;
/// Where coordinates end whose range is wider [rad or m]: far from zero, steps are lost in rounding.
const WIDEST: f64 = 1.5;

/// Moment arms beside minus the slope of the length, coupled coordinates following: what OpenSim's own test does.
fn moment_arms(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let mut rows = Vec::new();
    let [straight, bent] = [false, true].map(|wraps| ARM_MODELS.iter().filter(move |n| n.starts_with("Wrap") == wraps));
    for (what, models, limit) in [("points", straight.collect::<Vec<_>>(), 1e-7), ("surfaces", bent.collect(), 1e-4)] {
        let (mut worst, mut count) = ((0.0, String::new()), 0);
        for name in &models {
            let subject = records.subject(&format!("opensim-core/momentarm/{name}.osim"))?;
            for (off, whose) in arms_of(&subject)? {
                count += 1;
                if larger(worst.0, off) != worst.0 {
                    worst = (off.abs(), format!("{whose} of {name}"));
                }
            }
        }
        let quantity = format!("moment arms less slopes of lengths over {what}, worst");
        let row = ValidationRow::measured("opensim-core", &quantity, worst.0, "m").limited(limit, "own choice");
        let note = format!("{} models, {count} pairs of muscle and pose", models.len());
        rows.push(row.bounded(limit).noted(worst.1).noted(note));
    }
    Ok(rows)
}

/// Differences of moment arms from slopes of lengths, at several poses of each free coordinate that moves a muscle.
fn arms_of(subject: &OpensimSubject) -> Result<Vec<(f64, String)>, MotionError> {
    let model = &subject.subject.model;
    let muscles = subject.subject.motors()?.muscles;
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
        let range =
            subject.converted.coordinates.iter().find(|c| c.name == *name).map_or([-WIDEST, WIDEST], |c| c.range);
        let range = range.map(|x| x.clamp(-WIDEST, WIDEST));
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
