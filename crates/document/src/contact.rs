//! `[[contact]]`: two shapes that may touch, a normal law and friction.

use super::contact_shape::{SurfaceShape, read_shape};
use super::contact_solid::{Solid, read_solid, stiffness_of};
use super::fields::Fields;
use super::model::read_frame;
use super::node::{Node, Value};
use super::parameters::contact_laws;
use super::reader::{Expected, Kind, Reader};
use wolff_contact::{ContactError, Friction, KelvinVoigtEnd, LawParameters, NormalLaw, Subsurface};
use wolff_formula::quantity::Dimension;
use wolff_multibody::spec::FrameSpec;

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
    /// Stiffness of the law that was computed from materials and radii \[N/m^1.5\].
    pub hertz_stiffness: Option<f64>,
    /// A harder layer below, if any.
    pub subsurface: Option<Subsurface>,
    /// Friction, if any.
    pub friction: Option<Friction>,
}

/// A shape on a frame of a body.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Where it is.
    pub frame: FrameSpec,
    /// What it is.
    pub shape: SurfaceShape,
    /// What it is made of, where that is given.
    pub solid: Option<Solid>,
}

/// Reads one `[[contact]]`.
pub(crate) fn read_contact(reader: &mut Reader<'_>, node: &Node) -> Option<ContactSpec> {
    let (mut fields, name) = Fields::named(reader, node, Kind::Contact)?;
    let a = read_surface(reader, &mut fields, "a");
    let b = read_surface(reader, &mut fields, "b");
    let laws = contact_laws();
    let law = fields.choice(reader, "law", &laws.iter().map(String::as_str).collect::<Vec<_>>());
    let hertz_stiffness = read_hertz_stiffness(reader, &mut fields, [a.as_ref(), b.as_ref()], law.as_deref());
    let parameters = read_law_parameters(reader, &mut fields, hertz_stiffness);
    let damping = fields.maybe("damping").map(|node| &node.value);
    let of_parameter = match damping {
        Some(Value::Text(name)) => Some(name.clone()),
        _ => None,
    };
    let below = fields.maybe("subsurface");
    let friction = fields.maybe("friction").map(|node| read_friction(reader, node, &fields.what));
    fields.finish(reader);
    let friction = match friction {
        Some(read) => Some(read?),
        None => None,
    };
    let (law, mut parameters) = (law?, parameters?);
    // with the effective mass, the Kelvin-Voigt damping follows from the restitution, unless a damping was given; the
    // default of a parameter is none
    if let ("kelvin-voigt", Some(_), Some(name)) = (law.as_str(), parameters.effective_mass, of_parameter) {
        if reader.given_parameters.contains(&name) {
            reader.not_default.insert(name);
        } else {
            parameters.damping = None;
        }
    }
    let subsurface = match below {
        Some(below) => Some(read_subsurface(reader, below, &name, (&law, parameters))?),
        None => None,
    };
    let law = made(reader, node, &format!("contact `{name}`"), NormalLaw::from_name(&law, &parameters));
    Some(ContactSpec { name, a: a?, b: b?, law: law?, hertz_stiffness: hertz_stiffness?, subsurface, friction })
}

/// The stiffness of both solids, where the contact asks for it: it has no `stiffness`, or says so.
fn read_hertz_stiffness(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    surfaces: [Option<&Surface>; 2],
    law: Option<&str>,
) -> Option<Option<f64>> {
    let known = surfaces.iter().flatten().all(|surface| surface.solid.is_some());
    let default = if fields.node.get("stiffness").is_none() && known { "materials" } else { "number" };
    let from = fields.choice_or(reader, "stiffness_from", &["number", "materials"], default)?;
    if from == "number" {
        return Some(None);
    }
    let [Some(a), Some(b)] = surfaces else { return None };
    let exponent = fields.node.get("exponent").map(|node| reader.number(node, "`exponent`", Expected::ANY));
    let linear = matches!(law, Some("hooke" | "kelvin-voigt"));
    if linear || exponent.is_some_and(|n| n != Some(1.5)) {
        let message = format!(
            "{}: the stiffness that follows from materials and radii belongs to the exponent 1.5 of Hertz; give \
             `stiffness_from = \"number\"` and a `stiffness` for other laws and exponents",
            fields.what
        );
        return reader.wrong(&fields.node.span, message, None);
    }
    stiffness_of(reader, fields, [a, b]).map(Some)
}

/// `{ thickness, stiffness, surface }`: the same law as that of the surface, below this thickness.
fn read_subsurface(
    reader: &mut Reader<'_>,
    node: &Node,
    contact: &str,
    (law, parameters): (&str, LawParameters),
) -> Option<Subsurface> {
    let mut fields = Fields::new(reader, node, format!("`subsurface` of contact `{contact}`"))?;
    let thickness = fields.number(reader, "thickness", Expected::of(Dimension::LENGTH).positive());
    let stiffness = fields.number(reader, "stiffness", Expected::ANY.positive());
    let surface = fields.choice_or(reader, "surface", &["saturated", "continued"], "continued");
    fields.finish(reader);
    let law = NormalLaw::from_name(law, &LawParameters { stiffness: stiffness?, ..parameters });
    let law = made(reader, node, contact, law)?;
    let subsurface = made(reader, node, contact, Subsurface::new(thickness?, law))?;
    Some(if surface? == "saturated" { subsurface.saturated() } else { subsurface })
}

/// Records an error of a constructor of the contact library.
pub(super) fn made<T>(reader: &mut Reader<'_>, node: &Node, what: &str, result: Result<T, ContactError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(error) => reader.wrong(&node.span, format!("{what}: {error}"), None),
    }
}

fn read_surface(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str) -> Option<Surface> {
    let node = fields.must(reader, key)?;
    let mut surface = Fields::new(reader, node, format!("`{key}` of {}", fields.what))?;
    let frame = read_frame(reader, &mut surface);
    let shape = read_shape(reader, &mut surface);
    let solid = shape.as_ref().and_then(|shape| read_solid(reader, &mut surface, shape));
    // the valid keys depend on the shape, which is unknown
    if shape.is_some() {
        surface.finish(reader);
    }
    Some(Surface { frame: frame?, shape: shape?, solid: solid? })
}

fn read_law_parameters(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    hertz_stiffness: Option<Option<f64>>,
) -> Option<LawParameters> {
    let defaults = LawParameters::default();
    let one = Expected::of(Dimension::ONE);
    // unit N/m^n, since force laws have any exponent n
    let stiffness = match hertz_stiffness {
        Some(None) => fields.number(reader, "stiffness", Expected::ANY.positive()),
        computed => {
            fields.maybe_number(reader, "stiffness", Expected::ANY.positive());
            computed.flatten()
        }
    };
    let exponent = fields.number_or(reader, "exponent", one.positive(), defaults.exponent);
    let restitution = fields.number_or(reader, "restitution", one.not_negative(), defaults.restitution);
    let damping = fields.maybe_number(reader, "damping", Expected::of(Dimension::DAMPING).not_negative());
    let depth = Expected::of(Dimension::LENGTH).not_negative();
    let full_damping_depth = fields.number_or(reader, "full_damping_depth", depth, defaults.full_damping_depth);
    let effective_mass = fields.maybe_number(reader, "effective_mass", Expected::of(Dimension::MASS).positive());
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

pub(super) fn read_friction(reader: &mut Reader<'_>, node: &Node, what: &str) -> Option<Friction> {
    let mut fields = Fields::new(reader, node, format!("`friction` of {what}"))?;
    let coefficient = Expected::of(Dimension::ONE).not_negative();
    let speed = Expected::of(Dimension::SPEED).positive();
    let static_coefficient = fields.number(reader, "static", coefficient);
    let dynamic_coefficient = fields.number(reader, "dynamic", coefficient);
    let stiction_speed = fields.number(reader, "stiction_speed", speed);
    let friction_speed = fields.number(reader, "friction_speed", speed);
    fields.finish(reader);
    let friction = Friction::new(static_coefficient?, dynamic_coefficient?, stiction_speed?, friction_speed?);
    made(reader, node, what, friction)
}
