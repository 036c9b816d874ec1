//! Places on the surface of a bone, for gauges and muscles.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::str::FromStr;

use nalgebra::Vector3;

use super::{Bone, BoneKind, tibia};
use crate::side::on_side;
use wolff_fem::FemError;

/// A point of the outer surface with its directions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceSite {
    /// Position \[m\].
    pub point: Vector3<f64>,
    /// Unit outward normal.
    pub normal: Vector3<f64>,
    /// Unit vector in the surface along the bone, towards the proximal end.
    pub axis: Vector3<f64>,
}

/// Named lines along a shaft.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Landmark {
    /// Tibia: the shin's edge.
    AnteriorCrest,
    /// Tibia: middle of the face between anterior crest and medial border, where strain gauges are bonded.
    Anteromedial,
    /// Tibia: edge between the anteromedial and posterior faces.
    MedialBorder,
    /// Foremost direction from the centroid.
    Anterior,
    /// Hindmost direction from the centroid.
    Posterior,
    /// Direction away from the middle of the body; on the tibia the middle of the lateral face.
    Lateral,
    /// Direction towards the middle of the body.
    Medial,
}

impl FromStr for Landmark {
    type Err = FemError;

    fn from_str(name: &str) -> Result<Self, FemError> {
        match name {
            "anterior_crest" => Ok(Self::AnteriorCrest),
            "anteromedial" => Ok(Self::Anteromedial),
            "medial_border" => Ok(Self::MedialBorder),
            "anterior" => Ok(Self::Anterior),
            "posterior" => Ok(Self::Posterior),
            "lateral" => Ok(Self::Lateral),
            "medial" => Ok(Self::Medial),
            _ => Err(FemError::Mesh(format!(
                "there is no landmark `{name}`; known: anterior_crest, anteromedial, medial_border (tibia), anterior, \
                 posterior, lateral, medial"
            ))),
        }
    }
}

impl Bone {
    /// The point of the outer surface at a fraction along the bone (0 proximal end, 1 distal end; of the axis through
    /// head and neck for the femur), seen from the centroid of the section at `angle` from anterior towards lateral,
    /// rad.
    ///
    /// The normal is the cross product of the two tangents, by central differences of step 1e-6.
    ///
    /// # Errors
    /// When the bone is not valid, the fraction is outside 0 to 1 or the angle is not finite.
    pub fn surface_site(&self, fraction: f64, angle: f64) -> Result<SurfaceSite, FemError> {
        if !angle.is_finite() {
            return Err(FemError::NonFinite(format!("the angle {angle} of a site on the {}", self.kind.name())));
        }
        let phi = self.section(fraction)?.outer.parameter(angle);
        self.site_at(fraction, phi)
    }

    /// The point of a named line at a fraction along the bone; 0.5 is mid-shaft.
    ///
    /// # Errors
    /// As [`Bone::surface_site`], or when the bone has no such line.
    pub fn landmark(&self, landmark: Landmark, fraction: f64) -> Result<SurfaceSite, FemError> {
        let tibia = self.kind == BoneKind::Tibia;
        let corner = TAU / 3.0;
        match landmark {
            Landmark::AnteriorCrest if tibia => self.site_at(fraction, tibia::CREST),
            Landmark::Anteromedial if tibia => self.face_middle(fraction, tibia::CREST - corner),
            Landmark::MedialBorder if tibia => self.site_at(fraction, tibia::CREST - corner),
            Landmark::Lateral if tibia => self.face_middle(fraction, tibia::CREST + corner),
            Landmark::Anterior => self.surface_site(fraction, 0.0),
            Landmark::Posterior => self.surface_site(fraction, PI),
            Landmark::Lateral => self.surface_site(fraction, FRAC_PI_2),
            Landmark::Medial => self.surface_site(fraction, -FRAC_PI_2),
            Landmark::AnteriorCrest | Landmark::Anteromedial | Landmark::MedialBorder => Err(FemError::Mesh(format!(
                "a {} has no {landmark:?}; use anterior, posterior, lateral or medial",
                self.kind.name()
            ))),
        }
    }

    /// The middle of the face of a tibia between the crest and another corner.
    fn face_middle(&self, fraction: f64, corner: f64) -> Result<SurfaceSite, FemError> {
        let phi = self.section(fraction)?.outer.face_middle(tibia::CREST, corner);
        self.site_at(fraction, phi)
    }

    fn site_at(&self, fraction: f64, phi: f64) -> Result<SurfaceSite, FemError> {
        const STEP: f64 = 1e-6;
        self.section(fraction)?;
        let shape = self.shape();
        let at = |f: f64, p: f64| shape.point(f, 2.0, p);
        let (above, below) = ((fraction - STEP).max(0.0), (fraction + STEP).min(1.0));
        let upwards = at(above, phi) - at(below, phi);
        let around = at(fraction, phi + STEP) - at(fraction, phi - STEP);
        // Up × (anterior towards lateral) points outwards on a right bone; the mirror is taken of the results.
        let normal = around.cross(&upwards);
        let outward =
            if normal.dot(&(at(fraction, phi) - shape.point(fraction, 0.0, phi))) < 0.0 { -normal } else { normal };
        let unit = |v: Vector3<f64>| {
            v.try_normalize(0.0).ok_or_else(|| FemError::NonFinite(format!("a direction at {fraction} of the bone")))
        };
        Ok(SurfaceSite {
            point: on_side(self.side, at(fraction, phi)),
            normal: on_side(self.side, unit(outward)?),
            axis: on_side(self.side, unit(upwards)?),
        })
    }
}
