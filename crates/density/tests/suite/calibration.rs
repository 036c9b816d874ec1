use wolff_density::{CONVERSIONS, Calibration, Conversion, DensityKind};
use wolff_verdict::Verdict;

#[test]
fn points_on_a_line_give_the_line() {
    let points: Vec<(f64, f64)> = [0.0, 130.0, 410.0, 900.0].map(|g| (g, 0.012 + 0.00081 * g)).to_vec();
    let fit = Calibration::phantom(&points, DensityKind::Qct).unwrap();
    assert!((fit.calibration.intercept - 0.012).abs() < 1e-12 && (fit.calibration.slope - 0.00081).abs() < 1e-15);
    assert!((fit.correlation - 1.0).abs() < 1e-12 && fit.largest_residual < 1e-12);
    assert_eq!(fit.judgement.verdict(), Verdict::Ok);
}

/// Anscombe's first data set: y = 3.000 + 0.500 x, r = 0.816 (Anscombe 1973, Am. Stat. 27, 17-21).
#[test]
fn scattered_points_are_refused() {
    let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
    let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
    let points: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
    let fit = Calibration::phantom(&points, DensityKind::Qct).unwrap();
    assert!((fit.calibration.slope - 0.5).abs() < 1e-3 && (fit.calibration.intercept - 3.0).abs() < 1e-3);
    assert!((fit.correlation - 0.816).abs() < 1e-3);
    assert_eq!(fit.judgement.verdict(), Verdict::Failed);
}

#[test]
fn no_line_is_an_error_with_a_remedy() {
    for points in [&[][..], &[(5.0, 0.1)], &[(5.0, 0.1), (5.0, 0.2)], &[(0.0, 0.2), (1.0, 0.1)]] {
        let error = Calibration::phantom(points, DensityKind::Qct).unwrap_err().to_string();
        assert!(error.contains("give") || error.contains("correct"), "{error}");
    }
    assert!(Calibration::line(0.0, f64::NAN, DensityKind::Ash).is_err());
}

#[test]
fn conversions_invert() {
    for c in CONVERSIONS {
        assert!((c.invert(c.apply(0.7)) - 0.7).abs() < 1e-12, "{}", c.name);
        assert_eq!(Conversion::named(c.name).unwrap(), &c);
    }
    assert!(Conversion::named("none").unwrap_err().to_string().contains("les-1994-ash"));
}

#[test]
fn two_numbers_are_a_line_to_apparent_density() {
    let found = Calibration::parse("0.05, 0.00125").unwrap();
    assert_eq!(found, Calibration::line(0.05, 0.00125, DensityKind::Apparent).unwrap());
    for text in ["", "1", "a,b", "1,0", "1,-2", "nan,1", "1,inf"] {
        assert!(Calibration::parse(text).is_err(), "{text}");
    }
}

/// A line and the conversions after it are one line.
#[test]
fn lines_of_other_densities_become_lines_of_apparent_density() {
    let [ash, apparent] = ["les-1994-ash", "schileo-2008-apparent"].map(|name| Conversion::named(name).unwrap());
    for (density, expected) in [
        (DensityKind::Qct, apparent.apply(ash.apply(0.01 + 0.5))),
        (DensityKind::Ash, apparent.apply(0.51)),
        (DensityKind::Apparent, 0.51),
    ] {
        let line = Calibration::line(0.01, 0.001, density).unwrap().to_apparent(ash, apparent);
        assert_eq!(line.density, DensityKind::Apparent);
        assert!((line.density(500.0) - expected).abs() < 1e-12, "{density:?}");
    }
}
