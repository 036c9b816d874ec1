//! Readings of gauges.

use nalgebra::Vector6;
use wolff_flexbody::measures;

use crate::{assert_close, sample_body};

/// A reading is made of the measures, and its rate is the derivative of all of it.
#[test]
fn reading_and_its_rate() {
    let body = sample_body(3);
    let gauge = &body.gauges[1];
    let (eta, speed, h) = ([0.3, -0.2, 0.7], [1.1, 0.4, -0.6], 1e-6);
    let reading = gauge.reading(&eta);
    let strain: Vector6<f64> =
        Vector6::from_iterator((&gauge.strain * nalgebra::DVector::from_row_slice(&eta)).iter().copied());
    assert!((reading.strain - strain).amax() < 1e-15);
    assert_eq!(reading.axial(), reading.strain[0]);
    assert_eq!(reading.principal, measures::principal(&reading.strain));
    assert!((reading.stress - strain * 1e10).amax() < 1e-4);
    let moved = |t: f64| gauge.reading(&[0, 1, 2].map(|i| eta[i] + t * speed[i]));
    let (before, after, rate) = (moved(-h), moved(h), gauge.reading_rate(&eta, &speed));
    let pairs = [
        (before.plane.first, after.plane.first, rate.plane.first),
        (before.plane.second, after.plane.second, rate.plane.second),
        (before.plane.angle, after.plane.angle, rate.plane.angle),
        (before.rosette[1], after.rosette[1], rate.rosette[1]),
        (before.principal[0], after.principal[0], rate.principal[0]),
        (before.principal[2], after.principal[2], rate.principal[2]),
        (before.von_mises, after.von_mises, rate.von_mises),
        (before.stress[4] / 1e10, after.stress[4] / 1e10, rate.stress[4] / 1e10),
        (before.von_mises_stress / 1e10, after.von_mises_stress / 1e10, rate.von_mises_stress / 1e10),
    ];
    for (before, after, rate) in pairs {
        // Central differences: h² of curvature and 1e-16 / h of rounding.
        assert_close((after - before) / (2.0 * h), rate, 1e-8);
    }
}
