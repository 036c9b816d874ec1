//! De Groote and Fregly's curves: values of OpenSim 4.6.

use crate::support::*;
use wolff_muscle::hill::DeGrooteCurves;

const ROUNDING: f64 = 1e-13;

#[test]
fn values_are_those_of_opensim() {
    let c = DeGrooteCurves::default();
    for (l, active, slope, passive) in [
        (0.3, 0.014226524352422077, 0.08296043331264565, 8.381267860370745e-05),
        (0.55, 0.12513612858790335, 2.455907344748689, 0.0008235277989779746),
        (0.8, 0.8364395661146519, 1.0342801470261744, 0.004739942143981772),
        (1.0, 1.0000000000000002, 0.1602103218978227, 0.01822882382007152),
        (1.2, 0.7936897180660011, -1.9812915140208756, 0.06940116116983339),
        (1.6, 0.12425503853974887, -0.7872293799947233, 1.0000000000000009),
    ] {
        close(c.active(l).value, active, ROUNDING, 1.0);
        close(c.active(l).slope, slope, ROUNDING, 1.0);
        close(c.passive(l).value, passive, ROUNDING, 1.0);
    }
    for (l, force) in [(0.99, -0.061252994731052), (1.0, 0.0), (1.02, 0.21556862460054138), (1.049, 1.0)] {
        close(c.tendon(l).value, force, ROUNDING, 1.0);
    }
    for (v, force) in
        [(-0.9, 0.03523122654262589), (-0.3, 0.40891905885750673), (0.3, 1.4475690711602773), (0.9, 1.7623132543830602)]
    {
        close(c.velocity(v).value, force, ROUNDING, 1.0);
    }
}

#[test]
fn slopes_are_derivatives() {
    let c = DeGrooteCurves { active_width: 1.2, ..DeGrooteCurves::default() };
    slope_is_derivative(|x| c.active(x), &[0.5, 0.9, 1.3], 1e-8);
    slope_is_derivative(|x| c.passive(x), &[0.9, 1.1, 1.5], 1e-8);
    slope_is_derivative(|x| c.tendon(x), &[0.99, 1.03], 1e-8);
    slope_is_derivative(|x| c.velocity(x), &[-0.6, 0.0, 0.4], 1e-8);
}

#[test]
fn wrong_shapes_are_refused() {
    assert!(DeGrooteCurves { tendon_strain: f64::NAN, ..DeGrooteCurves::default() }.check("muscle").is_err());
}
