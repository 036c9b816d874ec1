//! Natural quintic splines.

use wolff_motion::quintic::QuinticSplines;
use wolff_numerics::Derivatives;

fn at(splines: &QuinticSplines, t: f64) -> Derivatives {
    let mut found = None;
    splines.evaluate(t, |_, d| found = Some(d));
    found.unwrap()
}

/// Parabolas are their own natural quintic splines (third derivative zero), on any knots.
#[test]
fn parabolas_are_reproduced() {
    let knots = [0.0, 0.3, 0.35, 1.0, 1.7, 1.75, 3.0];
    let f = |t: f64| 2.0 - 3.0 * t + 0.7 * t * t;
    let splines = QuinticSplines::new(&knots, &[knots.map(f).to_vec()]).unwrap();
    for t in [0.0, 0.2, 0.34, 0.9, 1.72, 2.9, 3.0, 3.4] {
        let d = at(&splines, t);
        assert!((d.value - f(t)).abs() < 1e-11 && (d.d1 - (1.4 * t - 3.0)).abs() < 1e-10, "{t}: {d:?}");
        assert!((d.d2 - 1.4).abs() < 1e-9, "{t}: {d:?}");
    }
}

/// Inside, away from the natural ends, the error of the value falls with the sixth power of the step, that of the
/// second derivative with the fourth.
#[test]
fn order_of_convergence() {
    let error = |n: usize| {
        let knots: Vec<f64> = (0..=n).map(|i| 10.0 * i as f64 / n as f64).collect();
        let splines = QuinticSplines::new(&knots, &[knots.iter().map(|t| t.sin()).collect()]).unwrap();
        let mut worst = [0.0_f64; 2];
        for i in 0..200 {
            let t = 4.0 + 2.0 * f64::from(i) / 200.0;
            let d = at(&splines, t);
            worst = [worst[0].max((d.value - t.sin()).abs()), worst[1].max((d.d2 + t.sin()).abs())];
        }
        worst
    };
    let (coarse, fine) = (error(40), error(80));
    assert!((coarse[0] / fine[0]).log2() > 5.7, "{coarse:?} {fine:?}");
    assert!((coarse[1] / fine[1]).log2() > 3.7, "{coarse:?} {fine:?}");
}

#[test]
fn bad_samples_are_refused() {
    let refused = |knots: &[f64], y: &[f64]| QuinticSplines::new(knots, &[y.to_vec()]).unwrap_err().to_string();
    assert!(refused(&[0.0, 1.0], &[0.0, 1.0]).contains("three or more"));
    assert!(refused(&[0.0, 1.0, 1.0], &[0.0; 3]).contains("not followed by a later one"));
    assert!(refused(&[0.0, 1.0, 2.0], &[0.0, f64::NAN, 0.0]).contains("not a finite number"));
}
