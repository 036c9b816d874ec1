//! Matrices of a mesh in the independent dof of its constraints, and the order in which to eliminate them.

use std::sync::Arc;

use faer::{Mat, MatRef};

use crate::mesh::TetMesh;
use crate::solver::fronts::DofTree;
use crate::solver::ordering::nested_dissection;
use crate::system::dofs::DofMap;
use crate::system::nodal::NodalMatrix;
use crate::system::sparse::{Pattern, SymmetricMatrix};

/// `Tᵀ M T` as an operator on the first `dim` independent dof, the others held still.
pub(crate) struct ProjectedMass<'a> {
    pub(crate) map: &'a DofMap,
    pub(crate) mass: &'a NodalMatrix,
    pub(crate) dim: usize,
}

impl ProjectedMass<'_> {
    /// `Tᵀ M T X`.
    pub(crate) fn mul(&self, x: MatRef<'_, f64>) -> Mat<f64> {
        self.map.project_block(self.mass.mul(self.map.expand_block(x).as_ref()).as_ref(), self.dim)
    }
}

/// A stiffness matrix split into interior and interface (retained nodes and rigid interfaces).
pub(crate) struct Split {
    /// `K_ii`.
    pub(crate) interior: SymmetricMatrix,
    /// `K_ib`, dense.
    pub(crate) coupling: Mat<f64>,
    /// `K_bb`, dense.
    pub(crate) boundary: Mat<f64>,
}

/// The order of elimination of the first `dim` independent dof (all, or the interior ones) of a mesh whose mass couples
/// its nodes. Dof of interfaces and whatever is numbered after the independent dof go to the root.
pub(crate) fn tree(map: &DofMap, mesh: &TetMesh, mass: &NodalMatrix, dim: usize) -> DofTree {
    let pieces = nested_dissection(mesh.nodes(), mass.graph());
    let interior = |&node: &usize| {
        let own = (3 * node..3 * node + 3).filter_map(|dof| match map.terms(dof) {
            [(i, _)] if *i < map.interior() => Some(*i),
            _ => None,
        });
        own.collect::<Vec<usize>>()
    };
    let mut tree = DofTree {
        children: pieces.iter().map(|piece| piece.children).collect(),
        pieces: pieces.iter().map(|piece| piece.nodes.iter().flat_map(interior).collect()).collect(),
    };
    if let Some(root) = tree.pieces.last_mut() {
        root.extend(map.interior()..dim);
    }
    tree
}

/// `Tᵀ A T`.
pub(crate) fn project(map: &DofMap, a: &SymmetricMatrix) -> SymmetricMatrix {
    let mut beyond = vec![Vec::new(); map.independent()];
    for_terms(map, a, |i, j, value| beyond[j.min(i)].push((i.max(j), value)));
    principal(map, a, beyond)
}

/// The block of the interior dof.
pub(crate) fn interior(map: &DofMap, a: &SymmetricMatrix) -> SymmetricMatrix {
    principal(map, a, Vec::new())
}

/// The interior and interface parts of a stiffness matrix.
pub(crate) fn split(map: &DofMap, a: &SymmetricMatrix) -> Split {
    let interior_block = self::interior(map, a);
    let interior = map.interior();
    let boundary = map.independent() - interior;
    let mut coupling = Mat::zeros(interior, boundary);
    let mut block = Mat::zeros(boundary, boundary);
    for_terms(map, a, |i, j, value| {
        let (high, low) = (i.max(j), i.min(j));
        if low < interior {
            coupling[(low, high - interior)] += value;
        } else {
            block[(high - interior, low - interior)] += value;
            if high != low {
                block[(low - interior, high - interior)] += value;
            }
        }
    });
    Split { interior: interior_block, coupling, boundary: block }
}

/// `[K Aᵀ; A 0]` with the rows of `A` as lists of dof and coefficient.
pub(crate) fn bordered(k: &SymmetricMatrix, rows: &[Vec<(usize, f64)>]) -> SymmetricMatrix {
    let mut beyond = vec![Vec::new(); k.dim()];
    for (index, row) in rows.iter().enumerate() {
        row.iter().for_each(|&(dof, value)| beyond[dof].push((k.dim() + index, value)));
    }
    let mut pattern = Pattern { col_start: vec![0], row: Vec::new() };
    let mut values = Vec::new();
    for (col, below) in beyond.into_iter().enumerate() {
        for (row, value) in k.column(col) {
            pattern.row.push(row);
            values.push(value);
        }
        push_column(below, &mut pattern, &mut values);
    }
    for index in 0..rows.len() {
        push_column(vec![(k.dim() + index, 0.0)], &mut pattern, &mut values);
    }
    SymmetricMatrix::new(Arc::new(pattern), values)
}

/// Calls `add(i, j, value)` for every term of the lower triangle of `Tᵀ A T` that involves an interface; `i` and `j`
/// come in any order.
fn for_terms(map: &DofMap, a: &SymmetricMatrix, mut add: impl FnMut(usize, usize, f64)) {
    let inside = |dof: usize| matches!(map.terms(dof), [(i, _)] if *i < map.interior());
    let inner: Vec<bool> = (0..a.dim()).map(inside).collect();
    for col in 0..a.dim() {
        for (row, value) in a.column(col) {
            if inner[row] && inner[col] {
                continue;
            }
            for &(i, ci) in map.terms(row) {
                for &(j, cj) in map.terms(col) {
                    let product = value * ci * cj;
                    if row != col && i == j {
                        // The entry and its mirror image meet on the diagonal.
                        add(i, i, 2.0 * product);
                    } else if row != col || i >= j {
                        add(i, j, product);
                    }
                }
            }
        }
    }
}

/// The interior block, which is numbered as in the mesh, with further entries (row, value) in the columns `beyond`;
/// as many columns as that list has.
fn principal(map: &DofMap, a: &SymmetricMatrix, beyond: Vec<Vec<(usize, f64)>>) -> SymmetricMatrix {
    let target = |dof: usize| match map.terms(dof) {
        [(i, _)] if *i < map.interior() => *i,
        _ => usize::MAX,
    };
    let target: Vec<usize> = (0..a.dim()).map(target).collect();
    let mut pattern = Pattern { col_start: vec![0], row: Vec::with_capacity(a.values().len()) };
    let mut values: Vec<f64> = Vec::with_capacity(a.values().len());
    let mut beyond = beyond.into_iter();
    for col in (0..a.dim()).filter(|&col| target[col] != usize::MAX) {
        for (row, value) in a.column(col) {
            if target[row] != usize::MAX {
                pattern.row.push(target[row]);
                values.push(value);
            }
        }
        push_column(beyond.next().unwrap_or_default(), &mut pattern, &mut values);
    }
    for mut column in beyond {
        // The diagonal is stored, if only as zero.
        column.insert(0, (pattern.dim(), 0.0));
        push_column(column, &mut pattern, &mut values);
    }
    SymmetricMatrix::new(Arc::new(pattern), values)
}

/// Appends the entries of a column, sorted and summed in the order given, and closes it.
fn push_column(mut column: Vec<(usize, f64)>, pattern: &mut Pattern, values: &mut Vec<f64>) {
    column.sort_by_key(|&(row, _)| row);
    let mut last = None;
    for (row, value) in column {
        match values.last_mut() {
            Some(sum) if last == Some(row) => *sum += value,
            _ => {
                pattern.row.push(row);
                values.push(value);
                last = Some(row);
            }
        }
    }
    pattern.col_start.push(pattern.row.len());
}
