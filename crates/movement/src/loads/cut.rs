//! Section loads of a bone by two methods.

use super::bone::BoneSample;
use crate::error::MovementError;
use nalgebra::DVector;
use std::sync::Arc;
use wolff_bone::BoneError;
use wolff_bone::section::{MassAlong, PointLoad, SectionLoad, Way, section_load};
use wolff_bone::segment::WalkingBone;
use wolff_bone::segment::recipe::RING_NAMES;
use wolff_flexbody::{FlexBody, Node};
use wolff_spatial::{MassProperties, Mat3, Vec3};

/// Where a bone is cut, as fractions of its length from its proximal end.
pub const FRACTIONS: [f64; 3] = [0.25, 0.5, 0.75];

/// Loads of a section, one per sample.
#[derive(Clone, Debug, PartialEq)]
pub struct SectionHistory {
    /// Fraction of the length.
    pub fraction: f64,
    /// Centroid of the section on the bone at rest, in the frame of the segment \[m\].
    pub centroid: Vec3,
    /// Equilibrium of the part below the cut, about the centroid of the deformed bone.
    pub distal: Vec<SectionLoad>,
    /// Largest difference from the equilibrium of the part above the cut: force \[N\] and moment \[N m\].
    pub two_ways: Vec<[f64; 2]>,
}

impl SectionHistory {
    pub(super) fn push(&mut self, [distal, proximal]: [SectionLoad; 2]) {
        self.two_ways.push([(distal.force - proximal.force).norm(), (distal.moment - proximal.moment).norm()]);
        self.distal.push(distal);
    }
}

/// A cut through a bone.
///
/// The mass of the segment, including soft tissue, is distributed along it by [`MassAlong`] and moves with the floating
/// frame; the inertia of the deformation is neglected. Its resultant vanishes to first order, because modes carry no
/// momentum: the two methods differ by terms of second order. Equilibrium is that of the deformed bone, strains are
/// linear on the undeformed bone: a shaft that moves by 0.9 mm against its ends under 3.9 kN has 3.5 N m in its section
/// load that its strains do not show. A fibula that is modelled as a spring carries a part of the section load; this
/// part is not subtracted.
pub(super) struct Cut {
    fraction: f64,
    centroid: Vec3,
    mass: MassAlong,
    body: Arc<FlexBody>,
}

impl Cut {
    /// The cuts of a bone at [`FRACTIONS`].
    pub fn of_bone(bone: &WalkingBone) -> Result<Vec<Cut>, MovementError> {
        let solid = &bone.solid;
        let mass = MassAlong::new(&segment_mass(&bone.body), solid.length)?;
        let cut = |fraction: f64| {
            let centroid = solid.section(fraction)?.centroid;
            Ok::<_, BoneError>(Cut { fraction, centroid, mass, body: bone.body.clone() })
        };
        Ok(FRACTIONS.into_iter().map(cut).collect::<Result<_, _>>()?)
    }

    pub fn history(&self) -> SectionHistory {
        let (fraction, centroid) = (self.fraction, self.centroid);
        SectionHistory { fraction, centroid, distal: Vec::new(), two_ways: Vec::new() }
    }

    /// Section loads from below and from above.
    pub fn loads(&self, at: &BoneSample) -> [SectionLoad; 2] {
        let loads: Vec<PointLoad> = at.loads.iter().map(|l| l.load.clone()).collect();
        let point = self.centroid + self.shift(&at.eta);
        [Way::Distal, Way::Proximal].map(|way| section_load(&point, &loads, &at.motion, &self.mass, way))
    }

    /// Displacement of the centroid from its position on the undeformed bone [m]: the line of joint centres bends as a
    /// cubic between the two rings of the shaft, with the displacements u and rotations θ of the rings,
    ///
    /// ```text
    /// u(t) = h₀₀ u_a + h₁₀ ℓ θ_a × d + h₀₁ u_b + h₁₁ ℓ θ_b × d,   d = -y
    /// ```
    /// and the centroid turns with it. Zero for a body without rings.
    fn shift(&self, eta: &[f64]) -> Vec3 {
        let [Ok(a), Ok(b)] = RING_NAMES.map(|name| self.body.node(name)) else { return Vec3::zeros() };
        let apart = a.position.y - b.position.y;
        if !(apart > 0.0) {
            return Vec3::zeros();
        }
        let eta = DVector::from_column_slice(eta);
        let motion = |n: &Node| {
            let vector = |v: DVector<f64>| Vec3::new(v[0], v[1], v[2]);
            (vector(&n.translation * &eta), vector(&n.rotation * &eta))
        };
        let ((u_a, turn_a), (u_b, turn_b)) = (motion(a), motion(b));
        let t = (a.position.y - self.centroid.y) / apart;
        let slope = |turn: &Vec3| turn.cross(&-Vec3::y()) * apart;
        let (t2, t3) = (t * t, t * t * t);
        let line = u_a * (2.0 * t3 - 3.0 * t2 + 1.0)
            + slope(&turn_a) * (t3 - 2.0 * t2 + t)
            + u_b * (3.0 * t2 - 2.0 * t3)
            + slope(&turn_b) * (t3 - t2);
        let beside = Vec3::new(self.centroid.x, 0.0, self.centroid.z);
        line + (turn_a * (1.0 - t) + turn_b * t).cross(&beside)
    }
}

/// The whole segment as a rigid body.
fn segment_mass(body: &FlexBody) -> MassProperties {
    let i = &body.inertia;
    let com = i.first / i.mass;
    let central = i.second - com * i.first.transpose();
    MassProperties { mass: i.mass, com, inertia: Mat3::identity() * central.trace() - central }
}
