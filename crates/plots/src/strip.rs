//! Stick figures in a row: a walk frame by frame, with the ground forces.

use super::axis::nice_step;
use super::{COLOURS, LARGEST, LETTER, WIDTH, escape, open};
use std::fmt::Write as _;

/// A strip of stick figures, one panel per view.
///
/// Coordinates are x forward, y up, z to the right of the walker \[m\]. Figures stand where they are, so that the
/// picture shows real progress, plus `spacing` from each to the next. Coordinates that are not finite are gaps.
#[derive(Clone, Debug)]
pub struct StripPlot<'a> {
    /// Title above the picture.
    pub title: &'a str,
    /// The figures, in the order of time.
    pub frames: &'a [StripFrame],
    /// Height of the floor \[m\]; drawn when there is one.
    pub floor: Option<f64>,
    /// The panels, below each other.
    pub views: &'a [StripView],
    /// Distance put between neighbours on top of their progress \[m\]; zero draws them where they are. Views along the
    /// way have no progress to show and set figures apart by their width.
    pub spacing: f64,
}

/// One figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StripFrame {
    /// Text below it, such as its time.
    pub label: String,
    /// Its sticks.
    pub segments: Vec<StripSegment>,
    /// Forces on it.
    pub arrows: Vec<StripArrow>,
}

/// Points joined by lines.
#[derive(Clone, Debug, PartialEq)]
pub struct StripSegment {
    /// The part of the body to which it belongs, which determines its colour.
    pub class: StripClass,
    /// Positions \[m\].
    pub points: Vec<[f64; 3]>,
}

/// Part of the body to which a stick belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StripClass {
    /// The right side of the body.
    Right,
    /// The left side.
    Left,
    /// Pelvis, trunk and head.
    Middle,
    /// A flexible bone.
    Bone,
}

/// A force, drawn from where it acts. The longest of a strip is half as long as the figures are high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StripArrow {
    /// Where it acts \[m\].
    pub at: [f64; 3],
    /// The force \[N\].
    pub force: [f64; 3],
}

/// From where figures are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StripView {
    /// From the right: x to the right, y up.
    Side,
    /// The frontal plane from behind: z to the right, y up, so that right is right.
    Front,
}

impl StripView {
    const fn words(self) -> &'static str {
        match self {
            StripView::Side => "seen from the right",
            StripView::Front => "seen from behind",
        }
    }

    /// To the right, up, and towards the eye.
    const fn project(self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        match self {
            StripView::Side => [x, y, z],
            StripView::Front => [z, y, -x],
        }
    }
}

impl StripClass {
    const ALL: [StripClass; 4] = [StripClass::Right, StripClass::Left, StripClass::Middle, StripClass::Bone];

    const fn word(self) -> &'static str {
        match self {
            StripClass::Right => "right",
            StripClass::Left => "left",
            StripClass::Middle => "middle",
            StripClass::Bone => "flexible bone",
        }
    }

    /// Stroke for sticks of a width \[px\]; a bone is twice as wide.
    fn stroke(self, stick: f64) -> String {
        let (colour, width) = match self {
            StripClass::Right => (COLOURS[0], stick),
            StripClass::Left => (COLOURS[1], stick),
            StripClass::Middle => (COLOURS[6], stick),
            StripClass::Bone => (COLOURS[5], 2.0 * stick),
        };
        format!(
            r#"fill="none" stroke="{colour}" stroke-width="{width:.1}" stroke-linejoin="round" stroke-linecap="round""#
        )
    }
}

const FORCE: &str = COLOURS[2];
const MARGIN: f64 = 24.0;
const TALLEST: f64 = 330.0;
/// Room above a panel for the view and below it for labels \[px\].
const ABOVE: f64 = 26.0;
const BELOW: f64 = 34.0;
/// Width of a stick on figures of any size \[m\], and at most \[px\].
const STICK: f64 = 0.011;
const WIDEST_STICK: f64 = 2.5;
/// Part of its width that separates a figure seen along the way from the next.
const APART: f64 = 0.35;
/// Length of the longest arrow, as a part of the height of the figures.
const LONGEST_ARROW: f64 = 0.5;

impl StripPlot<'_> {
    /// The picture as SVG text.
    pub fn to_svg(&self) -> String {
        let newton = self.metres_per_newton();
        let panels: Vec<Panel> = self.views.iter().map(|&view| Panel::new(self, view, newton)).collect();
        const TOP: f64 = 44.0 + 22.0;
        let height = TOP + panels.iter().map(Panel::height).sum::<f64>();
        let mut svg = open(self.title, WIDTH, height.ceil(), "");
        self.draw_legend(&mut svg);
        let mut top = TOP;
        for panel in &panels {
            panel.draw(&mut svg, self, top);
            top += panel.height();
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// Length of an arrow for each newton \[m/N\].
    fn metres_per_newton(&self) -> f64 {
        let points = || self.frames.iter().flat_map(|f| &f.segments).flat_map(|s| &s.points).filter(|p| drawable(p));
        let low = points().map(|p| p[1]).fold(f64::INFINITY, f64::min);
        let high = points().map(|p| p[1]).fold(f64::NEG_INFINITY, f64::max);
        let length = if high > low { LONGEST_ARROW * (high - low) } else { 1.0 };
        let largest = self.frames.iter().flat_map(drawn_arrows).map(|a| norm(a.force)).fold(0.0, f64::max);
        if largest > 0.0 { length / largest } else { 0.0 }
    }

    /// What the colours mean; only those that are there.
    fn draw_legend(&self, svg: &mut String) {
        let (mut x, y) = (MARGIN, 50.0);
        let segments = || self.frames.iter().flat_map(|f| &f.segments);
        let classes = StripClass::ALL.into_iter().filter(|&class| segments().any(|s| s.class == class));
        let mut entry = |stroke: &str, text: &str| {
            let _ = writeln!(svg, r#"<path d="M{x:.1} {y}h24" {stroke}/>"#);
            let _ = writeln!(svg, r#"<text x="{:.1}" y="{:.1}">{text}</text>"#, x + 32.0, y + 4.5);
            x += 56.0 + LETTER * text.chars().count() as f64;
        };
        classes.for_each(|class| entry(&class.stroke(WIDEST_STICK), class.word()));
        let largest = self.frames.iter().flat_map(drawn_arrows).map(|a| norm(a.force)).fold(0.0, f64::max);
        if largest > 0.0 {
            let stroke = format!(r#"fill="none" stroke="{FORCE}" stroke-width="2""#);
            entry(&stroke, &format!("force on the body, at most {largest:.0} N"));
        }
    }
}

/// One view, laid out.
struct Panel {
    view: StripView,
    /// Distance from each figure to the next, on top of their own places \[m\].
    pitch: f64,
    /// Left, right, bottom and top of what is drawn \[m\].
    bounds: [f64; 4],
    /// \[px/m\]
    scale: f64,
    /// Length of an arrow for each newton \[m/N\].
    newton: f64,
}

impl Panel {
    fn new(plot: &StripPlot, view: StripView, newton: f64) -> Self {
        let of = |frame: &StripFrame| frame_bounds(frame, view, newton);
        let pitch = match view {
            StripView::Side => plot.spacing,
            StripView::Front => {
                let widths = plot.frames.iter().filter_map(of).map(|b| b[1] - b[0]);
                (1.0 + APART) * widths.fold(0.0, f64::max)
            }
        };
        let pitch = if pitch.abs() <= LARGEST { pitch } else { 0.0 };
        let moved = plot.frames.iter().enumerate().filter_map(|(i, frame)| {
            let ([left, right, bottom, top], by) = (of(frame)?, pitch * i as f64);
            Some([left + by, right + by, bottom, top])
        });
        let mut bounds = moved.reduce(union).unwrap_or([0.0, 1.0, 0.0, 1.0]);
        if let Some(floor) = plot.floor.filter(|y| y.abs() <= LARGEST) {
            (bounds[2], bounds[3]) = (bounds[2].min(floor), bounds[3].max(floor));
        }
        let scale =
            ((WIDTH - 2.0 * MARGIN) / (bounds[1] - bounds[0])).min((TALLEST - ABOVE - BELOW) / (bounds[3] - bounds[2]));
        Self { view, pitch, bounds, scale: if scale.is_finite() { scale } else { 1.0 }, newton }
    }

    fn height(&self) -> f64 {
        ABOVE + self.scale * (self.bounds[3] - self.bounds[2]) + BELOW
    }

    /// Pixel of a projected point of the frame with that number, centred on the sheet.
    fn place(&self, frame: usize, top: f64, [u, v, _]: [f64; 3]) -> (f64, f64) {
        let [left, right, _, high] = self.bounds;
        let x = 0.5 * WIDTH + self.scale * (u + self.pitch * frame as f64 - 0.5 * (left + right));
        (x, top + ABOVE + self.scale * (high - v))
    }

    fn draw(&self, svg: &mut String, plot: &StripPlot, top: f64) {
        let _ = writeln!(svg, r##"<text x="{MARGIN}" y="{:.1}" fill="#777">{}</text>"##, top + 14.0, self.view.words());
        if let Some(floor) = plot.floor.filter(|y| y.abs() <= LARGEST) {
            let (_, y) = self.place(0, top, [0.0, floor, 0.0]);
            let _ = writeln!(
                svg,
                r##"<path d="M{MARGIN} {y:.1}H{:.1}" stroke="#888" stroke-width="1.5"/>"##,
                WIDTH - MARGIN
            );
        }
        for (i, frame) in plot.frames.iter().enumerate() {
            let _ = writeln!(svg, "<g><title>{}</title>", escape(&frame.label));
            self.draw_sticks(svg, i, frame, top);
            drawn_arrows(frame).for_each(|arrow| self.draw_arrow(svg, i, arrow, top));
            svg.push_str("</g>\n");
        }
        self.draw_times(svg, plot, top);
        self.draw_scale(svg, top);
    }

    /// Sticks, far ones first; those of one class at one depth are not joined, so that each can be distinguished.
    fn draw_sticks(&self, svg: &mut String, number: usize, frame: &StripFrame, top: f64) {
        let depth = |s: &StripSegment| {
            let sum: f64 = s.points.iter().filter(|p| drawable(p)).map(|&p| self.view.project(p)[2]).sum();
            sum / s.points.len().max(1) as f64
        };
        // small figures have thin sticks
        let stick = (STICK * self.scale).clamp(1.2, WIDEST_STICK);
        let mut far_first: Vec<&StripSegment> = frame.segments.iter().collect();
        far_first.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
        for segment in far_first {
            let mut path = String::new();
            for run in segment.points.split(|p| !drawable(p)).filter(|run| run.len() > 1) {
                for (k, &point) in run.iter().enumerate() {
                    let (x, y) = self.place(number, top, self.view.project(point));
                    let _ = write!(path, "{}{x:.1} {y:.1}", if k == 0 { 'M' } else { 'L' });
                }
            }
            if !path.is_empty() {
                let _ = writeln!(svg, r#"<path d="{path}" {}/>"#, segment.class.stroke(stick));
            }
        }
    }

    fn draw_arrow(&self, svg: &mut String, number: usize, arrow: &StripArrow, top: f64) {
        const HEAD: f64 = 7.0;
        let (x0, y0) = self.place(number, top, self.view.project(arrow.at));
        let (x1, y1) = self.place(number, top, self.view.project(tip(arrow, self.newton)));
        let length = (x1 - x0).hypot(y1 - y0);
        if length < 1.0 {
            return;
        }
        let (along_x, along_y) = ((x1 - x0) / length, (y1 - y0) / length);
        let head = HEAD.min(length);
        let (bx, by) = (x1 - head * along_x, y1 - head * along_y);
        let (sx, sy) = (0.4 * head * along_y, -0.4 * head * along_x);
        let _ = writeln!(
            svg,
            r#"<path d="M{x0:.1} {y0:.1}L{bx:.1} {by:.1}" fill="none" stroke="{FORCE}" stroke-width="1.5"/>"#
        );
        let (lx, ly, rx, ry) = (bx + sx, by + sy, bx - sx, by - sy);
        let _ = writeln!(svg, r#"<path d="M{x1:.1} {y1:.1}L{lx:.1} {ly:.1} {rx:.1} {ry:.1}z" fill="{FORCE}"/>"#);
    }

    /// Labels below the figures; one that would overlap the previous one is omitted.
    fn draw_times(&self, svg: &mut String, plot: &StripPlot, top: f64) {
        let y = top + self.height() - BELOW + 18.0;
        let mut free_from = f64::NEG_INFINITY;
        for (i, frame) in plot.frames.iter().enumerate() {
            let Some(middle) = middle(frame, self.view) else { continue };
            let (x, _) = self.place(i, top, [middle, 0.0, 0.0]);
            let half = 0.5 * LETTER * frame.label.chars().count() as f64;
            if frame.label.is_empty() || x - half < free_from {
                continue;
            }
            let _ = writeln!(
                svg,
                r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle" font-size="12">{}</text>"#,
                escape(&frame.label)
            );
            free_from = x + half + LETTER;
        }
        if plot.frames.is_empty() {
            let _ = writeln!(
                svg,
                r##"<text x="{:.1}" y="{y:.1}" text-anchor="middle" fill="#777">no data</text>"##,
                0.5 * WIDTH
            );
        }
    }

    /// A round length, at the upper right.
    fn draw_scale(&self, svg: &mut String, top: f64) {
        let metres = nice_step(40.0 / self.scale);
        let (right, y, long) = (WIDTH - MARGIN, top + 10.0, metres * self.scale);
        if !(long.is_finite() && long < 0.5 * WIDTH) {
            return;
        }
        let left = right - long;
        let _ = writeln!(
            svg,
            r##"<path d="M{left:.1} {:.1}v8m0 -4H{right:.1}m0 -4v8" fill="none" stroke="#888"/>"##,
            y - 4.0
        );
        let _ = writeln!(
            svg,
            r##"<text x="{:.1}" y="{:.1}" text-anchor="end" fill="#777">{metres} m</text>"##,
            left - 8.0,
            y + 4.5
        );
    }
}

fn drawable(point: &[f64; 3]) -> bool {
    point.iter().all(|x| x.abs() <= LARGEST)
}

/// Arrows whose place and force are finite.
fn drawn_arrows(frame: &StripFrame) -> impl Iterator<Item = &StripArrow> {
    frame.arrows.iter().filter(|a| drawable(&a.at) && drawable(&a.force))
}

fn norm([x, y, z]: [f64; 3]) -> f64 {
    x.hypot(y).hypot(z)
}

fn tip(arrow: &StripArrow, newton: f64) -> [f64; 3] {
    std::array::from_fn(|i| arrow.at[i] + newton * arrow.force[i])
}

/// Left, right, bottom and top of some sticks \[m\].
fn bounds<'a>(segments: impl Iterator<Item = &'a StripSegment>, view: StripView) -> Option<[f64; 4]> {
    let points = segments.flat_map(|s| &s.points).filter(|p| drawable(p));
    points.map(|&p| view.project(p)).map(|[u, v, _]| [u, u, v, v]).reduce(union)
}

/// Where the label of a figure goes: below its trunk, or else below its middle \[m\].
fn middle(frame: &StripFrame, view: StripView) -> Option<f64> {
    let trunk = bounds(frame.segments.iter().filter(|s| s.class == StripClass::Middle), view);
    let [left, right, ..] = trunk.or_else(|| bounds(frame.segments.iter(), view))?;
    Some(0.5 * (left + right))
}

/// Left, right, bottom and top of a figure with its arrows \[m\].
fn frame_bounds(frame: &StripFrame, view: StripView, newton: f64) -> Option<[f64; 4]> {
    let ends = drawn_arrows(frame).flat_map(|a| [a.at, tip(a, newton)]);
    let arrows = ends.map(|p| view.project(p)).map(|[u, v, _]| [u, u, v, v]);
    bounds(frame.segments.iter(), view).into_iter().chain(arrows).reduce(union)
}

fn union(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [a[0].min(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].max(b[3])]
}
