//! Pennation: constant height, its derivatives, its bounds.

use crate::support::*;
use wolff_muscle::hill::Pennation;

#[test]
fn the_height_stays_the_same() {
    let p = Pennation::new("muscle", 0.08, 0.3, 1.4).unwrap();
    let height = 0.08 * 0.3_f64.sin();
    for l in [0.03, 0.08, 0.12] {
        close(l * p.angle(l).sin(), height, 1e-14, 1.0);
        close(p.cosine(l), p.angle(l).cos(), 1e-14, 1.0);
        close(p.fibre(l * p.cosine(l)), l, 1e-14, 1.0);
        let h = 1e-7;
        close(p.cosine_slope(l), (p.cosine(l + h) - p.cosine(l - h)) / (2.0 * h), 1e-7, 1.0);
    }
    close(p.shortest(), height / 1.4_f64.sin(), 1e-14, 1.0);
}

#[test]
fn angles_out_of_range_are_refused() {
    for (l0, angle, most) in
        [(0.08, -0.1, 1.4), (0.08, 1.5, 1.4), (0.08, 0.1, 1.6), (0.0, 0.1, 1.4), (0.08, f64::NAN, 1.4)]
    {
        assert!(Pennation::new("muscle", l0, angle, most).is_err(), "{l0} {angle} {most}");
    }
}
