//! Writing `.vtu` files with fields, and `.pvd` files that put such files on a time axis.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nalgebra::Vector3;

use super::super::atomic;
use super::{ELEMENT_SET, NODE_SET};
use crate::element::ElementKind;
use crate::error::FemError;
use crate::mesh::TetMesh;

/// A field: some numbers for each node or element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DataArray<'a> {
    /// Its name, with the unit where it has one: `displacement [m]`.
    pub name: &'a str,
    /// Numbers for each node or element: 1 scalar, 3 vector, 6 symmetric tensor (VTK: xx, yy, zz, xy, yz, xz), 9 tensor.
    pub components: usize,
    /// The numbers, all of the first node or element, then all of the second.
    pub values: &'a [f64],
}

/// The fields of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fields<'a> {
    /// Fields on the nodes.
    pub point: Vec<DataArray<'a>>,
    /// Fields on the elements.
    pub cell: Vec<DataArray<'a>>,
}

/// Writes a mesh with its sets and fields: base64, 64-bit, least significant byte first.
///
/// # Errors
/// When a field has another length than the mesh or a number that is not finite, or the stream fails.
pub fn write_vtu(out: &mut dyn Write, mesh: &TetMesh, fields: &Fields) -> Result<(), FemError> {
    require_fit(&fields.point, mesh.nodes().len(), NODE_SET)?;
    require_fit(&fields.cell, mesh.element_count(), ELEMENT_SET)?;
    let grid = Grid {
        points: mesh.nodes(),
        connectivity: mesh.elements().flatten().copied().collect(),
        per_cell: mesh.kind().node_count(),
        cell_type: if mesh.kind() == ElementKind::Tet4 { 10 } else { 24 },
    };
    write_grid(out, &grid, fields, [mesh.node_sets(), mesh.element_sets()]).map_err(atomic::stream_failed)
}

/// Writes triangles, such as the surface of a body, with fields as a `.vtu` file, the whole or nothing.
///
/// # Errors
/// When a triangle names a point that is not there, a position is not finite, or as [`write_vtu`].
pub fn write_triangles_to(
    path: &Path,
    points: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    fields: &Fields,
) -> Result<(), FemError> {
    atomic::write_file(path, |out| write_triangles(out, points, triangles, fields))
}

/// As [`write_triangles_to`], to a stream.
///
/// # Errors
/// As [`write_triangles_to`].
pub fn write_triangles(
    out: &mut dyn Write,
    points: &[Vector3<f64>],
    triangles: &[[u32; 3]],
    fields: &Fields,
) -> Result<(), FemError> {
    require_fit(&fields.point, points.len(), NODE_SET)?;
    require_fit(&fields.cell, triangles.len(), ELEMENT_SET)?;
    let connectivity: Vec<usize> = triangles.iter().flatten().map(|&node| node as usize).collect();
    if let Some(node) = connectivity.iter().find(|&&node| node >= points.len()) {
        let message = format!("a triangle names point {node}, there are {} (numbered from 0)", points.len());
        return Err(FemError::Unwritable { format: "a .vtu file", message });
    }
    if let Some(node) = points.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
        return Err(FemError::NonFinite(format!("the position of point {node}")));
    }
    let grid = Grid { points, connectivity, per_cell: 3, cell_type: 5 };
    let none = Sets::new();
    write_grid(out, &grid, fields, [&none, &none]).map_err(atomic::stream_failed)
}

/// Writes a `.vtu` file, the whole or nothing.
///
/// # Errors
/// As [`write_vtu`].
pub fn write_vtu_to(path: &Path, mesh: &TetMesh, fields: &Fields) -> Result<(), FemError> {
    atomic::write_file(path, |out| write_vtu(out, mesh, fields))
}

/// Writes a `.pvd` file: times in s with the names of the `.vtu` files, relative to its folder.
///
/// # Errors
/// When a time is not finite, or the system refuses.
pub fn write_pvd_to(path: &Path, series: &[(f64, String)]) -> Result<(), FemError> {
    atomic::write_file(path, |out| write_pvd(out, series))
}

/// As [`write_pvd_to`], to a stream.
///
/// # Errors
/// As [`write_pvd_to`].
pub fn write_pvd(out: &mut dyn Write, series: &[(f64, String)]) -> Result<(), FemError> {
    if let Some((time, file)) = series.iter().find(|(time, _)| !time.is_finite()) {
        return Err(FemError::NonFinite(format!("the time {time} of `{file}`")));
    }
    let mut write = || {
        writeln!(out, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>")?;
        for (time, file) in series {
            writeln!(out, "<DataSet timestep=\"{time}\" part=\"0\" file=\"{}\"/>", escaped(file))?;
        }
        writeln!(out, "</Collection>\n</VTKFile>")
    };
    write().map_err(atomic::stream_failed)
}

fn require_fit(arrays: &[DataArray], count: usize, reserved: &str) -> Result<(), FemError> {
    for DataArray { name, components, values } in arrays {
        if *components == 0 || values.len() != components * count || name.starts_with(reserved) {
            let message = format!(
                "field `{name}` has {} numbers; {components} for each of {count} are needed, and a name not beginning \
                 with `{reserved}`",
                values.len()
            );
            return Err(FemError::Unwritable { format: "a .vtu file", message });
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(FemError::NonFinite(format!("field `{name}` at {}", at / components)));
        }
    }
    Ok(())
}

/// Points and cells of one type.
struct Grid<'a> {
    points: &'a [Vector3<f64>],
    /// Nodes of all cells, cell by cell.
    connectivity: Vec<usize>,
    per_cell: usize,
    /// VTK's number of the type.
    cell_type: u8,
}

impl Grid<'_> {
    fn cells(&self) -> usize {
        self.connectivity.len() / self.per_cell
    }
}

type Sets = BTreeMap<String, Vec<usize>>;

fn write_grid(out: &mut dyn Write, grid: &Grid, fields: &Fields, [nodes, elements]: [&Sets; 2]) -> io::Result<()> {
    let (points, cells) = (grid.points.len(), grid.cells());
    writeln!(
        out,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">"
    )?;
    writeln!(out, "<Points>")?;
    write_floats(out, "Points", 3, grid.points.iter().flat_map(|x| [x.x, x.y, x.z]))?;
    writeln!(out, "</Points>\n<Cells>")?;
    write_integers(out, "connectivity", grid.connectivity.iter().copied())?;
    write_integers(out, "offsets", (1..=cells).map(|cell| cell * grid.per_cell))?;
    write_array(out, "UInt8", "types", 1, &vec![grid.cell_type; cells])?;
    writeln!(out, "</Cells>")?;
    let node_sets = nodes.iter().map(|(name, set)| (format!("{NODE_SET}{name}"), set));
    write_data(out, "PointData", &fields.point, node_sets, points)?;
    let element_sets = elements.iter().map(|(name, set)| (format!("{ELEMENT_SET}{name}"), set));
    write_data(out, "CellData", &fields.cell, element_sets, cells)?;
    writeln!(out, "</Piece>\n</UnstructuredGrid>\n</VTKFile>")
}

fn write_data<'a>(
    out: &mut dyn Write,
    tag: &str,
    arrays: &[DataArray],
    sets: impl Iterator<Item = (String, &'a Vec<usize>)>,
    count: usize,
) -> io::Result<()> {
    writeln!(out, "<{tag}>")?;
    for array in arrays {
        write_floats(out, array.name, array.components, array.values.iter().copied())?;
    }
    for (name, members) in sets {
        let mut flags = vec![0; count];
        for &member in members {
            flags[member] = 1;
        }
        write_array(out, "UInt8", &name, 1, &flags)?;
    }
    writeln!(out, "</{tag}>")
}

fn write_floats(
    out: &mut dyn Write,
    name: &str,
    components: usize,
    values: impl Iterator<Item = f64>,
) -> io::Result<()> {
    write_array(out, "Float64", name, components, &values.flat_map(f64::to_le_bytes).collect::<Vec<_>>())
}

fn write_integers(out: &mut dyn Write, name: &str, values: impl Iterator<Item = usize>) -> io::Result<()> {
    let bytes: Vec<u8> = values.flat_map(|value| (value as i64).to_le_bytes()).collect();
    write_array(out, "Int64", name, 1, &bytes)
}

/// An array with its length in bytes before the data, both in one piece of base64.
fn write_array(out: &mut dyn Write, of: &str, name: &str, components: usize, bytes: &[u8]) -> io::Result<()> {
    let name = escaped(name);
    writeln!(out, "<DataArray type=\"{of}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">")?;
    let with_length = [&(bytes.len() as u64).to_le_bytes(), bytes].concat();
    writeln!(out, "{}\n</DataArray>", STANDARD.encode(with_length))
}

/// Text as the value of an XML attribute.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut out, c| {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c => out.push(c),
        }
        out
    })
}
