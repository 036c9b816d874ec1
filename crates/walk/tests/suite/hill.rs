//! TEMP
use crate::perform::plan;
use wolff_walk::drive::ReflexGains;
use wolff_walk::perform::{BoneName, perform};

fn env(name: &str, default: f64) -> f64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

#[test]
fn explore() {
    let mut plan = plan(env("CYCLES", 4.0) as usize);
    let gain = env("GAIN", 2.0);
    plan.stage.hill = (gain >= 0.0).then_some(ReflexGains { length: gain, speed: gain * env("TIME", 0.02) });
    plan.step = env("STEP", 5e-4);
    if env("BONE", 0.0) > 0.0 {
        plan.bones.bones = vec![BoneName::TibiaRight];
    }
    let start = std::time::Instant::now();
    let done = perform(&plan, &mut |_, _| true).unwrap();
    let f = &done.fidelity;
    println!("took {:?} ended {:?}", start.elapsed(), done.ended.as_ref().map(|e| e.to_string()));
    println!(
        "kin {:.4} at {} axis {:.4?} angle {:.2} at {} legs {:.3}",
        f.kinematics_correlation.value,
        f.kinematics_correlation.at,
        f.axis_correlation,
        f.angle_rms.value.to_degrees(),
        f.angle_rms.at,
        f.leg_angle_rms.to_degrees()
    );
    println!(
        "ground r {:.4?} rms {:.4} peaks {:.3?} wanted {:.3?} max {:.3}",
        f.ground_correlation, f.ground_rms, f.ground_peaks, f.wanted_peaks, f.ground_max
    );
    println!(
        "agent {:.4} {:.4} effort {:.3} so {:.3} sat {:.4} sol/step {:.3}",
        f.agent_force,
        f.agent_moment,
        f.effort,
        done.lesson.report.effort,
        f.saturation,
        done.record.solutions as f64 / done.record.steps as f64
    );
    if env("VERBOSE", 0.0) > 0.0 {
        let mut k = 0;
        for (m, muscle) in done.driver.muscles.iter().enumerate() {
            let Some(h) = muscle.hill() else { continue };
            let j = k;
            k += 1;
            let l = h.learnt().limits;
            let n = done.record.fibres.len();
            let col = |c: usize| done.record.fibres.iter().map(move |r| r[3 * j + c]);
            let range = |c: usize| (col(c).fold(9.9, f64::min), col(c).fold(0.0, f64::max));
            let full = col(0).filter(|u| *u >= 1.0).count() as f64 / n as f64;
            let ten = done.record.tensions.iter().map(|r| r[m]).fold(0.0, f64::max);
            let want = (0..416).map(|i| done.lesson.tensions[m].value(i as f64 * 1.04 / 416.0)).fold(0.0, f64::max);
            let err = (done
                .record
                .times
                .iter()
                .zip(&done.record.tensions)
                .map(|(t, r)| (r[m] - done.lesson.tensions[m].value(*t)).powi(2))
                .sum::<f64>()
                / n as f64)
                .sqrt();
            let (mut a, mut fl) = h.learnt().start;
            let (mut sq, mut bias) = (0.0, 0.0);
            for i in 1..=2080 {
                let t = i as f64 * 5e-4;
                a = wolff_muscle::hill::Activation::FIRST_ORDER
                    .step(a, h.learnt().excitation.value(t).clamp(0.01, 1.0), 5e-4)
                    .value;
                let e = h.muscle().fibre_step(a, fl, muscle.wanted.value(t) - h.learnt().rigid_length, 5e-4);
                fl = e.fibre_length;
                let d = e.tendon_force - done.lesson.tensions[m].value(t);
                sq += d * d / 2080.0;
                bias += d / 2080.0;
            }
            let mean = done
                .record
                .times
                .iter()
                .zip(&done.record.tensions)
                .map(|(t, r)| r[m] - done.lesson.tensions[m].value(*t))
                .sum::<f64>()
                / n as f64;
            print!("open {:4.0} bias {:4.0} closed bias {:4.0} ", f64::sqrt(sq), bias, mean);
            if muscle.path.name().ends_with("_l") {
                continue;
            }
            println!(
                "{:12} F0 {:5.0} want {:5.0} got {:5.0} rmse {:4.0} | weak {:.3} miss {:.0} taut {:.3} excess {:4.0} | u1 {:.3} u {:.2?} a {:.2?} l {:.2?}",
                muscle.path.name(),
                muscle.max_force,
                want,
                ten,
                err,
                l.too_weak,
                l.missing,
                l.too_taut,
                l.excess,
                full,
                range(0),
                range(1),
                range(2)
            );
        }
    }
}
