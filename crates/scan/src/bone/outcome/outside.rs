//! Quantities on the outside of a bone: distance of the mesh, thickness of the cortex, free modes.

use wolff_bone::flexible::picture::{Coarse, DeformedMode};
use wolff_geometry::{Normals, Surface as _, TriangleSurface};
use wolff_plots::{MapPlot, Panel, Triangle};
use wolff_spatial::Vec3;

use crate::bone::MadeBone;

/// Triangles of a surface that are drawn, at most: more are smaller than the eye can see.
const DRAWN: usize = 5000;
/// Triangles of a mode, of which there are several.
const DRAWN_MODE: usize = 2500;
/// Modes that are drawn.
const MODES: usize = 4;
/// Part of the values that lies within the range of the colours; a few larger ones have the last colour.
const WITHIN: f64 = 0.99;
/// Label of the upward axis.
pub(super) const UP: &str = "up (mm)";

/// A side from which a bone is seen.
struct Side {
    name: &'static str,
    /// What is counted to the right of the picture.
    right_label: &'static str,
    /// Its axis in the frame of the bone, and whether it points along it or against it.
    right: usize,
    sign: f64,
}

const SIDES: [Side; 4] = [
    Side { name: "from the front", right_label: "to the left (mm)", right: 2, sign: -1.0 },
    Side { name: "from behind", right_label: "to the right (mm)", right: 2, sign: 1.0 },
    Side { name: "from the right", right_label: "forward (mm)", right: 0, sign: 1.0 },
    Side { name: "from the left", right_label: "backward (mm)", right: 0, sign: -1.0 },
];

impl Side {
    /// A surface in the frame of the bone \[mm\] as it is seen, each triangle with the mean value of its corners.
    fn seen(&self, points: &[Vec3], triangles: &[[usize; 3]], values: &[f64]) -> Vec<Triangle> {
        let right = Vec3::ith(self.right, self.sign);
        let eye = right.cross(&Vec3::y());
        let corner = |node: usize| [points[node].dot(&right), points[node].y, points[node].dot(&eye)];
        let triangle = |t: &[usize; 3]| Triangle {
            corners: t.map(corner),
            value: t.iter().map(|&node| values[node]).sum::<f64>() / 3.0,
        };
        triangles.iter().map(triangle).collect()
    }
}

/// A map of values of nodes \[mm\] from four sides; places are in the frame of the input \[m\].
fn map(made: &MadeBone, places: &[Vec3], triangles: &[[u32; 3]], values: &[f64], words: [&str; 2]) -> String {
    let coarse = Coarse::of(places, triangles, DRAWN);
    let points: Vec<Vec3> = coarse.nodes.iter().map(|&node| 1e3 * made.morphology.in_bone(&places[node])).collect();
    let kept: Vec<f64> = coarse.nodes.iter().map(|&node| values[node]).collect();
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let end = sorted.get((WITHIN * sorted.len() as f64) as usize).copied().unwrap_or(1.0);
    let panel = |side: &Side| Panel {
        label: side.name,
        x_label: side.right_label,
        y_label: UP,
        triangles: side.seen(&points, &coarse.triangles, &kept),
    };
    let [title, colour_label] = words;
    let panels = SIDES.iter().map(panel).collect();
    MapPlot { title, colour_label, range: Some((0.0, end)), columns: SIDES.len(), panels }.to_svg()
}

/// Distance of the mesh from the surface of the input: at every node the largest of the faces around it.
pub(super) fn distance(made: &MadeBone) -> Option<String> {
    let surface = TriangleSurface::new(made.shape.surface.clone(), Normals::Facets).ok()?;
    let (faces, nodes) = (made.meshed.mesh.boundary().ok()?, made.meshed.mesh.nodes());
    let away = |x: &Vec3| surface.closest(x).map_or(0.0, |found| (found.position - x).norm());
    let mut values = vec![0.0_f64; nodes.len()];
    let mut triangles = Vec::with_capacity(faces.len());
    for face in &faces {
        let corners = [face.nodes[0], face.nodes[1], face.nodes[2]];
        let middle = corners.iter().map(|&node| nodes[node]).sum::<Vec3>() / 3.0;
        let at_middle = 1e3 * away(&middle);
        corners.iter().for_each(|&node| values[node] = values[node].max(at_middle));
        triangles.push(corners.map(|node| node as u32));
    }
    // only nodes of the surface are drawn and counted
    let mut number = vec![u32::MAX; nodes.len()];
    let (mut places, mut kept) = (Vec::new(), Vec::new());
    for node in triangles.iter_mut().flatten() {
        let old = *node as usize;
        if number[old] == u32::MAX {
            number[old] = places.len() as u32;
            places.push(nodes[old]);
            kept.push(values[old].max(1e3 * away(&nodes[old])));
        }
        *node = number[old];
    }
    let report = &made.meshed.report;
    let [mean, largest] = [report.mean_distance, report.hausdorff].map(|d| 1e3 * d.unwrap_or(f64::NAN));
    let label = format!("distance [mm]; mean {mean:.3} mm, largest (Hausdorff) {largest:.3} mm");
    let title = "Distance of the mesh from the surface of the input";
    Some(map(made, &places, &triangles, &kept, [title, &label]))
}

/// Thickness of the cortex of a CT on its outer surface.
pub(super) fn thickness(made: &MadeBone) -> Option<String> {
    let cortex = made.shape.density.as_ref()?.cortex();
    let values: Vec<f64> = cortex.thickness.iter().map(|t| 1e3 * t).collect();
    let words = ["Thickness of the cortex", "thickness [mm]"];
    Some(map(made, cortex.outer.vertices(), cortex.outer.triangles(), &values, words))
}

/// The first modes of the free bone, each from the side from which it moves most.
pub(super) fn modes(made: &MadeBone) -> Option<String> {
    let (surface, frequencies) = (made.bodies.free.as_ref()?, &made.bodies.frequencies);
    let coarse = Coarse::of(&surface.positions, &surface.triangles, DRAWN_MODE);
    let count = MODES.min(frequencies.len());
    let states: Vec<DeformedMode> = (0..count).map(|mode| DeformedMode::new(surface, mode, &coarse.nodes)).collect();
    let sides: Vec<&Side> = states
        .iter()
        .map(|state| {
            let moved = |axis: usize| -> f64 {
                let way = |(&node, x): (&usize, &Vec3)| (x - surface.positions[node])[axis].powi(2);
                coarse.nodes.iter().zip(&state.positions).map(way).sum()
            };
            if moved(0) > moved(2) { &SIDES[2] } else { &SIDES[0] }
        })
        .collect();
    let labels: Vec<String> =
        (0..count).map(|mode| format!("mode {}: {:.0} Hz", mode + 1, frequencies[mode])).collect();
    let panel = |mode: usize| {
        let points: Vec<Vec3> = states[mode].positions.iter().map(|x| 1e3 * x).collect();
        Panel {
            label: &labels[mode],
            x_label: sides[mode].right_label,
            y_label: UP,
            triangles: sides[mode].seen(&points, &coarse.triangles, &states[mode].colour),
        }
    };
    let plot = MapPlot {
        title: "The first modes of the free bone, displacements enlarged",
        colour_label: "equivalent strain, over the largest of the mode",
        range: Some((0.0, 1.0)),
        columns: MODES,
        panels: (0..count).map(panel).collect(),
    };
    (count > 0).then(|| plot.to_svg())
}
