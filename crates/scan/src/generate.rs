//! Tetrahedra from a surface, from nested surfaces, or from labels.

use serde_json::{Map, Value, json};
use wolff_geometry::TriangleMesh;
use wolff_mesher::{MaterialReport, Meshed, MeshingReport, Progress, Settings, SurfaceDistance, mesh_regions};
use wolff_report::outcome::{Outcome, RunKind};
use wolff_verdict::{Finding, Judgement, Limit};

use crate::error::ScanError;
use crate::source::Source;

/// Name of the material of a single surface.
pub const BODY: &str = "body";
/// Names of the materials of an outer and an inner surface.
pub const SHELL: [&str; 2] = ["shell", "core"];

/// Meshes a source; `inner` is a surface inside a surface, for a shell and a core with a common interface; `names` are
/// those of labels.
///
/// # Errors
/// As the mesher; and when an inner surface is given for labels.
pub fn generate(
    source: &Source,
    inner: Option<&TriangleMesh>,
    names: &[(u16, &str)],
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Meshed, ScanError> {
    match (source, inner) {
        (Source::Surface(outer), None) => Ok(mesh_regions(&[(BODY, outer)], settings, progress)?),
        (Source::Surface(outer), Some(inner)) => {
            let [shell, core] = SHELL;
            Ok(mesh_regions(&[(shell, outer), (core, inner)], settings, progress)?)
        }
        (Source::Labels(labels), None) => crate::labels::mesh(labels, names, settings, progress),
        (Source::Labels(_), Some(_)) => Err(ScanError::Request(
            "--inner goes with a surface; a label image has its inner regions as labels of their own".into(),
        )),
    }
}

/// Smallest dihedral angle \[deg\] below which elements are poor, and below which they spoil a result.
const ANGLES: [f64; 2] = [10.0, 1.0];
/// Volume error \[%\] that is doubtful, and that has failed.
const VOLUME_ERRORS: [f64; 2] = [1.0, 10.0];

/// The outcome of `wolff mesh generate`: size, angles, fidelity, and a verdict on them.
pub fn outcome(report: &MeshingReport, findings: Vec<Finding>) -> Outcome {
    let mut judgement = Judgement::default();
    judgement.found(findings);
    judgement.found(report.shortfalls.iter().map(|what| Finding::note(what.clone(), "")));
    judge(&mut judgement, report);
    Outcome { kind: RunKind::Command, study: "mesh".into(), results: results(report), judgement, ..Outcome::default() }
}

/// Judges angles and volumes of a mesh.
pub(crate) fn judge(judgement: &mut Judgement, report: &MeshingReport) {
    let finer = "give a smaller --size";
    let angle = Limit::at_least(ANGLES[0], ANGLES[1]).because("flatter elements are stiff and ill-conditioned");
    judgement.judge("smallest dihedral angle", "deg", report.min_dihedral.to_degrees(), &angle, finer);
    for material in &report.materials {
        let limit = Limit::at_most(VOLUME_ERRORS[0], VOLUME_ERRORS[1]).because("the volume is that of the input");
        let name = if report.materials.len() > 1 {
            format!("volume error, `{}`", material.name)
        } else {
            "volume error".into()
        };
        judgement.judge(&name, "%", volume_error(material).abs(), &limit, finer);
    }
}

/// Error of the volume of a material \[%\].
fn volume_error(material: &MaterialReport) -> f64 {
    100.0 * (material.volume / material.input_volume - 1.0)
}

/// Figures of a mesh, in mm and degrees.
pub fn results(report: &MeshingReport) -> Map<String, Value> {
    let distance = |d: &SurfaceDistance| json!({ "mean_distance_mm": 1e3 * d.mean, "hausdorff_mm": 1e3 * d.largest });
    let material = |m: &MaterialReport| {
        let mut figures = json!({
            "name": m.name,
            "tets": m.tets,
            "volume_mm3": 1e9 * m.volume,
            "input_volume_mm3": 1e9 * m.input_volume,
            "volume_error_percent": volume_error(m),
            "centroid_mm": [1e3 * m.centroid.x, 1e3 * m.centroid.y, 1e3 * m.centroid.z],
        });
        if let (Some(figures), Some(Value::Object(more))) = (figures.as_object_mut(), m.distance.as_ref().map(distance))
        {
            figures.extend(more);
        }
        figures
    };
    let mut results = Map::new();
    let mut set = |name: &str, value: Value| _ = results.insert(name.into(), value);
    set("tets", json!(report.tets));
    set("nodes", json!(report.nodes));
    set("mean_edge_mm", json!(1e3 * report.mean_edge));
    set("volume_mm3", json!(1e9 * report.volume));
    set("input_volume_mm3", json!(1e9 * report.input_volume));
    set("min_dihedral_deg", json!(report.min_dihedral.to_degrees()));
    set("p1_dihedral_deg", json!(report.p1_dihedral.to_degrees()));
    set("max_dihedral_deg", json!(report.max_dihedral.to_degrees()));
    if let Some(mean) = report.mean_distance {
        set("mean_distance_mm", json!(1e3 * mean));
    }
    if let Some(largest) = report.hausdorff {
        set("hausdorff_mm", json!(1e3 * largest));
    }
    set("materials", report.materials.iter().map(material).collect());
    results
}
