//! When a muscle is active: electromyogram and force compared by timing only.
//!
//! Klodowski et al. (Rakenteiden Mekaniikka 2011, discussion) recommend it, because the relation between force and
//! electromyogram is not linear. Active is where a signal exceeds [`THRESHOLD`] of its range in the cycle above its
//! minimum. Agreement by chance is taken out by Cohen's coefficient
//! ```text
//! κ = (p - q) / (1 - q),   q = a b + (1 - a) (1 - b)
//! ```
//! p fraction of the cycle in which both or none is active, a and b fractions in which each is active.

/// Fraction of the range of a signal above its minimum at which activity begins; chosen here.
pub const THRESHOLD: f64 = 0.2;

/// Activity and pauses shorter than this fraction of the cycle are ignored; chosen here.
const SHORTEST: f64 = 0.03;

/// Activity of an electromyogram and of the force beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Timing {
    /// Intervals in which the electromyogram is active, as fractions of the cycle; one that passes the end of the cycle
    /// ends beyond 1.
    pub emg: Vec<[f64; 2]>,
    /// Intervals in which the force is active.
    pub force: Vec<[f64; 2]>,
    /// Fraction of the cycle in which both or none is active.
    pub agreement: f64,
    /// Cohen's coefficient; `None` where both are always active.
    pub kappa: Option<f64>,
}

impl Timing {
    /// Of two periodic signals at the same instants of a cycle.
    pub fn new(emg: &[f64], force: &[f64]) -> Self {
        let (a, b) = (active(emg), active(force));
        let n = a.len().max(1) as f64;
        let share = |x: &[bool]| x.iter().filter(|on| **on).count() as f64 / n;
        let agreement = a.iter().zip(&b).filter(|(a, b)| a == b).count() as f64 / n;
        let (p, q) = (share(&a), share(&b));
        let chance = p * q + (1.0 - p) * (1.0 - q);
        let kappa = (chance < 1.0).then(|| (agreement - chance) / (1.0 - chance));
        Timing { emg: intervals(&a), force: intervals(&b), agreement, kappa }
    }
}

/// Where a periodic signal is active.
fn active(signal: &[f64]) -> Vec<bool> {
    let low = signal.iter().copied().fold(f64::INFINITY, f64::min);
    let high = signal.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut on: Vec<bool> = signal.iter().map(|x| *x > low + THRESHOLD * (high - low)).collect();
    // pauses first, so that activity in bursts is not lost
    for what in [false, true] {
        let short: Vec<usize> = runs(&on, what)
            .into_iter()
            .filter(|(_, count)| (*count as f64) < SHORTEST * on.len() as f64)
            .flat_map(|(first, count)| first..first + count)
            .collect();
        let n = on.len();
        short.into_iter().for_each(|i| on[i % n] = !what);
    }
    on
}

/// Runs of a value in a periodic signal: first index and length; none where all are equal.
fn runs(on: &[bool], what: bool) -> Vec<(usize, usize)> {
    let n = on.len();
    let begins = (0..n).filter(|i| on[*i] == what && on[(i + n - 1) % n] != what);
    begins.map(|first| (first, (0..n).take_while(|k| on[(first + k) % n] == what).count())).collect()
}

fn intervals(on: &[bool]) -> Vec<[f64; 2]> {
    if !on.is_empty() && on.iter().all(|x| *x) {
        return vec![[0.0, 1.0]];
    }
    let n = on.len() as f64;
    runs(on, true).into_iter().map(|(first, count)| [first as f64 / n, (first + count) as f64 / n]).collect()
}
