//! Analytic shapes: volumes, topology, interfaces, order of convergence, determinism.

use std::f64::consts::PI;
use wolff_fem::ElementKind;
use wolff_geometry::TriangleMesh;
use wolff_mesher::{Meshed, Settings, mesh_regions, mesh_surface};
use wolff_spatial::Vec3;

use crate::{assert_sound, euler, off, size_mm};

fn meshed(surface: &TriangleMesh, settings: &Settings) -> Meshed {
    mesh_surface(surface, settings, &mut |_, _| true).unwrap()
}

/// A ring: circles of radius `small` around a circle of radius `large` in the plane z = 0.
fn ring(large: f64, small: f64, cells: [u32; 2]) -> TriangleMesh {
    let [n, m] = cells;
    let place = |i: u32, j: u32| {
        let (a, b) = (2.0 * PI * f64::from(i) / f64::from(n), 2.0 * PI * f64::from(j) / f64::from(m));
        let reach = large + small * b.cos();
        Vec3::new(reach * a.cos(), reach * a.sin(), small * b.sin())
    };
    let vertices = (0..n).flat_map(|i| (0..m).map(move |j| place(i, j))).collect();
    let number = |i: u32, j: u32| (i % n) * m + j % m;
    let triangles = (0..n)
        .flat_map(|i| (0..m).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    TriangleMesh::new(vertices, triangles).unwrap()
}

#[test]
fn a_ball_keeps_its_volume_and_has_good_angles() {
    let ball = TriangleMesh::icosphere(0.02, 4).unwrap();
    for size in [6.0, 3.0] {
        let found = meshed(&ball, &size_mm(size));
        assert_sound(&found);
        assert_eq!(euler(&found.mesh), 2);
        let report = &found.report;
        assert!(off(report.volume, report.input_volume) < 1e-3, "{report:?}");
        assert!(report.min_dihedral.to_degrees() > 15.0 && report.p1_dihedral.to_degrees() > 20.0, "{report:?}");
        assert!((0.7..1.3).contains(&(report.mean_edge / (1e-3 * size))), "{report:?}");
        assert!(report.materials[0].centroid.norm() < 1e-4);
        assert!(report.shortfalls.is_empty(), "{report:?}");
    }
}

#[test]
fn the_distance_falls_with_the_square_of_the_size() {
    let ball = TriangleMesh::icosphere(0.02, 6).unwrap();
    let distance = |size| {
        let settings = Settings { halvings: 0, ..size_mm(size) };
        meshed(&ball, &settings).report.mean_distance.unwrap()
    };
    let (coarse, fine) = (distance(5.0), distance(2.5));
    assert!(coarse / fine > 3.0, "{coarse} and {fine}");
}

#[test]
fn a_ring_keeps_its_hole() {
    let found = meshed(&ring(0.03, 0.008, [96, 32]), &size_mm(4.0));
    assert_sound(&found);
    assert_eq!(euler(&found.mesh), 0);
    assert!(off(found.report.volume, found.report.input_volume) < 2e-3);
}

/// A slender ring is cut from a lattice much finer than asked for; merging brings its edges to the size.
#[test]
fn the_size_is_the_mean_edge() {
    let slender = ring(0.04, 0.007, [128, 28]);
    let found = meshed(&slender, &size_mm(5.0));
    assert_sound(&found);
    assert_eq!(euler(&found.mesh), 0);
    let report = &found.report;
    assert!((0.85..1.15).contains(&(report.mean_edge / 5e-3)), "{report:?}");
    assert!(report.min_dihedral.to_degrees() > 15.0, "{report:?}");
    assert!(off(report.volume, report.input_volume) < 2e-3, "{report:?}");
    assert!(report.mean_distance.unwrap() < 0.03 * 5e-3, "{report:?}");
}

#[test]
fn a_plate_thinner_than_the_elements_survives() {
    let plate = TriangleMesh::cuboid([0.03, 0.02, 0.002]).unwrap();
    let found = meshed(&plate, &size_mm(2.0));
    assert_sound(&found);
    assert_eq!(euler(&found.mesh), 2);
    assert!(off(found.report.volume, 0.03 * 0.02 * 0.002) < 0.02, "{:?}", found.report);
    assert!(found.report.mean_edge < 2e-3);
}

#[test]
fn a_surface_inside_out_gives_the_same_mesh_volume() {
    let ball = TriangleMesh::icosphere(0.02, 3).unwrap();
    let found = meshed(&ball.clone().flipped(), &size_mm(5.0));
    assert_sound(&found);
    assert!(off(found.report.volume, meshed(&ball, &size_mm(5.0)).report.volume) < 1e-3);
}

#[test]
fn overlapping_balls_become_one_body() {
    let ball = TriangleMesh::icosphere(0.02, 4).unwrap();
    let count = ball.vertices().len() as u32;
    let shift = Vec3::new(0.024, 0.0, 0.0);
    let vertices = ball.vertices().iter().copied().chain(ball.vertices().iter().map(|x| x + shift)).collect();
    let triangles = ball.triangles().iter().copied().chain(ball.triangles().iter().map(|t| t.map(|v| v + count)));
    let both = TriangleMesh::new(vertices, triangles.collect()).unwrap();
    let found = meshed(&both, &size_mm(4.0));
    assert_sound(&found);
    assert_eq!(euler(&found.mesh), 2);
}

#[test]
fn shell_and_core_conform() {
    let (outer, inner) = (TriangleMesh::icosphere(0.02, 4).unwrap(), TriangleMesh::icosphere(0.014, 4).unwrap());
    let found = mesh_regions(&[("shell", &outer), ("core", &inner)], &size_mm(3.0), &mut |_, _| true).unwrap();
    assert_sound(&found);
    let report = &found.report;
    for material in &report.materials {
        assert!(off(material.volume, material.input_volume) < 5e-3, "{material:?}");
    }
    assert!(report.min_dihedral.to_degrees() > 15.0);
    // the core alone is a ball: its boundary within the mesh is closed
    let nodes = found.mesh.nodes().to_vec();
    let core = found.mesh.element_set("core").unwrap();
    let connectivity = core.iter().flat_map(|&e| found.mesh.element(e).unwrap().to_vec()).collect();
    let core = wolff_fem::TetMesh::new(ElementKind::Tet4, nodes, connectivity).unwrap();
    assert_eq!(crate::open_edges(&core), 0);
    assert_eq!(euler(&core), 2);
}

#[test]
fn quadratic_elements_follow_the_surface() {
    let ball = TriangleMesh::icosphere(0.02, 5).unwrap();
    let settings = Settings { order: ElementKind::Tet10, ..size_mm(6.0) };
    let found = meshed(&ball, &settings);
    assert_eq!(found.mesh.kind(), ElementKind::Tet10);
    assert!(wolff_fem::quality::quality(&found.mesh).inverted.is_empty());
    assert!(off(found.report.volume, found.report.input_volume) < 2e-3, "{:?}", found.report);
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let ball = ring(0.03, 0.009, [64, 24]);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| meshed(&ball, &size_mm(4.0)))
    };
    assert_eq!(with(1), with(3));
}
