//! Three markers on a forearm of 0.3 m are recorded while the elbow flexes. What is the elbow angle?
//!
//! The markers are computed here from the known angle `0.2 + 1.5 t²`, so the answer is known.

use std::error::Error;
use wolff::formats::trial::{Marker, MarkerTrial};
use wolff::motion::Subject;
use wolff::motion::ik::{Options, Tasks, solve_trial};
use wolff::prelude::*;

/// Elbow angle at a time [rad].
fn angle(t: f64) -> f64 {
    0.2 + 1.5 * t * t
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let bone = MassProperties::new(1.2, Vec3::new(0.0, -0.13, 0.0), nalgebra::Matrix3::identity() * 0.01)?;
    let elbow = JointSpec::new("elbow", JointKind::Pin { axis: Vec3::z() }, GROUND, "forearm");
    let spec =
        ModelSpec { bodies: vec![BodySpec::rigid("forearm", bone)], joints: vec![elbow], ..ModelSpec::on_earth("arm") };
    let mut subject = Subject::new(Model::build(&spec)?)?;
    let places = [("mid", [0.03, -0.15, 0.0]), ("radius", [0.02, -0.29, 0.03]), ("ulna", [-0.02, -0.3, -0.03])];
    subject.markers = places.map(|(name, p)| (name.into(), FrameSpec::at("forearm", p.into()))).to_vec();

    // the recording: 50 frames at 100 Hz
    let times: Vec<f64> = (0..50).map(|i| 0.01 * f64::from(i)).collect();
    let marker = |(name, [x, y, z]): (&str, [f64; 3])| {
        let seen = |t: &f64| {
            let (sin, cos) = angle(*t).sin_cos();
            Some([cos * x - sin * y, sin * x + cos * y, z])
        };
        Marker { name: name.into(), points: times.iter().map(seen).collect() }
    };
    let trial = MarkerTrial::new("flexion", 100.0, times.clone(), places.map(marker).to_vec())?;

    let found = solve_trial(&subject, &Tasks::all_markers(&subject), &trial, None, Options::default(), &mut |_| {})?;
    let (t, q) = &found.poses[49];
    println!("elbow at {t} s: {:.6} rad, was {:.6} rad", q[0], angle(*t));

    assert!((q[0] - angle(*t)).abs() < 1e-6);
    Ok(())
}
