//! What the mesher asks of a body, whatever it is made of.

use crate::store::Store;
use wolff_spatial::Vec3;

/// The materials that meet at a vertex, sorted; 0 is the outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Materials {
    list: [u16; 4],
    count: u8,
    /// More than four meet: the vertex stays where it is.
    crowded: bool,
}

impl Materials {
    /// Adds a material.
    pub fn insert(&mut self, material: u16) {
        let known = &self.list[..usize::from(self.count)];
        let Err(place) = known.binary_search(&material) else { return };
        if usize::from(self.count) == self.list.len() {
            self.crowded = true;
            return;
        }
        self.list.copy_within(place..usize::from(self.count), place + 1);
        self.list[place] = material;
        self.count += 1;
    }

    /// The materials, sorted.
    pub fn list(&self) -> &[u16] {
        &self.list[..usize::from(self.count)]
    }

    /// Whether the vertex lies inside one material.
    pub fn is_free(&self) -> bool {
        self.count <= 1
    }

    /// Whether the vertex cannot move.
    pub fn is_fixed(&self) -> bool {
        self.crowded || self.count >= 4
    }
}

/// Where a vertex may go from a point of its interface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Freedom {
    /// Across this unit normal.
    Surface(Vec3),
    /// Along this unit tangent.
    Curve(Vec3),
}

impl Freedom {
    /// The part of a direction that the vertex may follow.
    pub fn allowed(&self, direction: &Vec3) -> Vec3 {
        match self {
            Freedom::Surface(normal) => direction - normal * normal.dot(direction),
            Freedom::Curve(tangent) => tangent * tangent.dot(direction),
        }
    }
}

/// A body of materials 1 to n in an outside 0.
///
/// The materials are separated one after the other: cut `k` tells material `k` from all that come later.
pub(crate) trait Shape: Sync {
    /// The number of materials, the outside not counted.
    fn materials(&self) -> u16;

    /// Positive in material `cut`, negative in a later one, where no earlier one is.
    fn value(&self, cut: u16, x: &Vec3) -> f64;

    /// The nearest point at which these materials meet, and where one may go from there.
    fn project(&self, materials: &Materials, x: &Vec3) -> Option<(Vec3, Freedom)>;

    /// Where between two ends with values of opposite signs the value of a cut vanishes, from 0 to 1.
    fn crossing(&self, cut: u16, ends: [&Vec3; 2], values: [f64; 2]) -> f64;

    /// Whether a cube may touch the inside, by its centre and half its side.
    fn reaches(&self, centre: &Vec3, half_side: f64) -> bool;

    /// Whether a cell of the lattice is too large for the shape in it, by its centre and side.
    fn is_coarse(&self, centre: &Vec3, side: f64) -> bool;

    /// Points of the outer surface that a mesh may miss, such as those of ridges.
    fn landmarks(&self) -> &[Vec3];

    /// Asks for cells no larger than the given sides around the given places.
    fn refine(&mut self, places: Vec<(Vec3, f64)>);

    /// Shifts the interfaces so that the volumes of a mesh on them come nearer to those of the input.
    fn fit(&mut self, store: &Store);
}
