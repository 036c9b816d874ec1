//! Label volumes in the space of the patient: meshed along their own axes, then placed.

use rayon::prelude::*;
use wolff_imaging::surface::soft_label_surface;
use wolff_imaging::{Handedness, LabelVolume};
use wolff_mesher::{LabelGrid, MaterialReport, Meshed, Progress, Settings, SurfaceDistance, mesh_labels, set_distance};
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
    let mut meshed = placed(meshed, &directions, &origin)?;
    measure(&mut meshed, labels)?;
    Ok(meshed)
}

/// Distances between each material and the softened surface of its voxels, which is made without the mesher. The
/// materials are in the order of the labels; one too thin for a surface of its own is named.
fn measure(meshed: &mut Meshed, labels: &LabelVolume) -> Result<(), ScanError> {
    let (mesh, present) = (&meshed.mesh, labels.regions());
    let distance = |(material, (label, _)): (&MaterialReport, &(u16, usize))| {
        let Ok(surface) = soft_label_surface(&labels.region(*label)?) else { return Ok(None) };
        (material.tets > 0).then(|| set_distance(mesh, &material.name, &surface)).transpose().map_err(ScanError::from)
    };
    let materials = meshed.report.materials.par_iter();
    let measured: Vec<Option<SurfaceDistance>> =
        materials.zip(&present).map(distance).collect::<Result<_, ScanError>>()?;
    let report = &mut meshed.report;
    for (material, distance) in report.materials.iter_mut().zip(&measured) {
        material.distance = *distance;
        if material.tets > 0 && distance.is_none() {
            report.shortfalls.push(format!("`{}` is too thin to measure its distance from the mesh", material.name));
        }
    }
    let known: Vec<SurfaceDistance> = measured.into_iter().flatten().collect();
    let area: f64 = known.iter().map(|d| d.area).sum();
    report.mean_distance = (area > 0.0).then(|| known.iter().map(|d| d.area * d.mean).sum::<f64>() / area);
    report.hausdorff = known.iter().map(|d| d.largest).reduce(f64::max);
    Ok(())
}

/// A mesh turned and moved to its place.
fn placed(mut meshed: Meshed, directions: &Mat3, origin: &Vec3) -> Result<Meshed, ScanError> {
    let place = |x: &Vec3| directions * x + origin;
    meshed.mesh = meshed.mesh.mapped(place)?;
    meshed.report.materials.iter_mut().for_each(|material| material.centroid = place(&material.centroid));
    Ok(meshed)
}
