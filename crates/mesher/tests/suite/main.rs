//! The tests of the crate, one module per way in, and what they share: invariants of every mesh.

mod bones;
mod labels;
mod refusals;
mod shapes;

use std::collections::HashMap;
use wolff_fem::TetMesh;
use wolff_fem::quality::quality;
use wolff_mesher::{Meshed, Settings};

/// Linear elements of a size in mm.
fn size_mm(size: f64) -> Settings {
    Settings { size: 1e-3 * size, ..Settings::default() }
}

/// A sound mesh: positive volumes, faces shared by two elements at most, a manifold boundary, and sets that hold every
/// element once.
fn assert_sound(meshed: &Meshed) {
    let mesh = &meshed.mesh;
    let report = quality(mesh);
    assert!(
        report.is_sound() || report.faults().iter().all(|fault| fault.name.contains("part")),
        "{:?}",
        report.faults()
    );
    assert!(mesh.volumes().all(|volume| volume > 0.0));
    assert_eq!(open_edges(mesh), 0);
    let in_sets: usize = mesh.element_sets().values().map(Vec::len).sum();
    assert_eq!(in_sets, mesh.element_count());
    assert_eq!(meshed.report.tets, mesh.element_count());
    assert!((meshed.report.min_dihedral - report.smallest_dihedral).abs() < 1e-9);
}

/// Edges of the boundary that do not have two faces.
fn open_edges(mesh: &TetMesh) -> usize {
    let mut count: HashMap<[usize; 2], usize> = HashMap::new();
    for face in mesh.boundary().unwrap() {
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let (a, b) = (face.nodes[a], face.nodes[b]);
            *count.entry([a.min(b), a.max(b)]).or_insert(0) += 1;
        }
    }
    count.values().filter(|&&faces| faces != 2).count()
}

/// Vertices less edges plus faces of the boundary: 2 for a ball, 0 for a ring.
fn euler(mesh: &TetMesh) -> i64 {
    let faces = mesh.boundary().unwrap();
    let mut vertices: Vec<usize> = faces.iter().flat_map(|face| face.nodes[..3].to_vec()).collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices.len() as i64 - (3 * faces.len() / 2) as i64 + faces.len() as i64
}

/// How far a volume is off, as a part.
fn off(volume: f64, expected: f64) -> f64 {
    (volume / expected - 1.0).abs()
}
