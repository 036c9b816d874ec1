//! Points carried from a generic bone to another: a similarity by their frames, one by their surfaces, and a smooth
//! deformation.
//!
//! ```text
//! frames      x -> O + s A M Aᵀ(x - O)              s ratio of lengths, M mirror where the sides differ
//! surfaces    x -> c + s R x                        closest points, repeated (Besl and McKay 1992; Umeyama 1991)
//! smooth      x -> x + Σ w_i |x - p_i| + b + B x    spline of least bending through matched points (Bookstein 1989)
//! ```
//! The kernel of least bending in space is the distance itself.

mod similarity;
mod spline;

use wolff_geometry::{Normals, Surface, TriangleMesh, TriangleSurface};
use wolff_spatial::{Mat3, Vec3};
use wolff_verdict::{Judgement, Limit};

use crate::MorphologyError;
use crate::found::Morphology;
use similarity::Similarity;
use spline::Spline;

/// How points are carried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegisterOptions {
    /// Points of the generic surface that are compared with the other, at most.
    pub samples: usize,
    /// Rounds of closest points.
    pub rounds: usize,
    /// Matched points of the smooth deformation; 0 for none.
    pub controls: usize,
    /// How much the deformation is smoothed: 0 meets the matched points exactly.
    pub smoothing: f64,
}

impl Default for RegisterOptions {
    fn default() -> Self {
        Self { samples: 1500, rounds: 30, controls: 150, smoothing: 0.02 }
    }
}

/// Distance of the generic surface from the other, in its unit.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Distance {
    /// Root mean square.
    pub rms: f64,
    /// Largest.
    pub largest: f64,
}

/// Points carried to a bone.
#[derive(Debug, Clone, PartialEq)]
pub struct Registered {
    /// The points, in the frame and unit of the bone.
    pub points: Vec<Vec3>,
    /// Distance of the surfaces after frames, surfaces and deformation.
    pub distances: [Distance; 3],
    /// Ratio of the sizes.
    pub scale: f64,
    /// Largest way of a point by the smooth deformation, in the unit of the bone.
    pub largest_deformation: f64,
    /// Verdict on the distances.
    pub judgement: Judgement,
}

/// Carries `points` of a generic bone, given by its surface and frame, to a bone of the same kind.
///
/// Bones of different sides are mirrored. Distances are from samples of the generic surface to the other one; where the
/// generic bone is whole and the other is not, its missing part counts.
///
/// # Errors
/// When the bones are not of one kind, or the other surface has no closest points.
pub fn register(
    generic: (&TriangleMesh, &Morphology),
    subject: (&TriangleMesh, &Morphology),
    points: &[Vec3],
    options: &RegisterOptions,
) -> Result<Registered, MorphologyError> {
    let ((from_mesh, from), (to_mesh, to)) = (generic, subject);
    if from.kind != to.kind {
        return Err(MorphologyError::invalid(
            "registration of bones",
            format!("a {} was given for a {}; give bones of one kind", from.kind.word(), to.kind.word()),
        ));
    }
    let surface = TriangleSurface::new(to_mesh.clone(), Normals::Facets)?;
    let by_frames = |x: &Vec3| frame_similarity(from, to, x);
    let step = from_mesh.vertices().len().div_ceil(options.samples.max(10));
    let samples: Vec<Vec3> = from_mesh.vertices().iter().step_by(step.max(1)).map(by_frames).collect();
    let first = distance(&samples, &surface);
    let (fit, moved) = closest_similarity(&samples, &surface, options.rounds);
    let second = distance(&moved, &surface);
    let spline = smooth(&moved, &surface, options, to.length)?;
    let bent: Vec<Vec3> = moved.iter().map(|x| spline.apply(x)).collect();
    let third = distance(&bent, &surface);
    let similar: Vec<Vec3> = points.iter().map(|x| fit.apply(&by_frames(x))).collect();
    let points: Vec<Vec3> = similar.iter().map(|x| spline.apply(x)).collect();
    let ways = points.iter().zip(&similar).map(|(a, b)| (a - b).norm());
    let largest_deformation = ways.fold(0.0, f64::max);
    let scale = to.length / from.length * fit.scale;
    let judgement = judge(&[first, second, third], to);
    Ok(Registered { points, distances: [first, second, third], scale, largest_deformation, judgement })
}

/// A point of one bone at the same place of another, by length and frame.
fn frame_similarity(from: &Morphology, to: &Morphology, x: &Vec3) -> Vec3 {
    let mirror = if from.side == to.side { 1.0 } else { -1.0 };
    let mirror = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, mirror));
    to.origin + to.axes * mirror * from.in_bone(x) * (to.length / from.length)
}

fn closest(surface: &TriangleSurface, x: &Vec3) -> Vec3 {
    surface.closest(x).map_or(*x, |found| found.position)
}

fn distance(samples: &[Vec3], surface: &TriangleSurface) -> Distance {
    let all: Vec<f64> = samples.iter().map(|x| (closest(surface, x) - x).norm()).collect();
    let square: f64 = all.iter().map(|d| d * d).sum();
    Distance { rms: (square / all.len() as f64).sqrt(), largest: all.iter().copied().fold(0.0, f64::max) }
}

/// Similarities to the closest points of the nine nearest tenths of the samples, one after another.
fn closest_similarity(samples: &[Vec3], surface: &TriangleSurface, rounds: usize) -> (Similarity, Vec<Vec3>) {
    let mut fit = Similarity::identity();
    let mut moved = samples.to_vec();
    for _ in 0..rounds {
        let mut pairs: Vec<(Vec3, Vec3)> = moved.iter().map(|x| (*x, closest(surface, x))).collect();
        pairs.sort_by(|a, b| (a.1 - a.0).norm().total_cmp(&(b.1 - b.0).norm()));
        pairs.truncate(9 * pairs.len() / 10);
        let Some(next) = Similarity::between(&pairs) else { break };
        fit = next.after(&fit);
        moved = samples.iter().map(|x| fit.apply(x)).collect();
        if next.is_nearly_nothing() {
            break;
        }
    }
    (fit, moved)
}

/// The spline through samples spread over the surface and the closest points of the other.
fn smooth(
    moved: &[Vec3],
    surface: &TriangleSurface,
    options: &RegisterOptions,
    length: f64,
) -> Result<Spline, MorphologyError> {
    let controls = spread(moved, options.controls.min(moved.len()));
    let pairs: Vec<(Vec3, Vec3)> = controls.iter().map(|&i| (moved[i], closest(surface, &moved[i]))).collect();
    Spline::through(&pairs, options.smoothing * length)
}

/// Numbers of points that lie far apart: each next one is the farthest from those before.
fn spread(points: &[Vec3], count: usize) -> Vec<usize> {
    let mut chosen = Vec::new();
    let mut away = vec![f64::INFINITY; points.len()];
    let mut next = 0;
    for _ in 0..count {
        chosen.push(next);
        for (away, x) in away.iter_mut().zip(points) {
            *away = away.min((x - points[next]).norm());
        }
        next = (0..points.len()).max_by(|&i, &j| away[i].total_cmp(&away[j])).unwrap_or(0);
    }
    chosen
}

fn judge(distances: &[Distance; 3], to: &Morphology) -> Judgement {
    let mut judgement = Judgement::default();
    let mm = 1e3 * to.to_metres;
    let remedy = "give a generic bone nearer to the person's, and check frame and side of both";
    let limit = Limit::at_most(4.0, 12.0).because("bones of two people differ by 2 to 4 mm after a similarity");
    judgement.judge("distance of the surfaces after a similarity", "mm", mm * distances[1].rms, &limit, remedy);
    let limit = Limit::at_most(2.0, 6.0).because("attachments are known to a few mm");
    judgement.judge("distance of the surfaces after deformation", "mm", mm * distances[2].rms, &limit, remedy);
    judgement
}
