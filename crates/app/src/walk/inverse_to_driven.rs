//! Loads of the reference motion (inverse dynamics) compared with those of the forward simulation: muscles, joints,
//! sections of bones; and joint moments compared with norms.

use super::cycle::{last_stride, strides};
use super::figures::over_cycle;
use serde_json::{Map, Value, json};
use std::ops::Range;
use wolff_anatomy::Side;
use wolff_evidence::norms::SAGITTAL_MOMENTS;
use wolff_movement::compare::moments::{JointMoment, flexion_moments};
use wolff_movement::loads::{Group, LoadHistory};
use wolff_movement::model::MovementRecord;
use wolff_movement::simulate::MovementResult;
use wolff_report::outcome::Plot;
use wolff_report::published::{Cell, RowKind, Table, TableRow};

/// Relative change of a peak above which a remark is made. Chosen here, so that small tracking errors give no remark.
const CHANGED: f64 = 0.1;

/// Muscle groups whose peak is below this fraction of body weight give no remark: relative changes of small forces are
/// large without consequence.
const SLIGHT: f64 = 0.2;

/// A peak in both simulations \[N or N m\].
struct PeakPair {
    name: String,
    inverse: f64,
    driven: f64,
    /// Magnitude below which a change is not reported.
    slight: f64,
}

impl PeakPair {
    /// Change relative to the inverse value.
    fn change(&self) -> f64 {
        self.driven / self.inverse - 1.0
    }

    fn is_changed(&self) -> bool {
        self.inverse.abs().max(self.driven.abs()) > self.slight && !(self.change().abs() <= CHANGED)
    }
}

/// A simulation from which peaks are taken.
struct Simulated<'a> {
    record: &'a MovementRecord,
    loads: &'a LoadHistory,
    strides: Vec<Range<usize>>,
}

impl Simulated<'_> {
    /// Value of largest magnitude in each stride, with its sign; mean over the strides.
    fn peak(&self, signal: &dyn Fn(usize) -> f64) -> f64 {
        let largest = |rows: &Range<usize>| {
            rows.clone().map(signal).fold(0.0, |most: f64, x| if x.abs() > most.abs() { x } else { most })
        };
        self.strides.iter().map(largest).sum::<f64>() / self.strides.len().max(1) as f64
    }
}

/// All peaks, inverse and driven; empty where the reference motion was prescribed.
fn peak_pairs(result: &MovementResult) -> Vec<PeakPair> {
    let Some(reference) = &result.reference_loads else { return Vec::new() };
    let whole = std::iter::once(0..reference.record.times.len()).collect();
    let walks = [
        Simulated { record: &reference.record, loads: &reference.loads, strides: whole },
        Simulated { record: &result.record, loads: &result.loads, strides: strides(result) },
    ];
    let weight = result.walk.constants.weight();
    let both = |name: String, slight: f64, of: &dyn Fn(&Simulated<'_>) -> f64| {
        let [inverse, driven] = walks.each_ref().map(of);
        PeakPair { name, inverse, driven, slight }
    };
    let mut all = Vec::new();
    for group in Group::ALL {
        let members: Vec<usize> = (result.muscles.muscles.iter().enumerate())
            .filter(|(_, muscle)| group.has(&muscle.name, "r"))
            .map(|(k, _)| k)
            .collect();
        let force = |walk: &Simulated<'_>| walk.peak(&|i| members.iter().map(|k| walk.record.tensions[i][*k]).sum());
        all.push(both(format!("{} [N]", group.name().replace('_', " ")), SLIGHT * weight, &force));
    }
    for joint in ["hip", "knee", "ankle"] {
        let force = |walk: &Simulated<'_>| {
            let history = walk.loads.joint(&format!("{joint}_r"));
            history.map_or(0.0, |history| walk.peak(&|i| history.resultant(i)))
        };
        all.push(both(format!("{joint} contact [N]"), weight, &force));
    }
    for bone in &result.loads.bones {
        for (k, part, slight) in
            [(1, "N [N]", weight), (3, "Mx [N m]", 5.0), (4, "My [N m]", 3.0), (5, "Mz [N m]", 5.0)]
        {
            let load = |walk: &Simulated<'_>| {
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

/// Peaks, inverse and driven, and the fraction of the cycle in which joint moments are within the norms.
pub(super) fn results(result: &MovementResult, put: &mut dyn FnMut(&str, Value)) {
    let pairs = peak_pairs(result);
    if !pairs.is_empty() {
        let entries = pairs.iter().map(|k| (k.name.clone(), json!({ "inverse": k.inverse, "driven": k.driven })));
        put("from_inverse_to_driven", Value::Object(entries.collect()));
    }
    let within: Map<String, Value> = moments(result)
        .iter()
        .filter_map(|moment| {
            let joint = moment.coordinate.split('_').next()?.to_string();
            Some((joint, json!(fraction_within_norm(result, moment)?)))
        })
        .collect();
    if !within.is_empty() {
        put("moments_within_2sd", Value::Object(within));
    }
}

/// Remarks on loads that differ between reference motion and forward simulation.
pub(super) fn remarks(result: &MovementResult) -> Vec<String> {
    let changed: Vec<String> = peak_pairs(result)
        .iter()
        .filter(|k| k.is_changed())
        .map(|k| format!("{} {:.0} to {:.0} ({:+.0} %)", k.name, k.inverse, k.driven, 100.0 * k.change()))
        .collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let limit = 100.0 * CHANGED;
    vec![format!(
        "these peaks of the forward simulation differ from the reference motion by more than {limit:.0} %: {}; \
         use `servo=prescribed` for them, or check the ground force and the tracking agent",
        changed.join("; ")
    )]
}

/// Table of the peaks, inverse and driven.
pub(super) fn table(result: &MovementResult) -> Option<Table> {
    let pairs = peak_pairs(result);
    if pairs.is_empty() {
        return None;
    }
    let row = |k: &PeakPair| TableRow {
        label: k.name.clone(),
        kind: RowKind::Own,
        source: String::new(),
        cells: [k.inverse, k.driven, 100.0 * k.change()].map(Cell::Number).to_vec(),
    };
    Some(Table {
        name: "inverse-to-driven".into(),
        title: "Peaks of the reference motion (inverse dynamics, static optimisation) and of the forward simulation, \
                right leg"
            .into(),
        columns: ["inverse", "driven", "change [%]"].map(String::from).to_vec(),
        rows: pairs.iter().map(row).collect(),
    })
}

/// Moments of hip, knee and ankle of the right leg over the last stride.
fn moments(result: &MovementResult) -> Vec<JointMoment> {
    let (muscled, controllers, record) = (&result.muscled, &result.controllers, &result.record);
    flexion_moments(muscled, controllers, record, last_stride(result), Side::Right)
}

/// Fraction of the last stride in which a moment is within two standard deviations of the norm.
fn fraction_within_norm(result: &MovementResult, moment: &JointMoment) -> Option<f64> {
    let norm = SAGITTAL_MOMENTS.iter().find(|norm| moment.coordinate.starts_with(norm.coordinate))?;
    let (start, mass) = (last_stride(result).start, result.walk.constants.mass);
    let phases = over_cycle(result, &|i| moment.flexion[i - start] / mass);
    let inside = phases.iter().filter(|(percent, value)| norm.holds(percent / 100.0, *value)).count();
    Some(inside as f64 / phases.len().max(1) as f64)
}

/// Joint moments over the gait cycle with the band of the norms.
pub(super) fn plots(result: &MovementResult) -> Vec<Plot> {
    let (start, mass) = (last_stride(result).start, result.walk.constants.mass);
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
                ("this walk".into(), over_cycle(result, &|i| -moment.flexion[i - start] / mass)),
                ("norm + 2 SD".into(), band(1.0)),
                ("norm - 2 SD".into(), band(-1.0)),
            ],
            log_y: false,
            bands: Vec::new(),
        })
    };
    moments(result).iter().filter_map(plot).collect()
}
