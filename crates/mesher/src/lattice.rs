//! The lattice: a balanced octree whose cells form a body-centred cubic lattice of tetrahedra.
//!
//! Source: Labelle and Shewchuk 2007, Isosurface stuffing: fast tetrahedral meshes with good dihedral angles.

use rayon::prelude::*;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::shape::Shape;
use crate::store::{OPEN, Store};
use wolff_spatial::Vec3;

/// Halvings of a cell, at most.
pub(crate) const HALVINGS: u32 = 3;
/// Side of the largest cell in units of the integer coordinates; half the side of the smallest is one unit.
const WHOLE: i32 = 1 << (HALVINGS + 1);
/// Largest cells of the smallest block along an axis; blocks are worked on independently.
const BLOCK: i32 = 8;
/// Blocks, at most; larger boxes get larger blocks.
const BLOCKS: i64 = 4096;

/// A cube of the octree: its smallest corner and its side, in units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    low: [i32; 3],
    side: i32,
}

/// Mixes the bits of one number.
#[derive(Default)]
pub(crate) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }
    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 29);
    }
}

/// A map from numbers that hashes fast and alike in every run.
pub(crate) type NumberMap<T> = HashMap<u64, T, BuildHasherDefault<Mixer>>;

/// Packs integer coordinates, each from -2^19 to 2^19.
fn packed([i, j, k]: [i32; 3]) -> u64 {
    let bits = |c: i32| u64::from((c + (1 << 19)) as u32 & 0xF_FFFF);
    bits(i) | bits(j) << 20 | bits(k) << 40
}

/// Where the lattice lies and how fine it is.
pub(crate) struct Frame {
    origin: Vec3,
    unit: f64,
    blocks: [i32; 3],
    /// Largest cells of a block along an axis, a power of two.
    block: i32,
}

impl Frame {
    /// A frame around a box, with largest cells of a given side \[m\]; `None` if the box has too many of them.
    pub fn new([low, high]: [Vec3; 2], side: f64) -> Option<Frame> {
        let reach = (high - low) / side;
        if !reach.iter().all(|&cells| cells < f64::from((1 << 18) / WHOLE)) {
            return None;
        }
        let count = |block: i32| [0, 1, 2].map(|i| ((reach[i] + 4.0) / f64::from(block)).ceil() as i32);
        let mut block = BLOCK;
        while count(block).iter().map(|&n| i64::from(n)).product::<i64>() > BLOCKS {
            block *= 2;
        }
        let blocks = count(block);
        let span = Vec3::from(blocks.map(|n| f64::from(n * block) * side));
        // the offset keeps planes of symmetric bodies off the planes of the lattice
        let offset = Vec3::new(0.137, 0.219, 0.171) * side;
        Some(Frame { origin: 0.5 * (low + high - span) + offset, unit: side / f64::from(WHOLE), blocks, block })
    }

    fn place(&self, at: [i32; 3]) -> Vec3 {
        self.origin + Vec3::from(at.map(f64::from)) * self.unit
    }
}

/// The cells of the octree with a map to find them.
struct Cells {
    list: Vec<Cell>,
    number: NumberMap<u32>,
}

impl Cells {
    fn insert(&mut self, cell: Cell) {
        self.number.insert(key(&cell), self.list.len() as u32);
        self.list.push(cell);
    }

    /// The cell of this side that begins here.
    fn find(&self, low: [i32; 3], side: i32) -> Option<u32> {
        self.number.get(&key(&Cell { low, side })).copied()
    }

    /// The cell of this side that contains the place.
    fn around(&self, at: [i32; 3], side: i32) -> Option<u32> {
        self.find(at.map(|c| c.div_euclid(side) * side), side)
    }
}

fn key(cell: &Cell) -> u64 {
    packed(cell.low) | u64::from(cell.side.trailing_zeros()) << 60
}

/// The tetrahedra of the lattice that touch the inside of a shape, all [`OPEN`], with the values of the first cut
/// at the vertices. `None` if there would be more cells than `most`.
pub(crate) fn lattice(shape: &dyn Shape, frame: &Frame, most: usize) -> Option<(Store, Vec<f64>)> {
    let cells = octree(shape, frame, most)?;
    let mut points = Points::new(&cells);
    let mut corners = Vec::new();
    for number in 0..cells.list.len() as u32 {
        around_cell(&cells, &mut points, number, &mut corners);
    }
    let positions: Vec<Vec3> = points.places.iter().map(|&at| frame.place(at)).collect();
    let values: Vec<f64> = positions.par_iter().with_min_len(64).map(|x| shape.value(0, x)).collect();
    corners.retain(|tet: &[u32; 4]| tet.iter().any(|&v| values[v as usize] < 0.0));
    Some(stored(&positions, &values, &corners))
}

/// The used vertices and the tetrahedra in a store.
fn stored(positions: &[Vec3], values: &[f64], corners: &[[u32; 4]]) -> (Store, Vec<f64>) {
    let mut store = Store::default();
    let mut kept = Vec::new();
    let mut number = vec![u32::MAX; positions.len()];
    for tet in corners {
        let new = tet.map(|v| {
            if number[v as usize] == u32::MAX {
                number[v as usize] = store.vertex(positions[v as usize]);
                kept.push(values[v as usize]);
            }
            number[v as usize]
        });
        store.add(new, OPEN);
    }
    (store, kept)
}

/// The vertices of the lattice: corners and centres of cells.
struct Points {
    number: NumberMap<u32>,
    places: Vec<[i32; 3]>,
    centres: Vec<u32>,
}

impl Points {
    fn new(cells: &Cells) -> Points {
        let mut points = Points { number: NumberMap::default(), places: Vec::new(), centres: Vec::new() };
        for cell in &cells.list {
            for corner in 0..8 {
                points.corner([0, 1, 2].map(|i| cell.low[i] + cell.side * (corner >> i & 1)));
            }
        }
        for cell in &cells.list {
            points.centres.push(points.places.len() as u32);
            points.places.push(cell.low.map(|c| c + cell.side / 2));
        }
        points
    }

    fn corner(&mut self, at: [i32; 3]) -> u32 {
        let places = &mut self.places;
        *self.number.entry(packed(at)).or_insert_with(|| {
            places.push(at);
            (places.len() - 1) as u32
        })
    }
}

/// The tetrahedra between a cell and its neighbours of the same side (each pair once) and of twice its side.
fn around_cell(cells: &Cells, points: &mut Points, number: u32, tets: &mut Vec<[u32; 4]>) {
    let cell = cells.list[number as usize];
    for axis in 0..3 {
        for forward in [false, true] {
            let mut beside = cell.low;
            beside[axis] += if forward { cell.side } else { -cell.side };
            // the face, counter-clockwise seen from above along the axis
            let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
            let mut face = [cell.low; 4];
            for (corner, [di, dj]) in face.iter_mut().zip([[0, 0], [1, 0], [1, 1], [0, 1]]) {
                corner[axis] += if forward { cell.side } else { 0 };
                corner[i] += cell.side * di;
                corner[j] += cell.side * dj;
            }
            let same = cells.find(beside, cell.side);
            if let Some(other) = same.filter(|_| forward) {
                let centres = [points.centres[number as usize], points.centres[other as usize]];
                between_equals(points, centres, face, tets);
            } else if same.is_none()
                && let Some(other) = cells.around(beside, 2 * cell.side)
            {
                let [below, above] = if forward { [number, other] } else { [other, number] };
                let centres = [below, above].map(|c| points.centres[c as usize]);
                between_sizes(points, centres, face, cell.side, tets);
            }
        }
    }
}

/// Around the line between two centres: one tetrahedron per edge of the face, two where the edge has a middle vertex.
fn between_equals(points: &mut Points, [below, above]: [u32; 2], face: [[i32; 3]; 4], tets: &mut Vec<[u32; 4]>) {
    for n in 0..4 {
        let (p, q) = (face[n], face[(n + 1) % 4]);
        let middle = points.number.get(&packed([0, 1, 2].map(|i| (p[i] + q[i]) / 2))).copied();
        let (p, q) = (points.corner(p), points.corner(q));
        match middle {
            None => tets.push([p, q, below, above]),
            Some(m) => tets.extend([[p, m, below, above], [m, q, below, above]]),
        }
    }
}

/// Between a cell and one of twice its side: the face in two triangles, each with both centres. The diagonal starts at
/// the middle of the larger face.
fn between_sizes(
    points: &mut Points,
    [below, above]: [u32; 2],
    face: [[i32; 3]; 4],
    side: i32,
    tets: &mut Vec<[u32; 4]>,
) {
    // the middle of the larger face is the corner that is no multiple of twice the side across the face
    let is_middle = |at: &[i32; 3]| at.iter().filter(|c| c.rem_euclid(2 * side) != 0).count() >= 2;
    let first = face.iter().position(is_middle).unwrap_or(0);
    let [a, b, c, d] = [0, 1, 2, 3].map(|n| points.corner(face[(first + n) % 4]));
    for [p, q, r] in [[a, b, c], [a, c, d]] {
        tets.extend([[p, q, r, above], [p, r, q, below]]);
    }
}

/// The balanced octree around the inside of a shape.
fn octree(shape: &dyn Shape, frame: &Frame, most: usize) -> Option<Cells> {
    let [ni, nj, nk] = frame.blocks;
    let blocks: Vec<[i32; 3]> =
        (0..nk).flat_map(|k| (0..nj).flat_map(move |j| (0..ni).map(move |i| [i, j, k]))).collect();
    let count = AtomicUsize::new(0);
    let parts: Vec<Vec<Cell>> = blocks
        .par_iter()
        .map(|block| {
            let side = frame.block * WHOLE;
            let mut found = Vec::new();
            descend(shape, frame, Cell { low: block.map(|c| c * side), side }, (&count, most), &mut found);
            found
        })
        .collect();
    if count.into_inner() > most {
        return None;
    }
    let mut cells = Cells { list: Vec::new(), number: NumberMap::default() };
    parts.into_iter().flatten().for_each(|cell| cells.insert(cell));
    balance(&mut cells);
    Some(cells)
}

/// Collects the cells of a cube: none far outside, whole ones far inside, finer ones where the shape asks for it. Gives
/// up once all cubes together have more than `most`.
fn descend(shape: &dyn Shape, frame: &Frame, cell: Cell, (count, most): (&AtomicUsize, usize), found: &mut Vec<Cell>) {
    if count.load(Ordering::Relaxed) > most {
        return;
    }
    let centre = frame.place(cell.low.map(|c| c + cell.side / 2));
    let side = f64::from(cell.side) * frame.unit;
    // neighbours of cells that touch the inside are needed too
    let margin = if cell.side > WHOLE { f64::from(WHOLE) * frame.unit } else { side };
    if !shape.reaches(&centre, 0.5 * side + 1.1 * margin) {
        return;
    }
    let splits = cell.side > WHOLE || (cell.side > 2 && shape.is_coarse(&centre, side));
    if !splits {
        count.fetch_add(1, Ordering::Relaxed);
        found.push(cell);
        return;
    }
    let half = cell.side / 2;
    for octant in 0..8 {
        let low = [0, 1, 2].map(|i| cell.low[i] + half * (octant >> i & 1));
        descend(shape, frame, Cell { low, side: half }, (count, most), found);
    }
}

/// Halves cells until neighbours, also across edges and corners, differ by a factor of two at most.
fn balance(cells: &mut Cells) {
    let mut waiting: Vec<Cell> = cells.list.iter().copied().filter(|cell| cell.side < WHOLE).collect();
    let mut gone = vec![false; cells.list.len()];
    while let Some(cell) = waiting.pop() {
        for direction in (0..27).filter(|&d| d != 13) {
            let step = [direction % 3 - 1, direction / 3 % 3 - 1, direction / 9 - 1];
            let beside = [0, 1, 2].map(|i| cell.low[i] + step[i] * cell.side);
            let mut side = WHOLE;
            while side >= 4 * cell.side {
                if let Some(found) = cells.around(beside, side).filter(|&n| !gone[n as usize]) {
                    halve(cells, found, &mut gone, &mut waiting);
                }
                side /= 2;
            }
        }
    }
    let kept: Vec<Cell> = cells.list.iter().zip(&gone).filter(|(_, gone)| !**gone).map(|(cell, _)| *cell).collect();
    *cells = Cells { list: Vec::with_capacity(kept.len()), number: NumberMap::default() };
    kept.into_iter().for_each(|cell| cells.insert(cell));
}

fn halve(cells: &mut Cells, number: u32, gone: &mut Vec<bool>, waiting: &mut Vec<Cell>) {
    let cell = cells.list[number as usize];
    gone[number as usize] = true;
    let half = cell.side / 2;
    for octant in 0..8 {
        let part = Cell { low: [0, 1, 2].map(|i| cell.low[i] + half * (octant >> i & 1)), side: half };
        cells.insert(part);
        gone.push(false);
        waiting.push(part);
    }
}
