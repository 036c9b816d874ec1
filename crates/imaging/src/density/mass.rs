//! Mass and centre of mass of a bone, in two ways.

use wolff_spatial::Vec3;

use super::field::Line;
use crate::cortex::{Cortex, Layers};

/// Mass of a bone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mass {
    /// The sum over all voxels of density times volume \[kg\].
    pub total: f64,
    /// Of it, in the wall \[kg\].
    pub cortical: f64,
    /// The total by another way \[kg\]: blur moves mass but keeps it, so that the sum of the calibrated image over the
    /// bone and all that the blur reaches, less what soft tissue and marrow would have there, is the mass. It needs
    /// even soft tissue around the bone and does not depend on the fitted thickness or the cortical level.
    pub by_balance: f64,
    /// Volume of the wall \[m³\].
    pub cortical_volume: f64,
    /// Volume inside of the outer surface \[m³\].
    pub volume: f64,
    /// Centre of mass \[m\].
    pub centre: Vec3,
}

impl Mass {
    pub(super) fn new(
        grey: &[f32],
        layers: &Layers,
        cortex: &Cortex,
        wall: &[f32],
        interior: &[f32],
        line: &Line,
        marrow: f64,
    ) -> Self {
        let voxel = layers.frame.voxel_volume();
        let soft = line.at(middle(&cortex.outside));
        let [nx, ny, _] = layers.size;
        let mut out = Mass::default();
        let mut moment = Vec3::zeros();
        for (n, layer) in layers.voxels.iter().enumerate() {
            let Some(layer) = layer else { continue };
            let (bone, inner) = (f64::from(layer.bone), f64::from(layer.interior));
            let in_wall = voxel * (bone - inner) * line.density(f64::from(wall[n]));
            let within = f64::from(interior[n]);
            let is_marrow = within <= marrow || line.at(within) <= 0.0;
            let in_interior = if is_marrow { 0.0 } else { voxel * inner * line.at(within) };
            out.cortical += in_wall;
            out.total += in_wall + in_interior;
            out.cortical_volume += voxel * (bone - inner);
            out.volume += voxel * bone;
            let of_marrow = if is_marrow { inner * line.at(within) } else { 0.0 };
            out.by_balance += voxel * (line.at(f64::from(grey[n])) - soft * (1.0 - bone) - of_marrow);
            let index = Vec3::new((n % nx) as f64, (n / nx % ny) as f64, (n / nx / ny) as f64);
            moment += (in_wall + in_interior) * layers.frame.position(&index);
        }
        if out.total > 0.0 {
            out.centre = moment / out.total;
        }
        out
    }
}

/// The middle one of some values.
fn middle(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
