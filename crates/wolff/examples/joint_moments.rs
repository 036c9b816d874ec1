//! A leg of 12 kg swings from the hip like a pendulum. Which moment does the hip need?
//!
//! With `θ(t) = A sin ωt` it is `(I + m c²) θ'' + m g c sin θ`, c the distance of the centre of mass from the hip.

use std::error::Error;
use wolff::motion::{Accelerations, CoordinateHistory, inverse_dynamics};
use wolff::multibody::spec::STANDARD_GRAVITY;
use wolff::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let (mass, centre, inertia) = (12.0, 0.38, 0.65);
    let leg = MassProperties::new(mass, Vec3::new(0.0, -centre, 0.0), nalgebra::Matrix3::identity() * inertia)?;
    let hip = JointSpec::new("hip", JointKind::Pin { axis: Vec3::z() }, GROUND, "leg");
    let spec = ModelSpec { bodies: vec![BodySpec::rigid("leg", leg)], joints: vec![hip], ..ModelSpec::on_earth("leg") };
    let model = Model::build(&spec)?;

    // the motion as samples at 100 Hz, as it comes from inverse kinematics
    let (amplitude, omega) = (0.45, 5.8);
    let times: Vec<f64> = (0..200).map(|i| 0.01 * f64::from(i)).collect();
    let angles: Vec<f64> = times.iter().map(|t| amplitude * (omega * t).sin()).collect();
    let history =
        CoordinateHistory::from_samples(&times, &[("hip".into(), angles)], &model, Accelerations::SecondDerivative)?;
    let t: f64 = 0.83;
    let moments = inverse_dynamics(&model, &history, &[t], |_| {})?;

    let theta = amplitude * (omega * t).sin();
    let exact =
        -(inertia + mass * centre * centre) * omega * omega * theta + mass * STANDARD_GRAVITY * centre * theta.sin();
    println!("hip moment at {t} s: {:.4} N m, exact {exact:.4} N m", moments.rows[0][0]);

    assert!((moments.rows[0][0] - exact).abs() < 1e-3);
    Ok(())
}
