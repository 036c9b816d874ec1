//! Evaluation of a foundation contact at a pose.

use super::clear::Clear;
use super::elements::Element;
use super::lanes::{FixedNodes, Overlaps, each};
use super::local::{Found, Local, Spot};
use super::memory::{ChunkMemory, Displacement, ElementMemory, FoundationMemory};
use super::pair::{Chunk, Distance, FoundationPair, Rule, offset_shape_operator};
use super::result::{FoundationResult, Overlap, PatchResult, TooDeep};
use super::strips::{Integrand, positive_part};
use crate::error::ContactError;
use rayon::prelude::*;
use wolff_geometry::{Place, SurfacePoint};
use wolff_spatial::{Force, Motion, Pose, Vec3};

impl FoundationPair {
    /// Forces, pressures and areas at the pose `X_FM` of the moving body in the fixed one.
    ///
    /// `V_FM`: angular velocity and velocity of the moving origin against the fixed body, fixed axes. No memory is
    /// taken after the first call (the thread pool aside), and the sums have the same bytes for any number of threads.
    pub fn evaluate<'m>(
        &self,
        memory: &'m mut FoundationMemory,
        X_FM: &Pose,
        V_FM: &Motion,
    ) -> Result<&'m FoundationResult, ContactError> {
        let finite = |x: &f64| x.is_finite();
        if !(X_FM.R.iter().chain(&X_FM.p).chain(&V_FM.w).chain(&V_FM.v).all(finite)) {
            return Err(ContactError::PoseNotFinite);
        }
        // the memory of another pair is of no use
        if memory.pair != self.id {
            *memory = self.memory();
        }
        let step = memory.last.as_ref().map(|(X, _)| Displacement::new(X, X_FM));
        memory.result.reused = self.can_reuse(memory.last.as_ref(), step.as_ref(), X_FM, V_FM);
        if memory.result.reused {
            return Ok(&memory.result);
        }
        memory.last = Some((*X_FM, *V_FM));
        let work = |(chunk, memory): (&Chunk, &mut ChunkMemory)| {
            memory.advance(chunk, step.as_ref());
            self.run_chunk(chunk, memory, X_FM, V_FM);
        };
        if self.set.elements.len() >= self.settings.threads_from {
            self.chunks.par_iter().zip(memory.chunks.par_iter_mut()).for_each(work);
        } else {
            self.chunks.iter().zip(memory.chunks.iter_mut()).for_each(work);
        }
        self.collect(memory, X_FM, V_FM);
        Ok(&memory.result)
    }

    /// Whether no element has moved farther than the tolerance since the last pose.
    fn can_reuse(
        &self,
        last: Option<&(Pose, Motion)>,
        step: Option<&Displacement>,
        X_FM: &Pose,
        V_FM: &Motion,
    ) -> bool {
        let (Some((X, V)), Some(step)) = (last, step) else { return false };
        if self.feels_velocity() && V != V_FM {
            return false;
        }
        X == X_FM || self.chunks.iter().all(|c| step.way(c) <= self.settings.reuse_within)
    }

    fn run_chunk(&self, chunk: &Chunk, memory: &mut ChunkMemory, X_FM: &Pose, V_FM: &Motion) {
        let travel = memory.travel;
        memory.asked = !(travel < memory.all_safe);
        memory.deepest = 0.0;
        if !memory.asked {
            return;
        }
        memory.sum = PatchResult::ZERO;
        // one bit per element
        let mut touching: u32 = 0;
        for (k, index) in chunk.elements.clone().enumerate() {
            if travel < memory.safe[k] {
                continue;
            }
            let state = &mut memory.elements[k];
            let (queries, safe) = self.query(index, state, (travel, memory.turn), X_FM);
            memory.safe[k] = safe;
            memory.sum.queries += queries;
            memory.pressures[k] = 0.0;
            touching |= u32::from(state.found.is_some()) << k;
            if let Some(through) = state.through {
                memory.sum.crush(through);
            }
        }
        // in a second round, since numbers just written are slow to read
        while touching != 0 {
            let k = touching.trailing_zeros() as usize;
            touching &= touching - 1;
            if let Some(found) = &memory.elements[k].found {
                let index = chunk.elements.start + k;
                memory.deepest = self.deeper(index, found, memory.deepest);
                self.add_overlap(index, found, &mut memory.sum);
                memory.pressures[k] = self.add_element(index, found, X_FM, V_FM, &mut memory.sum);
            }
        }
        memory.all_safe = memory.safe.iter().copied().fold(f64::INFINITY, f64::min);
    }

    /// Finds the moving surface from an element, and hands back the number of queries made and the travel \[m\] up to
    /// which it need not be asked again.
    fn query(&self, index: usize, state: &mut ElementMemory, (travel, turn): (f64, f64), X_FM: &Pose) -> (usize, f64) {
        let element = &self.set.elements[index];
        let A_M = X_FM.inverse_point(&element.centre);
        let left = state.clear.map_or(0.0, |clear| clear.left(&A_M, turn, element.radius));
        if left > 0.0 && travel < state.warm {
            return (0, travel + left);
        }
        state.clear = None;
        state.found = None;
        state.through = None;
        let radius = if self.settings.rule == Rule::Centre { 0.0 } else { element.radius };
        // outside of the box
        let gap = self.box_distance(&A_M) - radius;
        if gap > 0.0 {
            return (0, travel + gap);
        }
        let warm = travel < state.warm;
        // by reference: the answer is large, and read where it was written
        let Some((point, W)) = &self.surface.follow(&A_M, &mut state.track, warm) else { return (1, travel) };
        let s = point.signed_distance(&A_M);
        let near = element.thickness.max(4.0 * element.radius);
        state.warm = if s.abs() < near { travel + near } else { f64::NEG_INFINITY };
        // a rim says how far the surface is, not on which side
        let gap = if point.on_rim { (A_M - point.position).norm() } else { s } - radius;
        let n_f = X_FM.R.tr_mul(&element.normal);
        let clear = |bend: f64, margin: f64| Clear { centre: A_M, normal: point.normal, bend, margin, turn };
        if self.smooth && gap > 0.0 && !point.on_rim {
            state.clear = Some(clear(offset_shape_operator(W, &point.normal, s).norm(), gap));
        }
        if gap > 0.0 || point.on_rim || !(n_f.dot(&point.normal) < 0.0) {
            state.through = self.pressed_through(element, (&A_M, &n_f), point);
            return (1, travel + gap.max(0.0));
        }
        if self.settings.distance == Distance::Minimum {
            let found = self.found(X_FM, (point, W), s, element);
            let margin = self.keep(element, &found, state);
            if self.smooth && margin > 0.0 {
                state.clear = Some(clear(found.W.norm(), margin));
            }
            return (1, travel + margin);
        }
        self.cast(element, state, (&A_M, &n_f), (s, &point.place), X_FM);
        (2, travel)
    }

    /// How deep an element is whose centre `A_M` is inside of a closed moving body but nearer to its far side, where
    /// the normal is along that of the element `n_f`, moving axes; nothing elsewhere. Beside steep sides normals are
    /// across, and nothing is wrong.
    fn pressed_through(&self, element: &Element, (A_M, n_f): (&Vec3, &Vec3), point: &SurfacePoint) -> Option<TooDeep> {
        const ALONG: f64 = 0.5;
        let s = point.signed_distance(A_M);
        if !(self.closed && s < 0.0 && !point.on_rim && n_f.dot(&point.normal) > ALONG) {
            return None;
        }
        let depth = self.surface.ray(A_M, &-n_f, (0.0, f64::MAX)).map_or(-s, |hit| hit.t);
        Some(TooDeep { depth, limit: 0.5 * (depth - s), at: element.centre })
    }

    /// Keeps what the ray from the centre `A_M` of an element against its normal `n_f` finds, moving axes; the nearest
    /// point is at the distance s.
    #[inline(never)]
    fn cast(
        &self,
        element: &Element,
        state: &mut ElementMemory,
        (A_M, n_f): (&Vec3, &Vec3),
        (s, from): (f64, &Place),
        X_FM: &Pose,
    ) {
        // the ray leaves into the fixed body where the surfaces overlap; it is short, since the nearest point is near
        let reach = 4.0 * (s.abs() + element.radius);
        let hit = self.surface.ray_from(A_M, &-n_f, (-reach, reach), from);
        if let Some(hit) = hit.filter(|hit| !hit.point.on_rim && n_f.dot(&hit.point.normal) < 0.0) {
            let W = self.surface.shape_operator(&hit.point.place);
            let found = self.found(X_FM, (&hit.point, &W), -hit.t, element);
            self.keep(element, &found, state);
        }
    }

    /// Keeps what was found if the element may touch on its local model; otherwise hands back how far \[m\] it may
    /// travel until the model's depth, taken with its error, can be above zero.
    #[inline(always)]
    fn keep(&self, element: &Element, found: &Found, state: &mut ElementMemory) -> f64 {
        // part of the radius below which the model's error stays: the curvature that facets hide
        const MODEL_ERROR: f64 = 0.05;
        let local = Local::new(element, found, self.settings.distance);
        let highest = match self.settings.rule {
            Rule::Centre => found.depth,
            Rule::Adaptive => local.depth.highest(element.domain),
        };
        if highest > 0.0 {
            state.found = Some((*found, local));
            return 0.0;
        }
        // or third-order terms, for curvatures that change over lengths like their radii
        let third = if self.smooth { found.W.norm_squared() * element.radius.powi(2) } else { MODEL_ERROR };
        (-highest - third.min(MODEL_ERROR) * element.radius).max(0.0)
    }

    /// Adds the contact of one element to the sum; its mean pressure \[Pa\].
    #[inline]
    fn add_element(
        &self,
        index: usize,
        found: &(Found, Local),
        X_FM: &Pose,
        V_FM: &Motion,
        sum: &mut PatchResult,
    ) -> f64 {
        let (force, area) = (sum.normal_force, sum.area);
        match self.nodes.get(index) {
            Some(Some(fixed)) if !self.feels_velocity() => self.add_nodes(fixed, found, sum),
            _ => self.add_spots(index, found, X_FM, V_FM, sum),
        }
        sum.active += usize::from(sum.area > area);
        (sum.normal_force - force) / self.set.elements[index].area
    }

    /// Adds what acts at the nodes of an element where velocity is not felt.
    #[inline]
    fn add_nodes(&self, fixed: &FixedNodes, (found, local): &(Found, Local), sum: &mut PatchResult) {
        let overlaps = Overlaps::new(fixed, local, self.method());
        let gain = match fixed.thinness(found.thickness) {
            None => overlaps.gain,
            Some(thin) => each(|g| overlaps.gain[g] * thin[g]),
        };
        let (pressures, weights) = self.gather(local, found.thickness, &overlaps.D, &gain);
        let (force, normal_force, moment, area) = overlaps.loads(fixed, &pressures, &weights);
        sum.on_moving += force;
        sum.normal_force += normal_force;
        sum.moment += moment;
        sum.area += area;
    }

    /// Adds what acts at the nodes of any element.
    #[inline(never)]
    fn add_spots(&self, index: usize, found: &(Found, Local), X_FM: &Pose, V_FM: &Motion, sum: &mut PatchResult) {
        self.visit_nodes(index, found, |spot, pressure, weight| {
            self.add_node(spot, pressure, weight, X_FM, V_FM, sum);
        });
    }

    /// Points and weights of the rule over an element.
    #[inline]
    pub(crate) fn visit(&self, index: usize, local: &Local, of: Integrand, mut f: impl FnMut((f64, f64), f64)) {
        let element = &self.set.elements[index];
        match self.settings.rule {
            Rule::Adaptive => positive_part(&local.depth, element.domain, of, f),
            Rule::Centre if local.depth.c > 0.0 => {
                let described = element.tangents[0].cross(&element.tangents[1]).dot(&element.normal).abs();
                f((0.0, 0.0), element.area / (described * element.area_scale));
            }
            Rule::Centre => {}
        }
    }

    /// Adds what acts at one node: integrals of the elastic pressure \[Pa\] and of one over its share of dα.
    #[inline(always)]
    fn add_node(&self, spot: &Spot, pressure: f64, weight: f64, X_FM: &Pose, V_FM: &Motion, sum: &mut PatchResult) {
        let (mut load, mut direction) = (pressure * spot.area, -spot.nu);
        if self.feels_velocity() {
            let u = V_FM.at(&(spot.y - X_FM.p)).v;
            load *= self.viscous_factor(spot, &u);
            if let Some(friction) = &self.settings.friction {
                direction += friction.force(1.0, &(u - spot.nu * spot.nu.dot(&u)));
            }
        }
        sum.on_moving += Force::through(&spot.y, direction * load);
        sum.normal_force += load;
        sum.moment += spot.y * load;
        sum.area += spot.area * weight;
    }

    #[inline]
    pub(crate) fn feels_velocity(&self) -> bool {
        self.material.damping() > 0.0 || self.settings.friction.is_some()
    }

    /// `1 + a d'`, not below zero, where the moving body has the velocity u \[m/s\].
    #[inline]
    pub(crate) fn viscous_factor(&self, spot: &Spot, u: &Vec3) -> f64 {
        (1.0 + self.material.damping() * spot.rate(self.method()).dot(u)).max(0.0)
    }

    /// Energy stored in the layer \[J\] at the pose of the last evaluation; zero before the first. No new distance
    /// queries.
    pub fn stored_energy(&self, memory: &FoundationMemory) -> f64 {
        let method = self.method();
        let mut energy = 0.0;
        if memory.last(self).is_none() {
            return energy;
        }
        for (chunk, state) in self.chunks.iter().zip(&memory.chunks) {
            for (index, element) in chunk.elements.clone().zip(&state.elements) {
                let Some((found, local)) = &element.found else { continue };
                let element = &self.set.elements[index];
                self.visit(index, local, Integrand::Curved, |at, weight| {
                    let spot = Spot::new(element, local, method, at);
                    let h = found.thickness + element.layer.value(at.0, at.1);
                    energy += self.material.energy(spot.d(), h) * spot.area * weight;
                });
            }
        }
        energy
    }

    /// Sums of the chunks in their order.
    fn collect(&self, memory: &mut FoundationMemory, X_FM: &Pose, V_FM: &Motion) {
        let result = &mut memory.result;
        result.total = PatchResult::ZERO;
        result.overlap = None;
        result.compartments.fill(PatchResult::ZERO);
        for (chunk, state) in self.chunks.iter().zip(&memory.chunks) {
            if state.asked {
                result.compartments[chunk.compartment].add(&state.sum);
                result.pressures[chunk.elements.clone()].copy_from_slice(&state.pressures);
            }
        }
        for (compartment, patch) in result.compartments.iter_mut().enumerate() {
            memory.peaks[compartment] =
                self.add_peak(compartment, &memory.chunks, memory.peaks[compartment], (X_FM, V_FM), patch);
            result.total.add(patch);
            if patch.crushed.is_some() && patch.crushed == result.total.crushed {
                let name = self.set.compartments[compartment].name.clone();
                result.overlap =
                    patch.crushed.map(|TooDeep { depth, limit, at }| Overlap { compartment: name, depth, limit, at });
            }
        }
    }
}
