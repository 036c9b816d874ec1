//! Shape of a tetrahedron.

use wolff_spatial::Vec3;

/// The smallest sine of its six dihedral angles, negative for an inverted one.
///
/// ```text
/// sin θ_ij = 6V |x_i - x_j| / (|n_k| |n_l|),   n_k = twice the area vector of the face opposite to corner k
/// ```
#[inline]
pub(crate) fn least_sine(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> f64 {
    let (ab, ac, ad, bc, bd, cd) = (b - a, c - a, d - a, c - b, d - b, d - c);
    let nd = ab.cross(&ac);
    let six = nd.dot(&ad);
    let (na2, nb2, nc2, nd2) =
        (bc.cross(&bd).norm_squared(), ac.cross(&ad).norm_squared(), ab.cross(&ad).norm_squared(), nd.norm_squared());
    let least = (ab.norm_squared() / (nc2 * nd2))
        .min(ac.norm_squared() / (nb2 * nd2))
        .min(ad.norm_squared() / (nb2 * nc2))
        .min(bc.norm_squared() / (na2 * nd2))
        .min(bd.norm_squared() / (na2 * nc2))
        .min(cd.norm_squared() / (na2 * nb2));
    let sine = six * least.sqrt();
    // a face without area has no angle
    if sine.is_finite() { sine } else { -1.0 }
}

/// The smallest and the largest dihedral angle \[rad\].
pub(crate) fn dihedral_range([a, b, c, d]: [&Vec3; 4]) -> [f64; 2] {
    let normals = [(d - b).cross(&(c - b)), (c - a).cross(&(d - a)), (d - a).cross(&(b - a)), (b - a).cross(&(c - a))];
    // inward normals turned outward cancel in the product
    let (mut least, mut largest) = (f64::INFINITY, 0.0_f64);
    for i in 0..4 {
        for j in i + 1..4 {
            let cosine = -normals[i].dot(&normals[j]) / (normals[i].norm() * normals[j].norm());
            let angle = cosine.clamp(-1.0, 1.0).acos();
            least = least.min(angle);
            largest = largest.max(angle);
        }
    }
    [least, largest]
}

/// Six times the volume.
#[inline]
pub(crate) fn six_volumes(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> f64 {
    (b - a).cross(&(c - a)).dot(&(d - a))
}
