//! Bones that touch, apart: a watershed on the distance map.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::components::{components, neighbours};
use super::distance::squared_distances;
use crate::error::ImagingError;
use crate::volume::{LabelVolume, Mask};

/// A voxel that waits to be reached: the deeper first, then the one that came first.
struct Waiting {
    depth: f32,
    order: usize,
    voxel: usize,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.depth.total_cmp(&other.depth).then_with(|| other.order.cmp(&self.order))
    }
}

/// Parts a solid set where it is narrower than twice `neck` \[m\]: every part of the set that is deeper than `neck` is
/// a bone, and from these the others grow, the deepest voxels first, until they meet. Parts without such a depth keep
/// no label. Labels are from 1, the largest core first.
///
/// # Errors
/// When nothing of the set is that deep, or there are more than 65535 parts.
pub fn split_touching(solid: &Mask, neck: f64) -> Result<LabelVolume, ImagingError> {
    let depths = squared_distances(solid);
    let limit = (neck * neck) as f32;
    let core = depths.iter().map(|&depth| depth > limit && depth.is_finite()).collect();
    let cores = components(&Mask::new(solid.size(), solid.frame().clone(), core)?);
    if cores.sizes.is_empty() || cores.sizes.len() > usize::from(u16::MAX) {
        let rule = format!(
            "{} parts are deeper than {:.2} mm; choose a smaller neck for none, a larger one for too many",
            cores.sizes.len(),
            1e3 * neck
        );
        return Err(ImagingError::invalid("touching bones", rule));
    }
    let mut labels: Vec<u16> = cores.part_of.iter().map(|&part| part as u16).collect();
    let mut waiting = BinaryHeap::new();
    let mut order = 0;
    let mut wait = |voxel: usize, waiting: &mut BinaryHeap<Waiting>| {
        order += 1;
        waiting.push(Waiting { depth: depths[voxel], order, voxel });
    };
    (0..labels.len()).filter(|&n| labels[n] != 0).for_each(|n| wait(n, &mut waiting));
    while let Some(Waiting { voxel, .. }) = waiting.pop() {
        for other in neighbours(solid.size(), voxel) {
            if solid.bits()[other] && labels[other] == 0 {
                labels[other] = labels[voxel];
                wait(other, &mut waiting);
            }
        }
    }
    LabelVolume::new(solid.size(), solid.frame().clone(), labels)
}
