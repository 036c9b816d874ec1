//! Strain of a bone as a beam: a thick-walled tube under section resultants.

use nalgebra::{Matrix2, Vector2};
use std::f64::consts::TAU;
use wolff_fem::section::SectionProperties;
use wolff_spatial::Vec3;

use super::resultant::SectionLoad;
use crate::bone::solid::lateral_sign;
use crate::bone::{BoneError, Solid};
use crate::gauges::Contour;

/// Points of the wall's middle line.
const WALL_POINTS: usize = 720;

/// A section of a bone with its wall.
///
/// ```text
/// ε(x, z) = (N/A + a x + b z) / E,   [Ixx Ixz; Ixz Izz] (a, b) = (Mz, -Mx)
/// q(s) = q₀ - ∫ t (a' x + b' z) ds,  [Ixx Ixz; Ixz Izz] (a', b') = (Vx, Vz),   -∮ q h ds = My,   γ = q / (t G)
/// ```
/// x anterior, z to the right of the centroid [m]; loads about the centroid; Ixx = ∫x² dA [m⁴]; q shear flow [N/m] along the middle line s of
/// the wall, which runs from anterior to the right; t wall [m], h distance of the tangent from the centroid. Shear is the mean over
/// the wall; its flow is found with the second moments of the wall as a line, which makes it balance the forces. Limits: plane sections stay plane; the wall is thin and its stress even; the section does not change along the bone.
#[derive(Debug, Clone, PartialEq)]
pub struct BeamSection {
    /// Area of the bone [m²].
    pub area: f64,
    /// Centroid in the frame of the segment [m].
    pub centroid: Vec3,
    /// `[Ixx, Ixz; Ixz, Izz]` [m⁴].
    pub moments: Matrix2<f64>,
    /// Area within the middle line of the wall [m²].
    pub enclosed: f64,
    /// Size of the canal against that of the outer surface: root of the ratio of areas.
    pub canal_ratio: f64,
    wall: Vec<WallPoint>,
    /// Centroid of the wall as a line with its thickness, from that of the bone [m].
    wall_centre: Vector2<f64>,
    /// Second moments of that line about its centroid [m⁴].
    wall_moments: Matrix2<f64>,
}

/// A point of the middle line.
#[derive(Debug, Clone, Copy, PartialEq)]
struct WallPoint {
    /// x and z from the centroid [m].
    at: Vector2<f64>,
    /// Wall [m].
    thickness: f64,
}

/// Shear strain of the wall, mean over its thickness; positive in a gauge's axes (x up the bone, z outward, y = z × x), so that
/// positive torsion gives a negative one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShearStrain {
    /// Of torsion alone: `-My / (2 A_m t G)`.
    pub torsion: f64,
    /// Of the shear forces Vx, Vz, and of the torsion that their distance from the shear centre makes.
    pub transverse: f64,
}

impl BeamSection {
    /// Cuts a section from a solid at a fraction of its length.
    ///
    /// # Errors
    /// When no hollow section is cut there.
    pub fn cut(solid: &Solid, fraction: f64) -> Result<Self, BoneError> {
        let section = solid.section(fraction)?;
        let contour = Contour::new(solid, fraction)?;
        let m = &section.second_moments;
        // the axes of the solid's sections are z, x
        let moments = Matrix2::new(m[(1, 1)], m[(0, 1)], m[(0, 1)], m[(0, 0)]);
        let sign = lateral_sign(solid.side);
        let radii = (0..WALL_POINTS).map(|k| contour.radii(sign * angle(k))).collect::<Result<Vec<_>, _>>()?;
        let sector = |r: f64| 0.5 * r * r * TAU / WALL_POINTS as f64;
        let [inner, outer] = [0, 1].map(|side| radii.iter().map(|r| sector(r[side])).sum::<f64>());
        if !(inner < 0.98 * outer) {
            let rule = format!("the bone is not hollow at {fraction} of its length; cut its shaft");
            return Err(BoneError::invalid("beam section", rule));
        }
        let wall = wall(&radii);
        let enclosed = 0.5 * wall_steps(&wall).map(|(a, b)| cross(&a.at, &b.at)).sum::<f64>();
        let canal_ratio = (inner / outer).sqrt();
        let (wall_centre, wall_moments) = line_moments(&wall);
        let SectionProperties { area, centroid, .. } = section;
        Ok(BeamSection { area, centroid, moments, enclosed, canal_ratio, wall, wall_centre, wall_moments })
    }

    /// Axial strain at x, z from the centroid [m] for Young's modulus E [Pa].
    pub fn axial(&self, load: &SectionLoad, at: [f64; 2], young: f64) -> f64 {
        let load = load.about(self.centroid);
        axial_strain(self.area, &self.moments, &load, at, young)
    }

    /// Mean shear strain of the wall at an angle about the centroid, from x to z [rad], for the shear modulus G [Pa].
    pub fn shear(&self, load: &SectionLoad, angle: f64, shear_modulus: f64) -> ShearStrain {
        let load = load.about(self.centroid);
        let across = Vector2::new(load.force.x, load.force.z);
        let slope = self.wall_moments.try_inverse().unwrap_or_else(Matrix2::zeros) * across;
        let (mut flow, mut moment) = (vec![0.0], 0.0);
        let mut q = 0.0;
        for (a, b) in wall_steps(&self.wall) {
            let length = (b.at - a.at).norm();
            let before = q;
            let middle = 0.5 * (a.at + b.at) - self.wall_centre;
            q -= 0.5 * (a.thickness + b.thickness) * slope.dot(&middle) * length;
            moment += 0.5 * (before + q) * cross(&a.at, &b.at);
            flow.push(q);
        }
        let closing = -moment / (2.0 * self.enclosed);
        let k = nearest(angle);
        let per_flow = 1.0 / (self.wall[k].thickness * shear_modulus);
        ShearStrain {
            torsion: -load.moment.y / (2.0 * self.enclosed) * per_flow,
            transverse: (flow[k] + closing) * per_flow,
        }
    }

    /// How much larger torsional shear is at the outer surface than in the mean over the wall: `(1 + k) / (1 + k²)` of a round tube
    /// with the same canal ratio k.
    pub fn surface_factor(&self) -> f64 {
        let k = self.canal_ratio;
        (1.0 + k) / (1.0 + k * k)
    }

    /// Wall at an angle about the centroid, from x to z [rad], [m].
    pub fn thickness(&self, angle: f64) -> f64 {
        self.wall[nearest(angle)].thickness
    }

    /// Middle of the wall at an angle about the centroid, x and z from it [m].
    pub fn middle(&self, angle: f64) -> [f64; 2] {
        self.wall[nearest(angle)].at.into()
    }
}

/// Axial strain of a beam under a load about its centroid; symbols as in [`BeamSection`].
pub fn axial_strain(area: f64, moments: &Matrix2<f64>, load: &SectionLoad, [x, z]: [f64; 2], young: f64) -> f64 {
    let slope = moments.try_inverse().unwrap_or_else(Matrix2::zeros) * Vector2::new(load.moment.z, -load.moment.x);
    (load.force.y / area + slope.dot(&Vector2::new(x, z))) / young
}

/// The point of the wall nearest to an angle.
fn nearest(angle: f64) -> usize {
    ((angle.rem_euclid(TAU) / TAU * WALL_POINTS as f64).round() as usize) % WALL_POINTS
}

fn angle(k: usize) -> f64 {
    TAU * k as f64 / WALL_POINTS as f64
}

fn cross(a: &Vector2<f64>, b: &Vector2<f64>) -> f64 {
    a.x * b.y - a.y * b.x
}

/// Pairs of neighbours around the wall.
fn wall_steps(wall: &[WallPoint]) -> impl Iterator<Item = (&WallPoint, &WallPoint)> {
    wall.iter().zip(wall.iter().skip(1).chain(wall.first()))
}

/// Centroid and second moments of the wall as a line with its thickness.
fn line_moments(wall: &[WallPoint]) -> (Vector2<f64>, Matrix2<f64>) {
    let (mut area, mut first, mut second) = (0.0, Vector2::zeros(), Matrix2::zeros());
    for (a, b) in wall_steps(wall) {
        let da = 0.5 * (a.thickness + b.thickness) * (b.at - a.at).norm();
        let middle = 0.5 * (a.at + b.at);
        area += da;
        first += middle * da;
        second += middle * middle.transpose() * da;
    }
    let centre = first / area;
    (centre, second - centre * centre.transpose() * area)
}

/// The middle line from inner and outer radii at even angles; the wall is measured across it.
fn wall(radii: &[[f64; 2]]) -> Vec<WallPoint> {
    let at = |k: usize| {
        let k = k % WALL_POINTS;
        let (sin, cos) = angle(k).sin_cos();
        Vector2::new(cos, sin) * (0.5 * (radii[k][0] + radii[k][1]))
    };
    let point = |k: usize| {
        let tangent = (at(k + 1) - at(k + WALL_POINTS - 1)).normalize();
        let ray = at(k).normalize();
        WallPoint { at: at(k), thickness: (radii[k][1] - radii[k][0]) * cross(&ray, &tangent).abs() }
    };
    (0..WALL_POINTS).map(point).collect()
}
