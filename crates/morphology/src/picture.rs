//! A bone with its frame, landmarks and joint surfaces from three sides, as SVG.

use std::fmt::Write as _;

use wolff_formats::plot::escape;
use wolff_geometry::TriangleMesh;
use wolff_spatial::Vec3;

use crate::found::Morphology;

const HEIGHT: f64 = 760.0;
const MARGIN: f64 = 30.0;
const TITLE: f64 = 40.0;
/// Colours of joint surfaces, in their order.
const PATCHES: [[f64; 3]; 3] = [[0.35, 0.62, 0.95], [0.45, 0.80, 0.45], [0.95, 0.65, 0.30]];

/// Directions of the bone's frame to the right of the picture and up.
const VIEWS: [(&str, usize, f64, usize); 3] = [
    ("from the front: right of the body to the left", 2, -1.0, 1),
    ("from the right: front to the right", 0, 1.0, 1),
    ("from above: front up, right of the body to the right", 2, 1.0, 0),
];

/// The picture: the surface shaded, its joint surfaces coloured, landmarks and joint centres marked, from the front,
/// from the right and from above.
pub fn picture(mesh: &TriangleMesh, bone: &Morphology, title: &str) -> String {
    let points: Vec<Vec3> = mesh.vertices().iter().map(|x| bone.in_bone(x)).collect();
    let mut colour = vec![None; mesh.triangles().len()];
    for (patch, shade) in bone.patches.iter().zip(PATCHES.iter().cycle()) {
        for &t in &patch.triangles {
            if let Some(colour) = colour.get_mut(t as usize) {
                *colour = Some(*shade);
            }
        }
    }
    let extents = [0, 1, 2].map(|axis| {
        let all = || points.iter().map(|x| x[axis]);
        (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max))
    });
    let (low, high) = extents[1];
    let scale = (HEIGHT - 2.0 * MARGIN) / (high - low);
    let widest = (0..3).filter(|&i| i != 1).map(|i| extents[i].1 - extents[i].0).fold(0.0, f64::max);
    let panel = scale.min(900.0 / widest) * widest + 170.0;
    let scale = scale.min(900.0 / widest);
    let width = 3.0 * panel;
    let total = TITLE + HEIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {total:.0}\" width=\"{width:.0}\" \
         height=\"{total:.0}\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"11\" stroke-width=\"0.3\">\n\
         <rect width=\"{width:.0}\" height=\"{total:.0}\" fill=\"#fff\"/>\n\
         <text x=\"12\" y=\"20\" font-size=\"15\">{}</text>\n",
        escape(title)
    );
    for (i, view) in VIEWS.iter().enumerate() {
        let middle = |axis: usize| 0.5 * (extents[axis].0 + extents[axis].1);
        let centre = [panel * (i as f64 + 0.5), TITLE + 0.5 * HEIGHT];
        let (right, sign, up) = (view.1, view.2, view.3);
        let place = |x: &Vec3| {
            let across = sign * (x[right] - middle(right));
            [centre[0] + scale * across, centre[1] - scale * (x[up] - middle(up))]
        };
        let eye = sign * Vec3::ith(right, 1.0).cross(&Vec3::ith(up, 1.0));
        let _ = writeln!(svg, "<text x=\"{:.0}\" y=\"36\">{}</text>", centre[0] - 0.45 * panel, escape(view.0));
        draw_surface(&mut svg, mesh, &points, &colour, &eye, &place);
        draw_marks(&mut svg, bone, &place);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Triangles that face the eye, the farthest first.
fn draw_surface(
    svg: &mut String,
    mesh: &TriangleMesh,
    points: &[Vec3],
    colour: &[Option<[f64; 3]>],
    eye: &Vec3,
    place: &impl Fn(&Vec3) -> [f64; 2],
) {
    let mut shown: Vec<(f64, usize, f64)> = Vec::new();
    for (t, corners) in mesh.triangles().iter().enumerate() {
        let [a, b, c] = corners.map(|v| points[v as usize]);
        let normal = (b - a).cross(&(c - a)).normalize();
        if normal.dot(eye) > 0.0 {
            shown.push(((a + b + c).dot(eye), t, normal.dot(eye)));
        }
    }
    shown.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, t, shade) in shown {
        let base = colour[t].unwrap_or([0.93, 0.89, 0.80]);
        let [r, g, b] = base.map(|c| (255.0 * c * (0.35 + 0.65 * shade)) as u8);
        let [p, q, s] = mesh.triangles()[t].map(|v| place(&points[v as usize]));
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1} {:.1} {:.1}z\" fill=\"#{r:02x}{g:02x}{b:02x}\" \
             stroke=\"#{r:02x}{g:02x}{b:02x}\"/>",
            p[0], p[1], q[0], q[1], s[0], s[1]
        );
    }
}

fn draw_marks(svg: &mut String, bone: &Morphology, place: &impl Fn(&Vec3) -> [f64; 2]) {
    let axis_length = 0.12 * bone.length;
    let origin = place(&Vec3::zeros());
    for (axis, colour) in [(0, "#c00"), (1, "#080"), (2, "#00c")] {
        let tip = place(&(Vec3::ith(axis, 1.0) * axis_length));
        let name = ["x", "y", "z"][axis];
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{name}</text>",
            origin[0],
            origin[1],
            tip[0],
            tip[1],
            tip[0] + 2.0,
            tip[1]
        );
    }
    let marks = bone.landmarks.iter().map(|l| (l.name, l.position, "#d00080"));
    let joints = bone.joints.iter().map(|j| (j.name, j.position, "#000"));
    for (name, position, colour) in marks.chain(joints) {
        let [x, y] = place(&bone.in_bone(&position));
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\" font-size=\"9\">{}</text>",
            x + 5.0,
            y + 3.0,
            escape(name)
        );
    }
}
