//! Joint reactions with muscle forces.

use super::figures::{self, Panel};
use super::id::headline_text;
use super::inputs::{Loaded, in_file, read_table};
use super::residuals::Residuals;
use super::{Analysis, Progress, Tables, legs, outcome, ranges, ranges_text};
use serde_json::json;
use std::path::{Path, PathBuf};
use wolff_anatomy::{Joint, Side as LegSide};
use wolff_formats::Table;
use wolff_motion::balance::{Imbalance, imbalance};
use wolff_motion::reserves::{ENDING, residual_coordinates};
use wolff_motion::{
    ActuatorKind, ActuatorSpec, MotionError, ReactionLoads, ReactionRequest, add_motor_forces, joint_reactions,
};
use wolff_multibody::Model;
use wolff_opensim::setup::AnalysisKind;
use wolff_report::outcome::{Cell, Headline, Outcome, RowKind, Table as ShownTable, TableRow};
use wolff_verdict::{Finding, Limit};

/// File of the reactions.
pub const FILE: &str = "joint_reactions.sto";
/// Largest moment that muscles and actuators leave unbalanced over the net moment \[%\]: doubtful, refused.
const UNBALANCED: [f64; 2] = [2.0, 10.0];
const UNBALANCED_SOURCE: &str = "forces that follow from the motion balance it up to interpolation; chosen here: 2 %, and \
    10 %, the limit of reserves of Hicks et al. 2015";
/// Net moments below this are within the uncertainty of inverse dynamics \[N m/kg\] (chosen here).
const SMALL_MOMENT: f64 = 0.1;
/// Unbalanced force on the joint to ground over body weight \[%\]: doubtful, refused (as residuals of inverse
/// dynamics).
const ROOT: [f64; 2] = [5.0, 25.0];
/// Number of instants at which the balance is checked (chosen here).
const CHECKED: usize = 100;

/// Settings of a set-up file: muscle forces, joints, bodies, frames.
pub type FromSetup = (Option<PathBuf>, Vec<String>, Vec<String>, Vec<String>);

/// The settings of a set-up file.
pub fn from_setup(loaded: &Loaded) -> FromSetup {
    let found = loaded.from_setup.analysis(|kind| match kind {
        AnalysisKind::JointReaction { forces_file, joints, on_bodies, in_frames } => {
            Some((forces_file.clone(), joints.clone(), on_bodies.clone(), in_frames.clone()))
        }
        _ => None,
    });
    found.unwrap_or_default()
}

/// Applies the forces of muscles and actuators to the model, and examines whether they balance the motion.
pub fn apply_forces(loaded: &mut Loaded, forces: Option<&Path>) -> Result<(), MotionError> {
    loaded.residuals = Residuals::along(loaded)?;
    let Some(path) = forces else {
        if loaded.subject.muscles.is_empty() && loaded.subject.actuators.is_empty() {
            return Ok(());
        }
        let reason = "give --forces FORCES.sto; `wolff so` writes them";
        return Err(MotionError::input("the model has muscles or actuators, but no forces of them are given", reason));
    };
    let table = read_table(path)?.table;
    add_reserves_of(&mut loaded.subject, &table);
    let motors = loaded.motors()?;
    let without = loaded.subject.model.clone();
    add_motor_forces(&mut loaded.subject.model, &motors, &table).map_err(|e| in_file(path, e))?;
    let times = checked_times(loaded, &table, path)?;
    let all = imbalance(&without, &loaded.subject.model, &loaded.history, &times)?;
    judge_balance(loaded, &all, path);
    Ok(())
}

/// Actuators that `so` made by itself: columns named after a coordinate.
fn add_reserves_of(subject: &mut wolff_motion::Subject, table: &Table) {
    let made: Vec<ActuatorSpec> = (table.labels().iter())
        .filter_map(|label| Some((label, label.strip_suffix(ENDING)?)))
        .filter(|(label, name)| {
            subject.coordinate(name).is_some() && !subject.actuators.iter().any(|a| a.name == **label)
        })
        .map(|(label, name)| ActuatorSpec {
            name: label.clone(),
            kind: ActuatorKind::Coordinate(name.into()),
            optimal_force: 1.0,
            control: [f64::NEG_INFINITY, f64::INFINITY],
        })
        .collect();
    subject.actuators.extend(made);
}

/// Instants of the table within the analysed range; the table must cover that range.
fn checked_times(loaded: &mut Loaded, table: &Table, path: &Path) -> Result<Vec<f64>, MotionError> {
    let times = table.column("time").unwrap_or_default();
    let (Some(&first), Some(&last)) = (loaded.times.first(), loaded.times.last()) else { return Ok(Vec::new()) };
    let inside: Vec<f64> = times.iter().copied().filter(|t| *t >= first - 1e-6 && *t <= last + 1e-6).collect();
    let (Some(start), Some(end)) = (times.first(), times.last()) else { return Ok(Vec::new()) };
    if inside.is_empty() {
        let reason = format!("has forces from {start} to {end} s, the motion is analysed from {first} to {last} s");
        return Err(MotionError::input(format!("`{}`", path.display()), format!("{reason}; change --time")));
    }
    let step = (end - start) / (times.len().max(2) - 1) as f64;
    if first < start - step || last > end + step {
        let message = format!(
            "the forces of `{}` go from {start:.3} to {end:.3} s, the motion is analysed from {first:.3} to {last:.3} s: \
             outside, the first and last forces act",
            path.display()
        );
        loaded.judgement.found([Finding::error(message, format!("restrict the range with --time {start}:{end}"))]);
    }
    let every = inside.len().div_ceil(CHECKED).max(1);
    Ok(inside.into_iter().step_by(every).collect())
}

/// Forces that do not balance the motion are refused.
fn judge_balance(loaded: &mut Loaded, all: &[Imbalance], path: &Path) {
    let (mass, weight) = (loaded.subject.mass(), loaded.weight());
    let root: Vec<usize> = residual_coordinates(&loaded.subject).iter().map(|c| c.speed).collect();
    // to a hundredth of a percent: what is below is rounding
    let percent = |x: f64| (1e4 * x).round() / 100.0;
    let share = |i: &Imbalance| percent(i.peak / i.net.max(SMALL_MOMENT * mass));
    let of_joints = all.iter().filter(|i| !root.contains(&i.speed));
    let remedy = "give the forces that `wolff so` finds for this model, motion, loads and actuators";
    if let Some(worst) = of_joints.max_by(|a, b| share(a).total_cmp(&share(b))) {
        let limit = Limit::at_most(UNBALANCED[0], UNBALANCED[1]).because(UNBALANCED_SOURCE);
        let quantity = format!("largest moment that the muscle forces leave unbalanced (`{}`)", worst.coordinate);
        loaded.judgement.judge(&quantity, "% of the net moment", share(worst), &limit, remedy);
        if share(worst) > UNBALANCED[1] {
            let message = format!(
                "the forces of `{}` do not balance the motion: `{}` needs up to {:.1} N m and {:.1} N m remain \
                 unbalanced at {:.3} s; joint forces would be wrong",
                path.display(),
                worst.coordinate,
                worst.net,
                worst.peak,
                worst.at
            );
            loaded.judgement.found([Finding::error(message, remedy)]);
        }
    }
    let angle = |i: &Imbalance| loaded.subject.coordinate(&i.coordinate).is_none_or(|c| c.is_angle());
    let forces = all.iter().filter(|i| root.contains(&i.speed) && !angle(i));
    if let Some(worst) = forces.max_by(|a, b| a.rms.total_cmp(&b.rms)) {
        let limit = Limit::at_most(ROOT[0], ROOT[1]).because("as residual forces, Hicks et al. 2015");
        let quantity = format!("unbalanced force on the joint to ground, RMS (`{}`)", worst.coordinate);
        let remedy = "include residual actuators in the forces, or reduce residuals with `wolff rra`";
        loaded.judgement.judge(&quantity, "% BW", percent(worst.rms / weight), &limit, remedy);
    }
}

/// Computes the reactions.
pub fn run(
    loaded: &Loaded,
    requests: &[ReactionRequest],
    folder: Option<&Path>,
    stop: fn() -> bool,
    progress: Progress<'_>,
) -> Result<Analysis, MotionError> {
    let model = &loaded.subject.model;
    let found = joint_reactions(model, &loaded.history, &loaded.times, requests, progress)?;
    finite(&found)?;
    let tables = Tables::of(folder, &[(FILE.into(), found.to_storage()?)], stop)?;
    let mut outcome = outcome(loaded, "reactions");
    outcome.method.push(
        "Joint reactions: loads of each joint on a body under gravity, external loads and the given forces of muscles \
         and actuators; accelerations are those that the forces cause, as in OpenSim's joint reaction analysis. Contact \
         forces are resultants in body weights."
            .into(),
    );
    outcome.results.insert("range".into(), ranges(&tables));
    outcome.warnings.extend(tables.remark());
    let panels = contact_panels(loaded, requests, &found);
    judge_contact(&mut outcome, loaded, &panels);
    if let Some(residuals) = &loaded.residuals {
        residuals.judge(&mut outcome, loaded);
    }
    let resultants = resultants(&found)?;
    let mut shown: Vec<Panel> = panels;
    if shown.is_empty() {
        let titles = ["reactions", "Largest joint forces", "force [N]"];
        shown.extend(figures::largest(&resultants, &|_| true, titles, 1.0));
    }
    shown.extend(legs::ground_panel(loaded, &loaded.times));
    figures::add(&mut outcome, loaded, &loaded.times, &shown)?;
    let text = format!("{}\n{}", ranges_text(&tables), headline_text(&outcome));
    Ok(Analysis { outcome, tables, text })
}

fn finite(found: &ReactionLoads) -> Result<(), MotionError> {
    for (time, row) in found.times.iter().zip(&found.rows) {
        let bad = row.iter().position(|r| r.iter().any(|v| v.iter().any(|x| !x.is_finite())));
        if let Some(k) = bad {
            let reason = format!("the reaction `{}` is not a finite number; check the forces", found.labels[k]);
            return Err(MotionError::Instant { time: *time, reason });
        }
    }
    Ok(())
}

/// Resultant force of each reaction \[N\].
fn resultants(found: &ReactionLoads) -> Result<Table, MotionError> {
    let labels = std::iter::once("time".to_string()).chain(found.labels.iter().cloned()).collect();
    let row = |(t, row): (&f64, &Vec<[wolff_spatial::Vec3; 3]>)| {
        std::iter::once(*t).chain(row.iter().map(|r| r[0].norm())).collect()
    };
    Ok(Table::new(labels, found.times.iter().zip(&found.rows).map(row).collect())?)
}

/// Measured peaks of contact forces in walking \[BW\], with their source; `None` where none were measured.
fn in_vivo(joint: Joint) -> Option<([f64; 2], &'static str)> {
    match joint {
        Joint::Hip => Some((
            [2.4, 3.0],
            "peaks in walking measured by implants: Bergmann et al. 2001, J Biomech 34:859 (mean 2.4 BW at 4 km/h); up \
             to 4.8 BW at 5 km/h in one patient, Bergmann et al. 1993",
        )),
        Joint::Knee => Some((
            [2.0, 3.0],
            "peaks in walking measured by implants: Kutzner et al. 2010, J Biomech 43:2164 (mean 2.6 BW); Fregly et al. \
             2012, J Orthop Res 30:503",
        )),
        _ => None,
    }
}

/// Contact force that is doubtful, and that has failed \[BW\]: in walking beyond every measured one, and beyond twice
/// that; otherwise beyond stumbling, and beyond twice that.
fn limit(joint: Joint, walking: bool) -> Limit {
    match (walking, joint) {
        (true, Joint::Knee) => Limit::at_most(4.3, 8.6).because(
            "highest level of measured knee forces in daily activities, 4218 N at 100 kg, Bergmann et al. 2014, PLoS ONE \
             9:e86035; twice that",
        ),
        (true, _) => {
            Limit::at_most(4.8, 9.6).because("largest measured hip force in walking, Bergmann et al. 1993; twice that")
        }
        (false, _) => Limit::at_most(8.7, 17.4)
            .because("largest measured joint force, hip in stumbling, Bergmann et al. 1993; twice that"),
    }
}

fn contact_panels(loaded: &Loaded, requests: &[ReactionRequest], found: &ReactionLoads) -> Vec<Panel> {
    let model = &loaded.subject.model;
    let weight = loaded.weight();
    let of_joint = |request: &ReactionRequest| {
        let body = model.bodies().iter().position(|b| b.joint_name == request.joint)?;
        legs::joint_of_child(model, body)
    };
    let mut panels = Vec::new();
    for (joint, name) in [(Joint::Hip, "hip"), (Joint::Knee, "knee"), (Joint::Ankle, "ankle")] {
        let of = |side: LegSide| {
            let k = requests.iter().position(|r| of_joint(r) == Some((joint, side)))?;
            let values = found.rows.iter().map(|row| row[k][0].norm() / weight).collect();
            Some((Some(side), format!("{name}_contact_force"), values))
        };
        let curves: Vec<_> = LegSide::BOTH.into_iter().filter_map(of).collect();
        if !curves.is_empty() {
            panels.push(Panel {
                name: format!("{name}_contact_force"),
                title: format!("Contact force of the {name}"),
                y_label: "force [BW]".into(),
                normative: None,
                range: in_vivo(joint).map(|([low, high], _)| ("measured peaks in walking".into(), low, high)),
                curves,
            });
        }
    }
    panels
}

/// Peaks in body weights beside those measured by implants.
fn judge_contact(outcome: &mut Outcome, loaded: &Loaded, panels: &[Panel]) {
    let walking = legs::is_walking(loaded);
    if loaded.subject.muscles.is_empty() && !panels.is_empty() {
        let message = "the model has no muscles: these are joint forces without those of muscles, a fraction of the \
                       contact forces in a person";
        outcome.judgement.found([Finding::warning(message, "give a model with muscles and the forces of `wolff so`")]);
    }
    let joints = [Joint::Hip, Joint::Knee, Joint::Ankle];
    let peak = |c: &[f64]| c.iter().copied().fold(0.0, f64::max);
    let mut rows = Vec::new();
    let mut results = serde_json::Map::new();
    for panel in panels {
        let joint = joints.into_iter().find(|j| panel.name.strip_prefix(j.stem()).is_some());
        let measured = joint.and_then(in_vivo).filter(|_| walking);
        for (side, name, values) in &panel.curves {
            let (value, side) = (peak(values), legs::side_word(*side));
            let quantity = format!("peak {}, {side}", panel.title.to_lowercase());
            let remedy = "check muscle strengths, reserves and loads; static optimisation with weak muscles or high \
                          activations overestimates contact forces";
            let verdict = match joint {
                Some(joint @ (Joint::Hip | Joint::Knee)) => {
                    outcome.judgement.judge(&quantity, "BW", value, &limit(joint, walking), remedy)
                }
                _ => wolff_verdict::Verdict::Ok,
            };
            results.insert(format!("{name}_{side}_peak_bw"), json!(value));
            rows.push(TableRow {
                label: format!("this motion, {} {side}", panel.title.to_lowercase()),
                kind: RowKind::Own,
                source: String::new(),
                cells: vec![Cell::Number(value), Cell::Empty],
            });
            outcome.headline.push(Headline {
                quantity,
                value,
                unit: "BW".into(),
                range: measured.map(|(range, _)| range),
                source: measured.map_or_else(String::new, |(range, source)| {
                    legs::compared("measured in people", value, Some(range), source)
                }),
                verdict,
            });
        }
    }
    outcome.results.insert("contact_forces".into(), json!(results));
    if rows.is_empty() {
        return;
    }
    for (joint, label) in [(Joint::Hip, "hip, walking"), (Joint::Knee, "knee, walking")] {
        let Some(([low, high], source)) = in_vivo(joint) else { continue };
        let cells = vec![Cell::Empty, Cell::Text(format!("{low} to {high}"))];
        rows.push(TableRow { label: label.into(), kind: RowKind::Measured, source: source.into(), cells });
    }
    outcome.tables.push(ShownTable {
        name: "contact_forces".into(),
        title: "Peak contact forces of hip, knee and ankle beside those measured by implants".into(),
        columns: vec!["peak [BW]".into(), "measured range [BW]".into()],
        rows,
    });
}

/// All joints of a model.
pub fn all_joints(model: &Model) -> Vec<String> {
    model.bodies().iter().skip(1).filter(|b| !b.is_node()).map(|b| b.joint_name.clone()).collect()
}
