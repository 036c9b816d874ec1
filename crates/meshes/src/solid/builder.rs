//! A mesh in the numbers of its file, turned into one numbered from zero.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nalgebra::Vector3;

use wolff_fem::ElementKind;
use wolff_fem::FemError;
use wolff_fem::TetMesh;

/// How nodes and elements are numbered in the mesh.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// As they come in the file.
    OfFile,
    /// By their numbers in the file.
    OfNumbers,
}

/// A mesh being collected.
#[derive(Debug, Default)]
pub(super) struct MeshBuilder {
    positions: Vec<Vector3<f64>>,
    node_numbers: Vec<u64>,
    node_index: HashMap<u64, usize>,
    kind: Option<ElementKind>,
    element_numbers: Vec<u64>,
    element_index: HashMap<u64, usize>,
    /// Node numbers of the file, element by element.
    connectivity: Vec<u64>,
    /// How many there are of each thing that is not a tetrahedron.
    others: BTreeMap<String, usize>,
    /// Node numbers of the file by set.
    pub node_sets: BTreeMap<String, BTreeSet<u64>>,
    /// Element numbers of the file by set; those of other elements are dropped in the end.
    pub element_sets: BTreeMap<String, BTreeSet<u64>>,
}

impl MeshBuilder {
    pub fn node(&mut self, number: u64, position: Vector3<f64>) -> Result<(), String> {
        if self.node_index.insert(number, self.positions.len()).is_some() {
            return Err(format!("node {number} is defined twice; a file may hold one part or instance only"));
        }
        self.positions.push(position);
        self.node_numbers.push(number);
        Ok(())
    }

    pub fn tetrahedron(&mut self, kind: ElementKind, number: u64, nodes: &[u64]) -> Result<(), String> {
        self.require_kind(kind)?;
        if nodes.len() != kind.node_count() {
            return Err(format!("element {number} has {} nodes instead of {}", nodes.len(), kind.node_count()));
        }
        if self.element_index.insert(number, self.element_index.len()).is_some() {
            return Err(format!("element {number} is defined twice"));
        }
        self.element_numbers.push(number);
        self.connectivity.extend_from_slice(nodes);
        Ok(())
    }

    /// Refuses a second kind of tetrahedra.
    pub fn require_kind(&mut self, kind: ElementKind) -> Result<(), String> {
        if *self.kind.get_or_insert(kind) == kind {
            return Ok(());
        }
        Err("four-node and ten-node tetrahedra in one mesh (C3D4 and C3D10); convert one kind into the other".into())
    }

    /// Counts something that is no solid element: a line, a triangle.
    pub fn other(&mut self, name: &str) {
        *self.others.entry(name.to_owned()).or_default() += 1;
    }

    /// The nodes of the tetrahedron with this number.
    pub fn nodes_of(&self, number: u64) -> Option<&[u64]> {
        let (index, n) = (*self.element_index.get(&number)?, self.kind?.node_count());
        self.connectivity.get(index * n..(index + 1) * n)
    }

    /// Replaces the numbers of the file by indices.
    pub fn finish(mut self, order: Order) -> Result<TetMesh, FemError> {
        let kind = self.kind.ok_or_else(|| self.no_tetrahedra())?;
        if order == Order::OfNumbers {
            self.sort(kind);
        }
        let n = kind.node_count();
        let mut connectivity = Vec::with_capacity(self.connectivity.len());
        for (at, number) in self.connectivity.iter().enumerate() {
            connectivity.push(*self.node_index.get(number).ok_or_else(|| {
                let element = self.element_numbers.get(at / n).copied().unwrap_or_default();
                FemError::Mesh(format!("element {element} names node {number}, which is not defined"))
            })?);
        }
        let mut mesh = TetMesh::new(kind, self.positions, connectivity)?;
        for (name, numbers) in &self.node_sets {
            let index = |number: &u64| {
                let found = self.node_index.get(number).copied();
                found.ok_or_else(|| FemError::Mesh(format!("set `{name}` names node {number}, which is not defined")))
            };
            mesh.set_nodes(name, numbers.iter().map(index).collect::<Result<_, _>>()?)?;
        }
        for (name, numbers) in &self.element_sets {
            let members = numbers.iter().filter_map(|number| self.element_index.get(number).copied()).collect();
            mesh.set_elements(name, members)?;
        }
        Ok(mesh)
    }

    fn no_tetrahedra(&self) -> FemError {
        let found: Vec<String> = self.others.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let found = if found.is_empty() { "no elements at all".into() } else { found.join(", ") };
        let nodes = self.positions.len();
        FemError::Mesh(format!(
            "the file has no tetrahedra (Gmsh types 4 and 11, Abaqus C3D4 and C3D10, VTK cells 10 and 24); it has {nodes} \
             nodes and {found}; mesh the volume and save it"
        ))
    }

    /// Brings nodes and elements into the order of their numbers.
    fn sort(&mut self, kind: ElementKind) {
        let by = |numbers: &[u64]| {
            let mut order: Vec<usize> = (0..numbers.len()).collect();
            order.sort_by_key(|&i| numbers[i]);
            order
        };
        let order = by(&self.node_numbers);
        self.positions = order.iter().map(|&i| self.positions[i]).collect();
        self.node_index = order.iter().enumerate().map(|(new, &old)| (self.node_numbers[old], new)).collect();
        let (order, n) = (by(&self.element_numbers), kind.node_count());
        self.connectivity = order.iter().flat_map(|&i| self.connectivity[i * n..(i + 1) * n].iter().copied()).collect();
        self.element_numbers = order.iter().map(|&i| self.element_numbers[i]).collect();
        self.element_index = self.element_numbers.iter().enumerate().map(|(new, &number)| (number, new)).collect();
    }
}
