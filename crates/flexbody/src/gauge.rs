//! Gauges: named sites where strain is read off the modal coordinates.

use nalgebra::{DMatrix, Matrix6, Vector6};
use serde::{Deserialize, Serialize};
use wolff_spatial::{Mat3, Vec3};

use crate::error::FlexBodyError;
use crate::measures::{self, PlaneStrain};

/// A strain gauge: `ε = E η` in its own axes, order `xx, yy, zz, xy, yz, zx` with engineering shear.
///
/// The gauge's x axis lies in the surface along the bone, y in the surface across it, z along the outward normal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gauge {
    /// Name, unique on the body.
    pub name: String,
    /// Position in the undeformed body \[m\].
    pub position: Vec3,
    /// Axes in the undeformed body: columns along, across, outward normal, stored row by row.
    pub axes: [[f64; 3]; 3],
    /// `E`: strain a modal coordinate, 6 by n.
    #[serde(with = "crate::matrix")]
    pub strain: DMatrix<f64>,
    /// Stress from strain in the gauge's axes \[Pa\].
    pub elasticity: Matrix6<f64>,
}

/// Everything a gauge tells at an instant; or the rate of everything, 1/s, rad/s and Pa/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Strain in the gauge's axes; the first is the axial strain.
    pub strain: Vector6<f64>,
    /// Principal strains in the plane of the surface, their direction, largest shear.
    pub plane: PlaneStrain,
    /// The grids of a rosette at 0, 45 and 90 degrees to the bone.
    pub rosette: [f64; 3],
    /// Principal strains in space, largest first.
    pub principal: [f64; 3],
    /// Von Mises equivalent strain.
    pub von_mises: f64,
    /// Stress in the gauge's axes \[Pa\].
    pub stress: Vector6<f64>,
    /// Von Mises stress \[Pa\].
    pub von_mises_stress: f64,
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

    /// Axes as a matrix: columns along, across, outward normal.
    pub fn rotation(&self) -> Mat3 {
        Mat3::from_fn(|i, j| self.axes[i][j])
    }

    /// All measures for modal coordinates.
    pub fn reading(&self, eta: &[f64]) -> Reading {
        Reading::of(&self.strain(eta), &self.elasticity)
    }

    /// Rates of all measures for modal coordinates and speeds; see [`measures`] for what a rate is at equal principal
    /// strains.
    pub fn reading_rate(&self, eta: &[f64], eta_rate: &[f64]) -> Reading {
        Reading::rate_of(&self.strain(eta), &self.strain(eta_rate), &self.elasticity)
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

impl Reading {
    /// All measures of a strain in gauge axes; `elasticity` in the same axes \[Pa\].
    pub fn of(strain: &Vector6<f64>, elasticity: &Matrix6<f64>) -> Self {
        let stress = elasticity * strain;
        let (x, y, shear) = (strain[0], strain[1], strain[3]);
        Reading {
            strain: *strain,
            plane: measures::in_plane(x, y, shear),
            rosette: measures::rosette(x, y, shear),
            principal: measures::principal(strain),
            von_mises: measures::von_mises(strain),
            stress,
            von_mises_stress: measures::von_mises_stress(&stress),
        }
    }

    /// Rates of all measures for a strain and its rate.
    pub fn rate_of(strain: &Vector6<f64>, rate: &Vector6<f64>, elasticity: &Matrix6<f64>) -> Self {
        let (stress, stress_rate) = (elasticity * strain, elasticity * rate);
        let in_plane = |e: &Vector6<f64>| [e[0], e[1], e[3]];
        Reading {
            strain: *rate,
            plane: measures::in_plane_rate(in_plane(strain), in_plane(rate)),
            rosette: measures::rosette(rate[0], rate[1], rate[3]),
            principal: measures::principal_rate(strain, rate),
            von_mises: measures::von_mises_rate(strain, rate),
            stress: stress_rate,
            von_mises_stress: measures::von_mises_stress_rate(&stress, &stress_rate),
        }
    }

    /// Axial strain: along the bone.
    pub fn axial(&self) -> f64 {
        self.strain[0]
    }
}
