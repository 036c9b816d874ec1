//! Meshes a surface file: `mesh_bone FILE SIZE_MM SCALE OUT.vtu`, the scale to metres.

use std::error::Error;
use std::path::Path;
use std::time::Instant;
use wolff_mesher::{Settings, mesh_surface};
use wolff_meshes::{solid, surface};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, size, scale, out] = &arguments[..] else { return Err("FILE SIZE_MM SCALE OUT.vtu".into()) };
    let bytes = wolff_files::input::read(Path::new(file))?;
    let surface = surface::read(file, &bytes)?.mesh.scaled(scale.parse()?)?;
    let settings = Settings { size: 1e-3 * size.parse::<f64>()?, ..Settings::default() };
    let start = Instant::now();
    let mut last = (None, start);
    let meshed = mesh_surface(&surface, &settings, &mut |stage, _| {
        if last.0 != Some(stage) {
            eprintln!("{:?} took {:.2} s", last.0, last.1.elapsed().as_secs_f64());
            last = (Some(stage), Instant::now());
        }
        true
    })?;
    eprintln!("{:.2} s", start.elapsed().as_secs_f64());
    let report = &meshed.report;
    println!(
        "{} tets, edge {:.2} mm, dihedral {:.1} / {:.1}, volume {:+.2} %, distance {:.4} / {:.3} mm, {:?}",
        report.tets,
        1e3 * report.mean_edge,
        report.min_dihedral.to_degrees(),
        report.p1_dihedral.to_degrees(),
        100.0 * (report.volume / report.input_volume - 1.0),
        1e3 * report.mean_distance.unwrap_or(f64::NAN),
        1e3 * report.hausdorff.unwrap_or(f64::NAN),
        report.shortfalls
    );
    if out != "-" {
        solid::write_mesh(out, &meshed.mesh)?;
    }
    Ok(())
}
