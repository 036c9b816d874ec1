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

/// Half the distance of the two further cuts that show how the bone tapers, as a fraction of its length.
const TAPER_STEP: f64 = 0.015;

/// A section of a bone with its wall, and how it changes along the bone.
///
/// ```text
/// ε(x, z) = (N/A + a x + b z) / E,   [Ixx Ixz; Ixz Izz] (a, b) = (Mz, -Mx)
/// q(s) = q₀ - ∂/∂y ∫₀ˢ (N/A + a x + b z) dA,      -∮ q h ds = My,      γ = q / (t G)
/// ```
/// x anterior, z to the right of the centroid [m]; loads about the centroid in axes that lean with the shaft; Ixx = ∫x² dA [m⁴]; q shear flow [N/m] along
/// the middle line s of the wall, which runs from anterior to the right; t wall [m], h distance of the tangent from the centroid. The
/// derivative along the bone is taken between two further cuts, each with its own section and moments: in a tapering shaft bending
/// itself makes shear, as much as the shear force does in a tibia. Shear is the mean over the wall. Limits: plane sections stay plane;
/// the wall is thin, its stress even; no load within 1.5 % of the length.
#[derive(Debug, Clone, PartialEq)]
pub struct BeamSection {
    /// Area and second moments.
    pub section: Section,
    /// Unit vector along the shaft, upward ([`Solid::axis`]): force and moment along it are N and My.
    pub axis: Vec3,
    /// Area within the middle line of the wall [m²].
    pub enclosed: f64,
    /// Size of the canal against that of the outer surface: root of the ratio of areas.
    pub canal_ratio: f64,
    wall: Vec<WallPoint>,
    above: Section,
    below: Section,
}

/// Area and moments of a cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Area of the bone [m²].
    pub area: f64,
    /// Centroid in the frame of the segment [m].
    pub centroid: Vec3,
    /// `[Ixx, Ixz; Ixz, Izz]` [m⁴].
    pub moments: Matrix2<f64>,
    /// Sectors of the wall between neighbouring angles: area [m²] and its first moments x, z [m³].
    sectors: Vec<(f64, Vector2<f64>)>,
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
    /// Of the shear forces Vx, Vz and of bending in a tapering shaft, and of the torsion that their distance from the shear centre makes.
    pub transverse: f64,
}

impl BeamSection {
    /// Cuts a section from a solid at a fraction of its length.
    ///
    /// # Errors
    /// When no hollow section is cut there.
    pub fn cut(solid: &Solid, fraction: f64) -> Result<Self, BoneError> {
        let (section, radii) = Section::cut(solid, fraction)?;
        let sector = |r: f64| 0.5 * r * r * TAU / WALL_POINTS as f64;
        let [inner, outer] = [0, 1].map(|side| radii.iter().map(|r| sector(r[side])).sum::<f64>());
        if !(inner < 0.98 * outer) {
            let rule = format!("the bone is not hollow at {fraction} of its length; cut its shaft");
            return Err(BoneError::invalid("beam section", rule));
        }
        let wall = wall(&radii);
        let enclosed = 0.5 * wall_steps(&wall).map(|(a, b)| cross(&a.at, &b.at)).sum::<f64>();
        let (above, _) = Section::cut(solid, fraction - TAPER_STEP)?;
        let (below, _) = Section::cut(solid, fraction + TAPER_STEP)?;
        let (axis, canal_ratio) = (solid.axis(fraction)?, (inner / outer).sqrt());
        Ok(BeamSection { section, axis, enclosed, canal_ratio, wall, above, below })
    }

    /// Axial strain at x, z from the centroid [m] for Young's modulus E [Pa].
    pub fn axial(&self, load: &SectionLoad, at: [f64; 2], young: f64) -> f64 {
        let load = self.local(load, &self.section);
        axial_strain(self.section.area, &self.section.moments, &load, at, young)
    }

    /// Mean shear strain of the wall at an angle about the centroid, from x to z [rad], for the shear modulus G [Pa].
    pub fn shear(&self, load: &SectionLoad, angle: f64, shear_modulus: f64) -> ShearStrain {
        let [above, below] = [&self.above, &self.below].map(|s| s.sector_forces(&self.local(load, s)));
        let distance = self.axis.dot(&(self.above.centroid - self.below.centroid));
        let (mut flow, mut moment, mut q) = (vec![0.0], 0.0, 0.0);
        for ((a, b), (up, down)) in wall_steps(&self.wall).zip(above.iter().zip(&below)) {
            let before = q;
            q -= (up - down) / distance;
            moment += 0.5 * (before + q) * cross(&a.at, &b.at);
            flow.push(q);
        }
        let closing = -moment / (2.0 * self.enclosed);
        let k = nearest(angle);
        let per_flow = 1.0 / (self.wall[k].thickness * shear_modulus);
        let torsion = self.local(load, &self.section).moment.y;
        ShearStrain { torsion: -torsion / (2.0 * self.enclosed) * per_flow, transverse: (flow[k] + closing) * per_flow }
    }

    /// A load about the centroid of a cut, in axes that lean with the shaft.
    fn local(&self, load: &SectionLoad, section: &Section) -> SectionLoad {
        let load = load.about(section.centroid);
        let x = (Vec3::x() - self.axis * self.axis.x).normalize();
        let axes = [x, self.axis, x.cross(&self.axis)];
        let into = |v: &Vec3| Vec3::from_fn(|k, _| axes[k].dot(v));
        SectionLoad { force: into(&load.force), moment: into(&load.moment), ..load }
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

impl Section {
    /// A cut, and the radii of canal and outer surface at even angles from x to z.
    fn cut(solid: &Solid, fraction: f64) -> Result<(Self, Vec<[f64; 2]>), BoneError> {
        let SectionProperties { area, centroid, second_moments: m, .. } = solid.section(fraction)?;
        let contour = Contour::new(solid, fraction)?;
        let sign = lateral_sign(solid.side);
        let radii = (0..WALL_POINTS).map(|k| contour.radii(sign * angle(k))).collect::<Result<Vec<_>, _>>()?;
        let step = TAU / WALL_POINTS as f64;
        let sector = |k: usize| {
            let [inner, outer] = [0, 1].map(|side| 0.5 * (radii[k][side] + radii[(k + 1) % WALL_POINTS][side]));
            let (sin, cos) = (angle(k) + 0.5 * step).sin_cos();
            let area = 0.5 * (outer.powi(2) - inner.powi(2)) * step;
            (area, Vector2::new(cos, sin) * ((outer.powi(3) - inner.powi(3)) / 3.0 * step))
        };
        let sectors = (0..WALL_POINTS).map(sector).collect();
        // the axes of the solid's sections are z, x
        let moments = Matrix2::new(m[(1, 1)], m[(0, 1)], m[(0, 1)], m[(0, 0)]);
        Ok((Section { area, centroid, moments, sectors }, radii))
    }

    /// Axial force on every sector [N].
    fn sector_forces(&self, load: &SectionLoad) -> Vec<f64> {
        let slope = slope(&self.moments, load);
        self.sectors.iter().map(|(area, first)| load.force.y / self.area * area + slope.dot(first)).collect()
    }
}

/// Axial strain of a beam under a load about its centroid; symbols as in [`BeamSection`].
pub fn axial_strain(area: f64, moments: &Matrix2<f64>, load: &SectionLoad, [x, z]: [f64; 2], young: f64) -> f64 {
    (load.force.y / area + slope(moments, load).dot(&Vector2::new(x, z))) / young
}

/// (a, b) of a load about the centroid; zero for a section without second moments.
fn slope(moments: &Matrix2<f64>, load: &SectionLoad) -> Vector2<f64> {
    moments.try_inverse().unwrap_or_else(Matrix2::zeros) * Vector2::new(load.moment.z, -load.moment.x)
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
