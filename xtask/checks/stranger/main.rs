//! What somebody writes who uses the library: a pendulum of 1 m, released at rest from the horizontal, swings to
//! -1.405027 rad in a second (elliptic functions).
use wolff::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bob = MassProperties::point(1.0, Vec3::new(0.0, -1.0, 0.0))?;
    let hinge = JointSpec {
        name: "hinge".into(),
        kind: JointKind::Pin { axis: Vec3::z() },
        parent: FrameSpec::at(GROUND, Vec3::zeros()),
        child: FrameSpec::at("bob", Vec3::zeros()),
        coordinates: vec![],
        q0: vec![std::f64::consts::FRAC_PI_2],
        v0: vec![0.0],
    };
    let spec = ModelSpec {
        name: "pendulum".into(),
        gravity: Vec3::new(0.0, -9.81, 0.0),
        bodies: vec![BodySpec::rigid("bob", bob)],
        joints: vec![hinge],
        constraints: vec![],
    };
    let model = Model::build(&spec).map_err(|mistakes| format!("{mistakes:?}"))?;
    let settings = Settings {
        integrator: Integrator::Ode(Method::Dop853, Options::tolerances(1e-10, 1e-10)),
        constraints: ConstraintHandling::None,
        t_start: 0.0,
        t_end: 1.0,
        until_rest: None,
        assemble: true,
    };
    let report = simulate(&model, &settings, &model.q0, &model.v0, &[], &mut ())?;
    assert!((report.q[0] + 1.405027311524799).abs() < 1e-8, "{}", report.q[0]);
    Ok(())
}
