//! What is written of a contact and of a ligament, under the names of OpenSim JAM's `ForceReporter`.

use super::articular::PosedContact;
use wolff_contact::foundation::{FoundationResult, PatchResult};
use wolff_multibody::Instant;
use wolff_multibody::force::Ligament;
use wolff_spatial::Vec3;

/// Numbers of a contact or a part of it; `_x`, `_y`, `_z` are in the frame of the casting mesh.
///
/// Area [m²], mean and largest pressure [Pa], centre of pressure [m], force on the casting body [N] and its moment about the origin of
/// the mesh's frame [N m]. Without contact the centre is at the origin.
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
    let (f, n) = (wrench.f, wrench.n);
    let [mean, max] = [patch.mean_pressure(), patch.peak_pressure];
    [patch.area, mean, max, centre.x, centre.y, centre.z, f.x, f.y, f.z, n.x, n.y, n.z]
}

/// Numbers of a ligament: tensions [N], length [m], its rate [m/s], strain [-], its rate [1/s].
pub(super) const LIGAMENT: [&str; 7] =
    ["force_spring", "force_damping", "force_total", "length", "lengthening_speed", "strain", "strain_rate"];

pub(super) fn ligament_values(ligament: &Ligament, at: &Instant<'_>) -> [f64; 7] {
    let (strain, rate) = (ligament.strain(at), ligament.strain_rate(at));
    let (spring, damping) = (ligament.law().spring_force(strain), ligament.law().damping_force(strain, rate));
    [spring, damping, spring + damping, ligament.length(at), ligament.lengthening_speed(at), strain, rate]
}

/// The columns of a contact: all of it, then each part where there are several.
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
