//! Label volumes in the space of the patient: meshed along their own axes, then placed.

use wolff_imaging::{Handedness, LabelVolume};
use wolff_mesher::{LabelGrid, Meshed, Progress, Settings, mesh_labels};
use wolff_spatial::{Mat3, Vec3};

use crate::error::ScanError;

/// Meshes all labels with common interfaces; labels without a name are called `label-1` and so on.
///
/// # Errors
/// As the mesher; and for axes that are not at right angles, in which lengths of the mesh would be distorted.
pub fn mesh(
    labels: &LabelVolume,
    names: &[(u16, &str)],
    settings: &Settings,
    progress: &mut Progress,
) -> Result<Meshed, ScanError> {
    let frame = labels.frame();
    if !frame.is_orthogonal() {
        let rule = "the axes of the label image are not at right angles; resample it in the program that made it";
        return Err(ScanError::Request(rule.into()));
    }
    let (size, spacing, mut directions) = (labels.size(), frame.spacing(), frame.directions());
    let mut origin = frame.origin();
    let mut values = labels.labels().to_vec();
    if frame.handedness() == Handedness::Left {
        // the first axis is turned round, so that no element is turned inside out
        values.chunks_exact_mut(size[0]).for_each(<[u16]>::reverse);
        origin += directions.column(0) * (spacing.x * (size[0] - 1) as f64);
        let turned = -directions.column(0);
        directions.set_column(0, &turned);
    }
    let grid = LabelGrid::new(size, [spacing.x, spacing.y, spacing.z], Vec3::zeros(), values)?;
    let meshed = mesh_labels(&grid, names, settings, progress)?;
    placed(meshed, &directions, &origin)
}

/// A mesh turned and moved to its place.
fn placed(mut meshed: Meshed, directions: &Mat3, origin: &Vec3) -> Result<Meshed, ScanError> {
    let place = |x: &Vec3| directions * x + origin;
    meshed.mesh = meshed.mesh.mapped(place)?;
    meshed.report.materials.iter_mut().for_each(|material| material.centroid = place(&material.centroid));
    Ok(meshed)
}
