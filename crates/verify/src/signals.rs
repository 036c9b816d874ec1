//! Filters, correlation and splines; envelopes of electromyograms, prepared markers, phases of a cycle.

use super::items::{Failure, Items};
use super::table::{Numbers, Table};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::f64::consts::PI;
use wolff_evidence::emg::envelope::of_raw;
use wolff_evidence::phases::Phases;
use wolff_formats::trial::{Marker, MarkerTrial};
use wolff_motion::signal::Preparation;
use wolff_numerics::correlation::{maximum_over_lags, normalised, pearson};
use wolff_numerics::filter::Butterworth;
use wolff_numerics::{CubicSpline, EndCondition};

/// Absolute tolerance: two codes in double precision, values of order one.
const TOLERANCE: f64 = 1e-9;

#[derive(Deserialize)]
struct Reference {
    source: String,
    filters: BTreeMap<String, Filter>,
    correlation: Numbers,
    spline: Spline,
}

#[derive(Deserialize)]
struct Filter {
    sample_rate_hz: f64,
    cutoff_hz: f64,
    samples: usize,
    padding: usize,
    b: Vec<f64>,
    a: Vec<f64>,
    /// b0, b1, b2, a1, a2 from the formulas of the bilinear transform.
    hand: Vec<f64>,
    dual_b: Vec<f64>,
    dual_a: Vec<f64>,
    gain_single: f64,
    gain_zero_phase: f64,
    rows: Table,
}

#[derive(Deserialize)]
struct Spline {
    knots: Vec<f64>,
    values: Vec<f64>,
    cases: BTreeMap<String, Table>,
}

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    let reference: Reference = serde_json::from_str(include_str!("../references/signals.json"))?;
    items.cite(&reference.source);
    for (name, filter) in &reference.filters {
        check_filter(items, name, filter)?;
    }
    check_correlation(items, &reference.correlation)?;
    for (ends, table) in &reference.spline.cases {
        check_spline(items, ends, &reference.spline, table)?;
    }
    check_electromyogram(items)?;
    check_preparation(items)?;
    check_phases(items)
}

/// The envelope of a carrier of 130 Hz, which the program rectifies and filters at 10 Hz: the mean of |sin| is 2/π.
fn check_electromyogram(items: &mut Items) -> Result<(), Failure> {
    /// A low-pass at 10 Hz leaves at most 2e-4 of the rectified carrier at 260 Hz; the rest is sampling.
    const ENVELOPE: f64 = 2e-3;
    let times: Vec<f64> = (0..4000).map(|i| f64::from(i) / 2000.0).collect();
    let raw: Vec<f64> = times.iter().map(|t| 0.2 + 1.5 * (2.0 * PI * 130.0 * t).sin()).collect();
    let envelope = of_raw(&times, &raw)?;
    items.check("emg.envelope", envelope.get(2000).copied().unwrap_or(f64::NAN), 3.0 / PI, ENVELOPE);
    Ok(())
}

/// Amplitude of a marker that moves at 8 Hz after a low-pass of both passes at 6 Hz, with the frequencies of the
/// bilinear transform: `1 / (1 + (√2 - 1) (tan(π 8/200) / tan(π 6/200))⁴)`; and a parabola at another rate.
fn check_preparation(items: &mut Items) -> Result<(), Failure> {
    /// Transients of the ends have decayed in the middle of four seconds.
    const GAIN: f64 = 1e-6;
    let times: Vec<f64> = (0..800).map(|i| f64::from(i) / 200.0).collect();
    let points = times.iter().map(|t| Some([(2.0 * PI * 8.0 * t).cos(), t * t, 0.0])).collect();
    let trial = MarkerTrial::new("t", 200.0, times, vec![Marker { name: "m".into(), points }])?;
    let smooth = Preparation { cutoff: Some(6.0), ..Preparation::default() }.apply(trial.clone())?.0;
    let x = |trial: &MarkerTrial, i: usize, axis: usize| {
        trial.markers().first().and_then(|m| m.points.get(i).copied().flatten()).map_or(f64::NAN, |p| p[axis])
    };
    let warped = ((PI * 8.0 / 200.0).tan() / (PI * 6.0 / 200.0).tan()).powi(4);
    items.check("markers.gain_at_8_hz", x(&smooth, 400, 0), 1.0 / (1.0 + (2.0_f64.sqrt() - 1.0) * warped), GAIN);
    let other = Preparation { rate: Some(300.0), ..Preparation::default() }.apply(trial)?.0;
    items.check("markers.parabola_at_300_hz", x(&other, 601, 1), (601.0_f64 / 300.0).powi(2), TOLERANCE);
    Ok(())
}

/// Stances of 62 % of the cycle that begin half a cycle apart have two double supports of 12 %.
fn check_phases(items: &mut Items) -> Result<(), Failure> {
    let stance = |from: usize| -> Vec<bool> { (0..100).map(|i| (i + 100 - from) % 100 < 62).collect() };
    let phases = Phases::new([&stance(0), &stance(50)]).ok_or("no phases")?;
    let [first, second] = phases.double_support(0);
    items.check("phases.first_double_support", first, 0.12, TOLERANCE);
    items.check("phases.second_double_support", second, 0.12, TOLERANCE);
    Ok(())
}

fn check_filter(items: &mut Items, name: &str, f: &Filter) -> Result<(), Failure> {
    let single = Butterworth::low_pass(2, f.cutoff_hz, f.sample_rate_hz)?;
    let dual = Butterworth::low_pass_dual_pass(2, f.cutoff_hz, f.sample_rate_hz)?;
    let (b, a) = coefficients(&single)?;
    items.lists(&format!("{name}.b"), &b, &f.b, |_| TOLERANCE);
    items.lists(&format!("{name}.a"), &a, &f.a, |_| TOLERANCE);
    items.lists(&format!("{name}.hand_design"), &[&b[..], &a[1..]].concat(), &f.hand, |_| TOLERANCE);
    let (b, a) = coefficients(&dual)?;
    items.lists(&format!("{name}.dual_pass.b"), &b, &f.dual_b, |_| TOLERANCE);
    items.lists(&format!("{name}.dual_pass.a"), &a, &f.dual_a, |_| TOLERANCE);
    let gain = single.magnitude(f.cutoff_hz, f.sample_rate_hz);
    items.check(&format!("{name}.gain_at_cutoff"), gain, f.gain_single, TOLERANCE);
    items.check(&format!("{name}.zero_phase.gain_at_cutoff"), gain * gain, f.gain_zero_phase, TOLERANCE);

    let x: Vec<f64> = (0..f.samples).map(|i| input(i as f64 / f.sample_rate_hz)).collect();
    let outputs = [
        ("single_pass", single.single_pass(&x)?),
        ("zero_phase", single.zero_phase(&x, Some(f.padding))?),
        ("dual_pass", dual.zero_phase(&x, Some(f.padding))?),
        ("x", x),
    ];
    let indices = f.rows.keys();
    for (column, signal) in outputs {
        let ours: Vec<f64> = indices.iter().filter_map(|&i| signal.get(i as usize).copied()).collect();
        items.lists(&format!("{name}.{column}.samples"), &ours, &f.rows.column(column), |_| TOLERANCE);
    }
    Ok(())
}

/// b and a, both with three weights, of a filter of one section.
fn coefficients(filter: &Butterworth) -> Result<([f64; 3], [f64; 3]), Failure> {
    let section = filter.sections().first().ok_or("a filter without sections")?;
    Ok((section.b, [1.0, section.a[0], section.a[1]]))
}

/// The signal to filter, t in s.
fn input(t: f64) -> f64 {
    (2.0 * PI * t).sin() + 0.3 * (8.0 * PI * t + 0.5).sin() + 0.2 * (30.0 * PI * t).sin() + 0.05 * t
}

fn check_correlation(items: &mut Items, references: &Numbers) -> Result<(), Failure> {
    let hump = |phase: f64| phase.sin().max(0.0).powi(2);
    let times = (0..41).map(|i| i as f64 / 40.0);
    let x: Vec<f64> = times.clone().map(|t| hump(PI * t)).collect();
    let y: Vec<f64> = times.map(|t| hump(PI * t - 0.25) + 0.02 * (17.0 * t).cos()).collect();
    let best = maximum_over_lags(&x, &y)?;
    let (pearson, normalised) = (pearson(&x, &y)?, normalised(&x, &y)?);
    items.named(
        "correlation",
        references,
        |_, _| TOLERANCE,
        |name| match name {
            "pearson" => Some(pearson),
            "normalised" => Some(normalised),
            "maximum" => Some(best.value),
            "lag" => Some(best.lag as f64),
            _ => None,
        },
    );
    Ok(())
}

fn check_spline(items: &mut Items, ends: &str, data: &Spline, table: &Table) -> Result<(), Failure> {
    let condition = match ends {
        "natural" => EndCondition::Natural,
        "clamped-zero-slope" => EndCondition::Clamped { first: 0.0, last: 0.0 },
        "not-a-knot" => EndCondition::NotAKnot,
        "periodic" => EndCondition::Periodic,
        _ => return Err(format!("unknown end condition `{ends}`").into()),
    };
    let spline = CubicSpline::new(&data.knots, &data.values, condition)?;
    let at: Vec<_> = table.keys().iter().map(|&t| spline.evaluate(t)).collect();
    for (column, ours) in [
        ("value", at.iter().map(|d| d.value).collect::<Vec<_>>()),
        ("d1", at.iter().map(|d| d.d1).collect()),
        ("d2", at.iter().map(|d| d.d2).collect()),
    ] {
        // derivatives are of the order of tens to hundreds, so their tolerance is relative
        items.lists(&format!("spline.{ends}.{column}"), &ours, &table.column(column), |x| TOLERANCE * x.abs().max(1.0));
    }
    Ok(())
}
