//! Smooth functions along a bone from a table of stations.

/// How many quantities a station holds.
pub(crate) const COLUMNS: usize = 8;

/// Piecewise cubic through the rows of a table, monotone wherever the rows are, with continuous slope.
///
/// Slopes are weighted harmonic means of the neighbouring secants, zero at a turn (Fritsch and Butland 1984, SIAM J.
/// Sci. Stat. Comput. 5, 300-304); at the ends the secant. Rows must have ascending positions.
#[derive(Debug, Clone)]
pub(crate) struct Profile {
    at: Vec<f64>,
    values: Vec<[f64; COLUMNS]>,
    slopes: Vec<[f64; COLUMNS]>,
}

impl Profile {
    /// A profile through `(position, values)`; at least two rows.
    pub fn new(rows: impl IntoIterator<Item = (f64, [f64; COLUMNS])>) -> Self {
        let (at, values): (Vec<f64>, Vec<[f64; COLUMNS]>) = rows.into_iter().unzip();
        let slopes = (0..at.len()).map(|row| std::array::from_fn(|c| slope(&at, &values, row, c))).collect();
        Self { at, values, slopes }
    }

    /// The values at a position; beyond the table those of its ends.
    pub fn at(&self, position: f64) -> [f64; COLUMNS] {
        let last = self.at.len() - 1;
        let x = position.clamp(self.at[0], self.at[last]);
        let i = self.at.partition_point(|&a| a <= x).clamp(1, last) - 1;
        let h = self.at[i + 1] - self.at[i];
        let u = (x - self.at[i]) / h;
        std::array::from_fn(|c| {
            let (a, b) = (self.values[i][c], self.values[i + 1][c]);
            let (da, db) = (h * self.slopes[i][c], h * self.slopes[i + 1][c]);
            a + u * (da + u * (3.0 * (b - a) - 2.0 * da - db + u * (2.0 * (a - b) + da + db)))
        })
    }
}

fn slope(at: &[f64], values: &[[f64; COLUMNS]], row: usize, c: usize) -> f64 {
    let secant = |i: usize| (values[i + 1][c] - values[i][c]) / (at[i + 1] - at[i]);
    if row == 0 {
        return secant(0);
    }
    if row + 1 == at.len() {
        return secant(row - 1);
    }
    let (before, after) = (secant(row - 1), secant(row));
    if before * after <= 0.0 {
        return 0.0;
    }
    let (hb, ha) = (at[row] - at[row - 1], at[row + 1] - at[row]);
    let (wb, wa) = (hb + 2.0 * ha, 2.0 * hb + ha);
    (wb + wa) / (wb / before + wa / after)
}
