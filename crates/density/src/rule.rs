//! How the values of a grid become one value of an element.
//!
//! The order of averaging and law matters, as the law is not linear: 12 % between V2 and V3 on elements as large as
//! voxels. Taddei et al. 2007, Med. Eng. Phys. 29, 973-979, compare V2 and V3.

use std::sync::OnceLock;

use wolff_fem::ElementKind;
use wolff_fem::element::SamplePoint;
use wolff_fem::element::tet10::EDGES;
use wolff_spatial::Vec3;

use crate::field::SampledField;

/// The rule by which an element gets its values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// Bonemat V1: mean grey value of the voxel centres inside the element, then the law. The element is taken with
    /// straight edges; one without a voxel centre inside takes the value at its own centre.
    VoxelsInside,
    /// Bonemat V2: mean of the interpolated grey value over the element, then the law.
    MeanGrey {
        /// Points per edge of the element.
        steps: usize,
    },
    /// Bonemat V3: the law at every voxel, then the mean of the interpolated modulus over the element.
    MeanModulus {
        /// Points per edge of the element; Bonemat's habit is 4.
        steps: usize,
    },
    /// As V3, with the mean to a tolerance: parts of the element are divided until it changes by less.
    Converged {
        /// Relative change of the mean modulus and density.
        tolerance: f64,
    },
}

impl Default for Rule {
    fn default() -> Self {
        Rule::Converged { tolerance: 5e-3 }
    }
}

impl Rule {
    /// The rule in words, for the output.
    pub fn name(&self) -> String {
        match self {
            Rule::VoxelsInside => "Bonemat V1: mean grey value of the voxel centres inside, then the law".into(),
            Rule::MeanGrey { steps } => {
                format!("Bonemat V2: mean grey value over the element ({steps} steps), then the law")
            }
            Rule::MeanModulus { steps } => {
                format!("Bonemat V3: the law at the voxels, then its mean over the element ({steps} steps)")
            }
            Rule::Converged { tolerance } => {
                format!("the law at the voxels, then its mean over the element, converged to {tolerance}")
            }
        }
    }
}

/// An element with its nodes.
pub(crate) struct Element<'a> {
    kind: ElementKind,
    nodes: &'a [Vec3],
    /// The four corners of an element with straight edges, whose other nodes say nothing more.
    straight: Option<[Vec3; 4]>,
}

impl<'a> Element<'a> {
    pub fn new(kind: ElementKind, nodes: &'a [Vec3]) -> Self {
        let corners = nodes.first_chunk::<4>().copied();
        let straight = corners.filter(|corners| {
            let middle = |(node, (a, b)): (&Vec3, (usize, usize))| {
                (node - 0.5 * (corners[a] + corners[b])).norm() <= 1e-9 * (corners[a] - corners[b]).norm()
            };
            nodes[4..].iter().zip(EDGES).all(middle)
        });
        Self { kind, nodes, straight }
    }

    /// Position and `det J`, up to a constant factor for straight elements, at volume coordinates.
    fn at(&self, at: [f64; 3]) -> (Vec3, f64) {
        if let Some([a, b, c, d]) = self.straight {
            return (a + (b - a) * at[0] + (c - a) * at[1] + (d - a) * at[2], 1.0);
        }
        let point: SamplePoint = self.kind.sample(at, 0.0);
        let position = point.shape.iter().zip(self.nodes).map(|(n, x)| x * *n).sum();
        (position, point.jacobian(self.nodes).determinant())
    }

    pub fn centre(&self) -> Vec3 {
        self.at([0.25; 3]).0
    }

    fn longest_edge(&self) -> f64 {
        let corners = &self.nodes[..4.min(self.nodes.len())];
        let from = |i: usize| corners[i + 1..].iter().map(|b| (b - corners[i]).norm()).fold(0.0, f64::max);
        (0..corners.len()).map(from).fold(0.0, f64::max)
    }

    /// Mean of `values` over Bonemat's points: the centres of a lattice of cells, as many as fit into the element.
    pub fn mean_on_lattice<const N: usize>(&self, steps: usize, values: impl Fn(&Vec3) -> [f64; N]) -> [f64; N] {
        // one point at the centre where the lattice has none
        let (mut sum, mut weight) = ([0.0; N], 0.0);
        let mut add = |at: [f64; 3]| {
            let (position, det) = self.at(at);
            weight += det;
            add_to(&mut sum, &values(&position), det);
        };
        let place = |i: usize| (i as f64 + 0.5) / steps as f64;
        if steps < 2 {
            add([0.25; 3]);
        }
        for i in 0..steps {
            for j in 0..steps.saturating_sub(1 + i) {
                for k in 0..steps.saturating_sub(1 + i + j) {
                    add([place(k), place(j), place(i)]);
                }
            }
        }
        sum.map(|s| s / weight)
    }

    /// Mean of `values` over the element: it is halved along every edge into parts, each with four points, until no
    /// mean changes by more than the tolerance, relative to the mean itself or to `least` where that is larger. The
    /// finest parts are at least as small as voxels, so that little between two points is missed. Values whose `least`
    /// is infinite follow the others. Also tells whether the last change was within the tolerance.
    pub fn mean_converged<const N: usize>(
        &self,
        spacing: f64,
        tolerance: f64,
        least: [f64; N],
        values: impl Fn(&Vec3) -> [f64; N],
    ) -> ([f64; N], bool) {
        // halvings after which parts have the volume of a voxel, so that each voxel has four points; then more, as each
        // divides the error by about four
        let first = ((self.longest_edge() / spacing).log2().ceil() - 1.0).clamp(1.0, 3.0) as usize;
        let more = (0.5 * (0.08 / tolerance).log2()).ceil().max(0.0) as usize;
        let mut mean = self.mean_on(points(first - 1), &values);
        for level in first..=(first + more).min(FINEST) {
            let finer = self.mean_on(points(level), &values);
            let settled = (0..N).all(|i| (finer[i] - mean[i]).abs() <= tolerance * finer[i].abs().max(least[i]));
            mean = finer;
            if settled {
                return (mean, true);
            }
        }
        (mean, false)
    }

    /// Mean over points of equal volume on the reference element.
    fn mean_on<const N: usize>(&self, points: &[[f64; 3]], values: &impl Fn(&Vec3) -> [f64; N]) -> [f64; N] {
        let (mut sum, mut weight) = ([0.0; N], 0.0);
        for point in points {
            let (position, det) = self.at(*point);
            weight += det;
            add_to(&mut sum, &values(&position), det);
        }
        sum.map(|s| s / weight)
    }

    /// Mean grey value of the voxel centres inside the four corners; `None` without one.
    pub fn mean_of_voxels(&self, field: &impl SampledField) -> Option<f64> {
        let corners: Vec<Vec3> = self.nodes.iter().take(4).map(|x| field.index(x)).collect();
        let &[a, b, c, d] = corners.as_slice() else { return None };
        let inverse = wolff_spatial::Mat3::from_columns(&[b - a, c - a, d - a]).try_inverse()?;
        let low = a.inf(&b).inf(&c.inf(&d));
        let high = a.sup(&b).sup(&c.sup(&d));
        let dims = field.dims();
        let range = |k: usize| {
            let last = dims[k] as f64 - 1.0;
            let first = low[k].ceil().max(0.0);
            (first as usize)..((high[k].floor().min(last) + 1.0).max(first) as usize)
        };
        let (mut sum, mut count) = (0.0, 0);
        for k in range(2) {
            for j in range(1) {
                for i in range(0) {
                    let l = inverse * (Vec3::new(i as f64, j as f64, k as f64) - a);
                    if l.min() >= -1e-12 && l.sum() <= 1.0 + 1e-12 {
                        sum += field.value([i, j, k]);
                        count += 1;
                    }
                }
            }
        }
        (count > 0).then(|| sum / f64::from(count))
    }
}

/// Halvings of an element at most: 262144 parts.
const FINEST: usize = 6;

/// The four points of degree 2 of every part after so many halvings.
fn points(halvings: usize) -> &'static [[f64; 3]] {
    const NEAR: f64 = 0.585_410_196_624_968_5;
    const FAR: f64 = 0.138_196_601_125_010_5;
    static POINTS: [OnceLock<Vec<[f64; 3]>>; FINEST + 1] = [const { OnceLock::new() }; FINEST + 1];
    POINTS[halvings.min(FINEST)].get_or_init(|| {
        let mut parts = vec![[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]];
        for _ in 0..halvings {
            parts = parts.iter().flat_map(halved).collect();
        }
        let inside = |part: [[f64; 3]; 4]| {
            let sum = [0, 1, 2].map(|d| part.iter().map(|corner| corner[d]).sum::<f64>());
            part.map(|corner| [0, 1, 2].map(|d| FAR * sum[d] + (NEAR - FAR) * corner[d]))
        };
        parts.into_iter().flat_map(inside).collect()
    })
}

fn add_to<const N: usize>(sum: &mut [f64; N], values: &[f64; N], weight: f64) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += weight * value;
    }
}

/// The eight tetrahedra of equal volume between the corners and the middles of the edges.
fn halved(c: &[[f64; 3]; 4]) -> [[[f64; 3]; 4]; 8] {
    let m = |a: usize, b: usize| [0, 1, 2].map(|d| 0.5 * (c[a][d] + c[b][d]));
    let (ab, ac, ad, bc, bd, cd) = (m(0, 1), m(0, 2), m(0, 3), m(1, 2), m(1, 3), m(2, 3));
    [
        [c[0], ab, ac, ad],
        [ab, c[1], bc, bd],
        [ac, bc, c[2], cd],
        [ad, bd, cd, c[3]],
        [ab, ac, ad, bd],
        [ab, ac, bc, bd],
        [ac, ad, bd, cd],
        [ac, bc, bd, cd],
    ]
}
