//! `[[drawing]]`: the mechanism drawn in a plane at given times.

use super::fields::Fields;
use super::names::Kind;
use super::node::Node;
use super::reader::{Expected, Reader};
use wolff_formula::quantity::Dimension;

/// Maximum number of pictures side by side, and of those of a picture that moves.
const MOST_PICTURES: usize = 24;
const MOST_STATES: usize = 600;

/// Default number of pictures side by side, and of those of a picture that moves.
const PICTURES: usize = 5;
const STATES: usize = 60;

/// The planes in which a mechanism can be drawn, after the ground axes that point to the right and up.
const PLANES: [&str; 7] = ["auto", "xy", "xz", "yx", "yz", "zx", "zy"];

/// A drawing of the mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawingSpec {
    /// File stem.
    pub name: String,
    /// Title; empty for a title that names what is drawn.
    pub title: String,
    /// Numbers of the ground axes (0 to 2) that point to the right and up; `None` is chosen by the motion.
    pub plane: Option<[usize; 2]>,
    /// Times of the pictures side by side \[s\]; empty for equal distances over the run.
    pub times: Vec<f64>,
    /// Number of pictures side by side where no times are given.
    pub pictures: usize,
    /// Number of states of the picture that moves; 0 for none.
    pub states: usize,
    /// Names of the bodies that are drawn; empty for all.
    pub bodies: Vec<String>,
}

impl DrawingSpec {
    /// The drawing of a study that does not describe one.
    pub fn automatic() -> Self {
        DrawingSpec {
            name: "mechanism".into(),
            title: String::new(),
            plane: None,
            times: Vec::new(),
            pictures: PICTURES,
            states: STATES,
            bodies: Vec::new(),
        }
    }
}

/// Reads an entry; `duration` is that of the run \[s\].
pub(crate) fn read_drawing(reader: &mut Reader<'_>, node: &Node, duration: f64) -> Option<DrawingSpec> {
    let (mut fields, name) = Fields::named(reader, node, Kind::Drawing)?;
    let title = fields.text_or_empty(reader, "title").map(String::from);
    let plane = fields.choice_or(reader, "plane", &PLANES, PLANES[0]);
    let times = fields.numbers_or_none(reader, "times", Expected::of(Dimension::TIME).not_negative());
    let pictures = fields.whole_or(reader, "pictures", [1, MOST_PICTURES], PICTURES);
    let states = fields.whole_or(reader, "states", [0, MOST_STATES], STATES);
    let bodies = fields.names_or_none(reader, "bodies");
    let (at_times, at_bodies) = (fields.span_of("times"), fields.span_of("bodies"));
    fields.finish(reader);
    let (times, bodies) = (times?, bodies?);
    bodies.iter().for_each(|body| reader.mention(Kind::Body, body, &at_bodies));
    if let Some(late) = times.iter().find(|t| **t > duration) {
        return reader.wrong(&at_times, format!("`times` contains {late} s, but the run ends at {duration} s"), None);
    }
    if times.len() > MOST_PICTURES {
        let message = format!("drawing `{name}` has {} times; at most {MOST_PICTURES} are supported", times.len());
        return reader.wrong(&at_times, message, None);
    }
    let axis = |c: char| "xyz".find(c);
    let plane = plane?;
    let mut letters = plane.chars().map(axis);
    let plane = match (letters.next().flatten(), letters.next().flatten()) {
        (Some(right), Some(up)) => Some([right, up]),
        _ => None,
    };
    Some(DrawingSpec { name, title: title?, plane, times, pictures: pictures?, states: states?, bodies })
}
