//! Measures of elastic foundations.

use super::super::fields::Fields;
use super::super::measure::read_component;
use super::super::measure_kind::{Component, MeasureKind};
use super::super::reader::{Kind, Reader};
use wolff_contact::foundation::PatchResult;
use wolff_formula::quantity::Dimension;

/// Measured quantity of a foundation or of one of its compartments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundationQuantity {
    /// Sum of the normal forces, regardless of their directions.
    NormalForce,
    /// Force on the moving body in the axes of the fixed frame.
    Force(Component),
    /// Moment of this force about the origin of the fixed frame.
    Torque(Component),
    /// Maximum pressure.
    PeakPressure,
    /// Mean pressure over the area in contact.
    MeanPressure,
    /// Area in contact.
    Area,
    /// Centre of pressure in the fixed frame; its origin without contact.
    Centre(Component),
    /// Maximum overlap divided by the thickness.
    PeakStrain,
    /// Number of elements in contact.
    Active,
}

impl FoundationQuantity {
    /// SI value of this quantity in a result.
    pub fn of(self, patch: &PatchResult) -> f64 {
        match self {
            FoundationQuantity::NormalForce => patch.normal_force,
            FoundationQuantity::Force(component) => component.of(&patch.on_moving.f),
            FoundationQuantity::Torque(component) => component.of(&patch.on_moving.n),
            FoundationQuantity::PeakPressure => patch.peak_pressure,
            FoundationQuantity::MeanPressure => patch.mean_pressure(),
            FoundationQuantity::Area => patch.area,
            FoundationQuantity::Centre(component) => component.of(&patch.centre_of_pressure().unwrap_or_default()),
            FoundationQuantity::PeakStrain => patch.peak_strain,
            FoundationQuantity::Active => patch.active as f64,
        }
    }
}

/// The words for the quantities.
const QUANTITIES: [&str; 9] = [
    "normal-force",
    "force",
    "torque",
    "peak-pressure",
    "mean-pressure",
    "area",
    "centre",
    "peak-strain",
    "active-elements",
];

/// `of` a foundation, `quantity`, optionally a `compartment`, `axis` where the quantity has components.
pub(crate) fn read_foundation_measure(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
) -> Option<(MeasureKind, Option<Dimension>)> {
    let foundation = fields.mention(reader, "of", Kind::Foundation);
    let compartment = match fields.maybe("compartment") {
        Some(node) => Some(reader.name(node, "`compartment`")?),
        None => None,
    };
    let pressure = Some(Dimension::FORCE.times(Dimension::LENGTH, -2.0));
    let (quantity, dimension) = match fields.choice(reader, "quantity", &QUANTITIES)?.as_str() {
        "normal-force" => (FoundationQuantity::NormalForce, Some(Dimension::FORCE)),
        "force" => (FoundationQuantity::Force(read_component(reader, fields)?), Some(Dimension::FORCE)),
        "torque" => (FoundationQuantity::Torque(read_component(reader, fields)?), Some(Dimension::TORQUE)),
        "peak-pressure" => (FoundationQuantity::PeakPressure, pressure),
        "mean-pressure" => (FoundationQuantity::MeanPressure, pressure),
        "area" => (FoundationQuantity::Area, Some(Dimension::LENGTH.times(Dimension::LENGTH, 1.0))),
        "centre" => (FoundationQuantity::Centre(read_component(reader, fields)?), Some(Dimension::LENGTH)),
        "peak-strain" => (FoundationQuantity::PeakStrain, None),
        _ => (FoundationQuantity::Active, None),
    };
    Some((MeasureKind::Foundation { foundation: foundation?, compartment, quantity }, dimension))
}
