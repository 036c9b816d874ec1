//! The layer on the moving body.

use crate::error::{ContactError, not_negative, positive, require};
use wolff_geometry::{Place, Surface};

/// The layer that the moving surface carries.
///
/// Layers of one material act as one layer of the summed thickness. Two materials are springs in series: the moving
/// layer counts as `h k_f/k_m` of the fixed body's material, k pressure per strain at rest. That is exact for linear
/// small strain and holds for small pressures otherwise.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum MovingLayer {
    /// None: the moving body is rigid.
    #[default]
    Rigid,
    /// The same thickness everywhere \[m\].
    Constant(f64),
    /// A map over the parameters of each patch of the moving surface; patches without a map are rigid.
    Map(Vec<ThicknessMap>),
    /// The thickness at the corners of each triangle of the moving surface \[m\], linear between them; triangles without
    /// an entry are rigid.
    Triangles(Vec<[f64; 3]>),
}

/// A surface behind a layer.
#[derive(Clone, Copy, Debug)]
pub struct Back<'a> {
    /// Where the layer ends.
    pub surface: &'a dyn Surface,
    /// Longest way searched \[m\].
    pub reach: f64,
    /// Thickness where the way is shorter, or nothing is behind \[m\].
    pub least: f64,
}

impl Back<'_> {
    /// Thickness \[m\] behind a place of the `front`, and whether anything is behind.
    fn behind(&self, front: &dyn Surface, place: &Place) -> (f64, bool) {
        let way = front
            .at(place)
            .and_then(|point| self.surface.ray(&point.position, &-point.normal, (0.0, self.reach)).map(|hit| hit.t));
        (way.map_or(self.least, |h| h.max(self.least)), way.is_some())
    }

    fn check(&self) -> Result<(), ContactError> {
        positive("surface behind the moving layer", "maximum distance [m]", self.reach)?;
        not_negative("surface behind the moving layer", "least thickness [m]", self.least).map(|_| ())
    }
}

impl MovingLayer {
    /// Thickness \[m\] at a place; places off the maps take the nearest value.
    #[inline]
    pub fn at(&self, place: &Place) -> f64 {
        match self {
            MovingLayer::Rigid => 0.0,
            MovingLayer::Constant(h) => *h,
            MovingLayer::Map(maps) => maps.get(place.patch as usize).map_or(0.0, |map| map.at(place.u, place.v)),
            MovingLayer::Triangles(corners) => {
                let inside = |[a, b, c]: &[f64; 3]| a + (b - a) * place.u + (c - a) * place.v;
                corners.get(place.patch as usize).map_or(0.0, inside)
            }
        }
    }

    /// The way through the layer from the moving surface `front` along its inward normal to a surface behind: at the
    /// corners of its triangles, or at `samples` times `samples` points of each of its patches. Also returns the part of
    /// these points that have nothing behind them.
    pub fn to_back(front: &dyn Surface, back: &Back<'_>, samples: usize) -> Result<(Self, f64), ContactError> {
        back.check()?;
        let (mut found, mut asked) = (0usize, 0usize);
        let mut at = |patch: usize, u: f64, v: f64| {
            let (h, known) = back.behind(front, &Place { patch: patch as u32, u, v });
            (found, asked) = (found + usize::from(known), asked + 1);
            h
        };
        let layer = if let Some(mesh) = front.triangles() {
            let corners = |t: usize| [at(t, 0.0, 0.0), at(t, 1.0, 0.0), at(t, 0.0, 1.0)];
            MovingLayer::Triangles((0..mesh.triangles().len()).map(corners).collect())
        } else {
            let fewest = "must be at least two";
            require(samples >= 2, "moving layer", "number of samples along a parameter", samples as f64, fewest)?;
            let part = |k: usize| k as f64 / (samples - 1) as f64;
            let map = |patch: usize| {
                let values = (0..samples * samples).map(|k| at(patch, part(k / samples), part(k % samples))).collect();
                ThicknessMap::new((0.0, 1.0), (0.0, 1.0), (samples, samples), values)
            };
            MovingLayer::Map((0..front.patch_count()).map(map).collect::<Result<_, _>>()?)
        };
        let rule =
            "must be above zero: give a moving surface of triangles or NURBS, and a surface behind it, in one frame";
        require(found > 0, "moving layer", "number of points with a surface behind", found as f64, rule)?;
        Ok((layer, 1.0 - found as f64 / asked as f64))
    }

    /// Maps over the parameters (u, v) of parametric surfaces, by the number of the surface; surfaces without a map are
    /// rigid.
    pub fn over_parameters(front: &dyn Surface, maps: &[(usize, ThicknessMap)]) -> Result<Self, ContactError> {
        let even = |_| ThicknessMap::new((0.0, 1.0), (0.0, 1.0), (2, 2), vec![0.0; 4]);
        let mut all = (0..front.patch_count()).map(even).collect::<Result<Vec<_>, _>>()?;
        for (surface, map) in maps {
            let mut covered = 0;
            for (patch, own) in all.iter_mut().enumerate() {
                let corner = |t: f64| front.surface_parameters(&Place { patch: patch as u32, u: t, v: t });
                let (Some((index, u0, v0)), Some((_, u1, v1))) = (corner(0.0), corner(1.0)) else { continue };
                if index == *surface {
                    *own = map.on((u0, u1), (v0, v1));
                    covered += 1;
                }
            }
            let rule = "must be the number, from 0, of a NURBS surface: other moving surfaces have no parameters";
            require(covered > 0, "thickness map", "surface", *surface as f64, rule)?;
        }
        Ok(MovingLayer::Map(all))
    }

    pub(crate) fn check(&self) -> Result<(), ContactError> {
        match self {
            MovingLayer::Constant(h) => not_negative("moving layer", "thickness [m]", *h).map(|_| ()),
            MovingLayer::Triangles(corners) => {
                let mut all = corners.iter().flatten();
                all.try_for_each(|h| not_negative("moving layer", "thickness [m]", *h).map(|_| ()))
            }
            _ => Ok(()),
        }
    }
}

/// Thickness over the two parameters of a patch, bilinear between samples.
#[derive(Clone, Debug, PartialEq)]
pub struct ThicknessMap {
    u: (f64, f64),
    v: (f64, f64),
    counts: (usize, usize),
    /// Row by row, v fastest \[m\].
    values: Vec<f64>,
}

impl ThicknessMap {
    /// `counts` samples, ends included, evenly spaced over the ranges `u` and `v`; `values` row by row with v fastest
    /// \[m\].
    pub fn new(u: (f64, f64), v: (f64, f64), counts: (usize, usize), values: Vec<f64>) -> Result<Self, ContactError> {
        let name = "thickness map";
        for (lo, hi) in [u, v] {
            positive(name, "width of a parameter range", hi - lo)?;
        }
        let fewest = counts.0.min(counts.1);
        require(fewest >= 2, name, "number of samples along a parameter", fewest as f64, "must be at least two")?;
        let rule = "must be the product of the samples along both parameters";
        require(values.len() == counts.0 * counts.1, name, "number of values", values.len() as f64, rule)?;
        for &value in &values {
            not_negative(name, "thickness [m]", value)?;
        }
        Ok(ThicknessMap { u, v, counts, values })
    }

    /// The same map by the parameters of a patch that run from 0 to 1 over these ranges.
    fn on(&self, u: (f64, f64), v: (f64, f64)) -> Self {
        let within = |(lo, hi): (f64, f64), (a, b): (f64, f64)| ((lo - a) / (b - a), (hi - a) / (b - a));
        ThicknessMap { u: within(self.u, u), v: within(self.v, v), ..self.clone() }
    }

    /// A map through points (u, v, thickness \[m\]) in any order, which must fill an evenly spaced grid.
    pub fn through(points: &[[f64; 3]]) -> Result<Self, ContactError> {
        let name = "thickness map";
        for &value in points.iter().flatten() {
            require(value.is_finite(), name, "coordinate or thickness", value, "must be a finite number")?;
        }
        let axis = |k: usize| {
            let mut all: Vec<f64> = points.iter().map(|p| p[k]).collect();
            all.sort_by(f64::total_cmp);
            all.dedup();
            even(&all).map(|()| all)
        };
        let (us, vs) = (axis(0)?, axis(1)?);
        let rule = "must be one point for each pair of values of both coordinates";
        require(points.len() == us.len() * vs.len(), name, "number of points", points.len() as f64, rule)?;
        let mut values = vec![f64::NAN; points.len()];
        for [u, v, h] in points {
            let place = |all: &[f64], x: &f64| all.partition_point(|a| a < x);
            values[place(&us, u) * vs.len() + place(&vs, v)] = *h;
        }
        let ends = |all: &[f64]| (all[0], all[all.len() - 1]);
        ThicknessMap::new(ends(&us), ends(&vs), (us.len(), vs.len()), values)
    }

    /// Thickness \[m\] at (u, v), the nearest value outside of the ranges.
    #[inline]
    pub fn at(&self, u: f64, v: f64) -> f64 {
        let (i, s) = cell(u, self.u, self.counts.0);
        let (j, t) = cell(v, self.v, self.counts.1);
        let value = |k: usize, l: usize| self.values[(i + k) * self.counts.1 + j + l];
        (1.0 - s) * ((1.0 - t) * value(0, 0) + t * value(0, 1)) + s * ((1.0 - t) * value(1, 0) + t * value(1, 1))
    }
}

/// Refuses fewer than two samples, and uneven ones.
fn even(all: &[f64]) -> Result<(), ContactError> {
    /// Part of the spacing by which samples may be off, as decimals of a file are.
    const SLACK: f64 = 1e-3;
    let name = "thickness map";
    require(all.len() >= 2, name, "number of samples along a coordinate", all.len() as f64, "must be at least two")?;
    let (first, step) = (all[0], (all[all.len() - 1] - all[0]) / (all.len() - 1) as f64);
    for (k, x) in all.iter().enumerate() {
        let off = (x - (first + step * k as f64)).abs();
        require(off <= SLACK * step, name, "coordinate of a sample", *x, "must be evenly spaced with the others")?;
    }
    Ok(())
}

/// Cell of x among `count` samples and the fraction inside of it; NaN counts as the lower end.
fn cell(x: f64, (lo, hi): (f64, f64), count: usize) -> (usize, f64) {
    let position = ((x - lo) / (hi - lo)).clamp(0.0, 1.0) * (count - 1) as f64;
    let index = (position as usize).min(count - 2);
    (index, if position.is_nan() { 0.0 } else { position - index as f64 })
}
