//! The anterior direction of a tibia, found from its shape.

use crate::parametric::Side;
use nalgebra::Complex;
use wolff_fem::TetMesh;
use wolff_morphology::section::{Across, Moments};
use wolff_spatial::Vec3;

use super::surface::PARTS;
use crate::BoneError;

/// Fractions of the length at which sections are cut: the upper half of the shaft, where it lies farthest forward and
/// is longest from front to back.
const STATIONS: [f64; 8] = [0.15, 0.20, 0.25, 0.30, 0.35, 0.40, 0.45, 0.50];

/// Fractions at which the triangle of the section is read; it is sharpest below the middle.
const TRIANGLE_STATIONS: [f64; 5] = [0.40, 0.45, 0.50, 0.55, 0.60];

/// Directions in CT, from anterior towards lateral [rad]: of the centroids from the line plateau to plafond (10.5 mm
/// anterior and 0.9 lateral at 25 %), of the longer axis of the sections (16.4° at 25 %, 15.9° at 50 %), of the
/// crest.
const BOW: f64 = 0.09;
const LONG_AXIS: f64 = 0.28;
const CREST: f64 = 0.38;

/// Largest angle between the directions by centroids and by sections \[rad\]; own choice: three standard deviations of
/// the former, which is 2.2 mm sideways at 10.5 mm forward. Shafts that also bow to the side exceed it: they are
/// accepted up to [`SIDEWAYS`] if the crest agrees to [`GOOD_CREST`], which is 20°.
const AGREEMENT: f64 = 0.61;
const SIDEWAYS: f64 = 1.31;
const GOOD_CREST: f64 = 0.5;

/// Least mean distance of the centroids forward of the line, over the length: a quarter of the mean in CT, less than
/// its mean by three standard deviations.
const LEAST_BOW: f64 = 0.006;

/// Least elongation `|∫w² dA| / ∫|w|² dA` of the sections, which is 0.36 and 0.30 in CT at 25 and 50 %.
const LEAST_ELONGATION: f64 = 0.08;

/// The direction found, with measures of its reliability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundForward {
    /// Unit vector forward, across the bone, in the axes of the mesh.
    pub direction: Vec3,
    /// Angle between the directions by the bow of the shaft and by the longer axis of its sections \[rad\].
    pub difference: f64,
    /// Mean distance of the centroids of the upper shaft from the line plateau to plafond, over the length (0.024 in
    /// CT).
    pub bow: f64,
    /// Cosine of three times the angle between the crest of the sections' triangle and where it should be: 1 agrees,
    /// -1 is the opposite direction.
    pub crest: f64,
}

/// Triangles of the boundary of a mesh; faces of six nodes as four.
pub fn boundary_triangles(mesh: &TetMesh) -> Result<Vec<[Vec3; 3]>, BoneError> {
    let mut triangles = Vec::new();
    for face in mesh.boundary()? {
        let parts: &[[usize; 3]] = if face.nodes.len() == 6 { &PARTS } else { &[[0, 1, 2]] };
        triangles.extend(parts.iter().map(|part| part.map(|k| mesh.nodes()[face.nodes[k]])));
    }
    Ok(triangles)
}

/// The anterior direction of a tibia from its surface, the middles of plateau and plafond, and its side.
///
/// ```text
/// forward = direction of Σ ∫w² dA (longer axis of the sections) turned back by 16°, the end on the side of Σ c
/// ```
/// w anterior + i lateral from the centroid c of a section between 15 and 50 % of the length. It must agree with the
/// direction of the centroids themselves, which lie anterior of the line plateau to plafond, but not more to the side
/// than three standard deviations, and with the triangle `Σ ∫w³ dA`, whose corner is the crest: a rotation by half a
/// turn changes its sign. Expected angles are those of 17 CT tibiae. Surfaces must be closed around the sections and
/// wound alike; the unit does not matter.
///
/// # Errors
/// When the marks coincide, there is no section, or the criteria do not agree: then the direction must be given.
pub fn find_forward(
    triangles: &[[Vec3; 3]],
    proximal: Vec3,
    distal: Vec3,
    side: Side,
) -> Result<FoundForward, BoneError> {
    let axes = Axes::new(proximal, distal, side).ok_or_else(|| unsure("the middles of its joint faces coincide"))?;
    let cut = |fraction: f64| {
        let missed = || unsure(&format!("there is no closed section at {fraction} of its length"));
        Moments::cut(triangles.iter().copied(), &axes.across, -fraction * axes.length).ok_or_else(missed)
    };
    let (mut bow, mut long): (Complex<f64>, Complex<f64>) = (Complex::ZERO, Complex::ZERO);
    for fraction in STATIONS {
        let m = cut(fraction)?;
        bow += m.centroid / (STATIONS.len() as f64 * axes.length);
        long += m.second / (m.polar * STATIONS.len() as f64);
    }
    let mut triangle: Complex<f64> = Complex::ZERO;
    for fraction in TRIANGLE_STATIONS {
        let m = cut(fraction)?;
        triangle += m.third / m.polar.powf(1.25);
    }
    let by_bow = bow.arg() - BOW;
    let by_axis = 0.5 * long.arg() - LONG_AXIS;
    let apart = wrapped(by_axis - by_bow);
    // an axis has two ends
    let (angle, difference) = if apart.abs() <= std::f64::consts::FRAC_PI_2 {
        (by_axis, apart.abs())
    } else {
        (by_axis + std::f64::consts::PI, std::f64::consts::PI - apart.abs())
    };
    let crest = (triangle.arg() - 3.0 * (angle + CREST)).cos();
    let found = FoundForward { direction: axes.across.direction(angle), difference, bow: bow.norm(), crest };
    found.check(long.norm())?;
    Ok(found)
}

impl FoundForward {
    fn check(&self, elongation: f64) -> Result<(), BoneError> {
        let degrees = self.difference.to_degrees();
        let ahead = self.bow * self.difference.cos();
        if !(ahead >= LEAST_BOW) {
            return Err(unsure(&format!(
                "its shaft lies only {:.1} % of its length in front of the line of its ends",
                100.0 * ahead
            )));
        }
        if !(elongation >= LEAST_ELONGATION) {
            return Err(unsure(&format!("its sections are nearly round ({elongation:.2})")));
        }
        if !(self.difference <= if self.crest >= GOOD_CREST { SIDEWAYS } else { AGREEMENT }) {
            return Err(unsure(&format!("bow and sections of its shaft differ by {degrees:.0}°")));
        }
        if !(self.crest > 0.0) {
            return Err(unsure("the crest of its sections contradicts its bow"));
        }
        Ok(())
    }

    /// The direction and its reliability as a sentence.
    pub fn remark(&self) -> String {
        let d = self.direction;
        let sideways =
            if self.difference > AGREEMENT { "; the shaft also bows to the side, so check the direction" } else { "" };
        format!(
            "forward is ({:+.2}, {:+.2}, {:+.2}) of the mesh, by its shape: bow and sections of the shaft agree \
             within {:.0}°, the crest to {:.2} (1 is best){sideways}",
            d.x,
            d.y,
            d.z,
            self.difference.to_degrees(),
            self.crest
        )
    }
}

fn unsure(why: &str) -> BoneError {
    BoneError::invalid(
        "given mesh",
        format!("{why}; give the forward direction: tibia_forward=+x, -x, +y, -y, +z or -z"),
    )
}

/// The angle wrapped into (-π, π].
fn wrapped(angle: f64) -> f64 {
    use std::f64::consts::PI;
    PI - (PI - angle).rem_euclid(2.0 * PI)
}

/// Axes across a bone in which a left bone has the shape of a right one.
struct Axes {
    across: Across,
    length: f64,
}

impl Axes {
    fn new(proximal: Vec3, distal: Vec3, side: Side) -> Option<Self> {
        let along = proximal - distal;
        let (up, length) = (along.try_normalize(0.0)?, along.norm());
        let first = up.cross(&Vec3::ith(up.iamin(), 1.0)).try_normalize(0.0)?;
        let second = first.cross(&up) * side.outward();
        let across = Across { origin: proximal, along: up, first, second };
        length.is_finite().then_some(Axes { across, length })
    }
}
