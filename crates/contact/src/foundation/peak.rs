//! The deepest point of a compartment.

use super::local::{Found, Local, Spot};
use super::pair::{FoundationPair, Rule};
use super::result::PatchResult;
use super::solver::ChunkMemory;
use wolff_spatial::{Motion, Pose};

impl FoundationPair {
    /// Square of a strain that no point of an element exceeds.
    #[inline]
    pub(crate) fn deepest(&self, index: usize, (found, local): &(Found, Local)) -> f64 {
        let element = &self.set.elements[index];
        let top = local.depth.bounds(element.domain).1 / found.thickness;
        // the correction to the midsurface is 4/l² = 2/(1 + c), squared, and a little else away from the centre
        top * top * (2.0 * 1.1) / (1.0 - element.normal.dot(&found.normal))
    }

    /// Notes pressure and strain at the deepest point of a compartment and hands back its chunk and element. It is looked for
    /// where it was `last` first: few chunks and elements can be deeper.
    pub(crate) fn add_peak(
        &self,
        compartment: usize,
        chunks: &[ChunkMemory],
        last: (usize, usize),
        (X_FM, V_FM): (&Pose, &Motion),
        patch: &mut PatchResult,
    ) -> (usize, usize) {
        let mut deepest = last;
        let own = self.chunk_ranges[compartment].clone();
        let first = Some(last.0).filter(|i| own.contains(i));
        for i in first.into_iter().chain(own) {
            if !(chunks[i].deepest > patch.peak_strain * patch.peak_strain) {
                continue;
            }
            let first = if i == last.0 { last.1 } else { 0 };
            for k in std::iter::once(first).chain(0..chunks[i].elements.len()) {
                let Some(found) = chunks[i].elements.get(k).and_then(|element| element.found.as_ref()) else {
                    continue;
                };
                let index = self.chunks[i].elements.start + k;
                let strain = patch.peak_strain;
                if self.deepest(index, found) > strain * strain {
                    self.add_deepest(index, found, (X_FM, V_FM), patch);
                }
                if patch.peak_strain > strain {
                    deepest = (i, k);
                }
            }
        }
        deepest
    }

    /// Notes pressure and strain at the deepest point of an element.
    fn add_deepest(
        &self,
        index: usize,
        (found, local): &(Found, Local),
        (X_FM, V_FM): (&Pose, &Motion),
        patch: &mut PatchResult,
    ) {
        let element = &self.set.elements[index];
        let at = match self.settings.rule {
            Rule::Adaptive => local.depth.maximum(element.domain),
            Rule::Centre => (0.0, 0.0),
        };
        let (spot, h) = (Spot::new(element, local, self.method(), at), found.thickness);
        let (d, u) = (spot.d(), V_FM.at(&(spot.y - X_FM.p)).v);
        let pressure = self.material.pressure(d, h) * self.viscous_factor(&spot, &u);
        patch.peak_pressure = patch.peak_pressure.max(pressure);
        patch.peak_strain = patch.peak_strain.max(d / h);
        if self.material.is_crushed(d, h) {
            patch.crush(d, h);
        }
    }
}
