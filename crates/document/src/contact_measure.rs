//! Measures of contacts, ligaments and other elements that pull along a line.

use super::fields::Fields;
use super::measure::read_component;
use super::measure_kind::{Component, MeasureKind};
use super::reader::{Kind, Reader};
use wolff_formula::quantity::Dimension;

/// Measured quantity of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactQuantity {
    /// Indentation, negative while open.
    Depth,
    /// Rate of the indentation.
    Rate,
    /// Normal force of all layers.
    Force,
    /// Normal force of the layer below the surface.
    SubsurfaceForce,
    /// Number of separate places where the shapes overlap.
    Places,
    /// The point nearest to or deepest in the other shape, in the frame of its own shape.
    Point {
        /// On shape B instead of A.
        on_b: bool,
        /// Which component.
        component: Component,
    },
}

/// Measured quantity of a ligament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LigamentQuantity {
    /// Length of its path.
    Length,
    /// Strain.
    Strain,
    /// Tension, the sum of the elastic and the damping part.
    Tension,
}

/// Measured quantity of a spring, line force or ligament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StretchQuantity {
    /// Tension, positive where it pulls.
    Tension,
    /// Length.
    Length,
    /// Rate of the length.
    Rate,
}

/// The kinds of measures of springs, line forces and ligaments.
pub(super) const STRETCH_KINDS: [&str; 3] = ["tension", "length", "length-rate"];

/// The kinds of contact measures.
pub(super) const CONTACT_KINDS: [&str; 6] =
    ["contact-depth", "contact-rate", "contact-force", "subsurface-force", "contact-places", "contact-point"];

/// The kinds of ligament measures.
pub(super) const LIGAMENT_KINDS: [&str; 3] = ["ligament-length", "ligament-strain", "ligament-tension"];

type Found = Option<(MeasureKind, Option<Dimension>)>;

pub(super) fn read_contact_measure(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: &str) -> Found {
    let contact = fields.mention(reader, "of", Kind::Contact);
    let (quantity, dimension) = match kind {
        "contact-depth" => (ContactQuantity::Depth, Some(Dimension::LENGTH)),
        "contact-rate" => (ContactQuantity::Rate, Some(Dimension::SPEED)),
        "contact-force" => (ContactQuantity::Force, Some(Dimension::FORCE)),
        "subsurface-force" => (ContactQuantity::SubsurfaceForce, Some(Dimension::FORCE)),
        "contact-places" => (ContactQuantity::Places, None),
        _ => {
            let on = fields.choice(reader, "on", &["a", "b"]);
            let component = read_component(reader, fields);
            (ContactQuantity::Point { on_b: on? == "b", component: component? }, Some(Dimension::LENGTH))
        }
    };
    Some((MeasureKind::Contact(contact?, quantity), dimension))
}

pub(super) fn read_ligament_measure(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: &str) -> Found {
    let ligament = fields.mention(reader, "of", Kind::Force)?;
    let (quantity, dimension) = match kind {
        "ligament-length" => (LigamentQuantity::Length, Some(Dimension::LENGTH)),
        "ligament-strain" => (LigamentQuantity::Strain, None),
        _ => (LigamentQuantity::Tension, Some(Dimension::FORCE)),
    };
    Some((MeasureKind::Ligament(ligament, quantity), dimension))
}

pub(super) fn read_stretch_measure(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: &str) -> Found {
    let force = fields.mention(reader, "of", Kind::Force)?;
    let (quantity, dimension) = match kind {
        "tension" => (StretchQuantity::Tension, Dimension::FORCE),
        "length" => (StretchQuantity::Length, Dimension::LENGTH),
        _ => (StretchQuantity::Rate, Dimension::SPEED),
    };
    Some((MeasureKind::Stretch(force, quantity), Some(dimension)))
}
