//! A mesh of tetrahedra that can change: vertices, tetrahedra with their materials, and who is at a vertex.

use crate::quality::{least_sine, six_volumes};
use crate::shape::Materials;
use wolff_spatial::Vec3;

/// The six edges of a tetrahedron.
pub(crate) const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
/// Its four faces, outward, each opposite to the corner of its number.
pub(crate) const FACES: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];

/// The material of a tetrahedron that was removed.
pub(crate) const GONE: u16 = u16::MAX;
/// The material of a tetrahedron whose material is not yet decided.
pub(crate) const OPEN: u16 = u16::MAX - 1;

/// A changing mesh.
#[derive(Default)]
pub(crate) struct Store {
    /// Positions of the vertices \[m\].
    pub x: Vec<Vec3>,
    /// The materials that meet at each vertex; filled once the materials are separated.
    pub meets: Vec<Materials>,
    /// Corners of the tetrahedra, of positive volume.
    pub tets: Vec<[u32; 4]>,
    /// Their materials, or [`GONE`].
    pub material: Vec<u16>,
    /// Whether a vertex marks a ridge and stays while the angles around it are fair.
    pub pinned: Vec<bool>,
    at: Vec<Vec<u32>>,
    free: Vec<u32>,
}

impl Store {
    /// Adds a vertex.
    pub fn vertex(&mut self, x: Vec3) -> u32 {
        self.x.push(x);
        self.meets.push(Materials::default());
        self.at.push(Vec::new());
        self.pinned.push(false);
        (self.x.len() - 1) as u32
    }

    /// Adds a tetrahedron and returns its number.
    pub fn add(&mut self, corners: [u32; 4], material: u16) -> u32 {
        let t = match self.free.pop() {
            Some(t) => {
                self.tets[t as usize] = corners;
                self.material[t as usize] = material;
                t
            }
            None => {
                self.tets.push(corners);
                self.material.push(material);
                (self.tets.len() - 1) as u32
            }
        };
        for v in corners {
            self.at[v as usize].push(t);
        }
        t
    }

    /// Removes a tetrahedron.
    pub fn remove(&mut self, t: u32) {
        for v in self.tets[t as usize] {
            self.at[v as usize].retain(|&other| other != t);
        }
        self.material[t as usize] = GONE;
        self.free.push(t);
    }

    /// Replaces a corner of a tetrahedron.
    pub fn replace(&mut self, t: u32, old: u32, new: u32) {
        for v in &mut self.tets[t as usize] {
            if *v == old {
                *v = new;
            }
        }
        self.at[old as usize].retain(|&other| other != t);
        self.at[new as usize].push(t);
    }

    /// The tetrahedra at a vertex.
    pub fn at(&self, v: u32) -> &[u32] {
        &self.at[v as usize]
    }

    /// Whether a tetrahedron exists.
    pub fn is_there(&self, t: u32) -> bool {
        self.material[t as usize] != GONE
    }

    /// The numbers of all tetrahedra.
    pub fn all(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.tets.len() as u32).filter(|&t| self.is_there(t))
    }

    /// The tetrahedra at an edge.
    pub fn at_edge(&self, a: u32, b: u32) -> impl Iterator<Item = u32> + '_ {
        self.at(a).iter().copied().filter(move |&t| self.tets[t as usize].contains(&b))
    }

    /// Whether two vertices share an edge.
    pub fn has_edge(&self, a: u32, b: u32) -> bool {
        self.at_edge(a, b).next().is_some()
    }

    /// The tetrahedron on the other side of a face of `t`.
    pub fn beside(&self, t: u32, [a, b, c]: [u32; 3]) -> Option<u32> {
        let has = |other: u32| {
            let corners = &self.tets[other as usize];
            corners.contains(&b) && corners.contains(&c)
        };
        self.at(a).iter().copied().find(|&other| other != t && has(other))
    }

    /// The positions of the corners.
    pub fn corners(&self, t: u32) -> [&Vec3; 4] {
        self.tets[t as usize].map(|v| &self.x[v as usize])
    }

    /// The smallest sine of a dihedral angle of a tetrahedron.
    pub fn sine(&self, t: u32) -> f64 {
        let [a, b, c, d] = self.corners(t);
        least_sine(a, b, c, d)
    }

    /// The volume of a tetrahedron \[m³\].
    pub fn volume(&self, t: u32) -> f64 {
        let [a, b, c, d] = self.corners(t);
        six_volumes(a, b, c, d) / 6.0
    }

    /// The smallest sine of all tetrahedra at a vertex.
    pub fn star_sine(&self, v: u32) -> f64 {
        self.at(v).iter().map(|&t| self.sine(t)).fold(f64::INFINITY, f64::min)
    }

    /// Moves a vertex if all tetrahedra around it keep a sine above `least`; whether it moved.
    pub fn try_move(&mut self, v: u32, to: Vec3, least: f64) -> bool {
        let old = std::mem::replace(&mut self.x[v as usize], to);
        let good = self.star_sine(v) > least;
        if !good {
            self.x[v as usize] = old;
        }
        good
    }

    /// Splits an edge at a point: every tetrahedron at it becomes two. Returns the new vertex.
    pub fn split(&mut self, a: u32, b: u32, point: Vec3) -> u32 {
        let around: Vec<u32> = self.at_edge(a, b).collect();
        let middle = self.vertex(point);
        for t in around {
            let corners = self.tets[t as usize];
            let material = self.material[t as usize];
            self.add(corners.map(|v| if v == a { middle } else { v }), material);
            self.replace(t, b, middle);
        }
        middle
    }

    /// Writes down which materials meet at each vertex.
    pub fn note_materials(&mut self) {
        let mut meets = vec![Materials::default(); self.x.len()];
        for t in self.all() {
            for v in self.tets[t as usize] {
                meets[v as usize].insert(self.material[t as usize]);
            }
        }
        self.meets = meets;
    }

    /// Leaves out removed tetrahedra and unused vertices, and keeps the order of the rest.
    pub fn compacted(self) -> Store {
        let mut number = vec![u32::MAX; self.x.len()];
        let mut next = Store::default();
        for v in 0..self.x.len() {
            if !self.at[v].is_empty() {
                number[v] = next.vertex(self.x[v]);
                next.meets[number[v] as usize] = self.meets[v];
                next.pinned[number[v] as usize] = self.pinned[v];
            }
        }
        for t in self.all() {
            next.add(self.tets[t as usize].map(|v| number[v as usize]), self.material[t as usize]);
        }
        next
    }
}
