//! Surfaces as small, self-contained SVG: filled triangles, far ones first, coloured by a value.

use std::fmt::Write as _;

use super::escape;

/// A picture of a surface from one or more sides, below each other at one scale.
#[derive(Clone, Debug)]
pub struct TrianglePlot<'a> {
    /// Title above the picture.
    pub title: &'a str,
    /// What the colours mean: the darkest is 0, the lightest 1.
    pub colour_label: &'a str,
    /// The sides.
    pub views: Vec<View<'a>>,
}

/// The surface from one side.
#[derive(Clone, Debug)]
pub struct View<'a> {
    /// What is seen, such as the two axes.
    pub label: &'a str,
    /// The triangles.
    pub triangles: Vec<Triangle>,
}

/// A triangle as seen: to the right, up, and towards the eye, in any unit of length. One that turns its back
/// (clockwise) is hidden by the rest of a closed surface and is omitted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Triangle {
    /// Its corners.
    pub corners: [[f64; 3]; 3],
    /// From 0 to 1 in a [`TrianglePlot`], which leaves out what is not finite; in the unit of the scale in a
    /// [`MapPlot`](super::MapPlot), which draws that grey.
    pub value: f64,
}

pub(super) const WIDTH: f64 = 760.0;
pub(super) const MARGIN: f64 = 24.0;
pub(super) const TITLE: f64 = 44.0;
pub(super) const LABEL: f64 = 20.0;
const LEGEND: f64 = 40.0;

/// Steps of the colour scale.
pub(super) const STEPS: usize = 16;
/// The step of what has no value: grey.
const NO_VALUE: usize = STEPS;

/// Points of the scale "viridis" (Smith and van der Walt 2015), even in brightness and safe for colour-blind readers.
const VIRIDIS: [[f64; 3]; 5] =
    [[68.0, 1.0, 84.0], [59.0, 82.0, 139.0], [33.0, 145.0, 140.0], [94.0, 201.0, 98.0], [253.0, 231.0, 37.0]];

impl TrianglePlot<'_> {
    /// The picture as SVG text.
    pub fn to_svg(&self) -> String {
        let finite = |view: &View| view.triangles.iter().filter(|t| t.value.is_finite()).copied().collect();
        let shown: Vec<Vec<Triangle>> = self.views.iter().map(|view| visible(finite(view))).collect();
        let boxes: Vec<[f64; 4]> = shown.iter().map(|triangles| bounds(triangles)).collect();
        let widest = boxes.iter().map(|b| b[1] - b[0]).fold(0.0, f64::max);
        let scale = if widest > 0.0 { (WIDTH - 2.0 * MARGIN) / widest } else { 1.0 };
        let height = |b: &[f64; 4]| LABEL + scale * (b[3] - b[2]) + MARGIN;
        let total = TITLE + boxes.iter().map(height).sum::<f64>() + LEGEND;

        let mut svg = open(self.title, total);
        let mut top = TITLE;
        for ((view, triangles), limits) in self.views.iter().zip(&shown).zip(&boxes) {
            let (x, y) = (MARGIN, top + 13.0);
            let _ = writeln!(svg, r#"<text x="{x}" y="{y:.1}">{}</text>"#, escape(view.label));
            let left = WIDTH / 2.0 - scale * 0.5 * (limits[0] + limits[1]);
            let bottom = top + LABEL + scale * limits[3];
            draw(&mut svg, triangles, |[x, y, _]| [left + scale * x, bottom - scale * y]);
            top += height(limits);
        }
        draw_scale(&mut svg, top, self.colour_label);
        svg.push_str("</svg>\n");
        svg
    }
}

/// Those that face the eye, the farthest first.
pub(super) fn visible(mut triangles: Vec<Triangle>) -> Vec<Triangle> {
    triangles.retain(|t| {
        let [a, b, c] = t.corners;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        area > 0.0 && t.corners.iter().flatten().all(|x| x.is_finite())
    });
    let depth = |t: &Triangle| t.corners.iter().map(|corner| corner[2]).sum::<f64>();
    triangles.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
    triangles
}

/// Left, right, bottom and top; zeros without triangles.
pub(super) fn bounds(triangles: &[Triangle]) -> [f64; 4] {
    let corners = || triangles.iter().flat_map(|t| t.corners);
    let Some(first) = corners().next() else { return [0.0; 4] };
    corners().fold([first[0], first[0], first[1], first[1]], |[left, right, bottom, top], [x, y, _]| {
        [left.min(x), right.max(x), bottom.min(y), top.max(y)]
    })
}

pub(super) fn open(title: &str, height: f64) -> String {
    let title = escape(title);
    let centre = WIDTH / 2.0;
    let mut colours = String::new();
    for step in 0..STEPS {
        let colour = colour(step);
        let _ = write!(colours, ".w{step}{{fill:{colour};stroke:{colour}}}");
    }
    let _ = write!(colours, ".w{NO_VALUE}{{fill:#ccc;stroke:#ccc}}");
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0}" width="{WIDTH}" height="{height:.0}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222" stroke-width="0.5" stroke-linejoin="round" role="img">
<title>{title}</title>
<style>{colours}</style>
<rect width="{WIDTH}" height="{height:.0}" fill="#fff"/>
<text x="{centre}" y="26" text-anchor="middle" font-size="16" font-weight="bold">{title}</text>
"##
    )
}

/// Neighbours in depth of one colour are drawn as one path; coordinates are tenths of a pixel, relative to the first
/// corner.
pub(super) fn draw(svg: &mut String, triangles: &[Triangle], place: impl Fn([f64; 3]) -> [f64; 2]) {
    let step = |t: &Triangle| match t.value.is_finite() {
        true => (t.value.clamp(0.0, 1.0) * (STEPS - 1) as f64).round() as usize,
        false => NO_VALUE,
    };
    for run in triangles.chunk_by(|a, b| step(a) == step(b)) {
        let Some(first) = run.first() else { continue };
        let mut path = String::new();
        for triangle in run {
            let [a, b, c] = triangle.corners.map(&place);
            let (bx, by, cx, cy) = (b[0] - a[0], b[1] - a[1], c[0] - b[0], c[1] - b[1]);
            let _ = write!(path, "M{:.1} {:.1}l{bx:.1} {by:.1} {cx:.1} {cy:.1}z", a[0], a[1]);
        }
        let _ = writeln!(svg, r#"<path class="w{}" d="{path}"/>"#, step(first));
    }
}

fn draw_scale(svg: &mut String, top: f64, label: &str) {
    const CELL: f64 = 12.0;
    let y = top + 6.0;
    for step in 0..STEPS {
        let x = MARGIN + CELL * step as f64;
        let _ = writeln!(svg, r#"<path class="w{step}" d="M{x:.1} {y:.1}h{CELL}v{CELL}h-{CELL}z"/>"#);
    }
    let (x, y) = (MARGIN + CELL * STEPS as f64 + 10.0, y + 10.5);
    let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}">{}</text>"#, escape(label));
}

fn colour(step: usize) -> String {
    let at = step as f64 / (STEPS - 1) as f64 * (VIRIDIS.len() - 1) as f64;
    let low = (at as usize).min(VIRIDIS.len() - 2);
    let mix = |i: usize| {
        let (a, b) = (VIRIDIS[low][i], VIRIDIS[low + 1][i]);
        (a + (b - a) * (at - low as f64)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}
