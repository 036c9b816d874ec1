//! A mechanism in a plane: the same picture at several times side by side, and as one picture that a page moves.

mod sheet;

use super::axis::nice_step;
use super::{COLOURS, LARGEST, LETTER, WIDTH, escape, open};
use sheet::{Bounds, Grid, MARGIN, Sheet, circle, coil, drawable, polyline, union};
use std::fmt::Write as _;

/// A plane picture of a mechanism at a number of times.
#[derive(Clone, Debug, PartialEq)]
pub struct Mechanism {
    /// File stem.
    pub name: String,
    /// Title above the picture.
    pub title: String,
    /// The ground axes that point to the right and up, such as `x` and `y`.
    pub axes: [char; 2],
    /// Times of the states \[s\].
    pub times: Vec<f64>,
    /// Numbers of the states that are drawn side by side.
    pub shown: Vec<usize>,
    /// Whether all states are drawn as one picture that a page can move.
    pub moves: bool,
    /// What is drawn, from back to front.
    pub parts: Vec<MechanismPart>,
}

/// One line or outline.
#[derive(Clone, Debug, PartialEq)]
pub struct MechanismPart {
    /// Name of the object.
    pub name: String,
    /// What it is.
    pub class: MechanismClass,
    /// Its outline in each state.
    pub outlines: Vec<Outline>,
}

/// What a line of a mechanism is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MechanismClass {
    /// Surface that may touch.
    Surface,
    /// Rigid body; the number selects its colour.
    Body(usize),
    /// Flexible body; the number selects its colour.
    Flexible(usize),
    /// Rod without mass.
    Rod,
    /// Spring between two points.
    Spring,
    /// Force along a line or path: a muscle, a ligament.
    Pull,
    /// Joint.
    Joint,
}

/// A line in the plane \[m\].
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// Points joined by lines, and whether the last is joined to the first. One point is a dot.
    Points(Vec<[f64; 2]>, bool),
    /// A circle.
    Circle {
        /// Its centre.
        centre: [f64; 2],
        /// Its radius.
        radius: f64,
    },
    /// A straight line without ends, such as a floor.
    Line {
        /// One of its points.
        at: [f64; 2],
        /// Its direction, a unit vector.
        along: [f64; 2],
    },
}

/// Radius of the circle of a joint \[px\].
const JOINT: f64 = 3.0;
/// Most bodies that the legend names.
const MOST_NAMED: usize = 12;
/// Part of its larger side by which an empty or flat picture is widened.
const ROOM: f64 = 0.08;

impl Mechanism {
    /// The states shown side by side, as SVG text.
    pub fn to_svg(&self) -> String {
        let bounds = self.bounds(&self.shown);
        let legend = self.legend();
        let top = 48.0 + 21.0 * legend.rows as f64;
        let grid = Grid::new(bounds, self.shown.len().max(1));
        let mut svg = open(&self.title, WIDTH, (top + grid.height()).ceil(), "");
        svg += &legend.svg;
        for (i, &state) in self.shown.iter().enumerate() {
            let sheet = grid.panel(i, top);
            let time = self.times.get(state).copied().unwrap_or_default();
            let _ = writeln!(svg, "<g><title>{}</title>", escape(&time_label(time)));
            for part in &self.parts {
                let Some(path) = part.path(state, &sheet) else { continue };
                let _ = writeln!(svg, r#"<path d="{path}" {}/>"#, part.class.stroke());
            }
            svg.push_str("</g>\n");
            let (x, y) = (sheet.left + 0.5 * sheet.width(), sheet.top + sheet.height() + 18.0);
            let label = escape(&time_label(time));
            let _ = writeln!(svg, r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle" font-size="12">{label}</text>"#);
        }
        self.draw_scale(&mut svg, grid.scale, top);
        svg.push_str("</svg>\n");
        svg
    }

    /// All states as one picture: it shows the first; a path that moves has the others in `data-d`, separated by `|`.
    /// None for a mechanism that does not move, or for a single state.
    pub fn moving_svg(&self) -> Option<String> {
        if !self.moves || self.times.len() < 2 {
            return None;
        }
        let all: Vec<usize> = (0..self.times.len()).collect();
        let grid = Grid::new(self.bounds(&all), 1);
        let top = 44.0;
        let sheet = grid.panel(0, top);
        let mut svg = open(&self.title, WIDTH, (top + grid.height()).ceil(), "");
        let mut moving = false;
        for part in &self.parts {
            let paths: Vec<String> = all.iter().map(|&i| part.path(i, &sheet).unwrap_or_default()).collect();
            let still = paths.windows(2).all(|pair| pair[0] == pair[1]);
            if paths.iter().all(String::is_empty) {
                continue;
            }
            moving |= !still;
            let states = if still { String::new() } else { format!(r#" data-d="{}""#, paths.join("|")) };
            let title = escape(&part.name);
            let (first, stroke) = (&paths[0], part.class.stroke());
            let _ = writeln!(svg, r#"<path d="{first}" {stroke}{states}><title>{title}</title></path>"#);
        }
        self.draw_scale(&mut svg, grid.scale, top);
        svg.push_str("</svg>\n");
        moving.then_some(svg)
    }

    /// What the states need; lines without ends only reach as far as the rest.
    fn bounds(&self, states: &[usize]) -> Bounds {
        let outlines = || self.parts.iter().flat_map(|part| states.iter().filter_map(|&i| part.outline(i)));
        let mut bounds = outlines().filter_map(Outline::bounds).reduce(union).unwrap_or([0.0, 1.0, 0.0, 1.0]);
        let middle = [0.5 * (bounds[0] + bounds[1]), 0.5 * (bounds[2] + bounds[3])];
        for outline in outlines() {
            let Outline::Line { at, along } = outline else { continue };
            let reach = (middle[0] - at[0]) * along[0] + (middle[1] - at[1]) * along[1];
            let foot: [f64; 2] = std::array::from_fn(|i| at[i] + reach * along[i]);
            if drawable(&foot) {
                bounds = union(bounds, [foot[0], foot[0], foot[1], foot[1]]);
            }
        }
        let side = (bounds[1] - bounds[0]).max(bounds[3] - bounds[2]);
        let room = if side > 0.0 { ROOM * side } else { 0.5 };
        [bounds[0] - room, bounds[1] + room, bounds[2] - room, bounds[3] + room]
    }

    /// A round length with the axes, at the upper right.
    fn draw_scale(&self, svg: &mut String, scale: f64, top: f64) {
        let metres = nice_step(40.0 / scale);
        let (right, y, long) = (WIDTH - MARGIN, top - 6.0, metres * scale);
        if !(long.is_finite() && long < 0.5 * WIDTH) {
            return;
        }
        let left = right - long;
        let stroke = r##"fill="none" stroke="#888""##;
        let _ = writeln!(svg, r#"<path d="M{left:.1} {:.1}v8m0 -4H{right:.1}m0 -4v8" {stroke}/>"#, y - 4.0);
        let (x, y) = (left - 8.0, y + 4.5);
        let [right, up] = self.axes;
        let text = format!("{right} right, {up} up, {metres} m");
        let _ = writeln!(svg, r##"<text x="{x:.1}" y="{y:.1}" text-anchor="end" fill="#777">{text}</text>"##);
    }

    /// What the lines are: bodies by name, and the other classes that occur.
    fn legend(&self) -> LegendRows {
        let mut rows = LegendRows { svg: String::new(), x: MARGIN, rows: 1 };
        // the segments of a chain have one name
        let mut bodies: Vec<&MechanismPart> = Vec::new();
        for part in self.parts.iter().filter(|p| p.class.is_body()) {
            if !bodies.iter().any(|b| b.class == part.class && b.name == part.name) {
                bodies.push(part);
            }
        }
        if bodies.len() <= MOST_NAMED {
            bodies.iter().for_each(|part| rows.add(part.class, &part.name));
        }
        let others = [MechanismClass::Rod, MechanismClass::Spring, MechanismClass::Pull, MechanismClass::Surface];
        for class in others.into_iter().filter(|class| self.parts.iter().any(|p| p.class == *class)) {
            rows.add(class, class.word());
        }
        rows
    }
}

/// Entries of the legend from left to right, in as many rows as they need.
struct LegendRows {
    svg: String,
    x: f64,
    rows: usize,
}

impl LegendRows {
    fn add(&mut self, class: MechanismClass, text: &str) {
        let width = 48.0 + LETTER * text.chars().count() as f64;
        if self.x + width > WIDTH - MARGIN && self.x > MARGIN {
            (self.x, self.rows) = (MARGIN, self.rows + 1);
        }
        let (x, y) = (self.x, 29.0 + 21.0 * self.rows as f64);
        let _ = writeln!(self.svg, r#"<path d="M{x:.1} {y}h20" {}/>"#, class.stroke());
        let _ = writeln!(self.svg, r#"<text x="{:.1}" y="{:.1}">{}</text>"#, x + 27.0, y + 4.5, escape(text));
        self.x += width;
    }
}

impl MechanismClass {
    const fn is_body(self) -> bool {
        matches!(self, MechanismClass::Body(_) | MechanismClass::Flexible(_))
    }

    const fn word(self) -> &'static str {
        match self {
            MechanismClass::Surface => "contact surface",
            MechanismClass::Body(_) => "body",
            MechanismClass::Flexible(_) => "flexible body",
            MechanismClass::Rod => "constant distance",
            MechanismClass::Spring => "spring",
            MechanismClass::Pull => "muscle, ligament or force along a line",
            MechanismClass::Joint => "joint",
        }
    }

    fn stroke(self) -> String {
        let (colour, width, fill) = match self {
            MechanismClass::Surface => ("#888", 1.5, "none"),
            MechanismClass::Body(i) => (COLOURS[BODIES[i % BODIES.len()]], 3.0, "tint"),
            MechanismClass::Flexible(i) => (COLOURS[BODIES[i % BODIES.len()]], 6.0, "none"),
            MechanismClass::Rod => ("#777", 2.0, "none"),
            MechanismClass::Spring => ("#777", 1.2, "none"),
            MechanismClass::Pull => (COLOURS[1], 2.0, "none"),
            MechanismClass::Joint => (COLOURS[6], 1.2, "#fff"),
        };
        let fill = match fill {
            "tint" => format!(r#"fill="{colour}" fill-opacity="0.15""#),
            fill => format!(r#"fill="{fill}""#),
        };
        format!(r#"{fill} stroke="{colour}" stroke-width="{width}" stroke-linejoin="round" stroke-linecap="round""#)
    }
}

/// Colours of bodies: all but that of pulls.
const BODIES: [usize; 6] = [0, 2, 5, 3, 4, 6];

impl MechanismPart {
    /// The outline in a state; the last one known where it does not change any more.
    fn outline(&self, state: usize) -> Option<&Outline> {
        self.outlines.get(state).or(self.outlines.last())
    }

    /// The path \[px\]; none of what cannot be drawn.
    fn path(&self, state: usize, sheet: &Sheet) -> Option<String> {
        match self.outline(state)? {
            Outline::Circle { centre, radius } => {
                let reach = radius.abs() * sheet.scale;
                (drawable(centre) && reach <= LARGEST).then(|| circle(sheet.place(*centre), reach))
            }
            Outline::Line { at, along } => sheet.clipped(*at, *along),
            Outline::Points(points, _) if points.is_empty() || !points.iter().all(drawable) => None,
            Outline::Points(points, closed) => {
                let pixels: Vec<[f64; 2]> = points.iter().map(|p| sheet.place(*p)).collect();
                Some(match (self.class, &pixels[..]) {
                    (MechanismClass::Joint, [at, ..]) => circle(*at, JOINT),
                    (MechanismClass::Spring, [a, .., b]) => polyline(&coil(*a, *b), false),
                    (_, [dot]) => circle(*dot, 2.0),
                    _ => polyline(&pixels, *closed),
                })
            }
        }
    }
}

impl Outline {
    fn bounds(&self) -> Option<Bounds> {
        match self {
            Outline::Points(points, _) => {
                points.iter().filter(|p| drawable(p)).map(|[u, v]| [*u, *u, *v, *v]).reduce(union)
            }
            Outline::Circle { centre: [u, v], radius } => {
                let r = radius.abs();
                [u - r, u + r, v - r, v + r].iter().all(|x| x.abs() <= LARGEST).then(|| [u - r, u + r, v - r, v + r])
            }
            Outline::Line { .. } => None,
        }
    }
}

fn time_label(t: f64) -> String {
    let digits = (t * 1e4).round() / 1e4;
    if digits == 0.0 && t != 0.0 { format!("t = {t:.2e} s") } else { format!("t = {digits} s") }
}
