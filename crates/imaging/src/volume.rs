//! Images: samples or labels on a regular grid in the patient.

use wolff_spatial::Vec3;

use crate::error::ImagingError;
use crate::frame::Frame;

/// Voxels that an image may have at most.
pub const MOST_VOXELS: usize = 1 << 31;

/// The numbers of an image, the first index running fastest.
#[derive(Clone, Debug, PartialEq)]
pub enum Samples {
    /// Whole numbers, such as the Hounsfield units of most CT files.
    I16(Vec<i16>),
    /// Numbers of single precision.
    F32(Vec<f32>),
}

impl Samples {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Samples::I16(values) => values.len(),
            Samples::F32(values) => values.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A number; panics, as slices do, where there is none.
    #[inline]
    pub fn get(&self, at: usize) -> f32 {
        match self {
            Samples::I16(values) => f32::from(values[at]),
            Samples::F32(values) => values[at],
        }
    }

    /// All numbers in single precision.
    pub fn to_f32(&self) -> Vec<f32> {
        match self {
            Samples::I16(values) => values.iter().map(|&x| f32::from(x)).collect(),
            Samples::F32(values) => values.clone(),
        }
    }
}

/// Least, largest and mean value, and the standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// Least value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
    /// Mean.
    pub mean: f64,
    /// Standard deviation.
    pub deviation: f64,
}

/// An image of grey values, such as a CT in Hounsfield units.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    size: [usize; 3],
    frame: Frame,
    samples: Samples,
}

/// An image of region numbers; 0 is no region.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelVolume {
    size: [usize; 3],
    frame: Frame,
    labels: Vec<u16>,
}

/// The number of voxels of a grid.
///
/// # Errors
/// When an axis has none, or there are more than 2³¹.
pub(crate) fn voxel_count(size: [usize; 3]) -> Result<usize, ImagingError> {
    let count = size[0].checked_mul(size[1]).and_then(|n| n.checked_mul(size[2])).unwrap_or(usize::MAX);
    if count == 0 || count > MOST_VOXELS {
        let [a, b, c] = size;
        let rule = format!(
            "{a} x {b} x {c} voxels; every axis needs one at least and the image may have 2147483648 at most: crop or \
             resample it, or the header is damaged"
        );
        return Err(ImagingError::invalid("image size", rule));
    }
    Ok(count)
}

fn require_count(size: [usize; 3], found: usize) -> Result<(), ImagingError> {
    let count = voxel_count(size)?;
    if count != found {
        let rule = format!("{found} values for {count} voxels; there must be one for each");
        return Err(ImagingError::invalid("image", rule));
    }
    Ok(())
}

impl Volume {
    /// An image from its samples, the first index running fastest.
    ///
    /// # Errors
    /// When the number of samples is not that of the voxels.
    pub fn new(size: [usize; 3], frame: Frame, samples: Samples) -> Result<Self, ImagingError> {
        require_count(size, samples.len())?;
        Ok(Volume { size, frame, samples })
    }

    /// An image with the value of a function of the position \[m\] at each voxel.
    ///
    /// # Errors
    /// When there are too many voxels.
    pub fn from_fn(size: [usize; 3], frame: Frame, value: impl Fn(&Vec3) -> f64) -> Result<Self, ImagingError> {
        voxel_count(size)?;
        let index = |n: usize| {
            let [i, j, k] = [n % size[0], n / size[0] % size[1], n / (size[0] * size[1])];
            Vec3::new(i as f64, j as f64, k as f64)
        };
        let samples = (0..size[0] * size[1] * size[2]).map(|n| value(&frame.position(&index(n))) as f32).collect();
        Volume::new(size, frame, Samples::F32(samples))
    }

    /// Voxels along the three axes.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// Where the voxels lie.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The numbers, the first index running fastest.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The value of a voxel; `None` outside of the image.
    pub fn voxel(&self, index: [usize; 3]) -> Option<f32> {
        let inside = (0..3).all(|axis| index[axis] < self.size[axis]);
        inside.then(|| self.samples.get(index[0] + self.size[0] * (index[1] + self.size[1] * index[2])))
    }

    /// The trilinear value at a position in the patient \[m\]; `None` outside of the voxel centres.
    pub fn at(&self, position: &Vec3) -> Option<f64> {
        self.at_index(&self.frame.index(position))
    }

    /// The trilinear value at a real index; `None` outside of the voxel centres.
    #[inline]
    pub fn at_index(&self, index: &Vec3) -> Option<f64> {
        trilinear(self.size, index, |n| f64::from(self.samples.get(n)))
    }

    /// Least, largest and mean value, and the standard deviation.
    pub fn statistics(&self) -> Statistics {
        let values = || (0..self.samples.len()).map(|n| f64::from(self.samples.get(n)));
        let count = self.samples.len() as f64;
        let mean = values().sum::<f64>() / count;
        let variance = values().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
        let (min, max) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        Statistics { min, max, mean, deviation: variance.sqrt() }
    }

    /// The part from one voxel to another, both included; the ends are cut to the image.
    ///
    /// # Errors
    /// When nothing is left.
    pub fn cropped(&self, first: [usize; 3], last: [usize; 3]) -> Result<Volume, ImagingError> {
        let (size, at) = crop(self.size, first, last)?;
        let samples = match &self.samples {
            Samples::I16(values) => Samples::I16(at.iter().flat_map(|r| &values[r.clone()]).copied().collect()),
            Samples::F32(values) => Samples::F32(at.iter().flat_map(|r| &values[r.clone()]).copied().collect()),
        };
        Volume::new(size, self.frame.starting_at(first), samples)
    }

    /// The grey values rounded to labels.
    ///
    /// # Errors
    /// When a value is negative, above 65535 or not whole.
    pub fn to_labels(&self) -> Result<LabelVolume, ImagingError> {
        let label = |n: usize| {
            let value = self.samples.get(n);
            let is_label = value >= 0.0 && value <= f32::from(u16::MAX) && value.fract() == 0.0;
            let rule = || {
                format!("the value {value} is no label, a whole number from 0 to 65535; is this a grey-value image?")
            };
            is_label.then_some(value as u16).ok_or_else(|| ImagingError::invalid("label image", rule()))
        };
        let labels = (0..self.samples.len()).map(label).collect::<Result<_, _>>()?;
        LabelVolume::new(self.size, self.frame.clone(), labels)
    }
}

impl LabelVolume {
    /// A label image, the first index running fastest.
    ///
    /// # Errors
    /// When the number of labels is not that of the voxels.
    pub fn new(size: [usize; 3], frame: Frame, labels: Vec<u16>) -> Result<Self, ImagingError> {
        require_count(size, labels.len())?;
        Ok(LabelVolume { size, frame, labels })
    }

    /// Voxels along the three axes.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// Where the voxels lie.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The labels, the first index running fastest.
    pub fn labels(&self) -> &[u16] {
        &self.labels
    }

    /// The labels that occur, other than 0, with their numbers of voxels.
    pub fn regions(&self) -> Vec<(u16, usize)> {
        let mut counts = vec![0usize; 1 << 16];
        self.labels.iter().for_each(|&label| counts[usize::from(label)] += 1);
        let found = counts.into_iter().enumerate().skip(1).filter(|(_, count)| *count > 0);
        found.map(|(label, count)| (label as u16, count)).collect()
    }

    /// The voxels of one label.
    ///
    /// # Errors
    /// When there is none; the message lists the labels that there are.
    pub fn region(&self, label: u16) -> Result<Mask, ImagingError> {
        self.regions_of(&[label])
    }

    /// The voxels of some labels together.
    ///
    /// # Errors
    /// When one of them has none; the message lists the labels that there are.
    pub fn regions_of(&self, labels: &[u16]) -> Result<Mask, ImagingError> {
        let missing = labels.iter().find(|&label| !self.labels.contains(label));
        let Some(label) = missing else {
            let bits = self.labels.iter().map(|other| labels.contains(other)).collect();
            return Mask::new(self.size, self.frame.clone(), bits);
        };
        let there: Vec<String> = self.regions().iter().take(40).map(|(label, _)| label.to_string()).collect();
        let rule = match there.is_empty() {
            true => "the image is empty: it has no label other than 0".into(),
            false => format!("no voxel has this label; there are {}", there.join(", ")),
        };
        Err(ImagingError::invalid(format!("label {label}"), rule))
    }
}

/// A set of voxels.
#[derive(Clone, Debug, PartialEq)]
pub struct Mask {
    size: [usize; 3],
    frame: Frame,
    bits: Vec<bool>,
}

impl Mask {
    /// A set of voxels, the first index running fastest.
    ///
    /// # Errors
    /// When the number of values is not that of the voxels.
    pub fn new(size: [usize; 3], frame: Frame, bits: Vec<bool>) -> Result<Self, ImagingError> {
        require_count(size, bits.len())?;
        Ok(Mask { size, frame, bits })
    }

    /// Voxels along the three axes.
    pub fn size(&self) -> [usize; 3] {
        self.size
    }

    /// Where the voxels lie.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Which voxels are in the set, the first index running fastest.
    pub fn bits(&self) -> &[bool] {
        &self.bits
    }

    /// How many voxels are in the set.
    pub fn count(&self) -> usize {
        self.bits.iter().filter(|&&b| b).count()
    }

    /// The volume of its voxels \[m³\].
    pub fn volume(&self) -> f64 {
        self.count() as f64 * self.frame.voxel_volume()
    }

    /// First and last index of the voxels of the set along each axis; `None` of an empty set.
    pub fn bounds(&self) -> Option<([usize; 3], [usize; 3])> {
        let (mut first, mut last) = ([usize::MAX; 3], [0; 3]);
        let [nx, ny, _] = self.size;
        for (row, bits) in self.bits.chunks_exact(nx).enumerate() {
            let Some(low) = bits.iter().position(|&b| b) else { continue };
            let high = bits.iter().rposition(|&b| b).unwrap_or(low);
            for (axis, (a, b)) in [(low, high), (row % ny, row % ny), (row / ny, row / ny)].into_iter().enumerate() {
                first[axis] = first[axis].min(a);
                last[axis] = last[axis].max(b);
            }
        }
        (first[0] != usize::MAX).then_some((first, last))
    }

    /// The part from one voxel to another, both included; the ends are cut to the image.
    ///
    /// # Errors
    /// When nothing is left.
    pub fn cropped(&self, first: [usize; 3], last: [usize; 3]) -> Result<Mask, ImagingError> {
        let (size, at) = crop(self.size, first, last)?;
        let bits = at.iter().flat_map(|row| &self.bits[row.clone()]).copied().collect();
        Mask::new(size, self.frame.starting_at(first), bits)
    }
}

/// The size of a part of a grid, and where its rows are in the whole.
fn crop(
    whole: [usize; 3],
    first: [usize; 3],
    last: [usize; 3],
) -> Result<([usize; 3], Vec<std::ops::Range<usize>>), ImagingError> {
    let last = [0, 1, 2].map(|axis| last[axis].min(whole[axis] - 1));
    if (0..3).any(|axis| first[axis] > last[axis]) {
        let rule = format!("nothing is left of {whole:?} voxels between {first:?} and {last:?}; choose another box");
        return Err(ImagingError::invalid("crop", rule));
    }
    let size = [0, 1, 2].map(|axis| last[axis] + 1 - first[axis]);
    let mut rows = Vec::with_capacity(size[1] * size[2]);
    for k in first[2]..=last[2] {
        for j in first[1]..=last[1] {
            let start = first[0] + whole[0] * (j + whole[1] * k);
            rows.push(start..start + size[0]);
        }
    }
    Ok((size, rows))
}

/// The trilinear mean of the eight voxels around a real index; `None` outside of the voxel centres.
#[inline]
pub(crate) fn trilinear(size: [usize; 3], index: &Vec3, value: impl Fn(usize) -> f64) -> Option<f64> {
    let (mut low, mut part, mut step) = ([0usize; 3], [0.0; 3], [0usize; 3]);
    let strides = [1, size[0], size[0] * size[1]];
    for axis in 0..3 {
        let last = size[axis] - 1;
        // a position on the outermost voxel centres is inside, whatever its rounding
        let x = index[axis];
        if !(x >= -1e-6 && x <= last as f64 + 1e-6) {
            return None;
        }
        let x = x.clamp(0.0, last as f64);
        low[axis] = (x as usize).min(last.saturating_sub(1));
        part[axis] = x - low[axis] as f64;
        step[axis] = if last == 0 { 0 } else { strides[axis] };
    }
    let base = low[0] + strides[1] * low[1] + strides[2] * low[2];
    let along_x = |n: usize| value(n) * (1.0 - part[0]) + value(n + step[0]) * part[0];
    let along_y = |n: usize| along_x(n) * (1.0 - part[1]) + along_x(n + step[1]) * part[1];
    Some(along_y(base) * (1.0 - part[2]) + along_y(base + step[2]) * part[2])
}
