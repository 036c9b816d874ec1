//! Strains over time.

use crate::gait::{Gait, Loaded, recorded_tibia};
use crate::{FEW, recipe, tibia};
use std::f64::consts::TAU;
use wolff_bone::gauges::{ROSETTE, cycle_peaks, deflection, gauge_history};
use wolff_bone::parametric::Side;
use wolff_bone::section::PointLoad;
use wolff_bone::segment::Basis;
use wolff_multibody::System;

/// Two cycles of a beating motion: rates against differences, peaks cycle by cycle.
#[test]
fn rates_are_derivatives_and_peaks_belong_to_cycles() {
    let bone = recipe(tibia()).make().unwrap();
    let (n, dt, frames) = (bone.body.modes(), 1e-3, 2001);
    let amplitude = |i: usize| 1e-5 / (1.0 + i as f64).powi(2);
    let grow = |t: f64| 1.0 + 0.5 * t;
    let eta = |t: f64| (0..n).map(|i| amplitude(i) * grow(t) * (TAU * t + 0.3 * i as f64).sin()).collect::<Vec<_>>();
    let eta_dot = |t: f64| {
        let rate = |i: usize| {
            let phase = TAU * t + 0.3 * i as f64;
            amplitude(i) * (0.5 * phase.sin() + grow(t) * TAU * phase.cos())
        };
        (0..n).map(rate).collect::<Vec<_>>()
    };
    let times: Vec<f64> = (0..frames).map(|k| dt * k as f64).collect();
    let etas: Vec<Vec<f64>> = times.iter().map(|&t| eta(t)).collect();
    let eta_dots: Vec<Vec<f64>> = times.iter().map(|&t| eta_dot(t)).collect();
    let history = gauge_history(&bone.body, ROSETTE, &etas, &eta_dots).unwrap();
    // the plane that a history reads is that of a whole reading
    let gauge = bone.body.gauges.iter().find(|g| g.name == ROSETTE).unwrap();
    for k in [0, 333, 2000] {
        let (now, rate) = (gauge.reading(&etas[k]), gauge.reading_rate(&etas[k], &eta_dots[k]));
        assert_eq!([history.axial[k], history.max_principal[k]], [now.axial(), now.plane.first]);
        assert_eq!([history.min_principal[k], history.max_shear[k]], [now.plane.second, now.plane.max_shear]);
        assert_eq!(
            history.rates.each_ref().map(|r| r[k])[1..],
            [rate.plane.first, rate.plane.second, rate.plane.max_shear]
        );
    }
    let widest = history.peaks(0..frames).max_shear;
    let columns = [&history.axial, &history.max_principal, &history.min_principal, &history.max_shear];
    for (values, rates) in columns.iter().zip(&history.rates) {
        let scale = rates.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        for k in 1..frames - 1 {
            // where both principal strains are equal their rates jump
            if history.max_shear[k] < 0.1 * widest {
                continue;
            }
            let difference = (values[k + 1] - values[k - 1]) / (2.0 * dt);
            assert!((difference - rates[k]).abs() < 1e-3 * scale, "{k}");
        }
    }
    let peaks = cycle_peaks(&history, &[0, 1000, 2000]);
    assert_eq!(peaks.cycles.len(), 2);
    assert_eq!(peaks.cycles[1], history.peaks(1000..2000));
    assert!(peaks.cycles[1].max_principal > peaks.cycles[0].max_principal);
    let [a, b] = [0, 1].map(|c| peaks.cycles[c].max_shear);
    assert!((peaks.mean.max_shear - 0.5 * (a + b)).abs() < 1e-12);
    assert!((peaks.deviation.max_shear - (b - a).abs() / 2f64.sqrt()).abs() < 1e-12);
    assert!(gauge_history(&bone.body, "nowhere", &etas, &eta_dots).unwrap_err().to_string().contains(ROSETTE));
    assert!(gauge_history(&bone.body, ROSETTE, &[vec![f64::NAN; n]], &[vec![0.0; n]]).is_err());
}

/// Stance of the recorded walk, quasi-static, with its muscle forces: within a tenth of the beam estimate for a tibia of the same CT group (841
/// and -276 microstrain, shear 1100, at 0.75 and 1.19 s; posterior bending 1.13 degrees at 0.78 s), with its signs and phases; nothing is
/// fitted.
#[test]
fn a_recorded_walk_strains_the_tibia_as_estimated() {
    let Some(gait) = Gait::new() else { return };
    let mut system = System::new(&gait.model);
    let times: Vec<f64> = (62..=141).map(|k| 0.01 * f64::from(k)).collect();
    let states: Vec<_> = times.iter().map(|&t| gait.segment(&mut system, "tibia_r", t).loads).collect();
    let loaded = Loaded::new(recorded_tibia(), &states, Basis::All);
    let body = &loaded.bone.body;
    let etas: Vec<Vec<f64>> = states.iter().map(|loads| loaded.statics(loads)).collect();
    let rates: Vec<Vec<f64>> = (0..etas.len())
        .map(|k| {
            let (a, b) = (k.saturating_sub(1), (k + 1).min(etas.len() - 1));
            etas[b].iter().zip(&etas[a]).map(|(x, y)| (x - y) / (times[b] - times[a])).collect()
        })
        .collect();
    let time_of = |values: &[f64], sign: f64| {
        let best = (0..values.len()).max_by(|&i, &j| (sign * values[i]).total_cmp(&(sign * values[j]))).unwrap();
        times[best]
    };
    for gauge in &body.gauges {
        let h = gauge_history(body, &gauge.name, &etas, &rates).unwrap();
        let p = h.peaks(0..etas.len());
        println!(
            "{:7} max {:6.0} at {:.2}, min {:6.0} at {:.2}, shear {:6.0}, axial {:6.0} {:6.0}, rates {:6.0} {:6.0} {:6.0}",
            gauge.name,
            1e6 * p.max_principal,
            time_of(&h.max_principal, 1.0),
            1e6 * p.min_principal,
            time_of(&h.min_principal, -1.0),
            1e6 * p.max_shear,
            1e6 * p.axial_max,
            1e6 * p.axial_min,
            1e6 * p.rate_max,
            1e6 * p.rate_min,
            1e6 * p.rate_shear,
        );
    }
    let history = gauge_history(body, ROSETTE, &etas, &rates).unwrap();
    let peaks = history.peaks(0..etas.len());
    let within = |value: f64, estimate: f64| (0.9..1.1).contains(&(value / estimate));
    assert!(within(peaks.max_principal, 841e-6) && within(peaks.min_principal, -276e-6));
    assert!(within(peaks.max_shear, 1100e-6));
    assert!((time_of(&history.max_principal, 1.0) - 0.75).abs() < 0.05);
    let bends: Vec<_> = etas.iter().map(|eta| deflection(body, Side::Right, eta).unwrap()).collect();
    let posterior: Vec<f64> = bends.iter().map(|d| d.posterior.to_degrees()).collect();
    let medial: Vec<f64> = bends.iter().map(|d| d.medial.to_degrees()).collect();
    let external: Vec<f64> = bends.iter().map(|d| d.external.to_degrees()).collect();
    for (name, values) in [("posterior", &posterior), ("medial", &medial), ("external", &external)] {
        let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(l, h), x| (l.min(*x), h.max(*x)));
        println!("{name}: {low:.2} at {:.2} to {high:.2} at {:.2} deg", time_of(values, -1.0), time_of(values, 1.0));
    }
    let most = posterior.iter().copied().fold(0.0, f64::max);
    assert!(within(most, 1.13) && (time_of(&posterior, 1.0) - 0.78).abs() < 0.05);
    assert!(time_of(&external, 1.0) > 1.0);
    few_modes_strain_alike(&loaded, &states, &etas);
}

/// Few modes over the same stance: every gauge within little more than the 20 microstrain that its modes were chosen for under single loads; many act together
/// here, with up to 1362 microstrain.
fn few_modes_strain_alike(all: &Loaded, states: &[Vec<PointLoad>], etas: &[Vec<f64>]) {
    let few = Loaded::new(all.solid.clone(), states, FEW);
    let mut largest = 0.0_f64;
    for (loads, eta) in states.iter().zip(etas) {
        let few_eta = few.statics(loads);
        for (a, b) in all.bone.body.gauges.iter().zip(&few.bone.body.gauges) {
            let off = a.strain(eta) - b.strain(&few_eta);
            largest = [0, 1, 3].iter().fold(largest, |most, &k| most.max(off[k].abs()));
        }
    }
    println!("{} of {} modes: {:.1} microstrain", few.bone.body.modes(), all.bone.body.modes(), 1e6 * largest);
    assert!(largest < 2.5e-5);
}
