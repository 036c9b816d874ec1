//! Muscles: lengths, moment arms, fibres and forces as OpenSim records them, and every muscle of every model at any
//! pose.

use crate::convert::models;
use crate::data::{leg, model, place, table};
use wolff_formats::{Table, osim};
use wolff_motion::{MotionType, Muscle};
use wolff_multibody::{Model, System};
use wolff_muscle::Curves;
use wolff_muscle::hill::Status;
use wolff_muscle::path::Construction;
use wolff_opensim::{OpensimModel, convert};

const MODEL: &str = "gait1992-pipeline/residual_reduction_algorithm/model_adjusted.osim";
const MOTION: &str = "gait1992-pipeline/residual_reduction_algorithm/task_Kinematics_q.sto";

/// Largest and root mean square difference.
#[derive(Default, Debug)]
struct Differences {
    largest: f64,
    square: f64,
    count: usize,
}

impl Differences {
    fn add(&mut self, difference: f64) {
        assert!(difference.is_finite());
        self.largest = self.largest.max(difference.abs());
        self.square += difference * difference;
        self.count += 1;
    }

    fn rms(&self) -> f64 {
        (self.square / self.count as f64).sqrt()
    }
}

/// Coordinates of a row of a file in degrees.
fn pose(converted: &OpensimModel, model: &Model, motion: &Table, row: usize) -> Vec<f64> {
    let turns = |name: &str| converted.coordinates.iter().any(|c| c.name == name && c.motion == MotionType::Rotational);
    let values: Vec<(&str, f64)> = motion.labels()[1..]
        .iter()
        .zip(&motion.rows()[row][1..])
        .map(|(name, x)| (name.as_str(), if turns(name) { x.to_radians() } else { *x }))
        .collect();
    place(model, &values)
}

fn muscles(converted: &OpensimModel, model: &Model) -> Vec<Muscle> {
    converted.muscles.iter().map(|m| m.resolve(model).unwrap()).collect()
}

/// Columns of a table in the order of the muscles.
fn columns(muscles: &[Muscle], table: &Table) -> Vec<usize> {
    let find = |m: &Muscle| table.labels().iter().position(|l| l == m.hill.name()).unwrap();
    muscles.iter().map(find).collect()
}

/// The records have eight decimals: half a unit of the last, with room for one more rounding.
const RECORD: f64 = 5.01e-9;

/// 92 muscles at 2500 instants.
#[test]
fn lengths_of_gait() {
    let (Some((converted, model)), Some(motion)) = (model(MODEL), table(MOTION)) else { return };
    let Some(lengths) = table("gait1992-pipeline/static_optimization/task_MuscleAnalysis_Length.sto") else { return };
    let muscles = muscles(&converted, &model);
    assert_eq!(muscles.len(), 92);
    let columns = columns(&muscles, &lengths);
    let mut system = System::new(&model);
    let v = vec![0.0; model.nv()];
    let mut off = Differences::default();
    for (row, recorded) in lengths.rows().iter().enumerate() {
        let q = pose(&converted, &model, &motion, row);
        system.update_kinematics(&q, &v);
        let at = system.instant(0.0, &q, &v, None);
        for (muscle, column) in muscles.iter().zip(&columns) {
            off.add(muscle.path.solve(&at, None).length - recorded[*column]);
        }
    }
    println!("lengths: {off:?}, rms {:.2e} m", off.rms());
    assert!(off.largest < RECORD, "{off:?}");
}

/// Moment arms about five joints at 151 instants.
#[test]
fn moment_arms_of_gait() {
    let (Some((converted, model)), Some(motion)) = (model(MODEL), table(MOTION)) else { return };
    let muscles = muscles(&converted, &model);
    let mut system = System::new(&model);
    let v = vec![0.0; model.nv()];
    for joint in ["hip_flexion_r", "hip_adduction_r", "hip_rotation_r", "knee_angle_r", "ankle_angle_r"] {
        let path = format!("gait1992-pipeline/opensim-4.5.2/task_MuscleAnalysis_MomentArm_{joint}.sto");
        let Some(arms) = table(&path) else { return };
        let columns = columns(&muscles, &arms);
        let speed = model.coordinate_index(joint).unwrap();
        let mut off = Differences::default();
        for recorded in arms.rows() {
            let q = pose(&converted, &model, &motion, (recorded[0] * 1000.0).round() as usize);
            system.update_kinematics(&q, &v);
            let at = system.instant(0.0, &q, &v, None);
            for (muscle, column) in muscles.iter().zip(&columns) {
                let geometry = muscle.path.solve(&at, None);
                off.add(muscle.path.moment_arm(&geometry, &at, speed) - recorded[*column]);
            }
        }
        println!("moment arms about {joint}: {off:?}, rms {:.2e} m", off.rms());
        assert!(off.largest < RECORD, "{joint}: {off:?}");
    }
}

/// A moving point does work on its coordinate: the gradient is the derivative of the length, and the pull its negative.
#[test]
fn moving_points_are_part_of_moment_arms() {
    let Some((converted, model)) = model(MODEL) else { return };
    let converted = converted.with_construction(Construction::Shortest);
    let muscles = muscles(&converted, &model);
    let vastus = muscles.iter().find(|m| m.hill.name() == "vas_lat_r").unwrap();
    let knee = model.coordinate_index("knee_angle_r").unwrap();
    let mut system = System::new(&model);
    let v = vec![0.0; model.nv()];
    let length = |system: &mut System<'_>, angle: f64| {
        let q = place(&model, &[("knee_angle_r", angle)]);
        system.update_kinematics(&q, &v);
        let at = system.instant(0.0, &q, &v, None);
        let geometry = vastus.path.solve(&at, None);
        (geometry.length, vastus.path.moment_arm(&geometry, &at, knee))
    };
    for angle in [-0.3, -0.7, -1.2] {
        let h = 1e-5;
        let slope = (length(&mut system, angle + h).0 - length(&mut system, angle - h).0) / (2.0 * h);
        let (_, arm) = length(&mut system, angle);
        assert!((arm + slope).abs() < 1e-8, "{angle}: {arm} and {slope}");
    }
}

/// Models of which some muscles are known not to be had, with the reason.
const LACKING: [(&str, &str); 1] = [("Analyze/BothLegs.osim", "no model can be built of it")];

/// Poses within the ranges, activations from the least to the greatest: every muscle has a finite length, force and
/// fibre.
#[test]
fn every_muscle_at_any_pose() {
    let (mut count, mut slack) = (0, 0);
    for path in models() {
        let name = path.to_string_lossy().into_owned();
        let file = osim::read(&std::fs::read(&path).unwrap()).unwrap();
        if LACKING.iter().any(|(lacking, _)| name.ends_with(lacking)) {
            continue;
        }
        let converted = convert(&file).unwrap();
        let model = converted.build().unwrap();
        let muscles: Result<Vec<_>, _> = converted.muscles.iter().map(|m| m.resolve(&model)).collect();
        let muscles = muscles.unwrap_or_else(|e| panic!("{name}: {e}"));
        let in_file = file.forces.iter().filter(|f| f.enabled && matches!(f.kind, osim::OsimForceKind::Muscle(_)));
        assert_eq!(muscles.len(), in_file.count(), "{name}: {:?}", converted.unconverted);
        count += muscles.len();
        let mut system = System::new(&model);
        let v = vec![0.1; model.nv()];
        for k in 0..5 {
            let values: Vec<(&str, f64)> = converted
                .coordinates
                .iter()
                .enumerate()
                .map(|(i, c)| (c.name.as_str(), within(c.range, (0.2 * k as f64 + 0.37 * i as f64).fract())))
                .collect();
            let q = place(&model, &values);
            system.update_kinematics(&q, &v);
            let at = system.instant(0.0, &q, &v, None);
            for muscle in &muscles {
                let geometry = muscle.path.solve(&at, None);
                let speed = muscle.path.speed(&geometry, &at);
                assert!(geometry.length.is_finite() && speed.is_finite(), "{name} {}", muscle.hill.name());
                for activation in [0.01, 0.1, 0.5, 1.0] {
                    let found = muscle.hill.equilibrium(activation, geometry.length, speed);
                    let s = found.state;
                    let finite = [s.fibre_length, s.fibre_velocity, s.tendon_force, s.active_force, s.passive_force];
                    assert!(finite.iter().all(|x| x.is_finite()), "{name} {}: {s:?}", muscle.hill.name());
                    assert!(
                        s.tendon_force >= 0.0 && found.status != Status::NotFinite,
                        "{name} {}",
                        muscle.hill.name()
                    );
                    slack += usize::from(found.status == Status::ShortestFibre);
                }
            }
        }
    }
    println!("{count} muscles; {slack} of {} states with the shortest fibre", count * 20);
}

fn within([low, high]: [f64; 2], fraction: f64) -> f64 {
    let (low, high) = (low.max(-3.0), high.min(3.0));
    low + fraction * (high - low)
}

#[test]
fn classes_have_their_own_curves() {
    let converted = convert(&leg()).unwrap();
    let [vastus] = &converted.muscles[..] else { panic!("one muscle") };
    assert_eq!(vastus.name, "vastus");
    assert!(matches!(vastus.curves, Curves::Millard(_)));
    assert_eq!(vastus.path.wraps.len(), 1);
    let mut file = leg();
    for force in &mut file.forces {
        if let osim::OsimForceKind::Muscle(muscle) = &mut force.kind {
            muscle.class = "Thelen2003Muscle".into();
            muscle.parameters.push(("FmaxTendonStrain".into(), 0.033));
            muscle.ignore_tendon_compliance = true;
        }
    }
    let converted = convert(&file).unwrap();
    let Curves::Thelen(curves) = &converted.muscles[0].curves else { panic!("Thelen's curves") };
    assert_eq!(curves.tendon_strain, 0.033);
    assert!(converted.muscles[0].parameters.rigid_tendon);
}

#[test]
fn a_class_that_is_not_known_is_listed() {
    let mut file = leg();
    for force in &mut file.forces {
        if let osim::OsimForceKind::Muscle(muscle) = &mut force.kind {
            muscle.class = "StrangeMuscle".into();
        }
    }
    let converted = convert(&file).unwrap();
    assert!(converted.muscles.is_empty());
    assert!(converted.unconverted.iter().any(|l| l.class == "StrangeMuscle" && l.name == "vastus"));
}
