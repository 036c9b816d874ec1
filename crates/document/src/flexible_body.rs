//! `flexible` of a `[[body]]`: the description of a flexible body.

use super::bone::read_solid;
use super::fields::Fields;
use super::measure_kind::CoordinateNature;
use super::node::{Node, Value};
use super::reader::{Expected, Kind, Reader};
use crate::error::StudyError;
use std::ops::Range;
use std::path::Path;
use wolff_bone::flexible::{FlexibleBody, FlexibleSource, Way};
use wolff_flexbody::FlexBodyFile;
use wolff_flexbody::beam::{Beam, BeamGauge, Direction, Shape, ShapeFunction};
use wolff_formula::quantity::{Dimension, Quantity};

const LENGTH: Expected = Expected::of(Dimension::LENGTH);

/// Maximum number of shapes of one kind.
const MOST_SHAPES: usize = 100;

/// Largest number of a mode that can be switched off.
const MOST_DISABLED: f64 = 10_000.0;

/// Maximum number of segments of a chain.
const MOST_SEGMENTS: usize = 200;

/// Default number of segments of a chain.
const DEFAULT_SEGMENTS: usize = 12;

/// Reads the table `flexible` of the body `name`.
pub(crate) fn read_flexible(reader: &mut Reader<'_>, node: &Node, name: String) -> Option<FlexibleBody> {
    let what = format!("`flexible` of body `{name}`");
    let mut fields = Fields::new(reader, node, what)?;
    let source = match fields.choice(reader, "kind", &["beam", "bone", "mesh", "file"])?.as_str() {
        "beam" => read_beam(reader, &mut fields, &name),
        "file" => read_body_file(reader, &mut fields),
        solid => read_solid(reader, &mut fields, solid).map(|recipe| FlexibleSource::Solid(Box::new(recipe))),
    };
    let damping = fields.number_or(reader, "damping_ratio", Expected::of(Dimension::ONE).not_negative(), 0.0);
    let eta = fields.numbers_or_none(reader, "eta", Expected::ANY);
    let eta_dot = fields.numbers_or_none(reader, "eta_dot", Expected::ANY);
    let disabled = read_disabled(reader, &mut fields);
    let way = read_way(reader, &mut fields);
    let strain_energy = read_share(reader, &mut fields);
    let what = fields.what.clone();
    fields.finish(reader);
    let (source, way, eta, eta_dot) = (source?, way?, eta?, eta_dot?);
    let disabled = disabled?;
    if way.needs_solid() && !matches!(source, FlexibleSource::Solid(_)) {
        let help = Some("use `floating-frame` or `rigid`, or give a `bone` or a `mesh`".into());
        return reader.wrong(&node.span, format!("{what}: this `way` requires a solid"), help);
    }
    if way != Way::FloatingFrame && !(eta.is_empty() && eta_dot.is_empty()) {
        return reader.wrong(
            &node.span,
            format!("{what}: initial modal coordinates are supported only for the way `floating-frame`"),
            None,
        );
    }
    define_parts(reader, &name, (&source, way, disabled.len()), &node.span);
    Some(FlexibleBody {
        name,
        source,
        way,
        damping_ratio: damping?,
        strain_energy: strain_energy?,
        disabled,
        eta,
        eta_dot,
        cache: None,
    })
}

/// `disabled_modes`: numbers from 1, or names such as \"mode3\"; a zero switches nothing off.
fn read_disabled(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Vec<usize>> {
    let Some(node) = fields.maybe("disabled_modes") else { return Some(Vec::new()) };
    let label = format!("`disabled_modes` of {}", fields.what);
    let Value::Array(items) = &node.value else {
        return reader.wrong_kind(node, &label, "an array of numbers, or of names such as \"mode3\"");
    };
    let mut disabled = Vec::new();
    for item in items {
        let named = match &item.value {
            Value::Text(text) => text.strip_prefix("mode").and_then(|number| number.parse::<usize>().ok()),
            _ => None,
        };
        let number = match named {
            Some(number) => number as f64,
            None => reader.number(item, &label, Expected::of(Dimension::ONE).not_negative())?,
        };
        if number.fract() != 0.0 || number > MOST_DISABLED {
            return reader.wrong(&item.span, format!("{label} contains {number}, which is no number of a mode"), None);
        }
        if number > 0.0 && !disabled.contains(&(number as usize - 1)) {
            disabled.push(number as usize - 1);
        }
    }
    Some(disabled)
}

/// `strain_energy`: the fraction of the strain energy that the selected modes must contain.
fn read_share(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Option<f64>> {
    let Some(node) = fields.maybe("strain_energy") else { return Some(None) };
    let label = format!("`strain_energy` of {}", fields.what);
    match reader.number(node, &label, Expected::of(Dimension::ONE).positive())? {
        fraction if fraction <= 1.0 => Some(Some(fraction)),
        fraction => {
            reader.wrong(&node.span, format!("{label} is {fraction}; it is a fraction and must be at most 1"), None)
        }
    }
}

/// `way` and the number of `segments`.
fn read_way(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Way> {
    let way = fields.choice_or(reader, "way", &Way::WORDS, Way::WORDS[0]);
    let segments = fields.whole_or(reader, "segments", [2, MOST_SEGMENTS], DEFAULT_SEGMENTS);
    Way::from_word(&way?, segments?)
}

/// Reads a flexible body from a text of its own, whose root has the keys of `flexible` of a `[[body]]`; the files that
/// it names are looked up in `base_dir`.
///
/// # Errors
/// With every mistake and its place.
pub fn parse_flexible_body(file: &str, text: &str, base_dir: &Path, name: &str) -> Result<FlexibleBody, StudyError> {
    let mut diagnostics = Vec::new();
    let root = super::node::parse(text, &mut diagnostics);
    let mut reader = Reader::new(text);
    reader.base_dir = base_dir.into();
    let body = read_flexible(&mut reader, &root, name.into());
    diagnostics.append(&mut reader.diagnostics);
    match body {
        Some(body) if diagnostics.is_empty() => Ok(body),
        _ => Err(StudyError::new(file, text, diagnostics)),
    }
}

/// Registers the names of nodes, gauges and modal coordinates, which frames and measures may use.
fn define_parts(
    reader: &mut Reader<'_>,
    body: &str,
    (source, way, disabled): (&FlexibleSource, Way, usize),
    span: &Range<usize>,
) {
    let mut parts = Parts::of(source);
    parts.modes = parts.modes.saturating_sub(disabled);
    if way != Way::FloatingFrame {
        parts.modes = 0;
    }
    for node in std::iter::once("base").chain(parts.nodes.iter().map(String::as_str)) {
        reader.define(Kind::Body, &format!("{body}.{node}"), span);
    }
    for gauge in &parts.gauges {
        reader.define(Kind::Gauge, &format!("{body}.{gauge}"), span);
    }
    let mut known_later = |name: String| {
        reader.names.numbers.insert(name, Quantity { value: f64::NAN, dimension: None });
    };
    known_later(mass_name(body));
    (1..=parts.modes).for_each(|mode| known_later(frequency_name(body, mode)));
    for mode in 1..=parts.modes {
        let name = format!("{body}.mode{mode}");
        reader.define(Kind::Coordinate, &name, span);
        reader.coordinates.insert(name, CoordinateNature::Modal);
    }
}

/// Name of the mass of a body in the results.
pub fn mass_name(body: &str) -> String {
    format!("{body}.mass_kg")
}

/// Name of the natural frequency of a mode in the results; modes are numbered from 1.
pub fn frequency_name(body: &str, mode: usize) -> String {
    format!("{body}.frequency{mode}_hz")
}

/// Names of the parts of a flexible body and its number of modes, as far as they are known before it is built.
struct Parts {
    nodes: Vec<String>,
    gauges: Vec<String>,
    modes: usize,
}

impl Parts {
    fn of(source: &FlexibleSource) -> Self {
        match source {
            FlexibleSource::Beam { beam, nodes, gauges } => Parts {
                nodes: nodes.iter().map(|(name, _)| name.clone()).collect(),
                gauges: gauges.iter().map(|g| g.name.clone()).collect(),
                modes: beam.shapes.len(),
            },
            FlexibleSource::Solid(recipe) => Parts {
                nodes: recipe
                    .interfaces
                    .iter()
                    .map(|i| &i.name)
                    .chain(recipe.points.iter().map(|p| &p.0))
                    .cloned()
                    .collect(),
                gauges: recipe.gauges.iter().map(|(name, _)| name.clone()).collect(),
                modes: recipe.mode_count(),
            },
            FlexibleSource::File(file) => Parts {
                nodes: file.body.nodes.iter().skip(1).map(|n| n.name.clone()).collect(),
                gauges: file.body.gauges.iter().map(|g| g.name.clone()).collect(),
                modes: file.body.modes(),
            },
        }
    }
}

/// A body that was reduced before: `path` of its file.
fn read_body_file(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<FlexibleSource> {
    let node = fields.must(reader, "path")?;
    let path = reader.name(node, "`path`")?;
    match FlexBodyFile::load(reader.base_dir.join(&path)) {
        Ok(file) => Some(FlexibleSource::File(Box::new(file))),
        Err(e) => reader.wrong(&node.span, e.to_string(), None),
    }
}

fn read_beam(reader: &mut Reader<'_>, fields: &mut Fields<'_>, name: &str) -> Option<FlexibleSource> {
    let bending = Expected::of(Dimension::FORCE.times(Dimension::LENGTH, 2.0)).not_negative();
    let axial = Expected::of(Dimension::FORCE).not_negative();
    let line = Dimension::MASS.times(Dimension::LENGTH, -1.0);
    let section = Expected::of(Dimension::MASS.times(Dimension::LENGTH, 1.0)).not_negative();
    let pressure = Dimension::FORCE.times(Dimension::LENGTH, -2.0);
    let length = fields.number(reader, "length", LENGTH.positive());
    let mass = fields.number(reader, "mass_per_length", Expected::of(line).positive());
    let axial = fields.number_or(reader, "axial_stiffness", axial, 0.0);
    let bending = pair(reader, fields, "bending_stiffness", bending);
    let section = pair(reader, fields, "section_inertia", section);
    let young = fields.number_or(reader, "young", Expected::of(pressure).not_negative(), 0.0);
    let stiffening = fields.choice_or(reader, "stiffening", &["off", "on"], "off");
    let factor = fields.number_or(reader, "axial_inertia_factor", Expected::of(Dimension::ONE).positive(), 1.0);
    let shapes = read_shapes(reader, fields);
    let nodes = read_nodes(reader, fields);
    let gauges = read_gauges(reader, fields, name);
    let beam = Beam {
        length: length?,
        mass_per_length: mass?,
        axial_stiffness: axial?,
        bending_stiffness: bending?,
        section_inertia: section?,
        young: young?,
        shapes: shapes?,
        stiffening: stiffening? == "on",
        axial_inertia_factor: factor?,
    };
    Some(FlexibleSource::Beam { beam, nodes: nodes?, gauges: gauges? })
}

/// Values along y and z: two numbers, or one for both; zero where the key is omitted.
fn pair(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str, expected: Expected) -> Option<[f64; 2]> {
    let Some(node) = fields.maybe(key) else { return Some([0.0; 2]) };
    let label = format!("`{key}` of {}", fields.what);
    if let Value::Array(_) = node.value {
        let values = reader.numbers(node, &label, expected)?;
        return match values[..] {
            [y, z] => Some([y, z]),
            _ => reader.wrong(&node.span, format!("{label} has {} numbers, must have 2 (y, z)", values.len()), None),
        };
    }
    reader.number(node, &label, expected).map(|both| [both; 2])
}

/// `shapes = [{ direction, function, count }]`.
fn read_shapes(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Vec<Shape>> {
    let node = fields.must(reader, "shapes")?;
    let label = format!("`shapes` of {}", fields.what);
    let Value::Array(items) = &node.value else {
        return reader.wrong_kind(node, &label, "an array of tables with `direction`, `function` and `count`");
    };
    let mut shapes = Vec::new();
    for item in items {
        let mut fields = Fields::new(reader, item, format!("an entry of {label}"))?;
        let direction = fields.choice(reader, "direction", &["axial", "y", "z"]);
        let function = fields.choice(reader, "function", &["sine", "quarter-sine", "cantilever", "quadratic"]);
        let count = fields.whole_or(reader, "count", [0, MOST_SHAPES], 1);
        fields.finish(reader);
        let direction = match direction?.as_str() {
            "axial" => Direction::Axial,
            "y" => Direction::Y,
            _ => Direction::Z,
        };
        shapes.extend(functions(&function?, count?).into_iter().map(|function| Shape { direction, function }));
    }
    Some(shapes)
}

/// The first `count` functions of a family; the quadratic family always has two.
fn functions(family: &str, count: usize) -> Vec<ShapeFunction> {
    match family {
        "sine" => (1..=count).map(ShapeFunction::Sine).collect(),
        "quarter-sine" => (1..=count).map(ShapeFunction::QuarterSine).collect(),
        "cantilever" => (1..=count).map(ShapeFunction::Cantilever).collect(),
        _ => vec![ShapeFunction::QuadraticMiddle, ShapeFunction::QuadraticEnd],
    }
}

/// `nodes = { tip = 0.4 }`.
fn read_nodes(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Vec<(String, f64)>> {
    let Some(node) = fields.maybe("nodes") else { return Some(Vec::new()) };
    let Value::Table(entries) = &node.value else {
        return reader.wrong_kind(node, "`nodes`", "a table of names with distances from the start");
    };
    let read = |entry: &super::node::Entry| Some((entry.key.clone(), reader.number(&entry.node, &entry.key, LENGTH)?));
    entries.iter().map(read).collect()
}

/// `gauges = { mid = [x, y, z] }`.
fn read_gauges(reader: &mut Reader<'_>, fields: &mut Fields<'_>, body: &str) -> Option<Vec<BeamGauge>> {
    let Some(node) = fields.maybe("gauges") else { return Some(Vec::new()) };
    let Value::Table(entries) = &node.value else {
        return reader.wrong_kind(node, &format!("`gauges` of body `{body}`"), "a table of names with points");
    };
    let read = |entry: &super::node::Entry| {
        let position = reader.vector(&entry.node, &entry.key, LENGTH)?;
        Some(BeamGauge { name: entry.key.clone(), position })
    };
    entries.iter().map(read).collect()
}
