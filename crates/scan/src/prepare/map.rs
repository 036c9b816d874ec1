//! Pictures of how far a mesh or a point cloud is from its surface.

use wolff_plots::{MapPlot, Panel, Triangle};
use wolff_spatial::Vec3;

/// Half of the size of the mark of a point, as part of the longest side of the picture.
const MARK: f64 = 0.006;

/// The deviations \[m\] of points, drawn on their triangles, or as marks where there are none, seen from a direction.
pub fn deviation_svg(points: &[Vec3], triangles: &[[u32; 3]], deviations: &[f64], seen_from: &Vec3) -> String {
    let right = if seen_from.z.abs() < 0.9 { Vec3::z() } else { Vec3::x() };
    let right = (right - seen_from * seen_from.dot(&right)).normalize();
    let up = seen_from.cross(&right);
    let place = |p: &Vec3| [right, up, *seen_from].map(|axis| 1e3 * axis.dot(p));
    let mut drawn = Vec::with_capacity(triangles.len());
    for triangle in triangles {
        let corners = triangle.map(|k| place(&points[k as usize]));
        let value = triangle.iter().map(|k| deviations[*k as usize]).sum::<f64>() / 3.0;
        drawn.push(Triangle { corners, value: 1e3 * value });
    }
    if triangles.is_empty() {
        let extent = |axis: Vec3| {
            let (low, high) =
                points.iter().map(|p| axis.dot(p)).fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
            1e3 * (high - low)
        };
        let size = MARK * extent(right).max(extent(up));
        for (p, d) in points.iter().zip(deviations) {
            let [x, y, z] = place(p);
            let corner = |a: f64, b: f64| [x + a * size, y + b * size, z];
            for corners in [
                [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0)],
                [corner(-1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
            ] {
                drawn.push(Triangle { corners, value: 1e3 * d });
            }
        }
    }
    let label = |axis: &Vec3| {
        let name = ["x", "y", "z"][axis.iamax()];
        let sign = if axis[axis.iamax()] < 0.0 { "-" } else { "" };
        format!("{sign}{name} (mm)")
    };
    let (x_label, y_label) = (label(&right), label(&up));
    let panel =
        Panel { label: "grey: not part of the surface", x_label: &x_label, y_label: &y_label, triangles: drawn };
    let plot = MapPlot {
        title: "Deviation from the fitted surface",
        colour_label: "deviation, outwards positive (mm)",
        range: None,
        columns: 1,
        panels: vec![panel],
    };
    plot.to_svg()
}
