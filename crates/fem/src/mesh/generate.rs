//! Structured meshes made in code: bars and tubes, for verification and as first bones.

use std::f64::consts::TAU;

use nalgebra::Vector3;

use crate::error::FemError;
use crate::mesh::TetMesh;
use crate::system::element::{ElementKind, tet10};

/// The corners of the six Kuhn tetrahedra of a cube: after each permutation of the axes in lexicographic order, with
/// the last two corners exchanged where the volume would be negative.
const KUHN: [[[usize; 3]; 4]; 6] = [
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]],
    [[0, 0, 0], [1, 0, 0], [1, 1, 1], [1, 0, 1]],
    [[0, 0, 0], [0, 1, 0], [1, 1, 1], [1, 1, 0]],
    [[0, 0, 0], [0, 1, 0], [0, 1, 1], [1, 1, 1]],
    [[0, 0, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1]],
    [[0, 0, 0], [0, 0, 1], [1, 1, 1], [0, 1, 1]],
];

/// A grid of `cells` cubes, each cut into six tetrahedra (Kuhn), mapped into space by `map` from the unit cube. The
/// second direction closes on itself when `ring`. Nodes are numbered with the first direction fastest.
///
/// Node sets `start` and `end` hold the ends of the third direction.
///
/// # Errors
/// When a direction has too few cells, or `map` gives a point that is not finite.
pub fn grid(
    kind: ElementKind,
    cells: [usize; 3],
    ring: bool,
    map: impl Fn([f64; 3]) -> Vector3<f64>,
) -> Result<TetMesh, FemError> {
    if cells.contains(&0) || (ring && cells[1] < 3) {
        return Err(FemError::Mesh(format!("{cells:?} cells: each direction needs one, a ring three")));
    }
    // Quadratic elements have their edge nodes on the grid of half the spacing.
    let fine = if kind == ElementKind::Tet10 { 2 } else { 1 };
    let intervals = cells.map(|n| n * fine);
    let counts = [intervals[0] + 1, if ring { intervals[1] } else { intervals[1] + 1 }, intervals[2] + 1];
    let number = |[i, j, k]: [usize; 3]| i + counts[0] * (j % counts[1] + counts[1] * k);
    let mut nodes = Vec::with_capacity(counts.iter().product());
    for k in 0..counts[2] {
        for j in 0..counts[1] {
            for i in 0..counts[0] {
                nodes.push(map([0, 1, 2].map(|d| [i, j, k][d] as f64 / intervals[d] as f64)));
            }
        }
    }
    let mut connectivity = Vec::with_capacity(6 * cells.iter().product::<usize>() * kind.node_count());
    for k in 0..cells[2] {
        for j in 0..cells[1] {
            for i in 0..cells[0] {
                for tet in KUHN {
                    let corners = tet.map(|corner| [0, 1, 2].map(|d| fine * ([i, j, k][d] + corner[d])));
                    connectivity.extend(corners.map(number));
                    if kind == ElementKind::Tet10 {
                        let middle = |(a, b): (usize, usize)| [0, 1, 2].map(|d| (corners[a][d] + corners[b][d]) / 2);
                        connectivity.extend(tet10::EDGES.map(|edge| number(middle(edge))));
                    }
                }
            }
        }
    }
    let layer = counts[0] * counts[1];
    let last = nodes.len() - layer;
    let mut mesh = TetMesh::new(kind, nodes, connectivity)?;
    mesh.set_nodes("start", (0..layer).collect())?;
    mesh.set_nodes("end", (last..last + layer).collect())?;
    Ok(mesh)
}

/// A bar of square section `width`, m, along z from 0 to `length`, m, centred on the axis: `across` by `across` by
/// `along` cubes.
///
/// # Errors
/// As [`grid`], or when a length is not positive.
pub fn bar(kind: ElementKind, width: f64, length: f64, across: usize, along: usize) -> Result<TetMesh, FemError> {
    require_lengths(&[("width", width), ("length", length)])?;
    grid(kind, [across, across, along], false, |[x, y, z]| {
        Vector3::new(width * (x - 0.5), width * (y - 0.5), length * z)
    })
}

/// A round tube along z from 0 to `length`, m, between the radii `inner` and `outer`, m; cells radially, around and
/// along. The nodes of quadratic elements lie on the cylinders.
///
/// # Errors
/// As [`grid`], or when the radii are not `0 < inner < outer`.
pub fn tube(kind: ElementKind, length: f64, inner: f64, outer: f64, cells: [usize; 3]) -> Result<TetMesh, FemError> {
    require_lengths(&[("length", length), ("inner radius", inner), ("wall thickness", outer - inner)])?;
    grid(kind, cells, true, |[radial, around, along]| {
        let r = inner + (outer - inner) * radial;
        let (sin, cos) = (TAU * around).sin_cos();
        Vector3::new(r * cos, r * sin, length * along)
    })
}

fn require_lengths(lengths: &[(&str, f64)]) -> Result<(), FemError> {
    match lengths.iter().find(|(_, value)| !(*value > 0.0 && value.is_finite())) {
        Some((name, value)) => Err(FemError::Mesh(format!("{name} = {value} m must be positive and finite"))),
        None => Ok(()),
    }
}
