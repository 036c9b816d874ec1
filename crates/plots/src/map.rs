//! Maps of a quantity over surfaces, such as contact pressure: panels side by side over one scale of colours with its
//! unit.

use std::fmt::Write as _;

use super::axis::Axis;
use super::triangles::{LABEL, MARGIN, STEPS, TITLE, Triangle, WIDTH, bounds, draw, open, visible};
use super::{LARGEST, axis_label, escape};

/// A picture of one or more surfaces at one scale, coloured by a quantity.
///
/// Colours are "viridis", even in brightness. Values beyond the range take the colour of its end; a value that is not
/// finite is drawn grey, for parts of a surface without load.
#[derive(Clone, Debug)]
pub struct MapPlot<'a> {
    /// Title above the picture.
    pub title: &'a str,
    /// What the colours mean, with the unit: `contact pressure [Pa]`.
    pub colour_label: &'a str,
    /// Values of the first and the last colour; `None`: the minimum and maximum drawn.
    pub range: Option<(f64, f64)>,
    /// Panels in a row, at least one.
    pub columns: usize,
    /// The panels, such as one for each instant or side.
    pub panels: Vec<Panel<'a>>,
}

/// A surface seen from one side, in a frame with ticks.
#[derive(Clone, Debug)]
pub struct Panel<'a> {
    /// What is seen, above the frame: `medial, t = 0.5 s`.
    pub label: &'a str,
    /// What is counted to the right, with the unit: `z (mm)`.
    pub x_label: &'a str,
    /// What is counted upwards, with the unit.
    pub y_label: &'a str,
    /// The triangles, in that unit.
    pub triangles: Vec<Triangle>,
}

const TALLEST: f64 = 420.0;
pub(super) const BAR: f64 = 14.0;
pub(super) const LEGEND: f64 = 70.0;
/// Room for ticks and label of an axis to the left of a frame, and below it.
const LEFT: f64 = 56.0;
const BELOW: f64 = 40.0;
/// Ticks of an axis are no closer than this.
const TICKS_APART: f64 = 34.0;

/// Where panels are on the sheet \[px\], and pixels per unit of length.
pub(super) struct Layout {
    columns: usize,
    width: f64,
    height: f64,
    scale: f64,
}

impl Layout {
    /// Panels for boxes of left, right, bottom and top; frames are at most so tall \[px\].
    pub(super) fn new(columns: usize, boxes: &[[f64; 4]], most: f64) -> Self {
        let columns = columns.clamp(1, boxes.len().max(1));
        let width = (WIDTH - MARGIN) / columns as f64;
        let widest = boxes.iter().map(|b| b[1] - b[0]).fold(0.0, f64::max);
        let tallest = boxes.iter().map(|b| b[3] - b[2]).fold(0.0, f64::max);
        let scale = ((width - MARGIN - LEFT) / widest).min(most / tallest);
        let scale = if scale.is_finite() { scale } else { 1.0 };
        Layout { columns, width, height: LABEL + scale * tallest + BELOW + MARGIN, scale }
    }

    fn corner(&self, panel: usize) -> (f64, f64) {
        let (row, column) = (panel / self.columns, panel % self.columns);
        (MARGIN + self.width * column as f64, TITLE + self.height * row as f64)
    }

    pub(super) fn bottom(&self, panels: usize) -> f64 {
        TITLE + self.height * panels.div_ceil(self.columns) as f64
    }

    /// Where a panel that shows so much is drawn.
    pub(super) fn frame(&self, panel: usize, limits: [f64; 4]) -> Frame {
        let (x, y) = self.corner(panel);
        let room = self.width - MARGIN - LEFT;
        let left = x + LEFT + 0.5 * (room - self.scale * (limits[1] - limits[0]));
        Frame { left, top: y + LABEL, scale: self.scale, limits }
    }
}

impl MapPlot<'_> {
    /// The picture as SVG text.
    pub fn to_svg(&self) -> String {
        let (low, high) = self.limits();
        let fraction = |value: f64| (value - low) / (high - low);
        let coloured = |panel: &Panel| {
            let scaled = panel.triangles.iter().map(|t| Triangle { value: fraction(t.value), ..*t });
            visible(scaled.filter(|t| t.corners.iter().flatten().all(|x| x.abs() <= LARGEST)).collect())
        };
        let shown: Vec<Vec<Triangle>> = self.panels.iter().map(coloured).collect();
        let boxes: Vec<[f64; 4]> = shown.iter().map(|triangles| bounds(triangles)).collect();
        let layout = Layout::new(self.columns, &boxes, TALLEST);
        let bottom = layout.bottom(shown.len());

        let mut svg = open(self.title, bottom + LEGEND);
        for (k, (panel, triangles)) in self.panels.iter().zip(&shown).enumerate() {
            let frame = layout.frame(k, boxes[k]);
            frame.draw_label(&mut svg, panel.label);
            draw(&mut svg, triangles, |[x, y, _]| frame.place([x, y]));
            frame.draw_axes(&mut svg, [panel.x_label, panel.y_label]);
        }
        draw_bar(&mut svg, bottom, (low, high), self.colour_label);
        svg.push_str("</svg>\n");
        svg
    }

    /// The values of the first and the last colour.
    fn limits(&self) -> (f64, f64) {
        let values = || self.panels.iter().flat_map(|p| &p.triangles).map(|t| t.value).filter(|v| v.abs() <= LARGEST);
        let seen = (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        match self.range.unwrap_or(seen) {
            (low, high) if low.abs() <= LARGEST && high.abs() <= LARGEST && high > low => (low, high),
            // one value only: it gets the last colour
            (low, _) if low.abs() <= LARGEST => (low - low.abs().max(1.0), low),
            _ => (0.0, 1.0),
        }
    }
}

/// Where a panel is drawn \[px\]; left, right, bottom and top of what it shows, in its own unit.
pub(super) struct Frame {
    pub left: f64,
    pub top: f64,
    pub scale: f64,
    limits: [f64; 4],
}

impl Frame {
    /// Pixel of a point in the unit of the panel.
    pub(super) fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [self.left + self.scale * (x - self.limits[0]), self.top + self.scale * (self.limits[3] - y)]
    }

    /// What is seen, above the border.
    pub(super) fn draw_label(&self, svg: &mut String, label: &str) {
        let (x, y) = (self.left, self.top - LABEL + 13.0);
        let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}">{}</text>"#, escape(label));
    }

    /// The border, and ticks with labels to the left of it and below; nothing around an empty panel.
    pub(super) fn draw_axes(&self, svg: &mut String, [x_label, y_label]: [&str; 2]) {
        let [left, right, low, high] = self.limits;
        if !(right > left && high > low) {
            return;
        }
        let (x, y, wide, tall) = (self.left, self.top, self.scale * (right - left), self.scale * (high - low));
        let bottom = y + tall;
        let _ = writeln!(
            svg,
            r##"<rect x="{x:.1}" y="{y:.1}" width="{wide:.1}" height="{tall:.1}" fill="none" stroke="#444"/>"##
        );
        let across = Axis::linear([left, right].into_iter(), true);
        for (at, tick) in spaced(&across, wide) {
            let at = x + wide * at;
            let _ = writeln!(svg, r##"<path d="M{at:.1} {bottom:.1}v4" stroke="#444" stroke-width="1"/>"##);
            let below = bottom + 17.0;
            let _ = writeln!(svg, r#"<text x="{at:.1}" y="{below:.1}" text-anchor="middle">{tick}</text>"#);
        }
        let (middle, below) = (x + 0.5 * wide, bottom + 34.0);
        let label = axis_label(x_label, &across);
        let _ = writeln!(svg, r#"<text x="{middle:.1}" y="{below:.1}" text-anchor="middle">{label}</text>"#);
        let upwards = Axis::linear([low, high].into_iter(), true);
        for (at, tick) in spaced(&upwards, tall) {
            let at = bottom - tall * at;
            let _ = writeln!(svg, r##"<path d="M{x:.1} {at:.1}h-4" stroke="#444" stroke-width="1"/>"##);
            let (beside, base) = (x - 7.0, at + 4.5);
            let _ = writeln!(svg, r#"<text x="{beside:.1}" y="{base:.1}" text-anchor="end">{tick}</text>"#);
        }
        let (beside, middle, label) = (x - 45.0, y + 0.5 * tall, axis_label(y_label, &upwards));
        let turn = format!(r#"transform="rotate(-90 {beside:.1} {middle:.1})""#);
        let _ = writeln!(svg, r#"<text x="{beside:.1}" y="{middle:.1}" text-anchor="middle" {turn}>{label}</text>"#);
    }
}

/// The ticks of an axis of a given length in pixels, without crowding.
fn spaced(axis: &Axis, length: f64) -> impl Iterator<Item = (f64, &str)> {
    let most = (length / TICKS_APART).max(1.0) as usize;
    let every = axis.ticks.len().div_ceil(most).max(1);
    axis.ticks.iter().step_by(every).map(|(at, tick)| (*at, tick.as_str()))
}

/// The scale of colours with ticks below it, then what it means.
fn draw_bar(svg: &mut String, top: f64, range: (f64, f64), label: &str) {
    let y = top + 4.0;
    let cell = (WIDTH - 2.0 * MARGIN) / STEPS as f64;
    for step in 0..STEPS {
        let x = MARGIN + cell * step as f64;
        let _ = writeln!(svg, r#"<path class="w{step}" d="M{x:.1} {y:.1}h{cell:.2}v{BAR}h-{cell:.2}z"/>"#);
    }
    draw_scale(svg, top, range, label);
}

/// Ticks below a bar, then what it means.
pub(super) fn draw_scale(svg: &mut String, top: f64, (low, high): (f64, f64), label: &str) {
    let axis = Axis::linear([low, high].into_iter(), true);
    let (below, wide) = (top + 4.0 + BAR, WIDTH - 2.0 * MARGIN);
    for (at, tick) in &axis.ticks {
        let x = MARGIN + wide * at;
        let _ = writeln!(svg, r##"<path d="M{x:.1} {below:.1}v4" stroke="#444" stroke-width="1"/>"##);
        let _ = writeln!(svg, r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{tick}</text>"#, below + 17.0);
    }
    let (x, y) = (0.5 * WIDTH, below + 38.0);
    let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle">{}</text>"#, axis_label(label, &axis));
}
