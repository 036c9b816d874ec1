//! Values on a regular grid in space, such as the voxels of a scan.

use wolff_spatial::{Mat3, Vec3};

use crate::DensityError;

/// Values at the points of a regular grid. The grid may be turned and sheared; positions are in metres.
///
/// A volume of another crate is given to this one through this trait. Values belong to voxel centres, which have the
/// whole numbers as index.
pub trait SampledField: Sync {
    /// Voxels along the three directions of the grid.
    fn dims(&self) -> [usize; 3];

    /// Where an index lies \[m\]; between voxels for parts of one.
    fn position(&self, index: &Vec3) -> Vec3;

    /// The index of a position, which may lie between voxels and outside the grid.
    fn index(&self, position: &Vec3) -> Vec3;

    /// The value of a voxel, which must exist.
    fn value(&self, voxel: [usize; 3]) -> f64;

    /// Whether a position lies within the box of the outermost voxel centres, with half a voxel of margin.
    fn contains(&self, position: &Vec3) -> bool {
        let (q, dims) = (self.index(position), self.dims());
        (0..3).all(|d| q[d] >= -0.5 && q[d] <= dims[d] as f64 - 0.5)
    }

    /// The shortest distance between neighbouring voxel centres \[m\].
    fn spacing(&self) -> f64 {
        let origin = self.position(&Vec3::zeros());
        let along = |d: usize| (self.position(&Vec3::ith(d, 1.0)) - origin).norm();
        along(0).min(along(1)).min(along(2))
    }

    /// Trilinear interpolation of `law(value)` between the eight voxels around a position; a position outside takes
    /// the nearest place of the grid. Every value of `law` is interpolated.
    fn interpolated<const N: usize>(&self, position: &Vec3, law: impl Fn(f64) -> [f64; N]) -> [f64; N]
    where
        Self: Sized,
    {
        let (low, part) = cell(&self.index(position), self.dims());
        let mut sum = [0.0; N];
        for corner in 0..8_usize {
            let step = [corner & 1, (corner >> 1) & 1, corner >> 2];
            let weight: f64 = (0..3).map(|d| if step[d] == 1 { part[d] } else { 1.0 - part[d] }).product();
            // a corner without weight may lie beyond the last voxel
            if weight != 0.0 {
                let values = law(self.value([low[0] + step[0], low[1] + step[1], low[2] + step[2]]));
                for (sum, value) in sum.iter_mut().zip(values) {
                    *sum += weight * value;
                }
            }
        }
        sum
    }
}

/// The lower voxel around an index, held within the grid, and how far beyond it the index lies (0 to 1).
fn cell(index: &Vec3, dims: [usize; 3]) -> ([usize; 3], [f64; 3]) {
    let mut low = [0; 3];
    let mut part = [0.0; 3];
    for d in 0..3 {
        let last = dims[d].saturating_sub(1);
        // the largest of a value that is not a number and zero is zero
        let q = index[d].max(0.0).min(last as f64);
        low[d] = (q as usize).min(last.saturating_sub(1));
        part[d] = q - low[d] as f64;
    }
    (low, part)
}

/// A grid that holds its values.
#[derive(Debug, Clone, PartialEq)]
pub struct GridField {
    dims: [usize; 3],
    origin: Vec3,
    steps: Mat3,
    inverse: Mat3,
    values: Vec<f64>,
}

impl GridField {
    /// A grid of `dims` voxels; the first lies at `origin` \[m\], the columns of `steps` \[m\] lead to the next voxel
    /// along each direction. Values run fastest along the first direction.
    ///
    /// # Errors
    /// When a direction has no voxel, the number of values is another, the steps lie in a plane, or a number is not
    /// finite.
    pub fn new(dims: [usize; 3], origin: Vec3, steps: Mat3, values: Vec<f64>) -> Result<Self, DensityError> {
        let count = dims.iter().try_fold(1_usize, |product, &n| product.checked_mul(n));
        if count != Some(values.len()) || values.is_empty() {
            return Err(DensityError::invalid(
                "grid of values",
                format!("{dims:?} voxels need as many values, not {}; give one value per voxel", values.len()),
            ));
        }
        let finite = origin.iter().chain(steps.iter()).chain(&values).all(|x| x.is_finite());
        let inverse = steps.try_inverse().filter(|inverse| finite && inverse.iter().all(|x| x.is_finite()));
        let inverse = inverse.ok_or_else(|| {
            DensityError::invalid(
                "grid of values",
                "a number is not finite or the three steps between voxels lie in one plane; correct the grid",
            )
        })?;
        Ok(Self { dims, origin, steps, inverse, values })
    }
}

impl SampledField for GridField {
    fn dims(&self) -> [usize; 3] {
        self.dims
    }

    fn position(&self, index: &Vec3) -> Vec3 {
        self.origin + self.steps * index
    }

    fn index(&self, position: &Vec3) -> Vec3 {
        self.inverse * (position - self.origin)
    }

    fn value(&self, [i, j, k]: [usize; 3]) -> f64 {
        self.values[i + self.dims[0] * (j + self.dims[1] * k)]
    }
}
