//! Ranges, round ticks and their labels.

use super::LARGEST;

/// One axis: its range, its ticks, and the power of ten that is separated from the labels.
pub(super) struct Axis {
    /// Smallest value shown; its base-ten logarithm on a logarithmic axis.
    low: f64,
    /// Largest value shown; its logarithm likewise.
    high: f64,
    log: bool,
    /// Positions as fractions of the axis, with labels.
    pub ticks: Vec<(f64, String)>,
    /// Labels times ten to this power are the values.
    pub exponent: i32,
}

/// Maximum number of intervals between ticks, before the ends are rounded.
const INTERVALS: f64 = 8.0;
/// A range narrower than this part of its values is drawn as constant: labels could not tell its ends apart.
const NARROWEST: f64 = 1e-10;
/// Labels at or above this, or ranges below its inverse, show a power of ten.
const PLAIN_BELOW: f64 = 1e5;
const PLAIN_ABOVE: f64 = 1e-3;

impl Axis {
    /// Axis for finite `values`, a horizontal one with `tight` ends and others rounded out to ticks.
    pub fn linear(values: impl Iterator<Item = f64>, tight: bool) -> Self {
        let (low, high) = widen(extent(values).unwrap_or((0.0, 1.0)));
        let step = nice_step((high - low) / INTERVALS);
        let (low, high) = if tight { (low, high) } else { ((low / step).floor() * step, (high / step).ceil() * step) };
        let exponent = common_exponent(low.abs().max(high.abs()));
        let mut axis = Self { low, high, log: false, ticks: Vec::new(), exponent };
        axis.ticks = linear_ticks(low, high, step).map(|x| (axis.fraction(x), tick_label(x, step, exponent))).collect();
        axis
    }

    /// Axis in whole decades for positive `values`.
    pub fn logarithmic(values: impl Iterator<Item = f64>) -> Self {
        let logs = values.filter(|&x| x > 0.0).map(f64::log10);
        let (low, high) = extent(logs).unwrap_or((-1.0, 0.0));
        let low = low.floor();
        let high = high.ceil().max(low + 1.0);
        // at most about ten labels
        let step = ((high - low) / 10.0).ceil().max(1.0);
        let ticks = linear_ticks(low, high, step).map(|d| ((d - low) / (high - low), power_of_ten(d as i32))).collect();
        Self { low, high, log: true, ticks, exponent: 0 }
    }

    /// Smallest and largest value shown; their logarithms on a logarithmic axis.
    pub fn ends(&self) -> (f64, f64) {
        (self.low, self.high)
    }

    /// Whether it counts decades.
    pub fn is_logarithmic(&self) -> bool {
        self.log
    }

    /// Where `x` lies: 0 at the low end, 1 at the high end; not finite when it cannot be drawn.
    pub fn fraction(&self, x: f64) -> f64 {
        let x = match (self.log, x > 0.0) {
            (true, true) => x.log10(),
            (true, false) => f64::NAN,
            (false, _) => x,
        };
        (x - self.low) / (self.high - self.low)
    }
}

/// Smallest and largest of the values.
fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.filter(|x| x.abs() <= LARGEST).fold(None, |range, x| match range {
        None => Some((x, x)),
        Some((low, high)) => Some((f64::min(low, x), f64::max(high, x))),
    })
}

/// Gives a constant some room above and below.
fn widen((low, high): (f64, f64)) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    if size < 1.0 / LARGEST {
        (-1.0, 1.0)
    } else if high - low <= NARROWEST * size {
        (low - 0.1 * size, high + 0.1 * size)
    } else {
        (low, high)
    }
}

/// The 1, 2 or 5 times a power of ten nearest above `rough`.
pub(super) fn nice_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    // a little slack, so that 2.0000000001 counts as 2
    let digit = rough / power - 1e-6;
    let digit = [1.0, 2.0, 5.0].into_iter().find(|&n| digit <= n).unwrap_or(10.0);
    digit * power
}

/// Multiples of `step` from `low` to `high`.
fn linear_ticks(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    let slack = 1e-6;
    let first = (low / step - slack).ceil();
    let last = (high / step + slack).floor();
    let count = (last - first).clamp(0.0, 4.0 * INTERVALS) as usize;
    (0..=count).map(move |i| (first + i as f64) * step)
}

/// Power of ten, in steps of three, to take out of labels as large as `size`.
fn common_exponent(size: f64) -> i32 {
    if (PLAIN_ABOVE..PLAIN_BELOW).contains(&size) || size == 0.0 { 0 } else { 3 * (size.log10() / 3.0).floor() as i32 }
}

/// Label with as many decimals as the step needs.
fn tick_label(x: f64, step: f64, exponent: i32) -> String {
    let scale = 10f64.powi(exponent);
    let decimals = (-(step / scale).log10().floor()).clamp(0.0, 12.0) as usize;
    let label = format!("{:.decimals$}", x / scale);
    let is_zero = label.trim_start_matches('-').chars().all(|c| c == '0' || c == '.');
    if is_zero { "0".into() } else { label.replace('-', "−") }
}

/// `10` with a superscript exponent.
pub(super) fn power_of_ten(exponent: i32) -> String {
    let raised = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    };
    format!("10{}", exponent.to_string().chars().map(raised).collect::<String>())
}
