//! The frame of a `.msh` file: its version, encoding and sections.

use super::super::builder::Order;
use super::groups::Groups;
use super::{version2, version4};
use crate::solid::located;
use wolff_fem::FemError;
use wolff_fem::TetMesh;
use wolff_files::scanner::{Encoding, Scalar, Scanner};

/// Whole numbers of the format.
pub(super) const INT: Scalar = Scalar::Signed(4);

/// What `$MeshFormat` says.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Header {
    major: u32,
    encoding: Encoding,
    /// The type of counts and tags in version 4.
    size: Scalar,
}

/// Reads a mesh from the content of a `.msh` file.
///
/// # Errors
/// With the line or byte and the remedy when the content cannot be understood or has no tetrahedra.
pub fn read_msh(bytes: &[u8]) -> Result<TetMesh, FemError> {
    let mut scanner = Scanner::new(bytes, Encoding::Ascii);
    let mut groups = Groups::default();
    sections(&mut scanner, &mut groups).map_err(|message| located(&scanner, message))?;
    groups.mesh.finish(Order::OfNumbers)
}

fn sections(scanner: &mut Scanner, groups: &mut Groups) -> Result<(), String> {
    let mut header = None;
    let mut entities = version4::Entities::default();
    let mut found = Vec::new();
    while let Some(line) = scanner.line() {
        let Some(section) = line.strip_prefix('$') else {
            return Err(format!("`{}` where a section such as `$Nodes` was expected", shortened(&line)));
        };
        if section == "MeshFormat" {
            header = Some(mesh_format(scanner)?);
        } else if section == "PhysicalNames" {
            physical_names(scanner, groups)?;
        } else if matches!(section, "Nodes" | "Elements" | "Entities") {
            let Header { major, encoding, size } = header.ok_or("there is no $MeshFormat; is this a Gmsh file?")?;
            scanner.encoding = encoding;
            match (section, major) {
                ("Entities", _) => entities = version4::entities(scanner, size)?,
                ("Nodes", 2) => version2::nodes(scanner, groups)?,
                ("Nodes", _) => version4::nodes(scanner, size, groups)?,
                (_, 2) => version2::elements(scanner, groups)?,
                _ => version4::elements(scanner, size, &entities, groups)?,
            }
        } else if section == "PartitionedEntities" {
            return Err("the mesh is partitioned; save it without partitions".into());
        }
        scanner.skip_past(&format!("$End{section}"))?;
        scanner.encoding = Encoding::Ascii;
        found.push(section.to_owned());
    }
    match ["MeshFormat", "Nodes", "Elements"].iter().find(|name| !found.iter().any(|f| f == *name)) {
        Some(missing) => Err(format!("the section ${missing} is missing; the file is cut off or empty")),
        None => Ok(()),
    }
}

/// `version file-type data-size`, and in binary files the number one.
fn mesh_format(scanner: &mut Scanner) -> Result<Header, String> {
    let line = scanner.line().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let [version, file_type, data_size] = words[..] else {
        return Err(format!("`{}` is not `version file-type data-size`", shortened(&line)));
    };
    let major = match version {
        "4.1" => 4,
        _ if version == "2" || version.starts_with("2.") => 2,
        _ => return Err(format!("version {version} is not supported; save the mesh as version 4.1 or 2.2")),
    };
    let size = match (data_size, major) {
        ("8", _) => Scalar::Unsigned(8),
        ("4", 4) => Scalar::Unsigned(4),
        _ => return Err(format!("the data size {data_size} is not supported; 8 is")),
    };
    let encoding = match file_type {
        "0" => Encoding::Ascii,
        "1" => match scanner.take(4)? {
            [1, 0, 0, 0] => Encoding::Little,
            [0, 0, 0, 1] => Encoding::Big,
            other => return Err(format!("the byte order mark {other:?} is not the number one; the file is damaged")),
        },
        _ => return Err(format!("the file type {file_type} is neither 0 (text) nor 1 (binary)")),
    };
    Ok(Header { major, encoding, size })
}

/// Lines `dimension tag "name"`.
fn physical_names(scanner: &mut Scanner, groups: &mut Groups) -> Result<(), String> {
    let count = scanner.count(INT)?;
    let count = scanner.require_room(count, 1, "physical names")?;
    for _ in 0..count {
        let line = scanner.line().unwrap_or_default();
        let parsed = line.split_once('"').and_then(|(numbers, name)| {
            let (name, _) = name.rsplit_once('"')?;
            let (dimension, tag) = numbers.trim().split_once(char::is_whitespace)?;
            Some((dimension.parse::<usize>().ok().filter(|d| *d <= 3)?, tag.trim().parse::<i64>().ok()?, name))
        });
        let (dimension, tag, name) =
            parsed.ok_or_else(|| format!("`{}` is not `dimension tag \"name\"`", shortened(&line)))?;
        groups.name(dimension, tag, name);
    }
    Ok(())
}

fn shortened(line: &str) -> String {
    line.chars().take(40).collect()
}
