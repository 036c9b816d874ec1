//! Tetrahedra from the surface of a bone: quality, fidelity, CPU time and memory beside those of other meshers.
//!
//! Every program runs in a process of its own on one thread, reads the same file and is scored by the same code.

use super::mesh_score::{Mesh, Score, score};
use super::peers::python;
use super::{BenchReport, BenchRow, Table};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use wolff_bone::parametric::{Bone, BoneKind, Sex};
use wolff_geometry::TriangleMesh;
use wolff_mesher::{Settings, mesh_surface};

/// Python program that runs another mesher.
const SCRIPT: &str = include_str!("meshers.py");
/// Other meshers and the packages that hold them.
const PEERS: [(&str, &str); 5] =
    [("Gmsh", "gmsh"), ("TetGen", "tetgen"), ("fTetWild", "pytetwild"), ("Netgen", "netgen-mesher"), ("MMG", "mmgpy")];
/// Meshers that are no packages of the index.
const ABSENT: &str = "CGAL, quartet and Cleaver have no package that could be installed and are not measured";

/// Sizes \[mm\] of the tibia, and with `--large` of all bones.
const SIZES: [f64; 2] = [4.0, 3.0];
const LARGE_SIZES: [f64; 2] = [4.0, 2.0];
/// Sizes \[mm\] for the growth of cost, from 10 thousand to 2 million tetrahedra of the tibia.
const GROWTH: [f64; 4] = [6.5, 3.0, 1.7, 1.07];
/// Bones of the validation data: BodyParts3D, in mm.
const TIBIA: (&str, &str) = ("tibia", "data/bones/bodyparts3d/tibia_r_FMA24477.stl");
const OTHERS: [(&str, &str); 3] = [
    ("femur", "data/bones/bodyparts3d/femur_r_FMA24474.stl"),
    ("fibula", "data/bones/bodyparts3d/fibula_r_FMA24480.stl"),
    ("patella", "data/bones/bodyparts3d/patella_r_FMA24486.stl"),
];

/// What a program made.
struct Made {
    program: String,
    cpu_s: f64,
    memory_mb: f64,
    score: Score,
}

/// Adds the table of meshers; `large` adds bones, sizes and the growth of cost.
pub(super) fn run(report: &mut BenchReport, large: bool) {
    let folder = std::env::temp_dir().join(format!("wolff-bench-mesh-{}", std::process::id()));
    if let Err(problem) = std::fs::create_dir_all(&folder).map_err(text).and_then(|()| measure(report, large, &folder))
    {
        report.remarks.push(format!("meshes: {problem}"));
    }
    // a folder that remains in the temporary folder of the system is harmless
    let _ = std::fs::remove_dir_all(&folder);
}

fn measure(report: &mut BenchReport, large: bool, folder: &Path) -> Result<(), String> {
    let tibia = bone(TIBIA.1, &mut report.remarks)?;
    let mut work: Vec<(&str, Mesh<3>, f64)> = Vec::new();
    for size in SIZES {
        work.push((TIBIA.0, tibia.clone(), size));
    }
    if large {
        work.push((TIBIA.0, tibia.clone(), LARGE_SIZES[1]));
        for (name, path) in OTHERS {
            for size in LARGE_SIZES {
                work.push((name, bone(path, &mut report.remarks)?, size));
            }
        }
    }
    let columns = ["input", "size mm", "program", "tets", "mean edge mm", "min / p1 angle deg", "volume %"];
    let more = ["mean / largest distance mm", "CPU s", "memory MB"];
    let columns = columns.iter().chain(&more).map(|name| (*name).to_owned()).collect();
    let mut table = Table { title: "Tetrahedra from a closed surface, one thread".into(), columns, rows: Vec::new() };
    for (name, surface, size) in &work {
        race(report, &mut table, name, surface, *size, folder)?;
    }
    report.tables.push(table);
    report.remarks.push(ABSENT.into());
    if large { growth(report, &tibia, folder) } else { Ok(()) }
}

/// All programs on one surface and size.
fn race(
    report: &mut BenchReport,
    table: &mut Table,
    name: &str,
    surface: &Mesh<3>,
    size: f64,
    folder: &Path,
) -> Result<(), String> {
    let file = folder.join("surface.bin");
    surface.write(&file).map_err(text)?;
    let out = folder.join("mesh.bin");
    let ours = ours(&file, size, &out, surface)?;
    table.rows.push(cells(name, size, &ours));
    for (program, package) in PEERS {
        let mut command = Command::new(located(python())?);
        // some programs leave files where they run
        command.current_dir(folder).args(["-c", SCRIPT, package]).arg(&file).arg(size.to_string()).arg(&out);
        match made(program, &mut command, &out, surface) {
            Ok(theirs) => {
                table.rows.push(cells(name, size, &theirs));
                let row = format!("{name} at {size} mm to tetrahedra, CPU time on one thread");
                report.rows.push(BenchRow::against(row, "s", ours.cpu_s, Some((theirs.program, theirs.cpu_s))));
            }
            Err(reason) => report.remarks.push(format!("{program}, {name} at {size} mm: no mesh: {reason}")),
        }
    }
    Ok(())
}

/// A program by its path from the root, unless it is a name to be searched for.
fn located(program: PathBuf) -> Result<PathBuf, String> {
    let is_name = program.components().count() == 1;
    if is_name { Ok(program) } else { std::path::absolute(program).map_err(text) }
}

/// The cells of a row of the table.
fn cells(name: &str, size: f64, made: &Made) -> Vec<String> {
    let s = &made.score;
    vec![
        name.to_owned(),
        size.to_string(),
        made.program.clone(),
        s.tets.to_string(),
        format!("{:.2}", s.mean_edge),
        format!("{:.1} / {:.1}", s.min_dihedral, s.p1_dihedral),
        format!("{:+.2}", s.volume_error),
        format!("{:.3} / {:.2}", s.mean_distance, s.hausdorff),
        format!("{:.1}", made.cpu_s),
        format!("{:.0}", made.memory_mb),
    ]
}

/// Growth of our CPU time and memory, compared with growth in proportion to the elements of the smallest mesh.
fn growth(report: &mut BenchReport, surface: &Mesh<3>, folder: &Path) -> Result<(), String> {
    let (file, out) = (folder.join("surface.bin"), folder.join("mesh.bin"));
    surface.write(&file).map_err(text)?;
    let mut smallest: Option<Made> = None;
    for size in GROWTH {
        let made = ours(&file, size, &out, surface)?;
        let Some(least) = &smallest else {
            smallest = Some(made);
            continue;
        };
        let factor = made.score.tets as f64 / least.score.tets as f64;
        let peer = |value: f64| Some((format!("{} tetrahedra, in proportion", least.score.tets), factor * value));
        let name = format!("tibia at {size} mm, {} tetrahedra", made.score.tets);
        report.rows.push(BenchRow::against(format!("{name}, CPU time"), "s", made.cpu_s, peer(least.cpu_s)));
        report.rows.push(BenchRow::against(format!("{name}, memory"), "MB", made.memory_mb, peer(least.memory_mb)));
    }
    Ok(())
}

/// Our mesh, made by this program in a process of its own.
fn ours(file: &Path, size: f64, out: &Path, surface: &Mesh<3>) -> Result<Made, String> {
    let mut command = Command::new(std::env::current_exe().map_err(text)?);
    command.arg("--mesh").arg(file).arg(size.to_string()).arg(out);
    made("Wolff", &mut command, out, surface)
}

/// Runs a mesher and scores what it made.
fn made(program: &str, command: &mut Command, out: &Path, surface: &Mesh<3>) -> Result<Made, String> {
    let run = command.env("OMP_NUM_THREADS", "1").env("RAYON_NUM_THREADS", "1").output();
    let output = run.map_err(|e| format!("it could not be started: {e}"))?;
    let last = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().last().unwrap_or("no answer").trim().to_owned();
    if !output.status.success() {
        return Err(format!("{} ({})", last(&output.stderr), output.status));
    }
    let answer: Value = serde_json::from_str(&last(&output.stdout)).map_err(|_| "its answer could not be read")?;
    let number = |key: &str| answer[key].as_f64().ok_or_else(|| format!("its answer has no {key}"));
    Ok(Made {
        program: format!("{program} {}", answer["version"].as_str().unwrap_or_default()),
        cpu_s: number("cpu_s")?,
        memory_mb: number("memory_mb")?,
        score: score(&Mesh::read(out)?, surface)?,
    })
}

/// Meshes the surface of a file with elements of a size \[mm\] and writes the mesh; the answer is a JSON object, as
/// that of the other programs.
///
/// # Errors
/// When the file is no surface, the mesher refuses it, or the mesh cannot be written.
pub fn work(file: &Path, size: f64, out: &Path) -> Result<String, String> {
    let surface: Mesh<3> = Mesh::read(file)?;
    let vertices = surface.x.iter().map(|x| 1e-3 * x).collect();
    let surface = TriangleMesh::new(vertices, surface.elements).map_err(text)?;
    let start = cpu_seconds();
    let settings = Settings { size: 1e-3 * size, ..Settings::default() };
    let meshed = mesh_surface(&surface, &settings, &mut |_, _| true).map_err(text)?;
    let cpu_s = cpu_seconds() - start;
    let memory_mb = peak_megabytes();
    let x = meshed.mesh.nodes().iter().map(|x| 1e3 * x).collect();
    let corners = |element: &[usize]| std::array::from_fn(|i| element[i] as u32);
    let mesh: Mesh<4> = Mesh { x, elements: meshed.mesh.elements().map(corners).collect() };
    mesh.write(out).map_err(text)?;
    Ok(json!({ "version": env!("CARGO_PKG_VERSION"), "cpu_s": cpu_s, "memory_mb": memory_mb }).to_string())
}

/// CPU time of this process so far \[s\]; 0 where the system does not tell it.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |i: usize| fields.get(i).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

/// Largest memory of this process \[MB\]; 0 where the system does not tell it.
fn peak_megabytes() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

/// A bone of the validation data in mm; without it, the built-in tibia.
fn bone(path: &str, remarks: &mut Vec<String>) -> Result<Mesh<3>, String> {
    let file: PathBuf = wolff_testdata::shared_folder().join(path);
    let mesh = match std::fs::read(&file) {
        Ok(bytes) => return Ok(as_mesh(&wolff_meshes::surface::read(path, &bytes).map_err(text)?.mesh, 1.0)),
        Err(_) => Bone::new(BoneKind::Tibia, Sex::Male).build().map_err(text)?.mesh,
    };
    remarks.push(format!("{} is absent: the surface of the built-in tibia takes its place", file.display()));
    let faces = mesh.boundary().map_err(text)?;
    let triangles = faces.iter().map(|face| std::array::from_fn(|i| face.nodes[i] as u32)).collect();
    Ok(as_mesh(&TriangleMesh::new(mesh.nodes().to_vec(), triangles).map_err(text)?, 1e3))
}

fn as_mesh(surface: &TriangleMesh, scale: f64) -> Mesh<3> {
    Mesh { x: surface.vertices().iter().map(|x| scale * x).collect(), elements: surface.triangles().to_vec() }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
