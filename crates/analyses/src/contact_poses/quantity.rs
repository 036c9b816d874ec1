//! Quantities of contacts and ligaments that are written, with the names of the `ForceReporter` of OpenSim JAM.

use wolff_contact::foundation::{FoundationResult, PatchResult};
use wolff_multibody::Instant;
use wolff_multibody::force::{ForceElement, Ligament};
use wolff_opensim::{PathForce, PathLaw};
use wolff_report::pressure::PosedContact;
use wolff_spatial::Vec3;

/// Quantities of a contact or a part of it; `_x`, `_y`, `_z` are in the frame of the casting mesh.
///
/// Area \[m²\], mean pressure (force over area) and largest pressure \[Pa\], centre of pressure \[m\], force F on the
/// casting body \[N\] and, with the sign of the records, `Σ F × r` [N m]: the negative of its moment about the origin.
/// Without contact the centre is at the origin.
///
/// These definitions were determined from records of a knee at 24 instants: frame, sign and sums agree to the rounding
/// of the vertices of the meshes. Only `mean_pressure` of the records is different: the mean over the triangles in
/// contact without regard to their areas.
pub(super) const CONTACT: [&str; 12] = [
    "contact_area",
    "mean_pressure",
    "max_pressure",
    "center_of_pressure_x",
    "center_of_pressure_y",
    "center_of_pressure_z",
    "contact_force_x",
    "contact_force_y",
    "contact_force_z",
    "contact_moment_x",
    "contact_moment_y",
    "contact_moment_z",
];

fn contact_values(patch: &PatchResult) -> [f64; 12] {
    let centre = patch.centre_of_pressure().unwrap_or_else(Vec3::zeros);
    let wrench = patch.on_fixed();
    let (f, n) = (wrench.f, -wrench.n);
    let [mean, max] = [patch.mean_pressure(), patch.peak_pressure];
    [patch.area, mean, max, centre.x, centre.y, centre.z, f.x, f.y, f.z, n.x, n.y, n.z]
}

/// Quantities of a ligament: tensions \[N\], length \[m\], its rate \[m/s\], strain \[-\], its rate \[1/s\].
pub(super) const LIGAMENT: [&str; 7] =
    ["force_spring", "force_damping", "force_total", "length", "lengthening_speed", "strain", "strain_rate"];

/// A ligament along fixed points, or one that may wrap over a surface.
#[derive(Clone, Debug)]
pub enum PosedLigament {
    /// Straight between its points.
    Straight(Ligament),
    /// Wraps over surfaces as in OpenSim.
    Bent(Box<PathForce>),
}

impl PosedLigament {
    /// Name.
    pub fn name(&self) -> &str {
        match self {
            PosedLigament::Straight(l) => l.name(),
            PosedLigament::Bent(l) => l.name(),
        }
    }

    /// Values in the order of [`LIGAMENT`]; for a wrapped ligament that is not a Blankevoort ligament, only length and
    /// tension.
    pub(super) fn values(&self, at: &Instant<'_>) -> [f64; 7] {
        let (length, speed, slack, law) = match self {
            PosedLigament::Straight(l) => {
                let (strain, rate) = (l.strain(at), l.strain_rate(at));
                let (spring, damping) = (l.law().spring_force(strain), l.law().damping_force(strain, rate));
                return [spring, damping, spring + damping, l.length(at), l.lengthening_speed(at), strain, rate];
            }
            PosedLigament::Bent(l) => {
                let [length, speed, tension] = l.state(at);
                match l.law() {
                    PathLaw::Blankevoort { law, slack_length } => (length, speed, *slack_length, *law),
                    _ => return [tension, 0.0, tension, length, speed, f64::NAN, f64::NAN],
                }
            }
        };
        let (strain, rate) = (length / slack - 1.0, speed / slack);
        let (spring, damping) = (law.spring_force(strain), law.damping_force(strain, rate));
        [spring, damping, spring + damping, length, speed, strain, rate]
    }
}

/// The columns of a contact: the total, then each part if there are several.
pub(super) struct ContactQuantities {
    pub labels: Vec<String>,
    parts: bool,
}

impl ContactQuantities {
    pub fn new(contact: &PosedContact) -> Self {
        let compartments = &contact.pair.elements().compartments;
        let parts = compartments.len() > 1;
        let named = compartments.iter().map(|c| c.name.as_str()).filter(|_| parts);
        let patches = std::iter::once("total").chain(named);
        let column = |patch: &str| CONTACT.map(|what| format!("{}.casting.{patch}.{what}", contact.name));
        ContactQuantities { labels: patches.flat_map(column).collect(), parts }
    }

    pub fn push(&self, result: &FoundationResult, row: &mut Vec<f64>) {
        row.extend(contact_values(&result.total));
        if self.parts {
            row.extend(result.compartments.iter().flat_map(contact_values));
        }
    }
}
