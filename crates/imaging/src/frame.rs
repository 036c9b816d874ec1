//! Where the voxels of an image lie in the patient.

use wolff_spatial::{Mat3, Vec3};

use crate::error::ImagingError;

/// Distances between voxels that an image of a body can have \[m\]: from a hundredth of a micrometre to 0.1 m.
const SPACING: std::ops::RangeInclusive<f64> = 1e-8..=0.1;

/// Positions further from the origin of the patient \[m\] are no positions in a scanner.
const FARTHEST: f64 = 100.0;

/// The volume between the three unit directions of the axes must be above this: flatter cells are no grid.
const FLATTEST: f64 = 0.05;

/// What readers round to: the origin \[m\], the spacing \[m\], the direction cosines \[-\].
const ROUNDING: [f64; 3] = [1e-6, 1e-9, 1e-5];

/// Which way the axes of an image turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handedness {
    /// The third axis points as the cross product of the first two.
    Right,
    /// The third axis points against it: the grid is mirrored, positions are not.
    Left,
}

/// The map from the index of a voxel to its centre in the patient \[m\], in LPS axes: x to the patient's left, y to the
/// back (posterior), z to the head (superior), as in DICOM.
///
/// Indices are real numbers; (0, 0, 0) is the centre of the first voxel. The axes may be oblique, sheared (a tilted
/// gantry) or left-handed: positions are exact in all cases.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    origin: Vec3,
    spacing: Vec3,
    directions: Mat3,
    columns: Mat3,
    inverse: Mat3,
}

impl Frame {
    /// A frame from the centre of the first voxel \[m\] and the steps along the three axes \[m\], one per column.
    ///
    /// # Errors
    /// When a number is not finite, a step is zero or longer than 0.1 m, or the steps lie in a plane.
    pub fn new(origin: Vec3, columns: Mat3) -> Result<Self, ImagingError> {
        let spacing = Vec3::from_fn(|axis, _| columns.column(axis).norm());
        let mut directions = columns;
        for axis in 0..3 {
            require_spacing(axis, spacing[axis])?;
            directions.column_mut(axis).scale_mut(1.0 / spacing[axis]);
        }
        Self::from_directions(origin, spacing, directions)
    }

    /// A frame from the centre of the first voxel \[m\], the distances between voxels \[m\] and the direction of each
    /// axis, one per column, which need not be of unit length.
    ///
    /// # Errors
    /// As [`Frame::new`].
    pub fn from_directions(origin: Vec3, spacing: Vec3, directions: Mat3) -> Result<Self, ImagingError> {
        let mut unit = directions;
        for axis in 0..3 {
            require_spacing(axis, spacing[axis])?;
            let length = directions.column(axis).norm();
            if !(length > 1e-6 && length < 1e6) {
                let rule = format!(
                    "the direction of axis {axis} has the length {length}, it must be about 1; the header is damaged"
                );
                return Err(ImagingError::invalid("image axes", rule));
            }
            unit.column_mut(axis).scale_mut(1.0 / length);
        }
        if !origin.iter().all(|x| x.abs() < FARTHEST) {
            let rule = format!(
                "the first voxel lies at ({}, {}, {}) mm, positions must be finite and within 100 m; the header is \
                 damaged",
                1e3 * origin.x,
                1e3 * origin.y,
                1e3 * origin.z
            );
            return Err(ImagingError::invalid("image position", rule));
        }
        let determinant = unit.determinant();
        if !(determinant.abs() > FLATTEST) {
            let rule = format!(
                "the three axes lie nearly in a plane (volume between their directions {determinant:.3}), they must \
                 span a space; the header is damaged"
            );
            return Err(ImagingError::invalid("image axes", rule));
        }
        let columns = unit * Mat3::from_diagonal(&spacing);
        let inverse = columns
            .try_inverse()
            .ok_or_else(|| ImagingError::invalid("image axes", "they cannot be inverted; the header is damaged"))?;
        Ok(Frame { origin, spacing, directions: unit, columns, inverse })
    }

    /// The same frame with its origin rounded to 1 µm, its spacing to 1 nm and its direction cosines to 1e-5.
    ///
    /// Formats write these numbers with different digits (NIfTI in single precision, DICOM as decimal text). After
    /// rounding, the same image from two files has the same frame, and all that follows has the same bytes. A position
    /// 0.4 m from the origin moves by at most 4 µm.
    pub(crate) fn rounded(self) -> Result<Self, ImagingError> {
        let to = |unit: f64| move |x: f64| (x / unit).round() * unit + 0.0;
        let [origin, spacing, cosine] = ROUNDING;
        // a spacing of some nanometres is kept as it is
        let spacing = self.spacing.map(|x| if x > 1e3 * spacing { to(spacing)(x) } else { x });
        Self::from_directions(self.origin.map(to(origin)), spacing, self.directions.map(to(cosine)))
    }

    /// The centre of the first voxel \[m\].
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// The distances between voxels along the three axes \[m\].
    pub fn spacing(&self) -> Vec3 {
        self.spacing
    }

    /// The unit directions of the three axes in the patient, one per column.
    pub fn directions(&self) -> Mat3 {
        self.directions
    }

    /// Whether the axes are those of a right hand.
    pub fn handedness(&self) -> Handedness {
        if self.columns.determinant() > 0.0 { Handedness::Right } else { Handedness::Left }
    }

    /// Whether the axes are perpendicular to each other, to 0.1 degrees.
    pub fn is_orthogonal(&self) -> bool {
        let product = self.directions.transpose() * self.directions;
        (product - Mat3::identity()).amax() < 2e-3
    }

    /// The volume of a voxel \[m³\].
    pub fn voxel_volume(&self) -> f64 {
        self.columns.determinant().abs()
    }

    /// The position of an index in the patient \[m\].
    #[inline]
    pub fn position(&self, index: &Vec3) -> Vec3 {
        self.origin + self.columns * index
    }

    /// The index of a position \[m\].
    #[inline]
    pub fn index(&self, position: &Vec3) -> Vec3 {
        self.inverse * (position - self.origin)
    }

    /// The index of a direction: how the index changes along it \[1/m\].
    #[inline]
    pub fn index_step(&self, direction: &Vec3) -> Vec3 {
        self.inverse * direction
    }

    /// The same axes from another voxel on.
    pub(crate) fn starting_at(&self, first: [usize; 3]) -> Self {
        let first = Vec3::from_fn(|axis, _| first[axis] as f64);
        Frame { origin: self.position(&first), ..self.clone() }
    }

    /// The largest distance \[m\] between where the two frames put the corners of a grid.
    pub(crate) fn difference(&self, other: &Frame, size: [usize; 3]) -> f64 {
        let corner = |c: usize| Vec3::from_fn(|axis, _| if c >> axis & 1 == 1 { size[axis] as f64 - 1.0 } else { 0.0 });
        (0..8).map(corner).map(|i| (self.position(&i) - other.position(&i)).norm()).fold(0.0, f64::max)
    }
}

fn require_spacing(axis: usize, spacing: f64) -> Result<(), ImagingError> {
    if SPACING.contains(&spacing) {
        return Ok(());
    }
    let rule = format!(
        "the distance between voxels along axis {axis} is {} mm, it must be from 1e-5 to 100 mm; the header is \
         damaged, or its unit is not mm",
        1e3 * spacing
    );
    Err(ImagingError::invalid("image spacing", rule))
}
