//! Rectangular grids on planes, cylinders and spheres, projected onto the fixed surface.

use super::elements::{Element, ElementSet};
use super::quadratic::{Domain, Quadratic, gauss};
use super::thickness::ThicknessMap;
use crate::error::{ContactError, positive, require};
use wolff_geometry::{Hit, Surface, SurfacePoint};
use wolff_spatial::Vec3;

/// The surface on which the grid is rectangular; its rays along the normal find the contact elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ElementSurface {
    /// Coordinates in metres along `along` and `normal × along`; rays along `normal`.
    Plane {
        /// Origin of the coordinates \[m\].
        origin: Vec3,
        /// Direction of the rays.
        normal: Vec3,
        /// Direction of the first coordinate.
        along: Vec3,
    },
    /// First coordinate the angle \[rad\] from `start` about `axis`, second the distance along `axis` \[m\]; rays
    /// outwards.
    Cylinder {
        /// A point of the axis \[m\].
        origin: Vec3,
        /// Direction of the axis.
        axis: Vec3,
        /// Direction of the angle zero.
        start: Vec3,
        /// Radius \[m\].
        radius: f64,
    },
    /// Two angles \[rad\] from `towards`, whose tangents are taken along `along` and `towards × along`; rays outwards.
    Sphere {
        /// Centre \[m\].
        centre: Vec3,
        /// The middle of the grid.
        towards: Vec3,
        /// Direction of the first angle.
        along: Vec3,
        /// Radius \[m\].
        radius: f64,
    },
}

/// Thickness of the layer at an element.
#[derive(Clone, Copy, Debug)]
pub enum LayerThickness<'a> {
    /// The same everywhere \[m\].
    Constant(f64),
    /// The way from the element surface, along its normal.
    ToElementSurface,
    /// To the back of the layer along the inward normal of the contact surface, no farther than `reach` \[m\].
    ToBack {
        /// Where the layer ends.
        back: &'a dyn Surface,
        /// Longest way searched \[m\].
        reach: f64,
        /// Where the way is shorter, the layer is as thick as this \[m\].
        least: f64,
    },
    /// A map over the two coordinates of the grid.
    Map(&'a ThicknessMap),
}

impl LayerThickness<'_> {
    /// Thickness \[m\] where the ray of the grid coordinates meets the contact surface; none where nothing is behind.
    fn at(&self, (u, v): (f64, f64), hit: &Hit) -> Option<f64> {
        match self {
            LayerThickness::Constant(h) => Some(*h),
            LayerThickness::ToElementSurface => Some(hit.t.abs()),
            LayerThickness::ToBack { back, reach, least } => {
                back.ray(&hit.point.position, &-hit.point.normal, (0.0, *reach)).map(|way| way.t.max(*least))
            }
            LayerThickness::Map(map) => Some(map.at(u, v)),
        }
    }
}

/// A rectangular grid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// What it is drawn on.
    pub surface: ElementSurface,
    /// Range of the first coordinate.
    pub first: (f64, f64),
    /// Range of the second coordinate.
    pub second: (f64, f64),
    /// Elements along the two coordinates.
    pub counts: (usize, usize),
}

impl Grid {
    /// Projects the grid onto the contact surface: hits with ray parameter within `range` \[m\] count.
    ///
    /// Every element is described by nine hits (corners, middles of the sides, centre). Elements of which one is
    /// missing are dropped and counted, so a grid may reach over the rim of an open surface.
    pub fn project(
        &self,
        compartment: &str,
        contact: &dyn Surface,
        range: (f64, f64),
        thickness: &LayerThickness<'_>,
    ) -> Result<ElementSet, ContactError> {
        self.check(compartment)?;
        if let LayerThickness::Constant(h) = thickness {
            positive(compartment, "thickness of the layer [m]", *h)?;
        }
        let frame = Frame::new(compartment, &self.surface)?;
        let (n, m) = self.counts;
        let lattice: Vec<Option<Node>> = (0..=2 * n)
            .flat_map(|i| (0..=2 * m).map(move |j| (i, j)))
            .map(|(i, j)| {
                let along = |(lo, hi): (f64, f64), k: usize, n: usize| lo + (hi - lo) * k as f64 / (2 * n) as f64;
                let at = (along(self.first, i, n), along(self.second, j, m));
                let (origin, direction) = frame.ray(at.0, at.1);
                let hit = contact.ray(&origin, &direction, range)?;
                Some(Node { point: hit.point, thickness: thickness.at(at, &hit) })
            })
            .collect();

        let mut elements = Vec::with_capacity(n * m);
        for (i, j) in (0..n).flat_map(|i| (0..m).map(move |j| (i, j))) {
            let hit = |k: usize, l: usize| lattice[(2 * i + k) * (2 * m + 1) + 2 * j + l];
            elements.extend(element(hit, contact, (i * m + j) as u32));
        }
        let dropped = n * m - elements.len();
        ElementSet::single(compartment, elements, dropped)
    }

    fn check(&self, name: &str) -> Result<(), ContactError> {
        let rule = "must be at least one";
        require(self.counts.0 > 0, name, "number of elements along the first coordinate", self.counts.0 as f64, rule)?;
        require(self.counts.1 > 0, name, "number of elements along the second coordinate", self.counts.1 as f64, rule)?;
        let rule = "must be finite and positive: give the range in ascending order";
        for (lo, hi) in [self.first, self.second] {
            require(hi > lo && (hi - lo).is_finite(), name, "extent of the grid", hi - lo, rule)?;
        }
        Ok(())
    }
}

/// An element surface with orthonormal axes.
struct Frame {
    surface: ElementSurface,
    e1: Vec3,
    e2: Vec3,
    e3: Vec3,
}

impl Frame {
    /// e3 is the normal, axis or middle; e1 the part of the first direction across it.
    fn new(name: &str, surface: &ElementSurface) -> Result<Self, ContactError> {
        let (third, first) = match *surface {
            ElementSurface::Plane { normal, along, .. } => (normal, along),
            ElementSurface::Cylinder { axis, start, radius, .. } => {
                positive(name, "radius of the element surface [m]", radius)?;
                (axis, start)
            }
            ElementSurface::Sphere { towards, along, radius, .. } => {
                positive(name, "radius of the element surface [m]", radius)?;
                (towards, along)
            }
        };
        let e3 = third / positive(name, "length of the normal or axis of the element surface", third.norm())?;
        let first = first - e3 * e3.dot(&first);
        let length = positive(name, "length of the first direction across the normal or axis", first.norm())?;
        let e1 = first / length;
        Ok(Frame { surface: *surface, e1, e2: e3.cross(&e1), e3 })
    }

    /// Point of the element surface and its normal.
    fn ray(&self, u: f64, v: f64) -> (Vec3, Vec3) {
        match self.surface {
            ElementSurface::Plane { origin, .. } => (origin + self.e1 * u + self.e2 * v, self.e3),
            ElementSurface::Cylinder { origin, radius, .. } => {
                let out = self.e1 * u.cos() + self.e2 * u.sin();
                (origin + self.e3 * v + out * radius, out)
            }
            ElementSurface::Sphere { centre, radius, .. } => {
                let out = (self.e3 + self.e1 * u.tan() + self.e2 * v.tan()).normalize();
                (centre + out * radius, out)
            }
        }
    }
}

/// Where a ray of the grid meets the contact surface.
#[derive(Clone, Copy)]
struct Node {
    point: SurfacePoint,
    /// Thickness of the layer \[m\], if there is one.
    thickness: Option<f64>,
}

/// The element through nine hits, `hit(k, l)` with k, l from 0 to 2; none if one is missing or there is no layer.
fn element(hit: impl Fn(usize, usize) -> Option<Node>, contact: &dyn Surface, source: u32) -> Option<Element> {
    let mut y = [[Vec3::zeros(); 3]; 3];
    let mut normals = [[Vec3::zeros(); 3]; 3];
    for (k, l) in (0..3).flat_map(|k| (0..3).map(move |l| (k, l))) {
        let Node { point, .. } = hit(k, l)?;
        (y[k][l], normals[k][l]) = (point.position, point.normal);
    }
    let Node { point: centre, thickness } = hit(1, 1)?;
    let thickness = thickness.filter(|h| *h > 0.0)?;
    // where nothing is behind, as in the middle
    let h = |k: usize, l: usize| hit(k, l).and_then(|node| node.thickness).unwrap_or(thickness);
    let layer = Quadratic {
        c: 0.0,
        g: [0.5 * (h(2, 1) - h(0, 1)), 0.5 * (h(1, 2) - h(1, 0))],
        h: [
            h(2, 1) + h(0, 1) - 2.0 * thickness,
            0.25 * (h(2, 2) - h(2, 0) - h(0, 2) + h(0, 0)),
            h(1, 2) + h(1, 0) - 2.0 * thickness,
        ],
    };
    let behind = contact.thickness(&centre.place);
    let element = Element {
        centre: centre.position,
        normal: centre.normal,
        tangents: [(y[2][1] - y[0][1]) * 0.5, (y[1][2] - y[1][0]) * 0.5],
        bend: [
            y[2][1] + y[0][1] - y[1][1] * 2.0,
            (y[2][2] - y[2][0] - y[0][2] + y[0][0]) * 0.25,
            y[1][2] + y[1][0] - y[1][1] * 2.0,
        ],
        turn: [(normals[2][1] - normals[0][1]) * 0.5, (normals[1][2] - normals[1][0]) * 0.5],
        area: 0.0,
        area_scale: 1.0,
        thickness,
        layer: Quadratic::default(),
        thinning: 0.0,
        depth_limit: if behind.is_finite() { behind } else { thickness },
        radius: 0.0,
        domain: Domain::Square,
        source,
    };
    let area = nine_point_area(&y);
    (area > 0.0).then(|| element.with_layer(layer).finish(area, y.as_flattened()))
}

/// Area \[m²\] of the biquadratic patch through nine points; neighbours share their sides, so nothing is missing
/// between them.
fn nine_point_area(y: &[[Vec3; 3]; 3]) -> f64 {
    let shape = |s: f64| [0.5 * s * (s - 1.0), 1.0 - s * s, 0.5 * s * (s + 1.0)];
    let slope = |s: f64| [s - 0.5, -2.0 * s, s + 0.5];
    let mut area = 0.0;
    gauss(Domain::Square, 3, |(a, b), weight| {
        let (na, nb, da, db) = (shape(a), shape(b), slope(a), slope(b));
        let (mut ya, mut yb) = (Vec3::zeros(), Vec3::zeros());
        for (k, l) in (0..3).flat_map(|k| (0..3).map(move |l| (k, l))) {
            ya += y[k][l] * (da[k] * nb[l]);
            yb += y[k][l] * (na[k] * db[l]);
        }
        area += weight * ya.cross(&yb).norm();
    });
    area
}
