//! Surfaces from curves: revolved, extruded, lofted; sphere, torus and cylinder as exact rational surfaces.

use super::jet::Homogeneous;
use super::knots::KnotVector;
use super::surface::{NurbsSurface, homogeneous};
use crate::error::GeometryError;
use nalgebra::DMatrix;
use std::f64::consts::{FRAC_1_SQRT_2, TAU};
use wolff_spatial::Vec3;

/// A rational B-spline curve: the profile of a revolved, extruded or lofted surface.
#[derive(Clone, Debug, PartialEq)]
pub struct NurbsCurve {
    knots: KnotVector,
    net: Vec<Homogeneous>,
}

impl NurbsCurve {
    /// From knots, control points \[m\] and weights (all one without).
    pub fn new(knots: KnotVector, points: &[Vec3], weights: Option<&[f64]>) -> Result<Self, GeometryError> {
        // a curve is a surface that is one step wide, and is checked as one
        let width = KnotVector::uniform("NURBS curve", 1, 1)?;
        let doubled: Vec<Vec3> = points.iter().flat_map(|p| [*p, *p]).collect();
        let weights: Option<Vec<f64>> = weights.map(|w| w.iter().flat_map(|w| [*w, *w]).collect());
        let strip = NurbsSurface::new(knots, width, &doubled, weights.as_deref())?;
        Ok(NurbsCurve { knots: strip.knots_u().clone(), net: strip.net().iter().step_by(2).copied().collect() })
    }

    /// Straight line from `a` to `b`.
    pub fn line(a: Vec3, b: Vec3) -> Result<Self, GeometryError> {
        NurbsCurve::new(KnotVector::uniform("line", 1, 1)?, &[a, b], None)
    }

    /// Arc of `quarters` right angles (1 to 4) about `centre`, from centre + x to centre + y and on: exact, degree two.
    pub fn arc(centre: Vec3, x: Vec3, y: Vec3, quarters: usize) -> Result<Self, GeometryError> {
        let rule = "use 1 to 4 quarters";
        if quarters == 0 || quarters > 4 {
            let (object, what) = ("arc".into(), "number of quarters");
            return Err(GeometryError::Count { object, what, found: quarters, rule });
        }
        let net: Vec<(Vec3, f64)> = circle_net(quarters).map(|(a, b, w)| (centre + x * a + y * b, w)).collect();
        let (points, weights): (Vec<Vec3>, Vec<f64>) = net.into_iter().unzip();
        NurbsCurve::new(circle_knots(quarters)?, &points, Some(&weights))
    }

    /// Interpolates points with a cubic (or lower, for few points), chord-length parameters and averaged knots.
    /// Source: Piegl and Tiller, The NURBS Book, 2nd ed., 1997, section 9.2.1.
    pub fn through(points: &[Vec3]) -> Result<Self, GeometryError> {
        let parameters = chord_parameters(points)?;
        let knots = averaged_knots(&parameters)?;
        let data = DMatrix::from_fn(points.len(), 3, |i, c| points[i][c]);
        let solved = interpolate(&knots, &parameters, data)?;
        let control: Vec<Vec3> =
            (0..points.len()).map(|i| Vec3::new(solved[(i, 0)], solved[(i, 1)], solved[(i, 2)])).collect();
        NurbsCurve::new(knots, &control, None)
    }

    /// The knots.
    pub fn knots(&self) -> &KnotVector {
        &self.knots
    }

    /// Homogeneous control points.
    pub fn net(&self) -> &[Homogeneous] {
        &self.net
    }
}

impl NurbsSurface {
    /// The profile (along v) turned a full circle (along u) about the axis through `origin`: exact circles. Seen from
    /// the tip of the axis u runs counter-clockwise from the profile; Su × Sv points away from the axis where the
    /// profile runs along it. Source: Piegl and Tiller, The NURBS Book, 2nd ed., 1997, section 8.5.
    pub fn revolved(profile: &NurbsCurve, origin: Vec3, axis: Vec3) -> Result<Self, GeometryError> {
        let length = GeometryError::positive("revolved surface", "length of the axis", axis.norm())?;
        let axis = axis / length;
        if let Some(value) = origin.iter().copied().find(|x| !x.is_finite()) {
            let (object, quantity) = ("revolved surface".into(), "coordinate of the axis [m]");
            return Err(GeometryError::Parameter { object, quantity, value, rule: "it must be finite" });
        }
        let mut net = Vec::new();
        for (a, b, w) in circle_net(4) {
            for h in &profile.net {
                let r = Vec3::new(h[0], h[1], h[2]) / h[3] - origin;
                let centre = origin + axis * axis.dot(&r);
                let x = origin + r - centre;
                net.push(homogeneous(&(centre + x * a + axis.cross(&x) * b), w * h[3]));
            }
        }
        Ok(NurbsSurface::from_net(circle_knots(4)?, profile.knots.clone(), net, false))
    }

    /// The profile (along u) moved along `path` (along v).
    pub fn extruded(profile: &NurbsCurve, path: Vec3) -> Result<Self, GeometryError> {
        GeometryError::positive("extruded surface", "length of the path [m]", path.norm())?;
        let shifted = |h: &Homogeneous, t: f64| {
            let p = Vec3::new(h[0], h[1], h[2]) / h[3] + path * t;
            homogeneous(&p, h[3])
        };
        let net = profile.net.iter().flat_map(|h| [*h, shifted(h, 1.0)]).collect();
        let along = KnotVector::uniform("extruded surface", 1, 1)?;
        Ok(NurbsSurface::from_net(profile.knots.clone(), along, net, false))
    }

    /// A ball about `centre` with its poles on z; u goes around, v from the south to the north pole.
    pub fn sphere(centre: Vec3, radius: f64) -> Result<Self, GeometryError> {
        let r = GeometryError::positive("NURBS sphere", "radius [m]", radius)?;
        let meridian = NurbsCurve::arc(centre, Vec3::z() * -r, Vec3::x() * r, 2)?;
        NurbsSurface::revolved(&meridian, centre, Vec3::z())
    }

    /// A ring about the z axis through `centre`; v starts at the outer equator and rises.
    pub fn torus(centre: Vec3, major: f64, minor: f64) -> Result<Self, GeometryError> {
        let minor = GeometryError::positive("NURBS torus", "minor radius [m]", minor)?;
        let hole = GeometryError::positive("NURBS torus", "major minus minor radius [m]", major - minor)?;
        let middle = centre + Vec3::x() * (hole + minor);
        let circle = NurbsCurve::arc(middle, Vec3::x() * minor, Vec3::z() * minor, 4)?;
        NurbsSurface::revolved(&circle, centre, Vec3::z())
    }

    /// The side of a cylinder that stands on `base`, without its ends; v runs along `axis`, whose length is the height.
    pub fn cylinder(base: Vec3, axis: Vec3, radius: f64) -> Result<Self, GeometryError> {
        let height = GeometryError::positive("NURBS cylinder", "length of the axis [m]", axis.norm())?;
        let r = GeometryError::positive("NURBS cylinder", "radius [m]", radius)?;
        let unit = axis / height;
        let out = unit.cross(&Vec3::ith(unit.iamin(), 1.0)).normalize() * r;
        let side = NurbsCurve::line(base + out, base + out + axis)?;
        NurbsSurface::revolved(&side, base, axis)
    }

    /// Interpolates section curves (along u, all with the same knots and unit weights) by a B-spline of degree up to
    /// three along v. Condyles are built of such sections.
    pub fn lofted(sections: &[NurbsCurve]) -> Result<Self, GeometryError> {
        let refuse = |what, found, rule| GeometryError::Count { object: "lofted surface".into(), what, found, rule };
        let first = sections.first().ok_or_else(|| refuse("number of sections", 0, "give at least two"))?;
        for (k, section) in sections.iter().enumerate() {
            if section.knots != first.knots || section.net.iter().any(|h| h[3] != 1.0) {
                let rule = "its knots must be those of the first section and its weights one";
                return Err(refuse("section", k, rule));
            }
        }
        let n = first.net.len();
        // one parameter per section: the mean distance of corresponding control points
        let stations: Vec<Vec3> = (0..sections.len())
            .scan(0.0, |sum, k| {
                if k > 0 {
                    let gap = |i: usize| difference(&sections[k].net[i], &sections[k - 1].net[i]);
                    *sum += (0..n).map(gap).sum::<f64>() / n as f64;
                }
                Some(Vec3::new(*sum, 0.0, 0.0))
            })
            .collect();
        let parameters = chord_parameters(&stations)?;
        let knots = averaged_knots(&parameters)?;
        let data = DMatrix::from_fn(sections.len(), 3 * n, |k, c| sections[k].net[c / 3][c % 3]);
        let solved = interpolate(&knots, &parameters, data)?;
        let point = |i: usize, k: usize| [solved[(k, 3 * i)], solved[(k, 3 * i + 1)], solved[(k, 3 * i + 2)], 1.0];
        let net = (0..n).flat_map(|i| (0..sections.len()).map(move |k| (i, k))).map(|(i, k)| point(i, k)).collect();
        Ok(NurbsSurface::from_net(first.knots.clone(), knots, net, false))
    }
}

fn difference(a: &Homogeneous, b: &Homogeneous) -> f64 {
    (Vec3::new(a[0], a[1], a[2]) - Vec3::new(b[0], b[1], b[2])).norm()
}

/// Control points (cos-like, sin-like, weight) of a circle in quarters.
fn circle_net(quarters: usize) -> impl Iterator<Item = (f64, f64, f64)> {
    (0..=2 * quarters).map(|k| {
        let corner = k % 2 == 1;
        let (sin, cos) = (TAU * k as f64 / 8.0).sin_cos();
        let size = if corner { std::f64::consts::SQRT_2 } else { 1.0 };
        // the coordinates are 0 and ±1 exactly
        ((cos * size).round(), (sin * size).round(), if corner { FRAC_1_SQRT_2 } else { 1.0 })
    })
}

fn circle_knots(quarters: usize) -> Result<KnotVector, GeometryError> {
    let inner: Vec<f64> = (1..quarters).flat_map(|k| [k as f64 / quarters as f64; 2]).collect();
    KnotVector::clamped("circle", 2, &inner)
}

/// Parameters of points to be interpolated: accumulated distance over the whole, 0 to 1.
fn chord_parameters(points: &[Vec3]) -> Result<Vec<f64>, GeometryError> {
    if points.len() < 2 {
        let (object, what) = ("interpolation".into(), "number of points or sections");
        return Err(GeometryError::Count { object, what, found: points.len(), rule: "give at least two" });
    }
    let mut sums = vec![0.0];
    for pair in points.windows(2) {
        let step =
            GeometryError::positive("interpolation", "distance of successive points [m]", (pair[1] - pair[0]).norm())?;
        sums.push(sums[sums.len() - 1] + step);
    }
    let total = sums[sums.len() - 1];
    Ok(sums.into_iter().map(|s| s / total).collect())
}

/// Knots that are means of p successive parameters, so that every basis function holds a data point.
fn averaged_knots(parameters: &[f64]) -> Result<KnotVector, GeometryError> {
    let n = parameters.len();
    let p = 3.min(n - 1);
    let inner: Vec<f64> = (1..n - p).map(|j| parameters[j..j + p].iter().sum::<f64>() / p as f64).collect();
    KnotVector::clamped("interpolation", p, &inner)
}

/// Control values whose spline takes the rows of `data` at the parameters.
fn interpolate(knots: &KnotVector, parameters: &[f64], data: DMatrix<f64>) -> Result<DMatrix<f64>, GeometryError> {
    let n = parameters.len();
    let mut matrix = DMatrix::zeros(n, n);
    for (row, t) in parameters.iter().enumerate() {
        let (first, [values, ..]) = knots.basis(*t);
        (0..=knots.degree()).for_each(|j| matrix[(row, first + j)] = values[j]);
    }
    matrix.lu().solve(&data).ok_or(GeometryError::Count {
        object: "interpolation".into(),
        what: "number of points",
        found: n,
        rule: "the points do not determine a spline: remove repeated ones",
    })
}
