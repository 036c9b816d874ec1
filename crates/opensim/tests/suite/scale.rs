//! Scaling without recorded models.

use std::collections::BTreeMap;
use wolff_opensim::scale::{BodyInertia, factors_file, scale_inertia};
use wolff_opensim::setup::{self, Setup};

#[test]
fn factors_can_be_read_again() {
    let factors = BTreeMap::from([("femur".to_string(), [1.1, 1.0 / 3.0, 0.9])]);
    let text = factors_file(&factors);
    let Setup::ScaleFactors(list) = setup::read(text.as_bytes(), std::path::Path::new("")).unwrap().setup else {
        panic!()
    };
    assert_eq!((list[0].body.as_str(), list[0].factors), ("femur", [1.1, 1.0 / 3.0, 0.9]));
}

/// A cylinder of mass m, radius r, length l along y has closed moments before and after.
#[test]
fn a_cylinder_scales_into_a_cylinder() {
    let cylinder = |m: f64, r2: f64, l: f64| {
        let across = m * (l * l / 12.0 + r2 / 4.0);
        [across, 0.5 * m * r2, across, 0.0, 0.0, 0.0]
    };
    let (m, r, l) = (7.0, 0.06, 0.41);
    let body = BodyInertia { mass: m, inertia: cylinder(m, r * r, l) };
    let s = [1.2, 0.9, 1.1];
    let kept = scale_inertia(body, s, false);
    let grown = scale_inertia(body, s, true);
    let m_grown = m * 1.2 * 0.9 * 1.1;
    for (found, m) in [(kept, m), (grown, m_grown)] {
        let wanted = cylinder(m, r * r * 1.2 * 1.1, 0.9 * l);
        assert!((found.mass - m).abs() < 1e-12);
        assert!(found.inertia.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?} {wanted:?}");
    }
    // equal factors: the fifth power of the size at one density
    let even = scale_inertia(body, [1.3; 3], true);
    assert!((even.inertia[0] / body.inertia[0] - 1.3_f64.powi(5)).abs() < 1e-12);
    assert_eq!(scale_inertia(BodyInertia { mass: 0.0, inertia: [1.0; 6] }, s, true).inertia, [0.0; 6]);
}
