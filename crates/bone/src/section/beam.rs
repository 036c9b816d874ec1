//! Strain of a bone as a beam: a thick-walled tube under section resultants.

use nalgebra::{Matrix2, Vector2, Vector3};
use std::f64::consts::TAU;
use wolff_fem::section::SectionProperties;
use wolff_spatial::Vec3;

use super::resultant::SectionLoad;
use super::shear::{Cuts, Field, Shear};
use super::wall::Wall;
use crate::BoneError;
use crate::gauges::Contour;
use crate::person::Solid;

/// Points around the wall.
const AROUND: usize = 180;

/// Half the distance of the two further cuts that give the taper of the bone, as a fraction of its length.
const TAPER_STEP: f64 = 0.015;

/// A section of a bone with its wall, and how it changes along the bone.
///
/// ```text
/// ε(x, z) = (N/A + a x + b z) / E,   [Ixx Ixz; Ixz Izz] (a, b) = (Mz, -Mx),   γ = τ / G
/// ```
/// x anterior, z to the right of the centroid \[m\]; loads about the centroid in axes aligned with the shaft; Ixx = ∫x²
/// dA \[m⁴\]; τ shear of the outer surface by Saint-Venant's theory, solved on a grid of the wall. Axial stress that
/// changes along the bone causes shear; it is taken between two further cuts, each with its own section and moments:
/// in a tapering shaft bending itself causes shear, in a tibia as much as the shear force does. Limits: plane
/// sections stay plane; no load within 1.5 % of the length.
#[derive(Debug, Clone, PartialEq)]
pub struct BeamSection {
    /// Area and second moments.
    pub section: Section,
    /// Saint-Venant's torsion constant J \[m⁴\]: `My = G J θ'`.
    pub torsion_constant: f64,
    /// Unit vector along the shaft, upward ([`Solid::axis`]): force and moment along it are N and My.
    pub axis: Vec3,
    /// Shear stress per unit of `Vx, N, Vz, Mx, My, Mz`.
    fields: [Field; 6],
}

/// Area and moments of a cut.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Area of the bone \[m²\].
    pub area: f64,
    /// Centroid in the frame of the segment \[m\].
    pub centroid: Vec3,
    /// `[Ixx, Ixz; Ixz, Izz]` \[m⁴\].
    pub moments: Matrix2<f64>,
}

/// Shear strain of the outer surface; positive in a gauge's axes (x up the bone, z outward, y = z × x), so that
/// positive torsion gives a negative one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShearStrain {
    /// Of torsion alone.
    pub torsion: f64,
    /// Of the shear forces Vx, Vz and of bending in a tapering shaft, and of the torsion due to their distance from
    /// the shear centre.
    pub transverse: f64,
}

impl BeamSection {
    /// Cuts a section from a solid at a fraction of the bone.
    ///
    /// # Errors
    /// When there is no hollow section there.
    pub fn cut(solid: &Solid, fraction: f64) -> Result<Self, BoneError> {
        let (section, at) = Section::cut(solid, fraction)?;
        let (upper, above) = Section::cut(solid, fraction - TAPER_STEP)?;
        let (lower, below) = Section::cut(solid, fraction + TAPER_STEP)?;
        let axis = solid.axis(fraction)?;
        let [up, down] = [upper, lower].map(|s| into_shaft(&axis, &(s.centroid - section.centroid)));
        let cuts = Cuts { above: &above, at: &at, below: &below, distance: up.y - down.y };
        let shear = Shear::new(cuts)?;
        let places = [up, Vec3::zeros(), down];
        let fields = std::array::from_fn(|k| match k {
            TORSION => shear.torsion(1.0),
            _ => shear.flexure(places.map(|p| axial_load(&unit(k).about(p)))),
        });
        Ok(BeamSection { section, torsion_constant: shear.torsion_constant(), axis, fields })
    }

    /// Axial strain at x, z from the centroid \[m\] for Young's modulus E \[Pa\].
    pub fn axial(&self, load: &SectionLoad, at: [f64; 2], young: f64) -> f64 {
        axial_strain(self.section.area, &self.section.moments, &self.local(load), at, young)
    }

    /// Shear strain of the outer surface at an angle about the centroid, from x to z \[rad\], for the shear modulus G
    /// \[Pa\].
    pub fn shear(&self, load: &SectionLoad, angle: f64, shear_modulus: f64) -> ShearStrain {
        let parts = components(&self.local(load));
        let place = angle.rem_euclid(TAU) / TAU * AROUND as f64;
        let (k, share) = (place as usize % AROUND, place.fract());
        let strain = |i: usize| {
            let stress = &self.fields[i].surface;
            parts[i] * (stress[k] + share * (stress[(k + 1) % AROUND] - stress[k])) / shear_modulus
        };
        let transverse = (0..6).filter(|i| *i != TORSION).map(strain).sum();
        ShearStrain { torsion: strain(TORSION), transverse }
    }

    /// Resultant of the shear stress of the section under a load: `Vx`, `Vz` \[N\] and `My` \[N m\] in axes aligned
    /// with the shaft. It equals the load up to the errors of the grid and of the distance of the cuts.
    pub fn carried(&self, load: &SectionLoad) -> [f64; 3] {
        let parts = components(&self.local(load));
        std::array::from_fn(|axis| self.fields.iter().zip(parts).map(|(field, part)| field.carried[axis] * part).sum())
    }

    /// A load about the centroid, in axes aligned with the shaft.
    fn local(&self, load: &SectionLoad) -> SectionLoad {
        let load = load.about(self.section.centroid);
        let into = |v: &Vec3| into_shaft(&self.axis, v);
        SectionLoad { force: into(&load.force), moment: into(&load.moment), ..load }
    }
}

/// A section without a canal is given one of this relative radius, which removes less than 1e-6 of its torsion
/// constant.
const NO_CANAL: f64 = 0.02;

/// Saint-Venant's torsion constant J of the section across the segment at a fraction of the bone \[m⁴\], hollow or
/// full: `M = G J θ'`. Limits: outlines that are not star-shaped about the centroid are represented by their
/// outermost points.
///
/// # Errors
/// When there is no section, or its outline is not visible from its centroid.
pub fn torsion_constant(solid: &Solid, fraction: f64) -> Result<f64, BoneError> {
    let contour = Contour::new(solid, fraction)?;
    let radii = (0..AROUND).map(|k| {
        let [inner, outer] = contour.radii(TAU * k as f64 / AROUND as f64)?;
        Ok([if inner < 0.98 * outer { inner } else { NO_CANAL * outer }, outer])
    });
    let wall = Wall::new(&radii.collect::<Result<Vec<_>, BoneError>>()?);
    Ok(Shear::new(Cuts { above: &wall, at: &wall, below: &wall, distance: 1.0 })?.torsion_constant())
}

/// Torsion among the six components.
const TORSION: usize = 4;

/// A load of one of its six components alone, about the centroid.
fn unit(component: usize) -> SectionLoad {
    let of = |first: usize| Vec3::from_fn(|k, _| f64::from(u8::from(first + k == component)));
    SectionLoad { point: Vec3::zeros(), force: of(0), moment: of(3) }
}

/// `Vx, N, Vz, Mx, My, Mz`.
fn components(load: &SectionLoad) -> [f64; 6] {
    let (f, m) = (load.force, load.moment);
    [f.x, f.y, f.z, m.x, m.y, m.z]
}

/// `(N, Mz, -Mx)`.
fn axial_load(load: &SectionLoad) -> Vector3<f64> {
    Vector3::new(load.force.y, load.moment.z, -load.moment.x)
}

/// A vector in axes aligned with a shaft.
fn into_shaft(axis: &Vec3, v: &Vec3) -> Vec3 {
    let x = (Vec3::x() - axis * axis.x).normalize();
    let axes = [x, *axis, x.cross(axis)];
    Vec3::from_fn(|k, _| axes[k].dot(v))
}

impl Section {
    /// A cut and its wall.
    fn cut(solid: &Solid, fraction: f64) -> Result<(Self, Wall), BoneError> {
        let SectionProperties { area, centroid, second_moments: m, .. } = solid.section(fraction)?;
        let contour = Contour::new(solid, fraction)?;
        let sign = solid.side.outward();
        let angle = |k: usize| TAU * k as f64 / AROUND as f64;
        let radii = (0..AROUND).map(|k| contour.radii(sign * angle(k))).collect::<Result<Vec<_>, _>>()?;
        if let Some([inner, outer]) = radii.iter().find(|[inner, outer]| !(*inner < 0.98 * outer)) {
            let rule = format!(
                "canal {inner} m, outer surface {outer} m at {fraction} of its length do not enclose a wall; cut the \
                 shaft"
            );
            return Err(BoneError::invalid("beam section", rule));
        }
        // the axes of the solid's sections are z, x
        let moments = Matrix2::new(m[(1, 1)], m[(0, 1)], m[(0, 1)], m[(0, 0)]);
        Ok((Section { area, centroid, moments }, Wall::new(&radii)))
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
