//! Matrices in files: number of rows, number of columns, and the values, column by column.
//!
//! The product of both numbers is checked, whatever they are; nalgebra's own reader overflows.

use nalgebra::DMatrix;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) fn serialize<S: Serializer>(matrix: &DMatrix<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    (matrix.nrows(), matrix.ncols(), matrix.as_slice()).serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<DMatrix<f64>, D::Error> {
    let (rows, columns, values) = <(usize, usize, Vec<f64>)>::deserialize(deserializer)?;
    if rows.checked_mul(columns) != Some(values.len()) {
        return Err(Error::custom(format!("{} values do not fill {rows} by {columns}", values.len())));
    }
    Ok(DMatrix::from_vec(rows, columns, values))
}
