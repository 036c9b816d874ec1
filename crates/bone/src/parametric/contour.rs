//! Closed section outlines of three harmonics.

use nalgebra::Complex;

/// A smooth closed curve about its own centroid, in the plane of a section.
///
/// ```text
/// w(φ) = r e^{iφ} + e e^{-iφ} + t e^{-2iφ} - w_c,    w = anterior + i lateral, m
/// w_c = -(r t ē + e² t̄) / (r² - |e|² - 2|t|²),       A = π (r² - |e|² - 2|t|²)
/// ```
///
/// r size, e ellipse (half axes `r ± |e|`, the longer at the angle `arg e / 2`), t triangle (corners where
/// `3φ = arg t`), all in m; w_c is the centroid of the bare curve (by Green's theorem). Points with equal steps of φ
/// crowd where the curve bends most, which suits a mesh. Limits: `|e| + 2|t| < r`, else the curve crosses itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contour {
    /// Size r \[m\].
    pub radius: f64,
    /// Ellipse e \[m\].
    pub ellipse: Complex<f64>,
    /// Triangle t \[m\].
    pub triangle: Complex<f64>,
}

impl Contour {
    /// The point at the parameter φ, m from the centroid.
    pub fn at(&self, phi: f64) -> Complex<f64> {
        let turn = Complex::from_polar(1.0, phi);
        let back = turn.conj();
        self.radius * turn + self.ellipse * back + self.triangle * back * back - self.bare_centroid()
    }

    /// The enclosed area \[m²\].
    pub fn area(&self) -> f64 {
        std::f64::consts::PI * self.size_squared()
    }

    /// The parameter φ of the point seen from the centroid at `angle` from anterior towards lateral \[rad\].
    ///
    /// The direction of w turns at 0.4 to 1.8 times the rate of φ on bones, so the correction by the difference of
    /// angles contracts.
    pub fn parameter(&self, angle: f64) -> f64 {
        let aim = Complex::from_polar(1.0, angle);
        let mut phi = angle;
        for _ in 0..200 {
            let miss = (aim * self.at(phi).conj()).arg();
            phi += miss;
            if miss.abs() < 1e-14 {
                break;
            }
        }
        phi
    }

    /// The parameter of the middle of the face between two corners: the point as far from one as from the other.
    pub fn face_middle(&self, from: f64, to: f64) -> f64 {
        let (start, end) = (self.at(from), self.at(to));
        let (mut low, mut high) = (from, to);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            let point = self.at(middle);
            let nearer_start = (point - start).norm_sqr() < (point - end).norm_sqr();
            *(if nearer_start { &mut low } else { &mut high }) = middle;
        }
        0.5 * (low + high)
    }

    /// The curve of a canal inside: scaled by `ratio`, with the triangle rounded off by `roundness` (1 keeps it).
    pub fn canal(&self, ratio: f64, roundness: f64) -> Self {
        Self { radius: ratio * self.radius, ellipse: ratio * self.ellipse, triangle: ratio * roundness * self.triangle }
    }

    /// Whether the curve bounds an area without crossing itself; false for NaN.
    pub fn is_simple(&self) -> bool {
        self.radius.is_finite() && self.ellipse.norm() + 2.0 * self.triangle.norm() < self.radius
    }

    fn size_squared(&self) -> f64 {
        self.radius.powi(2) - self.ellipse.norm_sqr() - 2.0 * self.triangle.norm_sqr()
    }

    fn bare_centroid(&self) -> Complex<f64> {
        let (r, e, t) = (self.radius, self.ellipse, self.triangle);
        -(r * t * e.conj() + e * e * t.conj()) / self.size_squared()
    }
}
