//! Plane curves: sections of meshes by a plane, and curves of measured points, with as few points as a tolerance
//! allows.

use crate::error::ScanError;
use std::collections::HashMap;
use wolff_contact::Profile;
use wolff_geometry::TriangleMesh;
use wolff_geometry::nurbs::FitErrors;
use wolff_spatial::Vec3;

/// Fewest points of a profile.
const FEWEST: usize = 5;

/// Points of the spline between two of its points that are compared with the curve.
const FINENESS: usize = 16;

/// A curve with few points.
#[derive(Clone, Debug)]
pub struct ProfileFit {
    /// Its points \[m\]; of a closed curve the first is not repeated.
    pub points: Vec<[f64; 2]>,
    /// Distances of the points of the input from the spline.
    pub errors: FitErrors,
    /// Whether the curve is closed.
    pub closed: bool,
}

/// The longest curve in which a plane across axis `normal` (0, 1, 2: x, y, z) at `height` \[m\] cuts a mesh, as points
/// (x, y), (y, z) or (z, x) with the material on the left, and whether it is closed.
///
/// # Errors
/// When the plane does not meet the mesh.
pub fn section(mesh: &TriangleMesh, normal: usize, height: f64) -> Result<(Vec<[f64; 2]>, bool), ScanError> {
    // a plane through vertices is moved by far less than any measured figure
    let nudge = 1e-9 * mesh.vertices().iter().fold(0.0_f64, |most, p| most.max(p[normal].abs()));
    let on_plane = mesh.vertices().iter().any(|p| p[normal] == height);
    let height = if on_plane { height + nudge.max(f64::MIN_POSITIVE) } else { height };
    let plane = [(normal + 1) % 3, (normal + 2) % 3];
    let mut next: HashMap<[u32; 2], [u32; 2]> = HashMap::new();
    let mut places: HashMap<[u32; 2], [f64; 2]> = HashMap::new();
    for triangle in mesh.triangles() {
        let Some([from, to]) = crossing(mesh, triangle, normal, height) else { continue };
        for edge in [from, to] {
            let p = cut(mesh, edge, normal, height);
            places.insert(edge, plane.map(|k| p[k]));
        }
        next.insert(from, to);
    }
    let chain = longest_chain(&next, &places);
    let Some((chain, closed)) = chain else {
        let message = format!("the plane {} = {} mm does not meet the mesh", ["x", "y", "z"][normal], 1e3 * height);
        return Err(ScanError::Request(message));
    };
    Ok((chain.iter().map(|edge| places[edge]).collect(), closed))
}

/// The edges where a triangle is entered and left with the material on the left of the way.
fn crossing(mesh: &TriangleMesh, triangle: &[u32; 3], normal: usize, height: f64) -> Option<[[u32; 2]; 2]> {
    let above = triangle.map(|k| mesh.vertices()[k as usize][normal] > height);
    let (mut rising, mut falling) = (None, None);
    for k in 0..3 {
        let (a, b) = (k, (k + 1) % 3);
        let edge = [triangle[a].min(triangle[b]), triangle[a].max(triangle[b])];
        match (above[a], above[b]) {
            (false, true) => rising = Some(edge),
            (true, false) => falling = Some(edge),
            _ => {}
        }
    }
    // corners run counter-clockwise seen from outside; with the normal of the plane upwards the way from the falling to
    // the rising edge has the outside on its right
    Some([falling?, rising?])
}

fn cut(mesh: &TriangleMesh, [a, b]: [u32; 2], normal: usize, height: f64) -> Vec3 {
    let (a, b) = (mesh.vertices()[a as usize], mesh.vertices()[b as usize]);
    a + (b - a) * ((height - a[normal]) / (b[normal] - a[normal]))
}

type Edge = [u32; 2];

/// The longest way along the crossings, and whether it ends where it began.
fn longest_chain(next: &HashMap<Edge, Edge>, places: &HashMap<Edge, [f64; 2]>) -> Option<(Vec<Edge>, bool)> {
    let entered: std::collections::HashSet<&Edge> = next.values().collect();
    let mut starts: Vec<&Edge> = next.keys().filter(|edge| !entered.contains(edge)).collect();
    starts.sort();
    let mut rest: Vec<&Edge> = next.keys().filter(|edge| entered.contains(edge)).collect();
    rest.sort();
    let mut seen = std::collections::HashSet::new();
    let mut best: Option<(f64, Vec<Edge>, bool)> = None;
    for start in starts.into_iter().chain(rest) {
        let (mut chain, mut at, mut closed) = (Vec::new(), *start, false);
        while seen.insert(at) {
            chain.push(at);
            match next.get(&at) {
                Some(to) if to == start => closed = true,
                Some(to) => at = *to,
                None => break,
            }
        }
        let length = chain.windows(2).map(|w| distance(&places[&w[0]], &places[&w[1]])).sum::<f64>();
        if chain.len() > 2 && best.as_ref().is_none_or(|(most, ..)| length > *most) {
            best = Some((length, chain, closed));
        }
    }
    best.map(|(_, chain, closed)| (chain, closed))
}

fn distance(a: &[f64; 2], b: &[f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The curve through the given points by a spline with the fewest points, at equal distances along it, from which no
/// given point is farther than `tolerance` \[m\]; `points` asks for a number of points instead.
///
/// # Errors
/// When the tolerance is not met with as many points as are given, or the curve crosses itself.
pub fn fit_curve(
    curve: &[[f64; 2]],
    closed: bool,
    tolerance: f64,
    points: Option<usize>,
) -> Result<ProfileFit, ScanError> {
    let most = curve.len();
    if most < FEWEST {
        return Err(ScanError::Request(format!("the curve has {most} points, at least {FEWEST} are needed")));
    }
    let mut count = points.unwrap_or(FEWEST).max(FEWEST);
    loop {
        let resampled = resampled(curve, closed, count);
        let last = points.is_some() || count >= 4 * most;
        match errors(curve, &resampled, closed) {
            Ok(errors) if points.is_some() || errors.max <= tolerance => {
                return Ok(ProfileFit { points: resampled, errors, closed });
            }
            Ok(errors) if last => {
                return Err(ScanError::Request(format!(
                    "with {count} points the curve is still {} mm off; give a larger --tolerance, or smoother points",
                    1e3 * errors.max
                )));
            }
            // a spline through too few points may cross itself
            Err(error) if last => return Err(error),
            _ => {}
        }
        count += 1 + count / 8;
    }
}

/// `count` points at equal distances along a polygon.
fn resampled(curve: &[[f64; 2]], closed: bool, count: usize) -> Vec<[f64; 2]> {
    let mut corners = curve.to_vec();
    if closed {
        corners.extend(curve.first().copied());
    }
    let mut along = vec![0.0];
    corners.windows(2).enumerate().for_each(|(k, w)| along.push(along[k] + distance(&w[0], &w[1])));
    let total = along[along.len() - 1];
    let steps = if closed { count } else { count - 1 };
    let at = |k: usize| {
        let s = total * k as f64 / steps as f64;
        let i = along.partition_point(|a| *a <= s).clamp(1, corners.len() - 1) - 1;
        let length = along[i + 1] - along[i];
        let share = if length > 0.0 { ((s - along[i]) / length).min(1.0) } else { 0.0 };
        [0, 1].map(|c| corners[i][c] + share * (corners[i + 1][c] - corners[i][c]))
    };
    (0..count).map(at).collect()
}

/// Distances of the points of a curve from the spline through others.
fn errors(curve: &[[f64; 2]], points: &[[f64; 2]], closed: bool) -> Result<FitErrors, ScanError> {
    let made = if closed { Profile::closed(points) } else { Profile::open(points) };
    let profile = made.map_err(|e| ScanError::Request(e.to_string()))?;
    let count = FINENESS * points.len();
    let fine: Vec<[f64; 2]> = (0..=count)
        .map(|k| profile.point(profile.length() * k as f64 / count as f64).position)
        .map(|p| [p.x, p.y])
        .collect();
    let nearest = |p: &[f64; 2]| fine.windows(2).map(|w| to_segment(p, &w[0], &w[1])).fold(f64::INFINITY, f64::min);
    Ok(FitErrors::of(&curve.iter().map(nearest).collect::<Vec<_>>()))
}

/// Distance of a point from a segment \[m\].
fn to_segment(p: &[f64; 2], a: &[f64; 2], b: &[f64; 2]) -> f64 {
    let (d, r) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let squared = d[0] * d[0] + d[1] * d[1];
    let share = if squared > 0.0 { ((d[0] * r[0] + d[1] * r[1]) / squared).clamp(0.0, 1.0) } else { 0.0 };
    (r[0] - share * d[0]).hypot(r[1] - share * d[1])
}
