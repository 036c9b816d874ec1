//! Meshes of tetrahedra.

use super::args::{MeshCheck, MeshConvert, MeshInfo, ReadArgs};
use super::{Answer, judged_size, length, volume};
use crate::failure::Failure;
use crate::output::{Align, number, size, table};
use crate::table;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use wolff_bone::flexible::mid_node_finding;
use wolff_fem::quality::{Fault, QualityReport, quality};
use wolff_fem::repair::{RepairOptions, RepairReport, SliverChange, repair};
use wolff_fem::summary::{MeshSummary, summarise};
use wolff_fem::{ElementKind, TetMesh};
use wolff_meshes::solid::{read_mesh_part_scaled, write_mesh};
use wolff_report::outcome::Finding;

fn read(file: &Path, args: &ReadArgs) -> Result<TetMesh, Failure> {
    Ok(read_mesh_part_scaled(file, args.file.size(), args.file.part.as_deref())?)
}

/// Size, sets and quality.
pub(super) fn info(args: &MeshInfo) -> Result<Answer, Failure> {
    let mesh = read(&args.file, &args.read)?;
    let (summary, report) = (summarise(&mesh), quality(&mesh));
    let judgement = judged_size("the mesh", mesh.nodes(), &args.read, fault_findings(&report))?;
    let header = [("quantity", Align::Left), ("value", Align::Right), ("unit", Align::Left)];
    let sizes = table(&header, &info_rows(&summary, &report));
    let text = format!("{sizes}{}{}", after_line(&sets_table(&mesh)), after_line(&faults_table(&report.faults())));
    Ok(Answer::new(judgement, info_json(&mesh, &summary, &report), text))
}

/// A warning for every fault, and for mid nodes that are not in the middle.
fn fault_findings(report: &QualityReport) -> Vec<Finding> {
    let of_fault = |fault: &Fault| {
        let first =
            if fault.first.is_empty() { String::new() } else { format!(" (first: {})", fault.first.join(", ")) };
        let message = format!("the mesh has {} {}{first}", fault.count, fault.name);
        Finding::warning(message, "repair it with `wolff mesh check FILE --repair OUT`")
    };
    report.faults().iter().map(of_fault).chain(mid_node_finding(report)).collect()
}

/// Faults, and their repair.
pub(super) fn check(args: &MeshCheck) -> Result<Answer, Failure> {
    let mesh = read(&args.file, &args.read)?;
    let found = quality(&mesh);
    let mut judgement =
        judged_size("the mesh", mesh.nodes(), &args.read, mid_node_finding(&found).into_iter().collect())?;
    let volume = summarise(&mesh).volume;
    let (mended, repaired) = match &args.repair {
        Some(_) => {
            let options = RepairOptions {
                merge_distance: args.merge.map(|distance| args.read.file.size() * distance),
                largest_part_only: args.largest_part,
                ..RepairOptions::default()
            };
            let (mended, repaired) = repair(&mesh, &options)?;
            (mended, Some(repaired))
        }
        None => (mesh, None),
    };
    if repaired.is_some() {
        judgement.found(loss_finding(mended.element_count(), &found, repaired.as_ref()));
    }
    let left = if repaired.is_some() { quality(&mended) } else { found.clone() };
    let written = args.repair.as_ref().filter(|_| left.is_sound());
    if let Some(out) = written {
        write_mesh(out, &mended)?;
    }
    let mut results = json!({
        "faults": faults_json(&found),
        "faults_left": faults_json(&left),
        "quality": quality_json(&left),
    });
    if let Some(repaired) = &repaired {
        results["repair"] = repair_json(repaired);
        results["repair"]["volume_before"] = json!(volume);
        results["repair"]["volume_after"] = json!(summarise(&mended).volume);
    }
    let mut text = check_text(&found, repaired.as_ref(), &left, &args.read);
    if written.is_some() {
        text += &volume_text(volume, summarise(&mended).volume, &args.read);
    }
    if let Some(out) = written {
        results["written"] = json!(out.display().to_string());
        text += &format!("Wrote {}.\n", out.display());
    }
    Ok(Answer::new(judgement, results, text).faulty(!left.is_sound()))
}

/// A repair that removes many elements which were no faults has destroyed the mesh.
fn loss_finding(left: usize, found: &QualityReport, repaired: Option<&RepairReport>) -> Option<Finding> {
    let removed = repaired?.dropped_elements.saturating_sub(found.duplicate_elements.len());
    (removed as f64 > LARGEST_LOSS * left as f64).then(|| {
        let message = format!("the repair removed {removed} sound elements and left {left}: the shape is not the same");
        Finding::warning(message, "reduce the distance of --merge; it is for nodes that should be one")
    })
}

/// A repair that removes more sound elements than this part is told of.
const LARGEST_LOSS: f64 = 0.01;

fn check_text(found: &QualityReport, repaired: Option<&RepairReport>, left: &QualityReport, args: &ReadArgs) -> String {
    let mut text = faults_table(&found.faults());
    let prose = |text: &str| table::text(text, 0);
    if found.is_sound() {
        text += "The mesh is sound.\n";
    }
    if let Some(r) = repaired {
        text += &format!(
            "\n{}",
            prose(&format!(
                "Repaired: {} nodes merged, {} elements reversed, {} elements with mid nodes exchanged; removed: {} \
             repeated elements, {} elements of smaller parts and {} unused nodes.",
                r.merged_nodes,
                r.flipped_elements,
                r.reordered_elements,
                r.dropped_elements,
                r.dropped_with_parts,
                r.dropped_nodes
            ))
        );
        text += &slivers_text(r, args);
        if !left.is_sound() {
            text += &format!("Faults remain, so nothing is written:\n{}", faults_table(&left.faults()));
            text += &remedy_text(r, left);
        }
    } else if !found.is_sound() {
        let repair = "--repair OUT repairs inverted, flat and duplicate elements, duplicate and unused nodes; for \
                      other faults, mesh the solid again.";
        text += &format!("\n{}", prose(repair));
    }
    text
}

fn slivers_text(repaired: &RepairReport, args: &ReadArgs) -> String {
    let s = &repaired.slivers;
    if s.mended == 0 {
        return String::new();
    }
    let mut text = format!(
        "Flat elements: {} replaced, of which {} were left out at the surface; {} nodes moved by at most {}, the surface \
         by at most {}.\n",
        s.mended,
        s.left_out,
        s.moved_nodes,
        length(s.largest_move, args),
        length(s.largest_surface_move, args),
    );
    let row = |c: &SliverChange| {
        let (surface, change) = (length(c.surface_move, args), volume(c.volume, args));
        vec![c.element.to_string(), c.done.into(), surface, change]
    };
    let rows: Vec<Vec<String>> = s.changes.iter().take(SHOWN_CHANGES).map(row).collect();
    let header = [
        ("element", Align::Right),
        ("what was done", Align::Left),
        ("surface moved by", Align::Right),
        ("volume changed by", Align::Right),
    ];
    text += &table(&header, &rows);
    if s.changes.len() > rows.len() {
        text += &format!("and {} more; --json lists all\n", s.changes.len() - rows.len());
    }
    text
}

/// Number of changes that are shown to people.
const SHOWN_CHANGES: usize = 30;

/// How much the volume changed altogether.
fn volume_text(before: f64, after: f64, args: &ReadArgs) -> String {
    let percent = 100.0 * (after - before) / before;
    format!(
        "The volume changed by {} in all, {} % of {}.\n",
        volume(after - before, args),
        size(percent),
        volume(before, args)
    )
}

fn remedy_text(repaired: &RepairReport, left: &QualityReport) -> String {
    let flat = &repaired.slivers.left;
    let mut text = String::new();
    if !flat.is_empty() {
        let numbers = flat.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        text += &format!(
            "Mesh the solid again around these flat elements (numbered from 0 in the order of the file): {numbers}\n"
        );
    }
    if left.parts > 1 {
        text += "Add --largest-part to retain the largest part, or --merge DISTANCE to join parts that touch.\n";
    } else if flat.is_empty() {
        text += "Mesh the solid again where the faults are.\n";
    }
    text
}

/// Writes another format or unit.
pub(super) fn convert(args: &MeshConvert) -> Result<Answer, Failure> {
    let mesh = read(&args.input, &args.read)?;
    let judgement = judged_size("the mesh", mesh.nodes(), &args.read, fault_findings(&quality(&mesh)))?;
    let mesh = if args.tet10 && mesh.kind() == ElementKind::Tet4 { mesh.to_quadratic() } else { mesh };
    write_mesh(&args.output, &mesh)?;
    let (nodes, elements) = (mesh.nodes().len(), mesh.element_count());
    let output = args.output.display().to_string();
    let text = format!("Wrote {output}: {nodes} nodes, {elements} {} elements.\n", kind_name(mesh.kind()));
    Ok(Answer::new(judgement, json!({ "written": output, "nodes": nodes, "elements": elements }), text))
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
    let mut info = json!({
        "kind": kind_name(summary.kind),
        "nodes": summary.nodes,
        "elements": summary.elements,
        "dof": summary.dof,
        "volume": summary.volume,
        "bounding_box": { "low": summary.low.as_slice(), "high": summary.high.as_slice() },
        "node_sets": sizes(mesh.node_sets()),
        "element_sets": sizes(mesh.element_sets()),
        "quality": quality_json(report),
    });
    if let Some(area) = summary.surface_area {
        info["surface_area"] = json!(area);
    }
    info
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

fn change_json(change: &SliverChange) -> Value {
    let SliverChange { element, done, surface_move, volume } = change;
    json!({ "element": element, "done": done, "surface_move": surface_move, "volume": volume })
}

fn repair_json(report: &RepairReport) -> Value {
    json!({
        "merged_nodes": report.merged_nodes,
        "flipped_elements": report.flipped_elements,
        "dropped_elements": report.dropped_elements,
        "dropped_with_parts": report.dropped_with_parts,
        "dropped_nodes": report.dropped_nodes,
        "flat_elements": {
            "replaced": report.slivers.mended,
            "left_out": report.slivers.left_out,
            "moved_nodes": report.slivers.moved_nodes,
            "largest_move": report.slivers.largest_move,
            "largest_surface_move": report.slivers.largest_surface_move,
            "volume_change": report.slivers.volume_change,
            "changes": report.slivers.changes.iter().map(change_json).collect::<Vec<_>>(),
            "left": report.slivers.left,
        },
    })
}
