//! Strains of flexible femurs, and when they are largest beside force and transverse moment of the hip.
//!
//! Implants in the hip measure the moment of the contact force about the axis of their stem, the transverse moment.
//! Here it is the moment of the contact force about the axis of the shaft, which is parallel to the line from hip to
//! knee through the centroid of the section at a quarter of the bone:
//! ```text
//! T = ((0 - c) × F) · e_y
//! ```
//! F force on the head of the femur \[N\], c centroid from the hip centre \[m\], axes of the thigh.

use super::cycle::{Largest, largest, strain_peaks};
use super::figures::over_cycle;
use super::phases::{GaitPhases, mark};
use serde_json::{Value, json};
use wolff_bone::gauges::GaugeHistory;
use wolff_evidence::literature::{FEMUR_TIMING, JOINT_FORCES, TRANSVERSE_MOMENTS};
use wolff_movement::bones::{BoneName, BoneResult};
use wolff_movement::simulate::MovementResult;
use wolff_report::outcome::Plot;
use wolff_report::published::{Cell, RowKind, Table, TableRow};
use wolff_spatial::Vec3;

/// The flexible femurs.
fn femurs(result: &MovementResult) -> impl Iterator<Item = &BoneResult> {
    result.bones.iter().filter(|bone| matches!(bone.name, BoneName::FemurRight | BoneName::FemurLeft))
}

/// The larger of tension and compression in the surface, at the gauge where it is largest.
fn worst(bone: &BoneResult, row: usize) -> f64 {
    let principal = |g: &GaugeHistory| g.max_principal[row].abs().max(g.min_principal[row].abs());
    bone.gauges.iter().map(principal).fold(0.0, f64::max)
}

/// The instants that are compared: of one leg, as fractions of its own stride.
struct Timing {
    /// First and second peak of the hip contact force \[BW\].
    hip: [Option<Largest>; 2],
    /// Largest transverse moment \[N m\].
    transverse: Option<Largest>,
    /// Largest principal strain of the femur.
    strain: Option<Largest>,
    /// Peaks of the vertical ground force \[BW\].
    ground: [Option<Largest>; 2],
}

impl Timing {
    fn new(result: &MovementResult, phases: &GaitPhases, bone: &BoneResult) -> Option<Self> {
        let side = bone.name.side();
        let foot = side.index();
        let hip = result.loads.joint(side.name("hip").as_str())?;
        let weight = result.walk.constants.weight();
        let period = result.walk.constants.cycle_time;
        let contacts = &phases.contacts;
        let own = |i: usize| contacts.own(foot, (result.record.times[i] / period).fract());
        let all = |_: usize| true;
        let found = |signal: &dyn Fn(usize) -> f64, counts: &dyn Fn(usize) -> bool| {
            let Largest { value, share } = largest(result, signal, counts)?;
            Some(Largest { value, share: contacts.own(foot, share) })
        };
        let halves = |signal: &dyn Fn(usize) -> f64| {
            let middle = 0.5 * contacts.feet[foot].stance;
            [found(signal, &|i| own(i) < middle), found(signal, &|i| (middle..2.0 * middle).contains(&own(i)))]
        };
        let centroid = centroid(bone);
        let moment = |i: usize| (-centroid).cross(&hip.samples[i].force).y.abs();
        Some(Timing {
            hip: halves(&|i| hip.resultant(i) / weight),
            transverse: found(&moment, &all),
            strain: found(&|i| worst(bone, i), &all),
            ground: halves(&|i| result.record.ground[i][foot].force.y / weight),
        })
    }
}

/// Centroid of the section at a quarter of the femur, in the axes of the thigh \[m\]; its height does not matter.
fn centroid(bone: &BoneResult) -> Vec3 {
    let [anterior, lateral] = bone.report().shaft_offsets[0];
    Vec3::new(anterior, 0.0, lateral * bone.name.side().outward())
}

/// Largest strain of each femur with its gauge, and instants in percent of the cycle of its leg.
pub(super) fn results(result: &MovementResult, phases: &GaitPhases, put: &mut dyn FnMut(&str, Value)) {
    for bone in femurs(result) {
        let Some(timing) = Timing::new(result, phases, bone) else { continue };
        let mut put = |name: &str, value: Value| put(&format!("{}.{name}", bone.name.segment()), value);
        let mut both = |name: &str, scale: f64, found: Option<Largest>| {
            put(name, json!(found.map(|f| scale * f.value)));
            put(&format!("{name}_at_percent"), json!(found.map(|f| 100.0 * f.share)));
        };
        both("largest_principal_microstrain", 1e6, timing.strain);
        both("transverse_moment_of_hip_nm", 1.0, timing.transverse);
        both("hip_first_peak_bw", 1.0, timing.hip[0]);
        both("hip_second_peak_bw", 1.0, timing.hip[1]);
    }
}

/// Strains at every gauge of each femur, and the table of instants.
pub(super) fn tables(result: &MovementResult, phases: &GaitPhases) -> Vec<Table> {
    let of_bone = |bone: &BoneResult| [Some(strains(result, phases, bone)), instants(result, phases, bone)];
    femurs(result).flat_map(of_bone).flatten().collect()
}

fn strains(result: &MovementResult, phases: &GaitPhases, bone: &BoneResult) -> Table {
    let foot = bone.name.side().index();
    let row = |history: &GaugeHistory| {
        let p = strain_peaks(result, history);
        let numbers = [p.axial_max, p.axial_min, p.max_principal, p.min_principal, p.max_shear];
        let when = largest(result, &|i| history.max_shear[i], &|_| true);
        let when = when.map_or(Cell::Empty, |found| Cell::Number(100.0 * phases.contacts.own(foot, found.share)));
        let cells = numbers.into_iter().map(|e| Cell::Number(1e6 * e)).chain([when]).collect();
        let label = history.gauge.replace('_', ", ");
        TableRow { label, kind: RowKind::Own, source: "this run".into(), cells }
    };
    let columns = ["axial, tension", "axial, compression", "max principal", "min principal", "max shear"];
    Table {
        name: format!("strain-of-{}", bone.name.segment()),
        title: format!(
            "Strain of the femur in {} [microstrain] at three sections, by the percentage of its length from the hip; \
             instant of the largest shear [% of the cycle of this leg]",
            bone.name.segment()
        ),
        columns: columns.into_iter().chain(["at [%]"]).map(String::from).collect(),
        rows: bone.gauges.iter().map(row).collect(),
    }
}

/// When strain, hip force and transverse moment are largest, beside measurements in hips.
fn instants(result: &MovementResult, phases: &GaitPhases, bone: &BoneResult) -> Option<Table> {
    let timing = Timing::new(result, phases, bone)?;
    let row = |label: &str, scale: f64, found: Option<Largest>| {
        let cells = found.map_or(vec![], |f| vec![Cell::Number(scale * f.value), Cell::Number(100.0 * f.share)]);
        TableRow { label: label.into(), kind: RowKind::Own, source: "this run".into(), cells }
    };
    let mut rows = vec![
        row("largest principal strain of the femur [microstrain]", 1e6, timing.strain),
        row("transverse moment of the hip force [N m]", 1.0, timing.transverse),
        row("hip contact force, first peak [BW]", 1.0, timing.hip[0]),
        row("hip contact force, second peak [BW]", 1.0, timing.hip[1]),
        row("vertical ground force, first peak [BW]", 1.0, timing.ground[0]),
        row("vertical ground force, second peak [BW]", 1.0, timing.ground[1]),
    ];
    let measured = |label: String, source: &str, value: &str| TableRow {
        label,
        kind: RowKind::Measured,
        source: source.into(),
        cells: vec![Cell::Text(value.into())],
    };
    for (source, remark, value) in TRANSVERSE_MOMENTS {
        rows.push(measured(format!("{source}: transverse moment [N m]"), remark, value));
    }
    for force in JOINT_FORCES.iter().filter(|force| force.origin == wolff_evidence::literature::Origin::InVivo) {
        let Some(hip) = force.hip else { continue };
        rows.push(measured(format!("{}: hip contact force [BW]", force.source), force.remark, hip));
    }
    let (source, statement) = FEMUR_TIMING;
    rows.push(TableRow {
        label: source.into(),
        kind: RowKind::Model,
        source: statement.into(),
        cells: vec![Cell::Empty, Cell::Text("together".into())],
    });
    Some(Table {
        name: format!("timing-of-{}", bone.name.segment()),
        title: format!("Instants of the largest loads of {} [% of the cycle of this leg]", bone.name.segment()),
        columns: ["value", "at [%]"].map(String::from).to_vec(),
        rows,
    })
}

/// Strain at mid-shaft over the last stride, with double support marked.
pub(super) fn plots(result: &MovementResult, phases: &GaitPhases) -> Vec<Plot> {
    let of_bone = |bone: &BoneResult| {
        let middle = bone.gauges.iter().filter(|g| !g.gauge.contains('_'));
        let curve = |g: &GaugeHistory| (g.gauge.clone(), over_cycle(result, &|i| 1e6 * g.axial[i]));
        let mut plot = Plot {
            name: format!("axial-{}", bone.name.segment()),
            title: "Axial strain around the mid-shaft of the femur, last stride".into(),
            x_label: "gait cycle [%]".into(),
            y_label: "microstrain".into(),
            curves: middle.map(curve).collect(),
            log_y: false,
            bands: Vec::new(),
        };
        mark(&phases.contacts, &mut plot);
        plot
    };
    femurs(result).map(of_bone).collect()
}
