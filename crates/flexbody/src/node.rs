//! Nodes: the places of a flexible body to which joints, forces and contacts attach.

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};
use wolff_spatial::{Pose, Vec3};

use crate::error::FlexBodyError;

/// The node that is the floating frame itself: it does not feel the modes.
pub const BASE: &str = "base";

/// A frame that moves with the modes: `p = p₀ + Φ η + ½ g(η, η)`, `R = exp(Θ η + ½ γ(η, η)) R₀`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Node {
    /// Name, unique on the body.
    pub name: String,
    /// Position in the undeformed body \[m\].
    pub position: Vec3,
    /// Axes in the undeformed body, row by row (`R₀`).
    pub axes: [[f64; 3]; 3],
    /// `Φ`: displacement a modal coordinate, 3 by n.
    #[serde(with = "crate::matrix")]
    pub translation: DMatrix<f64>,
    /// `Θ`: rotation vector a modal coordinate, 3 by n.
    #[serde(with = "crate::matrix")]
    pub rotation: DMatrix<f64>,
    /// `g_ij` at `i n + j`; empty without geometric stiffening.
    pub second: Vec<Vec3>,
    /// `γ_ij` at `i n + j`; empty where rotations are linear in the modes.
    pub second_rotation: Vec<Vec3>,
}

impl Node {
    /// A node with the axes of the body.
    pub fn new(name: &str, position: Vec3, translation: DMatrix<f64>, rotation: DMatrix<f64>) -> Self {
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let (second, second_rotation) = (Vec::new(), Vec::new());
        Node { name: name.into(), position, axes, translation, rotation, second, second_rotation }
    }

    /// The floating frame as a node.
    pub fn base(modes: usize) -> Self {
        Node::new(BASE, Vec3::zeros(), DMatrix::zeros(3, modes), DMatrix::zeros(3, modes))
    }

    /// Pose in the undeformed body.
    pub fn pose(&self) -> Pose {
        let a = &self.axes;
        Pose::new(wolff_spatial::Mat3::from_fn(|i, j| a[i][j]), self.position)
    }

    /// Refuses a node that does not fit a body with `modes` modes.
    ///
    /// # Errors
    /// With the rule that was broken.
    pub fn check(&self, body: &str, modes: usize) -> Result<(), FlexBodyError> {
        let object = format!("{body}.{}", self.name);
        let fits = self.translation.shape() == (3, modes) && self.rotation.shape() == (3, modes);
        let paired = |of: &[Vec3]| of.is_empty() || of.len() == modes * modes;
        if !(fits && paired(&self.second) && paired(&self.second_rotation)) {
            return Err(FlexBodyError::invalid(object, format!("its shapes do not belong to {modes} modes")));
        }
        let mut values = self.position.iter().chain(self.translation.iter()).chain(self.rotation.iter());
        let mut pairs = self.second.iter().chain(&self.second_rotation).flatten();
        if !(values.all(|x| x.is_finite()) && pairs.all(|x| x.is_finite())) {
            return Err(FlexBodyError::NonFinite(format!("a shape of {object}")));
        }
        let R = self.pose().R;
        if !((R.transpose() * R - wolff_spatial::Mat3::identity()).amax() < 1e-9 && R.determinant() > 0.0) {
            return Err(FlexBodyError::invalid(object, "its axes are not a right-handed set of unit vectors"));
        }
        Ok(())
    }
}
