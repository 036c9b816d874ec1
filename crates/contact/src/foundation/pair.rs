//! A moving surface over the contact elements of a fixed body: everything that does not change during a simulation.

use super::elements::{Element, ElementSet};
use super::lanes::FixedNodes;
use super::local::Found;
use super::material::LayerMaterial;
use super::quadratic::Domain;
use super::strips::Integrand;
use super::thickness::MovingLayer;
use crate::error::{ContactError, not_negative};
use crate::friction::Friction;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use wolff_geometry::{Bounds, Place, Surface, SurfacePoint};
use wolff_spatial::{Mat3, Pose, Vec3};

/// How the overlap at an element is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Distance {
    /// To the nearest point of the moving surface.
    #[default]
    Minimum,
    /// Along the normal of the element to where it meets the moving surface.
    Ray,
}

/// Along which direction the layer is strained and the pressure acts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Along {
    /// The bisector of both normals; the distance is corrected to it, so that both ways of measuring nearly agree (Fig.
    /// 3).
    #[default]
    Midsurface,
    /// The normal of the fixed surface; the distance as measured.
    FixedNormal,
    /// The normal of the moving surface; the distance as measured. With minimum distance this force is the gradient of
    /// the stored energy.
    MovingNormal,
}

/// How pressure is summed over an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rule {
    /// Integrated over the part of the element that is in contact, on a second-order model of the depth.
    #[default]
    Adaptive,
    /// Pressure at the centre times the area, as published.
    Centre,
}

/// Choices of a [`FoundationPair`].
#[derive(Clone, Debug, PartialEq)]
pub struct FoundationSettings {
    /// How the overlap is measured.
    pub distance: Distance,
    /// Direction of strain and pressure.
    pub along: Along,
    /// Sum over an element.
    pub rule: Rule,
    /// Layer of the moving body.
    pub moving_layer: MovingLayer,
    /// Material of the moving layer where it is not that of the fixed one.
    pub moving_material: Option<LayerMaterial>,
    /// Friction in the contact, per area.
    pub friction: Option<Friction>,
    /// The last result is handed out again where no element has moved farther than this against the moving body \[m\].
    pub reuse_within: f64,
    /// Number of elements from which on all threads work.
    pub threads_from: usize,
}

impl Default for FoundationSettings {
    fn default() -> Self {
        FoundationSettings {
            distance: Distance::default(),
            along: Along::default(),
            rule: Rule::default(),
            moving_layer: MovingLayer::Rigid,
            moving_material: None,
            friction: None,
            reuse_within: 0.0,
            threads_from: 4000,
        }
    }
}

/// Pairs made so far.
static PAIRS: AtomicU64 = AtomicU64::new(0);

/// Elements per chunk: the unit of threads, of ordered sums and of skipping; no more than the bits that mark them.
const CHUNK: usize = u32::BITS as usize;

/// Neighbouring elements of one compartment inside a sphere.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub compartment: usize,
    pub elements: Range<usize>,
    pub centre: Vec3,
    pub radius: f64,
}

/// Elastic foundation contact between the elements of a fixed body and the surface of a moving one.
///
/// ```text
/// f = Σ_e ∫_{d > 0} (-p(d/h) ν + friction) dA        n = Σ_e ∫ y × (…) dA
/// ```
///
/// f, n force \[N\] and moment about the fixed origin \[N m\] on the moving body, p pressure of the layer
/// ([`LayerMaterial`]), d depth along ν, h thickness, y position on the fixed surface. Both bodies feel the same
/// pressure at the same point.
///
/// Source: Bei and Fregly, Multibody dynamic simulation of knee contact mechanics, Med Eng Phys 2004. Limits: overlaps
/// are small against the radii of curvature; an element whose nearest point is on the rim of the moving surface, or
/// whose normals do not oppose, carries nothing. An overlap beyond the thickness of the layers or of the material of
/// both bodies, as far as the surfaces know it, and an element that has come nearer to the far side of a closed moving
/// body than to the near one are told in every result ([`super::Overlap`]). A closed shell of cartilage must be cut
/// down to its articular sheet first ([`wolff_geometry::articular_mesh`]): from the middle of the shell on, the sheet
/// on the side of the bone is nearer.
#[derive(Clone, Debug)]
pub struct FoundationPair {
    pub(crate) set: ElementSet,
    pub(crate) surface: Arc<dyn Surface>,
    pub(crate) material: LayerMaterial,
    pub(crate) settings: FoundationSettings,
    pub(crate) chunks: Vec<Chunk>,
    /// The chunks of each compartment.
    pub(crate) chunk_ranges: Vec<Range<usize>>,
    /// The nodes of each four-sided element, for the adaptive rule only.
    pub(crate) nodes: Vec<Option<FixedNodes>>,
    /// Tells the memories of different pairs apart.
    pub(crate) id: u64,
    bounds: Bounds,
    /// Whether the moving surface is smooth.
    pub(crate) smooth: bool,
    /// Whether the moving surface encloses its material.
    pub(crate) closed: bool,
    /// Thickness of the fixed material that is as soft as one metre of the moving one.
    softness: f64,
}

impl FoundationPair {
    /// Elements of the fixed body, given in its frame, under a moving surface given in the moving frame.
    pub fn new(
        set: ElementSet,
        surface: Arc<dyn Surface>,
        material: LayerMaterial,
        settings: FoundationSettings,
    ) -> Result<Self, ContactError> {
        if set.elements.is_empty() {
            return Err(ContactError::NoElements { compartment: "foundation".into(), dropped: set.dropped });
        }
        settings.moving_layer.check()?;
        not_negative("foundation", "distance within which results are reused [m]", settings.reuse_within)?;
        let softness = settings.moving_material.map_or(1.0, |m| material.modulus_at_rest() / m.modulus_at_rest());
        let chunks = chunks(&set);
        let chunk_ranges = (0..set.compartments.len())
            .map(|c| chunks.partition_point(|k| k.compartment < c)..chunks.partition_point(|k| k.compartment <= c))
            .collect();
        let nodes = match settings.rule {
            Rule::Adaptive => {
                set.elements.iter().map(|e| (e.domain == Domain::Square).then(|| FixedNodes::new(e))).collect()
            }
            Rule::Centre => Vec::new(),
        };
        let (bounds, smooth, closed) = (surface.bounds(), surface.is_smooth(), surface.is_closed());
        let id = PAIRS.fetch_add(1, Ordering::Relaxed);
        Ok(FoundationPair {
            set,
            surface,
            material,
            settings,
            chunks,
            chunk_ranges,
            nodes,
            id,
            bounds,
            smooth,
            closed,
            softness,
        })
    }

    /// The elements.
    pub fn elements(&self) -> &ElementSet {
        &self.set
    }

    /// The material of the layer.
    pub fn material(&self) -> &LayerMaterial {
        &self.material
    }

    /// The settings.
    pub fn settings(&self) -> &FoundationSettings {
        &self.settings
    }

    /// The moving surface.
    pub fn surface(&self) -> &dyn Surface {
        &*self.surface
    }

    /// Distance \[m\] of a point in moving coordinates from the box of the moving surface.
    #[inline]
    pub(crate) fn box_distance(&self, p: &Vec3) -> f64 {
        let beyond = (self.bounds.min - p).sup(&(p - self.bounds.max));
        if beyond.max() <= 0.0 { 0.0 } else { beyond.sup(&Vec3::zeros()).norm() }
    }

    /// Turns the answer of a query into what the local model needs; `s` signed distance or minus the ray depth.
    #[inline(always)]
    pub(crate) fn found(&self, X_FM: &Pose, (point, W): (&SurfacePoint, &Mat3), s: f64, element: &Element) -> Found {
        let moving = self.settings.moving_layer.at(&point.place);
        let thickness = self.layers(element.thickness, &point.place);
        let behind = self.surface.thickness(&point.place);
        let material = element.depth_limit + if behind.is_finite() { behind } else { moving };
        let limit = self.material.deepest(thickness).min(material);
        let R = &X_FM.R;
        // a pole of a parametrisation may have no shape operator: flat there
        let bend = W.norm_squared();
        if bend == 0.0 || !bend.is_finite() {
            return Found { depth: -s, normal: R * point.normal, W: Mat3::zeros(), thickness, limit };
        }
        let W = match self.settings.distance {
            Distance::Minimum => offset_shape_operator(W, &point.normal, s),
            Distance::Ray => *W,
        };
        Found { depth: -s, normal: R * point.normal, W: rotated(R, &W), thickness, limit }
    }

    /// Thickness \[m\] of both layers as one of the fixed body's material, over a place of the moving surface.
    #[inline(always)]
    pub(crate) fn layers(&self, fixed: f64, place: &Place) -> f64 {
        fixed + self.softness * self.settings.moving_layer.at(place)
    }

    /// How distance is measured and along what.
    #[inline]
    pub(crate) fn method(&self) -> (Distance, Along) {
        (self.settings.distance, self.settings.along)
    }

    /// What is integrated over an element.
    #[inline]
    pub(crate) fn integrand(&self) -> Integrand {
        if self.material.is_linear() { Integrand::Linear } else { Integrand::Curved }
    }
}

/// `W (1 + s W)⁻¹`, the shape operator of the parallel surface at the signed distance s \[m\].
///
/// W acts in the tangent plane, so `W² = T W - G P` with trace T, determinant G and `P = 1 - n nᵀ`, and the inverse is
/// `(W + s G P)/(1 + s T + s² G)`. The denominator vanishes at the centres of curvature, where the nearest point is not
/// unique; it is kept from there.
#[inline]
pub(crate) fn offset_shape_operator(W: &Mat3, n: &Vec3, s: f64) -> Mat3 {
    const LEAST: f64 = 0.05;
    let T = W.trace();
    let G = 0.5 * (T * T - W.dot(W));
    let scale = 1.0 / (1.0 + s * T + s * s * G).max(LEAST);
    let shift = s * G;
    let entry = |i: usize, j: usize| (W[(i, j)] - shift * n[i] * n[j]) * scale;
    let diagonal = |i: usize| entry(i, i) + shift * scale;
    let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
    Mat3::new(diagonal(0), xy, xz, xy, diagonal(1), yz, xz, yz, diagonal(2))
}

/// `R W Rᵀ` of a symmetric W.
#[inline(always)]
fn rotated(R: &Mat3, W: &Mat3) -> Mat3 {
    let half = R * W;
    let entry = |i: usize, j: usize| half[(i, 0)] * R[(j, 0)] + half[(i, 1)] * R[(j, 1)] + half[(i, 2)] * R[(j, 2)];
    let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
    Mat3::new(entry(0, 0), xy, xz, xy, entry(1, 1), yz, xz, yz, entry(2, 2))
}

fn chunks(set: &ElementSet) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for (compartment, c) in set.compartments.iter().enumerate() {
        for start in c.elements.clone().step_by(CHUNK) {
            let elements = start..(start + CHUNK).min(c.elements.end);
            let members = &set.elements[elements.clone()];
            let centre = members.iter().map(|e| e.centre).sum::<Vec3>() / members.len() as f64;
            let radius = members.iter().map(|e| (e.centre - centre).norm() + e.radius).fold(0.0, f64::max);
            chunks.push(Chunk { compartment, elements, centre, radius });
        }
    }
    chunks
}
