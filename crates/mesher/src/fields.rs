//! Smoothed indicators of labels on a regular grid.

use rayon::prelude::*;
use wolff_spatial::Vec3;

/// Standard deviation of the smoothing, in the largest spacing of the grid.
const SMOOTHING: f64 = 0.5;
/// The kernel ends after this many standard deviations.
const REACH: f64 = 2.5;

/// A regular grid: the places of its points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub size: [usize; 3],
    pub spacing: [f64; 3],
    pub origin: Vec3,
}

impl Frame {
    /// Coordinates of a place in steps of the grid.
    pub fn steps(&self, x: &Vec3) -> [f64; 3] {
        [0, 1, 2].map(|i| (x[i] - self.origin[i]) / self.spacing[i])
    }
}

/// The smoothed indicator of one label within a box of the grid; zero elsewhere.
pub(crate) struct Field {
    low: [usize; 3],
    size: [usize; 3],
    values: Vec<f32>,
}

/// The kernels along the three axes.
fn kernels(frame: &Frame) -> [Vec<f32>; 3] {
    let sigma = deviation(frame);
    frame.spacing.map(|spacing| kernel(sigma / spacing))
}

/// The box of a label with room for its smoothed indicator: the first points and those past the last.
fn within(frame: &Frame, low: [usize; 3], high: [usize; 3]) -> [[usize; 3]; 2] {
    let margin = kernels(frame).map(|kernel| kernel.len());
    let start = [0, 1, 2].map(|i| low[i].saturating_sub(margin[i]));
    let end = [0, 1, 2].map(|i| (high[i] + margin[i] + 1).min(frame.size[i]));
    [start, end]
}

impl Field {
    /// The number of values that the label of a box needs.
    pub fn count(frame: &Frame, low: [usize; 3], high: [usize; 3]) -> f64 {
        let [start, end] = within(frame, low, high);
        (0..3).map(|i| (end[i] - start[i]) as f64).product()
    }

    /// Smooths the indicator of a label that lies from `low` to `high` of the grid, both included.
    pub fn new(labels: &[u16], frame: &Frame, label: u16, low: [usize; 3], high: [usize; 3]) -> Field {
        let kernels = kernels(frame);
        let [start, end] = within(frame, low, high);
        let size = [0, 1, 2].map(|i| end[i] - start[i]);
        let [nx, ny, _] = frame.size;
        let mut values = vec![0.0_f32; size[0] * size[1] * size[2]];
        values.par_chunks_mut(size[0]).enumerate().for_each(|(row, out)| {
            let (j, k) = (start[1] + row % size[1], start[2] + row / size[1]);
            let first = start[0] + nx * (j + ny * k);
            for (value, &here) in out.iter_mut().zip(&labels[first..]) {
                *value = f32::from(u8::from(here == label));
            }
        });
        for (axis, kernel) in kernels.iter().enumerate() {
            values = smoothed(&values, size, axis, kernel);
        }
        Field { low: start, size, values }
    }

    /// The linearly interpolated value at coordinates in steps of the grid.
    #[inline]
    pub fn at(&self, steps: &[f64; 3]) -> f64 {
        let mut first = 0;
        let mut part = [0.0; 3];
        let strides = [1, self.size[0], self.size[0] * self.size[1]];
        for i in 0..3 {
            let along = steps[i] - self.low[i] as f64;
            if !(along >= 0.0 && along < (self.size[i] - 1) as f64) {
                return 0.0;
            }
            first += along as usize * strides[i];
            part[i] = along.fract();
        }
        let line = |at: usize| {
            let (a, b) = (f64::from(self.values[at]), f64::from(self.values[at + 1]));
            a + part[0] * (b - a)
        };
        let plane = |at: usize| {
            let (a, b) = (line(at), line(at + strides[1]));
            a + part[1] * (b - a)
        };
        let (a, b) = (plane(first), plane(first + strides[2]));
        a + part[2] * (b - a)
    }
}

/// Standard deviation of the smoothing \[m\].
pub(crate) fn deviation(frame: &Frame) -> f64 {
    SMOOTHING * frame.spacing.into_iter().fold(0.0, f64::max)
}

/// Half of a Gaussian kernel from its centre, of sum one as a whole; `deviation` in steps of the grid.
fn kernel(deviation: f64) -> Vec<f32> {
    let reach = (REACH * deviation).ceil() as usize;
    let weight = |n: usize| (-0.5 * (n as f64 / deviation).powi(2)).exp();
    let sum = 1.0 + 2.0 * (1..=reach).map(weight).sum::<f64>();
    (0..=reach).map(|n| (weight(n) / sum) as f32).collect()
}

/// The values convolved with a symmetric kernel along an axis; zero beyond the ends.
fn smoothed(values: &[f32], size: [usize; 3], axis: usize, kernel: &[f32]) -> Vec<f32> {
    let stride = [1, size[0], size[0] * size[1]][axis];
    let mut out = vec![0.0_f32; values.len()];
    out.par_chunks_mut(size[0]).enumerate().for_each(|(row, out)| {
        let start = row * size[0];
        let row_place = [0, row % size[1], row / size[1]][axis];
        for (offset, &weight) in kernel.iter().enumerate() {
            let shift = offset * stride;
            if axis == 0 {
                let line = &values[start..start + size[0]];
                for i in 0..size[0] {
                    let before = if i >= offset { line[i - offset] } else { 0.0 };
                    let after = if offset > 0 && i + offset < size[0] { line[i + offset] } else { 0.0 };
                    out[i] += weight * (before + after);
                }
                continue;
            }
            if row_place >= offset {
                let line = &values[start - shift..start - shift + size[0]];
                out.iter_mut().zip(line).for_each(|(sum, value)| *sum += weight * value);
            }
            if offset > 0 && row_place + offset < size[axis] {
                let line = &values[start + shift..start + shift + size[0]];
                out.iter_mut().zip(line).for_each(|(sum, value)| *sum += weight * value);
            }
        }
    });
    out
}

/// For every point the shortest of the three runs of its label along the axes \[m\]: a bound of the thickness there.
pub(crate) fn shortest_runs(labels: &[u16], frame: &Frame) -> Vec<f32> {
    let mut shortest = vec![f32::INFINITY; labels.len()];
    let [nx, ny, nz] = frame.size;
    let axes =
        [(1, nx, [(nx, ny), (nx * ny, nz)]), (nx, ny, [(1, nx), (nx * ny, nz)]), (nx * ny, nz, [(1, nx), (nx, ny)])];
    for ((stride, count, [(p, np), (q, nq)]), spacing) in axes.into_iter().zip(frame.spacing) {
        for line in 0..np * nq {
            let first = line % np * p + line / np * q;
            let mut start = 0;
            for i in 1..=count {
                if i < count && labels[first + i * stride] == labels[first + start * stride] {
                    continue;
                }
                let length = ((i - start) as f64 * spacing) as f32;
                for at in start..i {
                    let value = &mut shortest[first + at * stride];
                    *value = value.min(length);
                }
                start = i;
            }
        }
    }
    shortest
}
