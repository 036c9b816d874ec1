//! A file for NURBS surfaces: JSON, format `wolff-nurbs`, version 1.
//!
//! ```json
//! { "format": "wolff-nurbs", "version": 1,
//!   "surfaces": [ {
//!     "name": "medial condyle",
//!     "degrees": [1, 1],
//!     "knots_u": [0, 0, 1, 1], "knots_v": [0, 0, 1, 1],
//!     "control_points": [ [[0, 0, 0], [0, 0.02, 0]], [[0.03, 0, 0], [0.03, 0.02, 0]] ],
//!     "weights": [ [1, 1], [1, 1] ],
//!     "outward": true,
//!     "mask": [ "110", "111" ]
//!   } ] }
//! ```
//!
//! `control_points[i][j]` \[m\] and `weights[i][j]` with i along u; without `weights` all are one. `outward` (true if
//! absent): whether Su × Sv points out of the material. `mask`, optional: equal steps of u (strings) times equal steps
//! of v (characters), `1` where the surface exists, `0` where it is cut away.

use serde::{Deserialize, Serialize};
use wolff_geometry::nurbs::Mask;
use wolff_geometry::{GeometryError, KnotVector, NurbsSurface};
use wolff_spatial::Vec3;

const FORMAT: &str = "wolff-nurbs";
const VERSION: u32 = 1;

/// A surface of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedSurface {
    /// Its name.
    pub name: String,
    /// The surface.
    pub surface: NurbsSurface,
    /// What exists of it; everything without.
    pub mask: Option<Mask>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    version: u32,
    surfaces: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: String,
    degrees: [usize; 2],
    knots_u: Vec<f64>,
    knots_v: Vec<f64>,
    control_points: Vec<Vec<[f64; 3]>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weights: Option<Vec<Vec<f64>>>,
    #[serde(default = "outward_by_default")]
    outward: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mask: Option<Vec<String>>,
}

fn outward_by_default() -> bool {
    true
}

/// Reads the surfaces of a file; errors name the line or the surface.
pub fn read(text: &str) -> Result<Vec<NamedSurface>, GeometryError> {
    let refuse = |place: String, problem: String| GeometryError::NurbsFile { place, problem };
    let document: Document = serde_json::from_str(text)
        .map_err(|error| refuse(format!("line {} column {}", error.line(), error.column()), error.to_string()))?;
    if document.format != FORMAT || document.version != VERSION {
        let found = format!("{} version {}", document.format, document.version);
        return Err(refuse("format".into(), format!("found {found}, this program reads {FORMAT} version {VERSION}")));
    }
    if document.surfaces.is_empty() {
        return Err(refuse("surfaces".into(), "the list is empty: give at least one surface".into()));
    }
    let named = |(k, entry): (usize, Entry)| {
        let place = format!("surface {k} '{}'", entry.name);
        surface(entry).map_err(|error| refuse(place, error.to_string()))
    };
    document.surfaces.into_iter().enumerate().map(named).collect()
}

fn surface(entry: Entry) -> Result<NamedSurface, GeometryError> {
    let u = KnotVector::new("knots_u", entry.degrees[0], entry.knots_u)?;
    let v = KnotVector::new("knots_v", entry.degrees[1], entry.knots_v)?;
    let points: Vec<Vec3> =
        flat("control_points", entry.control_points, (&u, &v))?.into_iter().map(Vec3::from).collect();
    let weights = entry.weights.map(|rows| flat("weights", rows, (&u, &v))).transpose()?;
    let surface = NurbsSurface::new(u, v, &points, weights.as_deref())?;
    let mask = entry.mask.map(mask).transpose()?;
    Ok(NamedSurface { name: entry.name, surface: if entry.outward { surface } else { surface.reversed() }, mask })
}

/// Rows of equal length in one list.
fn flat<T>(name: &str, rows: Vec<Vec<T>>, (u, v): (&KnotVector, &KnotVector)) -> Result<Vec<T>, GeometryError> {
    let refuse = |object: String, what, found| {
        let rule = "it must be the number of knots minus degree minus one";
        GeometryError::Count { object, what, found, rule }
    };
    if rows.len() != u.control_count() {
        return Err(refuse(name.into(), "number of rows", rows.len()));
    }
    if let Some((i, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != v.control_count()) {
        return Err(refuse(format!("{name}[{i}]"), "length of the row", row.len()));
    }
    Ok(rows.into_iter().flatten().collect())
}

fn mask(rows: Vec<String>) -> Result<Mask, GeometryError> {
    let columns = rows.first().map_or(0, |row| row.len());
    let mut keep = Vec::with_capacity(rows.len() * columns);
    for (i, row) in rows.iter().enumerate() {
        if row.len() != columns || row.chars().any(|c| c != '0' && c != '1') {
            let (what, rule) = ("length of the row", "rows must be equally long and hold only 0 and 1");
            return Err(GeometryError::Count { object: format!("mask[{i}]"), what, found: row.len(), rule });
        }
        keep.extend(row.chars().map(|c| c == '1'));
    }
    Mask::new(rows.len(), columns, keep)
}

/// Writes surfaces; [`read`] gives them back exactly, up to the rounding of weighted points.
pub fn write(surfaces: &[NamedSurface]) -> Result<String, GeometryError> {
    let document = Document { format: FORMAT.into(), version: VERSION, surfaces: surfaces.iter().map(entry).collect() };
    serde_json::to_string(&document)
        .map_err(|error| GeometryError::NurbsFile { place: "writing".into(), problem: error.to_string() })
}

fn entry(named: &NamedSurface) -> Entry {
    let surface = &named.surface;
    let (u, v) = (surface.knots_u(), surface.knots_v());
    let points: Vec<[f64; 3]> = surface.points().map(|p| p.into()).collect();
    let weights: Vec<f64> = surface.net().iter().map(|h| h[3]).collect();
    let width = v.control_count();
    let rows = |mask: &Mask| {
        let line = |row: &[bool]| row.iter().map(|keep| if *keep { '1' } else { '0' }).collect();
        mask.entries().chunks(mask.shape().1).map(line).collect()
    };
    Entry {
        name: named.name.clone(),
        degrees: [u.degree(), v.degree()],
        knots_u: u.knots().to_vec(),
        knots_v: v.knots().to_vec(),
        control_points: points.chunks(width).map(<[_]>::to_vec).collect(),
        weights: surface.is_rational().then(|| weights.chunks(width).map(<[_]>::to_vec).collect()),
        outward: !surface.is_reversed(),
        mask: named.mask.as_ref().map(rows),
    }
}
