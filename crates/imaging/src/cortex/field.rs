//! Values at the vertices of a surface: gaps filled, smoothed; curvature.

use wolff_geometry::TriangleMesh;
use wolff_spatial::Vec3;

use crate::surface::smooth::{Neighbours, vertex_normals};

/// Rounds in which gaps are filled from their rims.
const MOST_FILLINGS: usize = 200;

/// A value at every vertex from those that are known: gaps are filled by the mean of their neighbours, then all is
/// smoothed by `rounds` of half a step towards the mean of the neighbours, each weighted by its weight.
pub(crate) fn smooth_field(neighbours: &Neighbours, known: &[Option<(f64, f64)>], rounds: usize) -> Vec<f64> {
    let mut values: Vec<Option<(f64, f64)>> = known.to_vec();
    for _ in 0..MOST_FILLINGS {
        let missing: Vec<usize> = (0..values.len()).filter(|&v| values[v].is_none()).collect();
        if missing.is_empty() {
            break;
        }
        let means: Vec<(usize, (f64, f64))> =
            missing.iter().filter_map(|&v| Some((v, (mean(neighbours, &values, v)?, 1e-3)))).collect();
        if means.is_empty() {
            break;
        }
        means.into_iter().for_each(|(v, mean)| values[v] = Some(mean));
    }
    for _ in 0..rounds {
        let next = |v: usize| {
            let (value, weight) = values[v]?;
            // a value of little weight follows its neighbours at once
            let own = weight / (weight + 1.0);
            let around = mean(neighbours, &values, v).unwrap_or(value);
            Some((own * value + (1.0 - own) * around, weight))
        };
        values = (0..values.len()).map(next).collect();
    }
    values.into_iter().map(|value| value.map_or(0.0, |(value, _)| value)).collect()
}

fn mean(neighbours: &Neighbours, values: &[Option<(f64, f64)>], v: usize) -> Option<f64> {
    let known = neighbours.of(v).iter().filter_map(|&u| values[u as usize]);
    let (sum, weights) =
        known.fold((0.0, 0.0), |(sum, weights), (value, weight)| (sum + weight * value, weights + weight));
    (weights > 0.0).then(|| sum / weights)
}

/// The middle one of the values at a vertex and around it, where it is known: single outliers are replaced.
pub(crate) fn median_field(neighbours: &Neighbours, known: &[Option<(f64, f64)>]) -> Vec<Option<(f64, f64)>> {
    let median = |v: usize| {
        let (_, weight) = known[v]?;
        let around = neighbours.of(v).iter().map(|&u| u as usize).chain([v]);
        let mut values: Vec<f64> = around.filter_map(|u| known[u].map(|(value, _)| value)).collect();
        values.sort_by(f64::total_cmp);
        Some((values[values.len() / 2], weight))
    };
    (0..known.len()).map(median).collect()
}

/// Mean curvature at the vertices \[1/m\], positive where the body is convex: (κ₁ + κ₂)/2, from the change of the area
/// with the vertices (cotangents), smoothed. Source: Meyer, Desbrun, Schröder and Barr, Discrete differential-geometry
/// operators for triangulated 2-manifolds, VisMath 2002.
pub(crate) fn mean_curvature(mesh: &TriangleMesh, neighbours: &Neighbours, rounds: usize) -> Vec<f64> {
    let count = mesh.vertices().len();
    let (mut sums, mut areas) = (vec![Vec3::zeros(); count], vec![0.0; count]);
    for t in 0..mesh.triangles().len() {
        let (corners, triangle) = (mesh.corners(t), mesh.triangles()[t]);
        let double = (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).norm();
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            areas[triangle[i] as usize] += double / 6.0;
            // the edge jk lies opposite of the corner i
            let cotangent = (corners[j] - corners[i]).dot(&(corners[k] - corners[i])) / double.max(f64::MIN_POSITIVE);
            let edge = corners[j] - corners[k];
            sums[triangle[j] as usize] += 0.5 * cotangent * edge;
            sums[triangle[k] as usize] -= 0.5 * cotangent * edge;
        }
    }
    let normals = vertex_normals(mesh.vertices(), mesh.triangles());
    let curvature = |v: usize| Some((0.5 * sums[v].dot(&normals[v]) / areas[v].max(f64::MIN_POSITIVE), 1.0));
    let known: Vec<Option<(f64, f64)>> = (0..count).map(curvature).collect();
    smooth_field(neighbours, &known, rounds)
}
