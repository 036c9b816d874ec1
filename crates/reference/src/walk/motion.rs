//! Coordinates of a walk as Fourier series.

use super::ReferenceWalk;
use std::f64::consts::TAU;
use wolff_anatomy::error::{AnatomyError, all_finite};
use wolff_anatomy::skeleton::Skeleton;
use wolff_anatomy::{CoordinateRole, Side, mirror_name};
use wolff_multibody::Model;
use wolff_numerics::Derivatives;

/// One harmonic of a series \[rad or m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Harmonic {
    /// Its order: cycles per stride, 1 or more.
    pub order: u32,
    /// Amplitude of the cosine.
    pub cos: f64,
    /// Amplitude of the sine.
    pub sin: f64,
}

/// A coordinate over the cycle.
///
/// ```text
/// q(t) = mean + Σ cos_k cos(k ω t) + sin_k sin(k ω t),   ω = 2π/T [rad/s]
/// ```
/// In a symmetric walk the coordinates of the median plane have even harmonics only, or, if they swing from side to
/// side, odd ones only, so that the motion is its own mirror image after half a cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Name of the coordinate.
    pub coordinate: String,
    /// Mean over the cycle \[rad or m\].
    pub mean: f64,
    /// Harmonics.
    pub harmonics: Vec<Harmonic>,
}

impl Series {
    /// Value and rates at the time `t`, the cycle lasting 2π/`omega`.
    pub fn evaluate(&self, t: f64, omega: f64) -> Derivatives {
        self.sum(&Waves { t, omega, first: &[] })
    }

    fn sum(&self, waves: &Waves<'_>) -> Derivatives {
        let mut q = Derivatives { value: self.mean, d1: 0.0, d2: 0.0 };
        for h in &self.harmonics {
            let (w, (s, c)) = (f64::from(h.order) * waves.omega, waves.at(h.order));
            let wave = h.cos * c + h.sin * s;
            q.value += wave;
            q.d1 += w * (h.sin * c - h.cos * s);
            q.d2 -= w * w * wave;
        }
        q
    }

    /// Rejects numbers that are not finite and harmonics of order zero.
    pub(super) fn check(&self) -> Result<(), AnatomyError> {
        all_finite(&self.coordinate, "mean [rad or m]", &[self.mean])?;
        for h in &self.harmonics {
            all_finite(&self.coordinate, "coefficient of a harmonic [rad or m]", &[h.cos, h.sin])?;
            if h.order == 0 {
                return Err(AnatomyError::rule(&self.coordinate, "a harmonic has order 0; write it into the mean"));
            }
        }
        Ok(())
    }
}

/// Sine and cosine of `k ω t`: those of the first harmonics are computed once for all series.
struct Waves<'a> {
    t: f64,
    omega: f64,
    first: &'a [(f64, f64)],
}

/// Number of harmonics that [`Waves`] stores; higher ones are rare.
const KEPT: usize = 12;

impl Waves<'_> {
    fn at(&self, order: u32) -> (f64, f64) {
        let kept = self.first.get((order as usize).wrapping_sub(1));
        kept.copied().unwrap_or_else(|| (f64::from(order) * self.omega * self.t).sin_cos())
    }

    /// The first harmonics at an instant.
    fn first(t: f64, omega: f64) -> [(f64, f64); KEPT] {
        std::array::from_fn(|k| ((k + 1) as f64 * omega * t).sin_cos())
    }
}

/// The series of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Source {
    /// Index of the series.
    pub series: usize,
    /// It is the series of the right side, half a cycle later.
    pub other_side: bool,
    /// The coordinate advances with the mean speed.
    forward: bool,
}

/// Finds the series of every coordinate: its own, or for a left one without, that of the same coordinate on the right.
pub(super) fn sources(skeleton: &Skeleton, motion: &[Series]) -> Result<Vec<Source>, AnatomyError> {
    let find = |name: &str| motion.iter().position(|s| s.coordinate == name);
    let source = |(name, role): (String, CoordinateRole)| {
        let other_side = Side::of(&name) == Some(Side::Left) && find(&name).is_none();
        let needed = if other_side { mirror_name(&name) } else { name.clone() };
        let series = find(&needed).ok_or_else(|| {
            AnatomyError::rule(
                &name,
                format!("no series for `{needed}` in the walk; add one, with mean 0 if it does not move"),
            )
        })?;
        let forward = role.is_forward();
        Ok(Source { series, other_side, forward })
    };
    skeleton.coordinate_names().into_iter().zip(skeleton.coordinate_roles()).map(source).collect()
}

/// All coordinates at an instant, with speeds and accelerations \[rad or m, over s and s²\].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WalkState {
    /// Coordinates.
    pub q: Vec<f64>,
    /// Speeds.
    pub v: Vec<f64>,
    /// Accelerations.
    pub a: Vec<f64>,
}

impl ReferenceWalk {
    /// All coordinates at the time `t` \[s\], in the order of [`ReferenceWalk::coordinate_names`].
    ///
    /// A left coordinate without a series of its own is that of the right side half a cycle later; `pelvis_tx` advances
    /// with the mean speed.
    pub fn coordinates(&self, t: f64) -> WalkState {
        let n = self.sources.len();
        let mut state = WalkState { q: vec![0.0; n], v: vec![0.0; n], a: vec![0.0; n] };
        self.write_state(&(0..n).collect::<Vec<_>>(), t, &mut state);
        state
    }

    /// The coordinate `name`; `None` where the walk has no such coordinate.
    pub fn coordinate_named(&self, name: &str, t: f64) -> Option<Derivatives> {
        let index = self.coordinate_names().iter().position(|n| n == name)?;
        Some(self.coordinate(index, t, &[]))
    }

    /// Coordinate number `index` of [`ReferenceWalk::coordinate_names`] at the time `t`; `first` holds the first
    /// harmonics of its side.
    fn coordinate(&self, index: usize, t: f64, first: &[(f64, f64)]) -> Derivatives {
        let source = &self.sources[index];
        let waves = Waves { t: t + self.shift(source), omega: TAU / self.constants.cycle_time, first };
        let mut q = self.motion[source.series].sum(&waves);
        if source.forward {
            q.value += self.constants.speed * t;
            q.d1 += self.constants.speed;
        }
        q
    }

    /// Delay of a coordinate against its series \[s\].
    fn shift(&self, source: &Source) -> f64 {
        if source.other_side { 0.5 * self.constants.cycle_time } else { 0.0 }
    }

    /// Index of each coordinate among the model's speeds (for these joints also among its coordinates).
    pub fn order_in(&self, model: &Model) -> Result<Vec<usize>, AnatomyError> {
        let find =
            |name: String| model.coordinate_index(&name).ok_or(AnatomyError::Unknown { what: "coordinate", name });
        self.coordinate_names().into_iter().map(find).collect()
    }

    /// All coordinates at the time `t` in the order of a model, given by [`ReferenceWalk::order_in`]; coordinates of
    /// the model that the walk does not have are not changed.
    pub(super) fn write_state(&self, order: &[usize], t: f64, state: &mut WalkState) {
        let (omega, half) = (TAU / self.constants.cycle_time, 0.5 * self.constants.cycle_time);
        let [own, other] = [0.0, half].map(|shift| Waves::first(t + shift, omega));
        for (index, &place) in order.iter().enumerate() {
            let q = self.coordinate(index, t, if self.sources[index].other_side { &other } else { &own });
            state.q[place] = q.value;
            state.v[place] = q.d1;
            state.a[place] = q.d2;
        }
    }
}
