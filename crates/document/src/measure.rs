//! `[[measure]]`: the columns of the time series; each name ends with its unit.

use super::contact_measure::{CONTACT_KINDS, LIGAMENT_KINDS, STRETCH_KINDS};
use super::contact_measure::{read_contact_measure, read_ligament_measure, read_stretch_measure};
use super::fields::Fields;
use super::foundation::read_foundation_measure;
use super::measure_kind::{Component, CoordinateNature, EnergyPart, Measure, MeasureKind, StrainComponent};
use super::model::read_frame;
use super::node::Node;
use super::reader::{Kind, Reader};
use wolff_formula::expression::{Expression, TermKind};
use wolff_formula::quantity::{Dimension, parse_unit};

/// The kinds of measures.
const KINDS: [&str; 30] = [
    "coordinate",
    "speed",
    "acceleration",
    "point",
    "velocity",
    "angular-velocity",
    "quaternion",
    "centre-of-mass",
    "energy",
    CONTACT_KINDS[0],
    CONTACT_KINDS[1],
    CONTACT_KINDS[2],
    CONTACT_KINDS[3],
    CONTACT_KINDS[4],
    CONTACT_KINDS[5],
    LIGAMENT_KINDS[0],
    LIGAMENT_KINDS[1],
    LIGAMENT_KINDS[2],
    STRETCH_KINDS[0],
    STRETCH_KINDS[1],
    STRETCH_KINDS[2],
    "foundation",
    "constraint-drift",
    "multiplier",
    "strain",
    "strain-rate",
    "stress",
    "joint-force",
    "joint-torque",
    "formula",
];

/// Endings of names and their units, longer endings first.
const SUFFIXES: [(&str, &str); 31] = [
    ("_microstrain_s", "microstrain/s"),
    ("_microstrain", "microstrain"),
    ("_mm2", "mm^2"),
    ("_cm2", "cm^2"),
    ("_rad_s2", "rad/s^2"),
    ("_deg_s2", "deg/s^2"),
    ("_mm_s2", "mm/s^2"),
    ("_m_s2", "m/s^2"),
    ("_rad_s", "rad/s"),
    ("_deg_s", "deg/s"),
    ("_mm_s", "mm/s"),
    ("_m_s", "m/s"),
    ("_n_m", "N m"),
    ("_rpm", "rpm"),
    ("_rad", "rad"),
    ("_deg", "deg"),
    ("_mpa", "MPa"),
    ("_kpa", "kPa"),
    ("_pa", "Pa"),
    ("_kn", "kN"),
    ("_kg", "kg"),
    ("_cm", "cm"),
    ("_mm", "mm"),
    ("_um", "um"),
    ("_ms", "ms"),
    ("_us", "us"),
    ("_n", "N"),
    ("_m", "m"),
    ("_j", "J"),
    ("_w", "W"),
    ("_s", "s"),
];
/// Words for [`StrainComponent`].
const STRAIN_COMPONENTS: [(&str, StrainComponent); 8] = [
    ("axial", StrainComponent::Axial),
    ("transverse", StrainComponent::Transverse),
    ("normal", StrainComponent::Normal),
    ("shear", StrainComponent::Shear),
    ("maximum", StrainComponent::Maximum),
    ("minimum", StrainComponent::Minimum),
    ("maximum-shear", StrainComponent::MaximumShear),
    ("von-mises", StrainComponent::VonMises),
];

/// Reads one `[[measure]]`.
pub(crate) fn read_measure(reader: &mut Reader<'_>, node: &Node) -> Option<Measure> {
    let (mut fields, name) = Fields::named(reader, node, Kind::Measure)?;
    let kind = fields.choice(reader, "kind", &KINDS)?;
    let found = match kind.as_str() {
        "coordinate" | "speed" | "acceleration" => read_coordinate(reader, &mut fields, &kind),
        "energy" => read_energy(reader, &mut fields).map(|k| (k, Some(Dimension::TORQUE))),
        kind if CONTACT_KINDS.contains(&kind) => read_contact_measure(reader, &mut fields, kind),
        kind if LIGAMENT_KINDS.contains(&kind) => read_ligament_measure(reader, &mut fields, kind),
        kind if STRETCH_KINDS.contains(&kind) => read_stretch_measure(reader, &mut fields, kind),
        "foundation" => read_foundation_measure(reader, &mut fields),
        "quaternion" => read_quaternion(reader, &mut fields).map(|k| (k, None)),
        "constraint-drift" => read_drift(reader, &mut fields).map(|k| (k, None)),
        "multiplier" => read_multiplier(reader, &mut fields).map(|k| (k, None)),
        "strain" | "strain-rate" | "stress" => read_strain(reader, &mut fields, &kind),
        "joint-force" | "joint-torque" => read_reaction(reader, &mut fields, &kind),
        "formula" => read_formula(reader, &mut fields).map(|k| (k, None)),
        "centre-of-mass" => {
            read_component(reader, &mut fields).map(|c| (MeasureKind::CentreOfMass(c), Some(Dimension::LENGTH)))
        }
        _ => read_at_frame(reader, &mut fields, &kind),
    };
    let span = fields.span_of("name");
    fields.finish(reader);
    let (kind, dimension) = found?;
    let unit_size = match dimension {
        None => 1.0,
        Some(dimension) => unit_size(reader, &name, dimension, &span)?,
    };
    Some(Measure { name, unit_size, kind })
}

/// Formulas are evaluated in the order of the file: each may use all other measures and the formulas before it.
pub(crate) fn check_order(reader: &mut Reader<'_>, measures: &[Measure]) {
    for (k, measure) in measures.iter().enumerate() {
        let MeasureKind::Formula(formula) = &measure.kind else { continue };
        let is_late =
            |name: &str| measures[k..].iter().any(|m| m.name == name && matches!(m.kind, MeasureKind::Formula(_)));
        let mut late = None;
        formula.root().visit(&mut |term| {
            if let TermKind::Name(name) = &term.kind
                && is_late(name)
            {
                late = Some(name.clone());
            }
        });
        if let Some(name) = late {
            let span = reader.defined.get(&(Kind::Measure, measure.name.clone())).cloned().unwrap_or(0..0);
            let message = format!("measure `{}` uses the formula `{name}`, which is evaluated after it", measure.name);
            reader.wrong::<()>(&span, message, Some(format!("place `{name}` before it")));
        }
    }
}

/// SI value of the unit at the end of a name.
fn unit_size(reader: &mut Reader<'_>, name: &str, expected: Dimension, span: &std::ops::Range<usize>) -> Option<f64> {
    let unit = SUFFIXES.iter().find(|(suffix, _)| name.ends_with(suffix)).map(|(_, unit)| *unit);
    match unit.and_then(parse_unit) {
        Some((size, dimension)) if dimension.equals(expected) => Some(size),
        _ => {
            let fits = |unit: &str| parse_unit(unit).is_some_and(|(_, d)| d.equals(expected));
            let fitting: Vec<&str> = SUFFIXES.iter().filter(|(_, unit)| fits(unit)).map(|(s, _)| *s).collect();
            let message =
                format!("measure `{name}` is {}; its name must end with a unit of this quantity", expected.describe());
            reader.wrong(span, message, Some(format!("valid endings: {}", fitting.join(", "))))
        }
    }
}

type Found = Option<(MeasureKind, Option<Dimension>)>;

fn read_coordinate(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: &str) -> Found {
    let name = fields.mention(reader, "of", Kind::Coordinate)?;
    // an unknown name has been reported by `mention`
    let nature = *reader.coordinates.get(&name)?;
    if nature == CoordinateNature::Modal {
        return Some(match kind {
            "coordinate" => (MeasureKind::Coordinate(name), None),
            "speed" => (MeasureKind::Speed(name), None),
            _ => (MeasureKind::Acceleration(name), None),
        });
    }
    let base = if nature == CoordinateNature::Length { Dimension::LENGTH } else { Dimension::ANGLE };
    let dimension = |power: f64| Some(base.times(Dimension::TIME, power));
    Some(match kind {
        "coordinate" if nature == CoordinateNature::AngularVelocity => {
            let help = Some("use the kind \"quaternion\", or \"speed\"".into());
            return reader.wrong(
                &fields.span_of("of"),
                format!("`{name}` is a component of an angular velocity, which is not the rate of a coordinate"),
                help,
            );
        }
        "coordinate" => (MeasureKind::Coordinate(name), dimension(0.0)),
        "speed" => (MeasureKind::Speed(name), dimension(-1.0)),
        _ => (MeasureKind::Acceleration(name), dimension(-2.0)),
    })
}

pub(super) fn read_component(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Component> {
    Some(match fields.choice(reader, "axis", &["x", "y", "z", "norm"])?.as_str() {
        "x" => Component::X,
        "y" => Component::Y,
        "z" => Component::Z,
        _ => Component::Norm,
    })
}

fn read_at_frame(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: &str) -> Found {
    let frame = read_frame(reader, fields);
    let component = read_component(reader, fields);
    match kind {
        "point" => Some((MeasureKind::Point(frame?, component?), Some(Dimension::LENGTH))),
        "velocity" => Some((MeasureKind::Velocity(frame?, component?), Some(Dimension::SPEED))),
        _ => {
            let axes = fields.choice_or(reader, "axes", &["body", "ground"], "body");
            let in_ground = axes? == "ground";
            let kind = MeasureKind::AngularVelocity { frame: frame?, component: component?, in_ground };
            Some((kind, Some(Dimension::ANGULAR_SPEED)))
        }
    }
}

fn read_quaternion(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<MeasureKind> {
    const COMPONENTS: [&str; 4] = ["w", "x", "y", "z"];
    let joint = fields.mention(reader, "of", Kind::Joint);
    let axis = fields.choice(reader, "axis", &COMPONENTS)?;
    let joint = joint?;
    if reader.defined.contains_key(&(Kind::Joint, joint.clone())) && !reader.quaternion_joints.contains(&joint) {
        let help = Some("use the kind \"coordinate\"".into());
        return reader.wrong(&fields.span_of("of"), format!("joint `{joint}` has no quaternion"), help);
    }
    Some(MeasureKind::Quaternion(joint, COMPONENTS.iter().position(|c| *c == axis)?))
}

fn read_energy(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<MeasureKind> {
    let part = fields.choice_or(reader, "of", &["total", "kinetic", "potential", "elastic"], "total")?;
    Some(MeasureKind::Energy(match part.as_str() {
        "elastic" => EnergyPart::Elastic,
        "kinetic" => EnergyPart::Kinetic,
        "potential" => EnergyPart::Potential,
        _ => EnergyPart::Total,
    }))
}

fn read_strain(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: &str) -> Found {
    let gauge = fields.mention(reader, "of", Kind::Gauge);
    let word = fields.choice_or(reader, "component", &STRAIN_COMPONENTS.map(|(word, _)| word), "axial")?;
    let component = STRAIN_COMPONENTS.iter().find(|(w, _)| *w == word).map(|(_, component)| *component)?;
    let gauge = gauge?;
    let pressure = Dimension::FORCE.times(Dimension::LENGTH, -2.0);
    Some(match kind {
        "strain" => (MeasureKind::Strain { gauge, component, rate: false }, Some(Dimension::ONE)),
        "strain-rate" => (MeasureKind::Strain { gauge, component, rate: true }, Some(Dimension::RATE)),
        _ => (MeasureKind::Stress(gauge, component), Some(pressure)),
    })
}

fn read_reaction(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: &str) -> Found {
    let joint = fields.mention(reader, "of", Kind::Joint);
    let component = read_component(reader, fields);
    let moment = kind == "joint-torque";
    let dimension = if moment { Dimension::TORQUE } else { Dimension::FORCE };
    Some((MeasureKind::Reaction { joint: joint?, component: component?, moment }, Some(dimension)))
}

fn read_drift(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<MeasureKind> {
    let level = fields.choice_or(reader, "of", &["position", "velocity"], "position");
    let only = fields.names_or_none(reader, "only");
    let span = fields.span_of("only");
    let only = only?;
    only.iter().for_each(|name| reader.mention(Kind::Constraint, name, &span));
    Some(MeasureKind::ConstraintDrift { rate: level? == "velocity", only })
}

fn read_multiplier(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<MeasureKind> {
    let constraint = fields.mention(reader, "of", Kind::Constraint);
    let row = fields.whole_or(reader, "row", [1, 6], 1);
    Some(MeasureKind::Multiplier(constraint?, row? - 1))
}

fn read_formula(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<MeasureKind> {
    let node = fields.must(reader, "of")?;
    let what = format!("`of` of {}", fields.what);
    let text = reader.text(node, &what)?;
    match Expression::parse(text) {
        Ok(formula) => {
            reader.formulas.push((formula.clone(), node.clone(), what));
            Some(MeasureKind::Formula(formula))
        }
        Err(error) => reader.wrong_formula(node, text, &what, &error),
    }
}
