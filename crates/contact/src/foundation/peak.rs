//! The deepest point of a compartment.

use super::elements::Element;
use super::local::{Found, Local, Spot};
use super::memory::ChunkMemory;
use super::pair::{Along, Distance, FoundationPair, Rule};
use super::result::{PatchResult, TooDeep};
use wolff_spatial::{Motion, Pose};

impl FoundationPair {
    /// The larger of `least` and the square of a strain that no point of an element exceeds.
    #[inline]
    pub(crate) fn deeper(&self, index: usize, (found, local): &(Found, Local), least: f64) -> f64 {
        let (above, below) = (self.highest_square(index, (found, local)), found.thickness * found.thickness);
        if above > least * below { above / below } else { least }
    }

    /// Square of a depth that no point of an element exceeds \[m²\].
    #[inline]
    fn highest_square(&self, index: usize, (found, local): (&Found, &Local)) -> f64 {
        let element = &self.set.elements[index];
        let top = local.depth.bounds(element.domain).1;
        top * top * self.largest_gain(element, found)
    }

    /// Notes the deepest point of an element where it is deeper than what is described.
    #[inline]
    pub(crate) fn add_overlap(&self, index: usize, (found, local): &(Found, Local), sum: &mut PatchResult) {
        if !(self.highest_square(index, (found, local)) > found.limit * found.limit) {
            return;
        }
        let element = &self.set.elements[index];
        let spot = Spot::new(element, local, self.method(), self.deepest_point(element, local));
        if spot.d() > found.limit {
            sum.crush(TooDeep { depth: spot.d(), limit: found.limit, at: spot.y });
        }
    }

    /// Where an element is deepest by its rule.
    fn deepest_point(&self, element: &Element, local: &Local) -> (f64, f64) {
        match self.settings.rule {
            Rule::Adaptive => local.depth.maximum(element.domain),
            Rule::Centre => (0.0, 0.0),
        }
    }

    /// Square of what no depth of an element is corrected by more: 4/l² = 2/(1 + c) from the nearest point to the
    /// midsurface, and a little else away from the centre. The other ways do not lengthen depths. Where velocity is
    /// felt, the same is granted to pressures beside the deepest point.
    #[inline]
    fn largest_gain(&self, element: &Element, found: &Found) -> f64 {
        let corrected = self.method() == (Distance::Minimum, Along::Midsurface);
        if corrected || self.feels_velocity() { 2.0 * 1.1 / (1.0 - element.normal.dot(&found.normal)) } else { 1.0 }
    }

    /// Notes pressure and strain at the deepest point of a compartment and hands back its chunk and element. It is
    /// looked for where it was `last` first: few chunks and elements can be deeper.
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
        let last_chunk = Some(last.0).filter(|i| own.contains(i));
        for i in last_chunk.into_iter().chain(own) {
            if !(chunks[i].deepest > patch.peak_strain * patch.peak_strain) {
                continue;
            }
            let likely = if i == last.0 { last.1 } else { 0 };
            for k in std::iter::once(likely).chain(0..chunks[i].elements.len()) {
                let Some(found) = chunks[i].elements.get(k).and_then(|element| element.found.as_ref()) else {
                    continue;
                };
                let index = self.chunks[i].elements.start + k;
                let strain = patch.peak_strain;
                if self.deeper(index, found, strain * strain) > strain * strain {
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
        let at = self.deepest_point(element, local);
        let h = found.thickness;
        let (top, strain) = (local.depth.value(at.0, at.1), patch.peak_strain);
        let deeper = top > 0.0 && top * top * self.largest_gain(element, found) > strain * strain * h * h;
        if !deeper && !self.feels_velocity() {
            return;
        }
        let spot = Spot::new(element, local, self.method(), at);
        let (d, u) = (spot.d(), V_FM.at(&(spot.y - X_FM.p)).v);
        let pressure = self.material.pressure(d, h) * self.viscous_factor(&spot, &u);
        patch.peak_pressure = patch.peak_pressure.max(pressure);
        patch.peak_strain = patch.peak_strain.max(d / h);
    }
}
