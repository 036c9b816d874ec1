//! Connected parts of a set of voxels, and its cavities.

use crate::error::ImagingError;
use crate::volume::Mask;

/// The parts of a set; voxels are connected through their faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Components {
    /// The part of each voxel, from 1 in the order of their sizes, the largest first; 0 outside of the set.
    pub part_of: Vec<u32>,
    /// Voxels of each part, the largest first.
    pub sizes: Vec<usize>,
}

/// The neighbours of a voxel through its faces.
#[inline]
pub(crate) fn neighbours(size: [usize; 3], n: usize) -> impl Iterator<Item = usize> {
    let [nx, ny, nz] = size;
    let (i, j, k) = (n % nx, n / nx % ny, n / (nx * ny));
    let plane = nx * ny;
    let found = [
        (i > 0).then(|| n - 1),
        (i + 1 < nx).then_some(n + 1),
        (j > 0).then(|| n - nx),
        (j + 1 < ny).then_some(n + nx),
        (k > 0).then(|| n - plane),
        (k + 1 < nz).then_some(n + plane),
    ];
    found.into_iter().flatten()
}

/// The connected parts of a set.
pub fn components(mask: &Mask) -> Components {
    let (size, bits) = (mask.size(), mask.bits());
    let mut part_of = vec![0u32; bits.len()];
    let mut sizes = Vec::new();
    let mut waiting = Vec::new();
    for seed in 0..bits.len() {
        if !bits[seed] || part_of[seed] != 0 {
            continue;
        }
        let part = sizes.len() as u32 + 1;
        let mut count = 0;
        part_of[seed] = part;
        waiting.push(seed);
        while let Some(n) = waiting.pop() {
            count += 1;
            for other in neighbours(size, n) {
                if bits[other] && part_of[other] == 0 {
                    part_of[other] = part;
                    waiting.push(other);
                }
            }
        }
        sizes.push(count);
    }
    by_size(part_of, sizes)
}

fn by_size(mut part_of: Vec<u32>, sizes: Vec<usize>) -> Components {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&part| (std::cmp::Reverse(sizes[part]), part));
    let mut rank = vec![0; sizes.len() + 1];
    for (new, &old) in order.iter().enumerate() {
        rank[old + 1] = new as u32 + 1;
    }
    part_of.iter_mut().for_each(|part| *part = rank[*part as usize]);
    Components { part_of, sizes: order.iter().map(|&part| sizes[part]).collect() }
}

impl Components {
    /// The voxels of a part, from 1.
    ///
    /// # Errors
    /// When there is no such part.
    pub fn part(&self, mask: &Mask, part: u32) -> Result<Mask, ImagingError> {
        if part == 0 || part as usize > self.sizes.len() {
            let rule = format!("there are {} parts; choose one from 1 on", self.sizes.len());
            return Err(ImagingError::invalid(format!("part {part}"), rule));
        }
        let bits = self.part_of.iter().map(|&other| other == part).collect();
        Mask::new(mask.size(), mask.frame().clone(), bits)
    }
}

/// The set with its cavities: all that cannot be reached from the outside through voxels that are not in it.
///
/// A bone that the image cuts is open there. Its canal is still taken as inside where the cut shows a closed ring: the
/// outside comes in through a side of the image only where it is connected, within that side, to the rim of the side.
pub fn filled(mask: &Mask) -> Mask {
    let (size, bits) = (mask.size(), mask.bits());
    let mut outside = vec![false; bits.len()];
    let mut waiting = Vec::new();
    for axis in 0..3 {
        for last in [false, true] {
            enter_side(mask, axis, last, &mut outside, &mut waiting);
        }
    }
    while let Some(n) = waiting.pop() {
        for other in neighbours(size, n) {
            if !bits[other] && !outside[other] {
                outside[other] = true;
                waiting.push(other);
            }
        }
    }
    let bits = outside.iter().map(|&outside| !outside).collect();
    Mask::new(size, mask.frame().clone(), bits).unwrap_or_else(|_| mask.clone())
}

/// Marks what is outside on one side of the image, from the rim of that side.
fn enter_side(mask: &Mask, axis: usize, last: bool, outside: &mut [bool], waiting: &mut Vec<usize>) {
    let size = mask.size();
    let strides = [1, size[0], size[0] * size[1]];
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let base = if last { (size[axis] - 1) * strides[axis] } else { 0 };
    let place = |a: usize, b: usize| base + a * strides[u] + b * strides[v];
    let on_rim = |a: usize, b: usize| a == 0 || b == 0 || a + 1 == size[u] || b + 1 == size[v];
    let mut here: Vec<(usize, usize)> = Vec::new();
    let mut seen = vec![false; size[u] * size[v]];
    let mut enter = |a: usize, b: usize, here: &mut Vec<(usize, usize)>| {
        let n = place(a, b);
        if !mask.bits()[n] && !std::mem::replace(&mut seen[a + size[u] * b], true) {
            here.push((a, b));
            if !std::mem::replace(&mut outside[n], true) {
                waiting.push(n);
            }
        }
    };
    for b in 0..size[v] {
        (0..size[u]).filter(|&a| on_rim(a, b)).for_each(|a| enter(a, b, &mut here));
    }
    while let Some((a, b)) = here.pop() {
        let beside = [(a.wrapping_sub(1), b), (a + 1, b), (a, b.wrapping_sub(1)), (a, b + 1)];
        for (a, b) in beside.into_iter().filter(|&(a, b)| a < size[u] && b < size[v]) {
            enter(a, b, &mut here);
        }
    }
}
