//! `wolff mesh`: shows, checks, repairs and converts a mesh file.

use crate::args::{Mesh, MeshCheck, MeshConvert, MeshInfo};
use crate::failure::Failure;
use crate::output::{Align, number, print, print_json, table};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::ExitCode;
use wolff_fem::quality::{Fault, QualityReport, quality};
use wolff_fem::repair::{RepairOptions, RepairReport, repair};
use wolff_fem::summary::{MeshSummary, summarise};
use wolff_fem::{ElementKind, TetMesh};
use wolff_meshes::solid::{read_mesh, read_mesh_scaled, write_mesh};

/// Runs the command.
pub fn mesh(command: &Mesh) -> Result<ExitCode, Failure> {
    match command {
        Mesh::Info(args) => info(args),
        Mesh::Check(args) => check(args),
        Mesh::Convert(args) => convert(args),
    }
}

/// Whether the output is JSON.
pub fn wants_json(command: &Mesh) -> bool {
    match command {
        Mesh::Info(args) => args.json,
        Mesh::Check(args) => args.json,
        Mesh::Convert(args) => args.json,
    }
}

fn info(args: &MeshInfo) -> Result<ExitCode, Failure> {
    let mesh = read_mesh_scaled(&args.file, args.scale)?;
    let (summary, report) = (summarise(&mesh), quality(&mesh));
    if args.json {
        print_json(&info_json(&mesh, &summary, &report))?;
    } else {
        let header = [("quantity", Align::Left), ("value", Align::Right), ("unit", Align::Left)];
        let sizes = table(&header, &info_rows(&summary, &report));
        print(&format!("{sizes}{}{}", after_line(&sets_table(&mesh)), after_line(&faults_table(&report.faults()))))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn check(args: &MeshCheck) -> Result<ExitCode, Failure> {
    let mesh = read_mesh(&args.file)?;
    let found = quality(&mesh);
    let (mended, repaired) = match &args.repair {
        Some(_) => {
            let options = RepairOptions {
                merge_distance: args.merge,
                largest_part_only: args.largest_part,
                ..RepairOptions::default()
            };
            let (mended, repaired) = repair(&mesh, &options)?;
            (mended, Some(repaired))
        }
        None => (mesh, None),
    };
    let left = if repaired.is_some() { quality(&mended) } else { found.clone() };
    let written = args.repair.as_ref().filter(|_| left.is_sound());
    if let Some(out) = written {
        write_mesh(out, &mended)?;
    }
    if args.json {
        print_json(&json!({
            "status": if left.is_sound() { "ok" } else { "failed" },
            "faults": faults_json(&found),
            "repair": repaired.as_ref().map(repair_json),
            "faults_left": faults_json(&left),
            "written": written.map(|out| out.display().to_string()),
            "quality": quality_json(&left),
        }))?;
    } else {
        print(&check_text(&found, repaired.as_ref(), &left))?;
        if let Some(out) = written {
            print(&format!("Wrote {}.\n", out.display()))?;
        }
    }
    Ok(if left.is_sound() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

fn check_text(found: &QualityReport, repaired: Option<&RepairReport>, left: &QualityReport) -> String {
    let mut text = faults_table(&found.faults());
    if found.is_sound() {
        text += "The mesh is sound.\n";
    }
    if let Some(r) = repaired {
        text += &format!(
            "\nRepaired: {} nodes merged, {} elements reversed; removed: {} flat or duplicate elements, {} elements of \
             smaller parts and {} unused nodes.\n",
            r.merged_nodes, r.flipped_elements, r.dropped_elements, r.dropped_with_parts, r.dropped_nodes
        );
        if !left.is_sound() {
            text += &format!("Faults remain, so nothing is written:\n{}", faults_table(&left.faults()));
            text += "Mesh the solid again, or add --largest-part or --merge DISTANCE.\n";
        }
    } else if !found.is_sound() {
        text += "\n--repair OUT repairs inverted, flat and duplicate elements, duplicate and unused nodes; \
                 for other faults, mesh the solid again.\n";
    }
    text
}

fn convert(args: &MeshConvert) -> Result<ExitCode, Failure> {
    let mesh = read_mesh_scaled(&args.input, args.scale)?;
    write_mesh(&args.output, &mesh)?;
    let (nodes, elements) = (mesh.nodes().len(), mesh.element_count());
    let output = args.output.display().to_string();
    if args.json {
        print_json(&json!({ "written": output, "nodes": nodes, "elements": elements }))?;
    } else {
        print(&format!("Wrote {output}: {nodes} nodes, {elements} {} elements.\n", kind_name(mesh.kind())))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn kind_name(kind: ElementKind) -> &'static str {
    match kind {
        ElementKind::Tet4 => "tet4",
        ElementKind::Tet10 => "tet10",
    }
}

fn info_rows(summary: &MeshSummary, report: &QualityReport) -> Vec<Vec<String>> {
    let row = |name: &str, value: String, unit: &str| vec![name.to_string(), value, unit.to_string()];
    let range = |d: usize| format!("{} to {}", number(summary.low[d]), number(summary.high[d]));
    vec![
        row("elements", summary.elements.to_string(), kind_name(summary.kind)),
        row("nodes", summary.nodes.to_string(), ""),
        row("degrees of freedom", summary.dof.to_string(), ""),
        row("volume", number(summary.volume), "m³"),
        row("surface", summary.surface_area.map_or("none".into(), number), "m²"),
        row("x", range(0), "m"),
        row("y", range(1), "m"),
        row("z", range(2), "m"),
        row("parts", report.parts.to_string(), ""),
        row("worst shape (1: regular, 0: flat)", format!("{:.4}", report.worst_shape), ""),
        row("worst element", report.worst_element.to_string(), ""),
        row("smallest dihedral angle", format!("{:.2}", report.smallest_dihedral.to_degrees()), "deg"),
        row("largest dihedral angle", format!("{:.2}", report.largest_dihedral.to_degrees()), "deg"),
        row("sound", if report.is_sound() { "yes" } else { "NO" }.into(), ""),
    ]
}

fn sets_table(mesh: &TetMesh) -> String {
    let of = |sets: &BTreeMap<String, Vec<usize>>, kind: &str| -> Vec<Vec<String>> {
        sets.iter().map(|(name, set)| vec![name.clone(), kind.to_string(), set.len().to_string()]).collect()
    };
    let rows = [of(mesh.node_sets(), "nodes"), of(mesh.element_sets(), "elements")].concat();
    table(&[("set", Align::Left), ("of", Align::Left), ("members", Align::Right)], &rows)
}

fn faults_table(faults: &[Fault]) -> String {
    let header = [("fault", Align::Left), ("count", Align::Right), ("first", Align::Left), ("remedy", Align::Left)];
    let row = |fault: &Fault| {
        vec![fault.name.to_string(), fault.count.to_string(), fault.first.join(", "), fault.remedy.to_string()]
    };
    table(&header, &faults.iter().map(row).collect::<Vec<_>>())
}

/// A table after an empty line; empty for an empty table.
fn after_line(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\n{text}") }
}

fn info_json(mesh: &TetMesh, summary: &MeshSummary, report: &QualityReport) -> Value {
    let sizes = |sets: &BTreeMap<String, Vec<usize>>| -> Value {
        sets.iter().map(|(name, set)| (name.clone(), json!(set.len()))).collect::<serde_json::Map<_, _>>().into()
    };
    json!({
        "kind": kind_name(summary.kind),
        "nodes": summary.nodes,
        "elements": summary.elements,
        "dof": summary.dof,
        "volume": summary.volume,
        "surface_area": summary.surface_area,
        "bounding_box": { "low": summary.low.as_slice(), "high": summary.high.as_slice() },
        "node_sets": sizes(mesh.node_sets()),
        "element_sets": sizes(mesh.element_sets()),
        "quality": quality_json(report),
    })
}

fn quality_json(report: &QualityReport) -> Value {
    let worst: Vec<Value> =
        report.worst_elements.iter().map(|(element, shape)| json!({ "element": element, "shape": shape })).collect();
    json!({
        "sound": report.is_sound(),
        "faults": faults_json(report),
        "parts": report.parts,
        "worst_shape": report.worst_shape,
        "worst_elements": worst,
        "smallest_dihedral": report.smallest_dihedral,
        "largest_dihedral": report.largest_dihedral,
    })
}

fn faults_json(report: &QualityReport) -> Vec<Value> {
    let fault = |Fault { name, count, first, remedy }: &Fault| json!({ "fault": name, "count": count, "first": first, "remedy": remedy });
    report.faults().iter().map(fault).collect()
}

fn repair_json(report: &RepairReport) -> Value {
    json!({
        "merged_nodes": report.merged_nodes,
        "flipped_elements": report.flipped_elements,
        "dropped_elements": report.dropped_elements,
        "dropped_with_parts": report.dropped_with_parts,
        "dropped_nodes": report.dropped_nodes,
    })
}
