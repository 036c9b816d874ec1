//! Writing version 4.1 as text.
//!
//! An element set becomes a physical volume, a node set a physical group of points. As only entities belong to groups,
//! there is an entity for each combination of sets that occurs.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

use nalgebra::Vector3;

use super::super::atomic;
use wolff_fem::ElementKind;
use wolff_fem::FemError;
use wolff_fem::TetMesh;

/// Members by the sets they are in (as physical tags from 1): entity 1 is the first entry, and so on.
type Combinations = BTreeMap<Vec<usize>, Vec<usize>>;

/// Writes a mesh with its sets, numbered from 1, with all digits.
///
/// # Errors
/// When the name of a set cannot stand in such a file, or the stream fails.
pub fn write_msh(out: &mut dyn Write, mesh: &TetMesh) -> Result<(), FemError> {
    let mut names = mesh.node_sets().keys().chain(mesh.element_sets().keys());
    if let Some(name) = names.find(|name| name.contains(['"', '\n', '\r'])) {
        let message = format!("the set name `{name}` holds a quote or a line break; rename it");
        return Err(FemError::Unwritable { format: "a .msh file", message });
    }
    let mut points = combinations(mesh.node_sets(), mesh.nodes().len());
    points.remove(&Vec::new());
    let volumes = combinations(mesh.element_sets(), mesh.element_count());
    let write = |out: &mut dyn Write| {
        writeln!(out, "$MeshFormat\n4.1 0 8\n$EndMeshFormat")?;
        write_names(out, mesh)?;
        write_entities(out, mesh, &points, &volumes)?;
        write_nodes(out, mesh)?;
        write_elements(out, mesh, &points, &volumes)
    };
    write(out).map_err(atomic::stream_failed)
}

/// Writes a `.msh` file (`.msh.gz`: packed), the whole or nothing.
///
/// # Errors
/// As [`write_msh`].
pub fn write_msh_to(path: &Path, mesh: &TetMesh) -> Result<(), FemError> {
    atomic::write_file(path, |out| write_msh(out, mesh))
}

fn combinations(sets: &BTreeMap<String, Vec<usize>>, count: usize) -> Combinations {
    let mut sets_of = vec![Vec::new(); count];
    for (index, members) in sets.values().enumerate() {
        for &member in members {
            sets_of[member].push(index + 1);
        }
    }
    let mut combinations = Combinations::new();
    for (member, sets) in sets_of.into_iter().enumerate() {
        combinations.entry(sets).or_default().push(member);
    }
    combinations
}

fn write_names(out: &mut dyn Write, mesh: &TetMesh) -> io::Result<()> {
    writeln!(out, "$PhysicalNames\n{}", mesh.node_sets().len() + mesh.element_sets().len())?;
    for (dimension, sets) in [(0, mesh.node_sets()), (3, mesh.element_sets())] {
        for (index, name) in sets.keys().enumerate() {
            writeln!(out, "{dimension} {} \"{name}\"", index + 1)?;
        }
    }
    writeln!(out, "$EndPhysicalNames")
}

fn write_entities(
    out: &mut dyn Write,
    mesh: &TetMesh,
    points: &Combinations,
    volumes: &Combinations,
) -> io::Result<()> {
    writeln!(out, "$Entities\n{} 0 0 {}", points.len(), volumes.len())?;
    for (index, (groups, nodes)) in points.iter().enumerate() {
        let x = nodes.first().map(|&node| mesh.nodes()[node]).unwrap_or_default();
        writeln!(out, "{} {} {}{}", index + 1, coordinates(&x), groups.len(), listed(groups, 0))?;
    }
    let first = mesh.nodes().first().copied().unwrap_or_default();
    let (low, high) = mesh.nodes().iter().fold((first, first), |(low, high), x| (low.inf(x), high.sup(x)));
    for (index, groups) in volumes.keys().enumerate() {
        let (low, high) = (coordinates(&low), coordinates(&high));
        writeln!(out, "{} {low} {high} {}{} 0", index + 1, groups.len(), listed(groups, 0))?;
    }
    writeln!(out, "$EndEntities")
}

fn write_nodes(out: &mut dyn Write, mesh: &TetMesh) -> io::Result<()> {
    let count = mesh.nodes().len();
    writeln!(out, "$Nodes\n1 {count} 1 {count}\n3 1 0 {count}")?;
    for node in 0..count {
        writeln!(out, "{}", node + 1)?;
    }
    for x in mesh.nodes() {
        writeln!(out, "{}", coordinates(x))?;
    }
    writeln!(out, "$EndNodes")
}

/// Tetrahedra have the tags from 1; the points of node sets come after them.
fn write_elements(
    out: &mut dyn Write,
    mesh: &TetMesh,
    points: &Combinations,
    volumes: &Combinations,
) -> io::Result<()> {
    let total = mesh.element_count() + points.values().map(Vec::len).sum::<usize>();
    writeln!(out, "$Elements\n{} {total} 1 {total}", points.len() + volumes.len())?;
    let number = if mesh.kind() == ElementKind::Tet4 { 4 } else { 11 };
    for (index, elements) in volumes.values().enumerate() {
        writeln!(out, "3 {} {number} {}", index + 1, elements.len())?;
        for &element in elements {
            let mut nodes = mesh.element(element).unwrap_or_default().to_vec();
            super::swap_last_edges(mesh.kind(), &mut nodes);
            writeln!(out, "{}{}", element + 1, listed(&nodes, 1))?;
        }
    }
    let mut tag = mesh.element_count();
    for (index, nodes) in points.values().enumerate() {
        writeln!(out, "0 {} 15 {}", index + 1, nodes.len())?;
        for &node in nodes {
            tag += 1;
            writeln!(out, "{tag} {}", node + 1)?;
        }
    }
    writeln!(out, "$EndElements")
}

fn coordinates(x: &Vector3<f64>) -> String {
    format!("{:e} {:e} {:e}", x.x, x.y, x.z)
}

/// Each number plus `from`, after a space.
fn listed(numbers: &[usize], from: usize) -> String {
    numbers.iter().map(|n| format!(" {}", n + from)).collect()
}
