//! The mass that the plates carry.

use super::samples::LoadSamples;
use wolff_verdict::Finding;

/// Relative difference between the mass of the model and that on the plates above which the input is refused, and above
/// which it is reported. Chosen here: the acceleration of the mass centre from markers is uncertain by some percent of
/// gravity; changes of mass by residual reduction are usually below 5 %.
const REFUSED: f64 = 0.2;
const REPORTED: f64 = 0.08;
/// The mass is measured where the vertical force is above this part of its maximum.
const PART: f64 = 0.5;
/// Part of the samples that may have a foot on the floor beside the plates: the upper quartile is not affected by them.
const QUANTILE: f64 = 0.75;
/// Minimum number of samples.
const LEAST: usize = 5;

/// The mass that the loads carry \[kg\], from vertical force and vertical acceleration of the mass centre with gravity.
/// `None` without loads.
///
/// Of two estimates the one nearer to the model's mass: the upper quartile of the ratio at instants with large forces,
/// which feet beside the plates do not affect, and the ratio of the sums over time, which filters and impacts do not
/// affect.
pub fn mass_by_plates(samples: &LoadSamples) -> Option<f64> {
    let most = samples.samples.iter().map(|s| samples.vertical(s)).fold(0.0, f64::max);
    let mass = |s| {
        let (force, needed) = (samples.vertical(s), s.needed.dot(&samples.up));
        (force > PART * most && needed > 0.3 * samples.gravity).then(|| force / needed)
    };
    let mut all: Vec<f64> = samples.samples.iter().filter_map(mass).filter(|m| m.is_finite()).collect();
    if most <= 0.0 || all.len() < LEAST {
        return None;
    }
    all.sort_by(f64::total_cmp);
    let quartile = all.get((QUANTILE * (all.len() - 1) as f64) as usize).copied()?;
    let recorded = || samples.samples.iter().filter(|s| s.loads.iter().any(Option::is_some));
    let force: f64 = recorded().map(|s| samples.vertical(s)).sum();
    let needed: f64 = recorded().map(|s| s.needed.dot(&samples.up)).sum();
    let away = |mass: f64| (mass / samples.mass).ln().abs();
    let mean = Some(force / needed).filter(|m| *m > 0.0 && away(*m) < away(quartile));
    Some(mean.unwrap_or(quartile))
}

/// The mass of the model is that on the plates.
pub(super) fn by_plates(samples: &LoadSamples) -> Vec<Finding> {
    if samples.feet.is_empty() {
        return Vec::new();
    }
    let Some(carried) = mass_by_plates(samples) else { return Vec::new() };
    let difference = carried / samples.mass - 1.0;
    let message = format!(
        "the model has a mass of {:.1} kg, the ground forces carry {carried:.1} kg ({:+.0} %)",
        samples.mass,
        100.0 * difference
    );
    let units = [("kN", 1000.0), ("body weights", samples.mass * samples.gravity), ("kgf", 9.80665), ("lbf", 4.44822)];
    let error = |factor: f64| (carried * factor / samples.mass - 1.0).abs();
    let fitting = units.iter().filter(|(_, factor)| error(*factor) < REFUSED);
    let remedy = match fitting.min_by(|a, b| error(a.1).total_cmp(&error(b.1))) {
        Some((unit, factor)) => {
            let factor = (1e5 * factor).round() / 1e5;
            format!("the forces seem to be in {unit}: multiply forces and moments by {factor}")
        }
        None if difference < 0.0 => "scale the model to the mass of the subject; or the force under one foot is \
                                     missing, or forces are too small"
            .into(),
        None => {
            "scale the model to the mass of the subject, with what the subject carries; or forces are too large".into()
        }
    };
    match difference.abs() {
        d if d > REFUSED => vec![Finding::error(message, remedy)],
        d if d > REPORTED => vec![Finding::warning(message, remedy)],
        _ => Vec::new(),
    }
}
