//! Meshes of simple bodies: balls, boxes, rectangles and layers, for tests, floors and comparisons with closed answers.

use std::collections::HashMap;

use wolff_spatial::Vec3;

use super::mesh::TriangleMesh;
use super::normals::NormalField;
use crate::error::GeometryError;

/// Halvings of the edges of an icosahedron: 20 · 4⁸ = 1.3 million triangles.
const MOST_HALVINGS: u32 = 8;

impl TriangleMesh {
    /// A ball about the origin of this radius \[m\]: an icosahedron whose edges are halved so many times, vertices on
    /// the sphere; 20 · 4ⁿ triangles.
    ///
    /// # Errors
    /// When the radius is not positive and finite, or more than 8 halvings are asked for.
    pub fn icosphere(radius: f64, halvings: u32) -> Result<TriangleMesh, GeometryError> {
        GeometryError::positive("icosphere", "radius [m]", radius)?;
        if halvings > MOST_HALVINGS {
            let rule = "at most 8 are possible";
            let (object, value) = ("icosphere".into(), f64::from(halvings));
            return Err(GeometryError::Parameter { object, quantity: "number of halvings", value, rule });
        }
        let (mut vertices, mut triangles) = icosahedron();
        for _ in 0..halvings {
            triangles = halved(&mut vertices, &triangles);
        }
        TriangleMesh::new(vertices.iter().map(|x| x * radius).collect(), triangles)
    }

    /// A rectangle in the plane z = 0 about the origin, sides \[m\] along x and y, cut into `cells` of two triangles;
    /// outside is +z.
    ///
    /// # Errors
    /// When a side is not positive and finite, or there are no cells.
    pub fn rectangle(sides: [f64; 2], cells: [u32; 2]) -> Result<TriangleMesh, GeometryError> {
        for side in sides {
            GeometryError::positive("rectangle", "side [m]", side)?;
        }
        let [nx, ny] = cells;
        let step = |n: u32, i: u32, side: f64| side * (f64::from(i) / f64::from(n) - 0.5);
        let vertices = (0..=ny)
            .flat_map(|j| (0..=nx).map(move |i| Vec3::new(step(nx, i, sides[0]), step(ny, j, sides[1]), 0.0)))
            .collect();
        let quads = (0..ny).flat_map(|j| (0..nx).map(move |i| j * (nx + 1) + i));
        let triangles = quads.flat_map(|a| [[a, a + 1, a + nx + 2], [a, a + nx + 2, a + nx + 1]]).collect();
        TriangleMesh::new(vertices, triangles)
    }

    /// A closed layer behind an open sheet: the sheet, the same moved by a thickness \[m\] against the normals of its
    /// vertices and turned, and walls along the rims. The triangles of the sheet come first, in their order.
    ///
    /// # Errors
    /// When the thickness is not positive and finite, the sheet is closed, more than two of its triangles meet at an
    /// edge, or triangles vanish.
    pub fn thickened(&self, thickness: f64) -> Result<TriangleMesh, GeometryError> {
        GeometryError::positive("layer", "thickness [m]", thickness)?;
        let topology = self.topology()?;
        if topology.rims().is_empty() {
            let (object, rule) = ("layer".into(), "it must be one or more: give an open sheet");
            return Err(GeometryError::Count { object, what: "number of rims of the sheet", found: 0, rule });
        }
        let normals = NormalField::new(self, &topology).smooth;
        let count = self.vertices().len() as u32;
        let (mut vertices, mut triangles) = (self.vertices().to_vec(), self.triangles().to_vec());
        vertices.extend_from_within(..);
        for (triangle, normals) in self.triangles().iter().zip(&normals) {
            for (&v, n) in triangle.iter().zip(normals) {
                vertices[(v + count) as usize] = self.vertices()[v as usize] - n * thickness;
            }
            triangles.push([triangle[0], triangle[2], triangle[1]].map(|v| v + count));
        }
        for rim in topology.rims() {
            let onward = rim.iter().zip(rim.iter().cycle().skip(1));
            triangles.extend(onward.flat_map(|(&a, &b)| [[b, a, a + count], [b, a + count, b + count]]));
        }
        TriangleMesh::new(vertices, triangles)
    }

    /// A box about the origin with these sides \[m\], two triangles for each face.
    ///
    /// # Errors
    /// When a side is not positive and finite.
    pub fn cuboid(sides: [f64; 3]) -> Result<TriangleMesh, GeometryError> {
        for side in sides {
            GeometryError::positive("cuboid", "side [m]", side)?;
        }
        let at = |i: u32, bit: u32| if i >> bit & 1 == 1 { 0.5 } else { -0.5 };
        let corner = |i: u32| Vec3::new(at(i, 0), at(i, 1), at(i, 2)).component_mul(&Vec3::from(sides));
        let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        TriangleMesh::new((0..8).map(corner).collect(), triangles)
    }
}

/// Twelve unit vectors and twenty triangles.
fn icosahedron() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let signs = [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
    let xy = signs.map(|(a, b)| Vec3::new(a, b * golden, 0.0));
    let yz = signs.map(|(a, b)| Vec3::new(0.0, a, b * golden));
    let zx = signs.map(|(a, b)| Vec3::new(b * golden, 0.0, a));
    let vertices: Vec<Vec3> = [xy, yz, zx].concat().iter().map(|x| x.normalize()).collect();
    // the faces are the triples of vertices one edge apart
    let edge = |a: usize, b: usize| (vertices[a] - vertices[b]).norm() < 1.1;
    let mut triangles = Vec::with_capacity(20);
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if edge(a, b) && edge(b, c) && edge(c, a) {
                    let outward = vertices[a].dot(&vertices[b].cross(&vertices[c])) > 0.0;
                    let (b, c) = if outward { (b, c) } else { (c, b) };
                    triangles.push([a as u32, b as u32, c as u32]);
                }
            }
        }
    }
    (vertices, triangles)
}

/// Each triangle as four, new vertices pushed out to the unit sphere.
fn halved(vertices: &mut Vec<Vec3>, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            vertices.push((vertices[a as usize] + vertices[b as usize]).normalize());
            vertices.len() as u32 - 1
        })
    };
    let mut finer = Vec::with_capacity(4 * triangles.len());
    for &[a, b, c] in triangles {
        let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
        finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
    }
    finer
}
