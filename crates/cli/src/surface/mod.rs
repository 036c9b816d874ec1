//! `wolff surface`: surfaces, tables and profiles for contact from meshes, point clouds and curves.

pub mod args;
mod table;

use crate::answer;
use crate::failure::Failure;
use crate::output::{Align, number, table as text_table};
use args::{AxisName, CommonArgs, FitArgs, PartArgs, ProfileArgs, SurfaceCommand};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::process::ExitCode;
use wolff_files::atomic::write_file;
use wolff_files::input::Recorder;
use wolff_formats::{Table, csv};
use wolff_geometry::nurbs::FitErrors;
use wolff_meshes::nurbs::{self, NamedSurface};
use wolff_report::json::Stopwatch;
use wolff_report::outcome::{Finding, Judgement, Limit, Outcome, RunKind};
use wolff_scan::prepare::{self, FitRequest, Fitted, Shape, Side};
use wolff_spatial::Vec3;

/// Runs the command.
pub fn surface(command: &SurfaceCommand) -> Result<ExitCode, Failure> {
    let (recorder, clock) = (Recorder::start(), Stopwatch::start());
    let answer = match command {
        SurfaceCommand::Fit(args) => fit(args)?,
        SurfaceCommand::Table(args) => table::table(args)?,
        SurfaceCommand::Profile(args) => profile(args)?,
    };
    let (judgement, results) = (answer.judgement, answer.results);
    let mut outcome =
        Outcome { kind: RunKind::Command, study: "surface".into(), results, judgement, ..Outcome::default() };
    outcome.add_inputs(recorder.finish());
    answer::show(&outcome, &clock.stop(0.0), None, wants_json(command), &answer.text)
}

/// Whether the output is JSON.
pub fn wants_json(command: &SurfaceCommand) -> bool {
    match command {
        SurfaceCommand::Fit(args) => args.common.json,
        SurfaceCommand::Table(args) => args.common.json,
        SurfaceCommand::Profile(args) => args.common.json,
    }
}

/// What a command has to say.
#[derive(Default)]
struct Answer {
    judgement: Judgement,
    results: Map<String, Value>,
    rows: Vec<Vec<String>>,
    text: String,
}

impl Answer {
    /// An answer about an input with these findings, unless they refuse it.
    fn new(found: Vec<Finding>, common: &CommonArgs) -> Result<Self, Failure> {
        let mut answer = Answer::default();
        answer.judgement.found(found);
        answer::gate(&answer.judgement, common.force)?;
        Ok(answer)
    }

    fn row(&mut self, key: &str, name: &str, value: f64, unit: &str) {
        self.results.insert(key.into(), json!(value));
        self.rows.push(vec![name.into(), number(value), unit.into()]);
    }

    /// Mean, standard deviation and largest of the distances.
    fn errors(&mut self, errors: &FitErrors, tolerance_mm: f64) {
        self.row("error_mean_mm", "mean distance", 1e3 * errors.mean, "mm");
        self.row("error_deviation_mm", "standard deviation", 1e3 * errors.deviation, "mm");
        self.row("error_max_mm", "largest distance", 1e3 * errors.max, "mm");
        let limit = Limit::at_most(1.000_001 * tolerance_mm, f64::INFINITY).because("the tolerance asked for");
        let remedy = "give a larger --tolerance, or a smaller part of the surface";
        self.judgement.judge("largest distance from the fit", "mm", 1e3 * errors.max, &limit, remedy);
    }

    fn finished(mut self, out: &Path) -> Self {
        let header = [("quantity", Align::Left), ("value", Align::Right), ("unit", Align::Left)];
        self.text = format!("{}Wrote {}, in m.\n", text_table(&header, &self.rows), out.display());
        self.results.insert("written".into(), json!(out.display().to_string()));
        self
    }
}

fn request(part: &PartArgs, common: &CommonArgs) -> FitRequest {
    let side = match part.axis {
        Some(axis) => {
            let through = part.through.unwrap_or_default().map(|x| 1e-3 * x);
            Side::AwayFromAxis(Vec3::from(through), Vec3::ith(index(axis), 1.0))
        }
        None => Side::Towards(part.towards.map(Vec3::from)),
    };
    FitRequest { side, tolerance: 1e-3 * common.tolerance, fewest: part.fewest }
}

fn index(axis: AxisName) -> usize {
    match axis {
        AxisName::X => 0,
        AxisName::Y => 1,
        AxisName::Z => 2,
    }
}

/// Fits, tells the error, draws the deviation.
fn fitted(shape: &Shape, part: &PartArgs, common: &CommonArgs, answer: &mut Answer) -> Result<Fitted, Failure> {
    let fitted = prepare::fit(shape, &request(part, common))?;
    let (points, triangles) = match shape {
        Shape::Mesh(mesh) => (mesh.vertices(), mesh.triangles()),
        Shape::Points(points) => (&points[..], &[][..]),
        Shape::Nurbs(_) => (&[][..], &[][..]),
    };
    let (u, v) = (fitted.surface.knots_u().control_count(), fitted.surface.knots_v().control_count());
    answer.row("points", "points of the input", points.len() as f64, "");
    answer.row("left_out", "left out, on sharp bends", fitted.left_out as f64, "");
    answer.row("control_points", "control points", (u * v) as f64, "");
    answer.errors(&fitted.errors, common.tolerance);
    if let Some(picture) = &part.picture {
        let deviations = fitted.deviations(points).map_err(|e| Failure::usage(e.to_string(), "omit --picture"))?;
        let svg = prepare::map::deviation_svg(points, triangles, &deviations, &fitted.seen_from);
        write_file(picture, svg.as_bytes())?;
        answer.results.insert("picture".into(), json!(picture.display().to_string()));
    }
    Ok(fitted)
}

fn fit(args: &FitArgs) -> Result<Answer, Failure> {
    refuse_ending(&args.common.out, "json", "a NURBS surface")?;
    let (shape, found) = prepare::read(&args.common.input, args.common.unit, false)?;
    let mut answer = Answer::new(found, &args.common)?;
    let fitted = fitted(&shape, &args.part, &args.common, &mut answer)?;
    let name = args.common.out.file_stem().map_or_else(|| "surface".into(), |name| name.to_string_lossy().into_owned());
    let named = NamedSurface { name, surface: fitted.surface, mask: fitted.mask };
    let text = nurbs::write(&[named]).map_err(|e| Failure::usage(e.to_string(), "give another --tolerance"))?;
    write_file(&args.common.out, text.as_bytes())?;
    Ok(answer.finished(&args.common.out))
}

fn profile(args: &ProfileArgs) -> Result<Answer, Failure> {
    refuse_ending(&args.common.out, "csv", "a profile")?;
    let (shape, found) = prepare::read(&args.common.input, args.common.unit, false)?;
    let mut answer = Answer::new(found, &args.common)?;
    let (curve, closed) = match &shape {
        Shape::Mesh(mesh) => prepare::section(mesh, index(args.across), 1e-3 * args.at)?,
        Shape::Points(points) => (points.iter().map(|p| [p.x, p.y]).collect(), args.closed),
        Shape::Nurbs(_) => {
            let help = "give the mesh, or a .csv of points x, y along the curve";
            return Err(Failure::usage("sections of NURBS surfaces are not supported", help));
        }
    };
    let points = args.points.map(|n| n as usize);
    let fitted = prepare::fit_curve(&curve, closed, 1e-3 * args.common.tolerance, points)?;
    answer.row("curve_points", "points of the curve", curve.len() as f64, "");
    answer.row("points", "points of the profile", fitted.points.len() as f64, "");
    answer.results.insert("closed".into(), json!(fitted.closed));
    answer.errors(&fitted.errors, args.common.tolerance);
    let rows = fitted.points.iter().map(|p| p.to_vec()).collect();
    let table = Table::new(vec!["x".into(), "y".into()], rows);
    let table = table.map_err(|e| Failure::usage(e.to_string(), "give another --tolerance"))?;
    write_file(&args.common.out, csv::write(&table).as_bytes())?;
    let mut answer = answer.finished(&args.common.out);
    if fitted.closed {
        answer.text += "The curve is closed: give the contact `closed = true`.\n";
    }
    Ok(answer)
}

/// The ending of an output tells its format.
fn refuse_ending(out: &Path, ending: &str, what: &str) -> Result<(), Failure> {
    match out.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending)) {
        true => Ok(()),
        false => Err(Failure::usage(
            format!("`{}` does not end in .{ending}, the format of {what}", out.display()),
            "give another name with -o",
        )),
    }
}
