//! Which modes matter in a walk: their strain energy, and how a peak strain changes without them.
//!
//! The modes of a bone are orthonormal, so the strain energy is a sum over them:
//! ```text
//! U_k = ½ ω_k² mean(η_k²)
//! ```
//! ω_k angular frequency [rad/s], η_k modal coordinate [√kg m], mean over the strides. The influence of a mode is the
//! largest change of the three peaks of a gauge (principal strains and shear) when its η_k is set to zero in the
//! strain, the motion unchanged.

use super::cycle::strides;
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::sync::Arc;
use wolff_bone::flexible::picture::mode_svg;
use wolff_bone::gauges::{ROSETTE, StrainPeaks, gauge_history};
use wolff_movement::MovementError;
use wolff_movement::bones::{BoneName, BoneResult, ModeChoice};
use wolff_movement::simulate::{Monitor, MovementPlan, MovementResult, simulate_movement_from};
use wolff_report::outcome::Picture;
use wolff_report::published::{Cell, RowKind, Table, TableRow};

/// Change of a peak strain from which on a mode has influence (Klodowski et al., Rakenteiden Mekaniikka 2011).
const INFLUENCE: f64 = 0.02;

/// Modes with less than this fraction of the strain energy and without influence are left out of the table.
const SHOWN_ENERGY: f64 = 1e-3;

/// A mode of a bone in a walk.
struct Mode {
    /// Its number, from 0.
    number: usize,
    /// Hz.
    frequency: f64,
    /// Its fraction of the strain energy.
    energy: f64,
    /// Largest relative change of a peak strain without it.
    influence: f64,
}

/// Strain energy of every mode over the strides, divided by its sum.
fn energies(result: &MovementResult, bone: &BoneResult) -> Vec<f64> {
    let rows: Vec<usize> = strides(result).into_iter().flatten().collect();
    let energy = |(k, frequency): (usize, &f64)| {
        let squares: f64 = rows.iter().map(|i| bone.modes[*i][k].powi(2)).sum();
        (TAU * frequency).powi(2) * squares
    };
    let all: Vec<f64> = bone.report().frequencies.iter().enumerate().map(energy).collect();
    let sum = all.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    all.into_iter().map(|energy| energy / sum).collect()
}

/// The gauge at which influence is told: the rosette of a tibia, of another bone that with the largest shear.
fn gauge(bone: &BoneResult) -> Option<&str> {
    if bone.gauge(ROSETTE).is_some() {
        return Some(ROSETTE);
    }
    let largest = |of: &[f64]| of.iter().copied().fold(0.0, f64::max);
    let most = bone.gauges.iter().max_by(|a, b| largest(&a.max_shear).total_cmp(&largest(&b.max_shear)));
    most.map(|history| history.gauge.as_str())
}

/// Both principal strains and the shear at a gauge for modal coordinates, their peaks.
fn peaks(bone: &BoneResult, gauge: &str, etas: &[Vec<f64>]) -> Option<[f64; 3]> {
    let history = gauge_history(&bone.bone.body, gauge, etas).ok()?;
    let times: Vec<f64> = (0..etas.len()).map(|i| i as f64).collect();
    let p = StrainPeaks::new(&history, &times, std::slice::from_ref(&(0..etas.len())));
    Some([p.max_principal, p.min_principal, p.max_shear])
}

/// All modes of a bone, those with most energy first.
fn modes(result: &MovementResult, bone: &BoneResult) -> Option<Vec<Mode>> {
    let gauge = gauge(bone)?;
    let rows = strides(result).last().cloned()?;
    let etas = &bone.modes[rows];
    let with = peaks(bone, gauge, etas)?;
    let influence = |k: usize| {
        let mut less = etas.to_vec();
        less.iter_mut().for_each(|eta| eta[k] = 0.0);
        let without = peaks(bone, gauge, &less)?;
        let change = with.iter().zip(without).map(|(with, without)| (without / with - 1.0).abs());
        Some(change.fold(0.0, f64::max))
    };
    let frequencies = &bone.report().frequencies;
    let all = energies(result, bone).into_iter().zip(frequencies).enumerate();
    let mode = |(number, (energy, frequency)): (usize, (f64, &f64))| {
        Some(Mode { number, frequency: *frequency, energy, influence: influence(number)? })
    };
    let mut all: Vec<Mode> = all.map(mode).collect::<Option<_>>()?;
    all.sort_by(|a, b| b.energy.total_cmp(&a.energy));
    Some(all)
}

/// The mode tables, results and pictures of all bones.
pub(super) struct Told {
    pub tables: Vec<Table>,
    pub results: Vec<(String, Value)>,
    pub pictures: Vec<Picture>,
}

/// What is told of the modes of each flexible bone; pictures of those that kept their surface.
pub(super) fn told(result: &MovementResult) -> Told {
    let mut told = Told { tables: Vec::new(), results: Vec::new(), pictures: Vec::new() };
    for bone in &result.bones {
        let (Some(all), Some(gauge)) = (modes(result, bone), gauge(bone)) else { continue };
        let segment = bone.name.segment();
        let prefix = if bone.name == BoneName::TibiaRight { String::new() } else { format!("{segment}.") };
        let matter = all.iter().filter(|mode| mode.influence > INFLUENCE).count();
        told.results.push((format!("{prefix}modes_above_two_percent"), json!(matter)));
        told.results.push((format!("{prefix}modes_for_99_percent_of_strain_energy"), json!(enough(&all, 0.99).len())));
        told.tables.push(table(segment, gauge, &all));
        if let Some(surface) = &bone.bone.surface {
            told.pictures.extend(all.iter().filter(|mode| mode.influence > INFLUENCE).map(|mode| {
                let title = format!(
                    "{segment}, mode {}: {:.0} Hz, {:.1} % of the strain energy",
                    mode.number + 1,
                    mode.frequency,
                    100.0 * mode.energy
                );
                let name = format!("mode-{segment}-{:02}", mode.number + 1);
                Picture { name, svg: mode_svg(surface, mode.number, &title), title }
            }));
        }
    }
    told
}

fn table(segment: &str, gauge: &str, all: &[Mode]) -> Table {
    let mut sum = 0.0;
    let mut rows = Vec::new();
    for mode in all {
        sum += mode.energy;
        if mode.energy < SHOWN_ENERGY && mode.influence <= INFLUENCE {
            continue;
        }
        let cells = [mode.frequency, 100.0 * mode.energy, 100.0 * sum, 100.0 * mode.influence];
        rows.push(TableRow {
            label: format!("mode {}", mode.number + 1),
            kind: RowKind::Own,
            source: String::new(),
            cells: cells.map(Cell::Number).to_vec(),
        });
    }
    let published =
        [("tibia: 9 to 14 modes, 9 above 2 %", "470 to 20 000"), ("femur: 26 modes, 7 above 2 %", "481 to 27 286")];
    let place = usize::from(!segment.starts_with("shank"));
    let (label, range) = published[place];
    rows.push(TableRow {
        label: label.into(),
        kind: RowKind::Model,
        source: "Klodowski et al., Rakenteiden Mekaniikka 2011".into(),
        cells: vec![Cell::Text(range.into())],
    });
    let columns = ["frequency [Hz]", "strain energy [%]", "sum [%]", "influence on strain [%]"];
    Table {
        name: format!("modes-of-{segment}"),
        title: format!(
            "Modes of {segment} by their strain energy in the walk, and change of a peak strain at {gauge} without the \
             mode"
        ),
        columns: columns.map(String::from).to_vec(),
        rows,
    }
}

/// The modes with most energy that together have a fraction of it.
fn enough(sorted: &[Mode], fraction: f64) -> Vec<usize> {
    let mut sum = 0.0;
    let mut chosen = Vec::new();
    for mode in sorted {
        if sum >= fraction {
            break;
        }
        sum += mode.energy;
        chosen.push(mode.number);
    }
    chosen
}

/// Chooses the modes that have a fraction of the strain energy in the walk with prescribed motion and all modes.
pub(super) fn by_energy(
    plan: &MovementPlan,
    fraction: f64,
    monitor: &mut Monitor<'_>,
) -> Result<ModeChoice, MovementError> {
    let mut all = plan.clone();
    (all.prescribed, all.cycles, all.bones.modes) = (true, 1, ModeChoice::All);
    let result = simulate_movement_from(&all, None, monitor)?;
    if let Some(ended) = result.ended {
        return Err(ended);
    }
    let chosen = result.bones.iter().map(|bone| {
        let energies = energies(&result, bone);
        let mode = |(number, energy): (usize, f64)| Mode { number, frequency: 0.0, energy, influence: 0.0 };
        let mut sorted: Vec<Mode> = energies.into_iter().enumerate().map(mode).collect();
        sorted.sort_by(|a, b| b.energy.total_cmp(&a.energy));
        let mut numbers = enough(&sorted, fraction);
        numbers.sort_unstable();
        (bone.name, Arc::from(numbers))
    });
    Ok(ModeChoice::Of(chosen.collect()))
}
