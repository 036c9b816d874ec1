//! Label volumes: a layered ball, and the ten labels of a knee.

use std::collections::HashMap;
use std::io::Read;
use wolff_fem::{ElementKind, TetMesh};
use wolff_mesher::{LabelGrid, Meshed, mesh_labels};
use wolff_spatial::Vec3;
use wolff_testdata::shared;

use crate::{assert_sound, off, open_edges, size_mm};

/// A ball of radius 12 mm whose lower and upper halves are labels 3 and 7, around a core of label 5 of 6 mm.
fn layered_ball() -> LabelGrid {
    let (size, spacing) = ([60, 58, 40], [0.5e-3, 0.5e-3, 0.7e-3]);
    let centre = Vec3::new(14.6e-3, 14.1e-3, 13.8e-3);
    let mut labels = Vec::new();
    for k in 0..size[2] {
        for j in 0..size[1] {
            for i in 0..size[0] {
                let at = [i, j, k];
                let x = Vec3::from_fn(|axis, _| at[axis] as f64 * spacing[axis]) - centre;
                labels.push(match x.norm() {
                    r if r > 12e-3 => 0,
                    r if r < 6e-3 => 5,
                    _ if x.z < 0.1e-3 => 3,
                    _ => 7,
                });
            }
        }
    }
    LabelGrid::new(size, spacing, Vec3::new(0.1, -0.2, 0.3), labels).unwrap()
}

/// The boundary of every material is closed where it meets others.
fn assert_materials_closed(mesh: &TetMesh) {
    for set in mesh.element_sets().values() {
        let connectivity = set.iter().flat_map(|&e| mesh.element(e).unwrap().to_vec()).collect();
        let part = TetMesh::new(ElementKind::Tet4, mesh.nodes().to_vec(), connectivity).unwrap();
        // materials may touch themselves at a junction: edges of four faces are no gap
        assert!(open_edges(&part) <= set.len() / 500, "{} of {}", open_edges(&part), set.len());
    }
}

/// The set of nodes that a node belongs to, with shorter ways for the next question.
fn root(group: &mut [usize], node: usize) -> usize {
    let mut at = node;
    while group[at] != at {
        group[at] = group[group[at]];
        at = group[at];
    }
    at
}

/// Nearly all elements of a material hang together, as every label of the grids here does.
fn assert_whole(mesh: &TetMesh) {
    for (name, set) in mesh.element_sets() {
        let mut group: Vec<usize> = (0..mesh.nodes().len()).collect();
        for &e in set {
            let nodes = mesh.element(e).unwrap();
            for &node in &nodes[1..] {
                let (a, b) = (root(&mut group, nodes[0]), root(&mut group, node));
                group[a] = b;
            }
        }
        let mut count: HashMap<usize, usize> = HashMap::new();
        for &e in set {
            *count.entry(root(&mut group, mesh.element(e).unwrap()[0])).or_insert(0) += 1;
        }
        let largest = count.values().max().unwrap();
        assert!(100 * largest >= 99 * set.len(), "{name} is in pieces: {count:?}");
    }
}

/// Every node of a material lies within `reach` \[m\] of a point of its label, along each axis.
fn assert_near_labels(found: &Meshed, grid: &LabelGrid, spacing: [f64; 3], numbers: &[u16], reach: f64) {
    let [nx, ny, _] = grid.size();
    for (material, &number) in found.report.materials.iter().zip(numbers) {
        let set = found.mesh.element_set(&material.name).unwrap();
        let mut nodes: Vec<usize> = set.iter().flat_map(|&e| found.mesh.element(e).unwrap().to_vec()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            let x = found.mesh.nodes()[node];
            let range = |i: usize| {
                let last = grid.size()[i] as f64 - 1.0;
                let at = |shift: f64| ((x[i] + shift) / spacing[i]).round().clamp(0.0, last) as usize;
                at(-reach)..=at(reach)
            };
            let is_label = |i: usize, j: usize, k: usize| grid.labels()[i + nx * (j + ny * k)] == number;
            let is_near = range(2).any(|k| range(1).any(|j| range(0).any(|i| is_label(i, j, k))));
            assert!(is_near, "{} at {x:?}", material.name);
        }
    }
}

fn assert_volumes(found: &Meshed, part: f64) {
    for material in &found.report.materials {
        assert!(off(material.volume, material.input_volume) < part, "{material:?}");
    }
}

#[test]
fn three_labels_meet_with_good_angles() {
    let grid = layered_ball();
    let found = mesh_labels(&grid, &[(5, "core")], &size_mm(2.5), &mut |_, _| true).unwrap();
    assert_sound(&found);
    let names: Vec<&str> = found.report.materials.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["label-3", "core", "label-7"]);
    assert_volumes(&found, 0.01);
    assert_materials_closed(&found.mesh);
    assert!(found.report.min_dihedral.to_degrees() > 10.0, "{:?}", found.report);
    assert_whole(&found.mesh);
    let core = &found.report.materials[1].centroid;
    assert!((core - Vec3::new(0.1146, -0.1859, 0.3138)).norm() < 2e-4, "{core:?}");
}

#[test]
fn the_number_of_threads_does_not_matter_for_labels() {
    let grid = layered_ball();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| mesh_labels(&grid, &[], &size_mm(3.0), &mut |_, _| true).unwrap())
    };
    assert_eq!(with(1), with(2));
}

/// Spacing of the points of the knee \[m\].
const KNEE_SPACING: [f64; 3] = [0.364_583_33e-3, 0.364_583_33e-3, 0.7e-3];

/// The knee: a gzip NRRD file of bytes.
fn knee() -> Option<LabelGrid> {
    let file = shared("data/images/knee-mri-labels/SAG_3D_DESS_RIGHT_bones_cart_men_fib-label.nrrd")?;
    let bytes = wolff_files::input::read(&file).unwrap();
    let start = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
    let mut raw = Vec::new();
    flate2::read::GzDecoder::new(&bytes[start..]).read_to_end(&mut raw).unwrap();
    let size = [384, 384, 160];
    assert_eq!(raw.len(), size.iter().product::<usize>());
    let labels = raw.into_iter().map(u16::from).collect();
    Some(LabelGrid::new(size, KNEE_SPACING, Vec3::zeros(), labels).unwrap())
}

#[test]
fn ten_labels_of_a_knee_conform() {
    let Some(grid) = knee() else { return };
    let found = mesh_labels(&grid, &[(6, "tibia")], &size_mm(3.5), &mut |_, _| true).unwrap();
    assert_sound(&found);
    let report = &found.report;
    assert_eq!(report.materials.len(), 10);
    assert!(report.min_dihedral.to_degrees() >= 10.0, "{report:?}");
    assert!((0.75..1.15).contains(&(report.mean_edge / 3.5e-3)), "{report:?}");
    assert_volumes(&found, 0.01);
    assert_whole(&found.mesh);
    let numbers: Vec<u16> = (1..=10).collect();
    assert_near_labels(&found, &grid, KNEE_SPACING, &numbers, 2.5e-3);
    assert!(found.mesh.element_set("tibia").unwrap().len() > 10_000);
}
