//! The deepest point of a compartment.

use super::elements::Element;
use super::local::{Found, Local, Spot};
use super::memory::ChunkMemory;
use super::pair::{Along, Distance, FoundationPair, Rule};
use super::quadratic::Quadratic;
use super::result::{PatchResult, TooDeep};
use wolff_geometry::{Place, Track};
use wolff_spatial::{Motion, Pose, Vec3};

impl FoundationPair {
    /// The larger of `least` and the square of a strain that no point of an element exceeds.
    #[inline]
    pub(crate) fn deeper(&self, index: usize, (found, local): &(Found, Local), least: f64) -> f64 {
        let thinnest = found.thickness - self.set.elements[index].thinning;
        let (above, below) = (self.highest_square(index, (found, local)), thinnest * thinnest);
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
        let element = &self.set.elements[index];
        let limit = |h: f64| found.limit * h / found.thickness;
        let thinnest = limit(found.thickness - element.thinning);
        if !(self.highest_square(index, (found, local)) > thinnest * thinnest) {
            return;
        }
        let at = self.deepest_point(element, (found, local));
        let spot = Spot::new(element, local, self.method(), at);
        let limit = limit(found.thickness + element.layer.value(at.0, at.1));
        if spot.d() > limit {
            sum.crush(TooDeep { depth: spot.d(), limit, at: spot.y });
        }
    }

    /// Where the strain of an element is largest by its rule.
    ///
    /// Depth and thickness are quadratics q and h. With the strain s = q/h of the last point, the next one is where
    /// q - s h is largest (Dinkelbach, On nonlinear fractional programming, Manage Sci 13, 1967; superlinear). Over an
    /// even layer the first point is the answer.
    fn deepest_point(&self, element: &Element, (found, local): (&Found, &Local)) -> (f64, f64) {
        const STEPS: usize = 5;
        if self.settings.rule == Rule::Centre {
            return (0.0, 0.0);
        }
        let (q, more) = (&local.depth, &element.layer);
        let mut at = q.maximum(element.domain);
        for _ in 0..if element.is_wedge() { STEPS } else { 0 } {
            let s = q.value(at.0, at.1) / (found.thickness + more.value(at.0, at.1));
            let g = [q.g[0] - s * more.g[0], q.g[1] - s * more.g[1]];
            let h = [q.h[0] - s * more.h[0], q.h[1] - s * more.h[1], q.h[2] - s * more.h[2]];
            let next = Quadratic { c: q.c - s * found.thickness, g, h }.maximum(element.domain);
            if next == at {
                break;
            }
            at = next;
        }
        at
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
                let Some(state) = chunks[i].elements.get(k) else { continue };
                let Some(found) = &state.found else { continue };
                let index = self.chunks[i].elements.start + k;
                let strain = patch.peak_strain;
                if self.deeper(index, found, strain * strain) > strain * strain {
                    self.add_deepest(index, (found, &state.track), (X_FM, V_FM), patch);
                }
                if patch.peak_strain > strain {
                    deepest = (i, k);
                }
            }
        }
        deepest
    }

    /// Notes pressure and strain at the deepest point of an element. Its place is that of the local model; the overlap
    /// there is asked for again, since the model, expanded about the centre, misses a part of third order in the size
    /// of the element.
    fn add_deepest(
        &self,
        index: usize,
        ((found, local), track): (&(Found, Local), &Track),
        (X_FM, V_FM): (&Pose, &Motion),
        patch: &mut PatchResult,
    ) {
        let element = &self.set.elements[index];
        let at = self.deepest_point(element, (found, local));
        let h = found.thickness + element.layer.value(at.0, at.1);
        let (top, strain) = (local.depth.value(at.0, at.1), patch.peak_strain);
        let deeper = top > 0.0 && top * top * self.largest_gain(element, found) > strain * strain * h * h;
        if !deeper && !self.feels_velocity() {
            return;
        }
        let modelled = Spot::new(element, local, self.method(), at);
        let (spot, h) = match self.settings.rule {
            Rule::Adaptive => {
                patch.queries += 1;
                self.asked_again(element, (at, &modelled), &track.place, X_FM).unwrap_or((modelled, h))
            }
            Rule::Centre => (modelled, h),
        };
        let (d, u) = (spot.d(), V_FM.at(&(spot.y - X_FM.p)).v);
        let pressure = self.material.pressure(d, h) * self.viscous_factor(&spot, &u);
        patch.peak_pressure = patch.peak_pressure.max(pressure);
        patch.peak_strain = patch.peak_strain.max(d / h);
    }

    /// The overlap at one point of an element from a query there, and the thickness of both layers \[m\]; none where it
    /// meets no surface that faces it.
    fn asked_again(
        &self,
        element: &Element,
        (at, modelled): ((f64, f64), &Spot),
        from: &Place,
        X_FM: &Pose,
    ) -> Option<(Spot, f64)> {
        let (y_M, n_f) = (X_FM.inverse_point(&modelled.y), X_FM.R.tr_mul(&modelled.n_f));
        let (point, depth) = match self.settings.distance {
            Distance::Minimum => {
                let point = self.surface.closest_from(&y_M, from)?;
                (point, -point.signed_distance(&y_M))
            }
            Distance::Ray => {
                let reach = 4.0 * (modelled.D.abs() + element.radius);
                let hit = self.surface.ray_from(&y_M, &-n_f, (-reach, reach), from)?;
                (hit.point, hit.t)
            }
        };
        if point.on_rim || !(n_f.dot(&point.normal) < 0.0) {
            return None;
        }
        let local = Local {
            depth: Quadratic { c: depth, ..Quadratic::default() },
            normal: X_FM.R * point.normal,
            turn: [Vec3::zeros(); 2],
        };
        let spot = Spot::new(element, &local, self.method(), at);
        Some((spot, self.layers(element.thickness_at(at), &point.place)))
    }
}
