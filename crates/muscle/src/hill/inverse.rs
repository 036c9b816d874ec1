//! From a wanted force back to fibre and activation.

use super::HillMuscle;

/// Activations are sought up to this: more than 1 tells how far a muscle is from what is wanted.
const MOST: f64 = 10.0;

/// Trials of a bracketed Newton's method; halving alone needs no more.
const MOST_TRIALS: usize = 100;

impl HillMuscle {
    /// Fibre length \[m\] with which the tendon carries `force` \[N\] in a muscle of `length` \[m\]; no shorter than
    /// the shortest.
    ///
    /// ```text
    /// F = F0 f_T(l_T/l_Ts),    l cos α = L - l_T
    /// ```
    /// Without force the tendon has its slack length.
    pub fn fibre_under(&self, force: f64, length: f64) -> f64 {
        let tendon = self.tendon_under(force / self.parameters.max_isometric_force);
        let along = length - tendon * self.parameters.tendon_slack_length;
        // unlike max, this lets a NaN through to where it is seen
        let l = self.pennation.fibre(if along < 0.0 { 0.0 } else { along });
        if l < self.shortest { self.shortest } else { l }
    }

    /// Tendon length over the slack one under a force over F0.
    fn tendon_under(&self, force: f64) -> f64 {
        if force <= 0.0 {
            return 1.0;
        }
        let mut high = 1.1;
        while self.curves.tendon(high).value < force && high < 1e3 {
            high = 1.0 + 2.0 * (high - 1.0);
        }
        bracketed(1.0, high, |l| {
            let f = self.curves.tendon(l);
            [f.value - force, f.slope]
        })
    }

    /// Force \[N\] along the tendon of a fibre of length `fibre_length` \[m\] that lengthens at `fibre_velocity`
    /// \[m/s\].
    ///
    /// ```text
    /// F = F0 (a f_al(l) f_v(v) + f_pe(l) + β v) cos α
    /// ```
    pub fn force_for(&self, activation: f64, fibre_length: f64, fibre_velocity: f64) -> f64 {
        let x = fibre_length / self.parameters.optimal_fibre_length;
        let active = self.curves.active(x).value;
        let viscous = self.viscous(activation, active, fibre_velocity / self.velocity_unit()).value;
        let force = viscous + self.curves.passive(x).value;
        self.parameters.max_isometric_force * force * self.pennation.cosine(fibre_length)
    }

    /// Activation with which a fibre of length `fibre_length` \[m\] that lengthens at `fibre_velocity` \[m/s\] pulls
    /// with `force` \[N\] along the tendon.
    ///
    /// ```text
    /// a f_al(l) f_v(v) = F/(F0 cos α) - f_pe(l) - β v
    /// ```
    /// From 0, where even a fibre at rest pulls too hard, to 10; more than 1 is more than the muscle can do.
    pub fn activation_for(&self, force: f64, fibre_length: f64, fibre_velocity: f64) -> f64 {
        let x = fibre_length / self.parameters.optimal_fibre_length;
        let v = fibre_velocity / self.velocity_unit();
        let wanted = force / (self.parameters.max_isometric_force * self.pennation.cosine(fibre_length));
        let rest = wanted - self.curves.passive(x).value;
        let active = self.curves.active(x).value;
        let off = |a: f64| self.viscous(a, active, v).value - rest;
        if off(0.0) >= 0.0 {
            return 0.0;
        }
        if off(MOST) <= 0.0 {
            return MOST;
        }
        bracketed(0.0, MOST, |a| {
            let at = self.viscous(a, active, v);
            [at.value - rest, at.by_activation]
        })
    }
}

/// Zero of a growing function between two places, given as value and slope.
fn bracketed(mut low: f64, mut high: f64, function: impl Fn(f64) -> [f64; 2]) -> f64 {
    let mut x = 0.5 * (low + high);
    for _ in 0..MOST_TRIALS {
        let [value, slope] = function(x);
        if value > 0.0 {
            high = x
        } else {
            low = x
        }
        let newton = x - value / slope;
        let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
        let change = (next - x).abs();
        x = next;
        if change <= f64::EPSILON * x.abs() || change.is_nan() {
            break;
        }
    }
    x
}
