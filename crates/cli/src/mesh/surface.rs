//! Surfaces of triangles.

use super::args::{MeshCheck, MeshConvert, MeshInfo, ReadArgs};
use super::{Answer, judged_size};
use crate::failure::Failure;
use crate::output::{Align, number, table};
use serde_json::{Value, json};
use std::path::Path;
use wolff_files::atomic::write_file;
use wolff_geometry::triangles::CrowdedEdge;
use wolff_geometry::{GeometryError, Mending, SurfaceFaults, TriangleMesh};
use wolff_meshes::size;
use wolff_meshes::surface;
use wolff_report::outcome::Finding;

/// Number of places that are named.
const NAMED: usize = 5;

/// The surface, and findings about its reading.
fn read(file: &Path, bytes: &[u8], args: &ReadArgs) -> Result<(TriangleMesh, Vec<Finding>), Failure> {
    let shown = file.display().to_string();
    let wrong = |e: GeometryError| Failure::usage(format!("`{shown}`: {e}"), "export the surface again");
    if args.file.part.is_some() {
        return Err(Failure::usage("--part applies to Abaqus files of solids", "omit it for a surface"));
    }
    let cleaned = surface::read(&shown, bytes).map_err(wrong)?;
    let (mesh, left_out) = (cleaned.mesh, cleaned.triangles_removed);
    let mesh = if args.file.size() == 1.0 { mesh } else { mesh.scaled(args.file.size()).map_err(wrong)? };
    let found = (left_out > 0).then(|| Finding::note(format!("{left_out} triangles without area were left out"), ""));
    Ok((mesh, found.into_iter().collect()))
}

/// Size, rims and faults.
pub(super) fn info(args: &MeshInfo, bytes: &[u8]) -> Result<Answer, Failure> {
    let (mesh, read) = read(&args.file, bytes, &args.read)?;
    let faults = mesh.faults();
    let judgement = judged_size("the surface", mesh.vertices(), &args.read, [read, findings(&faults)].concat())?;
    let (results, rows) = described(&mesh, &faults);
    let header = [("quantity", Align::Left), ("value", Align::Right), ("unit", Align::Left)];
    Ok(Answer::new(judgement, results, table(&header, &rows)))
}

fn described(mesh: &TriangleMesh, faults: &SurfaceFaults) -> (Value, Vec<Vec<String>>) {
    let row = |name: &str, value: String, unit: &str| vec![name.to_string(), value, unit.to_string()];
    let report = mesh.report();
    let (triangles, vertices) = (mesh.triangles().len(), mesh.vertices().len());
    let longest = size::longest_side(mesh.vertices());
    let mut results = json!({
        "kind": "surface",
        "triangles": triangles,
        "vertices": vertices,
        "longest_side": longest,
        "open_edges": faults.open_edges,
        "edges_of_more_than_two_triangles": faults.crowded.len(),
        "disagreeing_edges": faults.disagreeing,
        "repeated_triangles": faults.repeated,
        "inside_out_parts": faults.inside_out,
        "sound": faults.is_sound(),
    });
    let mut rows = vec![
        row("triangles", triangles.to_string(), ""),
        row("vertices", vertices.to_string(), ""),
        row("longest side", number(longest), "m"),
    ];
    if let Ok(report) = &report {
        results["area"] = json!(report.area);
        results["parts"] = json!(report.parts);
        results["rims"] = json!(report.rims.len());
        rows.push(row("area", number(report.area), "m²"));
        rows.push(row("parts", report.parts.to_string(), ""));
        rows.push(row("rims", report.rims.len().to_string(), ""));
        if let Some(volume) = report.volume {
            results["volume"] = json!(volume);
            rows.push(row("enclosed volume", number(volume), "m³"));
        }
    }
    rows.extend([
        row("open edges", faults.open_edges.to_string(), ""),
        row("edges of more than two triangles", faults.crowded.len().to_string(), ""),
        row("edges whose triangles disagree", faults.disagreeing.to_string(), ""),
        row("repeated triangles", faults.repeated.to_string(), ""),
        row("closed parts that are inside out", faults.inside_out.to_string(), ""),
        row("sound", if faults.is_sound() { "yes" } else { "NO" }.into(), ""),
    ]);
    (results, rows)
}

/// `12-40 at (1.0, 2.0, 3.0) mm`, the first few.
fn places(crowded: &[CrowdedEdge]) -> String {
    let one = |c: &CrowdedEdge| {
        let [x, y, z] = [c.place.x, c.place.y, c.place.z].map(|x| 1e3 * x);
        format!("{}-{} at ({x:.2}, {y:.2}, {z:.2}) mm", c.edge[0], c.edge[1])
    };
    let more = if crowded.len() > NAMED { format!(" and {} more", crowded.len() - NAMED) } else { String::new() };
    format!("{}{more}", crowded.iter().take(NAMED).map(one).collect::<Vec<_>>().join(", "))
}

fn findings(faults: &SurfaceFaults) -> Vec<Finding> {
    let repair = "repair it with `wolff mesh check FILE --repair OUT`";
    let mut found = Vec::new();
    if !faults.crowded.is_empty() {
        let (count, places) = (faults.crowded.len(), places(&faults.crowded));
        let message = format!("at {count} edges more than two triangles meet, at most two may: {places}");
        found.push(Finding::warning(message, repair));
    }
    if faults.disagreeing > 0 {
        let message = format!("at {} edges the two triangles disagree on the outside", faults.disagreeing);
        found.push(Finding::warning(message, repair));
    }
    if faults.inside_out > 0 {
        let message = format!("{} closed parts are inside out: their normals point inwards", faults.inside_out);
        found.push(Finding::warning(message, repair));
    }
    if faults.repeated > 0 {
        found.push(Finding::warning(format!("{} triangles are there twice", faults.repeated), repair));
    }
    if faults.open_edges > 0 {
        let message = format!("the surface is open: {} edges belong to one triangle only", faults.open_edges);
        found.push(Finding::note(message, "this is right for a sheet of cartilage and wrong for a whole bone"));
    }
    found
}

/// Faults, and their repair.
pub(super) fn check(args: &MeshCheck, bytes: &[u8]) -> Result<Answer, Failure> {
    let (mesh, read) = read(&args.file, bytes, &args.read)?;
    let faults = mesh.faults();
    let judgement = judged_size("the surface", mesh.vertices(), &args.read, [read, findings(&faults)].concat())?;
    let (mut results, rows) = described(&mesh, &faults);
    let header = [("quantity", Align::Left), ("value", Align::Right), ("unit", Align::Left)];
    let mut text = table(&header, &rows);
    let Some(out) = &args.repair else {
        return Ok(Answer::new(judgement, results, text).faulty(!faults.is_sound()));
    };
    let wrong = |e: GeometryError| Failure::usage(e.to_string(), "repair the surface with the program that made it");
    let (mended, done) = mesh.mended().map_err(wrong)?;
    text += &mending_text(&done);
    results["repair"] = json!({
        "repeated_triangles": done.repeated,
        "triangles_that_stick_out": done.fins,
        "turned_triangles": done.turned,
        "edges_left": done.crowded.iter().map(|c| c.edge).collect::<Vec<_>>(),
    });
    let sound = mended.faults().is_sound();
    if sound {
        write_file(out, &surface::write(&out.to_string_lossy(), &mended).map_err(wrong)?)?;
        results["written"] = json!(out.display().to_string());
        text += &format!("Wrote {}.\n", out.display());
    } else {
        text += "Faults remain, so nothing is written.\n";
    }
    Ok(Answer::new(judgement, results, text).faulty(!sound))
}

fn mending_text(done: &Mending) -> String {
    let mut text = format!(
        "\nRepaired: {} repeated triangles and {} triangles that stick out removed, {} triangles turned.\n",
        done.repeated, done.fins, done.turned
    );
    if !done.crowded.is_empty() {
        text += &format!(
            "{} edges of more than two triangles are left: {}. Remove the inner triangles, or split the surface there.\n",
            done.crowded.len(),
            places(&done.crowded)
        );
    }
    text
}

/// Writes another format or unit.
pub(super) fn convert(args: &MeshConvert, bytes: &[u8]) -> Result<Answer, Failure> {
    let (mesh, read) = read(&args.input, bytes, &args.read)?;
    let judgement = judged_size("the surface", mesh.vertices(), &args.read, read)?;
    let output = args.output.display().to_string();
    let wrong = |e: GeometryError| Failure::usage(e.to_string(), "surfaces are written as .stl or .obj");
    write_file(&args.output, &surface::write(&output, &mesh).map_err(wrong)?)?;
    let (vertices, triangles) = (mesh.vertices().len(), mesh.triangles().len());
    let text = format!("Wrote {output}: {vertices} vertices, {triangles} triangles.\n");
    Ok(Answer::new(judgement, json!({ "written": output, "vertices": vertices, "triangles": triangles }), text))
}
