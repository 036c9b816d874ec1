//! Meshes from Abaqus and CalculiX input files (`.inp`): nodes, C3D4 and C3D10 elements, node and element sets.
//!
//! Other keywords are passed over, and so are line and surface elements, which mesh generators leave in such files. Node
//! and element numbers may have gaps; the mesh numbers both from zero in the order of the file. Coordinates are taken as
//! m: scale the mesh with [`TetMesh::mapped`] if the file is in mm.

use std::collections::{BTreeMap, HashMap};

use nalgebra::Vector3;

use crate::element::ElementKind;
use crate::error::FemError;
use crate::mesh::TetMesh;

/// What the data lines of the current keyword are.
#[derive(Clone, PartialEq)]
enum Section {
    Skip,
    Nodes { set: Option<String> },
    Elements { kind: ElementKind, set: Option<String> },
    NodeSet { name: String, generate: bool },
    ElementSet { name: String, generate: bool },
}

/// The file, collected.
#[derive(Default)]
struct Reader {
    positions: Vec<Vector3<f64>>,
    node_index: HashMap<u64, usize>,
    kind: Option<ElementKind>,
    element_index: HashMap<u64, usize>,
    /// Node numbers of the file, element by element.
    connectivity: Vec<u64>,
    /// Numbers of an element that continues on the next line.
    open: Vec<u64>,
    node_sets: BTreeMap<String, Vec<u64>>,
    element_sets: BTreeMap<String, Vec<u64>>,
}

/// Reads a mesh from the text of an input file.
///
/// # Errors
/// [`FemError::Parse`] with the line; [`FemError::Mesh`] when an element names a node that is not there.
pub fn read_inp(text: &str) -> Result<TetMesh, FemError> {
    let mut reader = Reader::default();
    let mut section = Section::Skip;
    for (index, line) in text.lines().enumerate() {
        let (line, number) = (line.trim(), index + 1);
        if line.is_empty() || line.starts_with("**") {
            continue;
        }
        let fail = |message: String| FemError::Parse { line: number, message };
        if let Some(keyword) = line.strip_prefix('*') {
            reader.require_closed().map_err(fail)?;
            section = reader.keyword(keyword).map_err(fail)?;
        } else {
            reader.data(&section, line).map_err(fail)?;
        }
    }
    let last = text.lines().count();
    reader.require_closed().map_err(|message| FemError::Parse { line: last, message })?;
    reader.finish()
}

impl Reader {
    /// An element must have all its nodes before the next keyword or the end.
    fn require_closed(&self) -> Result<(), String> {
        match self.open.first() {
            Some(element) => Err(format!("element {element} ends after {} of its nodes", self.open.len() - 1)),
            None => Ok(()),
        }
    }

    /// Reads `KEYWORD, NAME=VALUE, FLAG`; names are not case-sensitive.
    fn keyword(&mut self, line: &str) -> Result<Section, String> {
        let mut parts = line.split(',').map(str::trim);
        let keyword = parts.next().unwrap_or_default().to_ascii_uppercase();
        let mut options: HashMap<String, String> = HashMap::new();
        for part in parts {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            options.insert(name.trim().to_ascii_uppercase(), value.trim().trim_matches('"').to_owned());
        }
        let generate = options.contains_key("GENERATE");
        let mut take = |name: &str| options.remove(name).filter(|value| !value.is_empty());
        Ok(match keyword.as_str() {
            "NODE" => Section::Nodes { set: take("NSET") },
            "ELEMENT" => {
                let set = take("ELSET");
                let name = take("TYPE").ok_or("*ELEMENT without TYPE=")?.to_ascii_uppercase();
                match element_kind(&name)? {
                    Some(kind) => self.elements(kind, set)?,
                    None => Section::Skip,
                }
            }
            "NSET" => Section::NodeSet { name: take("NSET").ok_or("*NSET without NSET=")?, generate },
            "ELSET" => Section::ElementSet { name: take("ELSET").ok_or("*ELSET without ELSET=")?, generate },
            _ => Section::Skip,
        })
    }

    fn elements(&mut self, kind: ElementKind, set: Option<String>) -> Result<Section, String> {
        if *self.kind.get_or_insert(kind) != kind {
            return Err("C3D4 and C3D10 in one mesh; convert one kind into the other".into());
        }
        Ok(Section::Elements { kind, set })
    }

    fn data(&mut self, section: &Section, line: &str) -> Result<(), String> {
        match section {
            Section::Skip => Ok(()),
            Section::Nodes { set } => self.node(line, set.as_deref()),
            Section::Elements { kind, set } => self.element(line, *kind, set.as_deref()),
            Section::NodeSet { name, generate } => extend_set(&mut self.node_sets, name, line, *generate),
            Section::ElementSet { name, generate } => extend_set(&mut self.element_sets, name, line, *generate),
        }
    }

    fn node(&mut self, line: &str, set: Option<&str>) -> Result<(), String> {
        let words = words(line);
        let [number, x, y, z] = words[..] else {
            return Err(format!("a node is a number and three coordinates, not `{line}`"));
        };
        let number = whole(number)?;
        let coordinate = |word: &str| match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(format!("`{word}` is not a finite coordinate of node {number}")),
        };
        let position = Vector3::new(coordinate(x)?, coordinate(y)?, coordinate(z)?);
        if self.node_index.insert(number, self.positions.len()).is_some() {
            return Err(format!("node {number} is defined twice"));
        }
        self.positions.push(position);
        if let Some(name) = set {
            self.node_sets.entry(name.to_owned()).or_default().push(number);
        }
        Ok(())
    }

    fn element(&mut self, line: &str, kind: ElementKind, set: Option<&str>) -> Result<(), String> {
        for word in words(line) {
            self.open.push(whole(word)?);
        }
        let wanted = kind.node_count() + 1;
        if self.open.len() > wanted {
            return Err(format!("element {} has more than {} nodes", self.open[0], wanted - 1));
        }
        if self.open.len() == wanted {
            let number = self.open[0];
            if self.element_index.insert(number, self.element_index.len()).is_some() {
                return Err(format!("element {number} is defined twice"));
            }
            self.connectivity.extend(self.open.drain(..).skip(1));
            if let Some(name) = set {
                self.element_sets.entry(name.to_owned()).or_default().push(number);
            }
        }
        Ok(())
    }

    /// Replaces the numbers of the file by indices.
    fn finish(self) -> Result<TetMesh, FemError> {
        let kind = self.kind.ok_or_else(|| FemError::Mesh("the file has no C3D4 or C3D10 elements".into()))?;
        let index = |number: &u64| {
            let found = self.node_index.get(number).copied();
            found.ok_or_else(|| FemError::Mesh(format!("an element or set names node {number}, which is not defined")))
        };
        let connectivity = self.connectivity.iter().map(index).collect::<Result<_, _>>()?;
        let mut mesh = TetMesh::new(kind, self.positions, connectivity)?;
        for (name, numbers) in &self.node_sets {
            mesh.set_nodes(name, numbers.iter().map(index).collect::<Result<_, _>>()?)?;
        }
        for (name, numbers) in &self.element_sets {
            // Line and surface elements were passed over; sets keep their solid members.
            let members = numbers.iter().filter_map(|number| self.element_index.get(number).copied()).collect();
            mesh.set_elements(name, members)?;
        }
        Ok(mesh)
    }
}

/// The kind of a solid element; `None` for lines and surfaces.
fn element_kind(name: &str) -> Result<Option<ElementKind>, String> {
    match name {
        "C3D4" => Ok(Some(ElementKind::Tet4)),
        "C3D10" | "C3D10M" => Ok(Some(ElementKind::Tet10)),
        _ if name.starts_with("C3D") => {
            Err(format!("elements of type {name} are not supported; mesh with C3D4 or C3D10 tetrahedra"))
        }
        _ => Ok(None),
    }
}

/// Adds the numbers of a line, or the range `first, last, step`, or the members of another set.
fn extend_set(sets: &mut BTreeMap<String, Vec<u64>>, name: &str, line: &str, generate: bool) -> Result<(), String> {
    let words = words(line);
    let mut members = Vec::new();
    if generate {
        let numbers = words.iter().map(|word| whole(word)).collect::<Result<Vec<_>, _>>()?;
        let (first, last, step) = match numbers[..] {
            [first, last] => (first, last, 1),
            [first, last, step] if step > 0 => (first, last, step),
            _ => return Err(format!("GENERATE needs `first, last, step`, not `{line}`")),
        };
        members.extend((first..=last).step_by(step as usize));
    } else {
        for word in words {
            match sets.get(word) {
                Some(other) => members.extend_from_slice(other),
                None => members.push(whole(word)?),
            }
        }
    }
    sets.entry(name.to_owned()).or_default().extend(members);
    Ok(())
}

fn words(line: &str) -> Vec<&str> {
    line.split(',').map(str::trim).filter(|word| !word.is_empty()).collect()
}

fn whole(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("`{word}` is not a node, element or set of this file"))
}
