//! The six most important numbers of a walk, each with its range and verdict.

use super::joints;
use super::judge::{COMPRESSION, GROUND_PEAK, IN_VIVO, RATE, compression_limits, larger_peaks, peaks};
use super::trial::Compared;
use wolff_movement::simulate::MovementResult;
use wolff_report::outcome::{Headline, Judgement, Limit, Verdict};

/// Number of headlines.
const COUNT: usize = 6;

/// Largest force between tibia and femur in walking \[BW\] that is plausible: 2 to 3 body weights were measured by
/// instrumented knees (Fregly et al. 2012), and blinded predictions of these forces in the grand challenge competition
/// differ from the measured ones by about half a body weight.
const KNEE_MOST: f64 = 3.5;
const KNEE_SOURCE: &str = "2 to 3 BW in vivo, Fregly et al. 2012, and about 0.5 BW error of such predictions";

/// Judges the force of the knee.
pub(super) fn judge_knee(result: &MovementResult, out: &mut Judgement) {
    let Some(knee) = joints::knee_peak(result).filter(|_| result.ended.is_none()) else { return };
    let limit = Limit::at_most(KNEE_MOST, f64::INFINITY).because(KNEE_SOURCE);
    let remedy = "muscles pull against each other or residuals are large: check moments, strength and the recording";
    out.judge(KNEE, "BW", knee, &limit, remedy);
}

const KNEE: &str = "largest knee contact force";

/// The headlines; of a walk that ended early, the time until then.
pub(super) fn headline(
    result: &MovementResult,
    compared: Option<&Compared>,
    judgement: &Judgement,
    planned_s: f64,
) -> Vec<Headline> {
    if result.ended.is_some() {
        return vec![ended(result, planned_s)];
    }
    let mut all = strains(result, judgement);
    all.push(ground_force(result, compared, judgement));
    all.extend(from_judged(judgement, KNEE, 0.0));
    all.extend(from_judged(judgement, "least correlation", 1.0));
    let residual =
        if compared.is_some() { "residual force of the measured cycle" } else { "force of the tracking agent" };
    all.extend(from_judged(judgement, residual, 0.0));
    all.extend(from_judged(judgement, "moment of the tracking agent", 0.0));
    all.extend(from_judged(judgement, "largest joint angle error", 0.0));
    all.truncate(COUNT);
    all
}

fn number(quantity: &str, value: f64, unit: &str, range: Option<[f64; 2]>, source: &str, verdict: Verdict) -> Headline {
    Headline { quantity: quantity.into(), value, unit: unit.into(), range, source: source.into(), verdict }
}

/// The time that a walk lasted.
fn ended(result: &MovementResult, planned_s: f64) -> Headline {
    let walked = result.record.times.last().copied().unwrap_or(0.0);
    number("time until the walk ended early", walked, "s", Some([planned_s; 2]), "planned", Verdict::Failed)
}

/// The worst verdict on quantities whose name begins like this.
fn of(judgement: &Judgement, name: &str) -> Verdict {
    let alike = judgement.judged.iter().filter(|j| j.quantity.starts_with(name));
    alike.map(|j| j.verdict).max().unwrap_or_default()
}

/// A judged quantity as a headline, with its limit and its best value as the range.
fn from_judged(judgement: &Judgement, name: &str, best: f64) -> Option<Headline> {
    let judged = judgement.judged.iter().find(|j| j.quantity.starts_with(name))?;
    let range = if judged.at_least { [judged.limit, best] } else { [best, judged.limit] };
    Some(number(&judged.quantity, judged.value, &judged.unit, Some(range), &judged.source, judged.verdict))
}

/// Strain and strain rate at the gauge beside in vivo ranges; compression is negative.
fn strains(result: &MovementResult, judgement: &Judgement) -> Vec<Headline> {
    let Some(peaks) = peaks(result) else { return Vec::new() };
    let [strain, rate] = compression_limits();
    let (name, unit) = ("largest compressive principal strain, tibia", "microstrain");
    let (value, verdict) = (1e6 * peaks.min_principal, of(judgement, COMPRESSION));
    let first = number(name, value, unit, Some([-strain.doubtful, 0.0]), IN_VIVO, verdict);
    let (name, unit) = ("fastest change of it, over 20 ms", "microstrain/s");
    let (value, verdict) = (1e6 * peaks.rates[1], of(judgement, RATE));
    vec![first, number(name, value, unit, Some([-rate.doubtful, 0.0]), IN_VIVO, verdict)]
}

/// The larger peak of the vertical ground force beside that of the plates, or of the reference motion.
fn ground_force(result: &MovementResult, compared: Option<&Compared>, judgement: &Judgement) -> Headline {
    let [value, reference] = larger_peaks(result, compared);
    let range = [0.9 * reference, 1.1 * reference];
    let source = if compared.is_some() { "force plates, ± 10 %" } else { "reference motion, ± 10 %" };
    number("peak vertical ground force", value, "BW", Some(range), source, of(judgement, GROUND_PEAK))
}
