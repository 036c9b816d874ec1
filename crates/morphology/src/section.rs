//! Plane sections of a surface: area, centroid and moments about it, without tracing the outline.

use nalgebra::Complex;
use wolff_spatial::Vec3;

/// Two directions across an axis and a place on it. Positions in a section are `w = first + i second`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Across {
    /// A point of the axis.
    pub origin: Vec3,
    /// Unit vector along the axis, normal to the sections.
    pub along: Vec3,
    /// Unit vector across.
    pub first: Vec3,
    /// Unit vector across both.
    pub second: Vec3,
}

impl Across {
    /// Any two directions across an axis, right-handed as (first, second, along); `None` without a direction.
    pub fn axis(origin: Vec3, along: Vec3) -> Option<Self> {
        let along = along.try_normalize(0.0).filter(|a| a.iter().all(|c| c.is_finite()))?;
        let first = along.cross(&Vec3::ith(along.iamin(), 1.0)).try_normalize(0.0)?;
        Some(Across { origin, along, first, second: along.cross(&first) })
    }

    /// Height of a point along the axis, and its place across.
    pub fn place(&self, point: &Vec3) -> (f64, Complex<f64>) {
        let d = point - self.origin;
        (d.dot(&self.along), Complex::new(d.dot(&self.first), d.dot(&self.second)))
    }

    /// The direction of an angle from `first` towards `second`.
    pub fn direction(&self, angle: f64) -> Vec3 {
        self.first * angle.cos() + self.second * angle.sin()
    }
}

/// Moments of a section, the higher ones about its centroid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// `∫dA`.
    pub area: f64,
    /// Centroid.
    pub centroid: Complex<f64>,
    /// `∫w² dA`: twice the angle of the longer axis.
    pub second: Complex<f64>,
    /// `∫|w|² dA`.
    pub polar: f64,
    /// `∫w³ dA`: three times the angle of the corner of a triangle.
    pub third: Complex<f64>,
}

impl Moments {
    /// Moments of the section at a height; `None` where the plane cuts no area.
    ///
    /// The surface must be closed around the section and wound alike; which side is out does not matter.
    pub fn cut(triangles: impl Iterator<Item = [Vec3; 3]>, across: &Across, height: f64) -> Option<Self> {
        let place = |point: Vec3| {
            let (h, w) = across.place(&point);
            (h - height, w)
        };
        Self::of(&triangles.filter_map(|corners| segment(&corners.map(place))).collect::<Vec<_>>())
    }

    /// Moments of the area within segments that close, in any order but all with the area on the same side.
    pub fn of(segments: &[[Complex<f64>; 2]]) -> Option<Self> {
        let (mut area, mut first, mut size) = (0.0, Complex::ZERO, 0.0_f64);
        for [p, q] in segments {
            let a = 0.5 * (p.conj() * q).im;
            area += a;
            first += (p + q) * (a / 3.0);
            size = size.max((p - q).norm());
        }
        // rounding of nothing is no area
        if !(area.abs() > 1e-6 * size * size) {
            return None;
        }
        let centroid = first / area;
        let (mut second, mut polar, mut third) = (Complex::ZERO, 0.0, Complex::ZERO);
        for [p, q] in segments.iter().map(|s| s.map(|w| w - centroid)) {
            // of the triangle with the centroid; the sign of the area is that of the winding
            let a = 0.5 * (p.conj() * q).im * area.signum();
            second += (p * p + p * q + q * q) * (a / 6.0);
            polar += (p.norm_sqr() + (p * q.conj()).re + q.norm_sqr()) * (a / 6.0);
            third += (p * p * p + p * p * q + p * q * q + q * q * q) * (a / 10.0);
        }
        (polar > 0.0).then_some(Moments { area: area.abs(), centroid, second, polar, third })
    }
}

/// The segment in which a triangle meets height zero, from its falling to its rising edge.
pub fn segment(triangle: &[(f64, Complex<f64>); 3]) -> Option<[Complex<f64>; 2]> {
    let (mut from, mut to) = (None, None);
    for (a, b) in [(0, 1), (1, 2), (2, 0)] {
        let ((h, p), (k, q)) = (triangle[a], triangle[b]);
        if (h >= 0.0) != (k >= 0.0) {
            let at = p + (q - p) * (h / (h - k));
            *(if h >= 0.0 { &mut from } else { &mut to }) = Some(at);
        }
    }
    Some([from?, to?])
}
