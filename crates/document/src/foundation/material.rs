//! The material of an elastic layer.

use super::super::contact::made;
use super::super::fields::Fields;
use super::super::reader::{Expected, Reader};
use wolff_contact::foundation::{LayerMaterial, Reading, Strain};
use wolff_formula::quantity::Dimension;

/// `strain`, `elasticity` and the numbers that belong to them.
pub(super) fn read_material(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<LayerMaterial> {
    let one = Expected::of(Dimension::ONE);
    let pressure = Expected::of(Dimension::FORCE.times(Dimension::LENGTH, -2.0)).positive();
    let slowness = Expected::of(Dimension::ONE.times(Dimension::SPEED, -1.0)).not_negative();
    let strain = fields.choice_or(reader, "strain", &["small", "large"], "small");
    let words = ["linear", "nonlinear", "secant", "uniaxial"];
    let elasticity = fields.choice_or(reader, "elasticity", &words, "linear");
    let young = fields.maybe_number(reader, "young", pressure);
    let poisson = fields.number(reader, "poisson", one);
    let strain0 = fields.maybe_number(reader, "reference_strain", one.positive());
    let stress0 = fields.maybe_number(reader, "reference_stress", pressure);
    let exponent = fields.number_or(reader, "exponent", one.positive(), 3.0);
    let damping = fields.number_or(reader, "damping", slowness, 0.0);
    let strain = if strain? == "large" { Strain::Large } else { Strain::Small };
    let (elasticity, poisson, exponent, damping) = (elasticity?, poisson?, exponent?, damping?);
    let reading = match elasticity.as_str() {
        "linear" => None,
        "secant" => Some(Reading::Secant),
        "uniaxial" => Some(Reading::Uniaxial),
        _ => Some(Reading::Tangent),
    };
    // a number that is given but wrong has been reported
    if young.is_none() && fields.node.get("young").is_some() {
        return None;
    }
    let material = match (reading, young, strain0.zip(stress0)) {
        (None, Some(young), _) => LayerMaterial::linear(young, poisson, strain),
        (Some(reading), _, Some((e0, s0))) => LayerMaterial::nonlinear((e0, s0, exponent), poisson, reading, strain),
        _ => {
            let need = if reading.is_none() { "`young`" } else { "`reference_strain` and `reference_stress`" };
            let message = format!("{}: the elasticity \"{elasticity}\" requires {need}", fields.what);
            return reader.wrong(&fields.node.span, message, None);
        }
    };
    made(reader, fields.node, &fields.what, material.and_then(|m| m.with_damping(damping)))
}
