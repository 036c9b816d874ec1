//! One least-squares fit of a tensor-product B-spline with given knots and parameters.

use super::band::BandMatrix;
use super::knots::KnotVector;
use super::surface::NurbsSurface;
use crate::error::GeometryError;
use wolff_spatial::Vec3;

/// Control points P that minimise
///
/// ```text
/// Σₖ |S(uₖ, vₖ) - xₖ|² + λ Σ |second differences of P along u and along v|²
/// ```
///
/// x points \[m\], (u, v) their parameters, λ = `smoothing` times the largest diagonal entry of the normal equations
/// \[-\]. The second sum fills places without data; it vanishes for control points in even steps on straight lines.
/// Source: Eilers and Marx, Flexible smoothing with B-splines and penalties, Statistical Science 11, 1996.
pub(crate) fn fit_control_points(
    (u, v): (&KnotVector, &KnotVector),
    points: &[Vec3],
    parameters: &[(f64, f64)],
    smoothing: f64,
) -> Result<NurbsSurface, GeometryError> {
    let (nu, nv, p, q) = (u.control_count(), v.control_count(), u.degree(), v.degree());
    let width = (p.max(2) * nv + q).min(nu * nv - 1);
    let mut matrix = BandMatrix::zeros(nu * nv, width);
    let mut right = vec![[0.0; 3]; nu * nv];
    for (x, (s, t)) in points.iter().zip(parameters) {
        let ((i, [bu, ..]), (j, [bv, ..])) = (u.basis(*s), v.basis(*t));
        let at = |k: usize| (i + k / (q + 1)) * nv + j + k % (q + 1);
        let value = |k: usize| bu[k / (q + 1)] * bv[k % (q + 1)];
        for a in 0..(p + 1) * (q + 1) {
            let (i, b) = (at(a), value(a));
            (0..3).for_each(|c| right[i][c] += b * x[c]);
            (0..=a).for_each(|other| matrix.add(i, at(other), b * value(other)));
        }
    }
    add_differences(&mut matrix, (nu, nv), smoothing);
    let (object, rule) = ("fit", "there are too few points for the knots: add smoothing or points");
    let too_few = GeometryError::Count { object: object.into(), what: "number of points", found: points.len(), rule };
    matrix.factored().ok_or(too_few)?.solve(&mut right);
    let control: Vec<Vec3> = right.into_iter().map(Vec3::from).collect();
    NurbsSurface::new(u.clone(), v.clone(), &control, None)
}

/// The penalty on second differences (1, -2, 1) along both directions.
fn add_differences(matrix: &mut BandMatrix, (nu, nv): (usize, usize), smoothing: f64) {
    let factor = smoothing * matrix.largest_diagonal();
    let mut add = |centre: usize, step: usize| {
        let terms = [(centre - step, 1.0), (centre, -2.0), (centre + step, 1.0)];
        for (i, a) in terms {
            for (j, b) in terms {
                matrix.add(i, j, factor * a * b);
            }
        }
    };
    for i in 0..nu {
        for j in 0..nv {
            if i > 0 && i + 1 < nu {
                add(i * nv + j, nv);
            }
            if j > 0 && j + 1 < nv {
                add(i * nv + j, 1);
            }
        }
    }
}
