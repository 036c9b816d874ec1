//! Modulus in sections of the mesh.

use wolff_plots::{MapPlot, Panel, Triangle};
use wolff_spatial::Vec3;

use super::outside::UP;
use crate::bone::MadeBone;

/// Sections along the bone: name, axis of the frame across them, direction to the right of the picture and its name.
const SECTIONS: [(&str, usize, Vec3, &str); 2] = [
    ("coronal, from the front", 0, Vec3::new(0.0, 0.0, -1.0), "to the left (mm)"),
    ("sagittal, from the right", 2, Vec3::new(1.0, 0.0, 0.0), "forward (mm)"),
];

/// Young's modulus along the bone in a coronal and a sagittal section through the middle of its shaft.
pub(super) fn modulus(made: &MadeBone) -> String {
    let mesh = &made.meshed.mesh;
    let points: Vec<Vec3> = mesh.nodes().iter().map(|x| 1e3 * made.morphology.in_bone(x)).collect();
    let middle = mid_shaft(&points);
    let panel = |(label, across, right, x_label): &(&'static str, usize, Vec3, &'static str)| {
        let mut triangles = Vec::new();
        for (element, modulus) in mesh.elements().zip(&made.tissue.modulus) {
            let corner = |k: usize| {
                let x = points[element[k]];
                (x[*across] - middle[*across], [x.dot(right), x.y])
            };
            let cut = cut(&[0, 1, 2, 3].map(corner));
            triangles.extend(cut.into_iter().map(|corners| Triangle { corners, value: 1e-9 * modulus }));
        }
        Panel { label, x_label, y_label: UP, triangles }
    };
    let plot = MapPlot {
        title: "Young's modulus in sections of the mesh",
        colour_label: "modulus along the bone [GPa]",
        range: None,
        columns: SECTIONS.len(),
        panels: SECTIONS.iter().map(panel).collect(),
    };
    plot.to_svg()
}

/// The mean of the points at half of the height.
pub(super) fn mid_shaft(points: &[Vec3]) -> Vec3 {
    let [low, high] =
        points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x.y), high.max(x.y)]);
    let half = 0.5 * (low + high);
    let near = || points.iter().filter(|x| (x.y - half).abs() < 0.05 * (high - low));
    near().sum::<Vec3>() / near().count().max(1) as f64
}

/// The section of a tetrahedron at height zero as triangles, counter-clockwise; corners are heights and places.
fn cut(corners: &[(f64, [f64; 2]); 4]) -> Vec<[[f64; 3]; 3]> {
    let mut found: Vec<[f64; 2]> = Vec::with_capacity(4);
    for (i, (h, p)) in corners.iter().enumerate() {
        for (k, q) in &corners[i + 1..] {
            if (*h >= 0.0) != (*k >= 0.0) {
                let part = h / (h - k);
                found.push([0, 1].map(|d| p[d] + (q[d] - p[d]) * part));
            }
        }
    }
    let count = found.len().max(1) as f64;
    let centre = [0, 1].map(|d| found.iter().map(|x| x[d]).sum::<f64>() / count);
    let angle = |x: &[f64; 2]| (x[1] - centre[1]).atan2(x[0] - centre[0]);
    found.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
    let flat = |x: [f64; 2]| [x[0], x[1], 0.0];
    let Some((first, rest)) = found.split_first() else { return Vec::new() };
    rest.windows(2).map(|pair| [*first, pair[0], pair[1]].map(flat)).collect()
}
