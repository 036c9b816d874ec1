//! Writing `.inp` files.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use super::super::atomic;
use wolff_fem::ElementKind;
use wolff_fem::FemError;
use wolff_fem::TetMesh;

/// Writes a mesh with its sets, numbered from 1, with all digits.
///
/// # Errors
/// When the name of a set cannot stand in such a file, or the stream fails.
pub fn write_inp(out: &mut dyn Write, mesh: &TetMesh) -> Result<(), FemError> {
    require_names(mesh.node_sets().keys())?;
    require_names(mesh.element_sets().keys())?;
    write_lines(out, mesh).map_err(atomic::stream_failed)
}

/// Writes an `.inp` file (`.inp.gz`: packed), the whole or nothing.
///
/// # Errors
/// As [`write_inp`].
pub fn write_inp_to(path: &Path, mesh: &TetMesh) -> Result<(), FemError> {
    atomic::write_file(path, |out| write_inp(out, mesh))
}

fn write_lines(out: &mut dyn Write, mesh: &TetMesh) -> std::io::Result<()> {
    writeln!(out, "*NODE")?;
    for (node, x) in mesh.nodes().iter().enumerate() {
        writeln!(out, "{}, {:e}, {:e}, {:e}", node + 1, x.x, x.y, x.z)?;
    }
    let name = if mesh.kind() == ElementKind::Tet4 { "C3D4" } else { "C3D10" };
    writeln!(out, "*ELEMENT, TYPE={name}")?;
    for (element, nodes) in mesh.elements().enumerate() {
        writeln!(out, "{}, {}", element + 1, one_based(nodes))?;
    }
    for (keyword, sets) in [("NSET", mesh.node_sets()), ("ELSET", mesh.element_sets())] {
        for (name, members) in sets {
            // Some readers take quotes for a part of the name, so only names that need them get them.
            let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c));
            let quote = if plain { "" } else { "\"" };
            writeln!(out, "*{keyword}, {keyword}={quote}{name}{quote}")?;
            // The format allows sixteen numbers in a line.
            for line in members.chunks(16) {
                writeln!(out, "{}", one_based(line))?;
            }
        }
    }
    Ok(())
}

fn one_based(numbers: &[usize]) -> String {
    numbers.iter().map(|n| (n + 1).to_string()).collect::<Vec<_>>().join(", ")
}

fn require_names<'a>(names: impl Iterator<Item = &'a String>) -> Result<(), FemError> {
    let mut known = BTreeMap::new();
    for name in names {
        let fail = |message: String| Err(FemError::Unwritable { format: "an .inp file", message });
        if name.trim().is_empty() || name.trim() != name || name.contains([',', '"', '\n', '\r', '=']) {
            return fail(format!(
                "the set name `{name}` is empty or holds a comma, quote, `=` or outer space; rename it"
            ));
        }
        if let Some(other) = known.insert(name.to_ascii_uppercase(), name) {
            return fail(format!("the sets `{other}` and `{name}` differ in case only; rename one"));
        }
    }
    Ok(())
}
