//! Writing `.vtu` files with fields, and `.pvd` files that put such files on a time axis.

use std::fmt::Write as _;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::error::FormatError;

/// A field: some numbers for each point or cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DataArray<'a> {
    /// Its name, with the unit where it has one: `displacement [m]`.
    pub name: &'a str,
    /// Numbers for each point or cell: 1 scalar, 3 vector, 6 symmetric tensor (VTK: xx, yy, zz, xy, yz, xz), 9 tensor.
    pub components: usize,
    /// The numbers, all of the first point or cell, then all of the second.
    pub values: &'a [f64],
}

/// The fields of a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Fields<'a> {
    /// Fields on the points.
    pub point: Vec<DataArray<'a>>,
    /// Fields on the cells.
    pub cell: Vec<DataArray<'a>>,
}

/// A named choice of points or cells, written as zeros and ones that ParaView can threshold.
#[derive(Debug, Clone, PartialEq)]
pub struct Marks {
    /// Its name.
    pub name: String,
    /// Numbers of its members, from 0.
    pub members: Vec<usize>,
}

/// Points and cells.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grid {
    /// Positions \[m\].
    pub points: Vec<[f64; 3]>,
    /// Points of all cells, cell by cell.
    pub connectivity: Vec<usize>,
    /// Where each cell ends in `connectivity`.
    pub ends: Vec<usize>,
    /// VTK's number of the type of each cell.
    pub types: Vec<u8>,
    /// Choices of points.
    pub point_marks: Vec<Marks>,
    /// Choices of cells.
    pub cell_marks: Vec<Marks>,
}

const FORMAT: &str = "a .vtu file";

fn unwritable(message: String) -> FormatError {
    FormatError::Unwritable { format: FORMAT, message }
}

/// A `.vtu` file: base64, 64-bit, least significant byte first.
///
/// # Errors
/// When a cell or choice names something that is not there, a field has another length than the grid, or a number is
/// not finite.
pub fn vtu(grid: &Grid, fields: &Fields) -> Result<String, FormatError> {
    require_sound(grid)?;
    require_fit(&fields.point, grid.points.len(), &grid.point_marks)?;
    require_fit(&fields.cell, grid.types.len(), &grid.cell_marks)?;
    let (points, cells) = (grid.points.len(), grid.types.len());
    let mut out = format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" \
         header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">\n<Points>\n"
    );
    add_floats(&mut out, "Points", 3, grid.points.iter().flatten().copied());
    out.push_str("</Points>\n<Cells>\n");
    add_integers(&mut out, "connectivity", &grid.connectivity);
    add_integers(&mut out, "offsets", &grid.ends);
    add_array(&mut out, "UInt8", "types", 1, &grid.types);
    out.push_str("</Cells>\n");
    add_data(&mut out, "PointData", &fields.point, &grid.point_marks, points);
    add_data(&mut out, "CellData", &fields.cell, &grid.cell_marks, cells);
    out.push_str("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    Ok(out)
}

/// A `.pvd` file: times in s with the names of the `.vtu` files, relative to its folder.
///
/// # Errors
/// When a time is not finite.
pub fn pvd(series: &[(f64, String)]) -> Result<String, FormatError> {
    let mut out =
        String::from("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n");
    for (time, file) in series {
        if !time.is_finite() {
            let message = format!("the time {time} of `{file}` is not finite; leave that state out");
            return Err(FormatError::Unwritable { format: "a .pvd file", message });
        }
        let _ = writeln!(out, "<DataSet timestep=\"{time}\" part=\"0\" file=\"{}\"/>", escaped(file));
    }
    out.push_str("</Collection>\n</VTKFile>\n");
    Ok(out)
}

fn require_sound(grid: &Grid) -> Result<(), FormatError> {
    let count = grid.points.len();
    if let Some(point) = grid.connectivity.iter().find(|&&point| point >= count) {
        return Err(unwritable(format!("a cell names point {point}, there are {count} (numbered from 0)")));
    }
    if let Some(point) = grid.points.iter().position(|x| !x.iter().all(|c| c.is_finite())) {
        return Err(unwritable(format!("the position of point {point} is not finite; leave its cells out")));
    }
    if grid.ends.len() != grid.types.len()
        || !grid.ends.is_sorted()
        || grid.ends.last().copied().unwrap_or(0) != grid.connectivity.len()
    {
        return Err(unwritable(format!(
            "the {} ends of cells do not part the connectivity; give one end for each cell",
            grid.ends.len()
        )));
    }
    for (marks, count) in [(&grid.point_marks, count), (&grid.cell_marks, grid.types.len())] {
        if let Some(mark) = marks.iter().find(|mark| mark.members.iter().any(|&member| member >= count)) {
            return Err(unwritable(format!("the set `{}` names a member beyond the {count} there are", mark.name)));
        }
    }
    Ok(())
}

fn require_fit(arrays: &[DataArray], count: usize, marks: &[Marks]) -> Result<(), FormatError> {
    for DataArray { name, components, values } in arrays {
        if *components == 0 || values.len() != components * count {
            let found = values.len();
            return Err(unwritable(format!(
                "field `{name}` has {found} numbers; {components} for each of {count} are needed"
            )));
        }
        if marks.iter().any(|mark| mark.name == *name) {
            return Err(unwritable(format!("field `{name}` has the name of a set; choose another")));
        }
        if let Some(at) = values.iter().position(|value| !value.is_finite()) {
            return Err(unwritable(format!(
                "field `{name}` at {} is not finite; write 0 or leave it out",
                at / components
            )));
        }
    }
    Ok(())
}

fn add_data(out: &mut String, tag: &str, arrays: &[DataArray], marks: &[Marks], count: usize) {
    let _ = writeln!(out, "<{tag}>");
    for array in arrays {
        add_floats(out, array.name, array.components, array.values.iter().copied());
    }
    for Marks { name, members } in marks {
        let mut flags = vec![0; count];
        members.iter().for_each(|&member| flags[member] = 1);
        add_array(out, "UInt8", name, 1, &flags);
    }
    let _ = writeln!(out, "</{tag}>");
}

fn add_floats(out: &mut String, name: &str, components: usize, values: impl Iterator<Item = f64>) {
    add_array(out, "Float64", name, components, &values.flat_map(f64::to_le_bytes).collect::<Vec<_>>());
}

fn add_integers(out: &mut String, name: &str, values: &[usize]) {
    let bytes: Vec<u8> = values.iter().flat_map(|&value| (value as i64).to_le_bytes()).collect();
    add_array(out, "Int64", name, 1, &bytes);
}

/// An array with its length in bytes before the data, both in one piece of base64.
fn add_array(out: &mut String, of: &str, name: &str, components: usize, bytes: &[u8]) {
    let name = escaped(name);
    let _ = writeln!(
        out,
        "<DataArray type=\"{of}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"binary\">"
    );
    STANDARD.encode_string([&(bytes.len() as u64).to_le_bytes(), bytes].concat(), out);
    out.push_str("\n</DataArray>\n");
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
