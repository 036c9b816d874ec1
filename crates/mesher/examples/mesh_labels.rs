//! Meshes a raw volume of labels: `mesh_labels FILE NX NY NZ SX SY SZ SIZE_MM OUT.txt`, spacings in mm. The output
//! has the numbers of nodes and elements, the nodes in mm, and the corners and labels of the elements.

use std::error::Error;
use std::fmt::Write;
use std::time::Instant;
use wolff_mesher::{LabelGrid, Settings, mesh_labels};
use wolff_spatial::Vec3;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, nx, ny, nz, sx, sy, sz, size, out] = &arguments[..] else { return Err("nine arguments".into()) };
    let labels: Vec<u16> = wolff_files::input::read(file.as_ref())?.into_iter().map(u16::from).collect();
    let mm = |text: &String| text.parse::<f64>().map(|x| 1e-3 * x);
    let grid =
        LabelGrid::new([nx.parse()?, ny.parse()?, nz.parse()?], [mm(sx)?, mm(sy)?, mm(sz)?], Vec3::zeros(), labels)?;
    let settings = Settings { size: mm(size)?, ..Settings::default() };
    let start = Instant::now();
    let mut last = (None, start);
    let meshed = mesh_labels(&grid, &[], &settings, &mut |stage, _| {
        if last.0 != Some(stage) {
            eprintln!("{:?} took {:.2} s", last.0, last.1.elapsed().as_secs_f64());
            last = (Some(stage), Instant::now());
        }
        true
    })?;
    eprintln!("{:.2} s", start.elapsed().as_secs_f64());
    let report = &meshed.report;
    println!(
        "{} tets, edge {:.2} mm, dihedral {:.1} / {:.1}, {:?}",
        report.tets,
        1e3 * report.mean_edge,
        report.min_dihedral.to_degrees(),
        report.p1_dihedral.to_degrees(),
        report.shortfalls
    );
    let mut text = format!("{} {}\n", meshed.mesh.nodes().len(), meshed.mesh.element_count());
    for x in meshed.mesh.nodes() {
        writeln!(text, "{} {} {}", 1e3 * x.x, 1e3 * x.y, 1e3 * x.z)?;
    }
    let mut label = vec![0; meshed.mesh.element_count()];
    for (name, elements) in meshed.mesh.element_sets() {
        let number: usize = name.trim_start_matches("label-").parse()?;
        elements.iter().for_each(|&element| label[element] = number);
    }
    for (element, label) in meshed.mesh.elements().zip(label) {
        writeln!(text, "{} {} {} {} {label}", element[0], element[1], element[2], element[3])?;
    }
    std::fs::write(out, text)?;
    Ok(())
}
