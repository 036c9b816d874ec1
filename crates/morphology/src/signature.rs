//! Shape along an axis as a row of section moments, and how well a bone matches that of a known kind.
//!
//! A long bone is cut across the axis of its largest spread, a patella across that of its smallest. Each section gives
//! four numbers, three of them complex, all lengths over the length of the axis:
//!
//! ```text
//! r = sqrt(A/π)      c = centroid      e = r ∫w² dA / ∫|w|² dA      t = r ∫w³ dA / (∫|w|² dA)^(5/4)
//! ```
//! A turn by θ about the axis multiplies c, e and t by exp(iθ), exp(2iθ) and exp(3iθ); a mirror image conjugates them;
//! the other end first reverses the row. So end, side and forward direction follow from one search over θ for each of
//! four cases, and the second best case tells how sure they are.

mod table;

use nalgebra::Complex;
use wolff_anatomy::Side;
use wolff_geometry::TriangleMesh;
use wolff_spatial::Vec3;

use crate::kind::BoneKind;
use crate::section::{Across, Moments};
use crate::solid::Solid;

/// Sections of a signature.
pub const STATIONS: usize = 24;

/// One section.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Station {
    /// r.
    pub radius: f64,
    /// c, e and t.
    pub shape: [Complex<f64>; 3],
}

/// Sections of a bone from its first end, and the axes they are seen in.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// The axis and the directions across.
    pub across: Across,
    /// Lowest and highest place along the axis.
    pub ends: [f64; 2],
    /// Sections by growing height.
    pub stations: Vec<Station>,
}

/// Which spread of the solid is the axis of a kind.
fn axis_of(kind: BoneKind) -> usize {
    if kind == BoneKind::Patella { 2 } else { 0 }
}

impl Signature {
    /// The signature along the axis that a kind is cut across; `None` where the surface has no length there.
    pub fn of(mesh: &TriangleMesh, solid: &Solid, kind: BoneKind) -> Option<Self> {
        let across = Across::axis(solid.centre, solid.axes.column(axis_of(kind)).into_owned())?;
        let heights = || mesh.vertices().iter().map(|x| across.place(x).0);
        let low = heights().fold(f64::INFINITY, f64::min);
        let high = heights().fold(f64::NEG_INFINITY, f64::max);
        let length = high - low;
        if !(length > 0.0) {
            return None;
        }
        let cuts = cut_all(mesh, &across, low, length);
        let station = |segments: &Vec<_>| Moments::of(segments).map_or(Station::default(), |m| scaled(&m, length));
        Some(Self { across, ends: [low, high], stations: cuts.iter().map(station).collect() })
    }

    /// The length along the axis.
    pub fn length(&self) -> f64 {
        self.ends[1] - self.ends[0]
    }

    /// The same bone with the other end first; directions across change hands with the axis.
    fn reversed(&self) -> Self {
        let a = &self.across;
        let across = Across { along: -a.along, second: -a.second, ..*a };
        let mirrored = |s: &Station| Station { shape: s.shape.map(|w| w.conj()), ..*s };
        let stations = self.stations.iter().rev().map(mirrored).collect();
        Self { across, ends: [-self.ends[1], -self.ends[0]], stations }
    }
}

/// Segments of all sections in one pass over the triangles.
fn cut_all(mesh: &TriangleMesh, across: &Across, low: f64, length: f64) -> Vec<Vec<[Complex<f64>; 2]>> {
    let height = |station: usize| low + length * fraction(station);
    let mut cuts = vec![Vec::new(); STATIONS];
    for t in 0..mesh.triangles().len() {
        let corners = mesh.corners(t).map(|x| across.place(&x));
        let lowest = corners.iter().map(|c| c.0).fold(f64::INFINITY, f64::min);
        let highest = corners.iter().map(|c| c.0).fold(f64::NEG_INFINITY, f64::max);
        let first = (((lowest - low) / length * STATIONS as f64 - 0.5).ceil().max(0.0)) as usize;
        for station in (first..STATIONS).take_while(|&station| height(station) <= highest) {
            let shifted = corners.map(|(h, w)| (h - height(station), w));
            cuts[station].extend(crate::section::segment(&shifted));
        }
    }
    cuts
}

/// Where a section lies between the ends.
fn fraction(station: usize) -> f64 {
    (station as f64 + 0.5) / STATIONS as f64
}

fn scaled(m: &Moments, length: f64) -> Station {
    let radius = (m.area / std::f64::consts::PI).sqrt() / length;
    let shape = [m.centroid / length, m.second / m.polar * radius, m.third / m.polar.powf(1.25) * radius];
    Station { radius, shape }
}

/// How a bone matches a kind in one of the four cases.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// The kind.
    pub kind: BoneKind,
    /// The side.
    pub side: Side,
    /// Along the axis towards the last station: proximal for long bones, posterior for a patella.
    pub along: Vec3,
    /// The forward direction of long bones, the upward one of a patella; across the axis.
    pub towards: Vec3,
    /// Root-mean-square difference of the sections over the radius of sections.
    pub mismatch: f64,
}

/// All four cases for a kind, the best first; none where the surface has no length.
pub fn matches(mesh: &TriangleMesh, solid: &Solid, kind: BoneKind) -> Vec<Match> {
    let Some(found) = Signature::of(mesh, solid, kind) else { return Vec::new() };
    let known = table::known(kind);
    let mut all = Vec::new();
    for bone in [found.reversed(), found] {
        for side in Side::BOTH {
            let turns = known.iter().map(|known| best_turn(&bone.stations, known, side));
            let (angle, mismatch) = turns.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, f64::INFINITY));
            let towards = bone.across.direction(angle);
            all.push(Match { kind, side, along: bone.across.along, towards, mismatch });
        }
    }
    all.sort_by(|a, b| a.mismatch.total_cmp(&b.mismatch));
    all
}

/// The turn of the known shape about the axis at which it differs least, and by how much.
fn best_turn(bone: &[Station], known: &[Station], side: Side) -> (f64, f64) {
    /// Turns that are tried, and steps of Newton's method from the best.
    const TURNS: usize = 360;
    const NEWTON: usize = 8;
    // Σ|a - k e^{inθ}|² = Σ|a|² + |k|² - 2 Re e^{-inθ} Σ a k*
    let (mut fixed, mut product) = (0.0, [Complex::ZERO; 3]);
    for (a, k) in bone.iter().zip(known) {
        fixed += (a.radius - k.radius).powi(2);
        for n in 0..3 {
            let k = if side == Side::Right { k.shape[n] } else { k.shape[n].conj() };
            fixed += a.shape[n].norm_sqr() + k.norm_sqr();
            product[n] += a.shape[n] * k.conj();
        }
    }
    let at = |theta: f64| {
        let turned = |n: usize| (Complex::from_polar(1.0, -((n + 1) as f64) * theta) * product[n]).re;
        fixed - 2.0 * (turned(0) + turned(1) + turned(2))
    };
    let step = std::f64::consts::TAU / TURNS as f64;
    let angles = (0..TURNS).map(|i| i as f64 * step);
    let best = angles.fold((0.0, f64::INFINITY), |best, theta| match at(theta) {
        value if value < best.1 => (theta, value),
        _ => best,
    });
    // to the last digit by Newton's method, so that the result does not depend on where the turns begin
    let mut theta = best.0;
    for _ in 0..NEWTON {
        let turned = |n: usize| Complex::from_polar(1.0, -((n + 1) as f64) * theta) * product[n];
        let slope: f64 = (0..3).map(|n| -2.0 * (n + 1) as f64 * turned(n).im).sum();
        let curvature: f64 = (0..3).map(|n| 2.0 * ((n + 1) as f64).powi(2) * turned(n).re).sum();
        if curvature > 0.0 {
            theta -= (slope / curvature).clamp(-step, step);
        }
    }
    let size: f64 = known.iter().map(|k| k.radius * k.radius).sum();
    (theta, (at(theta).max(0.0) / size).sqrt())
}
