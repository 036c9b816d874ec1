//! Distances of voxels from what is not in a set.

use rayon::prelude::*;

use crate::volume::Mask;

/// For every voxel of the set the square of the distance between its centre and the nearest voxel centre outside of
/// the set \[m²\]; 0 outside of it, infinite where everything is in it. What lies beyond the image is not outside.
///
/// The axes are taken as perpendicular. Source: Felzenszwalb and Huttenlocher, Distance transforms of sampled
/// functions, Theory of Computing 8 (2012): the lower envelope of parabolas, one axis after another.
pub fn squared_distances(mask: &Mask) -> Vec<f32> {
    let [nx, ny, nz] = mask.size();
    let spacing = mask.frame().spacing();
    let mut values: Vec<f32> = mask.bits().iter().map(|&inside| if inside { f32::INFINITY } else { 0.0 }).collect();
    values.par_chunks_mut(nx).for_each(|row| envelope(row, spacing.x));
    values.par_chunks_mut(nx * ny).for_each(|plane| {
        for i in 0..nx {
            let mut column: Vec<f32> = (0..ny).map(|j| plane[i + nx * j]).collect();
            envelope(&mut column, spacing.y);
            column.into_iter().enumerate().for_each(|(j, value)| plane[i + nx * j] = value);
        }
    });
    let plane = nx * ny;
    let columns: Vec<Vec<f32>> = (0..ny)
        .into_par_iter()
        .map(|j| {
            let mut out = vec![0.0; nx * nz];
            for i in 0..nx {
                let column = &mut out[i * nz..(i + 1) * nz];
                (0..nz).for_each(|k| column[k] = values[i + nx * j + plane * k]);
                envelope(column, spacing.z);
            }
            out
        })
        .collect();
    values.par_chunks_mut(plane).enumerate().for_each(|(k, out)| {
        for (j, columns) in columns.iter().enumerate() {
            (0..nx).for_each(|i| out[i + nx * j] = columns[i * nz + k]);
        }
    });
    values
}

/// Replaces f(q) by the least of f(p) + h² (p - q)² over all p.
fn envelope(f: &mut [f32], h: f64) {
    let h2 = h * h;
    // places of the parabolas, and from where on each is the lowest
    let mut lowest: Vec<(usize, f64, f64)> = Vec::new();
    for (q, &value) in f.iter().enumerate().filter(|(_, value)| value.is_finite()) {
        let value = f64::from(value);
        let mut from = f64::NEG_INFINITY;
        while let Some(&(p, other, start)) = lowest.last() {
            let (a, b) = (p as f64, q as f64);
            from = ((value - other) / h2 + b * b - a * a) / (2.0 * (b - a));
            if from > start {
                break;
            }
            lowest.pop();
            from = f64::NEG_INFINITY;
        }
        lowest.push((q, value, from));
    }
    if lowest.is_empty() {
        return;
    }
    let mut n = 0;
    for (q, out) in f.iter_mut().enumerate() {
        while lowest.get(n + 1).is_some_and(|next| next.2 < q as f64) {
            n += 1;
        }
        let (p, value, _) = lowest[n];
        *out = (value + h2 * (p as f64 - q as f64).powi(2)) as f32;
    }
}
