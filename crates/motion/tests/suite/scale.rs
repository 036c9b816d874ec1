use crate::data;
use std::collections::BTreeMap;
use wolff_formats::osim::{self, OsimForceKind, OsimModel, OsimPath, OsimPointKind, OsimWrapShape};
use wolff_formats::setup::{self, ScaleFactors, ScaleTool, Setup};
use wolff_motion::scale::{BodyInertia, ScaledSubject, factors_file, scale_inertia, scale_subject};

fn tool(path: &str) -> Option<ScaleTool> {
    match setup::read_file(&data::shared(path)?).unwrap().setup {
        Setup::Scale(tool) => Some(*tool),
        other => panic!("{path} sets up {other:?}"),
    }
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

/// Largest difference of each group [SI units], names that only one model has.
fn differences(ours: &OsimModel, theirs: &OsimModel) -> (BTreeMap<&'static str, f64>, Vec<String>) {
    let (a, b) = (numbers(ours), numbers(theirs));
    let mut worst = BTreeMap::new();
    let mut lonely: Vec<String> = a.keys().filter(|k| !b.contains_key(k)).map(|k| format!("{k:?}")).collect();
    lonely.extend(b.keys().filter(|k| !a.contains_key(k)).map(|k| format!("{k:?}")));
    for (key, x) in &a {
        let Some(y) = b.get(key) else { continue };
        assert_eq!(x.len(), y.len(), "{key:?}");
        let difference = x.iter().zip(y).fold(0.0, |m: f64, (x, y)| m.max((x - y).abs()));
        let w = worst.entry(key.0).or_insert(0.0_f64);
        if difference > *w { *w = difference; println!("    {key:?} {difference:e}"); }
    }
    println!("    {worst:?}, not in both: {lonely:?}");
    (worst, lonely)
}

fn read(path: &str) -> OsimModel {
    osim::read(&std::fs::read(data::shared(path).unwrap()).unwrap()).unwrap()
}

#[test]
fn gait1992_becomes_the_model_that_opensim_made() {
    let Some(tool) = tool("gait1992-pipeline/scale/setup_scale.xml") else { return };
    let scaled = scale_subject(&tool).unwrap();
    println!("{:?}", scaled.remarks);
    let p = scaled.placed.as_ref().unwrap();
    println!("rms {} worst {:?} removed {:?} restless {:?}", p.rms, p.worst, p.removed, p.restless);
    let (worst, lonely) = differences(&scaled.subject.file, &read("gait1992-pipeline/scale/model_scaled.osim"));
    let _ = (worst, lonely);
}

#[test]
fn gait2354() {
    let Some(tool) = tool("opensim-core/Scale/subject01_Setup_Scale.xml") else { return };
    let scaled = scale_subject(&tool).unwrap();
    println!("{:?}", scaled.remarks);
    differences(&scaled.subject.file, &read("opensim-core/Scale/std_subject01_simbody.osim"));
}

#[test]
fn ligaments() {
    let Some(tool) = tool("opensim-core/Scale/toyLigamentModel_Setup_Scale.xml") else { return };
    let scaled = scale_subject(&tool).unwrap();
    println!("{:?}", scaled.remarks);
    differences(&scaled.subject.file, &read("opensim-core/Scale/std_toyLigamentModelScaled.osim"));
}
