//! Surfaces as tables of points on a regular grid of two parameters, of which only a window around the last contact is
//! in memory.
//!
//! | file | subject |
//! |---|---|
//! | this one | the table: its size, a coarse copy for the first search |
//! | [`source`] | where points come from: a formula or a file that is read in pieces |
//! | [`window`] | the part in memory, and the surface between its points |
//! | [`search`] | the common normal of two tables |
//!
//! A surface of a million points costs as much as one of ten thousand: the first search looks at the coarse copy, all
//! later ones at the window.

pub mod search;
pub mod source;
pub mod window;

pub use search::{TablePair, Work};
pub use source::{FileSource, Form, FormSource, TableSource, write_table};
pub use window::{Jet, Window};

use crate::error::ContactError;
use std::sync::Arc;
use wolff_spatial::Vec3;

/// Fewest points along a parameter: a cell and its neighbours.
const FEWEST_POINTS: usize = 4;

/// Smallest window: two cells to all sides of a cell.
const SMALLEST_WINDOW: usize = 6;

/// Most points of the coarse copy along a parameter.
const COARSE_POINTS: usize = 25;

/// A surface sampled on a grid. Parameters (u, v) count the points from 0; `∂r/∂u × ∂r/∂v` points out of the material.
#[derive(Clone, Debug)]
pub struct SurfaceTable {
    source: Arc<dyn TableSource>,
    size: [usize; 2],
    window: usize,
    coarse: Vec<CoarsePoint>,
    coarse_columns: usize,
    smallest_radius: f64,
}

/// A point of the coarse copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoarsePoint {
    pub place: [f64; 2],
    pub position: Vec3,
    pub normal: Vec3,
}

fn refused(source: &dyn TableSource, rule: String) -> ContactError {
    ContactError::Table { table: source.describe(), rule }
}

impl SurfaceTable {
    /// A table of which `window` × `window` points are kept in memory.
    pub fn new(source: Arc<dyn TableSource>, window: usize) -> Result<Self, ContactError> {
        let size = source.size();
        let [rows, columns] = size;
        if rows.min(columns) < FEWEST_POINTS {
            let rule = format!("{rows} x {columns} points, at least {FEWEST_POINTS} along both parameters are needed");
            return Err(refused(&*source, rule));
        }
        if window < SMALLEST_WINDOW.min(rows.min(columns)) || window > rows.min(columns) {
            let rule = format!(
                "a window of {window} points does not fit into {rows} x {columns}; give one from {SMALLEST_WINDOW} to \
                 {}",
                rows.min(columns)
            );
            return Err(refused(&*source, rule));
        }
        let mut table =
            SurfaceTable { source, size, window, coarse: Vec::new(), coarse_columns: 0, smallest_radius: 0.0 };
        table.fill_coarse()?;
        Ok(table)
    }

    /// Reads about [`COARSE_POINTS`] points along both parameters; normals and radii from their differences.
    fn fill_coarse(&mut self) -> Result<(), ContactError> {
        let picks = self.size.map(|n| {
            let count = n.min(COARSE_POINTS);
            (0..count).map(|k| (k * (n - 1) + (count - 1) / 2) / (count - 1)).collect::<Vec<usize>>()
        });
        let mut grid = Vec::with_capacity(picks[0].len() * picks[1].len());
        for &i in &picks[0] {
            for &j in &picks[1] {
                let mut point = [Vec3::zeros()];
                self.source.read([i, j], [1, 1], &mut point)?;
                if !point[0].iter().all(|x| x.is_finite()) {
                    return Err(refused(&*self.source, format!("point ({i}, {j}) is {:?}, must be finite", point[0])));
                }
                grid.push(point[0]);
            }
        }
        self.coarse_columns = picks[1].len();
        self.smallest_radius = f64::INFINITY;
        for (a, &i) in picks[0].iter().enumerate() {
            for (b, &j) in picks[1].iter().enumerate() {
                let normal = self.coarse_normal(&grid, [a, b], picks[0].len());
                let Some(normal) = normal.try_normalize(0.0) else {
                    let rule = format!("the surface has no normal at point ({i}, {j}); leave poles and folds out");
                    return Err(refused(&*self.source, rule));
                };
                let position = grid[a * self.coarse_columns + b];
                self.coarse.push(CoarsePoint { place: [i as f64, j as f64], position, normal });
            }
        }
        self.smallest_radius = self.radius_of_coarse();
        Ok(())
    }

    fn coarse_normal(&self, grid: &[Vec3], [a, b]: [usize; 2], rows: usize) -> Vec3 {
        let columns = self.coarse_columns;
        let (up, down) = (a.saturating_sub(1), (a + 1).min(rows - 1));
        let (left, right) = (b.saturating_sub(1), (b + 1).min(columns - 1));
        let along_u = grid[down * columns + b] - grid[up * columns + b];
        let along_v = grid[a * columns + right] - grid[a * columns + left];
        along_u.cross(&along_v)
    }

    /// Smallest of distance over turn of the normal between neighbours, at most the extent \[m\].
    fn radius_of_coarse(&self) -> f64 {
        let extent = |p: &CoarsePoint| (p.position - self.coarse[0].position).norm();
        let mut radius = self.coarse.iter().map(extent).fold(0.0, f64::max);
        for (k, p) in self.coarse.iter().enumerate() {
            let right = (!(k + 1).is_multiple_of(self.coarse_columns)).then_some(k + 1);
            for q in [right, Some(k + self.coarse_columns)].into_iter().flatten().filter_map(|n| self.coarse.get(n)) {
                let turn = (q.normal - p.normal).norm();
                radius = radius.min((q.position - p.position).norm() / turn.max(f64::MIN_POSITIVE));
            }
        }
        radius
    }

    /// Points along both parameters.
    pub fn size(&self) -> [usize; 2] {
        self.size
    }

    /// An empty window on this table.
    pub fn open_window(&self) -> Window {
        Window::new(Arc::clone(&self.source), self.window)
    }

    /// Points read to make the coarse copy.
    pub fn coarse_count(&self) -> usize {
        self.coarse.len()
    }

    /// Smallest radius of curvature as the coarse copy sees it \[m\].
    pub fn smallest_radius(&self) -> f64 {
        self.smallest_radius
    }

    pub(crate) fn coarse(&self) -> &[CoarsePoint] {
        &self.coarse
    }
}
