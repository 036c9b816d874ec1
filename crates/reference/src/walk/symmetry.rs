//! Symmetric walks, whose second half cycle is the mirror image of the first, and asymmetric ones.

use super::{FootStance, Harmonic, LeftStance, ReferenceWalk, Series};
use wolff_anatomy::skeleton::{FootPoint, Segment, Skeleton};
use wolff_anatomy::{Side, mirror_name};

/// Tolerance within which lengths \[m\], masses \[kg\] and fractions count as equal; far above rounding, far below
/// measurement errors.
const EQUAL: f64 = 1e-9;

impl ReferenceWalk {
    /// Whether half a cycle determines the whole cycle: the left side has no series and no stance of its own,
    /// coordinates of the median plane have harmonics of one parity, and the left half of the skeleton is the mirror
    /// image of the right.
    pub fn is_symmetric(&self) -> bool {
        let own = |s: &Series| Side::of(&s.coordinate) == Some(Side::Left);
        self.left.is_none()
            && !self.motion.iter().any(own)
            && self.motion.iter().filter(|s| Side::of(&s.coordinate).is_none()).all(Series::has_one_parity)
            && mirrors_itself(&self.skeleton)
    }

    /// Fraction of the cycle that determines the whole cycle: one half where the other half is the mirror image.
    pub(crate) fn told(&self) -> f64 {
        if self.is_symmetric() { 0.5 } else { 1.0 }
    }

    /// The same walk with everything explicit that symmetry implies, so that it may become asymmetric: a series for
    /// every left coordinate, a stance of the left foot, and in coordinates of the median plane the harmonics that a
    /// symmetric walk does not have, with amplitude zero.
    ///
    /// ```text
    /// cos k(ωt + π) = (-1)^k cos kωt      a series half a cycle later: odd harmonics reversed
    /// ```
    pub fn unfolded(&self) -> ReferenceWalk {
        let mut walk = self.clone();
        walk.motion.iter_mut().filter(|s| Side::of(&s.coordinate).is_none()).for_each(Series::fill_up);
        for (name, source) in self.coordinate_names().into_iter().zip(&mut walk.sources) {
            if source.other_side {
                walk.motion.push(self.motion[source.series].half_a_cycle_later(name));
                (source.series, source.other_side) = (walk.motion.len() - 1, false);
            }
        }
        let FootStance { strike, duty, series, .. } = self.stance(Side::Left);
        walk.left = Some(LeftStance { strike, duty, series: series.clone() });
        walk
    }
}

impl Series {
    /// Whether all harmonics are even, or all odd about a mean of zero.
    fn has_one_parity(&self) -> bool {
        self.harmonics.iter().all(|h| h.order % 2 == 0)
            || self.mean.abs() < EQUAL && self.harmonics.iter().all(|h| h.order % 2 == 1)
    }

    /// Adds the harmonics that are missing below the highest.
    fn fill_up(&mut self) {
        let highest = self.harmonics.iter().map(|h| h.order).max().unwrap_or(0);
        for order in 1..=highest {
            if self.harmonics.iter().all(|h| h.order != order) {
                self.harmonics.push(Harmonic { order, cos: 0.0, sin: 0.0 });
            }
        }
    }

    fn half_a_cycle_later(&self, coordinate: String) -> Series {
        let later = |h: &Harmonic| {
            let sign = if h.order.is_multiple_of(2) { 1.0 } else { -1.0 };
            Harmonic { order: h.order, cos: sign * h.cos, sin: sign * h.sin }
        };
        Series { coordinate, mean: self.mean, harmonics: self.harmonics.iter().map(later).collect() }
    }
}

/// Whether the left half of a skeleton is the mirror image of the right; for imported joints this is not known.
pub(super) fn mirrors_itself(skeleton: &Skeleton) -> bool {
    if skeleton.given.is_some() {
        return false;
    }
    let twin = |s: &Segment| {
        let other = skeleton.segment(&mirror_name(&s.name)).map(Segment::mirrored);
        other.is_some_and(|o| same_body(&o, s) && (Side::of(&s.name).is_none() || same_turns(&o, s)))
    };
    let contact = |c: &FootPoint| {
        let other = skeleton.contacts.iter().find(|o| o.name == mirror_name(&c.name));
        other.is_some_and(|o| same_point(&o.mirrored(), c))
    };
    skeleton.segments.iter().all(twin) && skeleton.contacts.iter().all(contact)
}

fn same_turns(a: &Segment, b: &Segment) -> bool {
    a.turns.len() == b.turns.len()
        && a.turns.iter().zip(&b.turns).all(|(a, b)| a.coordinate == b.coordinate && (a.axis - b.axis).norm() < EQUAL)
}

fn same_body(a: &Segment, b: &Segment) -> bool {
    a.parent == b.parent
        && (a.joint - b.joint).norm() < EQUAL
        && (a.mass.mass - b.mass.mass).abs() < EQUAL
        && (a.mass.com - b.mass.com).norm() < EQUAL
        && (a.mass.inertia - b.mass.inertia).norm() < EQUAL
}

fn same_point(a: &FootPoint, b: &FootPoint) -> bool {
    let window = a.window.iter().zip(b.window).all(|(a, b)| (a - b).abs() < EQUAL);
    window && a.segment == b.segment && (a.point - b.point).norm() < EQUAL
}
