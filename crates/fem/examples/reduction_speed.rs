//! Times the way from a mesh to the orthonormal modes of a body with two rigid ends.
//!
//! `reduction_speed` runs tubes of 10 000 to 300 000 dof; `reduction_speed shank.inp.gz …` runs Abaqus files whose ends lie
//! at the smallest and the largest z.

use std::time::Instant;

use nalgebra::Vector3;
use wolff_fem::assembly::assemble;
use wolff_fem::craig_bampton::craig_bampton;
use wolff_fem::dofs::Constraints;
use wolff_fem::generate::tube;
use wolff_fem::material::{Elasticity, Material, MaterialField};
use wolff_fem::modes::ModeOptions;
use wolff_fem::{ElementKind, TetMesh};
use wolff_meshes::solid::read_mesh;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// CPU seconds of this process so far, all threads (Linux; 0 elsewhere).
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// Largest memory of the process, MB (Linux; 0 elsewhere).
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

fn run(label: &str, mesh: &TetMesh, modes: usize) -> Outcome {
    let material =
        Material { elasticity: Elasticity::Isotropic { young: 17e9, poisson: 0.3 }, density: 3544.127295692445 };
    let (low, high) = mesh.nodes().iter().fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(x.z), h.max(x.z)));
    let end = |z: f64| mesh.nodes_where(|x| (x.z - z).abs() < 1e-6);
    let joints = Constraints::default().tie("knee", Vector3::new(0.0, 0.0, low), &end(low)).tie(
        "ankle",
        Vector3::new(0.0, 0.0, high),
        &end(high),
    );
    let field = MaterialField::uniform(mesh, &material)?;
    let (wall, cpu) = (Instant::now(), cpu_seconds());
    let system = assemble(mesh, &field)?;
    let assembled = wall.elapsed().as_secs_f64();
    let reduced = craig_bampton(mesh, &system, &joints, modes, &ModeOptions::default())?;
    let body = reduced.orthonormalise()?;
    println!(
        "{label:>24} {:>7} dof: assembly {assembled:.3} s, total {:.3} s wall, {:.2} s CPU, peak {:.0} MB, first {:.6} Hz",
        3 * mesh.nodes().len(),
        wall.elapsed().as_secs_f64(),
        cpu_seconds() - cpu,
        peak_megabytes(),
        body.frequencies()[0],
    );
    Ok(())
}

fn main() -> Outcome {
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        let mesh = read_mesh(file)?;
        for _ in 0..3 {
            run(file.rsplit('/').next().unwrap_or(file), &mesh, 14)?;
        }
    }
    if files.is_empty() {
        for cells in [[1, 24, 12], [1, 30, 30], [1, 50, 55], [2, 70, 71]] {
            let mesh = tube(ElementKind::Tet10, 0.421, 0.027, 0.037, cells)?;
            run(&format!("tube {cells:?}"), &mesh, 20)?;
        }
    }
    Ok(())
}
