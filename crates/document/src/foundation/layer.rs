//! Thickness of the layers of both bodies: constant, from a map, or measured down to a surface behind.

use super::super::contact::made;
use super::super::fields::Fields;
use super::super::node::{Node, Value};
use super::super::reader::Reader;
use super::surface::{Articular, Axes, read_articular, read_back};
use super::{LENGTH, THICKEST_LAYER};
use std::sync::Arc;
use wolff_contact::foundation::{Back, LayerThickness, MovingLayer, ThicknessMap};
use wolff_files::input;
use wolff_formats::csv;
use wolff_geometry::Surface;

/// Samples of the moving layer along each parameter of a patch: the patches of fitted surfaces are a few millimetres
/// long. Own choice.
const SAMPLES: usize = 5;

/// Thickness of the fixed layer of a compartment.
pub(super) enum Thickness {
    Constant(f64),
    ToBase,
    ToBack {
        back: Arc<dyn Surface>,
        /// Least thickness \[m\].
        least: f64,
    },
    /// Over z and x of the grid.
    Map(ThicknessMap),
}

impl Thickness {
    /// As elements ask for it.
    pub fn layer(&self) -> LayerThickness<'_> {
        match self {
            Thickness::Constant(h) => LayerThickness::Constant(*h),
            Thickness::ToBase => LayerThickness::ToElementSurface,
            Thickness::ToBack { back, least } => {
                LayerThickness::ToBack { back: &**back, reach: THICKEST_LAYER, least: *least }
            }
            Thickness::Map(map) => LayerThickness::Map(map),
        }
    }
}

/// `thickness` of a compartment: a length, `"to-base"`, the surface of the back, or `{ map }`; and `back`, the parameter
/// of a file with the surface of the back, which goes before, with `least_thickness`.
pub(super) fn read_thickness(reader: &mut Reader<'_>, fields: &mut Fields<'_>, axes: &Axes) -> Option<Thickness> {
    let node = fields.must(reader, "thickness");
    let least = fields.number_or(reader, "least_thickness", LENGTH.not_negative(), 0.0);
    let back = read_back(reader, fields, "back", axes);
    let (node, least) = (node?, least?);
    if let Some(back) = back? {
        return Some(Thickness::ToBack { back: back.surface, least });
    }
    match &node.value {
        Value::Text(word) if word == "to-base" => Some(Thickness::ToBase),
        Value::Table(_) if node.get("map").is_some() => {
            let points = read_map(reader, node, ["z", "x"])?;
            let map = ThicknessMap::through(&points.into_iter().map(|(_, point)| point).collect::<Vec<_>>());
            made(reader, node, "`thickness`", map).map(Thickness::Map)
        }
        Value::Table(_) => read_articular(reader, node, "`thickness`", axes)
            .map(|back| Thickness::ToBack { back: back.surface, least }),
        _ => {
            reader.number(node, &format!("`thickness` of {}", fields.what), LENGTH.positive()).map(Thickness::Constant)
        }
    }
}

/// The layer of the moving body as read, before its surface is known.
pub(super) enum MovingSpec {
    Constant(f64),
    ToBack {
        back: Arc<dyn Surface>,
        /// Least thickness \[m\].
        least: f64,
    },
    /// Surface number and (u, v, thickness \[m\]) of each sample.
    Map(Vec<(usize, [f64; 3])>),
}

/// `layer` of the moving body: a length, or `{ map }`; and `layer_back`, the parameter of a file with the surface of
/// its back, which goes before, with `least_layer`.
pub(super) fn read_moving(reader: &mut Reader<'_>, fields: &mut Fields<'_>, axes: &Axes) -> Option<MovingSpec> {
    let node = fields.maybe("layer");
    let least = fields.number_or(reader, "least_layer", LENGTH.not_negative(), 0.0);
    let back = read_back(reader, fields, "layer_back", axes);
    let least = least?;
    if let Some(back) = back? {
        return Some(MovingSpec::ToBack { back: back.surface, least });
    }
    match node {
        None => Some(MovingSpec::Constant(0.0)),
        Some(node) if matches!(node.value, Value::Table(_)) => read_map(reader, node, ["u", "v"]).map(MovingSpec::Map),
        Some(node) => {
            let label = format!("`layer` of {}", fields.what);
            reader.number(node, &label, LENGTH.not_negative()).map(MovingSpec::Constant)
        }
    }
}

impl MovingSpec {
    /// The layer on a moving surface, with a remark on what could not be measured.
    pub fn on(
        &self,
        reader: &mut Reader<'_>,
        (node, what): (&Node, &str),
        articular: &Articular,
    ) -> Option<(MovingLayer, Option<String>)> {
        match self {
            MovingSpec::Constant(h) => Some((MovingLayer::Constant(*h), None)),
            MovingSpec::ToBack { back, least } => {
                let back = Back { surface: &**back, reach: THICKEST_LAYER, least: *least };
                let layer = MovingLayer::to_back(&*articular.surface, &back, SAMPLES);
                let (layer, without) = made(reader, node, what, layer)?;
                let said = format!(
                    "moving layer: {:.0} % of its samples have no back behind them and count as {} mm thick",
                    100.0 * without,
                    1e3 * least
                );
                Some((layer, (without > 0.0).then_some(said)))
            }
            MovingSpec::Map(samples) => {
                let mut surfaces: Vec<usize> = samples.iter().map(|(surface, _)| *surface).collect();
                surfaces.sort_unstable();
                surfaces.dedup();
                let mut maps = Vec::with_capacity(surfaces.len());
                for surface in surfaces {
                    let own: Vec<_> = samples.iter().filter(|(s, _)| *s == surface).map(|(_, p)| *p).collect();
                    maps.push((surface, made(reader, node, what, ThicknessMap::through(&own))?));
                }
                made(reader, node, what, MovingLayer::over_parameters(&*articular.surface, &maps)).map(|l| (l, None))
            }
        }
    }
}

/// `{ map = FILE }`: a `.csv` with two coordinates and `thickness` \[m\] in each row, and optionally the number of the
/// `surface`, from 0.
fn read_map(reader: &mut Reader<'_>, node: &Node, axes: [&str; 2]) -> Option<Vec<(usize, [f64; 3])>> {
    let mut fields = Fields::new(reader, node, "a thickness map")?;
    let name = fields.text(reader, "map");
    fields.finish(reader);
    let name = name?;
    let bytes = match input::read(&reader.base_dir.join(name)) {
        Ok(bytes) => bytes,
        Err(e) => return reader.wrong(&node.span, format!("cannot read `{name}`: {e}"), None),
    };
    let table = match csv::read(&bytes) {
        Ok(table) => table,
        Err(e) => return reader.wrong(&node.span, format!("`{name}`: {e}"), None),
    };
    let columns = [table.column(axes[0]), table.column(axes[1]), table.column("thickness")];
    let [Some(first), Some(second), Some(thickness)] = columns else {
        let help =
            format!("a thickness map has the columns {}, {} and thickness, the latter in metres", axes[0], axes[1]);
        return reader.wrong(&node.span, format!("`{name}` has not all columns of a thickness map"), Some(help));
    };
    let surface = table.column("surface").unwrap_or_else(|| vec![0.0; first.len()]);
    if let Some(k) = surface.iter().position(|s| !(*s >= 0.0 && s.fract() == 0.0 && *s < u32::MAX as f64)) {
        let message =
            format!("`{name}`, data row {}: surface is {}; it must be a whole number from 0", k + 1, surface[k]);
        return reader.wrong(&node.span, message, None);
    }
    Some((0..first.len()).map(|k| (surface[k] as usize, [first[k], second[k], thickness[k]])).collect())
}
