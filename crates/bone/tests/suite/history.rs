//! Strains over time.

use crate::gait::{Gait, Loaded, recorded_tibia};
use crate::{FEW, recipe, tibia};
use std::f64::consts::TAU;
use wolff_bone::gauges::{ROSETTE, StrainPeaks, deflection, gauge_history};
use wolff_bone::parametric::Side;
use wolff_bone::section::PointLoad;
use wolff_bone::segment::Basis;
use wolff_multibody::System;

/// The plane that a history reads is that of a complete reading; what does not fit is refused.
#[test]
fn a_history_reads_the_surface() {
    let bone = recipe(tibia()).make().unwrap();
    let n = bone.body.modes();
    let eta = |t: f64| (0..n).map(|i| 1e-5 / (1.0 + i as f64).powi(2) * (TAU * t + 0.3 * i as f64).sin()).collect();
    let etas: Vec<Vec<f64>> = (0..100).map(|k| eta(0.01 * f64::from(k))).collect();
    let history = gauge_history(&bone.body, ROSETTE, &etas).unwrap();
    let gauge = bone.body.gauges.iter().find(|g| g.name == ROSETTE).unwrap();
    for k in [0, 33, 99] {
        let now = gauge.reading(&etas[k]);
        assert_eq!([history.axial[k], history.max_principal[k]], [now.axial(), now.plane.first]);
        assert_eq!([history.min_principal[k], history.max_shear[k]], [now.plane.second, now.plane.max_shear]);
    }
    assert!(gauge_history(&bone.body, "nowhere", &etas).unwrap_err().to_string().contains(ROSETTE));
    assert!(gauge_history(&bone.body, ROSETTE, &[vec![f64::NAN; n]]).is_err());
}

/// Stance of the recorded walk, quasi-static, with its muscle forces: within a tenth of the beam estimate for a tibia
/// of the same CT group (841 and -276 microstrain, shear 1100, at 0.75 and 1.19 s; posterior bending 1.13 degrees at
/// 0.78 s), with its signs and phases; nothing is fitted.
#[test]
fn a_recorded_walk_strains_the_tibia_as_estimated() {
    let Some(gait) = Gait::new() else { return };
    let mut system = System::new(&gait.model);
    let times: Vec<f64> = (62..=141).map(|k| 0.01 * f64::from(k)).collect();
    let states: Vec<_> = times.iter().map(|&t| gait.segment(&mut system, "tibia_r", t).loads).collect();
    let loaded = Loaded::new(recorded_tibia(), &states, Basis::All);
    let body = &loaded.bone.body;
    let etas: Vec<Vec<f64>> = states.iter().map(|loads| loaded.statics(loads)).collect();
    let time_of = |values: &[f64], sign: f64| {
        let best = (0..values.len()).max_by(|&i, &j| (sign * values[i]).total_cmp(&(sign * values[j]))).unwrap();
        times[best]
    };
    let stance = 0..etas.len();
    for gauge in &body.gauges {
        let h = gauge_history(body, &gauge.name, &etas).unwrap();
        let p = StrainPeaks::new(&h, &times, std::slice::from_ref(&stance));
        println!(
            "{:7} max {:6.0} at {:.2}, min {:6.0} at {:.2}, shear {:6.0}, axial {:6.0} {:6.0}, rates {:6.0} {:6.0} \
             {:6.0}",
            gauge.name,
            1e6 * p.max_principal,
            time_of(&h.max_principal, 1.0),
            1e6 * p.min_principal,
            time_of(&h.min_principal, -1.0),
            1e6 * p.max_shear,
            1e6 * p.axial_max,
            1e6 * p.axial_min,
            1e6 * p.rates[0],
            1e6 * p.rates[1],
            1e6 * p.rates[2],
        );
    }
    let history = gauge_history(body, ROSETTE, &etas).unwrap();
    let peaks = StrainPeaks::new(&history, &times, std::slice::from_ref(&stance));
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

/// Few modes over the same stance: every gauge within little more than the 20 microstrain that its modes were chosen
/// for under single loads; many act together here, with up to 1362 microstrain.
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
