//! Mesh files: a module for each format, round trips, damaged files.

mod damage;
mod detect;
mod gmsh;
mod inp;
mod legacy;
mod round_trip;
mod vtu;

use std::fs;
use std::path::{Path, PathBuf};

use nalgebra::Vector3;
use wolff_fem::element::tet10::EDGES;
use wolff_fem::generate::bar;
use wolff_fem::{ElementKind, TetMesh};

/// An empty folder of one test, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("meshes-{test}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A distorted bar whose sets overlap, leave some members out, and hold nothing.
fn sample(kind: ElementKind) -> TetMesh {
    let mut mesh = bar(kind, 0.3, 0.7, 2, 3).unwrap().mapped(distort).unwrap();
    mesh.set_elements("lower half", (0..mesh.element_count() / 2).collect()).unwrap();
    mesh.set_elements("every third", (0..mesh.element_count()).step_by(3).collect()).unwrap();
    mesh.set_elements("none", Vec::new()).unwrap();
    mesh.set_nodes("every_other", (0..mesh.nodes().len()).step_by(2).collect()).unwrap();
    mesh.set_nodes("empty", Vec::new()).unwrap();
    mesh
}

/// Corners of a general tetrahedron of volume 1.
const CORNERS: [[f64; 3]; 4] = [[0.5, 0.25, 0.125], [2.5, 0.25, 0.125], [0.5, 3.25, 0.125], [1.5, 1.25, 1.125]];

/// Positions of the ten nodes when the edges come in the order given.
fn ten_nodes(edges: [(usize, usize); 6]) -> Vec<[f64; 3]> {
    let middle = |(a, b): (usize, usize)| [0, 1, 2].map(|d| 0.5 * (CORNERS[a][d] + CORNERS[b][d]));
    CORNERS.into_iter().chain(edges.map(middle)).collect()
}

/// One ten-node element of that tetrahedron, its edge nodes where they belong.
fn assert_straight_ten_nodes(mesh: &TetMesh) {
    assert_eq!((mesh.kind(), mesh.element_count()), (ElementKind::Tet10, 1));
    let expected: Vec<Vector3<f64>> = ten_nodes(EDGES).into_iter().map(Vector3::from).collect();
    let found: Vec<Vector3<f64>> = mesh.element(0).unwrap().iter().map(|&node| mesh.nodes()[node]).collect();
    assert_eq!(found, expected);
}

/// Bytes put together number by number, of either byte order.
struct Bytes {
    out: Vec<u8>,
    big: bool,
}

impl Bytes {
    fn new(big: bool) -> Self {
        Self { out: Vec::new(), big }
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.out.extend(text.as_bytes());
        self
    }

    fn put<const N: usize>(&mut self, mut little: [u8; N]) -> &mut Self {
        if self.big {
            little.reverse();
        }
        self.out.extend(little);
        self
    }

    fn ints(&mut self, values: &[i32]) -> &mut Self {
        values.iter().for_each(|value| _ = self.put(value.to_le_bytes()));
        self
    }

    fn longs(&mut self, values: &[i64]) -> &mut Self {
        values.iter().for_each(|value| _ = self.put(value.to_le_bytes()));
        self
    }

    fn doubles(&mut self, values: &[f64]) -> &mut Self {
        values.iter().for_each(|value| _ = self.put(value.to_le_bytes()));
        self
    }

    fn floats(&mut self, values: &[f32]) -> &mut Self {
        values.iter().for_each(|value| _ = self.put(value.to_le_bytes()));
        self
    }
}

/// A smooth distortion of space without reflection, for meshes a few units large.
fn distort(x: &Vector3<f64>) -> Vector3<f64> {
    let (s, t) = ((1.3 * x.y + 0.4).sin(), (0.9 * x.x - 0.7 * x.z).cos());
    x + 0.12 * Vector3::new(s, t, 0.5 * s * t)
}

fn assert_close(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} differs from {expected} by more than {tolerance:e}");
}

fn assert_relative(values: &[f64], expected: &[f64], relative: f64) {
    assert_eq!(values.len(), expected.len());
    for (value, expected) in values.iter().zip(expected) {
        let error = (value / expected - 1.0).abs();
        assert!(error <= relative, "{value} differs from {expected} by {error:e}, more than {relative:e}");
    }
}
