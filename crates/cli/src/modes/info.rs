//! Content and pictures of the file of a body.

use super::args::Modes;
use super::{check_targets, write_pictures};
use crate::answer;
use crate::failure::Failure;
use crate::output::{Align, number, table};
use serde_json::{Map, Value, json};
use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::process::ExitCode;
use wolff_files::input::Recorder;
use wolff_flexbody::{FlexBody, FlexBodyFile, MeshReference};
use wolff_report::json::Stopwatch;
use wolff_report::outcome::{Outcome, RunKind};

/// Runs the command.
pub fn info(args: &Modes) -> Result<ExitCode, Failure> {
    refuse_reduction(args)?;
    check_targets(&args.output)?;
    let (recorder, clock) = (Recorder::start(), Stopwatch::start());
    let file = FlexBodyFile::load(&args.mesh)?;
    let wants_surface = args.output.picture.is_some() || args.output.vtu.is_some();
    let written = match &file.surface {
        Some(surface) => write_pictures(&args.output, &file.body.name, surface, &file.body.frequencies(), Vec::new())?,
        None if wants_surface => {
            return Err(Failure::usage(
                format!("`{}` has no surface to draw", args.mesh),
                "reduce the mesh again with `wolff modes MESH`, which stores the surface",
            ));
        }
        None => Vec::new(),
    };
    let results = match for_machines(&file, &written) {
        Value::Object(results) => results,
        _ => Map::new(),
    };
    let mut outcome = Outcome { kind: RunKind::Command, study: "modes".into(), results, ..Outcome::default() };
    outcome.add_inputs(recorder.finish());
    answer::show(&outcome, &clock.stop(0.0), None, args.output.json, &for_people(&file, &written))
}

/// A reduced body cannot be reduced again.
fn refuse_reduction(args: &Modes) -> Result<(), Failure> {
    let (s, r) = (&args.solid, &args.reduction);
    let solid = s.transverse.is_given()
        || s.file.part.is_some()
        || [s.file.given_unit(), s.length, s.young, s.poisson, s.density, s.mass].iter().any(Option::is_some);
    let named = s.axis.is_some() || s.material.is_some();
    let reduction = r.free
        || r.check
        || r.relief
        || r.stiffening
        || !(r.interface.is_empty() && r.point.is_empty() && r.gauge.is_empty());
    let numbers = [r.count, r.normal, r.modes].iter().any(Option::is_some)
        || [r.max_frequency, r.gauge_tolerance, r.strain_energy, r.damping].iter().any(Option::is_some)
        || r.kind.is_some()
        || args.output.out.is_some()
        || args.output.name.is_some();
    if solid || named || reduction || numbers {
        return Err(Failure::usage(
            format!("`{}` is a body that is reduced already", args.mesh),
            "use only --info, --json, --picture and --vtu with it, or give the mesh to reduce it again",
        ));
    }
    Ok(())
}

fn for_people(file: &FlexBodyFile, written: &[String]) -> String {
    let body = &file.body;
    let mut text = format!("{}: {} modes\n\n", body.name, body.modes());
    let rows: Vec<Vec<String>> = body
        .frequencies()
        .iter()
        .zip(damping_ratios(body))
        .enumerate()
        .map(|(i, (f, zeta))| vec![(i + 1).to_string(), format!("{f:.3}"), zeta.map_or_else(String::new, number)])
        .collect();
    let header = [("mode", Align::Right), ("frequency [Hz]", Align::Right), ("damping ratio", Align::Right)];
    let _ = writeln!(text, "{}", table(&header, &rows));
    text += &parts_table(body);
    let mass = body.mass_properties();
    let _ = writeln!(text, "\nmass {} kg, centre of mass {} m", number(mass.mass), vector(mass.com.as_slice()));
    if let Some(surface) = &file.surface {
        let _ =
            writeln!(text, "surface of {} nodes and {} triangles", surface.positions.len(), surface.triangles.len());
    }
    if let Some(mesh) = &file.mesh {
        let _ = writeln!(text, "reduced from {} (SHA-256 {})", mesh.path, hexadecimal(mesh));
    }
    for file in written {
        let _ = writeln!(text, "Wrote {file}.");
    }
    text
}

/// Nodes and gauges.
fn parts_table(body: &FlexBody) -> String {
    let row = |kind: &str, name: &str, at: &[f64]| {
        let mut cells = vec![kind.to_string(), name.to_string()];
        cells.extend(at.iter().map(|&x| number(x)));
        cells
    };
    let nodes = body.nodes.iter().map(|n| row("node", &n.name, n.position.as_slice()));
    let gauges = body.gauges.iter().map(|g| row("gauge", &g.name, g.position.as_slice()));
    let header = [
        ("part", Align::Left),
        ("name", Align::Left),
        ("x [m]", Align::Right),
        ("y [m]", Align::Right),
        ("z [m]", Align::Right),
    ];
    table(&header, &nodes.chain(gauges).collect::<Vec<_>>())
}

fn for_machines(file: &FlexBodyFile, written: &[String]) -> Value {
    let body = &file.body;
    let mass = body.mass_properties();
    let nodes = body.nodes.iter().map(|n| json!({ "name": n.name, "position": n.position.as_slice() }));
    let gauges = body.gauges.iter().map(|g| json!({ "name": g.name, "position": g.position.as_slice() }));
    let mut results = json!({
        "name": body.name,
        "frequencies_hz": body.frequencies(),
        "damping_ratios": damping_ratios(body),
        "mass_kg": mass.mass,
        "centre_of_mass": mass.com.as_slice(),
        "places": nodes.collect::<Vec<_>>(),
        "gauges": gauges.collect::<Vec<_>>(),
        "written": written,
    });
    if let Some(s) = &file.surface {
        results["surface"] = json!({ "nodes": s.positions.len(), "triangles": s.triangles.len() });
    }
    if let Some(m) = &file.mesh {
        results["mesh"] = json!({ "path": m.path, "sha256": hexadecimal(m) });
    }
    results
}

/// `D_ii / (2 ω_i M_ii)`: the critical damping ratios of orthogonal modes; `None` where a frequency is zero.
fn damping_ratios(body: &FlexBody) -> Vec<Option<f64>> {
    let mass = body.inertia.modal_mass();
    let ratio = |(i, f): (usize, &f64)| (*f > 0.0).then(|| body.damping[(i, i)] / (2.0 * TAU * f * mass[(i, i)]));
    body.frequencies().iter().enumerate().map(ratio).collect()
}

fn vector(x: &[f64]) -> String {
    x.iter().map(|&x| number(x)).collect::<Vec<_>>().join(", ")
}

fn hexadecimal(mesh: &MeshReference) -> String {
    mesh.sha256.iter().map(|byte| format!("{byte:02x}")).collect()
}
