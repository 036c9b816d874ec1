//! Joint contact forces, tendon forces, section loads, and loads of tracking agent and passive joints: results, tables,
//! plots and series.

use super::cycle::strides;
use super::figures::over_cycle;
use serde_json::{Map, Value, json};
use std::ops::Range;
use wolff_anatomy::CoordinateRole;
use wolff_bone::section::SectionLoad;
use wolff_evidence::literature::{JOINT_FORCES, Origin};
use wolff_movement::loads::{BoneLoads, Group, JointHistory, SectionHistory};
use wolff_movement::simulate::MovementResult;
use wolff_report::outcome::{Plot, Series};
use wolff_report::published::{Cell, RowKind, Table, TableRow};
use wolff_spatial::Vec3;

/// A foot is in stance where the vertical ground force exceeds this fraction of body weight.
const STANDING: f64 = 0.02;

/// Parts of a section load with their units.
const PARTS: [(&str, &str); 6] = [("N", "n"), ("Vx", "n"), ("Vz", "n"), ("Mx", "nm"), ("My", "nm"), ("Mz", "nm")];

/// A section load in the order of [`PARTS`].
fn parts(load: &SectionLoad) -> [f64; 6] {
    let (f, m) = (load.force, load.moment);
    [f.y, f.x, f.z, m.x, m.y, m.z]
}

/// Forces over time \[N\] and their peaks in body weights.
struct Peaks<'a> {
    result: &'a MovementResult,
    weight: f64,
}

impl<'a> Peaks<'a> {
    fn new(result: &'a MovementResult) -> Self {
        Peaks { result, weight: result.walk.constants.weight() }
    }

    /// Mean over the strides of a value of each stride.
    fn mean(&self, of: impl Fn(Range<usize>) -> f64) -> f64 {
        let strides = strides(self.result);
        strides.iter().cloned().map(of).sum::<f64>() / strides.len().max(1) as f64
    }

    /// Largest value \[N\], mean over the strides.
    fn largest(&self, force: &dyn Fn(usize) -> f64) -> f64 {
        self.mean(|rows| rows.map(force).fold(f64::NEG_INFINITY, f64::max))
    }

    /// Smallest value \[N\], mean over the strides.
    fn smallest(&self, force: &dyn Fn(usize) -> f64) -> f64 {
        self.mean(|rows| rows.map(force).fold(f64::INFINITY, f64::min))
    }

    /// Largest values in the first and second half of the stance of the right foot \[BW\], mean over the strides; zero
    /// without stance.
    fn halves(&self, force: &dyn Fn(usize) -> f64) -> [f64; 2] {
        let stands = |i: &usize| self.result.record.ground[*i][0].force.y > STANDING * self.weight;
        [0, 1].map(|half| {
            let peak = |rows: Range<usize>| {
                let stance: Vec<usize> = rows.filter(stands).collect();
                let (first, second) = stance.split_at(stance.len() / 2);
                let part = if half == 0 { first } else { second };
                part.iter().map(|i| force(*i)).fold(0.0, f64::max)
            };
            self.mean(peak) / self.weight
        })
    }

    /// Tension of a muscle group of the right leg \[N\].
    fn group(&self, groups: &[Group]) -> impl Fn(usize) -> f64 {
        let muscles = self.result.muscles.muscles.iter().enumerate();
        let belongs = |name: &str| groups.iter().any(|group| group.has(name, "r"));
        let indices: Vec<usize> = muscles.filter(|(_, m)| belongs(&m.name)).map(|(k, _)| k).collect();
        move |i| indices.iter().map(|k| self.result.record.tensions[i][*k]).sum()
    }
}

/// Forces of the right leg in body weights: the columns of the table.
struct LegForces {
    hip: [f64; 2],
    knee: [f64; 2],
    ankle: f64,
    achilles: f64,
    patellar: f64,
}

impl LegForces {
    fn new(result: &MovementResult) -> Option<Self> {
        let peaks = Peaks::new(result);
        let joint = |name: &str| result.loads.joint(name);
        let resultant = |joint: &'_ JointHistory, i: usize| joint.resultant(i);
        let (hip, knee, ankle) = (joint("hip_r")?, joint("knee_r")?, joint("ankle_r")?);
        let tendon = |groups: &[Group]| peaks.largest(&peaks.group(groups)) / peaks.weight;
        Some(LegForces {
            hip: peaks.halves(&|i| resultant(hip, i)),
            knee: peaks.halves(&|i| resultant(knee, i)),
            ankle: peaks.largest(&|i| resultant(ankle, i)) / peaks.weight,
            achilles: tendon(&[Group::Soleus, Group::Gastrocnemius]),
            patellar: tendon(&[Group::Quadriceps]),
        })
    }
}

/// Results of joints, muscle groups, tracking agent and passive joints.
pub(super) fn results(result: &MovementResult, put: &mut dyn FnMut(&str, Value)) {
    let peaks = Peaks::new(result);
    if let Some(leg) = LegForces::new(result) {
        put("hip_contact_peak_bw", json!(leg.hip[0].max(leg.hip[1])));
        put("hip_contact_peaks_bw", json!(leg.hip));
        put("knee_contact_peaks_bw", json!(leg.knee));
        put("ankle_contact_peak_bw", json!(leg.ankle));
        put("achilles_peak_bw", json!(leg.achilles));
        put("patellar_tendon_peak_bw", json!(leg.patellar));
    }
    let (mut newtons, mut weights) = (Map::new(), Map::new());
    for group in Group::ALL {
        let peak = peaks.largest(&peaks.group(&[group]));
        newtons.insert(group.name().into(), json!(peak));
        weights.insert(group.name().into(), json!(peak / peaks.weight));
    }
    put("muscle_peak_n", Value::Object(newtons));
    put("muscle_peak_bw", Value::Object(weights));
    helpers(result, put);
}

/// The largest force of the right knee \[BW\], mean over the strides; `None` without such a joint.
pub(super) fn knee_peak(result: &MovementResult) -> Option<f64> {
    LegForces::new(result).map(|leg| leg.knee[0].max(leg.knee[1]))
}

/// How well the equations of motion are satisfied.
pub(super) fn balance(result: &MovementResult, put: &mut dyn FnMut(&str, Value)) {
    let residual = result.loads.residual.iter().fold(0.0_f64, |most, r| most.max(*r));
    put("equations_left_over_n_or_nm", json!(residual));
}

/// Loads of the tracking agent and of passive tissues.
fn helpers(result: &MovementResult, put: &mut dyn FnMut(&str, Value)) {
    let (record, controllers) = (&result.record, &result.controllers);
    let peaks = Peaks::new(result);
    let over =
        |of: &dyn Fn(usize) -> f64| peaks.mean(|rows| rows.clone().map(of).sum::<f64>() / rows.len().max(1) as f64);
    let forward = controllers
        .agent
        .iter()
        .position(|agent| CoordinateRole::of(&agent.name).is_some_and(CoordinateRole::is_forward));
    if let Some(k) = forward {
        put("agent_mean_forward_force_n", json!(over(&|i| record.agent[i][k])));
    }
    let power = |i: usize| controllers.agent.iter().zip(&record.agent[i]).map(|(a, f)| f * record.v[i][a.speed]).sum();
    put("agent_mean_power_w", json!(over(&power)));
    // servos have a feed-forward term, passive tissues do not
    let mut passive = Map::new();
    for (k, joint) in controllers.joints.iter().enumerate().filter(|(_, joint)| joint.feed_forward.is_none()) {
        passive.insert(joint.name.clone(), json!(peaks.largest(&|i| record.joints[i][k].abs())));
    }
    if !passive.is_empty() {
        put("passive_moment_peak_nm", Value::Object(passive));
    }
}

/// Smallest and largest component of each section load, mean over the strides, with names that end with the unit: one
/// list per section.
fn section_extremes(result: &MovementResult, bone: &BoneLoads) -> Vec<Vec<(String, f64)>> {
    let peaks = Peaks::new(result);
    let of_section = |section: &SectionHistory| {
        let extremes = PARTS.into_iter().enumerate().flat_map(|(k, (part, unit))| {
            let signal = |i: usize| parts(&section.distal[i])[k];
            let name = |end: &str| format!("{part}_{end}_{unit}");
            [(name("min"), peaks.smallest(&signal)), (name("max"), peaks.largest(&signal))]
        });
        extremes.collect()
    };
    bone.sections.iter().map(of_section).collect()
}

/// Section loads of a bone, and the difference between the sums from its distal and from its proximal end.
pub(super) fn section_results(result: &MovementResult, segment: &str, put: &mut dyn FnMut(&str, Value)) {
    let Some(bone) = result.loads.bone(segment) else { return };
    let (mut sections, mut apart) = (Map::new(), [0.0_f64; 2]);
    for (section, extremes) in bone.sections.iter().zip(section_extremes(result, bone)) {
        let values = extremes.into_iter().map(|(name, value)| (name, json!(value))).collect();
        sections.insert(format!("{:.0}", 100.0 * section.fraction), Value::Object(values));
        for [force, moment] in &section.two_ways {
            apart = [apart[0].max(*force), apart[1].max(*moment)];
        }
    }
    put("section_loads", Value::Object(sections));
    put("section_two_ways_n", json!(apart[0]));
    put("section_two_ways_nm", json!(apart[1]));
}

/// Section loads of a bone as a table.
fn section_table(result: &MovementResult, bone: &BoneLoads) -> Table {
    let extremes = section_extremes(result, bone);
    let shown = |name: &String| name.replace("_nm", " [N m]").replace("_n", " [N]").replace('_', " ");
    let row = |(section, values): (&SectionHistory, &Vec<(String, f64)>)| TableRow {
        label: format!("at {:.0} % of the length", 100.0 * section.fraction),
        kind: RowKind::Own,
        source: String::new(),
        cells: values.iter().map(|(_, value)| Cell::Number(*value)).collect(),
    };
    let frame = "y up along the segment, x forward, z to the right; N > 0 is tension, Mz > 0 is tension in front, \
                 Mx > 0 is tension on the side of -z";
    Table {
        name: format!("section-loads-of-{}", bone.segment),
        title: format!("Section loads of {} about its centroid, mean over the strides; {frame}", bone.segment),
        columns: extremes.first().into_iter().flatten().map(|(name, _)| shown(name)).collect(),
        rows: bone.sections.iter().zip(&extremes).map(row).collect(),
    }
}

/// All tables.
pub(super) fn tables(result: &MovementResult) -> Vec<Table> {
    let sections = result.loads.bones.iter().map(|bone| section_table(result, bone));
    table(result).into_iter().chain(sections).collect()
}

/// Joint forces compared with measured and computed ones of the literature.
fn table(result: &MovementResult) -> Option<Table> {
    let leg = LegForces::new(result)?;
    let own = [leg.hip[0], leg.hip[1], leg.knee[0], leg.knee[1], leg.ankle, leg.achilles, leg.patellar];
    let mut rows = vec![TableRow {
        label: "Wolff, right leg".into(),
        kind: RowKind::Own,
        source: "this run; mean over the strides after the first".into(),
        cells: own.map(Cell::Number).to_vec(),
    }];
    for row in &JOINT_FORCES {
        let cell = |text: Option<&str>| text.map_or(Cell::Empty, |text| Cell::Text(text.into()));
        // the sources give only the larger of the two peaks
        let cells = vec![Cell::Empty, cell(row.hip), Cell::Empty, cell(row.knee), cell(row.ankle)];
        let kind = if row.origin == Origin::Model { RowKind::Model } else { RowKind::Measured };
        rows.push(TableRow { label: row.source.into(), kind, source: row.remark.into(), cells });
    }
    let columns = ["hip, first peak", "hip, second peak", "knee, first peak", "knee, second peak", "ankle, maximum"];
    Some(Table {
        name: "joint-contact".into(),
        title:
            "Joint contact forces and tendon forces in walking [BW]; values of the literature are maxima of the stride"
                .into(),
        columns: columns.into_iter().chain(["Achilles tendon", "patellar tendon"]).map(String::from).collect(),
        rows,
    })
}

/// Contact forces with their components, and section loads at mid-length, over the last stride.
pub(super) fn plots(result: &MovementResult) -> Vec<Plot> {
    let weight = result.walk.constants.weight();
    let plot = |name: String, title: String, y_label: &str, curves| Plot {
        name,
        title,
        x_label: "gait cycle [%]".into(),
        y_label: y_label.into(),
        curves,
        log_y: false,
        bands: Vec::new(),
    };
    let legs = ["hip", "knee", "ankle"].map(|joint| (joint, result.loads.joint(&format!("{joint}_r"))));
    let right: Vec<(&str, &JointHistory)> = legs.into_iter().filter_map(|(name, joint)| Some((name, joint?))).collect();
    let resultants =
        right.iter().map(|(name, joint)| ((*name).to_string(), over_cycle(result, &|i| joint.resultant(i) / weight)));
    let title = "Contact forces of the right leg, last stride";
    let mut plots = vec![plot("joint-contact".into(), title.into(), "body weights", resultants.collect())];
    for (name, joint) in &right {
        let component = |(axis, label): (usize, &str)| {
            (label.to_string(), over_cycle(result, &|i| joint.samples[i].force[axis] / weight))
        };
        let curves = [(0, "forward"), (1, "up along the segment below"), (2, "to the right")].map(component);
        let title = format!("Force of the right {name} on the segment below, last stride");
        plots.push(plot(format!("{name}-contact"), title, "body weights", curves.to_vec()));
    }
    for bone in &result.loads.bones {
        plots.extend(section_plots(result, bone).map(|(name, title, unit, curves)| plot(name, title, unit, curves)));
    }
    plots
}

type Curves = Vec<(String, Vec<(f64, f64)>)>;

/// Forces and moments of the section at mid-length: name, title, unit and curves of a plot.
fn section_plots(result: &MovementResult, bone: &BoneLoads) -> [(String, String, &'static str, Curves); 2] {
    let middle = bone.sections.iter().find(|section| section.fraction == 0.5);
    [("forces", "N", 0..3), ("moments", "N m", 3..6)].map(|(what, unit, range)| {
        let curve = |k: usize| {
            let signal = |i: usize| middle.map_or(0.0, |section| parts(&section.distal[i])[k]);
            (PARTS[k].0.to_string(), over_cycle(result, &signal))
        };
        let title = format!("Section {what} of {} at half its length, last stride", bone.segment);
        (format!("section-{what}-{}", bone.segment), title, unit, range.map(curve).collect())
    })
}

/// Joint loads, section loads of each bone, and loads of tracking agent, servos and passive joints.
pub(super) fn series(result: &MovementResult) -> Vec<Series> {
    let times = &result.record.times;
    let table = |name: String, columns: Vec<String>, row: &dyn Fn(usize) -> Vec<f64>| Series {
        name,
        columns: std::iter::once("time".to_string()).chain(columns).collect(),
        rows: times.iter().enumerate().map(|(i, t)| std::iter::once(*t).chain(row(i)).collect()).collect(),
    };
    let joints = &result.loads.joints;
    let of_joint = |joint: &JointHistory| {
        let parts = ["fx_n", "fy_n", "fz_n", "mx_nm", "my_nm", "mz_nm", "ground_fx_n", "ground_fy_n", "ground_fz_n"];
        parts.map(|part| format!("{}_{part}", joint.name))
    };
    let numbers = |v: &Vec3| [v.x, v.y, v.z];
    let joint_row = |i: usize| {
        let loads = joints.iter().map(|joint| &joint.samples[i]);
        loads.flat_map(|l| [l.force, l.moment, l.force_G]).flat_map(|v| numbers(&v)).collect()
    };
    let mut all = vec![table("joint-forces".into(), joints.iter().flat_map(of_joint).collect(), &joint_row)];
    for bone in &result.loads.bones {
        let columns = bone
            .sections
            .iter()
            .flat_map(|section| PARTS.map(|(part, unit)| format!("at_{:.0}_{part}_{unit}", 100.0 * section.fraction)));
        let row = |i: usize| bone.sections.iter().flat_map(|section| parts(&section.distal[i])).collect();
        all.push(table(format!("section-loads-{}", bone.segment), columns.collect(), &row));
    }
    let (record, controllers) = (&result.record, &result.controllers);
    let agent = controllers.agent.iter().map(|a| format!("agent_{}", a.name));
    let kind = |servo: bool| if servo { "servo" } else { "passive" };
    let held = controllers.joints.iter().map(|j| format!("{}_{}", kind(j.feed_forward.is_some()), j.name));
    let row = |i: usize| record.agent[i].iter().chain(&record.joints[i]).copied().collect();
    all.push(table("helpers".into(), agent.chain(held).collect(), &row));
    all
}
