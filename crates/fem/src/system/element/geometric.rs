//! Geometric stiffness: what a stress at rest adds to the stiffness of an element.

use nalgebra::{Matrix6, Vector3, Vector6};

use super::{ElementKind, SamplePoint};
use crate::strain::tensor;

/// `k_ab = ∫ ∇N_aᵀ σ ∇N_b dV`, N/m, of a uniform stress, Pa (order `xx, yy, zz, xy, yz, zx`), added to the lower
/// triangle `a (a + 1) / 2 + b` of `out`; false where the element is folded.
///
/// The same for every direction (`⊗ I₃`): the second-order work of the stress in the gradient of displacement, linear
/// in the stress, which stiffens in tension and softens in compression (Zienkiewicz and Taylor, The Finite Element
/// Method for Solid and Structural Mechanics, linear buckling). `x` are the node positions, m. Small strains.
pub fn geometric_stiffness(kind: ElementKind, x: &[Vector3<f64>], stress: &Vector6<f64>, out: &mut [f64; 55]) -> bool {
    add_geometric_stiffness(kind, x, |_| Some(*stress), out)
}

/// As [`geometric_stiffness`], for the stress `D ε(u)` of displacements `u`, m, at every point of integration; `d` is
/// the elastic stiffness in global axes, Pa.
pub fn geometric_stiffness_of(
    kind: ElementKind,
    x: &[Vector3<f64>],
    u: &[Vector3<f64>],
    d: &Matrix6<f64>,
    out: &mut [f64; 55],
) -> bool {
    add_geometric_stiffness(kind, x, |point| Some(d * point.strain(x, u)?), out)
}

fn add_geometric_stiffness(
    kind: ElementKind,
    x: &[Vector3<f64>],
    stress: impl Fn(&SamplePoint) -> Option<Vector6<f64>>,
    out: &mut [f64; 55],
) -> bool {
    for point in &kind.tables().stiffness {
        let Some((gradients, det)) = point.spatial_gradients(x) else { return false };
        let Some(stress) = stress(point) else { return false };
        // The tensor of a strain halves the shear, so that of a stress doubles it first.
        let doubled = Vector6::new(1.0, 1.0, 1.0, 2.0, 2.0, 2.0).component_mul(&stress);
        let weighted = tensor(&doubled) * (point.weight * det);
        for b in 0..point.count {
            let flux = weighted * gradients[b];
            for a in b..point.count {
                out[a * (a + 1) / 2 + b] += gradients[a].dot(&flux);
            }
        }
    }
    true
}
