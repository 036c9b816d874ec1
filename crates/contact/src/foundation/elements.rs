//! Contact elements: small pieces of the fixed surface, described to second order.

use super::quadratic::{Domain, Quadratic, gauss};
use crate::error::{ContactError, positive};
use std::ops::Range;
use wolff_geometry::Surface;
use wolff_spatial::Vec3;

/// One piece of the fixed surface.
///
/// ```text
/// y(a, b) = A + J (a, b) + ½ (Y_aa a² + 2 Y_ab a b + Y_bb b²)      n_f(a, b) ∥ n_f + B (a, b)
/// ```
///
/// The coordinates (a, b) fill the [`Domain`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Element {
    /// Centre A \[m\].
    pub centre: Vec3,
    /// Outward unit normal n_f at the centre.
    pub normal: Vec3,
    /// J: change of the position with a and b \[m\].
    pub tangents: [Vec3; 2],
    /// Y: second derivatives by aa, ab, bb \[m\].
    pub bend: [Vec3; 3],
    /// B: change of the normal with a and b.
    pub turn: [Vec3; 2],
    /// Area \[m²\].
    pub area: f64,
    /// Area over that of the second-order description.
    pub(crate) area_scale: f64,
    /// Thickness of the layer at the centre \[m\].
    pub thickness: f64,
    /// What is added to the thickness at (a, b) \[m\]: zero at the centre.
    pub(crate) layer: Quadratic,
    /// No point of the layer is thinner than the centre by more \[m\].
    pub(crate) thinning: f64,
    /// Thickness of the material behind the centre \[m\] where the surface knows it, otherwise that of the layer:
    /// overlaps that exceed it, and what the moving body has, are refused.
    pub depth_limit: f64,
    /// No point of the element is farther from the centre \[m\].
    pub radius: f64,
    /// Square or triangle of the coordinates.
    pub domain: Domain,
    /// Number in the grid (row by row) or mesh it came from.
    pub source: u32,
}

impl Element {
    /// Corners \[m\], counter-clockwise seen from outside: four, or the three of a triangle.
    pub fn corners(&self) -> Vec<Vec3> {
        let mut corners: Vec<Vec3> = self.domain.corners().iter().map(|&(a, b)| self.point(a, b).0).collect();
        if self.tangents[0].cross(&self.tangents[1]).dot(&self.normal) < 0.0 {
            corners.reverse();
        }
        corners
    }

    /// The point at (a, b) and the two tangents there.
    #[inline]
    pub(crate) fn point(&self, a: f64, b: f64) -> (Vec3, Vec3, Vec3) {
        let [Yaa, Yab, Ybb] = &self.bend;
        let (ya, yb) = (Yaa * a + Yab * b, Yab * a + Ybb * b);
        let y = self.centre + (self.tangents[0] + ya * 0.5) * a + (self.tangents[1] + yb * 0.5) * b;
        (y, self.tangents[0] + ya, self.tangents[1] + yb)
    }

    /// Thickness of the layer at (a, b) \[m\].
    pub fn thickness_at(&self, (a, b): (f64, f64)) -> f64 {
        self.thickness + self.layer.value(a, b)
    }

    /// Whether the thickness changes over the element.
    #[inline]
    pub(crate) fn is_wedge(&self) -> bool {
        self.layer != Quadratic::default()
    }

    /// The same element with a layer whose thickness changes; no point of it is left thinner than a tenth of the
    /// centre, which only concerns elements on which a layer runs out.
    pub(crate) fn with_layer(mut self, layer: Quadratic) -> Self {
        const THINNEST: f64 = 0.1;
        // changes by rounding are none
        const ROUNDING: f64 = 1e-9;
        let (thinner, thicker) = layer.bounds(self.domain);
        if thicker - thinner <= ROUNDING * self.thickness {
            return self;
        }
        let thinning = -thinner;
        let most = (1.0 - THINNEST) * self.thickness;
        let part = if thinning > most { most / thinning } else { 1.0 };
        self.layer = Quadratic { c: 0.0, g: layer.g.map(|x| x * part), h: layer.h.map(|x| x * part) };
        self.thinning = thinning.max(0.0) * part;
        self
    }

    /// Completes an element whose geometry is set: turns across the normal, true area, its ratio to the description,
    /// radius.
    pub(crate) fn finish(mut self, area: f64, corners: &[Vec3]) -> Self {
        self.turn = self.turn.map(|t| t - self.normal * self.normal.dot(&t));
        let mut described = 0.0;
        gauss(self.domain, 3, |(a, b), weight| {
            let (_, ya, yb) = self.point(a, b);
            let n = (self.normal + self.turn[0] * a + self.turn[1] * b).normalize();
            described += weight * ya.cross(&yb).dot(&n).abs();
        });
        self.area = area;
        self.area_scale = if described > 0.0 { area / described } else { 1.0 };
        self.radius = corners.iter().map(|c| (c - self.centre).norm()).fold(0.0, f64::max);
        self
    }
}

/// A named group of elements whose contact is reported on its own, such as the medial side of a knee.
#[derive(Clone, Debug, PartialEq)]
pub struct Compartment {
    /// Name.
    pub name: String,
    /// Its elements.
    pub elements: Range<usize>,
}

/// All contact elements of a fixed body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElementSet {
    /// The elements, compartment after compartment.
    pub elements: Vec<Element>,
    /// The compartments in order.
    pub compartments: Vec<Compartment>,
    /// Elements of grids that do not lie on the surface, or triangles without area: left out.
    pub dropped: usize,
}

impl ElementSet {
    /// One compartment; refuses a set without elements.
    pub(crate) fn single(name: &str, elements: Vec<Element>, dropped: usize) -> Result<Self, ContactError> {
        if elements.is_empty() {
            return Err(ContactError::NoElements { compartment: name.into(), dropped });
        }
        let compartments = vec![Compartment { name: name.into(), elements: 0..elements.len() }];
        Ok(ElementSet { elements, compartments, dropped })
    }

    /// Several sets as one, compartment after compartment.
    pub fn join(sets: impl IntoIterator<Item = ElementSet>) -> Self {
        let mut all = ElementSet::default();
        for set in sets {
            let first = all.elements.len();
            all.elements.extend(set.elements);
            all.dropped += set.dropped;
            all.compartments.extend(
                set.compartments
                    .into_iter()
                    .map(|c| Compartment { elements: c.elements.start + first..c.elements.end + first, ..c }),
            );
        }
        all
    }

    /// One flat element per triangle, normals by the right-hand rule, with one thickness \[m\] for all.
    pub fn from_triangles(
        compartment: &str,
        vertices: &[Vec3],
        triangles: &[[u32; 3]],
        thickness: f64,
    ) -> Result<Self, ContactError> {
        positive(compartment, "thickness of the layer [m]", thickness)?;
        let mut elements = Vec::with_capacity(triangles.len());
        for (number, triangle) in triangles.iter().enumerate() {
            let corner = |k: usize| {
                let index = triangle[k];
                vertices.get(index as usize).copied().filter(|v| v.iter().all(|x| x.is_finite())).ok_or_else(|| {
                    ContactError::Parameter {
                        object: format!("{compartment}, triangle {number}"),
                        quantity: "vertex",
                        value: f64::from(index),
                        rule: "must be the number of a vertex with finite coordinates",
                    }
                })
            };
            elements.extend(flat_triangle([corner(0)?, corner(1)?, corner(2)?], thickness, number as u32));
        }
        let dropped = triangles.len() - elements.len();
        ElementSet::single(compartment, elements, dropped)
    }

    /// The same elements over material of known thickness \[m\], one number for each triangle that they were made of;
    /// infinite where it is not known.
    pub fn over_material(mut self, thickness: &[f64]) -> Self {
        for element in &mut self.elements {
            let known = thickness.get(element.source as usize).copied().filter(|h| h.is_finite());
            element.depth_limit = known.unwrap_or(element.thickness);
        }
        self
    }

    /// The same elements with the way from their centres to a surface behind as thickness, which is searched up to
    /// `reach` \[m\]; elements without one are dropped and counted, thinner ones than `least` \[m\] are as thick.
    pub fn to_back(mut self, back: &dyn Surface, reach: f64, least: f64) -> Result<Self, ContactError> {
        let mut keep = Vec::with_capacity(self.elements.len());
        for element in &mut self.elements {
            let hit = back.ray(&element.centre, &-element.normal, (0.0, reach));
            element.thickness = hit.map_or(0.0, |hit| hit.t.max(least));
            element.depth_limit = element.thickness;
            (element.layer, element.thinning) = (Quadratic::default(), 0.0);
            keep.push(element.thickness > 0.0);
        }
        self.retain(&keep)
    }

    /// Keeps the marked elements; refuses a compartment that loses all.
    fn retain(mut self, keep: &[bool]) -> Result<Self, ContactError> {
        for compartment in &mut self.compartments {
            let before = keep[..compartment.elements.start].iter().filter(|k| **k).count();
            let kept = keep[compartment.elements.clone()].iter().filter(|k| **k).count();
            if kept == 0 {
                let dropped = self.dropped + compartment.elements.len();
                return Err(ContactError::NoElements { compartment: compartment.name.clone(), dropped });
            }
            compartment.elements = before..before + kept;
        }
        let before = self.elements.len();
        let mut marks = keep.iter();
        self.elements.retain(|_| *marks.next().unwrap_or(&false));
        self.dropped += before - self.elements.len();
        Ok(self)
    }

    /// The same elements with a thickness \[m\] of their own each, even over the element.
    pub fn with_thickness(mut self, thickness: impl Fn(&Element) -> f64) -> Result<Self, ContactError> {
        for element in &mut self.elements {
            element.thickness = positive("layer", "thickness of an element [m]", thickness(element))?;
            (element.layer, element.thinning) = (Quadratic::default(), 0.0);
        }
        Ok(self)
    }

    /// Sum of the areas \[m²\].
    pub fn area(&self) -> f64 {
        self.elements.iter().map(|e| e.area).sum()
    }
}

/// A triangle along two of its sides; none if it has no area.
fn flat_triangle([v0, v1, v2]: [Vec3; 3], thickness: f64, source: u32) -> Option<Element> {
    let cross = (v1 - v0).cross(&(v2 - v0));
    let double_area = cross.norm();
    if !(double_area > 0.0) {
        return None;
    }
    let element = Element {
        centre: (v0 + v1 + v2) / 3.0,
        normal: cross / double_area,
        tangents: [v1 - v0, v2 - v0],
        bend: [Vec3::zeros(); 3],
        turn: [Vec3::zeros(); 2],
        area: 0.0,
        area_scale: 1.0,
        thickness,
        layer: Quadratic::default(),
        thinning: 0.0,
        depth_limit: thickness,
        radius: 0.0,
        domain: Domain::Triangle,
        source,
    };
    Some(element.finish(0.5 * double_area, &[v0, v1, v2]))
}
