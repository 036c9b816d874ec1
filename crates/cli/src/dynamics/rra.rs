//! `wolff rra`.

use super::args::Rra;
use super::folder::{self, Picture};
use super::inputs::{Loaded, load, read};
use super::stream::Tables;
use super::{check_folder, summary, timed};
use crate::failure::Failure;
use crate::output::{self, Align, number, table};
use serde_json::{Map, Value, json};
use std::fmt::Write as _;
use std::process::ExitCode;
use wolff_files::atomic::File;
use wolff_motion::residual_reduction::{CoordinateChange, ResidualSize};
use wolff_motion::{Accelerations, ReductionOptions, ResidualReduction, reduce_residuals};
use wolff_opensim::scale::with_masses;

/// Default of the body whose mass centre may move.
const USUAL_BODY: &str = "torso";

/// Number of steps of the progress bar.
const PARTS: usize = 1000;

/// Runs `wolff rra`.
pub fn rra(args: &Rra) -> Result<ExitCode, Failure> {
    let loaded = load(&args.inputs, &[], Accelerations::SecondDerivative)?;
    check_folder(&args.inputs, &loaded, "rra")?;
    let options = options(args, &loaded);
    let (Some(first), Some(last)) = (loaded.times.first(), loaded.times.last()) else {
        return Err(Failure::usage("no row of the motion is in that range of time", "widen --start and --end"));
    };
    let (found, seconds) = timed("residual reduction", &args.inputs, PARTS, |advance| {
        let mut progress = |fraction: f64| advance((fraction * PARTS as f64) as usize);
        reduce_residuals(&loaded.subject, &loaded.history, [*first, *last], &options, &mut progress)
    })?;
    let mut summary = summary(&loaded, seconds);
    for_machines(&found, &options, &mut summary);
    let summary = Value::Object(summary);
    let folder = folder::chosen(args.inputs.out.as_ref(), args.inputs.json, "rra", &loaded.title);
    if let Some(folder) = &folder {
        let model = File { name: "model_adjusted.osim".into(), bytes: model_text(&loaded, &found)?.into_bytes() };
        let picture = Picture {
            file: "kinematics.svg",
            title: "Residual reduction: coordinates with the largest changes",
            y_label: "angle [deg] or displacement [m]",
            takes: &|label| found.changes.iter().any(|c| c.coordinate == label),
        };
        let tables = [("kinematics_q.sto".to_string(), found.motion.clone())];
        let tables = Tables::of(Some(folder), &tables)?;
        folder::write(folder, tables, &[model], &picture, &loaded, &summary)?;
    }
    if args.inputs.json {
        output::print_json(&summary)?;
        return Ok(ExitCode::SUCCESS);
    }
    for remark in &loaded.remarks {
        output::warn(remark);
    }
    let mut text = for_people(&found, &options);
    if let Some(folder) = folder {
        let _ = writeln!(text, "files are in {}", folder.display());
    }
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

/// Options have priority over the set-up file; the default is the torso and the joint that carries it.
fn options(args: &Rra, loaded: &Loaded) -> ReductionOptions {
    let usual = ReductionOptions::default();
    let bodies = loaded.subject.model.bodies();
    let known = |name: &str| bodies.iter().any(|b| b.name == name);
    let from_setup = match &loaded.from_setup.reduction {
        Some(tool) => tool.adjusted_body.clone(),
        None => Some(USUAL_BODY.to_string()).filter(|b| known(b)),
    };
    let body = if args.no_centre { None } else { args.body.clone().or(from_setup) };
    let joint = bodies.iter().find(|b| Some(&b.name) == body.as_ref()).map(|b| b.joint_name.clone());
    let of_joint = loaded.subject.coordinates.iter().filter(|c| Some(&c.joint) == joint.as_ref());
    let coordinates =
        if args.coordinate.is_empty() { of_joint.map(|c| c.name.clone()).collect() } else { args.coordinate.clone() };
    let mut scales = usual.scales;
    scales.residual = args.residual.map_or(scales.residual, |percent| percent / 100.0);
    ReductionOptions {
        coordinates,
        body,
        masses: args.masses,
        knots: args.knots.unwrap_or(usual.knots),
        scales,
        ..usual
    }
}

/// The file of the model with the changed masses.
fn model_text(loaded: &Loaded, found: &ResidualReduction) -> Result<String, Failure> {
    let text = String::from_utf8_lossy(&read(&loaded.model_file)?).into_owned();
    Ok(with_masses(&text, &found.bodies)?)
}

fn for_people(found: &ResidualReduction, options: &ReductionOptions) -> String {
    let right = |title| (title, Align::Right);
    let header = [
        ("residual", Align::Left),
        right("RMS before"),
        right("after"),
        right("peak before"),
        right("after"),
        right("RMS after [% of weight, or % of weight times 1 m]"),
    ];
    let row = |r: &ResidualSize| {
        let name = format!("{} [{}]", r.coordinate, if r.moment { "N m" } else { "N" });
        let [rms, peak] = [r.rms, r.peak].map(|pair| pair.map(|x| format!("{x:.2}")));
        vec![
            name,
            rms[0].clone(),
            rms[1].clone(),
            peak[0].clone(),
            peak[1].clone(),
            format!("{:.2}", 100.0 * r.rms[1] / found.weight),
        ]
    };
    let mut text = table(&header, &found.residuals.iter().map(row).collect::<Vec<_>>());
    let header = [("change of", Align::Left), ("RMS", Align::Right), ("largest", Align::Right), ("unit", Align::Left)];
    let row = |c: &CoordinateChange| {
        let (unit, scale) = if c.turns { ("deg", 180.0 / std::f64::consts::PI) } else { ("mm", 1e3) };
        vec![c.coordinate.clone(), format!("{:.2}", c.rms * scale), format!("{:.2}", c.max * scale), unit.into()]
    };
    let _ = write!(text, "\n{}\n", table(&header, &found.changes.iter().map(row).collect::<Vec<_>>()));
    if let Some(body) = &options.body {
        let [x, y, z] = found.centre_shift.map(|x| format!("{:.1}", 1e3 * x));
        let _ = writeln!(text, "mass centre of `{body}` moved by {x}, {y}, {z} mm");
    }
    let [before, after] = found.mass;
    let _ = writeln!(
        text,
        "mass: {} kg, before: {} kg; recommended change of mass from the mean residual force: {:+.3} kg",
        number(after),
        number(before),
        found.recommended_mass_change
    );
    text
}

fn for_machines(found: &ResidualReduction, options: &ReductionOptions, summary: &mut Map<String, Value>) {
    let residual = |r: &ResidualSize| json!({ "coordinate": r.coordinate, "unit": if r.moment { "N m" } else { "N" }, "rms": r.rms, "peak": r.peak, "mean": r.mean });
    let change = |c: &CoordinateChange| json!({ "coordinate": c.coordinate, "unit": if c.turns { "rad" } else { "m" }, "rms": c.rms, "max": c.max });
    summary.insert("residuals_before_after".into(), found.residuals.iter().map(residual).collect());
    summary.insert("changes".into(), found.changes.iter().map(change).collect());
    summary.insert("body".into(), json!(options.body));
    summary.insert("centre_shift_m".into(), json!(found.centre_shift));
    summary.insert("mass_kg".into(), json!(found.mass));
    summary.insert("recommended_mass_change_kg".into(), json!(found.recommended_mass_change));
    summary.insert("weight_n".into(), json!(found.weight));
}
