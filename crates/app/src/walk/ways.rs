//! The strains of a walk by three methods: floating frame, elastodynamic, quasi-static.

use super::cycle::{strain_peaks, strides};
use super::figures::over_cycle;
use super::variations::Repetition;
use super::{plan, refuse, refuse_bone};
use wolff_bone::gauges::{GaugeHistory, ROSETTE, StrainPeaks};
use wolff_flexbody::FlexBody;
use wolff_movement::MovementError;
use wolff_movement::bones::BoneResult;
use wolff_movement::loads::modal::{ModalHistory, ModalLoads, modal_loads};
use wolff_movement::simulate::{MovementPlan, MovementResult, simulate_movement};
use wolff_report::json::Stopwatch;
use wolff_report::outcome::{Cell, Plot, RowKind, Table, TableRow};
use wolff_study::document::{Study, StudyDocument, StudyKind};
use wolff_study::run::Clock;
use wolff_study::{Budget, RunError};

/// Gauges around the mid-shaft.
const AROUND: [&str; 7] = ["L1", "L2", "L3", "L4", "L5", "L6", "L7"];

/// Comparison of the strains by all methods.
#[derive(Clone, Debug)]
pub struct Ways {
    /// Peaks and differences.
    pub table: Table,
    /// Histories over the last stride.
    pub plot: Plot,
    /// Processor time of each method \[s\].
    pub cpu_s: Vec<(String, f64)>,
}

/// The result of one method.
struct Way {
    label: &'static str,
    /// What it includes and neglects.
    about: &'static str,
    gauges: Vec<GaugeHistory>,
    cpu_s: f64,
}

/// Simulates the walk with a flexible and with a rigid bone, and computes the strains of the first bone with gauges in
/// five ways: by the floating frame; and elastodynamically and quasi-statically, both from the loads of the simulation
/// with the flexible bone and from those of the simulation with the rigid bone, which is the usual method without a
/// floating frame. `None` for studies that are not walks.
pub fn ways(document: &StudyDocument, how: &Repetition) -> Result<Option<Ways>, RunError> {
    let study = document.evaluate()?;
    if study.kind != StudyKind::Walk {
        return Ok(None);
    }
    let mut planned = plan::plan(&study, how.force)?;
    let refuse = |e: MovementError| refuse(&study, e);
    planned.make_given(&mut |_, _| !(how.budget.stop)()).map_err(|e| refuse_bone(&study, e))?;
    planned.tune(&mut |_| !(how.budget.stop)()).map_err(refuse)?;
    planned.plan.bones.cache = how.cache.clone();
    let (bending, bending_s) = timed_walk(&study, &planned.plan, how.budget)?;
    let with_gauges = |b: &&BoneResult| b.gauge(ROSETTE).is_some();
    let Some(bone) = bending.bones.iter().find(with_gauges) else {
        let rule = "no bone with gauges is flexible, so the methods cannot be compared; set `bones=tibia_r`";
        return Err(RunError::Input(study.error([("bones".to_string(), rule.to_string())])));
    };
    let mut rigid_plan = planned.plan.clone();
    rigid_plan.bones.bones.clear();
    let (rigid, rigid_s) = timed_walk(&study, &rigid_plan, how.budget)?;

    let mut ways = vec![Way {
        label: "floating frame",
        about: "the forward simulation itself: deformation of the bone, motion, muscles and floor are coupled",
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

/// Labels and explanations of the elastodynamic and the quasi-static method for one simulation.
type Names = [(&'static str, &'static str); 2];

const SAME_LOADS: Names = [
    (
        "elastodynamic, same loads",
        "the loads on the bone in the forward simulation, applied afterwards with its inertia and damping: \
         a check of the floating frame",
    ),
    ("quasi-static, same loads", "the same loads without the inertia and the damping of the deformation"),
];

const RIGID_DRIVE: Names = [
    (
        "elastodynamic, rigid drive",
        "loads of a forward simulation with a rigid bone: bending changes neither motion nor muscle forces nor floor \
         forces (reference lengths recorded on the bent bone, `reference_bones=bent`, compensate most of it)",
    ),
    ("quasi-static, rigid drive", "the same, and without the inertia and the damping of the deformation"),
];

/// A result and the processor time of its forward simulation \[s\].
fn timed_walk(study: &Study, plan: &MovementPlan, budget: Budget) -> Result<(MovementResult, f64), RunError> {
    let (mut start, mut cpu_s) = (Stopwatch::start(), 0.0);
    let (mut clock, mut too_slow) = (None::<Clock>, None);
    let mut progress = |phase: &str, fraction: f64| {
        match phase {
            "walking" if fraction == 0.0 => start = Stopwatch::start(),
            "strains" => cpu_s = start.stop(0.0).cpu_s,
            _ => (),
        }
        if phase != "walking" {
            return !(budget.stop)();
        }
        let clock = clock.get_or_insert_with(|| Clock::start(budget, 1.0, false));
        clock.reached(fraction);
        too_slow = clock.reason_to_end();
        too_slow.is_none()
    };
    let result = simulate_movement(plan, &mut progress).map_err(|e| refuse(study, e))?;
    match result.ended {
        Some(MovementError::Stopped { .. }) if (budget.stop)() => Err(RunError::Stopped),
        Some(MovementError::Stopped { .. }) => Err(RunError::Simulation(too_slow.unwrap_or_default())),
        Some(error) => Err(RunError::Simulation(format!(
            "the methods cannot be compared, because a simulation ended early: {error}"
        ))),
        None => Ok((result, cpu_s)),
    }
}

/// Both methods for a known motion; their time includes that of the forward simulation.
fn known_motion(
    bending: &MovementResult,
    moved: &MovementResult,
    bone: &BoneResult,
    names: Names,
    simulation_s: f64,
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
        ways.push(Way { label, about, gauges, cpu_s: simulation_s + loads_s + start.stop(0.0).cpu_s });
    }
    Ok(ways)
}

/// How the modal coordinates are computed from the loads.
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

/// Peaks of the rosette and around the shaft, and differences of the histories from those of the first method.
fn table(result: &MovementResult, ways: &[Way]) -> Table {
    let mut columns = Vec::new();
    for (name, _, _) in PRINCIPAL {
        columns.push(format!("{name}, peak [microstrain]"));
        columns.push(format!("{name}, peak compared with the floating frame [%]"));
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
        cells: cells(result, &ways[0], way),
    };
    Table {
        name: "ways".into(),
        title: "The same walk by three methods: strain at the anteromedial mid-shaft and around it".into(),
        columns,
        rows: ways.iter().map(row).collect(),
    }
}

fn cells(result: &MovementResult, first: &Way, way: &Way) -> Vec<Cell> {
    let mut cells = Vec::new();
    let rows: Vec<usize> = strides(result).into_iter().flatten().collect();
    let rms = |of: &dyn Fn(usize) -> f64| {
        (rows.iter().map(|i| of(*i).powi(2)).sum::<f64>() / rows.len().max(1) as f64).sqrt()
    };
    let difference = |a: &[f64], b: &[f64]| 100.0 * rms(&|i| a[i] - b[i]) / rms(&|i| b[i]);
    if let (Some(base), Some(own)) = (gauge(first, ROSETTE), gauge(way, ROSETTE)) {
        let (base_peaks, own_peaks) = (strain_peaks(result, base), strain_peaks(result, own));
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
        cells.push(Cell::Number(1e6 * strain_peaks(result, own).axial()));
        cells.push(Cell::Number(difference(&own.axial, &base.axial)));
    }
    cells
}

/// Maximum shear of the rosette over the last stride by every method.
fn plot(result: &MovementResult, ways: &[Way]) -> Plot {
    let curve = |way: &Way| {
        let rosette = gauge(way, ROSETTE)?;
        Some((way.label.to_string(), over_cycle(result, &|i| 1e6 * rosette.max_shear[i])))
    };
    Plot {
        name: "ways".into(),
        title: "Maximum shear strain at the anteromedial mid-shaft by three methods, last stride".into(),
        x_label: "gait cycle [%]".into(),
        y_label: "microstrain".into(),
        curves: ways.iter().filter_map(curve).collect(),
        log_y: false,
        bands: Vec::new(),
    }
}
