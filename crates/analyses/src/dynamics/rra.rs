//! Residual reduction.

use super::figures::{self, Panel};
use super::id::headline_text;
use super::inputs::{Loaded, in_file};
use super::{Analysis, Tables, outcome};
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;
use wolff_files::atomic::File;
use wolff_motion::recording::read_bytes;
use wolff_motion::residual_reduction::{CoordinateChange, ResidualSize};
use wolff_motion::{MotionError, ReductionOptions, ResidualReduction, reduce_residuals};
use wolff_opensim::scale::with_masses;
use wolff_report::digits::number;
use wolff_report::outcome::{Headline, Outcome, Verdict};
use wolff_verdict::Limit;

/// File of the changed motion, and of the changed model.
pub const FILES: [&str; 2] = ["kinematics_q.sto", "model_adjusted.osim"];
/// Default of the body whose mass centre may move.
const USUAL_BODY: &str = "torso";

const HICKS: &str = "Hicks et al. 2015, J Biomech Eng 137:020905";
/// Residual force after, over the weight \[%\], and moment over weight times height of the mass centre \[%\].
const FORCE: [f64; 2] = [5.0, 25.0];
const MOMENT: [f64; 2] = [1.0, 10.0];
/// Largest change of a translation \[cm\] and of an angle \[degrees\]; the limit of failure is chosen here: five times
/// the published one, far beyond the accuracy of markers.
const CHANGE: [f64; 2] = [2.0, 10.0];
/// Recommended change of mass over the mass \[%\] (chosen here: scales are accurate to 1 %, clothes and devices weigh
/// some percent).
const MASS: [f64; 2] = [5.0, 20.0];
/// Residual force over weight that needs no reduction (chosen here).
const NOTHING: f64 = 1e-3;
/// Height of the mass centre over stature (Winter 2009, chapter 4).
const CENTRE: f64 = 0.55;

/// What the user chose; the rest is taken from the set-up, or is the torso with the joint that carries it.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The body whose mass centre may move.
    pub body: Option<String>,
    /// No mass centre may move.
    pub no_centre: bool,
    /// All masses may change.
    pub masses: bool,
    /// Further coordinates that may change.
    pub coordinates: Vec<String>,
    /// Scale of the residual, in percent of body weight.
    pub residual: Option<f64>,
    /// Time between knots \[s\].
    pub knots: Option<f64>,
}

/// Settings of the reduction.
pub fn options(choice: &Choice, loaded: &Loaded) -> ReductionOptions {
    let usual = ReductionOptions::default();
    let bodies = loaded.subject.model.bodies();
    let known = |name: &str| bodies.iter().any(|b| b.name == name);
    let from_setup = match &loaded.from_setup.reduction {
        Some(tool) => tool.adjusted_body.clone(),
        None => Some(USUAL_BODY.to_string()).filter(|b| known(b)),
    };
    let body = if choice.no_centre { None } else { choice.body.clone().or(from_setup) };
    let joint = bodies.iter().find(|b| Some(&b.name) == body.as_ref()).map(|b| b.joint_name.clone());
    let of_joint = loaded.subject.coordinates.iter().filter(|c| Some(&c.joint) == joint.as_ref());
    let coordinates = match choice.coordinates.is_empty() {
        true => of_joint.map(|c| c.name.clone()).collect(),
        false => choice.coordinates.clone(),
    };
    let mut scales = usual.scales;
    scales.residual = choice.residual.map_or(scales.residual, |percent| percent / 100.0);
    ReductionOptions {
        coordinates,
        body,
        masses: choice.masses,
        knots: choice.knots.unwrap_or(usual.knots),
        scales,
        ..usual
    }
}

/// Reduces the residuals. `progress` receives the fraction that is done.
pub fn run(
    loaded: &Loaded,
    options: &ReductionOptions,
    folder: Option<&Path>,
    stop: fn() -> bool,
    progress: &mut dyn FnMut(f64),
) -> Result<Analysis, MotionError> {
    let (Some(first), Some(last)) = (loaded.times.first(), loaded.times.last()) else {
        return Err(MotionError::input("range of time", "no row of the motion is in it; change --time"));
    };
    let found = reduce_residuals(&loaded.subject, &loaded.history, [*first, *last], options, progress)?;
    let tables = Tables::of(folder, &[(FILES[0].into(), found.motion.clone())], stop)?;
    let mut outcome = outcome(loaded, "rra");
    outcome.method.push(method(options));
    results(&mut outcome, &found, options);
    judge(&mut outcome, &found, loaded);
    let bytes = model_text(loaded, &found)?.into_bytes();
    outcome.files.push(File { name: FILES[1].into(), bytes });
    add_figures(&mut outcome, loaded, &found)?;
    let text = format!("{}\n{}", for_people(&found, options), headline_text(&outcome));
    Ok(Analysis { outcome, tables, text })
}

fn method(options: &ReductionOptions) -> String {
    let centre = options.body.as_ref().map_or("No mass centre".into(), |b| format!("The mass centre of `{b}`"));
    format!(
        "Residual reduction: smooth changes by cubic B-splines with knots every {} s of the coordinates of the joint to \
         ground{} minimise residuals (scale {} % of body weight) and changes (scales {} m, {:.1} degrees) in the sense \
         of least squares. {centre} may move; masses {}.",
        options.knots,
        options.coordinates.iter().map(|c| format!(", `{c}`")).collect::<String>(),
        100.0 * options.scales.residual,
        options.scales.translation,
        options.scales.rotation.to_degrees(),
        if options.masses { "may change in proportion" } else { "do not change" }
    )
}

fn judge(outcome: &mut Outcome, found: &ResidualReduction, loaded: &Loaded) {
    let height = CENTRE * loaded.stature.unwrap_or(1.0 / CENTRE);
    let total = |moment: bool, k: usize| {
        found.residuals.iter().filter(|r| r.moment == moment).map(|r| r.rms[k].powi(2)).sum::<f64>().sqrt()
    };
    let largest = |turns: bool| {
        let of = found.changes.iter().filter(|c| c.turns == turns).map(|c| c.max);
        of.fold(0.0, f64::max)
    };
    let residuals = if loaded.cutoff.is_none() {
        "filter the coordinates with --cutoff 6; check mass, loads and time; choose a range of time in which every foot \
         is on a plate with --time"
    } else {
        "check mass, loads and time; choose a range of time in which every foot is on a plate with --time"
    };
    let changes = "allow larger residuals with --residual, or check markers, mass and loads";
    let mass = "scale the model to the mass of the subject, or let masses change with --masses";
    let rows = [
        ("residual force after, RMS", "% BW", 100.0 * total(false, 1) / found.weight, FORCE, residuals),
        (
            "residual moment after, RMS",
            "% BW x COM height",
            100.0 * total(true, 1) / (found.weight * height),
            MOMENT,
            residuals,
        ),
        ("largest change of a translation", "cm", 100.0 * largest(false), CHANGE, changes),
        ("largest change of an angle", "deg", largest(true).to_degrees(), CHANGE, changes),
        ("recommended change of mass", "%", 100.0 * (found.recommended_mass_change / found.mass[1]).abs(), MASS, mass),
    ];
    if total(false, 0) > NOTHING * found.weight {
        judge_reduction(outcome, [total(false, 0), total(false, 1)], residuals);
    }
    for (quantity, unit, value, [doubtful, failed], remedy) in rows {
        let limit = Limit::at_most(doubtful, failed).because(HICKS);
        let verdict: Verdict = outcome.judgement.judge(quantity, unit, value, &limit, remedy);
        outcome.headline.push(Headline {
            quantity: quantity.into(),
            value,
            unit: unit.into(),
            range: Some([0.0, doubtful]),
            source: HICKS.into(),
            verdict,
        });
    }
}

/// Residuals that became larger are no reduction: noise of the motion cannot be balanced by smooth changes.
fn judge_reduction(outcome: &mut Outcome, [before, after]: [f64; 2], remedy: &str) {
    let limit = Limit::at_most(100.0, f64::INFINITY).because("the purpose is to reduce them");
    let percent = 100.0 * after / before.max(f64::MIN_POSITIVE);
    outcome.judgement.judge("residual force after over before, RMS", "%", percent, &limit, remedy);
}

/// The file of the model with the changed masses.
fn model_text(loaded: &Loaded, found: &ResidualReduction) -> Result<String, MotionError> {
    let text = String::from_utf8_lossy(&read_bytes(&loaded.model_file)?).into_owned();
    with_masses(&text, &found.bodies).map_err(|e| in_file(&loaded.model_file, e))
}

/// The coordinates that change, before and after.
fn add_figures(outcome: &mut Outcome, loaded: &Loaded, found: &ResidualReduction) -> Result<(), MotionError> {
    /// Number of figures: the largest changes.
    const SHOWN: usize = 6;
    let table = &found.motion.table;
    let times = table.column("time").unwrap_or_default();
    let mut changes: Vec<&CoordinateChange> = found.changes.iter().collect();
    let size = |c: &CoordinateChange| if c.turns { c.max.to_degrees() } else { 100.0 * c.max };
    changes.sort_by(|a, b| size(b).total_cmp(&size(a)));
    let model = &loaded.subject.model;
    let (mut q, mut v, mut a) = (vec![0.0; model.nq()], vec![0.0; model.nv()], vec![0.0; model.nv()]);
    let mut panels = Vec::new();
    for change in changes.into_iter().take(SHOWN) {
        let Some(after) = table.column(&change.coordinate) else { continue };
        let Some(place) = loaded.subject.coordinate(&change.coordinate).map(|c| c.position) else { continue };
        let mut before = Vec::with_capacity(times.len());
        for t in &times {
            loaded.history.evaluate(*t, &mut q, &mut v, &mut a);
            before.push(if change.turns { q[place].to_degrees() } else { q[place] });
        }
        panels.push(Panel {
            name: format!("change_{}", change.coordinate),
            title: format!("{}: before and after", change.coordinate),
            y_label: if change.turns { "angle [deg]".into() } else { "displacement [m]".into() },
            normative: None,
            range: None,
            curves: vec![
                (None, format!("{} before", change.coordinate), before),
                (None, format!("{} after", change.coordinate), after),
            ],
        });
    }
    figures::add(outcome, loaded, &times, &panels)
}

fn for_people(found: &ResidualReduction, options: &ReductionOptions) -> String {
    let header = ["residual", "RMS before", "after", "peak before", "after"].map(String::from).to_vec();
    let row = |r: &ResidualSize| {
        let name = format!("{} [{}]", r.coordinate, if r.moment { "N m" } else { "N" });
        let [rms, peak] = [r.rms, r.peak].map(|pair| pair.map(|x| format!("{x:.2}")));
        vec![name, rms[0].clone(), rms[1].clone(), peak[0].clone(), peak[1].clone()]
    };
    let mut text = super::columns(&std::iter::once(header).chain(found.residuals.iter().map(row)).collect::<Vec<_>>());
    let header = ["change of", "RMS", "largest", "unit"].map(String::from).to_vec();
    let row = |c: &CoordinateChange| {
        let (unit, scale) = if c.turns { ("deg", 180.0 / std::f64::consts::PI) } else { ("mm", 1e3) };
        vec![c.coordinate.clone(), format!("{:.2}", c.rms * scale), format!("{:.2}", c.max * scale), unit.into()]
    };
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(found.changes.iter().map(row)).collect();
    let _ = write!(text, "\n{}\n", super::columns(&rows));
    if let Some(body) = &options.body {
        let [x, y, z] = found.centre_shift.map(|x| format!("{:.1}", 1e3 * x));
        let _ = writeln!(text, "mass centre of `{body}` moved by {x}, {y}, {z} mm");
    }
    let [before, after] = found.mass;
    let _ = writeln!(
        text,
        "mass: {} kg, before: {} kg\nrecommended change of mass from the mean residual force: {:+.3} kg",
        number(after),
        number(before),
        found.recommended_mass_change
    );
    text
}

fn results(outcome: &mut Outcome, found: &ResidualReduction, options: &ReductionOptions) {
    let residual = |r: &ResidualSize| json!({ "coordinate": r.coordinate, "unit": if r.moment { "N m" } else { "N" }, "rms": r.rms, "peak": r.peak, "mean": r.mean });
    let change = |c: &CoordinateChange| json!({ "coordinate": c.coordinate, "unit": if c.turns { "rad" } else { "m" }, "rms": c.rms, "max": c.max });
    let results = &mut outcome.results;
    results.insert("residuals_before_after".into(), found.residuals.iter().map(residual).collect());
    results.insert("changes".into(), found.changes.iter().map(change).collect());
    if let Some(body) = &options.body {
        results.insert("body".into(), json!(body));
    }
    results.insert("centre_shift_m".into(), json!(found.centre_shift));
    results.insert("masses_before_after_kg".into(), json!(found.mass));
    results.insert("recommended_mass_change_kg".into(), json!(found.recommended_mass_change));
    results.insert("weight_n".into(), json!(found.weight));
}
