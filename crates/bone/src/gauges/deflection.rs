//! Bending and torsion of one end of a bone relative to the other.

use crate::parametric::Side;
use wolff_flexbody::{FlexBody, FlexBodyError};
use wolff_spatial::Vec3;

use crate::segment::recipe::RING_NAMES;

/// Rotation of the proximal relative to the distal part of a bone \[rad\].
///
/// The small rotation `θ = (Θ_p - Θ_d) η` of two nodes in the axes of the segment, named as measured on living tibiae
/// with markers on the bone (Yang et al. 2014, PLoS ONE 9:e94525). Between the rings at 20 and 80 % of the bone these
/// are the angles to compare with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Deflection {
    /// Positive where the proximal part leans backward: the anterior side is stretched.
    pub posterior: f64,
    /// Positive where it leans towards the middle of the body.
    pub medial: f64,
    /// Positive where it is turned outward.
    pub external: f64,
}

impl Deflection {
    /// Of a rotation of the proximal against the distal part \[rad\].
    pub fn of_rotation(theta: &Vec3, side: Side) -> Self {
        let lateral = side.outward();
        // +z turns up to backward, +x turns up to the right, +y turns forward to the left
        Deflection { posterior: theta.z, medial: -lateral * theta.x, external: -lateral * theta.y }
    }
}

/// The deflection between the rings of the shaft ([`RING_NAMES`]) for modal coordinates; its rate for modal speeds.
///
/// # Errors
/// When the body has no such nodes.
pub fn deflection(body: &FlexBody, side: Side, eta: &[f64]) -> Result<Deflection, FlexBodyError> {
    between(body, RING_NAMES, side, eta)
}

/// The deflection of the first relative to the second of two nodes.
///
/// # Errors
/// When the body has no such node.
pub fn between(body: &FlexBody, nodes: [&str; 2], side: Side, eta: &[f64]) -> Result<Deflection, FlexBodyError> {
    let turn = |name: &str| -> Result<Vec3, FlexBodyError> {
        let columns = body.node(name)?.rotation.column_iter().zip(eta);
        Ok(columns.map(|(c, eta)| Vec3::new(c[0], c[1], c[2]) * *eta).sum())
    };
    Ok(Deflection::of_rotation(&(turn(nodes[0])? - turn(nodes[1])?), side))
}
