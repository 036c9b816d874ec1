//! What somebody writes who uses the library: a pendulum of 1 m, released at rest from the horizontal, swings to
//! -1.404720 rad in a second (elliptic functions).
use wolff::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bob = BodySpec::rigid("bob", MassProperties::point(1.0, Vec3::new(0.0, -1.0, 0.0))?);
    let hinge = JointSpec::new("hinge", JointKind::Pin { axis: Vec3::z() }, GROUND, "bob").starting_at(&[1.5707963267948966]);
    let model = Model::build(&ModelSpec { bodies: vec![bob], joints: vec![hinge], ..ModelSpec::on_earth("pendulum") })?;
    let run = simulate(&model, &Settings::until(1.0), &model.q0, &model.v0, &[], &mut ())?;
    assert!((run.q[0] + 1.4047199).abs() < 1e-6, "{}", run.q[0]);
    Ok(())
}
