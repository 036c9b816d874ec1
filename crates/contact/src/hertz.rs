//! Hertzian stiffness of spheres and planes.

use crate::error::{ContactError, positive, require};

/// An isotropic elastic material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    young: f64,
    poisson: f64,
}

impl Material {
    /// `young` modulus E > 0 \[Pa\], `poisson` ratio ν with -1 < ν ≤ 1/2 \[-\].
    pub fn new(young: f64, poisson: f64) -> Result<Self, ContactError> {
        positive("material", "Young's modulus [Pa]", young)?;
        let rule = "must be greater than -1 and at most 0.5; other values belong to no stable isotropic material";
        require(poisson > -1.0 && poisson <= 0.5, "material", "Poisson's ratio [-]", poisson, rule)?;
        Ok(Material { young, poisson })
    }

    /// Material parameter `σ = (1 - ν²)/E` \[1/Pa\].
    ///
    /// E Young's modulus \[Pa\], ν Poisson's ratio \[-\]. Source: Goldsmith, Impact - the theory and physical behaviour
    /// of colliding solids, 1960. Some texts carry a factor 1/π in σ and in K; it cancels.
    pub fn compliance(&self) -> f64 {
        (1.0 - self.poisson * self.poisson) / self.young
    }
}

/// Stiffness K \[N/m^1.5\] of two spheres, or of a sphere in a spherical cavity.
///
/// ```text
/// K = 4/(3 (σ_i + σ_j)) √(R_i R_j/(R_i + R_j))
/// ```
///
/// R radii \[m\], negative for a cavity, which must be the larger of the two; σ material parameters \[1/Pa\].
/// Source: Goldsmith, 1960, after Hertz, Über die Berührung fester elastischer Körper, 1881.
/// Limits: contact radius small against both radii, so a closely fitting cavity is outside the theory.
pub fn sphere_sphere_stiffness(
    (radius_i, material_i): (f64, &Material),
    (radius_j, material_j): (f64, &Material),
) -> Result<f64, ContactError> {
    let rule = "must be finite and not zero (negative for a cavity)";
    for radius in [radius_i, radius_j] {
        require(radius.is_finite() && radius != 0.0, "sphere", "radius [m]", radius, rule)?;
    }
    let curvature = 1.0 / radius_i + 1.0 / radius_j;
    let rule = "must be greater than zero: a cavity (negative radius) must be larger than the sphere in it, \
                and two cavities cannot touch";
    require(curvature > 0.0, "pair of spheres", "sum of curvatures 1/R_i + 1/R_j [1/m]", curvature, rule)?;
    curved_stiffness(curvature, material_i, material_j)
}

/// Stiffness K \[N/m^1.5\] of two bodies of which the sum of curvatures where they touch is κ > 0 \[1/m\].
///
/// ```text
/// K = 4/(3 (σ_i + σ_j)) / √κ        κ = 1/R_i + 1/R_j
/// ```
///
/// Curvatures are positive where a body is convex and zero where it is flat. Source and limits as for
/// [`sphere_sphere_stiffness`]; for bodies with two principal curvatures, κ of their mean is an approximation.
pub fn curved_stiffness(curvature: f64, material_i: &Material, material_j: &Material) -> Result<f64, ContactError> {
    let rule = "must be finite and greater than zero: a hollow body must be flatter than the body in it";
    let valid = curvature.is_finite() && curvature > 0.0;
    require(valid, "two bodies", "sum of curvatures 1/R_i + 1/R_j [1/m]", curvature, rule)?;
    Ok(4.0 / (3.0 * (material_i.compliance() + material_j.compliance())) / curvature.sqrt())
}

/// Stiffness K \[N/m^1.5\] of a sphere of radius R > 0 \[m\] on a plane.
///
/// ```text
/// K = 4/(3 (σ_i + σ_j)) √R_i
/// ```
///
/// Source and limits as for [`sphere_sphere_stiffness`], of which it is the limit R_j → ∞.
pub fn sphere_plane_stiffness(radius: f64, sphere: &Material, plane: &Material) -> Result<f64, ContactError> {
    positive("sphere on a plane", "radius [m]", radius)?;
    Ok(4.0 / (3.0 * (sphere.compliance() + plane.compliance())) * radius.sqrt())
}
