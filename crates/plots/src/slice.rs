//! Slices of a body, such as those of a scan: a grey image with outlines over it, panels side by side at one scale.

use std::fmt::Write as _;

use super::map::{BAR, Frame, LEGEND, Layout, draw_scale};
use super::triangles::MARGIN;
use super::{LARGEST, WIDTH, escape, open};

/// A picture of slices.
#[derive(Clone, Debug)]
pub struct SlicePlot<'a> {
    /// Title above the picture.
    pub title: &'a str,
    /// What the grey values mean, with the unit, and the values of black and white; `None` without images.
    pub grey: Option<(&'a str, [f64; 2])>,
    /// Names of the outlines, the same for all slices.
    pub lines: Vec<&'a str>,
    /// Panels in a row, at least one.
    pub columns: usize,
    /// The slices.
    pub slices: Vec<Slice<'a>>,
}

/// One slice.
#[derive(Clone, Debug)]
pub struct Slice<'a> {
    /// What is seen, above the frame.
    pub label: &'a str,
    /// What is counted to the right, with the unit: `anterior (mm)`.
    pub x_label: &'a str,
    /// What is counted upwards, with the unit.
    pub y_label: &'a str,
    /// Left, right, bottom and top of what is shown, in that unit.
    pub limits: [f64; 4],
    /// The grey values, if there are any.
    pub image: Option<GreyImage>,
    /// Outlines by the names of the plot, as segments in any order.
    pub outlines: Vec<Vec<[[f64; 2]; 2]>>,
}

/// Grey values in rows from the top, which fill the limits of their slice; one that is not finite is left out.
#[derive(Clone, Debug, PartialEq)]
pub struct GreyImage {
    /// Values of a row.
    pub columns: usize,
    /// All values.
    pub values: Vec<f64>,
}

/// Frames are at most so tall \[px\].
const TALLEST: f64 = 620.0;
/// Levels of grey: an eye tells hardly more apart in a small picture.
const LEVELS: usize = 24;
/// Colours of the outlines, from the palette of line plots: two that stand out from black, grey and white.
const LINES: [&str; 2] = ["#e69f00", "#56b4e9"];
/// Height of the names of the outlines \[px\].
const NAMES: f64 = 24.0;

impl SlicePlot<'_> {
    /// The picture as SVG text.
    pub fn to_svg(&self) -> String {
        let is_drawable = |limits: &[f64; 4]| limits.iter().all(|x| x.abs() <= LARGEST);
        let boxes: Vec<[f64; 4]> =
            self.slices.iter().map(|s| if is_drawable(&s.limits) { s.limits } else { [0.0; 4] }).collect();
        let layout = Layout::new(self.columns, &boxes, TALLEST);
        let bottom = layout.bottom(boxes.len());
        let legend = if self.grey.is_some() { LEGEND } else { 0.0 };
        let mut svg = open(self.title, WIDTH, bottom + NAMES + legend, "");
        for (k, slice) in self.slices.iter().enumerate() {
            let frame = layout.frame(k, boxes[k]);
            frame.draw_label(&mut svg, slice.label);
            if let (Some(image), Some((_, range))) = (&slice.image, self.grey) {
                draw_image(&mut svg, image, range, &frame, &boxes[k]);
            }
            for (segments, colour) in slice.outlines.iter().zip(LINES.iter().cycle()) {
                draw_outline(&mut svg, segments, colour, &frame);
            }
            frame.draw_axes(&mut svg, [slice.x_label, slice.y_label]);
        }
        self.draw_names(&mut svg, bottom);
        if let Some((label, range)) = self.grey {
            draw_grey_bar(&mut svg, bottom + NAMES, range, label);
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// A sample and the name of every outline.
    fn draw_names(&self, svg: &mut String, top: f64) {
        let each = (WIDTH - 2.0 * MARGIN) / self.lines.len().max(1) as f64;
        for (i, (name, colour)) in self.lines.iter().zip(LINES.iter().cycle()).enumerate() {
            let (x, y) = (MARGIN + each * i as f64, top + 6.0);
            let _ = writeln!(svg, r#"<path d="M{x:.1} {y:.1}h24" fill="none" stroke="{colour}" stroke-width="2.5"/>"#);
            let _ = writeln!(svg, r#"<text x="{:.1}" y="{:.1}">{}</text>"#, x + 30.0, y + 4.5, escape(name));
        }
    }
}

/// The level of a grey value.
fn level(value: f64, [black, white]: [f64; 2]) -> usize {
    let part = (value - black) / (white - black);
    (part.clamp(0.0, 1.0) * (LEVELS - 1) as f64).round() as usize
}

fn colour(level: usize) -> String {
    let grey = (255.0 * level as f64 / (LEVELS - 1) as f64).round() as u8;
    format!("#{grey:02x}{grey:02x}{grey:02x}")
}

/// Runs of cells of one level as thick lines, all lines of a level in one path.
fn draw_image(svg: &mut String, image: &GreyImage, range: [f64; 2], frame: &Frame, limits: &[f64; 4]) {
    let columns = image.columns.max(1);
    let rows = image.values.len() / columns;
    let mut paths = vec![String::new(); LEVELS];
    for (row, values) in image.values.chunks_exact(columns).enumerate() {
        let mut at = 0;
        let is_same = |a: &f64, b: &f64| match (a.is_finite(), b.is_finite()) {
            (true, true) => level(*a, range) == level(*b, range),
            (a, b) => a == b,
        };
        for run in values.chunk_by(is_same) {
            if let Some(value) = run.first().filter(|value| value.is_finite()) {
                let _ = write!(paths[level(*value, range)], "M{at} {row}h{}", run.len());
            }
            at += run.len();
        }
    }
    let cell = |length: f64, count: usize| frame.scale * length / count.max(1) as f64;
    let (wide, tall) = (cell(limits[1] - limits[0], columns), cell(limits[3] - limits[2], rows));
    let top = frame.top + 0.5 * tall;
    // a little thicker than a row, so that no light shines through between rows
    let _ = writeln!(
        svg,
        r#"<g transform="translate({:.2} {top:.2}) scale({wide:.4} {tall:.4})" fill="none" stroke-width="1.1">"#,
        frame.left
    );
    for (level, path) in paths.iter().enumerate().filter(|(_, path)| !path.is_empty()) {
        let _ = writeln!(svg, r#"<path stroke="{}" d="{path}"/>"#, colour(level));
    }
    svg.push_str("</g>\n");
}

fn draw_outline(svg: &mut String, segments: &[[[f64; 2]; 2]], colour: &str, frame: &Frame) {
    let mut path = String::new();
    for segment in segments.iter().filter(|s| s.iter().flatten().all(|x| x.is_finite())) {
        let [[ax, ay], [bx, by]] = segment.map(|x| frame.place(x));
        let _ = write!(path, "M{ax:.1} {ay:.1}L{bx:.1} {by:.1}");
    }
    let _ =
        writeln!(svg, r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.4" stroke-linecap="round"/>"#);
}

fn draw_grey_bar(svg: &mut String, top: f64, [black, white]: [f64; 2], label: &str) {
    let (y, cell) = (top + 4.0, (WIDTH - 2.0 * MARGIN) / LEVELS as f64);
    for level in 0..LEVELS {
        let (x, colour) = (MARGIN + cell * level as f64, colour(level));
        let _ = writeln!(svg, r#"<path fill="{colour}" d="M{x:.1} {y:.1}h{cell:.2}v{BAR}h-{cell:.2}z"/>"#);
    }
    draw_scale(svg, top, (black, white), label);
}
