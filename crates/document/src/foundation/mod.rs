//! `[[foundation]]`: elastic layers of two bodies in contact.

mod element_surface;
mod layer;
mod material;
mod measure;
mod surface;

pub use measure::FoundationQuantity;
pub(super) use measure::read_foundation_measure;

use super::contact::{made, read_friction};
use super::fields::Fields;
use super::model::frame_of;
use super::node::{Node, Value};
use super::reader::{Expected, Kind, Reader};
use element_surface::{GridSurface, read_grid_surface};
use layer::{Thickness, read_moving, read_thickness};
use material::read_material;
use std::sync::Arc;
use surface::{Articular, Axes, read_articular, read_axes};
use wolff_contact::foundation::{
    Along, Distance, ElementSet, ElementSurface, FoundationPair, FoundationSettings, Grid, Rule,
};
use wolff_formula::quantity::Dimension;
use wolff_geometry::Bounds;
use wolff_geometry::triangles::ShellReport;
use wolff_multibody::spec::FrameSpec;
use wolff_spatial::Vec3;

const LENGTH: Expected = Expected::of(Dimension::LENGTH);

/// Maximum number of elements of a compartment along a side.
const MOST_ELEMENTS: usize = 2000;

/// Maximum distance within which the back of a layer is searched \[m\].
const THICKEST_LAYER: f64 = 0.05;

/// An elastic foundation contact by names.
#[derive(Clone, Debug)]
pub struct FoundationSpec {
    /// Unique name.
    pub name: String,
    /// The frame of the elements.
    pub fixed: FrameSpec,
    /// The frame of the moving surface.
    pub moving: FrameSpec,
    /// Geometry, materials and method of the contact that acts.
    pub pair: Arc<FoundationPair>,
    /// The same contact with the elements on which pressures are reported.
    pub report: Arc<FoundationPair>,
    /// Remarks on its surfaces for the report.
    pub remarks: Vec<String>,
    /// Instants of which pressures are shown, besides the maximum load, increasing \[s\].
    pub map_times: Vec<f64>,
}

/// Reads one `[[foundation]]`.
pub(crate) fn read_foundation(reader: &mut Reader<'_>, node: &Node) -> Option<FoundationSpec> {
    let (mut fields, name) = Fields::named(reader, node, Kind::Foundation)?;
    let fixed = frame_of(reader, &mut fields, "fixed");
    let moving = frame_of(reader, &mut fields, "moving");
    let axes = read_axes(reader, &mut fields)?;
    let surface = fields.must(reader, "surface").and_then(|node| read_articular(reader, node, "`surface`", &axes));
    let compartments = read_compartments(reader, &mut fields, &name, &axes);
    let material = read_material(reader, &mut fields);
    let layer = read_moving(reader, &mut fields, &axes);
    let settings = read_settings(reader, &mut fields);
    let map_times = fields.numbers_or_none(reader, "map_times", Expected::of(Dimension::TIME).not_negative());
    fields.finish(reader);
    let mut map_times = map_times?;
    map_times.sort_by(f64::total_cmp);
    let (compartments, surface) = (compartments?, surface?);
    let (moving_layer, unmeasured) = layer?.on(reader, (node, &format!("foundation `{name}`")), &surface)?;
    let mut remarks: Vec<String> = surface.shells.iter().map(|shell| format!("moving surface: {shell}")).collect();
    remarks.extend(unmeasured);
    remarks.extend(compartments.iter().flat_map(|c| c.shells.iter().map(|shell| format!("fixed surface: {shell}"))));
    // compartments may use the same mesh
    let mut seen = std::collections::HashSet::new();
    remarks.retain(|remark| seen.insert(remark.clone()));
    let (coarse, fine): (Vec<_>, Vec<_>) = compartments.into_iter().map(|c| (c.acting, c.report)).unzip();
    let (surface, material) = (surface.surface, material?);
    let settings = FoundationSettings { moving_layer, ..settings? };
    let refined = fine.iter().any(Option::is_some);
    let fine = fine.into_iter().zip(&coarse).map(|(fine, coarse)| fine.unwrap_or_else(|| coarse.clone())).collect();
    let mut pair = |sets: Vec<ElementSet>| {
        let pair = FoundationPair::new(ElementSet::join(sets), surface.clone(), material, settings.clone());
        made(reader, node, &format!("foundation `{name}`"), pair).map(Arc::new)
    };
    let acting = pair(coarse)?;
    let report = if refined { pair(fine)? } else { acting.clone() };
    Some(FoundationSpec { name, fixed: fixed?, moving: moving?, pair: acting, report, remarks, map_times })
}

/// `distance`, `along`, `rule`, `friction`, `reuse_within`.
fn read_settings(reader: &mut Reader<'_>, fields: &mut Fields<'_>) -> Option<FoundationSettings> {
    let distance = fields.choice_or(reader, "distance", &["minimum", "ray"], "minimum");
    let along = fields.choice_or(reader, "along", &["midsurface", "fixed-normal", "moving-normal"], "midsurface");
    let rule = fields.choice_or(reader, "rule", &["adaptive", "centre"], "adaptive");
    let reuse_within = fields.number_or(reader, "reuse_within", LENGTH.not_negative(), 0.0);
    let friction = match fields.maybe("friction") {
        Some(node) => Some(read_friction(reader, node, &fields.what)?),
        None => None,
    };
    Some(FoundationSettings {
        distance: if distance? == "ray" { Distance::Ray } else { Distance::Minimum },
        along: match along?.as_str() {
            "fixed-normal" => Along::FixedNormal,
            "moving-normal" => Along::MovingNormal,
            _ => Along::Midsurface,
        },
        rule: if rule? == "centre" { Rule::Centre } else { Rule::Adaptive },
        reuse_within: reuse_within?,
        friction,
        ..FoundationSettings::default()
    })
}

/// Elements of a compartment.
struct Elements {
    /// The elements that act.
    acting: ElementSet,
    /// The elements for the report, where they differ.
    report: Option<ElementSet>,
    /// The closed shells of which its surface is one side.
    shells: Vec<ShellReport>,
}

/// `compartments = [{ name, surface, grid, report_grid, x, z, thickness }]`.
fn read_compartments(
    reader: &mut Reader<'_>,
    fields: &mut Fields<'_>,
    foundation: &str,
    axes: &Axes,
) -> Option<Vec<Elements>> {
    let node = fields.must(reader, "compartments")?;
    let label = format!("`compartments` of foundation `{foundation}`");
    let Value::Array(items) = &node.value else {
        return reader.wrong_kind(node, &label, "an array of tables with `name`, `surface` and `thickness`");
    };
    let sets: Vec<_> = items.iter().map(|item| read_compartment(reader, item, &label, axes)).collect();
    sets.into_iter().collect()
}

fn read_compartment(reader: &mut Reader<'_>, node: &Node, label: &str, axes: &Axes) -> Option<Elements> {
    let mut fields = Fields::new(reader, node, format!("an entry of {label}"))?;
    let name = fields.name(reader, "name");
    let articular = fields.must(reader, "surface").and_then(|node| read_articular(reader, node, "`surface`", axes));
    let grid = read_grid(reader, &mut fields, "grid");
    let report_grid = read_grid(reader, &mut fields, "report_grid");
    let thickness = read_thickness(reader, &mut fields, axes);
    let base = fields.number_or(reader, "base", LENGTH, 0.0);
    let on = match fields.maybe("on") {
        Some(node) => read_grid_surface(reader, node).map(Some),
        None => Some(None),
    };
    let (x, z) = (read_range(reader, &mut fields, "x"), read_range(reader, &mut fields, "z"));
    fields.finish(reader);
    let compartment = CompartmentSpec {
        name: name?,
        articular: articular?,
        thickness: thickness?,
        base: base?,
        on: on?,
        x: x?,
        z: z?,
    };
    let (grid, report_grid) = (grid?, report_grid?);
    let acting = compartment.elements(reader, node, grid)?;
    let report = match report_grid {
        Some(_) => Some(compartment.elements(reader, node, report_grid)?),
        None => None,
    };
    Some(Elements { acting, report, shells: compartment.articular.shells })
}

/// Lower and upper end \[m\].
type Range = (f64, f64);

/// A compartment as read, before its elements are made.
struct CompartmentSpec {
    name: String,
    articular: Articular,
    thickness: Thickness,
    /// Height of the element surface \[m\].
    base: f64,
    /// Element surface in place of the level plane.
    on: Option<GridSurface>,
    x: Option<Range>,
    z: Option<Range>,
}

impl CompartmentSpec {
    /// A grid projected on the surface, or the triangles of a mesh.
    fn elements(&self, reader: &mut Reader<'_>, node: &Node, counts: Option<(usize, usize)>) -> Option<ElementSet> {
        let CompartmentSpec { name, articular, thickness, base, .. } = self;
        let Some(counts) = counts else {
            return triangles(reader, node, name, articular, thickness);
        };
        let bounds = articular.surface.bounds();
        let (grid, farthest) = match self.on {
            Some(GridSurface { surface, first, second, reach }) => (Grid { surface, first, second, counts }, reach),
            None => {
                let farthest = (bounds.max.y - base).abs().max((bounds.min.y - base).abs()) + LENGTH_SLACK;
                (grid_over(&bounds, (self.x, self.z), *base, counts), farthest)
            }
        };
        let set = grid.project(name, &*articular.surface, (-farthest, farthest), &thickness.layer());
        made(reader, node, &format!("compartment `{name}`"), set)
    }
}

/// Distance above the highest point of the surface at which rays end \[m\].
const LENGTH_SLACK: f64 = 1e-3;

/// A horizontal grid at the height `base` with upward rays: the first coordinate is along z, the second along x.
fn grid_over(bounds: &Bounds, (x, z): (Option<Range>, Option<Range>), base: f64, counts: (usize, usize)) -> Grid {
    let origin = Vec3::new(0.0, base, 0.0);
    let surface = ElementSurface::Plane { origin, normal: Vec3::y(), along: Vec3::z() };
    let second = x.unwrap_or((bounds.min.x, bounds.max.x));
    Grid { surface, first: z.unwrap_or((bounds.min.z, bounds.max.z)), second, counts: (counts.1, counts.0) }
}

/// The triangles of a mesh as elements.
fn triangles(
    reader: &mut Reader<'_>,
    node: &Node,
    name: &str,
    articular: &Articular,
    thickness: &Thickness,
) -> Option<ElementSet> {
    let (Some(mesh), Thickness::Constant(_) | Thickness::ToBack { .. }) = (&articular.mesh, thickness) else {
        let help = Some("give `grid` = [along x, along z]".into());
        let message = format!(
            "compartment `{name}`: `grid` is required unless the surface is a mesh whose thickness is constant or has a back"
        );
        return reader.wrong(&node.span, message, help);
    };
    let even = |h: f64| ElementSet::from_triangles(name, mesh.mesh.vertices(), mesh.mesh.triangles(), h);
    let set = match thickness {
        Thickness::ToBack { back, least } => {
            even(THICKEST_LAYER).and_then(|set| set.to_back(&**back, THICKEST_LAYER, *least))
        }
        Thickness::Constant(h) => even(*h),
        Thickness::ToBase | Thickness::Map(_) => return None,
    };
    let set = set.map(|set| set.over_material(&mesh.thickness));
    made(reader, node, &format!("compartment `{name}`"), set)
}

/// Elements \[along x, along z\]; `None`: the triangles of a mesh.
fn read_grid(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str) -> Option<Option<(usize, usize)>> {
    let Some(node) = fields.maybe(key) else { return Some(None) };
    let label = format!("`{key}` of {}", fields.what);
    let counts = reader.numbers(node, &label, Expected::of(Dimension::ONE).positive())?;
    let whole = |n: &f64| n.fract() == 0.0 && *n <= MOST_ELEMENTS as f64;
    match counts[..] {
        [n, m] if counts.iter().all(whole) => Some(Some((n as usize, m as usize))),
        _ => reader.wrong(&node.span, format!("{label} must be two whole numbers up to {MOST_ELEMENTS}"), None),
    }
}

/// A range `[low, high]`, if given.
fn read_range(reader: &mut Reader<'_>, fields: &mut Fields<'_>, key: &'static str) -> Option<Option<Range>> {
    let Some(node) = fields.maybe(key) else { return Some(None) };
    let label = format!("`{key}` of {}", fields.what);
    match reader.numbers(node, &label, LENGTH)?[..] {
        [low, high] if low < high => Some(Some((low, high))),
        _ => reader.wrong(&node.span, format!("{label} must be [low, high]"), None),
    }
}
