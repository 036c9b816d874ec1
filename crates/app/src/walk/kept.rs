//! What driving keeps of the loads: muscles, joints and sections of the wanted motion beside those of the driven walk; joint moments beside norms.

use super::cycle::{last_stride, strides};
use super::figures::over_cycle;
use serde_json::{Map, Value, json};
use std::ops::Range;
use wolff_anatomy::Side;
use wolff_movement::compare::moments::{JointMoment, flexion_moments};
use wolff_movement::compare::norms::SAGITTAL_MOMENTS;
use wolff_movement::loads::{Group, LoadHistory};
use wolff_movement::model::MovementRecord;
use wolff_movement::simulate::MovementResult;
use wolff_report::outcome::Plot;
use wolff_report::published::{Cell, RowKind, Table, TableRow};

/// A load that driving changes by more than this share of itself is told of; own choice.
const CHANGED: f64 = 0.1;

/// Muscle groups whose peak is below this share of body weight are left alone: a small force may well double.
const SLIGHT: f64 = 0.2;

/// A peak in both walks [N or N m].
struct Kept {
    name: String,
    inverse: f64,
    driven: f64,
    /// Below this size its change does not matter.
    slight: f64,
}

impl Kept {
    /// Change over the inverse value.
    fn change(&self) -> f64 {
        self.driven / self.inverse - 1.0
    }

    fn is_changed(&self) -> bool {
        self.inverse.abs().max(self.driven.abs()) > self.slight && !(self.change().abs() <= CHANGED)
    }
}

/// A walk as its peaks are taken from it.
struct Walked<'a> {
    record: &'a MovementRecord,
    loads: &'a LoadHistory,
    strides: Vec<Range<usize>>,
}

impl Walked<'_> {
    /// Value of largest size over every stride, with its sign, mean over the strides.
    fn peak(&self, signal: &dyn Fn(usize) -> f64) -> f64 {
        let largest = |rows: &Range<usize>| {
            rows.clone().map(signal).fold(0.0, |most: f64, x| if x.abs() > most.abs() { x } else { most })
        };
        self.strides.iter().map(largest).sum::<f64>() / self.strides.len().max(1) as f64
    }
}

/// All peaks, inverse and driven; none where the wanted motion was prescribed.
fn kept(performance: &MovementResult) -> Vec<Kept> {
    let Some(wanted) = &performance.reference_loads else { return Vec::new() };
    let whole = std::iter::once(0..wanted.record.times.len()).collect();
    let walks = [
        Walked { record: &wanted.record, loads: &wanted.loads, strides: whole },
        Walked { record: &performance.record, loads: &performance.loads, strides: strides(performance) },
    ];
    let weight = performance.walk.constants.weight();
    let both = |name: String, slight: f64, of: &dyn Fn(&Walked<'_>) -> f64| {
        let [inverse, driven] = walks.each_ref().map(of);
        Kept { name, inverse, driven, slight }
    };
    let mut all = Vec::new();
    for group in Group::ALL {
        let members: Vec<usize> = (performance.muscles.muscles.iter().enumerate())
            .filter(|(_, muscle)| group.has(&muscle.name, "r"))
            .map(|(k, _)| k)
            .collect();
        let force = |walk: &Walked<'_>| walk.peak(&|i| members.iter().map(|k| walk.record.tensions[i][*k]).sum());
        all.push(both(format!("{} [N]", group.name().replace('_', " ")), SLIGHT * weight, &force));
    }
    for joint in ["hip", "knee", "ankle"] {
        let force = |walk: &Walked<'_>| {
            let history = walk.loads.joint(&format!("{joint}_r"));
            history.map_or(0.0, |history| walk.peak(&|i| history.resultant(i)))
        };
        all.push(both(format!("{joint} contact [N]"), weight, &force));
    }
    for bone in &performance.loads.bones {
        for (k, part, slight) in
            [(1, "N [N]", weight), (3, "Mx [N m]", 5.0), (4, "My [N m]", 3.0), (5, "Mz [N m]", 5.0)]
        {
            let load = |walk: &Walked<'_>| {
                let section = walk.loads.bone(&bone.segment).and_then(|b| b.sections.get(1));
                section.map_or(0.0, |section| {
                    walk.peak(&|i| {
                        let load = &section.distal[i];
                        if k < 3 { load.force[k] } else { load.moment[k - 3] }
                    })
                })
            };
            all.push(both(format!("{} at 50 %: {part}", bone.segment), slight, &load));
        }
    }
    all
}

/// Peaks from inverse to driven, and the share of the cycle in which joint moments lie within the norms.
pub(super) fn results(performance: &MovementResult, put: &mut dyn FnMut(&str, Value)) {
    let kept = kept(performance);
    if !kept.is_empty() {
        let pairs = kept.iter().map(|k| (k.name.clone(), json!({ "inverse": k.inverse, "driven": k.driven })));
        put("from_inverse_to_driven", Value::Object(pairs.collect()));
    }
    let within: Map<String, Value> = moments(performance)
        .iter()
        .filter_map(|moment| {
            let joint = moment.coordinate.split('_').next()?.to_string();
            Some((joint, json!(share_within_norm(performance, moment)?)))
        })
        .collect();
    if !within.is_empty() {
        put("moments_within_2sd", Value::Object(within));
    }
}

/// What a reader should be told: loads that driving changes.
pub(super) fn remarks(performance: &MovementResult) -> Vec<String> {
    let changed: Vec<String> = kept(performance)
        .iter()
        .filter(|k| k.is_changed())
        .map(|k| format!("{} {:.0} to {:.0} ({:+.0} %)", k.name, k.inverse, k.driven, 100.0 * k.change()))
        .collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let limit = 100.0 * CHANGED;
    vec![format!(
        "driving changes these peaks of the wanted motion by more than {limit:.0} %: {}; trust `servo=prescribed` for them, or look at ground force and agent",
        changed.join("; ")
    )]
}

/// Peaks from inverse to driven.
pub(super) fn table(performance: &MovementResult) -> Option<Table> {
    let kept = kept(performance);
    if kept.is_empty() {
        return None;
    }
    let row = |k: &Kept| TableRow {
        label: k.name.clone(),
        kind: RowKind::Own,
        source: String::new(),
        cells: [k.inverse, k.driven, 100.0 * k.change()].map(Cell::Number).to_vec(),
    };
    Some(Table {
        name: "inverse-to-driven".into(),
        title: "From inverse to driven: peaks of the wanted motion (inverse dynamics, static optimisation) and of the driven walk, right leg".into(),
        columns: ["inverse", "driven", "change [%]"].map(String::from).to_vec(),
        rows: kept.iter().map(row).collect(),
    })
}

/// Moments of hip, knee and ankle of the right leg over the last stride.
fn moments(performance: &MovementResult) -> Vec<JointMoment> {
    let (cast, driver, record) = (&performance.muscled, &performance.controllers, &performance.record);
    flexion_moments(cast, driver, record, last_stride(performance), Side::Right)
}

/// Share of the last stride in which a moment lies within two standard deviations of the norm.
fn share_within_norm(performance: &MovementResult, moment: &JointMoment) -> Option<f64> {
    let norm = SAGITTAL_MOMENTS.iter().find(|norm| moment.coordinate.starts_with(norm.coordinate))?;
    let (start, mass) = (last_stride(performance).start, performance.walk.constants.mass);
    let phases = over_cycle(performance, &|i| moment.flexion[i - start] / mass);
    let inside = phases.iter().filter(|(percent, value)| norm.holds(percent / 100.0, *value)).count();
    Some(inside as f64 / phases.len().max(1) as f64)
}

/// Joint moments over the gait cycle with the band of the norms.
pub(super) fn plots(performance: &MovementResult) -> Vec<Plot> {
    let (start, mass) = (last_stride(performance).start, performance.walk.constants.mass);
    let plot = |moment: &JointMoment| {
        let norm = SAGITTAL_MOMENTS.iter().find(|norm| moment.coordinate.starts_with(norm.coordinate))?;
        let joint = moment.coordinate.split('_').next()?;
        let band = |sign: f64| -> Vec<(f64, f64)> {
            norm.mean
                .iter()
                .zip(norm.sd)
                .enumerate()
                .map(|(k, (m, sd))| (2.0 * k as f64, m + 2.0 * sign * sd))
                .collect()
        };
        Some(Plot {
            name: format!("{joint}-moment"),
            title: format!("Moment of the right {joint}, extension positive, last stride"),
            x_label: "gait cycle [%]".into(),
            y_label: "N m/kg".into(),
            curves: vec![
                ("this walk".into(), over_cycle(performance, &|i| -moment.flexion[i - start] / mass)),
                ("norm + 2 SD".into(), band(1.0)),
                ("norm - 2 SD".into(), band(-1.0)),
            ],
            log_y: false,
        })
    };
    moments(performance).iter().filter_map(plot).collect()
}
