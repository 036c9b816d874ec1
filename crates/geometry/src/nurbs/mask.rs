//! Trimming by a grid: parts of a surface that count as absent.

use crate::error::GeometryError;

/// Which rectangles of a surface exist: `rows` equal steps of u times `columns` equal steps of v.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mask {
    rows: usize,
    columns: usize,
    keep: Vec<bool>,
}

impl Mask {
    /// `keep` at `row * columns + column` is true where the surface exists.
    pub fn new(rows: usize, columns: usize, keep: Vec<bool>) -> Result<Self, GeometryError> {
        if rows == 0 || columns == 0 || keep.len() != rows * columns {
            let rule = "a mask needs rows times columns entries, at least one";
            return Err(GeometryError::Count {
                object: "mask".into(),
                what: "number of entries",
                found: keep.len(),
                rule,
            });
        }
        Ok(Mask { rows, columns, keep })
    }

    /// Rows (along u) and columns (along v).
    pub fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }

    /// All entries, row after row.
    pub fn entries(&self) -> &[bool] {
        &self.keep
    }

    /// Whether the surface exists at these fractions, 0 to 1, of its ranges of u and v.
    pub fn keeps(&self, u: f64, v: f64) -> bool {
        let step = |x: f64, count: usize| ((x * count as f64) as usize).min(count - 1);
        self.keep[step(u, self.rows) * self.columns + step(v, self.columns)]
    }
}
