//! Line plots, surfaces, maps, slices, mechanisms and strips of stick figures as small, self-contained SVG.
//!
//! A white sheet, thin grid, round ticks, a palette that colour-blind readers can distinguish (Okabe and Ito, "Color
//! Universal Design", 2008, without the yellow that vanishes on white), and dashes when the colours run out.

mod axis;
mod decimate;
mod legend;
mod map;
mod mechanism;
mod slice;
mod strip;
mod triangles;

use axis::{Axis, power_of_ten};
use legend::Legend;
pub use map::{MapPlot, Panel};
pub use mechanism::{Mechanism, MechanismClass, MechanismPart, Outline};
pub use slice::{GreyImage, Slice, SlicePlot};
use std::fmt::Write as _;
pub use strip::{StripArrow, StripClass, StripFrame, StripPlot, StripSegment, StripView};
pub use triangles::{Triangle, TrianglePlot, View};

/// A picture of one or more curves over a common axis.
#[derive(Clone, Debug)]
pub struct LinePlot<'a> {
    /// Title above the picture.
    pub title: &'a str,
    /// Label of the horizontal axis, with its unit.
    pub x_label: &'a str,
    /// Label of the vertical axis, with its unit.
    pub y_label: &'a str,
    /// What is drawn.
    pub curves: Vec<Curve<'a>>,
    /// Logarithmic vertical axis; values that are not positive are gaps.
    pub log_y: bool,
}

/// Points joined by lines; a point with a NaN or an infinity is a gap.
#[derive(Clone, Debug)]
pub struct Curve<'a> {
    /// Name in the legend.
    pub label: &'a str,
    /// Horizontal and vertical values.
    pub points: &'a [(f64, f64)],
}

/// An area behind the curves, such as mean plus and minus one standard deviation, or values of healthy persons.
#[derive(Clone, Debug)]
pub struct Band<'a> {
    /// Name in the legend; a band without one has no entry.
    pub label: &'a str,
    /// Horizontal value, lower edge, upper edge; a point with a NaN or an infinity is a gap.
    pub points: &'a [(f64, f64, f64)],
    /// Label of the curve whose colour the band has; `None` for grey.
    pub of_curve: Option<&'a str>,
}

/// Larger magnitudes are gaps: their differences would overflow.
const LARGEST: f64 = 1e150;
/// Runs a long curve is cut into; about one per pixel.
const BUCKETS: usize = 700;

/// Width of strips \[px\].
const WIDTH: f64 = 760.0;
/// Width of line plots, of which a page shows two in a row \[px\].
const SHEET: f64 = 620.0;
const PLOT_HEIGHT: f64 = 300.0;
const RIGHT: f64 = 20.0;
const LEGEND_ROW: f64 = 21.0;
/// Average width of a letter at 13 px; only used to leave room.
const LETTER: f64 = 7.0;

const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#333333"];
const DASHES: [&str; 3] = ["", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\""];

/// A curve with at most about three points per pixel, which gives the same picture.
pub fn thinned(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    decimate::min_max(points, BUCKETS, |(x, y)| x.is_finite() && y.is_finite())
}

impl LinePlot<'_> {
    /// The picture as SVG text.
    pub fn to_svg(&self) -> String {
        self.to_svg_over(&[])
    }

    /// The picture as SVG text, with bands behind the curves.
    pub fn to_svg_over(&self, bands: &[Band<'_>]) -> String {
        let drawable = |&(x, y): &(f64, f64)| x.abs() <= LARGEST && y.abs() <= LARGEST && (!self.log_y || y > 0.0);
        let edges = || bands.iter().flat_map(|b| b.points).flat_map(|&(x, low, high)| [(x, low), (x, high)]);
        let seen = || self.curves.iter().flat_map(|c| c.points).copied().chain(edges()).filter(|point| drawable(point));
        let x_axis = Axis::linear(seen().map(|p| p.0), true);
        let y_axis =
            if self.log_y { Axis::logarithmic(seen().map(|p| p.1)) } else { Axis::linear(seen().map(|p| p.1), false) };
        let legend = Legend::new(&self.curves, bands);
        let frame = Frame::new(&y_axis, legend.rows());
        let place = |(x, y)| frame.place(x_axis.fraction(x), y_axis.fraction(y));

        let mut svg = open(self.title, SHEET, frame.sheet_height, &frame.scales(&x_axis, &y_axis));
        draw_grid(&mut svg, &frame, &x_axis, &y_axis);
        for (i, band) in bands.iter().enumerate() {
            let points = band.points.iter().map(|&(x, low, high)| [(x, low), (x, high)]);
            let pixels = points.map(|ends| ends.iter().all(drawable).then(|| ends.map(place)));
            draw_band(&mut svg, i, band, &self.curves, pixels);
        }
        for (i, curve) in self.curves.iter().enumerate() {
            let points = decimate::min_max(curve.points, BUCKETS, |p| drawable(&p));
            let pixels = points.iter().map(|p| drawable(p).then(|| place(*p)));
            let _ = writeln!(svg, r#"<g data-curve="{i}"><title>{}</title>"#, curve_title(curve, drawable));
            draw_curve(&mut svg, pixels, &style(i));
            svg.push_str("</g>\n");
        }
        if seen().next().is_none() {
            let (x, y) = frame.place(0.5, 0.5);
            let _ = writeln!(svg, r##"<text x="{x:.1}" y="{y:.1}" text-anchor="middle" fill="#777">no data</text>"##);
        }
        draw_labels(&mut svg, &frame, &axis_label(self.x_label, &x_axis), &axis_label(self.y_label, &y_axis));
        legend.draw(&mut svg, &frame);
        svg.push_str("</svg>\n");
        svg
    }
}

/// Where the drawing area is on the sheet \[px\].
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    sheet_height: f64,
}

impl Frame {
    fn new(y_axis: &Axis, legend_rows: usize) -> Self {
        let longest = y_axis.ticks.iter().map(|(_, l)| l.chars().count()).max().unwrap_or(0);
        let left = 44.0 + LETTER * longest as f64;
        let top = 44.0 + LEGEND_ROW * legend_rows as f64;
        Self { left, top, width: SHEET - left - RIGHT, sheet_height: top + PLOT_HEIGHT + 52.0 }
    }

    /// Pixel of a point given as fractions of the axes.
    fn place(&self, x: f64, y: f64) -> (f64, f64) {
        (self.left + x * self.width, self.top + (1.0 - y) * PLOT_HEIGHT)
    }

    fn bottom(&self) -> f64 {
        self.top + PLOT_HEIGHT
    }

    /// Attributes by which a script turns pixels into values: start and length \[px\], values at the ends (logarithms
    /// where the axis is logarithmic), with y upwards.
    fn scales(&self, x_axis: &Axis, y_axis: &Axis) -> String {
        let ((x0, x1), (y0, y1)) = (x_axis.ends(), y_axis.ends());
        let Self { left, width, .. } = self;
        let log = if y_axis.is_logarithmic() { r#" data-log="y""# } else { "" };
        let bottom = self.bottom();
        format!(
            r#" data-x="{left:.1} {width:.1} {x0:e} {x1:e}" data-y="{bottom:.1} {PLOT_HEIGHT:.1} {y0:e} {y1:e}"{log}"#
        )
    }
}

/// The sheet with its title; `attributes` go into the opening tag.
fn open(title: &str, width: f64, height: f64, attributes: &str) -> String {
    let centre = width / 2.0;
    let (size, lines) = title_lines(title, width - 24.0);
    let title = escape(title);
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222" role="img"{attributes}>
<title>{title}</title>
<rect width="{width}" height="{height}" fill="#fff"/>
"##
    );
    let first = 26.0 - 8.0 * (lines.len() as f64 - 1.0);
    for (i, line) in lines.iter().enumerate() {
        let (y, line) = (first + 16.0 * i as f64, escape(line));
        // a style, since that of a page must not change the size of a title that fits
        let _ = writeln!(
            svg,
            r#"<text x="{centre}" y="{y}" text-anchor="middle" style="font-size:{size:.1}px" font-weight="bold">{line}</text>"#
        );
    }
    svg
}

/// Size \[px\] of a title that fits into a width \[px\], in one line or two.
fn title_lines(title: &str, room: f64) -> (f64, Vec<String>) {
    /// Width of a bold letter as a part of its size.
    const BOLD: f64 = 0.56;
    const LARGE: f64 = 16.0;
    const SMALL: f64 = 13.0;
    let letters = title.chars().count().max(1) as f64;
    let size = room / (BOLD * letters);
    if size >= SMALL {
        return (size.min(LARGE), vec![title.into()]);
    }
    let middle = title.char_indices().nth(letters as usize / 2).map_or(0, |(at, _)| at);
    let spaces = title.match_indices(' ').map(|(at, _)| at);
    let Some(cut) = spaces.min_by_key(|at| at.abs_diff(middle)) else { return (size, vec![title.into()]) };
    let lines = vec![title[..cut].to_string(), title[cut + 1..].to_string()];
    let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(1).max(1) as f64;
    ((room / (BOLD * longest)).min(SMALL), lines)
}

fn draw_grid(svg: &mut String, frame: &Frame, x_axis: &Axis, y_axis: &Axis) {
    let bottom = frame.bottom();
    let right = frame.left + frame.width;
    let (left, top) = (frame.left, frame.top);
    let mut lines = String::new();
    for (fraction, label) in &x_axis.ticks {
        let (x, _) = frame.place(*fraction, 0.0);
        let _ = write!(lines, "M{x:.1} {top:.1}V{bottom:.1}");
        let y = bottom + 18.0;
        let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle">{label}</text>"#);
    }
    for (fraction, label) in &y_axis.ticks {
        let (_, y) = frame.place(0.0, *fraction);
        let _ = write!(lines, "M{left:.1} {y:.1}H{right:.1}");
        let (x, y) = (left - 8.0, y + 4.5);
        let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="end">{label}</text>"#);
    }
    let width = frame.width;
    let _ = writeln!(svg, r##"<path d="{lines}" stroke="#ddd" fill="none"/>"##);
    let _ = writeln!(
        svg,
        r##"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{PLOT_HEIGHT:.1}" fill="none" stroke="#888"/>"##
    );
}

/// Tooltip of the curve: name and range, to four digits.
fn curve_title(curve: &Curve, drawable: impl Fn(&(f64, f64)) -> bool) -> String {
    let heights = || curve.points.iter().filter(|p| drawable(p)).map(|p| p.1);
    let Some(low) = heights().reduce(f64::min) else { return escape(curve.label) };
    let high = heights().fold(low, f64::max);
    let range = format!("{} to {}", four_digits(low), four_digits(high));
    if curve.label.is_empty() { range } else { format!("{}: {range}", escape(curve.label)) }
}

fn four_digits(x: f64) -> String {
    let rounded = format!("{x:.3e}");
    let plain = (1e-4..1e6).contains(&x.abs()) || x == 0.0;
    if plain { rounded.parse().map_or(rounded, |x: f64| x.to_string()) } else { rounded }
}

/// One path; runs between gaps are separate strokes and a lone point is a short dash.
fn draw_curve(svg: &mut String, pixels: impl Iterator<Item = Option<(f64, f64)>>, style: &str) {
    let mut path = String::new();
    let mut run: Vec<(f64, f64)> = Vec::new();
    for pixel in pixels.chain([None]) {
        if let Some(p) = pixel {
            run.push(p);
            continue;
        }
        for (i, (x, y)) in run.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
        }
        if run.len() == 1 {
            path.push_str("m-2 0h4");
        }
        run.clear();
    }
    if !path.is_empty() {
        let _ = writeln!(svg, r#"<path d="{path}" fill="none" {style}/>"#);
    }
}

/// One area per run between gaps: along the upper edges and back along the lower ones.
fn draw_band(
    svg: &mut String,
    i: usize,
    band: &Band,
    curves: &[Curve],
    pixels: impl Iterator<Item = Option<[(f64, f64); 2]>>,
) {
    let mut path = String::new();
    let mut run: Vec<[(f64, f64); 2]> = Vec::new();
    for pixel in pixels.chain([None]) {
        if let Some(ends) = pixel {
            run.push(ends);
            continue;
        }
        let outline = run.iter().map(|ends| ends[1]).chain(run.iter().rev().map(|ends| ends[0]));
        for (k, (x, y)) in outline.enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if k == 0 { 'M' } else { 'L' });
        }
        if !run.is_empty() {
            path.push('z');
        }
        run.clear();
    }
    let of = curve_of(band, curves).map_or_else(String::new, |curve| format!(r#" data-of="{curve}""#));
    let _ = writeln!(svg, r#"<g data-band="b{i}"{of}><title>{}</title>"#, escape(band.label));
    let _ = writeln!(svg, r#"<path d="{path}" {}/>"#, band_style(band, curves));
    svg.push_str("</g>\n");
}

/// The number of the curve to which a band belongs.
fn curve_of(band: &Band, curves: &[Curve]) -> Option<usize> {
    band.of_curve.and_then(|label| curves.iter().position(|curve| curve.label == label))
}

/// Fill of a band: the colour of its curve, or grey.
fn band_style(band: &Band, curves: &[Curve]) -> String {
    match curve_of(band, curves) {
        Some(i) => format!(r#"fill="{}" fill-opacity="0.22" stroke="none""#, COLOURS[i % COLOURS.len()]),
        None => r##"fill="#888" fill-opacity="0.25" stroke="none""##.into(),
    }
}

/// Stroke of the curve with that number.
fn style(i: usize) -> String {
    let colour = COLOURS[i % COLOURS.len()];
    let dash = DASHES[i / COLOURS.len() % DASHES.len()];
    format!(r#"stroke="{colour}" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"{dash}"#)
}

/// The label, with the power of ten taken out of the ticks.
fn axis_label(label: &str, axis: &Axis) -> String {
    match axis.exponent {
        0 => escape(label),
        n => format!("{} (×{})", escape(label), power_of_ten(n)),
    }
}

fn draw_labels(svg: &mut String, frame: &Frame, x_label: &str, y_label: &str) {
    let (x, _) = frame.place(0.5, 0.0);
    let y = frame.bottom() + 40.0;
    let _ = writeln!(
        svg,
        r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle"{}>{x_label}</text>"#,
        fitting(x_label, SHEET)
    );
    let (_, y) = frame.place(0.0, 0.5);
    let size = fitting(y_label, PLOT_HEIGHT);
    let _ = writeln!(
        svg,
        r#"<text transform="translate(20 {y:.1}) rotate(-90)" text-anchor="middle"{size}>{y_label}</text>"#
    );
}

/// A smaller size for a label that is longer than its axis \[px\].
fn fitting(label: &str, room: f64) -> String {
    let length = LETTER * label.chars().count() as f64;
    if length <= room { String::new() } else { format!(r#" style="font-size:{:.1}px""#, 13.0 * room / length) }
}

/// Text that stays text in XML and HTML, in elements and in quoted attributes. Control characters are shown by their
/// symbols, as `␛` for the escape character; characters that are invisible or change the direction of the text, and
/// those that XML cannot hold, become a replacement mark.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{0}'..='\u{1f}' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('\u{fffd}')),
            '\u{7f}' => out.push('\u{2421}'),
            '\u{80}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
