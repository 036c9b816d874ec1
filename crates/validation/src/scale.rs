//! Scaled models: every number that scaling changes.

use crate::difference::larger;
use crate::records::Records;
use crate::{ValidationRow, attempt};
use std::collections::BTreeMap;
use wolff_formats::osim::{self, OsimForceKind, OsimModel, OsimPath, OsimPointKind, OsimWrapShape};
use wolff_motion::MotionError;
use wolff_motion::recording::read_bytes;
use wolff_opensim::scale::{ScaledSubject, scale_subject};
use wolff_opensim::setup::{ScaleTool, Setup};

/// Difference of scaled values that OpenSim's own test of scaling allows.
pub const OPENSIM_TOLERANCE: f64 = 1e-6;

/// A set-up, and the model that OpenSim made of it.
struct Case {
    name: &'static str,
    setup: &'static str,
    record: &'static str,
    /// Bound of the places of markers \[m\], and what is known about them.
    markers: (f64, &'static str),
}

const CASES: [Case; 3] = [
    Case {
        name: "gait1992",
        setup: "gait1992-pipeline/scale/setup_scale.xml",
        record: "gait1992-pipeline/scale/model_scaled.osim",
        markers: (0.01, "OpenSim's standing pose is not converged; with accuracy 1e-9 it comes to ours"),
    },
    Case {
        name: "gait2354",
        setup: "opensim-core/Scale/subject01_Setup_Scale.xml",
        record: "opensim-core/Scale/std_subject01_simbody.osim",
        markers: (0.01, "probably as for gait1992, whose markers these are; not run again with OpenSim"),
    },
    Case {
        name: "ligaments",
        setup: "opensim-core/Scale/toyLigamentModel_Setup_Scale.xml",
        record: "opensim-core/Scale/std_toyLigamentModelScaled.osim",
        markers: (OPENSIM_TOLERANCE, ""),
    },
];

/// All set-ups.
pub fn rows(records: &Records) -> Vec<ValidationRow> {
    let mut rows = Vec::new();
    for Case { name, setup, record, markers } in CASES {
        rows.extend(attempt(name, "scaling", || {
            let scaled = scale_subject(&tool(records, setup)?)?;
            let mut rows = model_rows(name, &scaled, &model(records, record)?, markers)?;
            if name == "gait1992" {
                rows.push(factor_row(name, records, &scaled)?);
            }
            Ok(rows)
        }));
    }
    rows
}

/// The set-up of OpenSim's tool.
pub fn tool(records: &Records, file: &str) -> Result<ScaleTool, MotionError> {
    records.setup(file, |s| if let Setup::Scale(tool) = s { Some(*tool) } else { None })
}

/// A model as its file has it.
pub fn model(records: &Records, file: &str) -> Result<OsimModel, MotionError> {
    Ok(osim::read(&read_bytes(&records.path(file))?)?)
}

fn model_rows(
    name: &str,
    scaled: &ScaledSubject,
    reference: &OsimModel,
    (marker_bound, note): (f64, &str),
) -> Result<Vec<ValidationRow>, MotionError> {
    let worst = model_differences(&scaled.subject.file, reference)?;
    let rank = |(_, group): &(&&str, &(f64, String))| if group.0.is_nan() { f64::INFINITY } else { group.0 };
    let others = worst.iter().filter(|(group, _)| **group != "marker").max_by(|a, b| rank(a).total_cmp(&rank(b)));
    let row = |quantity: &str, value: f64, unit: &'static str| {
        ValidationRow::measured(name, quantity, value, unit).limited(OPENSIM_TOLERANCE, "OpenSim's test")
    };
    let mut rows = Vec::new();
    if let Some((group, (value, of))) = others {
        let row = row("scaled model but markers, worst", *value, "SI").bounded(OPENSIM_TOLERANCE);
        rows.push(row.noted(format!("{group} of {of}; masses, inertias, joints, wraps, paths, lengths")));
    }
    if let Some((value, marker)) = worst.get("marker") {
        rows.push(row("places of markers, worst", *value, "m").bounded(marker_bound).noted(marker).noted(note));
    }
    Ok(rows)
}

/// Applied factors, which the record has with six digits.
fn factor_row(name: &str, records: &Records, scaled: &ScaledSubject) -> Result<ValidationRow, MotionError> {
    let file = "gait1992-pipeline/scale/model_scale_set_applied.xml";
    let recorded = records.setup(file, |s| if let Setup::ScaleFactors(list) = s { Some(list) } else { None })?;
    let (mut worst, mut bodies) = (0.0, 0);
    for scale in recorded.iter().filter(|s| s.body != "ground") {
        let Some(ours) = scaled.factors.get(&scale.body) else { continue };
        bodies += 1;
        worst = ours.iter().zip(scale.factors).map(|(a, b)| a - b).fold(worst, larger);
    }
    let row = ValidationRow::measured(name, "scale factors, worst", worst, "").limited(5e-6, "record's last digit");
    Ok(row.bounded(5e-6).noted(format!("{bodies} bodies")))
}

/// Numbers of a model that scaling changes, by group and name.
fn numbers(model: &OsimModel) -> BTreeMap<(&'static str, String), Vec<f64>> {
    let mut out = BTreeMap::new();
    for b in &model.bodies {
        out.insert(("mass", b.name.clone()), vec![b.mass]);
        out.insert(("centre", b.name.clone()), b.mass_center.to_vec());
        out.insert(("inertia", b.name.clone()), b.inertia.to_vec());
        for w in &b.attached.wraps {
            let mut values = w.translation.to_vec();
            match w.shape {
                OsimWrapShape::Sphere { radius } => values.push(radius),
                OsimWrapShape::Cylinder { radius, length } => values.extend([radius, length]),
                OsimWrapShape::Ellipsoid { dimensions } => values.extend(dimensions),
                _ => {}
            }
            out.insert(("wrap", w.name.clone()), values);
        }
    }
    for j in &model.joints {
        for f in &j.frames {
            out.insert(("joint", format!("{}/{}", j.name, f.name)), f.translation.to_vec());
        }
    }
    for m in &model.markers {
        out.insert(("marker", m.name.clone()), m.location.to_vec());
    }
    for f in &model.forces {
        let (path, lengths) = match &f.kind {
            OsimForceKind::Muscle(m) => (&m.path, vec![m.optimal_fiber_length, m.tendon_slack_length]),
            OsimForceKind::Ligament { path, resting_length, .. } => (path, vec![*resting_length]),
            _ => continue,
        };
        out.insert(("length", f.name.clone()), lengths);
        out.insert(("path", f.name.clone()), places(path));
    }
    out
}

/// Places of all points but moving ones, which have functions instead.
fn places(path: &OsimPath) -> Vec<f64> {
    let fixed = path.points.iter().filter(|p| !matches!(p.kind, OsimPointKind::Moving(_)));
    fixed.flat_map(|p| p.location).collect()
}

/// Largest difference of each group of values \[kg, m, kg m²\] and the object that has it; refuses models that do not
/// have the same objects.
pub fn model_differences(
    ours: &OsimModel,
    theirs: &OsimModel,
) -> Result<BTreeMap<&'static str, (f64, String)>, MotionError> {
    let (a, b) = (numbers(ours), numbers(theirs));
    if let Some((group, name)) = a.keys().find(|k| !b.contains_key(k)).or(b.keys().find(|k| !a.contains_key(k))) {
        return Err(MotionError::input(name, format!("is a {group} of one of the models only")));
    }
    let mut worst: BTreeMap<&'static str, (f64, String)> = BTreeMap::new();
    for (key, x) in &a {
        let Some(y) = b.get(key).filter(|y| y.len() == x.len()) else {
            return Err(MotionError::input(&key.1, format!("has other numbers of {} in the models", key.0)));
        };
        let difference = x.iter().zip(y).map(|(x, y)| x - y).fold(0.0, larger);
        let entry = worst.entry(key.0).or_insert_with(|| (0.0, key.1.clone()));
        if !entry.0.is_nan() && !(difference <= entry.0) {
            *entry = (difference, key.1.clone());
        }
    }
    Ok(worst)
}
