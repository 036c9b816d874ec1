//! A leg in a plane: joint angles, moments and forces from markers and a plate.
//!
//! The record is that of `leg2d` of the GaitAnalysisToolKit (csu-hmc). It was made with a corner of 4 Hz for both
//! passes together, with the foot's fraction of mass and radius of gyration for all three segments, and with a turn of
//! twice its first instant between the passes: with these the record comes out to its last digit, with 6 Hz and
//! Winter's numbers, which its makers say, it does not.

use crate::difference::{self, Difference, Goal};
use crate::records::Records;
use crate::{ValidationRow, attempt};
use wolff_formats::csv;
use wolff_formats::trial::{ForcePlate, GroundWrench, Marker, MarkerTrial};
use wolff_motion::ExternalLoad;
use wolff_motion::planar_leg::{
    LEG_MARKERS, Path, PlanarJoint, PlanarLoad, PlanarSegment, TRUNK, planar_inverse_dynamics, winter_leg,
};
use wolff_motion::recording::read_bytes;
use wolff_motion::signal::{DifferentiatingLowPass, LowPass, fill_gaps, low_pass_columns, low_pass_markers};
use wolff_motion::{Accelerations, CoordinateHistory, MotionError, inverse_dynamics};
use wolff_multibody::Model;
use wolff_multibody::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec};
use wolff_numerics::Derivatives;
use wolff_spatial::{MassProperties, Mat3, Vec3};

/// Where the record is.
const FOLDER: &str = "gait2d-invdyn";

/// Mass of the subject \[kg\], gravity \[m/s²\]; of both passes of the filter together the corner that the record was
/// made with, and the one that is told \[Hz\].
const MASS: f64 = 67.2;
const GRAVITY: f64 = 9.81;
const CORNER: f64 = 4.0;
const CORNER_TOLD: f64 = 6.0;

/// What its makers allow between two runs.
const MAKERS_TOLERANCE: f64 = 1e-6;

/// Samples at either end that other filters start and stop in.
const ENDS: usize = 30;

const JOINTS: [&str; 3] = ["hip", "knee", "ankle"];

/// All comparisons.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let quantity = "planar inverse dynamics";
    let mut rows = attempt("gait2d", quantity, || as_recorded(records));
    rows.extend(attempt("gait2d, as told", quantity, || as_told(records)));
    rows.extend(attempt("gait2d, rigid", quantity, || as_rigid_bodies(records)));
    rows
}

/// Markers and forces as they were recorded.
pub struct LegTrial {
    /// Instants \[s\].
    pub times: Vec<f64>,
    /// Of each marker x and y over time \[m\].
    pub markers: Vec<[Vec<Option<f64>>; 2]>,
    /// Force x, y \[N/kg\] and moment about the origin \[N m/kg\] over time.
    pub plate: [Vec<f64>; 3],
}

impl LegTrial {
    /// Reads the record.
    pub fn read(records: &Records) -> Result<Self, MotionError> {
        let columns = columns(records, "rawdata.txt", 1 + 2 * LEG_MARKERS + 3)?;
        let path = |x: &Vec<f64>| x.iter().map(|x| Some(*x).filter(|x| x.is_finite())).collect::<Vec<_>>();
        let markers = (0..LEG_MARKERS).map(|m| [path(&columns[1 + 2 * m]), path(&columns[2 + 2 * m])]).collect();
        let plate = |k: usize| columns[1 + 2 * LEG_MARKERS + k].iter().map(|f| f / MASS).collect();
        Ok(LegTrial { times: columns[0].clone(), markers, plate: [plate(0), plate(1), plate(2)] })
    }

    /// Angles, moments and forces with the filter of the record at a corner \[Hz\] of both passes together.
    pub fn solve(&self, segments: &[PlanarSegment], corner: f64) -> Result<Vec<Vec<PlanarJoint>>, MotionError> {
        let turn = 2.0 * self.times.first().copied().unwrap_or(f64::NAN);
        let filter = DifferentiatingLowPass { corner: corner / DifferentiatingLowPass::DUAL_PASS, turn };
        let path = |[x, y]: &[Vec<Option<f64>>; 2]| -> Result<Path, MotionError> {
            Ok(filter.run(&self.times, x)?.into_iter().zip(filter.run(&self.times, y)?).map(|(x, y)| [x, y]).collect())
        };
        let markers = self.markers.iter().map(path).collect::<Result<Vec<_>, _>>()?;
        let channel = |x: &Vec<f64>| filter.run(&self.times, &x.iter().map(|x| Some(*x)).collect::<Vec<_>>());
        let plate: Vec<Vec<Derivatives>> = self.plate.iter().map(channel).collect::<Result<_, _>>()?;
        let load = |i: usize| PlanarLoad { force: [plate[0][i].value, plate[1][i].value], moment: plate[2][i].value };
        let ground: Vec<PlanarLoad> = (0..self.times.len()).map(load).collect();
        planar_inverse_dynamics(TRUNK, segments, &markers, &ground, GRAVITY)
    }
}

/// The columns of a table; at least `least` of them.
fn columns(records: &Records, file: &str, least: usize) -> Result<Vec<Vec<f64>>, MotionError> {
    let path = records.path(&format!("{FOLDER}/{file}"));
    let table = csv::read(&read_bytes(&path)?).map_err(|cause| MotionError::File { path: path.clone(), cause })?;
    if table.labels().len() < least {
        let reason = format!("has {} columns, {least} are needed", table.labels().len());
        return Err(MotionError::input(path.display().to_string(), reason));
    }
    Ok((0..table.labels().len()).map(|k| table.rows().iter().filter_map(|r| r.get(k).copied()).collect()).collect())
}

/// Winter's leg with the foot's fractions of mass and gyration everywhere, which the record was made with.
pub fn recorded_leg() -> [PlanarSegment; 3] {
    let leg = winter_leg();
    let foot = leg[2];
    leg.map(|s| PlanarSegment { mass: foot.mass, gyration: foot.gyration, ..s })
}

/// Differences of angles, angular velocities, moments and forces from the record, in its order.
pub fn leg_differences(records: &Records, found: &[Vec<PlanarJoint>]) -> Result<Vec<Difference>, MotionError> {
    let record = columns(records, "refresults.csv", 15)?;
    let mut off = Vec::new();
    let mut add = |what: String, unit, column: usize, value: &dyn Fn(&[PlanarJoint]) -> f64| {
        let found: Vec<f64> = found.iter().map(|row| value(row)).collect();
        off.push(Difference::new(&what, unit, &found, &record[column]));
    };
    for (j, joint) in JOINTS.iter().enumerate() {
        add(format!("{joint} angle"), "rad", j, &|row| row[j].angle);
        add(format!("{joint} velocity"), "rad/s", 3 + j, &|row| row[j].velocity);
        add(format!("{joint} moment"), "N m/kg", 6 + j, &|row| row[j].moment);
        for (k, axis) in ["x", "y"].iter().enumerate() {
            add(format!("{joint} force {axis}"), "N/kg", 9 + 2 * j + k, &|row| row[j].force[k]);
        }
    }
    Ok(off)
}

fn as_recorded(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let found = LegTrial::read(records)?.solve(&recorded_leg(), CORNER)?;
    let off = leg_differences(records, &found)?;
    let goal = |unit| Goal { unit, limit: MAKERS_TOLERANCE, source: "the makers' test", bounds: [1e-8, 1e-8] };
    let mut rows = difference::rows("gait2d", "joint angles", &off, goal("rad"));
    rows.extend(difference::rows("gait2d", "angular velocities", &off, goal("rad/s")));
    rows.extend(difference::rows("gait2d", "joint moments", &off, goal("N m/kg")));
    rows.extend(difference::rows("gait2d", "joint forces", &off, goal("N/kg")));
    let note = format!("{} instants; {CORNER} Hz and the foot's mass in all segments, as the record has", found.len());
    Ok(rows.into_iter().map(|row| row.noted(&note)).collect())
}

fn as_told(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let found = LegTrial::read(records)?.solve(&winter_leg(), CORNER_TOLD)?;
    let off = leg_differences(records, &found)?;
    let mut rows = difference::rows("gait2d, as told", "joint angles", &off, other_filter("rad", 0.02, [0.012, 0.045]));
    rows.extend(difference::rows("gait2d, as told", "joint moments", &off, other_filter("N m/kg", 0.1, [0.07, 0.43])));
    let note =
        format!("{} instants; {CORNER_TOLD} Hz and Winter's masses, which are not those of the record", found.len());
    Ok(rows.into_iter().map(|row| row.noted(&note)).collect())
}

fn other_filter(unit: &'static str, limit: f64, bounds: [f64; 2]) -> Goal {
    Goal { unit, limit, source: "fair for another filter", bounds }
}

/// The tools for any model on the leg as rigid bodies, with their own filter.
fn as_rigid_bodies(records: &Records) -> Result<Vec<ValidationRow>, MotionError> {
    let trial = LegTrial::read(records)?;
    let record = columns(records, "refresults.csv", 15)?;
    let (angles, moments) = rigid_results(&trial)?;
    let inside = ENDS..trial.times.len().saturating_sub(ENDS);
    let cut = |x: &[f64]| x.get(inside.clone()).unwrap_or_default().to_vec();
    let mut off = Vec::new();
    for (j, joint) in JOINTS.iter().enumerate() {
        off.push(Difference::new(&format!("{joint} angle"), "rad", &cut(&angles[j]), &cut(&record[j])));
        off.push(Difference::new(&format!("{joint} moment"), "N m/kg", &cut(&moments[j]), &cut(&record[6 + j])));
    }
    let mut rows = difference::rows("gait2d, rigid", "joint angles", &off, other_filter("rad", 0.02, [3e-4, 2e-3]));
    rows.extend(difference::rows("gait2d, rigid", "joint moments", &off, other_filter("N m/kg", 0.1, [0.02, 0.045])));
    let note = format!(
        "{} instants, {ENDS} cut at either end; rigid bodies of mean lengths, filter of this program",
        inside.len()
    );
    Ok(rows.into_iter().map(|row| row.noted(&note)).collect())
}

/// Angles \[rad\] and moments \[N m/kg\] of hip, knee and ankle by rigid bodies.
type Course = [Vec<f64>; 3];

fn rigid_results(trial: &LegTrial) -> Result<(Course, Course), MotionError> {
    let markers = filtered_markers(trial)?;
    let at = |marker: usize, i: usize| markers[marker][i];
    let frames = 0..trial.times.len();
    let angle = |[p, d]: [usize; 2], i: usize| (at(d, i)[1] - at(p, i)[1]).atan2(at(d, i)[0] - at(p, i)[0]);
    let segments = recorded_leg();
    let length = |s: &PlanarSegment| {
        let [p, d] = s.ends;
        let each = |i: usize| (at(d, i)[0] - at(p, i)[0]).hypot(at(d, i)[1] - at(p, i)[1]);
        frames.clone().map(each).sum::<f64>() / frames.len() as f64
    };
    let lengths = segments.each_ref().map(length);
    let turned = segments.each_ref().map(|s| frames.clone().map(|i| angle(s.ends, i)).collect::<Vec<f64>>());
    let trunk: Vec<f64> = frames.clone().map(|i| angle(TRUNK, i)).collect();
    let relative = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
    let [thigh, shank, foot] = &turned;
    let bends = [relative(thigh, &trunk), relative(shank, thigh), relative(foot, shank)];
    let mut model = rigid_leg(&segments, lengths, heel_of_foot(&markers, foot), GRAVITY)?;
    let hip = |k: usize| frames.clone().map(|i| at(1, i)[k]).collect::<Vec<f64>>();
    let samples = [
        ("thigh.x", hip(0)),
        ("thigh.y", hip(1)),
        ("thigh.angle", thigh.clone()),
        ("shank", bends[1].clone()),
        ("foot", bends[2].clone()),
    ]
    .map(|(name, x)| (name.to_string(), x));
    let history = CoordinateHistory::from_samples(&trial.times, &samples, &model, Accelerations::SecondDerivative)?;
    let load = ExternalLoad::from_plate("plate", "foot", &trial.times, &filtered_plate(trial)?, &model)?;
    model.add_force(Box::new(load))?;
    let found = inverse_dynamics(&model, &history, &trial.times, |_| {})?;
    let moment = |name: &str, sign: f64| found.column(name).unwrap_or_default().iter().map(|m| sign * m).collect();
    let moments = [moment("thigh.angle", 1.0), moment("shank", -1.0), moment("foot", -1.0)];
    let mut angles = bends;
    for (angle, s) in angles.iter_mut().zip(&segments) {
        angle.iter_mut().for_each(|a| *a *= s.sign);
    }
    Ok((angles, moments))
}

/// Markers with their gaps filled, filtered as [`LowPass`] does: of each marker the points in the plane \[m\].
fn filtered_markers(trial: &LegTrial) -> Result<Vec<Vec<[f64; 2]>>, MotionError> {
    let marker = |(i, [x, y]): (usize, &[Vec<Option<f64>>; 2])| Marker {
        name: format!("marker {}", i + 1),
        points: x.iter().zip(y).map(|(x, y)| Some([(*x)?, (*y)?, 0.0])).collect(),
    };
    let markers = trial.markers.iter().enumerate().map(marker).collect();
    let recorded = MarkerTrial::new("leg", rate(trial), trial.times.clone(), markers)?;
    let (filled, _) = fill_gaps(&recorded, 0.1)?;
    let (filtered, short) = low_pass_markers(&filled, &filter())?;
    if let Some((name, _)) = short.first() {
        return Err(MotionError::input(name, "has a gap that is too long"));
    }
    let points = |m: &Marker| m.points.iter().map(|p| p.map_or([f64::NAN; 2], |[x, y, _]| [x, y])).collect();
    Ok(filtered.markers().iter().map(points).collect())
}

fn filtered_plate(trial: &LegTrial) -> Result<ForcePlate, MotionError> {
    let mut plate = trial.plate.clone();
    low_pass_columns(&mut plate, rate(trial), &filter())?;
    let [x, y, moment] = &plate;
    let wrench = |((x, y), m): ((&f64, &f64), &f64)| {
        Some(GroundWrench { force: [*x, *y, 0.0], point: Some([0.0; 3]), moment: [0.0, 0.0, *m] })
    };
    let samples = x.iter().zip(y).zip(moment).map(wrench).collect();
    Ok(ForcePlate { name: "plate".into(), corners: None, samples })
}

fn filter() -> LowPass {
    LowPass { cutoff: CORNER, order: 2 }
}

/// Samples a second \[Hz\].
fn rate(trial: &LegTrial) -> f64 {
    match &trial.times[..] {
        [first, .., last] => (trial.times.len() - 1) as f64 / (last - first),
        _ => f64::NAN,
    }
}

/// The mean place of the heel seen from the malleolus, in the axes of the foot \[m\].
fn heel_of_foot(markers: &[Vec<[f64; 2]>], foot: &[f64]) -> [f64; 2] {
    let (mut sum, count) = ([0.0; 2], foot.len().max(1) as f64);
    for ((heel, malleolus), angle) in markers[4].iter().zip(&markers[3]).zip(foot) {
        let (x, y) = (heel[0] - malleolus[0], heel[1] - malleolus[1]);
        let (sin, cos) = angle.sin_cos();
        sum = [sum[0] + cos * x + sin * y, sum[1] - sin * x + cos * y];
    }
    sum.map(|x| x / count)
}

/// The same leg as rigid bodies, for the tools of any model: thigh, shank and foot of the mean lengths of a trial, the
/// first free in the plane (`thigh.x`, `thigh.y`, `thigh.angle`), the others on pins (`shank`, `foot`). Angles are
/// those of segments, from x, about z; those of pins are relative to the segment before, from where all lie along x.
/// `ankle` is where the heel lies seen from the malleolus, in the axes of the foot \[m\].
pub fn rigid_leg(
    segments: &[PlanarSegment; 3],
    lengths: [f64; 3],
    ankle: [f64; 2],
    gravity: f64,
) -> Result<Model, MotionError> {
    let refused = |reason: String| MotionError::input("planar leg", reason);
    let heel = Vec3::new(ankle[0], ankle[1], 0.0);
    let body = |(i, s): (usize, &PlanarSegment)| {
        let from = if i == 2 { heel } else { Vec3::zeros() };
        let inertia = s.mass * (s.gyration * lengths[i]).powi(2);
        let com = from + Vec3::new(s.centre * lengths[i], 0.0, 0.0);
        // a rod: only what turns about z counts in the plane
        let about = Mat3::from_diagonal(&Vec3::new(0.0, inertia, inertia));
        MassProperties::new(s.mass, com, about).map(|m| BodySpec::rigid(s.name, m)).map_err(|e| refused(e.to_string()))
    };
    let joint = |name: &str, kind, parent: FrameSpec, child: &str, coordinates: &[&str]| JointSpec {
        name: name.into(),
        kind,
        parent,
        child: FrameSpec::at(child, Vec3::zeros()),
        coordinates: coordinates.iter().map(|c| c.to_string()).collect(),
        q0: Vec::new(),
        v0: Vec::new(),
    };
    let end = |of: usize| FrameSpec::at(segments[of].name, Vec3::new(lengths[of], 0.0, 0.0));
    let [thigh, shank, foot] = segments.each_ref().map(|s| s.name);
    let pin = || JointKind::Pin { axis: Vec3::z() };
    let free = ["thigh.x", "thigh.y", "thigh.angle"];
    let spec = ModelSpec {
        name: "planar leg".into(),
        gravity: Vec3::new(0.0, -gravity, 0.0),
        bodies: segments.iter().enumerate().map(body).collect::<Result<_, _>>()?,
        joints: vec![
            joint("hip", JointKind::Planar, FrameSpec::at(GROUND, Vec3::zeros()), thigh, &free),
            joint("knee", pin(), end(0), shank, &["shank"]),
            joint("ankle", pin(), end(1), foot, &["foot"]),
        ],
        constraints: Vec::new(),
    };
    Model::build(&spec).map_err(|e| refused(e.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))
}
