//! The triangles of a section: a disc without a singular centre, and a wall around it.

use std::collections::HashMap;
use std::f64::consts::TAU;

/// A point of the template: `depth` as in [`super::shape::Shape::point`], and the parameter φ \[rad\].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TemplatePoint {
    pub depth: f64,
    pub phi: f64,
}

/// Triangles over the fine lattice on which corners and edge middles lie.
///
/// The disc has `around / 6` rings; ring j carries 6j corners, so six triangles meet at the centre and all are nearly
/// equilateral. The wall has layers of `around` corners.
#[derive(Debug)]
pub(crate) struct Template {
    pub points: Vec<TemplatePoint>,
    pub core: Vec<[usize; 3]>,
    pub wall: Vec<[usize; 3]>,
    middles: HashMap<(usize, usize), usize>,
}

/// Numbers of the fine lattice: twice as many rings, layers and points around as corners.
struct Lattice {
    rings: usize,
    layers: usize,
}

impl Lattice {
    fn around(&self) -> usize {
        6 * self.rings
    }

    /// Point `i` of ring `j` counted from the start of a sector of 60°.
    fn disc(&self, sector: usize, [j, i]: [usize; 2]) -> usize {
        if j == 0 { 0 } else { 1 + 3 * j * (j - 1) + (sector * j + i) % (6 * j) }
    }

    /// Point `a` around of wall layer `l`; layer 0 is the rim of the disc.
    fn wall(&self, [l, a]: [usize; 2]) -> usize {
        1 + 3 * self.rings * (self.rings - 1) + l * self.around() + a % self.around()
    }

    fn points(&self) -> Vec<TemplatePoint> {
        let mut points = vec![TemplatePoint { depth: 0.0, phi: 0.0 }];
        let mut ring = |depth: f64, count: usize| {
            points.extend((0..count).map(|i| TemplatePoint { depth, phi: TAU * i as f64 / count as f64 }));
        };
        for j in 1..=self.rings {
            ring(j as f64 / self.rings as f64, 6 * j);
        }
        for l in 1..=self.layers {
            ring(1.0 + l as f64 / self.layers as f64, self.around());
        }
        points
    }
}

impl Template {
    /// `around` corners on the contours (a multiple of six) and `wall` layers between them.
    pub fn new(around: usize, wall: usize) -> Self {
        let lattice = Lattice { rings: around / 3, layers: 2 * wall };
        let mut template =
            Self { points: lattice.points(), core: Vec::new(), wall: Vec::new(), middles: HashMap::new() };
        for sector in 0..6 {
            for j in (0..lattice.rings).step_by(2) {
                for i in (0..=j).step_by(2) {
                    template.add(false, [[j, i], [j + 2, i], [j + 2, i + 2]], |at| lattice.disc(sector, at));
                    if i < j {
                        template.add(false, [[j, i], [j + 2, i + 2], [j, i + 2]], |at| lattice.disc(sector, at));
                    }
                }
            }
        }
        for l in (0..lattice.layers).step_by(2) {
            for a in (0..lattice.around()).step_by(2) {
                template.add(true, [[l, a], [l + 2, a], [l + 2, a + 2]], |at| lattice.wall(at));
                template.add(true, [[l, a], [l + 2, a + 2], [l, a + 2]], |at| lattice.wall(at));
            }
        }
        template
    }

    fn add(&mut self, wall: bool, corners: [[usize; 2]; 3], number: impl Fn([usize; 2]) -> usize) {
        let points = corners.map(&number);
        for (a, b) in [(0, 1), (1, 2), (2, 0)] {
            let middle = [0, 1].map(|d| (corners[a][d] + corners[b][d]) / 2);
            self.middles.insert(ordered(points[a], points[b]), number(middle));
        }
        if wall { self.wall.push(points) } else { self.core.push(points) }
    }

    /// The point half-way between two corners of a triangle, or the corner itself.
    pub fn middle(&self, a: usize, b: usize) -> usize {
        self.middles.get(&ordered(a, b)).copied().unwrap_or(a)
    }
}

fn ordered(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}
