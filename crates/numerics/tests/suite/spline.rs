//! Cubic splines against an independent reference solution (SciPy), and their convergence.

use wolff_numerics::{CubicSpline, EndCondition, LocalSlopes};

use super::{assert_close, observed_order};

const KNOTS: [f64; 7] = [0.0, 0.1, 0.25, 0.4, 0.6, 0.7, 0.957];
const VALUES: [f64; 7] = [0.1, 0.35, 0.2, -0.15, -0.3, 0.05, 0.1];
/// Rows are t, value, first and second derivative.
type Rows = [[f64; 4]; 5];
const NATURAL: Rows = [
    [0.05, 0.250649250968171, 2.670995006454473, -20.519400774536834],
    [0.3, 0.08720393998233537, -2.3153241690535666, -1.9621807038058612],
    [0.5, -0.3464984430593861, -1.1463040175075452, 24.29968861187725],
    [0.65, -0.13347966035343806, 3.8441183448298277, 6.783728282750559],
    [0.9, 0.1690231449399535, -1.0655049651735742, -7.654073799685744],
];
const CLAMPED: Rows = [
    [0.05, 0.19823857992481678, 3.214771598496334, 21.409136060146565],
    [0.3, 0.08052043065453632, -2.3368972825372754, 1.616462623199387],
    [0.5, -0.34627647814632295, -1.1764440386024775, 24.25529562926461],
    [0.65, -0.13028312727918856, 3.880128634350518, 4.226501823350944],
    [0.9, 0.12274543754050282, -0.6720606519543644, 5.157649554502427],
];
const NOT_A_KNOT: Rows = [
    [0.05, 0.2734602405366644, 2.4326987973166774, -38.76819242933157],
    [0.3, 0.0887403817636937, -2.3330227961446384, -3.238018314442292],
    [0.5, -0.3357869325190895, -1.0657368527411868, 22.157386503817907],
    [0.65, -0.151916038112413, 3.6630730598196557, 21.53283048993056],
    [0.9, 0.41754655577999, -3.1841988041718006, -76.31100540186225],
];
const PERIODIC: Rows = [
    [0.05, 0.22873090398215612, 2.899071809619346, -2.9847231857248886],
    [0.3, 0.08497237833476239, -2.3132242605482647, -0.5812455451560437],
    [0.5, -0.35084324207076384, -1.1866021448633697, 25.16864841415277],
    [0.65, -0.12514442189095237, 3.9270769966099413, 0.11553751276201751],
    [0.9, 0.05590006042121587, -0.10137465047512784, 23.603726751497277],
];
const REFERENCE: f64 = 1e-9;

#[test]
fn reference_values() {
    let clamped = EndCondition::Clamped { first: 0.0, last: 0.0 };
    let cases = [
        (EndCondition::Natural, NATURAL),
        (clamped, CLAMPED),
        (EndCondition::NotAKnot, NOT_A_KNOT),
        (EndCondition::Periodic, PERIODIC),
    ];
    for (ends, rows) in cases {
        let spline = CubicSpline::new(&KNOTS, &VALUES, ends).unwrap();
        for [t, value, d1, d2] in rows {
            let s = spline.evaluate(t);
            assert_close(s.value, value, REFERENCE);
            assert_close(s.d1, d1, REFERENCE);
            assert_close(s.d2, d2, 1e-9 * d2.abs().max(1.0));
        }
    }
}

#[test]
fn interpolation_error_is_fourth_order() {
    let errors: Vec<f64> = [100, 200, 400]
        .iter()
        .map(|&n| {
            let x: Vec<f64> = (0..=n).map(|i| (i as f64 / n as f64).powf(1.2) * 3.0).collect();
            let y: Vec<f64> = x.iter().map(|x| x.sin()).collect();
            let spline = CubicSpline::new(&x, &y, EndCondition::NotAKnot).unwrap();
            (0..1000).map(|i| i as f64 * 0.003).map(|x| (spline.evaluate(x).value - x.sin()).abs()).fold(0.0, f64::max)
        })
        .collect();
    assert_close(observed_order(&errors), 4.0, 0.25);
}

#[test]
fn few_points() {
    let line = CubicSpline::new(&[0.0, 2.0], &[1.0, 5.0], EndCondition::NotAKnot).unwrap();
    assert_close(line.evaluate(0.5).value, 2.0, 1e-15);
    let line = CubicSpline::new(&[0.0, 2.0], &[1.0, 5.0], EndCondition::Natural).unwrap();
    assert_close(line.evaluate(1.5).value, 4.0, 1e-15);
    let parabola = CubicSpline::new(&[0.0, 1.0, 3.0], &[0.0, 1.0, 9.0], EndCondition::NotAKnot).unwrap();
    assert_close(parabola.evaluate(2.0).value, 4.0, 1e-14);
    assert_close(parabola.evaluate(2.0).d2, 2.0, 1e-14);
    let periodic = CubicSpline::new(&[0.0, 1.0, 3.0], &[0.0, 1.0, 0.0], EndCondition::Periodic).unwrap();
    assert_close(periodic.evaluate(0.0).d1, periodic.evaluate(3.0 - 1e-12).d1, 1e-10);
    assert_close(periodic.evaluate(0.0).d2, periodic.evaluate(3.0 - 1e-12).d2, 1e-10);
    assert_close(periodic.evaluate(-2.0).value, 1.0, 1e-14);
}

/// Values, slopes and curvatures of OpenSim 4.6's `SimmSpline` through five points, also outside them.
#[test]
fn four_point_ends_are_those_of_simm_splines() {
    let (x, y) = ([-2.0, -1.2, -0.3, 0.4, 1.7], [0.3, -0.1, 0.25, 0.6, -0.4]);
    let spline = CubicSpline::new(&x, &y, EndCondition::FourPoint).unwrap().with_straight_ends();
    for [x, value, d1, d2] in [
        [-3.0, 1.470087376909478, -1.170087376909478, 0.0],
        [-2.0, 0.3, -1.170087376909478, 1.9775060239730413],
        [-1.5, -0.061471652778370245, -0.32303166884452583, 1.410716808286767],
        [0.1, 0.47754475344856784, 0.5088225641085212, -0.5120400996689007],
        [1.0, 0.5398238567534933, -0.5717010269066145, -1.862693284443607],
        [2.5, -2.185977460460042, -2.232471825575052, 0.0],
    ] {
        let s = spline.evaluate(x);
        assert_close(s.value, value, 1e-14);
        assert_close(s.d1, d1, 1e-14);
        assert_close(s.d2, d2, 1e-13);
    }
    let bent = CubicSpline::new(&x, &y, EndCondition::FourPoint).unwrap();
    assert!((bent.evaluate(2.5).value - spline.evaluate(2.5).value).abs() > 0.1, "without it the last cubic goes on");
}

/// The third derivative of a cubic is everywhere the same, so four points give it back.
#[test]
fn four_point_ends_reproduce_cubics() {
    let f = |x: f64| 1.0 + x * (2.0 + x * (-0.5 + 0.3 * x));
    for n in 4..8 {
        let x: Vec<f64> = (0..n).map(|i| 0.3 * (i as f64).powf(1.3)).collect();
        let y: Vec<f64> = x.iter().map(|x| f(*x)).collect();
        let spline = CubicSpline::new(&x, &y, EndCondition::FourPoint).unwrap();
        for t in [-0.5, 0.1, 0.7, 1.9] {
            assert_close(spline.evaluate(t).value, f(t), 1e-12);
        }
    }
    let line = CubicSpline::new(&[0.0, 2.0], &[1.0, 5.0], EndCondition::FourPoint).unwrap();
    assert_close(line.evaluate(0.5).value, 2.0, 1e-15);
    let parabola = CubicSpline::new(&[0.0, 1.0, 3.0], &[0.0, 1.0, 9.0], EndCondition::FourPoint).unwrap();
    assert_close(parabola.evaluate(2.0).value, 4.0, 1e-14);
}

#[test]
fn refusals() {
    let new = |x: &[f64], y: &[f64], e| CubicSpline::new(x, y, e).is_err();
    assert!(new(&[0.0], &[0.0], EndCondition::Natural));
    assert!(new(&[0.0, 0.0], &[0.0, 1.0], EndCondition::Natural));
    assert!(new(&[0.0, 1.0], &[0.0, f64::NAN], EndCondition::Natural));
    assert!(new(&[0.0, 1.0], &[0.0], EndCondition::Natural));
    assert!(new(&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.5], EndCondition::Periodic));
    assert!(new(&[0.0, 1.0], &[0.0, 1.0], EndCondition::Clamped { first: f64::INFINITY, last: 0.0 }));
}

/// SciPy: `PchipInterpolator` and `Akima1DInterpolator`.
const SHAPE_PRESERVING: Rows = [
    [0.05, 0.27374999999999994, 2.7749999999999995, -38.999999999999986],
    [0.3, 0.09107690804260732, -2.7232483142773374, -12.44444444444445],
    [0.5, -0.254089709762533, -0.8341029023746706, 5.817941952506596],
    [0.65, -0.13030322236721892, 5.143935552655616, 4.242577893775177],
    [0.9, 0.09788630024090379, 0.07589409311251727, -1.4224852801098211],
];
const AKIMA: Rows = [
    [0.05, 0.2785560344827586, 2.6961206896551726, -42.844827586206875],
    [0.3, 0.08836101822399846, -2.4593698175787724, -5.537340619307834],
    [0.5, -0.289541869151292, -0.792806751214413, 12.908373830258407],
    [0.65, -0.1376776039215164, 4.683222478842334, 10.142083137213206],
    [0.9, 0.16018925692884142, -0.6638961945534804, -13.399720438635793],
];

#[test]
fn local_slopes_give_the_reference_values() {
    for (kind, rows) in [(LocalSlopes::ShapePreserving, SHAPE_PRESERVING), (LocalSlopes::Akima, AKIMA)] {
        let spline = CubicSpline::local(&KNOTS, &VALUES, kind, false).unwrap();
        for [t, value, d1, d2] in rows {
            let s = spline.evaluate(t);
            assert_close(s.value, value, REFERENCE);
            assert_close(s.d1, d1, REFERENCE);
            assert_close(s.d2, d2, 1e-9 * d2.abs().max(1.0));
        }
    }
}

#[test]
fn a_shape_preserving_spline_does_not_swing() {
    let (x, y) = ([0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 1.0, 1.0, 1.0]);
    let range = |spline: &CubicSpline| {
        let values = (0..=400).map(|k| spline.evaluate(0.01 * k as f64).value);
        values.fold((0.0_f64, 1.0_f64), |(low, high), v| (low.min(v), high.max(v)))
    };
    let local = CubicSpline::local(&x, &y, LocalSlopes::ShapePreserving, false).unwrap();
    assert_eq!(range(&local), (0.0, 1.0));
    let (low, high) = range(&CubicSpline::new(&x, &y, EndCondition::Natural).unwrap());
    assert!(low < -0.05 && high > 1.05, "{low} {high}");
    assert!(CubicSpline::local(&x, &y, LocalSlopes::Akima, true).is_err(), "the period is not closed");
}
