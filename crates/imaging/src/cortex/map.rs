//! The cortex of a bone: outer surface and thickness.

use rayon::prelude::*;
use wolff_geometry::{Normals, TriangleMesh, TriangleSurface};
use wolff_spatial::Vec3;
use wolff_verdict::Finding;

use super::field::{mean_curvature, median_field, smooth_field};
use super::model::{Shared, Wall, fit};
use super::profile::{Profile, Reach};
use super::shared::shared;
use crate::error::ImagingError;
use crate::segment::Bone;
use crate::surface::decimate::{Decimation, decimated};
use crate::surface::smooth::{Neighbours, smoothed, vertex_normals};
use crate::volume::Volume;

/// Profiles for the blur and the cortical level.
const SHARED_PROFILES: usize = 1500;
/// Rounds of smoothing of the voxel steps of the first surface, of depths, of thicknesses and of the curvature.
const SURFACE_ROUNDS: usize = 10;
const DEPTH_ROUNDS: usize = 3;
const THICKNESS_ROUNDS: usize = 4;
const CURVATURE_ROUNDS: usize = 8;
/// Profiles reach this far out at least \[m\]: three times the blur of a clinical scanner.
const LEAST_OUTSIDE: f64 = 2.5e-3;
/// A wall thicker than this many σ is resolved: its inner surface is seen, not inferred.
const RESOLVED: f64 = 2.0;
/// Fits that leave more than this many times the usual rest are not used.
const WORST_REST: f64 = 4.0;
/// The correction for curvature is not larger than this part of σ.
const MOST_CURVATURE: f64 = 0.3;

/// How the cortex is found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CortexOptions {
    /// Walls are sought up to this thickness \[m\].
    pub thickest: f64,
    /// Blur of the image \[m\], if it is known; found from the image if `None`.
    pub blur: Option<f64>,
    /// Grey value of cortical bone, if it is known; found from the image if `None`.
    pub cortical: Option<f64>,
    /// Length of the edges of the surface \[m\], about; from the distance between voxels if `None`.
    pub edge: Option<f64>,
}

impl Default for CortexOptions {
    fn default() -> Self {
        CortexOptions { thickest: 10e-3, blur: None, cortical: None, edge: None }
    }
}

/// The cortex of a bone.
#[derive(Clone, Debug)]
pub struct Cortex {
    /// The outer surface \[m\]: closed, outward, corrected for the blur.
    pub outer: TriangleMesh,
    /// Thickness of the wall at each vertex \[m\].
    pub thickness: Vec<f64>,
    /// Level inside of the wall at each vertex, in grey values.
    pub inside: Vec<f64>,
    /// Level outside of the bone at each vertex, in grey values.
    pub outside: Vec<f64>,
    /// Whether the wall is thick enough at each vertex that its inner surface is seen.
    pub resolved: Vec<bool>,
    /// Blur and cortical level of the image.
    pub shared: Shared,
    /// Part of the vertices at which the profile could be fitted.
    pub fitted: f64,
    /// What is remarkable.
    pub remarks: Vec<Finding>,
}

/// Fits the wall of a bone at all vertices of its surface.
///
/// # Errors
/// When no profile can be fitted.
pub fn cortex(volume: &Volume, bone: &Bone, options: &CortexOptions) -> Result<Cortex, ImagingError> {
    let spacing = volume.frame().spacing();
    let voxel = (spacing.x * spacing.y * spacing.z).cbrt();
    let edge = options.edge.unwrap_or(1.5 * spacing.max());
    let start = smoothed(&bone.surface, SURFACE_ROUNDS)?;
    let start = decimated(&start, Decimation { deviation: 0.25 * voxel, longest_edge: 1.4 * edge })?.mesh;
    let outside = (5.0 * voxel).max(LEAST_OUTSIDE);
    let reach = Reach { outside, inside: options.thickest + 4.0 * voxel, step: 0.5 * spacing.min() };
    let profiles = profiles(volume, bone, &start, &reach);
    let common = common(bone, &profiles, voxel, options)?;
    let walls = walls(&profiles, &common);
    let rest = usual_rest(&walls)?;
    let sigma = common.blur.hypot(0.5 * voxel);
    let used: Vec<Option<Wall>> = walls.iter().map(|wall| wall.filter(|w| w.residual < WORST_REST * rest)).collect();
    let fitted = used.iter().flatten().count() as f64 / used.len() as f64;
    let neighbours = Neighbours::new(&start);
    let field = |value: &dyn Fn(&Wall) -> Option<f64>, rounds: usize| {
        let known: Vec<Option<(f64, f64)>> = used.iter().map(|wall| Some((value(wall.as_ref()?)?, 1.0))).collect();
        smooth_field(&neighbours, &median_field(&neighbours, &known), rounds)
    };
    let depth = field(&|wall| Some(wall.depth), DEPTH_ROUNDS);
    let outer = moved_inwards(&start, &depth, &neighbours, sigma)?;
    let thickness = thickness(&outer, &used, &neighbours)?;
    let resolved = thickness.iter().map(|t| *t > RESOLVED * sigma).collect();
    let mut remarks = bone.remarks.clone();
    if fitted < 0.9 {
        remarks.push(Finding::warning(
            format!(
                "the wall could be fitted at {:.0} % of the surface only; the rest follows its neighbours",
                100.0 * fitted
            ),
            "check the surface against the image",
        ));
    }
    Ok(Cortex {
        outer,
        inside: field(&|wall| wall.is_seen.then_some(wall.inside), THICKNESS_ROUNDS),
        outside: field(&|wall| Some(wall.outside), THICKNESS_ROUNDS),
        thickness,
        resolved,
        shared: common,
        fitted,
        remarks,
    })
}

fn profiles(volume: &Volume, bone: &Bone, surface: &TriangleMesh, reach: &Reach) -> Vec<Profile> {
    let normals = vertex_normals(surface.vertices(), surface.triangles());
    let at = |(point, normal): (&Vec3, &Vec3)| Profile::new(volume, &bone.solid, point, normal, reach);
    surface.vertices().par_iter().zip(&normals).map(at).collect()
}

/// Blur and cortical level: those given, or those that fit many profiles best.
fn common(bone: &Bone, profiles: &[Profile], voxel: f64, options: &CortexOptions) -> Result<Shared, ImagingError> {
    let first =
        Shared { blur: options.blur.unwrap_or(voxel), cortical: options.cortical.unwrap_or(bone.levels.cortical) };
    if options.blur.is_some() && options.cortical.is_some() {
        return Ok(first);
    }
    let every = (profiles.len() / SHARED_PROFILES).max(1);
    let some: Vec<Profile> = profiles.iter().step_by(every).cloned().collect();
    let found = shared(&some, first, voxel).ok_or_else(no_wall)?;
    let blur = options.blur.unwrap_or(found.blur);
    Ok(Shared { blur, cortical: options.cortical.unwrap_or(found.cortical) })
}

/// The walls of all profiles: once over the whole depth, once more without what lies deeper than the wall, where the
/// density may change.
fn walls(profiles: &[Profile], common: &Shared) -> Vec<Option<Wall>> {
    let wall = |profile: &Profile| {
        let first = fit(common, profile, None)?;
        let deepest = first.depth + first.thickness + 3.5 * common.deviation(profile);
        let count = profile.depths.iter().take_while(|depth| **depth <= deepest).count();
        let near = Profile {
            depths: profile.depths[..count].to_vec(),
            values: profile.values[..count].to_vec(),
            grid_variance: profile.grid_variance,
        };
        fit(common, &near, Some(first)).or(Some(first))
    };
    profiles.par_iter().map(wall).collect()
}

fn no_wall() -> ImagingError {
    ImagingError::invalid("cortex", "no wall could be fitted; check that the image is a CT of a bone")
}

fn usual_rest(walls: &[Option<Wall>]) -> Result<f64, ImagingError> {
    let mut rests: Vec<f64> = walls.iter().flatten().map(|wall| wall.residual).collect();
    rests.sort_by(f64::total_cmp);
    rests.get(rests.len() / 2).copied().ok_or_else(no_wall)
}

/// The thickness at the vertices: the distance of the inner side of the wall from the nearest point of the outer
/// surface, which at a crest is less than the way along the normal.
fn thickness(outer: &TriangleMesh, walls: &[Option<Wall>], neighbours: &Neighbours) -> Result<Vec<f64>, ImagingError> {
    let surface = TriangleSurface::new(outer.clone(), Normals::Facets)?;
    let normals = vertex_normals(outer.vertices(), outer.triangles());
    let at = |v: usize| {
        let wall = walls[v].as_ref().filter(|wall| wall.is_seen)?;
        let inner = outer.vertices()[v] - wall.thickness * normals[v];
        let distance = surface.signed_distance(&inner).map_or(wall.thickness, |d| -d);
        Some((distance.clamp(0.0, wall.thickness), 1.0))
    };
    let known: Vec<Option<(f64, f64)>> = (0..walls.len()).into_par_iter().map(at).collect();
    Ok(smooth_field(neighbours, &median_field(neighbours, &known), THICKNESS_ROUNDS))
}

/// The surface moved inwards by the depths. A blurred edge of a curved body lies too far in by σ² times the mean
/// curvature, which is put back.
fn moved_inwards(
    start: &TriangleMesh,
    depth: &[f64],
    neighbours: &Neighbours,
    sigma: f64,
) -> Result<TriangleMesh, ImagingError> {
    let normals = vertex_normals(start.vertices(), start.triangles());
    let curvature = mean_curvature(start, neighbours, CURVATURE_ROUNDS);
    let most = MOST_CURVATURE * sigma;
    let place = |v: usize| {
        let outwards = (sigma * sigma * curvature[v]).clamp(-most, most);
        start.vertices()[v] + (outwards - depth[v]) * normals[v]
    };
    let vertices = (0..start.vertices().len()).map(place).collect();
    Ok(TriangleMesh::new(vertices, start.triangles().to_vec())?)
}
