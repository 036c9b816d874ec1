//! Forward dynamics of a person with muscles that wrap over surfaces, compared with OpenSim in the same state.

use super::gait::ask;
use super::opensim::Answer;
use super::{BenchReport, BenchRow, best_of};
use serde_json::{Map, Value, json};
use std::hint::black_box;
use wolff_motion::ik::Freedoms;
use wolff_motion::{MotionError, Muscle, MuscleSpec, Subject};
use wolff_multibody::{Baumgarte, ForceElement, Instant, Loads, System};
use wolff_muscle::PathGeometry;
use wolff_validation::Records;

/// Rajagopal's model scaled to a subject: 39 coordinates, 80 muscles, patellae coupled to the knees.
const MODEL: &str = "addbiomechanics-walk/subject01/processed/optimized_scale_and_markers.osim";
/// A walk of this subject.
const MOTION: &str = "addbiomechanics-walk/subject01/processed/walk2_ik.mot";
/// The frame used: the middle of a step.
const FRAME: usize = 60;
/// Activation of all muscles.
const ACTIVATION: f64 = 0.3;

/// A muscle whose activation and fibre length are states.
#[derive(Clone, Debug)]
struct Fibre {
    muscle: Muscle,
    /// Fibre length \[m\].
    length: f64,
    /// Whether its path may wrap over several surfaces.
    over_two: bool,
}

impl Fibre {
    /// The state of static equilibrium.
    fn at_rest(muscle: Muscle, spec: &MuscleSpec, at: &Instant<'_>) -> Self {
        let length = muscle.path.solve(at, None).length;
        let length = muscle.hill.equilibrium(ACTIVATION, length, 0.0).state.fibre_length;
        Fibre { muscle, length, over_two: spec.path.wraps.len() > 1 }
    }

    /// Path and tension \[N\].
    fn pull(&self, at: &Instant<'_>) -> (PathGeometry, f64) {
        let geometry = self.muscle.path.solve(at, None);
        let speed = self.muscle.path.speed(&geometry, at);
        let tension = self.muscle.hill.state(ACTIVATION, self.length, geometry.length, speed).tendon_force;
        (geometry, tension)
    }
}

impl ForceElement for Fibre {
    fn name(&self) -> &str {
        self.muscle.hill.name()
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let (geometry, tension) = self.pull(at);
        self.muscle.path.pull(&geometry, tension, at, out);
    }
}

/// Adds the row of this part.
pub(super) fn measure(report: &mut BenchReport, records: &Records) -> Result<(), MotionError> {
    let read = records.subject(MODEL)?;
    let (rows, _) = read.positions(&records.storage(MOTION)?)?;
    let mut subject = read.subject;
    let (q, v) = state(&subject, &rows)?;
    let (fibres, tensions) = fibres(&subject, &q, &v)?;
    for fibre in &fibres {
        subject.model.add_force(Box::new(fibre.clone())).map_err(MotionError::from)?;
    }
    let mut system = System::new(&subject.model);
    let mut a = vec![0.0; subject.model.nv()];
    let us = best_of(40, 50, || {
        // a failure gives NaN, which the comparison shows
        let _ = system.accelerations(0.0, black_box(&q), black_box(&v), Baumgarte::NONE, &mut a);
    });
    let answer = opensim(report, &job(records, &subject, &q, &v, &fibres));
    let a = comparable(records, &q, &v, &fibres)?;
    let row = format!("accelerations of a walk, {} coordinates, {} muscles", subject.model.nv(), fibres.len());
    report.rows.push(BenchRow::against(row, "us", us, answer.as_ref().and_then(Answer::peer)));
    if let Some(answer) = answer {
        let names = subject.model.coordinate_names().iter().map(String::as_str);
        let (off, whose) = worst(names.zip(&a), |name| answer.entry("accelerations", name));
        let known = fibres.iter().zip(&tensions).filter(|(f, _)| !f.over_two).map(|(f, tension)| (f.name(), tension));
        let (force_off, muscle) = worst(known, |name| answer.entry("forces", name));
        let largest = a.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        report.remarks.push(format!(
            "accelerations of a walk with muscles: maximum difference {off:.1e} of {largest:.0} rad/s² or m/s² \
             (`{whose}`), of muscle forces {force_off:.1e} N (`{muscle}`); compared without the {} muscles over \
             two surfaces, whose wrapping OpenSim does not update",
            fibres.iter().filter(|f| f.over_two).count()
        ));
    }
    Ok(())
}

/// Accelerations without the muscles over two surfaces.
fn comparable(records: &Records, q: &[f64], v: &[f64], fibres: &[Fibre]) -> Result<Vec<f64>, MotionError> {
    let mut model = records.subject(MODEL)?.subject.model;
    for fibre in fibres.iter().filter(|f| !f.over_two) {
        model.add_force(Box::new(fibre.clone())).map_err(MotionError::from)?;
    }
    let mut a = vec![0.0; model.nv()];
    let failed = |e: wolff_multibody::DynamicsError| MotionError::input(MODEL, e.to_string());
    System::new(&model).accelerations(0.0, q, v, Baumgarte::NONE, &mut a).map_err(failed)?;
    Ok(a)
}

/// The results of OpenSim for a state.
fn opensim(report: &mut BenchReport, job: &Value) -> Option<Answer> {
    let file = std::env::temp_dir().join(format!("wolff-bench-{}.json", std::process::id()));
    let written = std::fs::write(&file, job.to_string());
    let answer = written.ok().and_then(|()| ask(report, "forward", vec![file.clone().into_os_string()]));
    // only the answer matters; a file that remains in the temporary folder of the system is harmless
    let _ = std::fs::remove_file(&file);
    answer
}

/// Coordinates of a frame of the walk and speeds by its neighbours; what couplers make dependent follows.
fn state(subject: &Subject, rows: &[(f64, Vec<f64>)]) -> Result<(Vec<f64>, Vec<f64>), MotionError> {
    let [(before, earlier), (_, q), (after, later)] = rows.get(FRAME - 1..=FRAME + 1).unwrap_or_default() else {
        return Err(MotionError::input(MOTION, format!("has fewer than {} rows", FRAME + 2)));
    };
    let freedoms = Freedoms::new(&subject.model);
    let (mut q, mut v) = (q.clone(), vec![0.0; subject.model.nv()]);
    freedoms.fix(0.0, &mut q);
    freedoms.follow(&mut q);
    let (mut ahead, mut behind) = (q.clone(), q.clone());
    const STEP: f64 = 1e-6;
    for &k in freedoms.free() {
        let at = freedoms.position(k);
        let rate = (later[at] - earlier[at]) / (after - before);
        (ahead[at], behind[at]) = (q[at] + STEP * rate, q[at] - STEP * rate);
    }
    freedoms.follow(&mut ahead);
    freedoms.follow(&mut behind);
    for (k, speed) in v.iter_mut().enumerate() {
        let at = freedoms.position(k);
        *speed = (ahead[at] - behind[at]) / (2.0 * STEP);
    }
    Ok((q, v))
}

/// Muscles in equilibrium at rest, and their tensions \[N\].
fn fibres(subject: &Subject, q: &[f64], v: &[f64]) -> Result<(Vec<Fibre>, Vec<f64>), MotionError> {
    let muscles = subject.motors()?.muscles;
    let mut system = System::new(&subject.model);
    system.update_kinematics(q, v);
    let at = system.instant(0.0, q, v, None);
    let fibres: Vec<Fibre> =
        muscles.into_iter().zip(&subject.muscles).map(|(m, spec)| Fibre::at_rest(m, spec, &at)).collect();
    let tensions = fibres.iter().map(|fibre| fibre.pull(&at).1).collect();
    Ok((fibres, tensions))
}

/// The state for OpenSim.
fn job(records: &Records, subject: &Subject, q: &[f64], v: &[f64], all: &[Fibre]) -> Value {
    let (mut values, mut speeds) = (Map::new(), Map::new());
    for c in &subject.coordinates {
        values.insert(c.name.clone(), json!(q[c.position]));
        speeds.insert(c.name.clone(), json!(v[c.speed]));
    }
    let fibres: Map<String, Value> = all.iter().map(|f| (f.name().into(), json!(f.length))).collect();
    let left_out: Vec<&str> = all.iter().filter(|f| f.over_two).map(|f| f.name()).collect();
    json!({ "left_out": left_out, "model": records.path(MODEL), "values": values, "speeds": speeds, "fibres": fibres, "activation": ACTIVATION })
}

/// The maximum difference to OpenSim's values, and the name of the coordinate or muscle.
fn worst<'a>(ours: impl Iterator<Item = (&'a str, &'a f64)>, theirs: impl Fn(&str) -> f64) -> (f64, &'a str) {
    ours.map(|(name, x)| ((x - theirs(name)).abs(), name))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .unwrap_or((f64::NAN, "none"))
}
