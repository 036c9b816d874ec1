//! The solid of a bone: sections swept along an axis.

use nalgebra::{Complex, Vector3};

use super::contour::Contour;
use super::femur::FemurAxis;
use super::profile::{COLUMNS, Profile};

/// A row of a bone's table; lengths in mm of a man of 1.80 m.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Station {
    /// Position along the axis: fraction from the proximal end.
    pub fraction: f64,
    /// Centroid of the section from the axis: anterior, lateral \[mm\].
    pub centroid: [f64; 2],
    /// Size r of the outer contour \[mm\].
    pub radius: f64,
    /// Ellipse e of the outer contour (anterior, lateral parts) \[mm\].
    pub ellipse: [f64; 2],
    /// Triangle t of the outer contour (anterior, lateral parts) \[mm\].
    pub triangle: [f64; 2],
    /// Canal to outer size.
    pub canal: f64,
}

impl Station {
    fn row(&self) -> (f64, [f64; COLUMNS]) {
        let ([x, z], [ex, ez], [tx, tz]) = (self.centroid, self.ellipse, self.triangle);
        (self.fraction, [x, z, self.radius, ex, ez, tx, tz, self.canal])
    }
}

/// What is fixed about one kind of bone, before scaling.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub stations: Vec<Station>,
    /// How much of the outer contour's triangle the canal keeps.
    pub canal_roundness: f64,
    /// Ends of the proximal filling, the proximal and distal half of the canal, and the distal filling.
    pub zones: [f64; 5],
    /// Whether the ends are filled; else the canal runs through.
    pub filled_ends: bool,
    /// Heights by which the proximal and distal end faces bulge \[mm\].
    pub domes: [f64; 2],
}

/// The line along which sections are swept.
#[derive(Debug, Clone)]
pub(crate) enum Axis {
    /// Straight down from the origin over the length \[m\].
    Straight(f64),
    /// Head, neck and bowed shaft.
    Femur(FemurAxis),
}

/// Where a section lies: its origin and three directions at right angles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame {
    pub origin: Vector3<f64>,
    pub anterior: Vector3<f64>,
    pub lateral: Vector3<f64>,
    /// Normal of the section, towards the distal end.
    pub along: Vector3<f64>,
}

/// A section of a bone across its axis, in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section {
    /// Centroid from the axis: anterior + i lateral \[m\].
    pub centroid: Complex<f64>,
    /// The periosteal contour about the centroid.
    pub outer: Contour,
    /// The contour of the canal, or of the trabecular filling, about the same centroid.
    pub inner: Contour,
}

/// A right bone in m.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub plan: Plan,
    profile: Profile,
    axis: Axis,
    /// Factor on the lengths across, with mm turned into m.
    scale: f64,
}

impl Shape {
    /// `scale` multiplies the lengths across that the plan gives in mm.
    pub fn new(plan: Plan, axis: Axis, scale: f64) -> Self {
        let profile = Profile::new(plan.stations.iter().map(Station::row));
        Self { plan, profile, axis, scale: 1e-3 * scale }
    }

    pub fn section(&self, fraction: f64) -> Section {
        let [x, z, r, ex, ez, tx, tz, canal] = self.profile.at(fraction);
        let m = |re: f64, im: f64| Complex::new(self.scale * re, self.scale * im);
        let outer = Contour { radius: self.scale * r, ellipse: m(ex, ez), triangle: m(tx, tz) };
        Section { centroid: m(x, z), outer, inner: outer.canal(canal, self.plan.canal_roundness) }
    }

    pub fn frame(&self, fraction: f64) -> Frame {
        match &self.axis {
            Axis::Straight(length) => Frame {
                origin: Vector3::new(0.0, -fraction * length, 0.0),
                anterior: Vector3::x(),
                lateral: Vector3::z(),
                along: -Vector3::y(),
            },
            Axis::Femur(axis) => axis.frame(fraction),
        }
    }

    /// A point of the solid: `depth` 0 at the centroid, 1 on the canal, 2 on the surface; φ of the contours.
    pub fn point(&self, fraction: f64, depth: f64, phi: f64) -> Vector3<f64> {
        let (section, frame) = (self.section(fraction), self.frame(fraction));
        let inner = section.inner.at(phi);
        let w = if depth <= 1.0 { inner * depth } else { inner + (section.outer.at(phi) - inner) * (depth - 1.0) };
        let reach = w.norm_sqr() / section.outer.at(phi).norm_sqr();
        let w = w + section.centroid;
        frame.origin + frame.anterior * w.re + frame.lateral * w.im + frame.along * (self.bulge(fraction) * cap(reach))
    }

    /// How far the centre of a section lies beyond its rim \[m\], towards the distal end: the domes, fading over the
    /// filled ends.
    fn bulge(&self, fraction: f64) -> f64 {
        let [start, top, _, bottom, end] = self.plan.zones;
        let fade = |from_end: f64, zone: f64| (1.0 - 2.0 * from_end / zone).max(0.0).powi(2);
        let [proximal, distal] = self.plan.domes;
        self.scale * (distal * fade(end - fraction, end - bottom) - proximal * fade(fraction - start, top - start))
    }
}

/// Height of a spherical cap of 60° half angle over its rim, relative to its middle, at the square of the distance from
/// the axis relative to that of the rim.
fn cap(reach_squared: f64) -> f64 {
    2.0 * (1.0 - 0.75 * reach_squared).max(0.0).sqrt() - 1.0
}
