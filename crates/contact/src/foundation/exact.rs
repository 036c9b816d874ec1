//! A rigid sphere on a flat layer, and in a spherical socket with a layer, by quadrature.

use super::material::LayerMaterial;
use super::pair::{Along, Distance};
use crate::error::{ContactError, positive, require};
use crate::quadrature::double_exponential;
use std::f64::consts::PI;
use wolff_numerics::root::brent;

/// Contact state of a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereState {
    /// Approach beyond first touch \[m\].
    pub indentation: f64,
    /// Contact area \[m²\].
    pub area: f64,
    /// Force along the axis \[N\].
    pub force: f64,
    /// Pressure on the axis \[Pa\].
    pub peak_pressure: f64,
}

/// A rigid sphere pressed by δ into a flat layer, strained along its normal.
///
/// ```text
/// F = ∫_0^a p(d(r)) 2π r dr      d(r) = δ - (R - √(R² - r²))      a = √(2Rδ - δ²)
/// ```
///
/// In the linear small strain law `F = π k δ² (3R - δ)/(3h)`, k confined modulus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereOnLayer {
    radius: f64,
    thickness: f64,
    material: LayerMaterial,
}

impl SphereOnLayer {
    /// Radius and thickness in metres.
    pub fn new(radius: f64, thickness: f64, material: LayerMaterial) -> Result<Self, ContactError> {
        positive("sphere on layer", "radius [m]", radius)?;
        positive("sphere on layer", "thickness [m]", thickness)?;
        Ok(SphereOnLayer { radius, thickness, material })
    }

    /// The state at the indentation δ \[m\], less than the radius.
    pub fn state(&self, indentation: f64) -> SphereState {
        let (R, h, delta) = (self.radius, self.thickness, indentation);
        let a2 = delta * (2.0 * R - delta);
        // r² = a² x: d = δ - r²/(R + √(R² - r²)) without cancellation
        let pressure = |x: f64| {
            let r2 = a2 * x;
            self.material.pressure(delta - r2 / (R + (R * R - r2).sqrt()), h)
        };
        let force = PI * a2 * double_exponential(pressure);
        SphereState { indentation, area: PI * a2, force, peak_pressure: self.material.pressure(delta, h) }
    }

    /// The state under the force \[N\].
    pub fn under_force(&self, force: f64) -> Result<SphereState, ContactError> {
        positive("sphere on layer", "force [N]", force)?;
        let reach = 0.9 * self.thickness.min(self.radius);
        let strongest = self.state(reach).force;
        require(force < strongest, "sphere on layer", "force [N]", force, "would press the sphere through the layer")?;
        let delta = brent(|delta| Ok(self.state(delta).force - force), 0.0, reach, 1e-16 * reach)?;
        Ok(self.state(delta))
    }
}

/// A rigid sphere of radius R1 pressed by δ into a socket of radius R2 with a layer.
///
/// At the polar angle θ of the socket: `P = R2 (sin θ, cos θ)`, sphere centre C on the axis at R2 - R1 + δ,
/// `n_f = -P/R2`, `n_m = (P - C)/|P - C|`; depth and direction as in the chosen method;
/// `F = ∫ p (ν·axis) 2π R2² sin θ dθ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereInSocket {
    sphere: f64,
    socket: f64,
    thickness: f64,
    material: LayerMaterial,
}

impl SphereInSocket {
    /// Radii of sphere and socket (larger), and thickness \[m\].
    pub fn new(sphere: f64, socket: f64, thickness: f64, material: LayerMaterial) -> Result<Self, ContactError> {
        let name = "sphere in socket";
        positive(name, "radius of the sphere [m]", sphere)?;
        require(socket > sphere, name, "radius of the socket [m]", socket, "must be larger than that of the sphere")?;
        positive(name, "thickness [m]", thickness)?;
        Ok(SphereInSocket { sphere, socket, thickness, material })
    }

    /// Half the angle of the contact, seen from the centre of the socket \[rad\].
    pub fn half_angle(&self, indentation: f64) -> f64 {
        let (R1, R2, e) = (self.sphere, self.socket, self.socket - self.sphere + indentation);
        // |P - C| = R1
        ((R2 * R2 + e * e - R1 * R1) / (2.0 * R2 * e)).clamp(-1.0, 1.0).acos()
    }

    /// The state at the indentation δ \[m\].
    pub fn state(&self, indentation: f64, distance: Distance, along: Along) -> SphereState {
        let (R1, R2, e) = (self.sphere, self.socket, self.socket - self.sphere + indentation);
        let edge = self.half_angle(indentation);
        let axial = |x: f64| {
            let (sin, cos) = (edge * x).sin_cos();
            let (across, up) = (R2 * sin, R2 * cos - e);
            let apart = across.hypot(up);
            let c = (across * sin + up * cos) / apart;
            let shrunk = R1 - apart;
            // from P along the inward normal to the sphere
            let b = across * sin + up * cos;
            let ray = (R1 - apart) * (R1 + apart) / (b + (b * b + (R1 - apart) * (R1 + apart)).sqrt());
            let l = (2.0 + 2.0 * c).sqrt();
            let measured = match distance {
                Distance::Minimum => shrunk,
                Distance::Ray => ray,
            };
            let (d, direction) = match (along, distance) {
                (Along::FixedNormal, _) => (measured, cos),
                (Along::MovingNormal, _) => (measured, up / apart),
                (Along::Midsurface, Distance::Minimum) => (2.0 * shrunk / l, (up / apart + cos) / l),
                (Along::Midsurface, Distance::Ray) => (2.0 * ray * c / l, (up / apart + cos) / l),
            };
            self.material.pressure(d, self.thickness) * direction * sin
        };
        SphereState {
            indentation,
            area: 2.0 * PI * R2 * R2 * (1.0 - edge.cos()),
            force: 2.0 * PI * R2 * R2 * edge * double_exponential(axial),
            peak_pressure: self.material.pressure(indentation, self.thickness),
        }
    }
}
