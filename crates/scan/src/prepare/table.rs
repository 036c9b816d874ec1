//! Surfaces as tables of points on a regular grid of two parameters, for `shape = "table"` of a contact.

use crate::error::ScanError;
use wolff_contact::ContactError;
use wolff_contact::lookup::TableSource;
use wolff_geometry::NurbsSurface;
use wolff_geometry::nurbs::Mask;
use wolff_spatial::Vec3;

/// A NURBS surface on a grid; points are computed when they are asked for.
#[derive(Clone, Debug)]
pub struct NurbsTable {
    surface: NurbsSurface,
    size: [usize; 2],
    /// Ranges of u and v.
    range: [(f64, f64); 2],
}

impl NurbsTable {
    /// `size` points along u and v of the whole surface.
    pub fn new(surface: NurbsSurface, size: [usize; 2]) -> Self {
        let range = [surface.knots_u().domain(), surface.knots_v().domain()];
        NurbsTable { surface, size, range }
    }

    /// The largest rectangle of parameters in which the surface lies on its data, and its share of the surface.
    pub fn within(surface: NurbsSurface, mask: &Mask, size: [usize; 2]) -> Result<(Self, f64), ScanError> {
        let (rows, columns) = mask.shape();
        let Some([top, bottom, left, right]) = largest_rectangle(mask) else {
            return Err(ScanError::Request("the fitted surface lies nowhere on its data".into()));
        };
        let whole = Self::new(surface, size);
        let part = |(low, high): (f64, f64), from: usize, to: usize, count: usize| {
            let at = |k: usize| low + (high - low) * k as f64 / count as f64;
            (at(from), at(to))
        };
        let range = [part(whole.range[0], top, bottom, rows), part(whole.range[1], left, right, columns)];
        let share = ((bottom - top) * (right - left)) as f64 / (rows * columns) as f64;
        Ok((NurbsTable { range, ..whole }, share))
    }
}

impl TableSource for NurbsTable {
    fn size(&self) -> [usize; 2] {
        self.size
    }

    fn read(&self, start: [usize; 2], count: [usize; 2], out: &mut [Vec3]) -> Result<(), ContactError> {
        let at = |k: usize, n: usize, (low, high): (f64, f64)| low + (high - low) * k as f64 / (n - 1) as f64;
        for (k, point) in out.iter_mut().enumerate() {
            let (i, j) = (start[0] + k / count[1], start[1] + k % count[1]);
            // the other way around along v, r_u × r_v points to the other side
            let j = if self.surface.is_reversed() { self.size[1] - 1 - j } else { j };
            let (u, v) = (at(i, self.size[0], self.range[0]), at(j, self.size[1], self.range[1]));
            let missing = || ContactError::Table { table: self.describe(), rule: format!("no point at {u}, {v}") };
            *point = self.surface.point(u, v).ok_or_else(missing)?;
        }
        Ok(())
    }

    fn describe(&self) -> String {
        "of a NURBS surface".into()
    }
}

/// Rows and columns `[from, to, from, to]` of the largest rectangle of a mask without a gap.
fn largest_rectangle(mask: &Mask) -> Option<[usize; 4]> {
    let (rows, columns) = mask.shape();
    let mut heights = vec![0_usize; columns];
    let mut best: Option<(usize, [usize; 4])> = None;
    for row in 0..rows {
        for (column, height) in heights.iter_mut().enumerate() {
            *height = if mask.entries()[row * columns + column] { *height + 1 } else { 0 };
        }
        for left in 0..columns {
            let mut lowest = usize::MAX;
            for right in left..columns {
                lowest = lowest.min(heights[right]);
                if lowest == 0 {
                    break;
                }
                let area = lowest * (right + 1 - left);
                if best.is_none_or(|(most, _)| area > most) {
                    best = Some((area, [row + 1 - lowest, row + 1, left, right + 1]));
                }
            }
        }
    }
    best.map(|(_, rectangle)| rectangle)
}

/// Points of a file in rows of a grid, taken as they are.
#[derive(Clone, Debug)]
pub struct PointGrid {
    points: Vec<Vec3>,
    columns: usize,
}

impl PointGrid {
    /// Rows of `columns` points, one after the other.
    pub fn new(points: Vec<Vec3>, columns: usize) -> Result<Self, ScanError> {
        let rows = points.len() / columns.max(1);
        if columns < 4 || rows < 4 || rows * columns != points.len() {
            return Err(ScanError::Request(format!(
                "{} points are no full rows of {columns}; a table has at least 4 rows of at least 4 points each",
                points.len()
            )));
        }
        Ok(PointGrid { points, columns })
    }

    /// The grid with its normals on the other side.
    pub fn reversed(mut self) -> Self {
        self.points.chunks_mut(self.columns).for_each(<[Vec3]>::reverse);
        self
    }
}

impl TableSource for PointGrid {
    fn size(&self) -> [usize; 2] {
        [self.points.len() / self.columns, self.columns]
    }

    fn read(&self, start: [usize; 2], count: [usize; 2], out: &mut [Vec3]) -> Result<(), ContactError> {
        for (row, points) in out.chunks_mut(count[1]).enumerate() {
            let first = (start[0] + row) * self.columns + start[1];
            points.copy_from_slice(&self.points[first..first + count[1]]);
        }
        Ok(())
    }

    fn describe(&self) -> String {
        "of a grid of points".into()
    }
}
