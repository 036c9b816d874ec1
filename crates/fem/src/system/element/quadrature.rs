//! Quadrature on the tetrahedron: points as (L₂, L₃, L₄), weights that sum to the reference volume 1/6.

/// A point with its weight.
pub type WeightedPoint = ([f64; 3], f64);

/// One point, exact for polynomials of degree 1.
pub fn degree_1() -> Vec<WeightedPoint> {
    vec![([0.25; 3], 1.0 / 6.0)]
}

/// Fifteen points, exact for degree 5 with positive weights: stiffness and consistent mass of ten-node elements.
///
/// Straight elements need degree 2 for the stiffness and 4 for the mass. Curved ones pass the patch test when `∫ B dV`
/// is exact, a polynomial of degree 3 whatever the shape (the cofactors of J, degree 2, times ∂N/∂L, degree 1); their
/// stiffness itself is rational, and rules of 4 and 8 points make the ovals of a tube 3e-3 and 5e-4 too soft.
///
/// Keast (1986), Comput. Methods Appl. Mech. Eng. 55, 339-348; Stroud's T3:5-1.
pub fn degree_5() -> Vec<WeightedPoint> {
    let r = 15f64.sqrt();
    let mut points = vec![([0.25; 3], 16.0 / 135.0 / 6.0)];
    points.extend(vertex_orbit((7.0 - r) / 34.0, (2665.0 + 14.0 * r) / 37800.0 / 6.0));
    points.extend(vertex_orbit((7.0 + r) / 34.0, (2665.0 - 14.0 * r) / 37800.0 / 6.0));
    let (a, b) = ((10.0 - 2.0 * r) / 40.0, (10.0 + 2.0 * r) / 40.0);
    for point in [[a, a, b], [a, b, a], [b, a, a], [a, b, b], [b, a, b], [b, b, a]] {
        points.push((point, 10.0 / 189.0 / 6.0));
    }
    points
}

/// The four points with three volume coordinates `a` and one `1 - 3a`.
fn vertex_orbit(a: f64, weight: f64) -> [WeightedPoint; 4] {
    let b = 1.0 - 3.0 * a;
    [([a, a, a], weight), ([b, a, a], weight), ([a, b, a], weight), ([a, a, b], weight)]
}
