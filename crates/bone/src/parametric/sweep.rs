//! Tetrahedra between the sections of a bone.

use std::collections::HashMap;

use nalgebra::Vector3;

use super::shape::Shape;
use super::template::{Template, TemplatePoint};
use super::{Density, Side};
use crate::side::on_side;
use wolff_fem::FemError;
use wolff_fem::element::{ElementKind, tet10};
use wolff_fem::mesh::TetMesh;

/// A place on the lattice: half-layer counted from the proximal end, and point of the template.
type Place = (usize, usize);

/// The nodes of a tetrahedron after its last two corners have been exchanged.
const EXCHANGED: [usize; 10] = [0, 1, 3, 2, 4, 8, 7, 6, 5, 9];

/// The tetrahedra, and what is known of every node and element.
pub(crate) struct Swept {
    pub mesh: TetMesh,
    pub nodes: Vec<SweptNode>,
    /// The half-layer in the middle of every element's layer.
    pub element_levels: Vec<usize>,
    pub wall_elements: Vec<usize>,
    pub core_elements: Vec<usize>,
}

/// Where a node lies on the lattice.
pub(crate) struct SweptNode {
    pub level: usize,
    pub template: TemplatePoint,
}

/// Half-layers of a sweep: every zone divided evenly.
pub(crate) struct Levels {
    /// Fractions of the half-layers.
    pub fractions: Vec<f64>,
    /// The half-layer at which each zone starts, and the last.
    pub breaks: [usize; 5],
}

impl Levels {
    pub fn new(zones: &[f64; 5], layers: &[usize; 4]) -> Self {
        let mut levels = Self { fractions: vec![zones[0]], breaks: [0; 5] };
        for zone in 0..4 {
            let steps = 2 * layers[zone];
            let (from, to) = (zones[zone], zones[zone + 1]);
            levels.fractions.extend((1..=steps).map(|k| from + (to - from) * k as f64 / steps as f64));
            levels.breaks[zone + 1] = levels.breaks[zone] + steps;
        }
        levels
    }

    pub fn last(&self) -> usize {
        self.breaks[4]
    }
}

/// Numbers nodes as elements name them.
struct Numbering<'a> {
    shape: &'a Shape,
    side: Side,
    levels: &'a Levels,
    template: &'a Template,
    numbers: HashMap<Place, usize>,
    nodes: Vec<SweptNode>,
    positions: Vec<Vector3<f64>>,
}

impl Numbering<'_> {
    fn number(&mut self, place: Place) -> usize {
        if let Some(&number) = self.numbers.get(&place) {
            return number;
        }
        let (level, point) = place;
        let template = self.template.points[point];
        let right = self.shape.point(self.levels.fractions[level], template.depth, template.phi);
        self.positions.push(on_side(self.side, right));
        self.nodes.push(SweptNode { level, template });
        self.numbers.insert(place, self.nodes.len() - 1);
        self.nodes.len() - 1
    }
}

/// Sweeps the triangles of the template through all layers: every prism is cut into three tetrahedra.
///
/// Each side face of a prism is cut from its higher-numbered point at the nearer end of the bone to the lower-numbered
/// one, which depends on the face alone: neighbours always agree. Edge middles lie where the map from the lattice puts
/// them, so those of outer and inner surface lie on the contours.
pub(crate) fn sweep(
    shape: &Shape,
    side: Side,
    kind: ElementKind,
    density: &Density,
    levels: &Levels,
) -> Result<Swept, FemError> {
    let template = Template::new(density.around, density.wall);
    let mut numbering = Numbering {
        shape,
        side,
        levels,
        template: &template,
        numbers: HashMap::new(),
        nodes: Vec::new(),
        positions: Vec::new(),
    };
    let mut connectivity = Vec::new();
    let (mut element_levels, mut wall_elements, mut core_elements) = (Vec::new(), Vec::new(), Vec::new());
    for level in (0..levels.last()).step_by(2) {
        let filled = shape.plan.filled_ends && (level < levels.breaks[1] || level >= levels.breaks[3]);
        let core = if filled { template.core.as_slice() } else { &[] };
        let proximal_half = level < levels.breaks[2];
        let (near, far) = if proximal_half { (level, level + 2) } else { (level + 2, level) };
        let both = core.iter().map(|t| (t, false)).chain(template.wall.iter().map(|t| (t, true)));
        for (triangle, in_wall) in both {
            for (tet, positive) in prism(*triangle, near, far) {
                connectivity.extend(element(&mut numbering, kind, tet, positive == (side == Side::Right)));
                let set = if in_wall { &mut wall_elements } else { &mut core_elements };
                set.push(element_levels.len());
                element_levels.push(level + 1);
            }
        }
    }
    let mesh = TetMesh::new(kind, numbering.positions, connectivity)?;
    Ok(Swept { mesh, nodes: numbering.nodes, element_levels, wall_elements, core_elements })
}

/// The three tetrahedra of the prism over a triangle between two half-layers, and whether each has its corners in
/// positive order on a right bone.
///
/// Points are taken from the outside inwards. Then no tetrahedron has a face on `near` and another on the outer
/// surface, which would be flat where an end is round. Triangles of the template run from anterior towards lateral, so
/// the right-hand rule points distally; each exchange of corners in sorting turns the sense, and so does `near` being
/// distal.
fn prism(triangle: [usize; 3], near: usize, far: usize) -> [([Place; 4], bool); 3] {
    let [a, b, c] = triangle;
    let even = [a > b, b > c, c > a].iter().filter(|falls| **falls).count() == 2;
    let positive = even == (near < far);
    let mut outside_in = triangle;
    outside_in.sort_unstable_by(|p, q| q.cmp(p));
    let [a, b, c] = outside_in;
    [
        ([(near, a), (near, b), (near, c), (far, c)], positive),
        ([(near, a), (near, b), (far, b), (far, c)], !positive),
        ([(near, a), (far, a), (far, b), (far, c)], positive),
    ]
}

/// The nodes of an element, with its last two corners exchanged unless `positive`. Nodes are numbered before that, so
/// that a left bone has the numbers of the right one.
fn element(numbering: &mut Numbering<'_>, kind: ElementKind, tet: [Place; 4], positive: bool) -> Vec<usize> {
    let mut nodes: Vec<usize> = tet.iter().map(|&place| numbering.number(place)).collect();
    if kind == ElementKind::Tet10 {
        for (a, b) in tet10::EDGES {
            let ((from, p), (to, q)) = (tet[a], tet[b]);
            let middle = ((from + to) / 2, numbering.template.middle(p, q));
            nodes.push(numbering.number(middle));
        }
    }
    if positive { nodes } else { EXCHANGED[..nodes.len()].iter().map(|&i| nodes[i]).collect() }
}
