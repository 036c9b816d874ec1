//! Flexible solids: parametric bones and meshes, their material, interfaces, points and gauges.

use super::fields::Fields;
use super::node::{Entry, Node, Value};
use super::reader::{Expected, Reader};
use wolff_bone::flexible::{
    GaugeRequest, Interface, InterfaceKind, MATERIALS, MaterialChoice, Recipe, SolidSource, Solver, Transverse,
};
use wolff_bone::parametric::{Bone, BoneKind, Density, Landmark, Sex, Side, TubeEnd};
use wolff_fem::reduce::Selection;
use wolff_formula::quantity::Dimension;
use wolff_spatial::Vec3;

const LENGTH: Expected = Expected::of(Dimension::LENGTH);
const NUMBER: Expected = Expected::of(Dimension::ONE);

/// Maximum number of modes.
const MOST_MODES: usize = 500;

/// Reads the keys of a solid: `bone` or `mesh`.
pub(crate) fn read_solid(reader: &mut Reader<'_>, fields: &mut Fields<'_>, kind: &str) -> Option<Recipe> {
    let solid = match kind {
        "bone" => read_bone(reader, fields).map(SolidSource::Bone),
        _ => read_mesh(reader, fields),
    };
    let material = read_material(reader, fields);
    let mass = fields.maybe_number(reader, "mass", Expected::of(Dimension::MASS).positive());
    let kind = fields.choice_or(reader, "interface", &["rigid", "average", "free"], "rigid");
    let interfaces = match &solid {
        Some(SolidSource::Bone(bone)) => Some(Recipe::bone_interfaces(bone)),
        _ => read_interfaces(reader, fields),
    };
    let points = read_points(reader, fields);
    let gauges = read_gauges(reader, fields);
    let solver = read_solver(reader, fields);
    let interface_kind = match kind?.as_str() {
        "average" => InterfaceKind::Average,
        "free" => InterfaceKind::Free,
        _ => InterfaceKind::Rigid,
    };
    Some(Recipe {
        solid: solid?,
        material: material?,
        mass,
        interfaces: if interface_kind == InterfaceKind::Free { Vec::new() } else { interfaces? },
        interface_kind,
        points: points?,
        gauges: gauges?,
        solver: solver?,
    })
}

fn read_bone(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Bone> {
    let name = fields.choice(reader, "bone", &["tube", "flared-tube", "tibia", "femur"])?;
    let sex = fields.choice_or(reader, "sex", &["male", "female"], "male");
    let side = fields.choice_or(reader, "side", &["right", "left"], "right");
    let length = fields.maybe_number(reader, "length", LENGTH.positive());
    let exponent = fields.number_or(reader, "section_exponent", NUMBER.not_negative(), 1.0);
    let refinement = fields.whole_or(reader, "refinement", [1, 8], 1);
    let kind = match name.as_str() {
        "tube" | "flared-tube" => {
            let inner = fields.number_or(reader, "inner_radius", LENGTH.positive(), 0.027);
            let outer = fields.number_or(reader, "outer_radius", LENGTH.positive(), 0.037);
            BoneKind::Tube { inner: inner?, outer: outer? }
        }
        other => {
            // where a parameter chooses the shape, the radii are those of the tube
            let given = fields.node.get("bone").map(|node| &node.value);
            if chosen_by_parameter(reader, given) {
                ["inner_radius", "outer_radius"].iter().for_each(|key| _ = fields.maybe(key));
            }
            if other == "tibia" { BoneKind::Tibia } else { BoneKind::Femur }
        }
    };
    let ends = read_ends(reader, fields, &name);
    let mut bone = Bone::new(kind, if sex? == "female" { Sex::Female } else { Sex::Male });
    bone = bone.stretched(length.unwrap_or(bone.length), exponent?);
    bone.side = if side? == "left" { Side::Left } else { Side::Right };
    bone.density = Density::default_for(kind).refined(refinement?);
    bone.ends = ends?;
    Some(bone)
}

/// Keys of the widened ends of a tube: outer and inner radius, and the part of the length that widens.
const ENDS: [[&str; 3]; 2] = [
    ["proximal_outer_radius", "proximal_inner_radius", "proximal_part"],
    ["distal_outer_radius", "distal_inner_radius", "distal_part"],
];

/// The widened ends of a `flared-tube`; other bones have none.
fn read_ends(reader: &mut Reader<'_>, fields: &mut Fields<'_>, name: &str) -> Option<Option<[TubeEnd; 2]>> {
    if name != "flared-tube" {
        let given = fields.node.get("bone").map(|node| &node.value);
        if chosen_by_parameter(reader, given) {
            ENDS.iter().flatten().for_each(|key| _ = fields.maybe(key));
        }
        return Some(None);
    }
    let [proximal, distal] = Bone::flared_tube().ends?;
    let mut end = |[outer, inner, part]: [&'static str; 3], default: TubeEnd| {
        let outer = fields.number_or(reader, outer, LENGTH.positive(), default.outer);
        let inner = fields.number_or(reader, inner, LENGTH.positive(), default.inner);
        let part = fields.number_or(reader, part, NUMBER.positive(), default.part);
        Some(TubeEnd { inner: inner?, outer: outer?, part: part? })
    };
    let ends = [end(ENDS[0], proximal), end(ENDS[1], distal)];
    let [Some(proximal), Some(distal)] = ends else { return None };
    Some(Some([proximal, distal]))
}

/// Whether a parameter chooses the shape; then keys of other shapes are left aside.
fn chosen_by_parameter(reader: &Reader<'_>, given: Option<&Value>) -> bool {
    matches!(given, Some(Value::Text(word)) if reader.words.contains_key(word))
}

fn read_mesh(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<SolidSource> {
    let path = fields.must(reader, "path").and_then(|node| {
        let is_folder = matches!(&node.value, Value::Text(path) if path.contains(['/', '\\']));
        match is_folder {
            true => {
                let help = "put the mesh into the folder of this file, and write its name only";
                reader.wrong(&node.span, "`path` must be a file beside this one", Some(help.into()))
            }
            false => reader.name(node, "`path`"),
        }
    });
    let part = fields.maybe("part").map(|node| reader.text(node, "`part`").map(String::from));
    let scale = fields.number_or(reader, "scale", NUMBER.positive(), 1.0);
    let axis = fields.direction(reader, "axis");
    let part = match part {
        Some(part) => Some(part?),
        None => None,
    };
    Some(SolidSource::Mesh { path: reader.base_dir.join(path?), part, scale: scale?, axis: axis? })
}

fn read_material(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<MaterialChoice> {
    let pressure = Expected::of(Dimension::FORCE.times(Dimension::LENGTH, -2.0));
    let density = Expected::of(Dimension::MASS.times(Dimension::LENGTH, -3.0));
    let name = fields.choice_or(reader, "material", &MATERIALS.map(|(name, _)| name), "cortical");
    let young = fields.number_or(reader, "young", pressure.positive(), 17e9);
    let poisson = fields.number_or(reader, "poisson", NUMBER, 0.3);
    let density = fields.maybe_number(reader, "density", density.positive());
    let transverse = read_transverse(reader, fields, pressure);
    Some(MaterialChoice { name: name?, young: young?, poisson: poisson?, transverse: transverse?, density })
}

/// Own constants of a transversely isotropic material; those that are omitted are of the material `cortical`.
fn read_transverse(reader: &mut Reader<'_>, fields: &mut Fields<'_>, pressure: Expected) -> Option<Transverse> {
    let cortical = Transverse::default();
    let young_axial = fields.number_or(reader, "young_axial", pressure.positive(), cortical.young_axial);
    let young_transverse = fields.number_or(reader, "young_transverse", pressure.positive(), cortical.young_transverse);
    let shear_axial = fields.number_or(reader, "shear_axial", pressure.positive(), cortical.shear_axial);
    let poisson_axial = fields.number_or(reader, "poisson_axial", NUMBER, cortical.poisson_axial);
    let poisson_transverse = fields.number_or(reader, "poisson_transverse", NUMBER, cortical.poisson_transverse);
    Some(Transverse {
        young_axial: young_axial?,
        young_transverse: young_transverse?,
        shear_axial: shear_axial?,
        poisson_axial: poisson_axial?,
        poisson_transverse: poisson_transverse?,
    })
}

fn read_solver(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Solver> {
    let fixed = fields.whole_or(reader, "fixed_modes", [0, MOST_MODES], 8);
    let count = fields.whole_or(reader, "modes", [0, MOST_MODES], 0);
    let up_to = fields.maybe_number(reader, "max_frequency", Expected::of(Dimension::RATE).positive());
    let converged = fields.maybe_number(reader, "gauge_tolerance", NUMBER.positive());
    let selection = match (count?, up_to, converged) {
        (0, None, None) => Selection::All,
        (0, Some(hertz), None) => Selection::UpTo(hertz),
        (0, None, Some(tolerance)) => Selection::GaugeConvergence { tolerance, loads: Vec::new() },
        (count, None, None) => Selection::Count(count),
        _ => {
            let message = format!("{}: choose one of `modes`, `max_frequency` and `gauge_tolerance`", fields.what);
            return reader.wrong(&fields.node.span, message, None);
        }
    };
    let relief = fields.choice_or(reader, "relief", &["off", "on"], "off");
    let stiffening = fields.choice_or(reader, "stiffening", &["off", "on"], "off");
    Some(Solver { selection, relief: relief? == "on", stiffening: stiffening? == "on", ..Solver::plain(fixed?) })
}

/// The entries of a table under a key; none where the key is omitted.
fn entries<'n>(reader: &mut Reader<'_>, fields: &mut Fields<'n>, key: &'static str) -> Option<&'n [Entry]> {
    match fields.maybe(key) {
        None => Some(&[]),
        Some(Node { value: Value::Table(entries), .. }) => Some(entries),
        Some(node) => reader.wrong_kind(node, &format!("`{key}` of {}", fields.what), "a table of names"),
    }
}

/// `interfaces = { knee = { set = "PROXIMAL", at = [0, 0, 0] } }`.
fn read_interfaces(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Vec<Interface>> {
    let mut interfaces = Vec::new();
    for entry in entries(reader, fields, "interfaces")? {
        let mut fields = Fields::new(reader, &entry.node, format!("interface `{}`", entry.key))?;
        let set = fields.name(reader, "set");
        let at = match fields.maybe("at") {
            Some(node) => Some(reader.vector(node, "`at`", LENGTH)?),
            None => None,
        };
        fields.finish(reader);
        interfaces.push(Interface { name: entry.key.clone(), set: set?, at });
    }
    Some(interfaces)
}

/// `points = { soleus = { at = [0, -0.1, 0], radius = "2 cm" } }`.
fn read_points(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Vec<(String, Vec3, f64)>> {
    let mut points = Vec::new();
    for entry in entries(reader, fields, "points")? {
        let mut fields = Fields::new(reader, &entry.node, format!("point `{}`", entry.key))?;
        let at = fields.vector_or_zero(reader, "at", LENGTH);
        let radius = fields.number_or(reader, "radius", LENGTH.not_negative(), 0.0);
        fields.finish(reader);
        points.push((entry.key.clone(), at?, radius?));
    }
    Some(points)
}

/// `gauges = { shin = { landmark = "anteromedial", fraction = 0.5 } }`.
fn read_gauges(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<Vec<(String, GaugeRequest)>> {
    let mut gauges = Vec::new();
    for entry in entries(reader, fields, "gauges")? {
        let mut fields = Fields::new(reader, &entry.node, format!("gauge `{}`", entry.key))?;
        let site = read_site(reader, &mut fields);
        fields.finish(reader);
        gauges.push((entry.key.clone(), site?));
    }
    Some(gauges)
}

fn read_site(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<GaugeRequest> {
    if let Some(node) = fields.maybe("at") {
        return reader.vector(node, &format!("`at` of {}", fields.what), LENGTH).map(GaugeRequest::Point);
    }
    let fraction = fields.number_or(reader, "fraction", NUMBER.not_negative(), 0.5);
    if let Some(node) = fields.maybe("angle") {
        let angle = reader.number(node, &format!("`angle` of {}", fields.what), Expected::of(Dimension::ANGLE));
        return Some(GaugeRequest::Around(fraction?, angle?));
    }
    let node = fields.must(reader, "landmark")?;
    match reader.text(node, &format!("`landmark` of {}", fields.what))?.parse::<Landmark>() {
        Ok(landmark) => Some(GaugeRequest::Landmark(landmark, fraction?)),
        Err(e) => reader.wrong(&node.span, format!("{}: {e}", fields.what), None),
    }
}
