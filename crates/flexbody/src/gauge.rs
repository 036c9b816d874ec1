//! Gauges: named sites where strain is read off the modal coordinates.

use nalgebra::{DMatrix, Matrix6, Vector6};
use serde::{Deserialize, Serialize};
use wolff_spatial::Vec3;

use crate::error::FlexBodyError;

/// A strain gauge: `ε = E η` in its own axes, order `xx, yy, zz, xy, yz, zx` with engineering shear.
///
/// The gauge's x axis lies in the surface along the bone, y in the surface across it, z along the outward normal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gauge {
    /// Name, unique on the body.
    pub name: String,
    /// Position in the undeformed body [m].
    pub position: Vec3,
    /// Axes in the undeformed body: columns along, across, outward normal, stored row by row.
    pub axes: [[f64; 3]; 3],
    /// `E`: strain a modal coordinate, 6 by n.
    pub strain: DMatrix<f64>,
    /// Stress from strain in the gauge's axes [Pa].
    pub elasticity: Matrix6<f64>,
}

impl Gauge {
    /// Strain for modal coordinates (or strain rate for modal speeds).
    pub fn strain(&self, eta: &[f64]) -> Vector6<f64> {
        let mut strain = Vector6::zeros();
        for (column, eta) in self.strain.column_iter().zip(eta) {
            strain += column.fixed_rows::<6>(0) * *eta;
        }
        strain
    }

    /// Refuses a gauge that does not fit a body with `modes` modes.
    ///
    /// # Errors
    /// With the rule that was broken.
    pub fn check(&self, body: &str, modes: usize) -> Result<(), FlexBodyError> {
        let object = format!("gauge {body}.{}", self.name);
        if self.strain.shape() != (6, modes) {
            return Err(FlexBodyError::invalid(object, format!("its strain modes do not belong to {modes} modes")));
        }
        let mut values = self.position.iter().chain(self.strain.iter()).chain(self.elasticity.iter());
        if !(values.all(|x| x.is_finite()) && self.axes.iter().flatten().all(|x| x.is_finite())) {
            return Err(FlexBodyError::NonFinite(format!("a value of {object}")));
        }
        Ok(())
    }
}
