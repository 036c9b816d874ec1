//! Shear of a thick wall: Saint-Venant's torsion and flexure on a section of any shape that tapers along the bone.

use faer::linalg::solvers::Solve;
use faer::sparse::{SparseColMat, Triplet};
use faer::{Mat, Side};
use nalgebra::{Matrix3, Vector2, Vector3};

use super::wall::{Sample, Wall};
use crate::BoneError;

/// Three cuts of a bone, walls about their centroids in axes aligned with the shaft.
pub(super) struct Cuts<'a> {
    pub above: &'a Wall,
    pub at: &'a Wall,
    pub below: &'a Wall,
    /// From below to above, along the shaft \[m\].
    pub distance: f64,
}

/// Shear stress of the outer surface, and the resultant of the section.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Field {
    /// Along the outer surface, from x to z, at every point around \[Pa\].
    pub surface: Vec<f64>,
    /// Shear forces `Vx`, `Vz` \[N\] and torsion `My` \[N m\] of the whole section.
    pub carried: [f64; 3],
}

/// ```text
/// τ = ∇φ + μ (z, -x),    ∫ τ·∇w dA = d/dy ∫ σ w dA + ∫ σ p'·∇w dA  for every w,    ∫ (z τx - x τz) dA = My
/// σ = s₀ + a x + b z,    ∫ σ (1, x, z) dA = (N, Mz, -Mx)
/// ```
/// x anterior, z to the right of the centroid \[m\], y up the shaft; φ shear modulus times warping \[N/m\], μ shear
/// modulus times twist \[Pa/m\]; p' outward displacement of the points of the wall per length along y: the stress of
/// inclined fibres is shear in the section. Limits: plane sections keep their axial strain, the Poisson ratio does
/// not bend the section, loads are further away than the cuts.
pub(super) struct Shear<'a> {
    cuts: Cuts<'a>,
    samples: Vec<Sample>,
    /// Displacement of points of the wall per length along y.
    lean: Vec<Vector2<f64>>,
    stiffness: faer::sparse::linalg::solvers::Llt<usize, f64>,
    /// φ and torsion of μ = 1.
    twisted: (Vec<f64>, f64),
    moments: [Matrix3<f64>; 3],
}

impl<'a> Shear<'a> {
    /// # Errors
    /// When the wall has no thickness somewhere.
    pub fn new(cuts: Cuts<'a>) -> Result<Self, BoneError> {
        let thin = |_| BoneError::invalid("shear of a section", "its wall has no thickness somewhere; cut the shaft");
        let samples: Vec<Sample> = cuts.at.samples().collect();
        let size = cuts.at.nodes.len();
        // warping is defined up to a constant: one node is fixed
        let mut entries = vec![Triplet::new(0, 0, 1.0)];
        for s in &samples {
            for (i, gi) in s.nodes.iter().zip(&s.gradients) {
                entries
                    .extend(s.nodes.iter().zip(&s.gradients).map(|(j, gj)| Triplet::new(*i, *j, gi.dot(gj) * s.area)));
            }
        }
        let matrix = SparseColMat::<usize, f64>::try_new_from_triplets(size, size, &entries);
        let matrix = matrix.map_err(|e| BoneError::invalid("shear of a section", format!("{e:?}")))?;
        let stiffness = matrix.sp_cholesky(Side::Lower).map_err(thin)?;
        let moments = [cuts.above, cuts.at, cuts.below].map(Wall::moments);
        let lean = cuts.above.nodes.iter().zip(&cuts.below.nodes).map(|(a, b)| (a - b) / cuts.distance).collect();
        let mut shear = Shear { cuts, samples, lean, stiffness, twisted: (vec![], 0.0), moments };
        let mut load = vec![0.0; size];
        shear.spread(&mut load, |s| -swirl(&s.at));
        let phi = shear.solve(&load);
        shear.twisted = (phi.clone(), shear.carried(&phi, 1.0)[2]);
        Ok(shear)
    }

    /// Saint-Venant's torsion constant [m⁴]: torsion over shear modulus and twist.
    pub fn torsion_constant(&self) -> f64 {
        self.twisted.1
    }

    /// The field of torsion `My` \[N m\] alone.
    pub fn torsion(&self, moment: f64) -> Field {
        let twist = moment / self.twisted.1;
        self.field(self.twisted.0.iter().map(|phi| phi * twist).collect(), twist)
    }

    /// The field of axial loads `(N, Mz, -Mx)` about the centroids of the cuts above, at and below, without torsion.
    pub fn flexure(&self, loads: [Vector3<f64>; 3]) -> Field {
        let stress: Vec<Vector3<f64>> = self.moments.iter().zip(loads).map(|(m, l)| solve3(m, &l)).collect();
        let mut load = vec![0.0; self.lean.len()];
        for (wall, stress, sign) in [(self.cuts.above, stress[0], 1.0), (self.cuts.below, stress[2], -1.0)] {
            for s in wall.samples() {
                let force = sign * axial(&stress, &s.at) * s.area / self.cuts.distance;
                s.nodes.iter().zip(s.shares).for_each(|(n, share)| load[*n] += force * share);
            }
        }
        self.spread(&mut load, |s| {
            let lean: Vector2<f64> = s.nodes.iter().zip(s.shares).map(|(n, share)| self.lean[*n] * share).sum();
            lean * axial(&stress[1], &s.at)
        });
        let mut phi = self.solve(&load);
        let twist = -self.carried(&phi, 0.0)[2] / self.twisted.1;
        phi.iter_mut().zip(&self.twisted.0).for_each(|(phi, twisted)| *phi += twist * twisted);
        self.field(phi, twist)
    }

    /// Adds `∫ f·∇w dA` to the loads of the nodes.
    fn spread(&self, load: &mut [f64], f: impl Fn(&Sample) -> Vector2<f64>) {
        for s in &self.samples {
            let f = f(s) * s.area;
            s.nodes.iter().zip(&s.gradients).for_each(|(n, gradient)| load[*n] += f.dot(gradient));
        }
    }

    fn solve(&self, load: &[f64]) -> Vec<f64> {
        let x = self.stiffness.solve(Mat::from_fn(load.len(), 1, |i, _| load[i]));
        (0..load.len()).map(|i| x[(i, 0)]).collect()
    }

    /// Forces along x and z and the moment about y of a field.
    fn carried(&self, phi: &[f64], twist: f64) -> [f64; 3] {
        let mut sum = Vector3::zeros();
        for s in &self.samples {
            let stress = (s.gradient(phi) + swirl(&s.at) * twist) * s.area;
            sum += Vector3::new(stress.x, stress.y, swirl(&s.at).dot(&stress));
        }
        sum.into()
    }

    fn field(&self, phi: Vec<f64>, twist: f64) -> Field {
        let (wall, n) = (self.cuts.at, self.cuts.at.around);
        let along = |k: usize| {
            let [before, here, after] = [k + n - 1, k, k + 1].map(|k| wall.outer(k));
            let chord = wall.nodes[after] - wall.nodes[before];
            (phi[after] - phi[before] + twist * swirl(&wall.nodes[here]).dot(&chord)) / chord.norm()
        };
        Field { surface: (0..n).map(along).collect(), carried: self.carried(&phi, twist) }
    }
}

/// `(z, -x)`: displacement of a point by a unit rotation about y.
fn swirl(at: &Vector2<f64>) -> Vector2<f64> {
    Vector2::new(at.y, -at.x)
}

/// `s₀ + a x + b z`.
fn axial(stress: &Vector3<f64>, at: &Vector2<f64>) -> f64 {
    stress.x + stress.y * at.x + stress.z * at.y
}

fn solve3(matrix: &Matrix3<f64>, load: &Vector3<f64>) -> Vector3<f64> {
    matrix.try_inverse().unwrap_or_else(Matrix3::zeros) * load
}
