//! Millard's curves: values of OpenSim 4.6.

use crate::support::*;
use wolff_muscle::hill::*;

/// OpenSim finds the curve parameter to about 1e-14; steep parts magnify that.
const ROUNDING: f64 = 1e-11;

fn curves() -> MillardCurves {
    MillardCurves::new("muscle", &MillardShape::default()).unwrap()
}

#[test]
fn values_are_those_of_opensim() {
    let c = curves();
    type Row = (f64, f64, f64);
    let active: [Row; 7] = [
        (0.45, 4.86937283390155e-05, 0.026692754261347523),
        (0.55, 0.2739960473022271, 3.538259133176598),
        (0.73, 0.8063052463472585, 1.0518678882725254),
        (0.9, 0.9567598325429589, 0.8508162619767462),
        (1.05, 0.996440999578492, -0.2731670425084024),
        (1.45, 0.47353649156252625, -1.4038930783917598),
        (1.8, 0.0009943143705208432, -0.2643609535975476),
    ];
    let passive: [Row; 5] = [
        (1.02, 0.000877438740108086, 0.12091012663596783),
        (1.1, 0.01704483509737836, 0.2273483592659682),
        (1.3, 0.12611118348262854, 1.070514371194866),
        (1.65, 0.857425125459553, 2.839030331430211),
        (1.9, 1.5714285714285712, 2.857142857142857),
    ];
    let tendon: [Row; 5] = [
        (1.005, 0.03760449363141661, 11.25161365488998),
        (1.02, 0.2609359826149298, 19.584008318410284),
        (1.03, 0.47939871234804565, 23.74160249737328),
        (1.04, 0.747448979591838, 28.06122448979592),
        (1.06, 1.3086734693877569, 28.06122448979592),
    ];
    let velocity: [Row; 8] = [
        (-1.2, 0.0, 0.0),
        (-0.95, 0.0028515625000000164, 0.12500000000000128),
        (-0.7, 0.06651872702326071, 0.31896304494874683),
        (-0.1, 0.6252142843129728, 2.2989532584779333),
        (0.05, 1.172345715223604, 1.6892920334249197),
        (0.3, 1.2947073906241897, 0.21424637084427264),
        (0.95, 1.3991328124999998, 0.0749999999999759),
        (1.3, 1.4, 0.0),
    ];
    let check = |rows: &[Row], f: &dyn Fn(f64) -> Slope| {
        for (x, value, slope) in rows {
            close(f(*x).value, *value, ROUNDING, 1.0);
            close(f(*x).slope, *slope, 1e-9, 1.0);
        }
    };
    check(&active, &|x| c.active(x));
    check(&passive, &|x| c.passive(x));
    check(&tendon, &|x| c.tendon(x));
    check(&velocity, &|x| c.velocity(x));
}

#[test]
fn wrong_shapes_are_refused() {
    let mut shape = MillardShape::default();
    shape.tendon.strain_at_one = -0.1;
    assert!(MillardCurves::new("soleus", &shape).unwrap_err().to_string().contains("soleus, tendon"));
    let mut shape = MillardShape::default();
    shape.active.transition = 0.4;
    assert!(MillardCurves::new("soleus", &shape).is_err());
}
