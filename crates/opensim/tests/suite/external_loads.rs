//! External loads of set-up files.

use crate::pendulum::{motion, subject};
use std::path::Path;
use wolff_formats::sto::{self, Storage};
use wolff_motion::{Accelerations, inverse_dynamics};
use wolff_opensim::external_loads;
use wolff_opensim::setup::{self, Setup};

const LOADS: &str = r#"<OpenSimDocument Version="40000"><ExternalLoads name="loads"><objects><ExternalForce name="push">
<applied_to_body>/bodyset/hand</applied_to_body><force_expressed_in_body>FORCE</force_expressed_in_body>
<point_expressed_in_body>hand</point_expressed_in_body>
<force_identifier>f</force_identifier><point_identifier>p</point_identifier><torque_identifier>m</torque_identifier>
</ExternalForce></objects><datafile>x.mot</datafile></ExternalLoads></OpenSimDocument>"#;

fn loads(force_in: &str) -> setup::ExternalLoads {
    let text = LOADS.replace("FORCE", force_in);
    let Setup::ExternalLoads(loads) = setup::read(text.as_bytes(), Path::new("")).unwrap().setup else { panic!() };
    loads
}

/// 3 N along x at half a metre below the wrist, 0.25 N m about z, for half a second.
fn data() -> Storage {
    let mut text = String::from("forces\nendheader\ntime\tfx\tfy\tfz\tpx\tpy\tpz\tmx\tmy\tmz\n");
    for i in 0..=10 {
        text.push_str(&format!("{}\t3\t0\t0\t0\t-0.5\t0\t0\t0\t0.25\n", 0.05 * f64::from(i)));
    }
    sto::read(text.as_bytes()).unwrap()
}

/// The hanging pendulum stands still under it if the joints give the opposite moments; afterwards nothing acts.
#[test]
fn moments_of_a_push() {
    for force_in in ["ground", "hand"] {
        let mut subject = subject();
        for load in external_loads(&loads(force_in), &data(), &subject.subject.model).unwrap() {
            assert_eq!(load.time_range(), [0.0, 0.5]);
            subject.subject.model.add_force(Box::new(load)).unwrap();
        }
        let still = motion("", |_| 0.0);
        let history = subject.history(&still, None, Accelerations::default()).unwrap();
        let found = inverse_dynamics(&subject.subject.model, &history, &[0.2, 0.7], |_| {}).unwrap();
        let (swing, bend) = (found.column("swing").unwrap(), found.column("bend").unwrap());
        assert!((swing[0] + 3.0 * 1.5 + 0.25).abs() < 1e-12 && (bend[0] + 3.0 * 0.5 + 0.25).abs() < 1e-12);
        assert!(swing[1].abs() < 1e-12 && bend[1].abs() < 1e-12);
    }
}

#[test]
fn bodies_and_columns_that_are_not_there() {
    let model = subject().subject.model;
    let unknown = external_loads(&loads("foot"), &data(), &model).unwrap_err().to_string();
    assert!(unknown.contains("push names body `foot`"), "{unknown}");
    let mut other = loads("ground");
    other.forces[0].force = Some("g".into());
    let missing = external_loads(&other, &data(), &model).unwrap_err().to_string();
    assert!(missing.contains("`gx`"), "{missing}");
}
