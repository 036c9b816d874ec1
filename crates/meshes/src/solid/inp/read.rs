//! Reading `.inp` files.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::super::builder::{MeshBuilder, Order};
use super::system::{Coordinates, LocalSystem};
use wolff_fem::ElementKind;
use wolff_fem::FemError;
use wolff_fem::TetMesh;

/// What the data lines of the current keyword are.
#[derive(Clone, PartialEq)]
enum Section {
    Skip,
    System,
    Nodes { set: Option<String>, coordinates: Coordinates },
    Elements { shape: Shape, set: Option<String> },
    NodeSet { name: String, generate: bool },
    ElementSet { name: String, generate: bool },
}

/// Keywords that make nodes or elements from others.
const GENERATORS: [&str; 8] =
    ["NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYMMETRIC MODEL GENERATION", "IMPORT"];

/// What an element type is to us.
#[derive(Clone, PartialEq)]
enum Shape {
    Solid(ElementKind),
    /// Lines and surfaces with their type and number of nodes.
    Flat(String, usize),
}

impl Shape {
    fn node_count(&self) -> usize {
        match self {
            Self::Solid(kind) => kind.node_count(),
            Self::Flat(_, count) => *count,
        }
    }
}

/// The file, collected.
#[derive(Default)]
struct Reader {
    mesh: MeshBuilder,
    /// Nodes of the line and surface elements.
    flat: HashMap<u64, Vec<u64>>,
    /// The system in which the nodes that follow are given.
    system: LocalSystem,
    /// Numbers of an element that continues on the next line.
    open: Vec<u64>,
    /// No set has more members than the file has characters.
    limit: u64,
}

/// Reads a mesh from the text of an input file with one part that has tetrahedra.
///
/// # Errors
/// [`FemError::Parse`] with the line, also where the data is in another file (`*INCLUDE`), see
/// [`super::read_inp_part`]; [`FemError::Mesh`] when an element names a node that is not there, or when there are
/// several parts.
pub fn read_inp(text: &str) -> Result<TetMesh, FemError> {
    super::parts::read_inp_part(text, None, None)
}

/// Reads a mesh from lines, of which those that are not wanted are empty.
pub(super) fn read_lines(lines: &[&str]) -> Result<TetMesh, FemError> {
    let length: usize = lines.iter().map(|line| line.len() + 1).sum();
    let mut reader = Reader { limit: length as u64, ..Reader::default() };
    let mut section = Section::Skip;
    // A keyword line that ends in a comma continues on the next.
    let mut keyword = String::new();
    for (index, line) in lines.iter().enumerate() {
        let (line, number) = (line.trim(), index + 1);
        if line.is_empty() || line.starts_with("**") {
            continue;
        }
        let fail = |message: String| FemError::Parse { line: number, message };
        if keyword.is_empty() && !line.starts_with('*') {
            reader.data(&section, line).map_err(fail)?;
            continue;
        }
        keyword.push_str(line);
        if !line.ends_with(',') {
            reader.require_closed().map_err(fail)?;
            section = reader.keyword(keyword.trim_start_matches('*')).map_err(fail)?;
            keyword.clear();
        }
    }
    let last = lines.len();
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
            "NODE" => Section::Nodes {
                set: take("NSET").map(|name| known_name(&mut self.mesh.node_sets, &name)),
                coordinates: Coordinates::of(take("SYSTEM").as_deref())?,
            },
            "SYSTEM" => {
                self.system = LocalSystem::default();
                Section::System
            }
            "ELEMENT" => {
                let set = take("ELSET").map(|name| known_name(&mut self.mesh.element_sets, &name));
                let name = take("TYPE").ok_or("*ELEMENT without TYPE=")?.to_ascii_uppercase();
                self.elements(&name, set)?
            }
            "NSET" => {
                let name = take("NSET").or_else(|| take("NAME")).ok_or("*NSET without NSET=")?;
                let name = known_name(&mut self.mesh.node_sets, &name);
                match take("ELSET") {
                    Some(elements) => self.nodes_of_elements(&name, &elements)?,
                    None => Section::NodeSet { name, generate },
                }
            }
            "ELSET" => {
                let name = take("ELSET").or_else(|| take("NAME")).ok_or("*ELSET without ELSET=")?;
                Section::ElementSet { name: known_name(&mut self.mesh.element_sets, &name), generate }
            }
            _ if GENERATORS.contains(&keyword.as_str()) => {
                return Err(format!(
                    "*{keyword} makes nodes or elements that are not in the file, and is not supported; save the \
                     finished mesh with the program that made it"
                ));
            }
            _ => Section::Skip,
        })
    }

    fn elements(&mut self, name: &str, set: Option<String>) -> Result<Section, String> {
        let Some(shape) = shape(name)? else {
            self.mesh.other(name);
            return Ok(Section::Skip);
        };
        if let Shape::Solid(kind) = shape {
            self.mesh.require_kind(kind)?;
        }
        Ok(Section::Elements { shape, set })
    }

    /// `*NSET, NSET=name, ELSET=elements`: the nodes of these elements.
    fn nodes_of_elements(&mut self, name: &str, elements: &str) -> Result<Section, String> {
        let elements = spelling(&self.mesh.element_sets, elements).ok_or(format!("there is no set `{elements}`"))?;
        let numbers = self.mesh.element_sets.get(&elements).cloned().unwrap_or_default();
        let mut nodes: BTreeSet<u64> = BTreeSet::new();
        for number in numbers {
            let of_flat = self.flat.get(&number).map(Vec::as_slice);
            nodes.extend(of_flat.or_else(|| self.mesh.nodes_of(number)).into_iter().flatten());
        }
        self.mesh.node_sets.entry(name.to_owned()).or_default().extend(nodes);
        Ok(Section::Skip)
    }

    fn data(&mut self, section: &Section, line: &str) -> Result<(), String> {
        match section {
            Section::Skip => Ok(()),
            Section::System => self.system.add(&words(line)),
            Section::Nodes { set, coordinates } => self.node(line, set.as_deref(), *coordinates),
            Section::Elements { shape, set } => self.element(line, shape, set.as_deref()),
            Section::NodeSet { name, generate } => {
                extend_set(&mut self.mesh.node_sets, name, line, *generate, self.limit)
            }
            Section::ElementSet { name, generate } => {
                extend_set(&mut self.mesh.element_sets, name, line, *generate, self.limit)
            }
        }
    }

    fn node(&mut self, line: &str, set: Option<&str>, coordinates: Coordinates) -> Result<(), String> {
        let words = words(line);
        let [number, x, y, z] = words[..] else {
            return Err(format!("a node is a number and three coordinates, not `{line}`"));
        };
        let number = whole(number)?;
        let coordinate = |word: &str| match word.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(format!("`{word}` is not a finite coordinate of node {number}")),
        };
        let given = coordinates.rectangular([coordinate(x)?, coordinate(y)?, coordinate(z)?]);
        self.mesh.node(number, self.system.place(given)?)?;
        if let Some(name) = set {
            self.mesh.node_sets.entry(name.to_owned()).or_default().insert(number);
        }
        Ok(())
    }

    fn element(&mut self, line: &str, shape: &Shape, set: Option<&str>) -> Result<(), String> {
        for word in words(line) {
            self.open.push(whole(word)?);
        }
        let wanted = shape.node_count() + 1;
        if self.open.len() > wanted {
            return Err(format!("element {} has more than {} nodes", self.open[0], wanted - 1));
        }
        let [number, nodes @ ..] = &self.open[..] else { return Ok(()) };
        if nodes.len() + 1 < wanted {
            return Ok(());
        }
        match shape {
            Shape::Solid(kind) => self.mesh.tetrahedron(*kind, *number, nodes)?,
            Shape::Flat(name, _) => {
                self.mesh.other(name);
                self.flat.insert(*number, nodes.to_vec());
            }
        }
        if let Some(name) = set {
            self.mesh.element_sets.entry(name.to_owned()).or_default().insert(*number);
        }
        self.open.clear();
        Ok(())
    }

    fn finish(mut self) -> Result<TetMesh, FemError> {
        let mut solid = BTreeMap::new();
        for (name, numbers) in std::mem::take(&mut self.mesh.element_sets) {
            let nodes: BTreeSet<u64> = numbers.iter().filter_map(|n| self.flat.get(n)).flatten().copied().collect();
            let is_flat = !nodes.is_empty() && numbers.iter().all(|n| self.flat.contains_key(n));
            if !nodes.is_empty() && spelling(&self.mesh.node_sets, &name).is_none() {
                self.mesh.node_sets.insert(name.clone(), nodes);
            }
            if !is_flat {
                solid.insert(name, numbers);
            }
        }
        self.mesh.element_sets = solid;
        self.mesh.finish(Order::OfFile)
    }
}

/// The shape of an element type; `None` for those whose nodes do not concern us.
fn shape(name: &str) -> Result<Option<Shape>, String> {
    let flat = |count| Ok(Some(Shape::Flat(name.to_owned(), count)));
    match name {
        "C3D4" | "C3D4H" | "DC3D4" => Ok(Some(Shape::Solid(ElementKind::Tet4))),
        "C3D10" | "C3D10M" | "C3D10H" | "C3D10MH" | "C3D10I" | "C3D10HS" | "C3D10T" | "DC3D10" => {
            Ok(Some(Shape::Solid(ElementKind::Tet10)))
        }
        _ if name.starts_with("C3D") => {
            Err(format!("elements of type {name} are not supported; mesh with C3D4 or C3D10 tetrahedra"))
        }
        "T3D2" | "B31" => flat(2),
        "S3" | "S3R" | "STRI3" | "CPS3" | "CPE3" | "CAX3" | "M3D3" | "SFM3D3" | "R3D3" | "T3D3" | "B32" => flat(3),
        "S4" | "S4R" | "CPS4" | "CPS4R" | "CPE4" | "CPE4R" | "M3D4" | "SFM3D4" | "R3D4" => flat(4),
        "S6" | "STRI65" | "CPS6" | "CPE6" | "CAX6" | "M3D6" | "SFM3D6" => flat(6),
        "S8" | "S8R" | "CPS8" | "CPS8R" | "CPE8" | "CPE8R" | "M3D8" | "SFM3D8" => flat(8),
        _ => Ok(None),
    }
}

/// Adds the numbers of a line, or the range `first, last, step`, or the members of another set.
fn extend_set(
    sets: &mut BTreeMap<String, BTreeSet<u64>>,
    name: &str,
    line: &str,
    generate: bool,
    limit: u64,
) -> Result<(), String> {
    let words = words(line);
    let mut members = BTreeSet::new();
    if generate {
        let numbers = words.iter().map(|word| whole(word)).collect::<Result<Vec<_>, _>>()?;
        let (first, last, step) = match numbers[..] {
            [first, last] => (first, last, 1),
            [first, last, step] if step > 0 => (first, last, step),
            _ => return Err(format!("GENERATE needs `first, last, step`, not `{line}`")),
        };
        let count = last.saturating_sub(first) / step;
        if count > limit {
            return Err(format!("GENERATE `{line}` names {count} numbers, more than this file can define"));
        }
        members.extend((first..=last).step_by(step as usize));
    } else {
        for word in words {
            match word.parse() {
                Ok(number) => _ = members.insert(number),
                Err(_) => {
                    let other = spelling(sets, word).and_then(|name| sets.get(&name));
                    let missing = || format!("`{word}` is not a node, element or set of this file");
                    members.extend(other.ok_or_else(missing)?);
                }
            }
        }
    }
    sets.entry(name.to_owned()).or_default().extend(members);
    Ok(())
}

/// How the name of a set was first written, in whichever case.
fn spelling(sets: &BTreeMap<String, BTreeSet<u64>>, name: &str) -> Option<String> {
    if sets.contains_key(name) {
        return Some(name.to_owned());
    }
    sets.keys().find(|known| known.eq_ignore_ascii_case(name)).cloned()
}

/// The same, making an empty set of that name when there is none.
fn known_name(sets: &mut BTreeMap<String, BTreeSet<u64>>, name: &str) -> String {
    let name = spelling(sets, name).unwrap_or_else(|| name.to_owned());
    sets.entry(name.clone()).or_default();
    name
}

fn words(line: &str) -> Vec<&str> {
    line.split(',').map(|word| word.trim().trim_matches('"')).filter(|word| !word.is_empty()).collect()
}

fn whole(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("`{word}` is not a node, element or set of this file"))
}
