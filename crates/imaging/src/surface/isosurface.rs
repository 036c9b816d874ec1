//! The closed surface at a level of an image: marching tetrahedra.
//!
//! Every cube between eight voxels is cut into the six tetrahedra that share its diagonal (Freudenthal, Kuhn), in the
//! same way everywhere, so that faces of neighbours fit and the surface is always closed and manifold. Outside of the
//! image there is nothing: a body that the image cuts is closed half a voxel beyond its last voxels. Source: Doi and
//! Koide, An efficient method of triangulating equi-valued surfaces, IEICE Trans E74 (1991).

use wolff_geometry::TriangleMesh;
use wolff_spatial::Vec3;

use crate::error::ImagingError;
use crate::volume::{MOST_VOXELS, Volume};

/// Vertices keep this part of an edge away from its ends, so that no triangle is without area.
const AWAY: f64 = 1e-3;

/// Corners of the six tetrahedra of a cube; bit 0 of a corner is a step along the first axis, and so on.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 1, 3, 7], [0, 1, 5, 7], [0, 2, 3, 7], [0, 2, 6, 7], [0, 4, 5, 7], [0, 4, 6, 7]];

const NONE: u32 = u32::MAX;

/// The image with a border of voxels in which nothing is, and the numbers of vertices on two layers of edges.
struct March<'a> {
    volume: &'a Volume,
    level: f64,
    outside: f64,
    /// Voxels along the first two axes with the border.
    width: usize,
    depth: usize,
    /// For each voxel of two layers, the vertices on its seven edges towards higher indices.
    layers: [Vec<[u32; 8]>; 2],
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

/// The surface at `level` \[m\], with what is above it inside.
///
/// # Errors
/// When no voxel is above the level, or the surface has too many triangles.
pub fn isosurface(volume: &Volume, level: f64) -> Result<TriangleMesh, ImagingError> {
    let [nx, ny, nz] = volume.size();
    let (width, depth) = (nx + 2, ny + 2);
    if !level.is_finite() || width * depth > MOST_VOXELS / 8 {
        return Err(ImagingError::invalid(
            "surface",
            "the level is not finite, or a slice is too large; crop the image",
        ));
    }
    let contrast = (volume.statistics().max - level).max(f64::MIN_POSITIVE);
    let mut march = March {
        volume,
        level,
        outside: level - contrast,
        width,
        depth,
        layers: [vec![[NONE; 8]; width * depth], vec![[NONE; 8]; width * depth]],
        vertices: Vec::new(),
        triangles: Vec::new(),
    };
    for k in 0..=nz {
        march.layer(k);
        march.layers.swap(0, 1);
        march.layers[1].fill([NONE; 8]);
    }
    if march.triangles.is_empty() {
        let rule = format!("no voxel is above the level {level}; choose a lower one");
        return Err(ImagingError::invalid("surface", rule));
    }
    Ok(TriangleMesh::new(march.vertices, march.triangles)?)
}

impl March<'_> {
    /// The value of a voxel of the image with its border.
    #[inline]
    fn value(&self, [i, j, k]: [usize; 3]) -> f64 {
        let [nx, ny, nz] = self.volume.size();
        if i == 0 || j == 0 || k == 0 || i > nx || j > ny || k > nz {
            return self.outside;
        }
        f64::from(self.volume.samples().get(i - 1 + nx * (j - 1 + ny * (k - 1))))
    }

    /// All cubes between the slices `k` and `k + 1`.
    fn layer(&mut self, k: usize) {
        for j in 0..self.depth - 1 {
            let mut right = [0.0; 4];
            for i in 0..self.width - 1 {
                let at = |c: usize| [i + (c & 1), j + (c >> 1 & 1), k + (c >> 2)];
                let mut values = [0.0; 8];
                for half in 0..4 {
                    values[2 * half] = if i == 0 { self.value(at(2 * half)) } else { right[half] };
                    values[2 * half + 1] = self.value(at(2 * half + 1));
                    right[half] = values[2 * half + 1];
                }
                let inside = values.iter().filter(|&&x| x > self.level).count();
                if inside != 0 && inside != 8 {
                    TETRAHEDRA.iter().for_each(|corners| self.tetrahedron([i, j, k], corners, &values));
                }
            }
        }
    }

    fn tetrahedron(&mut self, cube: [usize; 3], corners: &[usize; 4], values: &[f64; 8]) {
        let (mut inside, mut outside) = ([0; 4], [0; 4]);
        let (mut count_in, mut count_out) = (0, 0);
        for &corner in corners {
            if values[corner] > self.level {
                inside[count_in] = corner;
                count_in += 1;
            } else {
                outside[count_out] = corner;
                count_out += 1;
            }
        }
        let mut vertex = |a: usize, b: usize| self.vertex(cube, inside[a], outside[b], values);
        match count_in {
            1 => {
                let corners = [vertex(0, 0), vertex(0, 1), vertex(0, 2)];
                self.triangle(corners, &inside[..1], &outside[..3]);
            }
            3 => {
                let corners = [vertex(0, 0), vertex(1, 0), vertex(2, 0)];
                self.triangle(corners, &inside[..3], &outside[..1]);
            }
            2 => {
                let [a, b, c, d] = [vertex(0, 0), vertex(0, 1), vertex(1, 1), vertex(1, 0)];
                self.triangle([a, b, c], &inside[..2], &outside[..2]);
                self.triangle([a, c, d], &inside[..2], &outside[..2]);
            }
            _ => {}
        }
    }

    /// The vertex on the edge between two corners of a cube.
    fn vertex(&mut self, [i, j, k]: [usize; 3], a: usize, b: usize, values: &[f64; 8]) -> u32 {
        // corners of an edge are nested, so that one of them is the lower end
        let (low, high) = (a & b, a | b);
        let place = i + (low & 1) + self.width * (j + (low >> 1 & 1));
        let known = self.layers[low >> 2][place][high ^ low];
        if known != NONE {
            return known;
        }
        let t = ((self.level - values[low]) / (values[high] - values[low])).clamp(AWAY, 1.0 - AWAY);
        let corner = |c: usize| Vec3::new((i + (c & 1)) as f64, (j + (c >> 1 & 1)) as f64, (k + (c >> 2)) as f64);
        let index = corner(low) * (1.0 - t) + corner(high) * t - Vec3::repeat(1.0);
        let number = self.vertices.len() as u32;
        self.vertices.push(self.volume.frame().position(&index));
        self.layers[low >> 2][place][high ^ low] = number;
        number
    }

    /// A triangle whose normal points from the inner corners of the tetrahedron to the outer ones.
    fn triangle(&mut self, corners: [u32; 3], inside: &[usize], outside: &[usize]) {
        let middle = |of: &[usize]| {
            let sum = of
                .iter()
                .fold(Vec3::zeros(), |sum, &c| sum + Vec3::new((c & 1) as f64, (c >> 1 & 1) as f64, (c >> 2) as f64));
            sum / of.len() as f64
        };
        let frame = self.volume.frame();
        let way = frame.position(&middle(outside)) - frame.position(&middle(inside));
        let [a, b, c] = corners.map(|v| self.vertices[v as usize]);
        let outward = (b - a).cross(&(c - a)).dot(&way) > 0.0;
        let [a, b, c] = corners;
        self.triangles.push(if outward { [a, b, c] } else { [a, c, b] });
    }
}
