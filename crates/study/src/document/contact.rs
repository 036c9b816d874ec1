//! `[[contact]]`: two shapes that may touch, a normal law and friction.

use super::fields::Fields;
use super::model::read_frame;
use super::node::Node;
use super::parameters::contact_laws;
use super::quantity::Dimension;
use super::reader::{Kind, Reader, Want};
use wolff_contact::{ContactError, Friction, KelvinVoigtEnd, LawParameters, NormalLaw, Shape};
use wolff_multibody::spec::FrameSpec;

/// The shapes.
const SHAPES: [&str; 4] = ["sphere", "cavity", "plane", "ellipsoid"];

/// A contact by names.
#[derive(Clone, Debug)]
pub struct ContactSpec {
    /// Unique name.
    pub name: String,
    /// First surface.
    pub a: Surface,
    /// Second surface.
    pub b: Surface,
    /// Normal force law.
    pub law: NormalLaw,
    /// Friction, if any.
    pub friction: Option<Friction>,
}

/// A shape on a frame of a body.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Where it is.
    pub frame: FrameSpec,
    /// What it is.
    pub shape: Shape,
}

/// Reads one `[[contact]]`.
pub(crate) fn read_contact(reader: &mut Reader<'_>, node: &Node) -> Option<ContactSpec> {
    let (mut fields, name) = Fields::named(reader, node, Kind::Contact)?;
    let a = read_surface(reader, &mut fields, "a");
    let b = read_surface(reader, &mut fields, "b");
    let laws = contact_laws();
    let law = fields.choice(reader, "law", &laws.iter().map(String::as_str).collect::<Vec<_>>());
    let parameters = read_law_parameters(reader, &mut fields);
    let friction = fields.maybe("friction").map(|node| read_friction(reader, node, &fields.what));
    fields.finish(reader);
    let friction = match friction {
        Some(read) => Some(read?),
        None => None,
    };
    let (law, mut parameters) = (law?, parameters?);
    // with the effective mass, Kelvin-Voigt damping comes from the restitution
    if law == "kelvin-voigt" && parameters.effective_mass.is_some() {
        parameters.damping = None;
    }
    let law = made(reader, node, &name, NormalLaw::from_name(&law, &parameters));
    Some(ContactSpec { name, a: a?, b: b?, law: law?, friction })
}

/// Notes what a constructor of the contact library refused.
fn made<T>(reader: &mut Reader<'_>, node: &Node, what: &str, result: Result<T, ContactError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => reader.wrong(&node.span, format!("contact `{what}`: {error}"), None),
    }
}

fn read_surface(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str) -> Option<Surface> {
    let node = fields.must(reader, key)?;
    let mut surface = Fields::new(reader, node, format!("`{key}` of {}", fields.what))?;
    let frame = read_frame(reader, &mut surface);
    let length = Want::of(Dimension::LENGTH).positive();
    let shape = match surface.choice(reader, "shape", &SHAPES).as_deref() {
        Some("sphere") => surface.number(reader, "radius", length).map(Shape::sphere),
        Some("cavity") => surface.number(reader, "radius", length).map(Shape::cavity),
        Some("ellipsoid") => surface
            .must(reader, "axes")
            .and_then(|node| reader.vector(node, "`axes` of an ellipsoid", length))
            .map(Shape::ellipsoid),
        Some(_) => Some(Ok(Shape::Plane)),
        None => return None,
    };
    surface.finish(reader);
    let shape = made(reader, node, key, shape?);
    Some(Surface { frame: frame?, shape: shape? })
}

fn read_law_parameters(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<LawParameters> {
    let defaults = LawParameters::default();
    let one = Want::of(Dimension::ONE);
    // N/m^n for a force law with any exponent n
    let stiffness = fields.number(reader, "stiffness", Want::ANY.positive());
    let exponent = fields.number_or(reader, "exponent", one.positive(), defaults.exponent);
    let restitution = fields.number_or(reader, "restitution", one.not_negative(), defaults.restitution);
    let damping = fields.maybe_number(reader, "damping", Want::of(Dimension::DAMPING).not_negative());
    let depth = Want::of(Dimension::LENGTH).not_negative();
    let full_damping_depth = fields.number_or(reader, "full_damping_depth", depth, defaults.full_damping_depth);
    let effective_mass = fields.maybe_number(reader, "effective_mass", Want::of(Dimension::MASS).positive());
    let end = fields.choice_or(reader, "end", &["indentation-zero", "force-zero"], "indentation-zero");
    Some(LawParameters {
        stiffness: stiffness?,
        exponent: exponent?,
        restitution: restitution?,
        damping,
        full_damping_depth: full_damping_depth?,
        effective_mass,
        end: if end? == "force-zero" { KelvinVoigtEnd::ForceZero } else { KelvinVoigtEnd::IndentationZero },
    })
}

fn read_friction(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<Friction> {
    let mut fields = Fields::new(reader, node, format!("`friction` of {what}"))?;
    let coefficient = Want::of(Dimension::ONE).not_negative();
    let speed = Want::of(Dimension::SPEED).positive();
    let static_coefficient = fields.number(reader, "static", coefficient);
    let dynamic_coefficient = fields.number(reader, "dynamic", coefficient);
    let stiction_speed = fields.number(reader, "stiction_speed", speed);
    let friction_speed = fields.number(reader, "friction_speed", speed);
    fields.finish(reader);
    let friction = Friction::new(static_coefficient?, dynamic_coefficient?, stiction_speed?, friction_speed?);
    made(reader, node, what, friction)
}
