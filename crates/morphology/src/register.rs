//! Points carried from a generic bone to another: a similarity by their frames, one by their surfaces, and a smooth
//! deformation.
//!
//! ```text
//! frames      x -> O + s A M Aᵀ(x - O)              s ratio of lengths, M mirror where the sides differ
//! surfaces    x -> c + s R x                        closest points, repeated (Besl and McKay 1992; Umeyama 1991)
//! smooth      x -> x + Σ w_i |x - p_i| + b + B x    spline of least bending through matched points (Bookstein 1989)
//! ```
//! The kernel of least bending in space is the distance itself. Points are matched in both ways, from each surface to
//! the other: in one way only, a bone that shrinks to a point of the other would match it best. The deformation is
//! found in three passes, each with more points and less smoothing than the one before.

mod pairs;
mod similarity;
mod spline;

use wolff_geometry::TriangleMesh;
use wolff_spatial::{Mat3, Vec3};
use wolff_verdict::{Judgement, Limit};

use crate::MorphologyError;
use crate::found::Morphology;
use pairs::{Pair, Sampled};
use similarity::Similarity;
use spline::Spline;

/// How points are carried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegisterOptions {
    /// Points of each surface that are compared with the other, at most.
    pub samples: usize,
    /// Rounds of closest points.
    pub rounds: usize,
    /// Matched points of the smooth deformation in its second pass; 0 for no deformation.
    pub controls: usize,
    /// How much the deformation is smoothed in its second pass: 0 meets the matched points exactly.
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
    /// Distance of the bone from the deformed generic surface: parts of the bone that the generic one has not count.
    pub back: Distance,
    /// Distance of every point from the surface of the bone, in its unit.
    pub from_surface: Vec<f64>,
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
    let subject = Sampled::new(to_mesh.clone(), options.samples.max(10))?;
    let by_frames = |x: &Vec3| frame_similarity(from, to, x);
    let is_mirrored = from.side != to.side;
    let generic = Sampled::new(mapped(from_mesh, is_mirrored, by_frames)?, options.samples.max(10))?;
    let fit = closest_similarity(&subject, &generic, options.rounds);
    let placed = |x: &Vec3| fit.apply(&by_frames(x));
    let splines = smooth(from_mesh, is_mirrored, &placed, &subject, options, to.length)?;
    let bent = |x: &Vec3| splines.iter().fold(*x, |x, spline| spline.apply(&x));
    let samples = |map: &dyn Fn(&Vec3) -> Vec3| generic.samples.iter().map(|(x, _)| map(x)).collect::<Vec<_>>();
    let first = distance(&samples(&|x| *x), &subject);
    let second = distance(&samples(&|x| fit.apply(x)), &subject);
    let third = distance(&samples(&|x| bent(&fit.apply(x))), &subject);
    let deformed = Sampled::new(mapped(from_mesh, is_mirrored, |x| bent(&placed(x)))?, 1)?;
    let back = distance(&subject.samples.iter().map(|(x, _)| *x).collect::<Vec<_>>(), &deformed);
    let similar: Vec<Vec3> = points.iter().map(placed).collect();
    let points: Vec<Vec3> = similar.iter().map(bent).collect();
    let ways = points.iter().zip(&similar).map(|(a, b)| (a - b).norm());
    let largest_deformation = ways.fold(0.0, f64::max);
    let from_surface = points.iter().map(|x| (subject.closest(x) - x).norm()).collect();
    let scale = to.length / from.length * fit.scale;
    let judgement = judge(&[first, second, third], fit.scale, to);
    let distances = [first, second, third];
    Ok(Registered { points, distances, back, from_surface, scale, largest_deformation, judgement })
}

/// A surface with every vertex elsewhere; a mirror image is turned inside out.
fn mapped(
    mesh: &TriangleMesh,
    is_mirrored: bool,
    map: impl Fn(&Vec3) -> Vec3,
) -> Result<TriangleMesh, MorphologyError> {
    let mesh = TriangleMesh::new(mesh.vertices().iter().map(map).collect(), mesh.triangles().to_vec())?;
    Ok(if is_mirrored { mesh.flipped() } else { mesh })
}

/// A point of one bone at the same place of another, by length and frame.
fn frame_similarity(from: &Morphology, to: &Morphology, x: &Vec3) -> Vec3 {
    let mirror = if from.side == to.side { 1.0 } else { -1.0 };
    let mirror = Mat3::from_diagonal(&Vec3::new(1.0, 1.0, mirror));
    to.origin + to.axes * mirror * from.in_bone(x) * (to.length / from.length)
}

fn distance(samples: &[Vec3], surface: &Sampled) -> Distance {
    let all: Vec<f64> = samples.iter().map(|x| (surface.closest(x) - x).norm()).collect();
    let square: f64 = all.iter().map(|d| d * d).sum();
    Distance { rms: (square / all.len() as f64).sqrt(), largest: all.iter().copied().fold(0.0, f64::max) }
}

/// Similarities between the closest points of both surfaces, one after another.
fn closest_similarity(subject: &Sampled, generic: &Sampled, rounds: usize) -> Similarity {
    let mut fit = Similarity::identity();
    for _ in 0..rounds {
        let Some(next) = Similarity::between(&subject.pairs(generic, &fit)) else { break };
        fit = next.after(&fit);
        if next.is_nearly_nothing() {
            break;
        }
    }
    fit
}

/// Passes of the deformation: number of matched points and smoothing, over those of the options.
const PASSES: [(f64, f64); 3] = [(0.5, 5.0), (1.0, 1.0), (2.0, 0.2)];

/// The splines through matched points spread over both surfaces, each after those before.
fn smooth(
    generic: &TriangleMesh,
    is_mirrored: bool,
    placed: &impl Fn(&Vec3) -> Vec3,
    subject: &Sampled,
    options: &RegisterOptions,
    length: f64,
) -> Result<Vec<Spline>, MorphologyError> {
    let mut splines: Vec<Spline> = Vec::new();
    for (number, smoothing) in PASSES.into_iter().filter(|_| options.controls > 0) {
        let now = |x: &Vec3| splines.iter().fold(placed(x), |x, spline| spline.apply(&x));
        let deformed = Sampled::new(mapped(generic, is_mirrored, now)?, options.samples.max(10))?;
        let pairs = subject.pairs(&deformed, &Similarity::identity());
        let places: Vec<Vec3> = pairs.iter().map(|pair| pair.0).collect();
        let count = (number * options.controls as f64).ceil() as usize;
        let chosen: Vec<Pair> = spread(&places, count.min(places.len())).into_iter().map(|i| pairs[i]).collect();
        splines.push(Spline::through(&chosen, smoothing * options.smoothing * length)?);
    }
    Ok(splines)
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

fn judge(distances: &[Distance; 3], scale: f64, to: &Morphology) -> Judgement {
    let mut judgement = Judgement::default();
    let limit = Limit::at_most(12.0, 35.0).because("bones of one length have nearly one size");
    let remedy = "check length, frame and side of both bones, and that both are whole";
    let apart = 100.0 * (scale.max(scale.recip()) - 1.0);
    judgement.judge("size of the surfaces against the lengths of the bones", "%", apart, &limit, remedy);
    let mm = 1e3 * to.to_metres;
    let remedy = "give a generic bone nearer to the person's, and check frame and side of both";
    let limit = Limit::at_most(4.0, 12.0).because("bones of two people differ by 2 to 4 mm after a similarity");
    judgement.judge("distance of the surfaces after a similarity", "mm", mm * distances[1].rms, &limit, remedy);
    let limit = Limit::at_most(2.0, 6.0).because("attachments are known to a few mm");
    judgement.judge("distance of the surfaces after deformation", "mm", mm * distances[2].rms, &limit, remedy);
    judgement
}
