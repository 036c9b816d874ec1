//! The surface of a flexible body with its modes: for pictures and strain maps, not for the dynamics.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};
use wolff_spatial::Vec3;

use crate::error::FlexBodyError;
use crate::select::check_modes;

/// Triangles with the shapes and strain modes of their m nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// Node positions in the undeformed body \[m\].
    pub positions: Vec<Vec3>,
    /// Nodes of every triangle, outward by the right-hand rule.
    pub triangles: Vec<[u32; 3]>,
    /// Displacement a modal coordinate, 3 m by n.
    #[serde(with = "crate::matrix")]
    pub displacement: DMatrix<f64>,
    /// Strain a modal coordinate in the axes of the body, 6 m by n, order `xx, yy, zz, xy, yz, zx` with engineering
    /// shear.
    #[serde(with = "crate::matrix")]
    pub strain: DMatrix<f64>,
}

impl Surface {
    /// Deformed positions for modal coordinates.
    pub fn deformed(&self, eta: &[f64]) -> Vec<Vec3> {
        let u = combined(&self.displacement, eta);
        self.positions.iter().zip(u.as_slice().chunks_exact(3)).map(|(x, u)| x + Vec3::from_column_slice(u)).collect()
    }

    /// Strains of all nodes for modal coordinates, six after six.
    pub fn strains(&self, eta: &[f64]) -> Vec<f64> {
        combined(&self.strain, eta).as_slice().to_vec()
    }

    /// The surface with these modes only, in this order.
    ///
    /// # Errors
    /// When a mode does not exist or is named twice.
    pub fn select(&self, kept: &[usize]) -> Result<Self, FlexBodyError> {
        check_modes("surface", kept, self.displacement.ncols())?;
        Ok(Surface {
            positions: self.positions.clone(),
            triangles: self.triangles.clone(),
            displacement: self.displacement.select_columns(kept),
            strain: self.strain.select_columns(kept),
        })
    }

    /// Refuses a surface that does not fit a body with `modes` modes.
    ///
    /// # Errors
    /// With the rule that was broken.
    pub fn check(&self, body: &str, modes: usize) -> Result<(), FlexBodyError> {
        let object = format!("surface of {body}");
        let m = self.positions.len();
        if self.displacement.shape() != (3 * m, modes) || self.strain.shape() != (6 * m, modes) {
            let rule = format!("its modes do not belong to {m} nodes and {modes} modes");
            return Err(FlexBodyError::invalid(object, rule));
        }
        if self.triangles.iter().flatten().any(|&node| node as usize >= m) {
            return Err(FlexBodyError::invalid(object, format!("a triangle names a node beyond its {m} nodes")));
        }
        let mut values = self.positions.iter().flatten().chain(self.displacement.iter()).chain(self.strain.iter());
        if !values.all(|x| x.is_finite()) {
            return Err(FlexBodyError::NonFinite(format!("a value of the {object}")));
        }
        Ok(())
    }
}

/// `A η` of as many modal coordinates as are given.
fn combined(a: &DMatrix<f64>, eta: &[f64]) -> DVector<f64> {
    let mut sum = DVector::zeros(a.nrows());
    for (column, eta) in a.column_iter().zip(eta) {
        sum.axpy(*eta, &column, 1.0);
    }
    sum
}
