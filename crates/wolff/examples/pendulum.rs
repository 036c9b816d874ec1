//! A pendulum of 1 m is released at rest from the horizontal. Where is it after one second?
//!
//! Elliptic functions give the angle of -1.404720 rad for standard gravity.

use std::error::Error;
use std::f64::consts::FRAC_PI_2;
use wolff::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let bob = MassProperties::point(1.0, Vec3::new(0.0, -1.0, 0.0))?;
    let hinge = JointSpec::new("hinge", JointKind::Pin { axis: Vec3::z() }, GROUND, "bob");
    let spec = ModelSpec {
        bodies: vec![BodySpec::rigid("bob", bob)],
        joints: vec![hinge.starting_at(&[FRAC_PI_2])],
        ..ModelSpec::on_earth("pendulum")
    };
    let model = Model::build(&spec)?;

    let run = simulate(&model, &Settings::until(1.0), &model.q0, &model.v0, &[], &mut ())?;
    println!("angle after 1 s: {:.6} rad", run.q[0]);

    assert!((run.q[0] - EXACT).abs() < 1e-6);
    Ok(())
}

/// Angle after one second [rad].
const EXACT: f64 = -1.404720;
