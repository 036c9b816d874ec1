//! Flexible bodies: from a mesh to a reduced body, the fall of a flexible pendulum, and the growth of cost with the
//! mesh.

use super::peers::python;
use super::{BenchReport, BenchRow, best_us, shank};
use serde_json::Value;
use std::fmt::Write as _;
use std::hint::black_box;
use std::process::Command;
use wolff_fem::generate::tube;
use wolff_fem::{ElementKind, TetMesh};
use wolff_multibody::{Baumgarte, System};

/// Python program that times Exudyn.
const SCRIPT: &str = include_str!("exudyn.py");

/// Fixed-interface modes of the comparison; the body has six more.
const NORMAL_MODES: usize = 14;

/// Step of the pendulum \[s\], and simulated time \[s\].
const SWING: (f64, f64) = (1e-3, 2.0);

/// Divisions of tubes of ten-node elements (wall, around, along) for the growth of cost: 10, 33, 100 and 300 thousand
/// dof.
const GROWTH: [[usize; 3]; 4] = [[1, 18, 15], [1, 30, 30], [1, 52, 53], [2, 70, 71]];

/// Divisions of tubes of four-node elements of 5 and 50 thousand nodes.
const SMALL_AND_LARGE: [[usize; 3]; 2] = [[2, 40, 40], [5, 100, 84]];

/// Results of Exudyn.
struct Peer {
    name: String,
    reduction_s: f64,
    pendulum_s_per_s: f64,
    tip: [f64; 3],
}

/// Adds the rows of flexible bodies; `large` includes the largest mesh, which takes a minute and 3 GB.
pub(super) fn run(report: &mut BenchReport, large: bool) {
    if let Err(problem) = measure(report).and_then(|()| step_cost(report)).and_then(|()| growth(report, large)) {
        report.remarks.push(format!("flexible bodies: {problem}"));
    }
}

fn measure(report: &mut BenchReport) -> Result<(), String> {
    let mesh = tube(ElementKind::Tet4, shank::LENGTH, 0.027, shank::OUTER_RADIUS, [2, 48, 39]).map_err(text)?;
    let mut best = f64::INFINITY;
    let mut body = None;
    for _ in 0..3 {
        let (reduced, seconds) = shank::reduce(&mesh, NORMAL_MODES, true).map_err(text)?;
        best = best.min(seconds);
        body = Some(reduced);
    }
    let model = shank::pendulum(body.ok_or("there is no body")?)?;
    let mut swings = Vec::new();
    for _ in 0..3 {
        swings.push(shank::swing(&model, SWING.0, SWING.1)?);
    }
    let swing = swings.iter().map(|s| s.seconds).fold(f64::INFINITY, f64::min) / SWING.1;
    let peer = exudyn(&mesh).map_err(|reason| report.remarks.push(format!("Exudyn was not measured: {reason}"))).ok();
    let dof = 3 * mesh.nodes().len();
    let mut row = |name: String, value: f64, theirs: Option<f64>| {
        let peer = peer.as_ref().zip(theirs).map(|(peer, theirs)| (peer.name.clone(), theirs));
        report.rows.push(BenchRow::against(name, "s", value, peer));
    };
    row(
        format!("mesh of {dof} dof to flexible body, 20 modes, strain modes"),
        best,
        peer.as_ref().map(|p| p.reduction_s),
    );
    row("flexible pendulum, 20 modes, a second".into(), swing, peer.as_ref().map(|p| p.pendulum_s_per_s));
    if let (Some(peer), Some(tip)) = (&peer, swings[0].tip.last()) {
        let off = (0..3).map(|k| (tip[k] - peer.tip[k]).powi(2)).sum::<f64>().sqrt();
        report
            .remarks
            .push(format!("tip of the pendulum after 2 s with the same step: {off:.1e} m from {}", peer.name));
    }
    Ok(())
}

/// The same bone as a small and a large mesh: the cost of a step must not depend on the mesh.
fn step_cost(report: &mut BenchReport) -> Result<(), String> {
    let mut small: Option<(String, f64)> = None;
    for cells in SMALL_AND_LARGE {
        let mesh = tube(ElementKind::Tet4, shank::LENGTH, 0.027, shank::OUTER_RADIUS, cells).map_err(text)?;
        let nodes = mesh.nodes().len();
        let model = shank::pendulum(shank::reduce(&mesh, NORMAL_MODES, false).map_err(text)?.0)?;
        let mut system = System::new(&model);
        let (q, v) = (vec![1e-6; model.nq()], vec![1e-3; model.nv()]);
        let mut a = vec![0.0; model.nv()];
        let value = best_us(|| {
            let _ = system.accelerations(0.0, black_box(&q), black_box(&v), Baumgarte::NONE, &mut a);
        });
        match small.take() {
            None => small = Some((format!("from {nodes} nodes"), value)),
            peer => {
                let name = format!("accelerations of the pendulum, 20 modes, from {nodes} nodes");
                report.rows.push(BenchRow::against(name, "us", value, peer));
            }
        }
    }
    Ok(())
}

/// Growth of the cost with the mesh, compared with growth in proportion to the size from the smallest mesh.
fn growth(report: &mut BenchReport, large: bool) -> Result<(), String> {
    let count = if large { GROWTH.len() } else { GROWTH.len() - 1 };
    let mut smallest: Option<(usize, f64)> = None;
    for cells in &GROWTH[..count] {
        let mesh = tube(ElementKind::Tet10, shank::LENGTH, 0.027, shank::OUTER_RADIUS, *cells).map_err(text)?;
        let dof = 3 * mesh.nodes().len();
        let (_, value) = shank::reduce(&mesh, NORMAL_MODES, true).map_err(text)?;
        let Some((least, its_value)) = smallest else {
            smallest = Some((dof, value));
            continue;
        };
        let name = format!("ten-node mesh of {dof} dof to flexible body, 20 modes");
        let peer = (format!("{least} dof, in proportion"), its_value * dof as f64 / least as f64);
        report.rows.push(BenchRow::against(name, "s", value, Some(peer)));
    }
    Ok(())
}

fn exudyn(mesh: &TetMesh) -> Result<Peer, String> {
    let folder = std::env::temp_dir().join(format!("wolff-bench-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let file = folder.join("tube.txt");
    let result = std::fs::write(&file, as_text(mesh)).map_err(|e| e.to_string()).and_then(|()| {
        let run = Command::new(python()).args(["-c", SCRIPT]).arg(&file).env("OMP_NUM_THREADS", "1").output();
        let output = run.map_err(|e| format!("Python could not be started: {e}"))?;
        let last = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned();
        serde_json::from_str::<Value>(&last).map_err(|_| {
            let last_line = String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("no answer").to_owned();
            format!("{last_line} (`cargo xtask bench --all` installs it)")
        })
    });
    // only the answer matters; a folder that remains in the temporary folder of the system is harmless
    let _ = std::fs::remove_dir_all(&folder);
    let value = result?;
    let number = |key: &str| value[key].as_f64().ok_or_else(|| format!("its answer has no {key}"));
    Ok(Peer {
        name: format!("Exudyn {}", value["version"].as_str().unwrap_or_default()),
        reduction_s: number("reduction_s")?,
        pendulum_s_per_s: number("pendulum_s_per_s")?,
        tip: std::array::from_fn(|k| value["tip"][k].as_f64().unwrap_or(f64::NAN)),
    })
}

fn as_text(mesh: &TetMesh) -> String {
    let mut out = format!("{} {}\n", mesh.nodes().len(), mesh.element_count());
    for x in mesh.nodes() {
        let _ = writeln!(out, "{:e} {:e} {:e}", x.x, x.y, x.z);
    }
    for element in mesh.elements() {
        let nodes: Vec<String> = element.iter().map(usize::to_string).collect();
        let _ = writeln!(out, "{}", nodes.join(" "));
    }
    out
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
