//! The layout of the reference files.

use serde::Deserialize;
use std::collections::BTreeMap;

/// Numbers by name.
pub(super) type Numbers = BTreeMap<String, f64>;

/// Rows of numbers under column names. The first column is the argument of the row (such as a time); the others are
/// references.
#[derive(Debug, Deserialize)]
pub(super) struct Table {
    /// Names, one per number of a row.
    pub columns: Vec<String>,
    /// Rows of equal length.
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    /// The first column.
    pub fn keys(&self) -> Vec<f64> {
        self.rows.iter().filter_map(|row| row.first().copied()).collect()
    }

    /// A column by name; empty for an unknown one.
    pub fn column(&self, name: &str) -> Vec<f64> {
        let index = self.columns.iter().position(|c| c == name);
        self.rows.iter().filter_map(|row| row.get(index?).copied()).collect()
    }

    /// Row index, column name and number of every reference.
    pub fn cells(&self) -> impl Iterator<Item = (usize, &str, f64)> {
        let row = |(i, row)| {
            let named = self.columns.iter().zip::<&Vec<f64>>(row).skip(1);
            named.map(move |(name, &x)| (i, name.as_str(), x))
        };
        self.rows.iter().enumerate().flat_map(row)
    }
}
