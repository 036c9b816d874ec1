//! Sites of strain gauges on a tibia.

use std::f64::consts::TAU;

use wolff_fem::gauge::{GaugePlace, GaugeSpec};
use wolff_spatial::Vec3;

use super::contour::Contour;
use crate::BoneError;
use crate::person::Solid;

/// The rosette in the middle of the anteromedial face at mid-shaft, where strain was measured in living people.
pub const ROSETTE: &str = "am_50";

/// Positions across the anteromedial face, from the crest (0) to the medial border (1), with their names.
pub const FACE: [(&str, f64); 7] = [
    ("am_0", 0.0),
    ("am_25", 0.25),
    (ROSETTE, 0.5),
    ("am_62", 0.625),
    ("am_75", 0.75),
    ("am_88", 0.875),
    ("am_100", 1.0),
];

/// Heights above the ankle joint line, taken as the plafond \[mm\], at which Peterman et al. 2001 bonded rings of
/// gauges.
pub const RING_HEIGHTS_MM: [f64; 3] = [90.0, 120.0, 150.0];

/// Maximum distance of a site on flat triangles from the curved surface \[m\].
const REACH: f64 = 3e-3;

/// A gauge at a fraction of the bone and an angle about the centroid of the section, from anterior towards lateral
/// \[rad\]; its first axis follows the shaft ([`Solid::axis`]).
///
/// # Errors
/// When there is no section or no surface there.
pub fn site(name: &str, solid: &Solid, fraction: f64, angle: f64) -> Result<GaugeSpec, BoneError> {
    Ok(gauge_at(name, Contour::new(solid, fraction)?.outer(angle)?, solid.axis(fraction)?))
}

/// Rosettes across the anteromedial face at a fraction of the bone, spaced by arc length along the surface ([`FACE`]).
///
/// # Errors
/// As [`site`].
pub fn face_row(solid: &Solid, fraction: f64) -> Result<Vec<GaugeSpec>, BoneError> {
    let contour = Contour::new(solid, fraction)?;
    let (corners, axis) = (solid.corners, solid.axis(fraction)?);
    let gauge = |(name, share): (&str, f64)| -> Result<GaugeSpec, BoneError> {
        let angle = contour.angle_between(corners.crest, corners.medial_border, share)?;
        Ok(gauge_at(name, contour.outer(angle)?, axis))
    };
    FACE.into_iter().map(gauge).collect()
}

/// Seven gauges `L1` to `L7` around a section, in equal steps from the anterior crest towards the medial side;
/// `suffix` is appended to their names.
///
/// The angles are our own choice: of Peterman's sites it is known that there are seven around the cortex, L1 in
/// front, L5 behind, L7 near the neutral axis of bending.
///
/// # Errors
/// As [`site`].
pub fn ring(solid: &Solid, fraction: f64, suffix: &str) -> Result<Vec<GaugeSpec>, BoneError> {
    let (contour, axis) = (Contour::new(solid, fraction)?, solid.axis(fraction)?);
    let gauge = |k: usize| -> Result<GaugeSpec, BoneError> {
        let angle = solid.corners.crest - TAU * k as f64 / 7.0;
        Ok(gauge_at(&format!("L{}{suffix}", k + 1), contour.outer(angle)?, axis))
    };
    (0..7).map(gauge).collect()
}

/// All gauges of a tibia: the row across the anteromedial face and a ring at mid-shaft, rings 90, 120 and 150 mm
/// above the plafond (`L1_90` and so on).
///
/// # Errors
/// As [`site`].
pub fn tibia_gauges(solid: &Solid) -> Result<Vec<GaugeSpec>, BoneError> {
    let mut gauges = face_row(solid, 0.5)?;
    gauges.extend(ring(solid, 0.5, "")?);
    for height in RING_HEIGHTS_MM {
        gauges.extend(ring(solid, 1.0 - 1e-3 * height / solid.ends.length(), &format!("_{height:.0}"))?);
    }
    Ok(gauges)
}

/// Sides of a femur at which it has gauges, as angles from anterior towards lateral in quarters of a turn.
pub const FEMUR_SIDES: [(&str, f64); 4] = [("anterior", 0.0), ("lateral", 1.0), ("posterior", 2.0), ("medial", 3.0)];

/// Sections of a femur with gauges, as fractions of its length from the hip, and the end of the names of the gauges.
pub const FEMUR_SECTIONS: [(f64, &str); 3] = [(0.5, ""), (0.25, "_25"), (0.75, "_75")];

/// The gauges of a femur: in front, on both sides and behind, half-way between hip and knee centre and a quarter above
/// and below.
///
/// # Errors
/// As [`site`].
pub fn femur_gauges(solid: &Solid) -> Result<Vec<GaugeSpec>, BoneError> {
    let mut gauges = Vec::new();
    for (fraction, end) in FEMUR_SECTIONS {
        let (contour, axis) = (Contour::new(solid, fraction)?, solid.axis(fraction)?);
        for (side, quarters) in FEMUR_SIDES {
            gauges.push(gauge_at(&format!("{side}{end}"), contour.outer(TAU * quarters / 4.0)?, axis));
        }
    }
    Ok(gauges)
}

fn gauge_at(name: &str, point: Vec3, along: Vec3) -> GaugeSpec {
    let place = GaugePlace::Point { point, tolerance: REACH };
    GaugeSpec { name: name.into(), place, along }
}
