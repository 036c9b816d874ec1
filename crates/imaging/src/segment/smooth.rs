//! Gaussian smoothing.

use rayon::prelude::*;

/// The kernel reaches this many standard deviations.
const REACH: f64 = 3.5;

/// The values of a grid smoothed by a Gaussian of the given standard deviations \[voxels\] along each axis; values
/// outside of the grid are those of its border.
pub fn gaussian(mut values: Vec<f32>, size: [usize; 3], deviations: [f64; 3]) -> Vec<f32> {
    let [nx, ny, _] = size;
    for (axis, &deviation) in deviations.iter().enumerate().filter(|(_, deviation)| **deviation > 1e-3) {
        let kernel = kernel(deviation);
        match axis {
            0 => values.par_chunks_mut(nx).for_each(|row| {
                let old = row.to_vec();
                (0..nx).for_each(|n| row[n] = weighted(&kernel, n, nx, |at| old[at]));
            }),
            1 => values.par_chunks_mut(nx * ny).for_each(|plane| along_rows(plane, nx, &kernel)),
            _ => along_planes(&mut values, nx * ny, &kernel),
        }
    }
    values
}

/// Weights of the middle and of each distance from it; both sides together are 1.
fn kernel(deviation: f64) -> Vec<f32> {
    let reach = (REACH * deviation).ceil() as usize;
    let weights: Vec<f64> = (0..=reach).map(|n| (-0.5 * (n as f64 / deviation).powi(2)).exp()).collect();
    let sum = 2.0 * weights.iter().sum::<f64>() - weights[0];
    weights.iter().map(|weight| (weight / sum) as f32).collect()
}

#[inline]
fn weighted(kernel: &[f32], at: usize, count: usize, value: impl Fn(usize) -> f32) -> f32 {
    let mut sum = kernel[0] * value(at);
    for (distance, weight) in kernel.iter().enumerate().skip(1) {
        sum += weight * (value(at.saturating_sub(distance)) + value((at + distance).min(count - 1)));
    }
    sum
}

/// Smooths whole rows of `width` values across each other.
fn along_rows(plane: &mut [f32], width: usize, kernel: &[f32]) {
    let old = plane.to_vec();
    let count = old.len() / width;
    for (n, row) in plane.chunks_exact_mut(width).enumerate() {
        across(row, kernel, n, count, |at| &old[at * width..(at + 1) * width]);
    }
}

fn along_planes(values: &mut Vec<f32>, width: usize, kernel: &[f32]) {
    let old = std::mem::take(values);
    let count = old.len() / width;
    *values = vec![0.0; old.len()];
    values.par_chunks_exact_mut(width).enumerate().for_each(|(n, plane)| {
        across(plane, kernel, n, count, |at| &old[at * width..(at + 1) * width]);
    });
}

fn across<'a>(out: &mut [f32], kernel: &[f32], at: usize, count: usize, row: impl Fn(usize) -> &'a [f32]) {
    out.iter_mut().zip(row(at)).for_each(|(sum, x)| *sum = kernel[0] * x);
    for (distance, weight) in kernel.iter().enumerate().skip(1) {
        let (low, high) = (row(at.saturating_sub(distance)), row((at + distance).min(count - 1)));
        for ((sum, a), b) in out.iter_mut().zip(low).zip(high) {
            *sum += weight * (a + b);
        }
    }
}
