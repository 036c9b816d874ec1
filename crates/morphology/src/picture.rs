//! A bone with its frame, landmarks and joint surfaces from three sides, as SVG.

use std::fmt::Write as _;

use wolff_geometry::TriangleMesh;
use wolff_plots::escape;
use wolff_spatial::Vec3;

use crate::found::Morphology;

/// Width of the picture \[px\], and of its three panels; the first two have room for names.
const WIDTH: f64 = 760.0;
const PANELS: [f64; 3] = [300.0, 300.0, 160.0];
/// Most that the bone takes \[px\]: upwards, and across.
const TALL: f64 = 560.0;
const BROAD: f64 = 140.0;
/// Above the bone, and between bone and edges \[px\].
const HEAD: f64 = 104.0;
const MARGIN: f64 = 16.0;
/// Height of a name \[px\].
const LINE: f64 = 14.0;
/// Colours of the bone and of joint surfaces, in their order.
const COLOURS: [[f64; 3]; 4] = [[0.93, 0.89, 0.80], [0.35, 0.62, 0.95], [0.45, 0.80, 0.45], [0.95, 0.65, 0.30]];
/// Levels of light.
const LEVELS: usize = 16;
/// Colours of landmarks and of joint centres.
const LANDMARK: &str = "#b00068";
const JOINT: &str = "#111111";

/// A side from which the bone is seen.
struct View {
    names: [&'static str; 2],
    /// Axis of the bone's frame to the right of the picture and its sign, and the one upwards.
    right: usize,
    sign: f64,
    up: usize,
}

const VIEWS: [View; 3] = [
    View { names: ["from the front", "right of the body to the left"], right: 2, sign: -1.0, up: 1 },
    View { names: ["from the right", "front to the right"], right: 0, sign: 1.0, up: 1 },
    View { names: ["from above", "front up, right to the right"], right: 2, sign: 1.0, up: 0 },
];

impl View {
    fn eye(&self) -> Vec3 {
        self.sign * Vec3::ith(self.right, 1.0).cross(&Vec3::ith(self.up, 1.0))
    }
}

/// Where a view is drawn \[px\].
struct Place<'a> {
    view: &'a View,
    scale: f64,
    /// The pixel of the middle of the bone.
    centre: [f64; 2],
    middle: Vec3,
}

impl Place<'_> {
    fn pixel(&self, x: &Vec3) -> [f64; 2] {
        let d = x - self.middle;
        let across = self.view.sign * d[self.view.right];
        [self.centre[0] + self.scale * across, self.centre[1] - self.scale * d[self.view.up]]
    }
}

/// The picture: the surface shaded, its joint surfaces coloured, landmarks and joint centres marked, from the front,
/// from the right and from above.
pub fn picture(mesh: &TriangleMesh, bone: &Morphology, title: &str) -> String {
    let points: Vec<Vec3> = mesh.vertices().iter().map(|x| bone.in_bone(x)).collect();
    let first = points.first().copied().unwrap_or_default();
    let (low, high) = points.iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
    let sides = high - low;
    let scale = (TALL / sides.y).min(BROAD / sides.x.max(sides.z));
    let scale = if scale.is_finite() { scale } else { 1.0 };
    let names = bone.landmarks.len() + bone.joints.len();
    let tall = (scale * sides.y).max(LINE * names as f64).max(BROAD);
    let total = HEAD + tall + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {total:.0}\" width=\"{WIDTH}\" height=\"{total:.0}\" \
         font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\" fill=\"#222\" stroke-width=\"0.5\" role=\"img\">\n\
         <title>{0}</title>\n<style>{1}</style>\n<rect width=\"{WIDTH}\" height=\"{total:.0}\" fill=\"#fff\"/>\n\
         <text x=\"{2}\" y=\"26\" text-anchor=\"middle\" font-size=\"16\" font-weight=\"bold\">{0}</text>\n",
        escape(title),
        style(),
        0.5 * WIDTH
    );
    let colours = colours(mesh, bone);
    let mut left = 0.0;
    for (view, wide) in VIEWS.iter().zip(PANELS) {
        let x = left + MARGIN + 0.5 * BROAD;
        let y = if view.up == 1 { HEAD + MARGIN + 0.5 * tall } else { HEAD + MARGIN + 0.5 * BROAD };
        let place = Place { view, scale, centre: [x, y], middle: 0.5 * (low + high) };
        for (line, name) in view.names.iter().enumerate() {
            let y = 50.0 + LINE * line as f64;
            let _ = writeln!(svg, "<text x=\"{:.0}\" y=\"{y:.0}\">{name}</text>", left + MARGIN);
        }
        draw_surface(&mut svg, mesh, &points, &colours, &place);
        draw_axes(&mut svg, bone, &place);
        draw_marks(&mut svg, bone, &place, (view.up == 1).then_some(left + 2.0 * MARGIN + BROAD));
        left += wide;
    }
    svg.push_str("</svg>\n");
    svg
}

/// Classes of all colours at all levels of light.
fn style() -> String {
    let mut text = String::new();
    for (i, colour) in COLOURS.iter().enumerate() {
        for level in 0..LEVELS {
            let light = 0.35 + 0.65 * level as f64 / (LEVELS - 1) as f64;
            let [r, g, b] = colour.map(|c| (255.0 * c * light) as u8);
            let _ = write!(text, ".b{i}-{level}{{fill:#{r:02x}{g:02x}{b:02x};stroke:#{r:02x}{g:02x}{b:02x}}}");
        }
    }
    text
}

/// The number of the colour of every triangle.
fn colours(mesh: &TriangleMesh, bone: &Morphology) -> Vec<usize> {
    let mut colours = vec![0; mesh.triangles().len()];
    for (patch, colour) in bone.patches.iter().zip((1..COLOURS.len()).cycle()) {
        for &t in &patch.triangles {
            if let Some(place) = colours.get_mut(t as usize) {
                *place = colour;
            }
        }
    }
    colours
}

/// Triangles that face the eye, the farthest first; coordinates are tenths of a pixel, relative to the first corner.
fn draw_surface(svg: &mut String, mesh: &TriangleMesh, points: &[Vec3], colours: &[usize], place: &Place) {
    let eye = place.view.eye();
    let mut shown: Vec<(f64, usize, f64)> = Vec::new();
    for (t, corners) in mesh.triangles().iter().enumerate() {
        let [a, b, c] = corners.map(|v| points[v as usize]);
        let towards = (b - a).cross(&(c - a)).normalize().dot(&eye);
        if towards > 0.0 {
            shown.push(((a + b + c).dot(&eye), t, towards));
        }
    }
    shown.sort_by(|a, b| a.0.total_cmp(&b.0));
    let class = |&(_, t, towards): &(f64, usize, f64)| (colours[t], (towards * (LEVELS - 1) as f64).round() as usize);
    for run in shown.chunk_by(|a, b| class(a) == class(b)) {
        let mut path = String::new();
        for (_, t, _) in run {
            let [p, q, s] = mesh.triangles()[*t].map(|v| place.pixel(&points[v as usize]));
            let (qx, qy, sx, sy) = (q[0] - p[0], q[1] - p[1], s[0] - q[0], s[1] - q[1]);
            let _ = write!(path, "M{:.1} {:.1}l{qx:.1} {qy:.1} {sx:.1} {sy:.1}z", p[0], p[1]);
        }
        let (colour, level) = class(&run[0]);
        let _ = writeln!(svg, "<path class=\"b{colour}-{level}\" d=\"{path}\"/>");
    }
}

fn draw_axes(svg: &mut String, bone: &Morphology, place: &Place) {
    let length = (36.0 / place.scale).min(0.3 * bone.length);
    let origin = place.pixel(&Vec3::zeros());
    for (axis, (name, colour)) in [("x", "#c03000"), ("y", "#007a55"), ("z", "#0060a0")].into_iter().enumerate() {
        let tip = place.pixel(&(Vec3::ith(axis, 1.0) * length));
        let way = [tip[0] - origin[0], tip[1] - origin[1]];
        if way[0].hypot(way[1]) < 4.0 {
            continue;
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}l{:.1} {:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\" font-weight=\"bold\">{name}</text>",
            origin[0],
            origin[1],
            way[0],
            way[1],
            tip[0] + 2.0,
            tip[1] - 2.0
        );
    }
}

/// Points of landmarks and joint centres, and where there is room their names in a column at `names`, each with a line
/// to its point.
fn draw_marks(svg: &mut String, bone: &Morphology, place: &Place, names: Option<f64>) {
    let landmarks = bone.landmarks.iter().map(|l| (l.name, l.position, LANDMARK));
    let joints = bone.joints.iter().map(|j| (j.name, j.position, JOINT));
    let mut marks: Vec<(String, [f64; 2], &str)> = landmarks
        .chain(joints)
        .map(|(name, x, colour)| (name.replace('_', " "), place.pixel(&bone.in_bone(&x)), colour))
        .collect();
    marks.sort_by(|a, b| a.1[1].total_cmp(&b.1[1]));
    for (_, [x, y], colour) in &marks {
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\" stroke=\"#fff\"/>");
    }
    let Some(column) = names else { return };
    let wanted: Vec<f64> = marks.iter().map(|mark| mark.1[1]).collect();
    for ((name, [x, y], colour), at) in marks.iter().zip(apart(&wanted, LINE)) {
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {y:.1}L{:.1} {at:.1}\" stroke=\"{colour}\" fill=\"none\"/>\
             <text x=\"{column:.1}\" y=\"{:.1}\" fill=\"{colour}\" font-size=\"11\">{}</text>",
            column - 3.0,
            at + 4.0,
            escape(name)
        );
    }
}

/// Places at least so far apart, in the order of those wanted and near them: groups that touch are centred on the mean
/// of what they want.
fn apart(wanted: &[f64], distance: f64) -> Vec<f64> {
    // each group: sum of the wanted places of first members, and number of members
    let mut groups: Vec<(f64, usize)> = Vec::new();
    let first = |&(sum, count): &(f64, usize)| sum / count as f64 - 0.5 * distance * (count - 1) as f64;
    for place in wanted {
        groups.push((*place, 1));
        while let [.., a, b] = groups.as_slice()
            && first(a) + distance * a.1 as f64 > first(b)
        {
            let joined = (a.0 + b.0, a.1 + b.1);
            groups.truncate(groups.len() - 2);
            groups.push(joined);
        }
    }
    groups.iter().flat_map(|group| (0..group.1).map(move |i| first(group) + distance * i as f64)).collect()
}
