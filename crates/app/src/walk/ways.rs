//! The strains of a walk in three ways: floating frame, elastodynamics, quasi-statics.

use super::cycle::{strain_peaks, strides};
use super::figures::over_cycle;
use super::{plan, refuse};
use std::path::Path;
use wolff_bone::gauges::{GaugeHistory, ROSETTE, StrainPeaks};
use wolff_flexbody::FlexBody;
use wolff_movement::MovementError;
use wolff_movement::bones::BoneResult;
use wolff_movement::loads::modal::{ModalHistory, ModalLoads, modal_loads};
use wolff_movement::simulate::{MovementPlan, MovementResult, simulate_movement};
use wolff_report::json::Stopwatch;
use wolff_report::outcome::{Cell, Plot, RowKind, Table, TableRow};
use wolff_study::RunError;
use wolff_study::document::{Study, StudyDocument, StudyKind};

/// Gauges around the mid-shaft.
const AROUND: [&str; 7] = ["L1", "L2", "L3", "L4", "L5", "L6", "L7"];

/// Strains in all ways side by side.
#[derive(Clone, Debug)]
pub struct Ways {
    /// Peaks and differences.
    pub table: Table,
    /// Histories over the last stride.
    pub plot: Plot,
    /// Processor time of each way [s].
    pub cpu_s: Vec<(String, f64)>,
}

/// What one way gives.
struct Way {
    label: &'static str,
    /// What it leaves out.
    about: &'static str,
    gauges: Vec<GaugeHistory>,
    cpu_s: f64,
}

/// Walks with a bending and with a rigid bone, and finds the strains of the first bone with gauges in five ways: by the floating frame; from
/// the loads of that same drive; and from those of the drive with the rigid bone, as was done before bones bent in the simulation. None for studies
/// that are no walks. `cache` is the folder of reduced bones.
pub fn ways(document: &StudyDocument, cache: Option<&Path>) -> Result<Option<Ways>, RunError> {
    let study = document.evaluate()?;
    if study.kind != StudyKind::Walk {
        return Ok(None);
    }
    let mut planned = plan::plan(&study)?;
    let refuse = |e: MovementError| refuse(&study, e);
    planned.tune(&mut |_| true).map_err(refuse)?;
    planned.plan.bones.cache = cache.map(Path::to_path_buf);
    let (bending, bending_s) = timed_walk(&study, &planned.plan)?;
    let with_gauges = |b: &&BoneResult| b.gauge(ROSETTE).is_some();
    let Some(bone) = bending.bones.iter().find(with_gauges) else {
        let rule = "no bone with gauges bends, and ways to find its strains cannot be compared; take `bones=tibia_r`";
        return Err(RunError::Input(study.error([("bones".to_string(), rule.to_string())])));
    };
    let mut rigid_plan = planned.plan.clone();
    rigid_plan.bones.bones.clear();
    let (rigid, rigid_s) = timed_walk(&study, &rigid_plan)?;

    let mut ways = vec![Way {
        label: "floating frame",
        about: "the drive itself: the bone bends while it moves, and muscles, floor and motion feel it",
        gauges: bone.gauges.clone(),
        cpu_s: bending_s,
    }];
    ways.extend(known_motion(&bending, &bending, bone, SAME_LOADS, bending_s).map_err(refuse)?);
    ways.extend(known_motion(&bending, &rigid, bone, RIGID_DRIVE, rigid_s).map_err(refuse)?);
    Ok(Some(Ways {
        table: table(&bending, &ways),
        plot: plot(&bending, &ways),
        cpu_s: ways.into_iter().map(|w| (w.label.to_string(), w.cpu_s)).collect(),
    }))
}

/// Labels and explanations of the elastodynamic and the quasi-static way for one drive.
type Names = [(&'static str, &'static str); 2];

const SAME_LOADS: Names = [
    (
        "elastodynamic, same loads",
        "what acted on the bone in the drive, put on it afterwards with its inertia and damping: the floating frame checked",
    ),
    ("quasi-static, same loads", "the same loads without the inertia and the damping of the deformation"),
];

const RIGID_DRIVE: Names = [
    (
        "elastodynamic, rigid drive",
        "loads of a forward simulation with a rigid bone: bending changes neither motion nor muscle forces nor floor forces (reference lengths recorded on the bent bone, `reference_bones=bent`, compensate most of it)",
    ),
    ("quasi-static, rigid drive", "the same, and without the inertia and the damping of the deformation"),
];

/// A performance and the processor time of its drive [s].
fn timed_walk(study: &Study, plan: &MovementPlan) -> Result<(MovementResult, f64), RunError> {
    let (mut start, mut cpu_s) = (Stopwatch::start(), 0.0);
    let mut tell = |phase: &str, share: f64| {
        match phase {
            "walking" if share == 0.0 => start = Stopwatch::start(),
            "strains" => cpu_s = start.stop(0.0).cpu_s,
            _ => (),
        }
        true
    };
    let performance = simulate_movement(plan, &mut tell).map_err(|e| refuse(study, e))?;
    match performance.ended {
        Some(error) => Err(RunError::Simulation(format!("ways cannot be compared: {error}"))),
        None => Ok((performance, cpu_s)),
    }
}

/// Both ways for a known motion; their time is that of the drive and their own.
fn known_motion(
    bending: &MovementResult,
    moved: &MovementResult,
    bone: &BoneResult,
    names: Names,
    drive_s: f64,
) -> Result<Vec<Way>, MovementError> {
    let start = Stopwatch::start();
    let segment = bone.name.segment();
    let loads = modal_loads(&bending.muscled, &bending.controllers, &moved.muscled.model, &moved.record, segment)?;
    let loads_s = start.stop(0.0).cpu_s;
    let body = &bone.bone.body;
    let answers: [Answer; 2] = [ModalLoads::elastodynamic, ModalLoads::quasi_static];
    let mut ways = Vec::new();
    for (answer, (label, about)) in answers.into_iter().zip(names) {
        let start = Stopwatch::start();
        let gauges = answer(&loads, body)?.gauges(body)?;
        ways.push(Way { label, about, gauges, cpu_s: drive_s + loads_s + start.stop(0.0).cpu_s });
    }
    Ok(ways)
}

/// How modes answer loads.
type Answer = fn(&ModalLoads, &FlexBody) -> Result<ModalHistory, MovementError>;

fn gauge<'a>(way: &'a Way, name: &str) -> Option<&'a GaugeHistory> {
    way.gauges.iter().find(|g| g.gauge == name)
}

/// A signal of a gauge.
type Signal = fn(&GaugeHistory) -> &[f64];

/// A peak of a gauge.
type Peak = fn(&StrainPeaks) -> f64;

const PRINCIPAL: [(&str, Peak, Signal); 3] = [
    ("max principal", |p| p.max_principal, |g| &g.max_principal),
    ("min principal", |p| p.min_principal, |g| &g.min_principal),
    ("max shear", |p| p.max_shear, |g| &g.max_shear),
];

/// Peaks of the rosette and around the shaft, and how the histories differ from those of the first way.
fn table(performance: &MovementResult, ways: &[Way]) -> Table {
    let mut columns = Vec::new();
    for (name, _, _) in PRINCIPAL {
        columns.push(format!("{name}, peak [microstrain]"));
        columns.push(format!("{name}, peak against the floating frame [%]"));
        columns.push(format!("{name}, rms [microstrain]"));
        columns.push(format!("{name}, rms of the difference [% of rms]"));
    }
    for place in AROUND {
        columns.push(format!("{place} axial, peak [microstrain]"));
        columns.push(format!("{place} axial, rms of the difference [% of rms]"));
    }
    let row = |way: &Way| TableRow {
        label: way.label.into(),
        kind: RowKind::Own,
        source: way.about.into(),
        cells: cells(performance, &ways[0], way),
    };
    Table {
        name: "ways".into(),
        title: "The same walk in three ways: strain at the anteromedial mid-shaft and around it".into(),
        columns,
        rows: ways.iter().map(row).collect(),
    }
}

fn cells(performance: &MovementResult, first: &Way, way: &Way) -> Vec<Cell> {
    let mut cells = Vec::new();
    let rows: Vec<usize> = strides(performance).into_iter().flatten().collect();
    let rms = |of: &dyn Fn(usize) -> f64| {
        (rows.iter().map(|i| of(*i).powi(2)).sum::<f64>() / rows.len().max(1) as f64).sqrt()
    };
    let difference = |a: &[f64], b: &[f64]| 100.0 * rms(&|i| a[i] - b[i]) / rms(&|i| b[i]);
    if let (Some(base), Some(own)) = (gauge(first, ROSETTE), gauge(way, ROSETTE)) {
        let (base_peaks, own_peaks) = (strain_peaks(performance, base), strain_peaks(performance, own));
        for (_, peak, signal) in PRINCIPAL {
            let numbers = [
                1e6 * peak(&own_peaks),
                100.0 * (peak(&own_peaks) / peak(&base_peaks) - 1.0),
                1e6 * rms(&|i| signal(own)[i]),
                difference(signal(own), signal(base)),
            ];
            cells.extend(numbers.map(Cell::Number));
        }
    }
    for place in AROUND {
        let (Some(base), Some(own)) = (gauge(first, place), gauge(way, place)) else { continue };
        cells.push(Cell::Number(1e6 * strain_peaks(performance, own).axial()));
        cells.push(Cell::Number(difference(&own.axial, &base.axial)));
    }
    cells
}

/// Largest shear of the rosette over the last stride in every way.
fn plot(performance: &MovementResult, ways: &[Way]) -> Plot {
    let curve = |way: &Way| {
        let rosette = gauge(way, ROSETTE)?;
        Some((way.label.to_string(), over_cycle(performance, &|i| 1e6 * rosette.max_shear[i])))
    };
    Plot {
        name: "ways".into(),
        title: "Largest shear at the anteromedial mid-shaft in three ways, last stride".into(),
        x_label: "gait cycle [%]".into(),
        y_label: "microstrain".into(),
        curves: ways.iter().filter_map(curve).collect(),
        log_y: false,
    }
}
