//! Tetrahedra from surfaces and label images.

use super::Answer;
use super::args::MeshGenerate;
use crate::failure::Failure;
use crate::output::{self, Align, number, table};
use crate::{answer, interrupt};
use serde_json::json;
use std::path::{Path, PathBuf};
use wolff_fem::ElementKind;
use wolff_imaging::Choice;
use wolff_mesher::{MeshingReport, Settings, Stage};
use wolff_meshes::solid::write_mesh;
use wolff_report::outcome::Judgement;
use wolff_scan::generate::{generate, outcome};
use wolff_scan::source;

/// Makes the mesh and writes it.
pub(super) fn run(args: &MeshGenerate) -> Result<Answer, Failure> {
    let out = args.out.clone().or_else(|| (!args.json).then(|| default_file(&args.input)));
    let series = args.series.as_ref().map_or_else(Choice::only, Choice::series);
    let read = source::read(&args.input, args.unit, &series)?;
    let mut findings = read.findings;
    let inner = args.inner.as_ref().map(|path| source::read_surface(path, args.unit)).transpose()?;
    findings.extend(inner.iter().flat_map(|(_, found)| found.iter().cloned()));
    let judgement = Judgement { findings: findings.clone(), ..Judgement::default() };
    answer::gate(&judgement, args.force)?;
    interrupt::install_handler();
    // the stages ask for requests to stop only now and then
    interrupt::end_when_stuck(None, |_| ());
    let settings = Settings {
        size: 1e-3 * args.size,
        order: if args.order == 2 { ElementKind::Tet10 } else { ElementKind::Tet4 },
        halvings: args.halvings,
        most_elements: args.most,
    };
    let names: Vec<(u16, &str)> = args.names.iter().map(|(label, name)| (*label, name.as_str())).collect();
    let bar = output::progress_bar("mesh", args.json);
    let mut progress = |stage: Stage, part: f64| {
        bar.set_message(format!("mesh: {}", word(stage)));
        output::advance(&bar, (place(stage) + part) / STAGES);
        !interrupt::stop_requested()
    };
    let meshed = generate(&read.source, inner.as_ref().map(|(mesh, _)| mesh), &names, &settings, &mut progress);
    bar.finish_and_clear();
    interrupt::finish();
    let meshed = meshed?;
    let mut outcome = outcome(&meshed.report, findings);
    let mut text = shown(&meshed.report);
    if let Some(out) = &out {
        write_mesh(out, &meshed.mesh)?;
        outcome.results.insert("written".into(), json!(out.display().to_string()));
        text += &format!("Wrote {}, in m.\n", out.display());
    }
    Ok(Answer { outcome, text, faulty: false })
}

/// Number of stages of the work.
const STAGES: f64 = 6.0;

fn place(stage: Stage) -> f64 {
    match stage {
        Stage::Lattice => 0.0,
        Stage::Cut => 1.0,
        Stage::Improve => 2.0,
        Stage::Coarsen => 3.0,
        Stage::Fit => 4.0,
        Stage::Report => 5.0,
    }
}

fn word(stage: Stage) -> &'static str {
    match stage {
        Stage::Lattice => "distances and lattice",
        Stage::Cut => "cutting along the surface",
        Stage::Improve => "improving angles",
        Stage::Coarsen => "merging short edges",
        Stage::Fit => "matching volumes",
        Stage::Report => "measuring",
    }
}

fn shown(report: &MeshingReport) -> String {
    let row = |name: &str, value: f64, unit: &str| vec![name.to_string(), number(value), unit.to_string()];
    let mut rows = vec![
        row("tetrahedra", report.tets as f64, ""),
        row("nodes", report.nodes as f64, ""),
        row("mean edge", 1e3 * report.mean_edge, "mm"),
        row("volume", 1e9 * report.volume, "mm³"),
        row("volume of the input", 1e9 * report.input_volume, "mm³"),
        row("smallest dihedral angle", report.min_dihedral.to_degrees(), "deg"),
        row("its first percentile", report.p1_dihedral.to_degrees(), "deg"),
    ];
    rows.extend(report.mean_distance.map(|d| row("mean distance to the input", 1e3 * d, "mm")));
    rows.extend(report.hausdorff.map(|d| row("largest distance to the input", 1e3 * d, "mm")));
    if report.materials.len() > 1 {
        rows.extend(report.materials.iter().map(|m| row(&format!("volume of {}", m.name), 1e9 * m.volume, "mm³")));
    }
    table(&[("quantity", Align::Left), ("value", Align::Right), ("unit", Align::Left)], &rows)
}

/// `NAME.vtu` in the current folder.
fn default_file(input: &Path) -> PathBuf {
    let name = input.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = name.strip_suffix(".gz").unwrap_or(&name).to_string();
    PathBuf::from(name).with_extension("vtu")
}
