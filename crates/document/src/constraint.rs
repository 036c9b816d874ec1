//! `[[constraint]]`: loop closures, couplers and drivers.

use super::fields::Fields;
use super::function::{read_function, read_shape};
use super::model::frame_of;
use super::node::Node;
use super::parameters::entries_of;
use super::reader::{Expected, Kind, Reader};
use wolff_formula::quantity::Dimension;
use wolff_multibody::spec::{ConstraintKind, ConstraintSpec, FrameSpec};

/// The kinds of constraints.
const KINDS: [&str; 9] =
    ["point", "spherical", "revolute", "universal", "translational", "weld", "distance", "coupler", "driver"];

/// Reads one `[[constraint]]`.
pub(crate) fn read_constraint(reader: &mut Reader<'_>, node: &Node) -> Option<ConstraintSpec> {
    let (mut fields, name) = Fields::named(reader, node, Kind::Constraint)?;
    let kind = fields.choice(reader, "kind", &KINDS)?;
    let kind = match kind.as_str() {
        "coupler" => coupler(reader, &mut fields),
        "driver" => driver(reader, &mut fields),
        between => between_frames(reader, &mut fields, between),
    };
    fields.finish(reader);
    Some(ConstraintSpec { name, kind: kind? })
}

fn between_frames(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: &str) -> Option<ConstraintKind> {
    let a = frame_of(reader, fields, "a");
    let b = frame_of(reader, fields, "b");
    let frames = |a: Option<FrameSpec>, b: Option<FrameSpec>| Some((a?, b?));
    match kind {
        "point" => {
            let along = fields.directions(reader, "along", None);
            let (a, b) = frames(a, b)?;
            Some(ConstraintKind::Point { a, b, along: along? })
        }
        "distance" => {
            let length = fields.number(reader, "length", Expected::of(Dimension::LENGTH).positive());
            let (a, b) = frames(a, b)?;
            Some(ConstraintKind::Distance { a, b, length: length? })
        }
        "spherical" => frames(a, b).map(|(a, b)| ConstraintKind::Spherical { a, b }),
        "revolute" => frames(a, b).map(|(a, b)| ConstraintKind::Revolute { a, b }),
        "universal" => frames(a, b).map(|(a, b)| ConstraintKind::Universal { a, b }),
        "translational" => frames(a, b).map(|(a, b)| ConstraintKind::Translational { a, b }),
        _ => frames(a, b).map(|(a, b)| ConstraintKind::Weld { a, b }),
    }
}

fn coupler(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ConstraintKind> {
    let dependent = fields.mention(reader, "dependent", Kind::Coordinate);
    let independent = fields.mention(reader, "independent", Kind::Coordinate);
    let what = format!("`function` of {}", fields.what);
    let function = fields.must(reader, "function").and_then(|node| read_shape(reader, node, &what));
    Some(ConstraintKind::Coupler { dependent: dependent?, independent: independent?, function: function? })
}

fn driver(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<ConstraintKind> {
    let what = format!("`function` of {}", fields.what);
    let function = fields.must(reader, "function").and_then(|node| read_function(reader, node, &what));
    let what = format!("`terms` of {}", fields.what);
    let node = fields.must(reader, "terms");
    let mut terms = Vec::new();
    for entry in entries_of(reader, node, &what) {
        let coordinate = reader.expand(&entry.key, &entry.key_span, &what)?;
        reader.mention(Kind::Coordinate, &coordinate, &entry.key_span);
        let factor = reader.number(&entry.node, &what, Expected::ANY)?;
        terms.push((coordinate, factor));
    }
    if let (true, Some(node)) = (terms.is_empty(), node) {
        let help = Some("write terms = { coordinate = 1 }".into());
        return reader.wrong(&node.span, format!("{} drives no coordinate", fields.what), help);
    }
    Some(ConstraintKind::Driver { terms, function: function? })
}
