//! The point of an ellipse or ellipsoid closest to a point.

use nalgebra::SVector;

/// Closest point to `p` on `Σ (x_i/a_i)² = 1`.
///
/// ```text
/// x_i = a_i² p_i/(t + a_i²),   g(t) = Σ (a_i p_i/(t + a_i²))² - 1 = 0,   t > -min a_i²
/// ```
/// g falls and is convex there, so Newton's method from where its largest term is 1 converges from one side. Where p
/// lies in the plane normal to the shortest axis and close to the middle, t = -min a_i² and x is off that plane, on the
/// positive side. Source: the equation of Eberly, Geometric Tools, "Distance from a point to an ellipse, an ellipsoid,
/// or a hyperellipsoid".
pub(super) fn closest_point<const N: usize>(a: &SVector<f64, N>, p: &SVector<f64, N>) -> SVector<f64, N> {
    let shortest = a.imin();
    let least = a[shortest] * a[shortest];
    let off_plane = p[shortest].abs() > 1e-12;
    let g = |t: f64| {
        let (mut value, mut slope) = (-1.0, 0.0);
        for i in (0..N).filter(|i| off_plane || *i != shortest) {
            let d = t + a[i] * a[i];
            let term = (a[i] * p[i] / d).powi(2);
            value += term;
            slope -= 2.0 * term / d;
        }
        (value, slope)
    };
    let start = (0..N).map(|i| a[i] * p[i].abs() - a[i] * a[i]).fold(-least, f64::max);
    if !off_plane && start <= -least && !(g(-least).0 > 0.0) {
        return beside_the_middle(a, p, shortest);
    }
    let mut t = start;
    for _ in 0..100 {
        let (value, slope) = g(t);
        let step = -value / slope;
        if !step.is_finite() || step.abs() <= 1e-16 * (1.0 + t.abs()) {
            break;
        }
        t += step;
    }
    if !off_plane && t < -least {
        return beside_the_middle(a, p, shortest);
    }
    SVector::from_fn(|i, _| a[i] * a[i] * p[i] / (t + a[i] * a[i]))
}

/// The case t = -min a_i².
fn beside_the_middle<const N: usize>(a: &SVector<f64, N>, p: &SVector<f64, N>, shortest: usize) -> SVector<f64, N> {
    let least = a[shortest] * a[shortest];
    let mut x = SVector::<f64, N>::from_fn(|i, _| {
        let d = a[i] * a[i] - least;
        if d > 0.0 { a[i] * a[i] * p[i] / d } else { 0.0 }
    });
    x[shortest] = 0.0;
    let rest = 1.0 - x.component_div(a).norm_squared();
    x[shortest] = a[shortest] * rest.max(0.0).sqrt().copysign(if p[shortest] < 0.0 { -1.0 } else { 1.0 });
    x
}
