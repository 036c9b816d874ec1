//! A force element of one's own: a spring to ground whose force grows with the cube of its extension. What is the period of a mass
//! on it?
//!
//! For `m x'' = -k x³` from rest at `a` the period is `4 K(1/√2) / (a √(k/m)) = 7.416299 / (a √(k/m))`.

use std::error::Error;
use wolff::prelude::*;

/// A cubic spring along x between ground and the centre of a body.
#[derive(Debug)]
struct CubicSpring {
    body: usize,
    /// Stiffness [N/m³].
    stiffness: f64,
}

impl ForceElement for CubicSpring {
    fn name(&self) -> &str {
        "cubic spring"
    }

    fn apply(&self, at: &Instant<'_>, out: &mut Loads<'_>) {
        let p = at.kin.bodies[self.body].X_GB.p;
        out.force_at(self.body, &p, Vec3::new(-self.stiffness * p.x.powi(3), 0.0, 0.0));
    }

    fn potential_energy(&self, at: &Instant<'_>) -> f64 {
        0.25 * self.stiffness * at.kin.bodies[self.body].X_GB.p.x.powi(4)
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let (mass, stiffness, start) = (2.0, 800.0, 0.3);
    let slider = JointSpec::new("rail", JointKind::Slider { axis: Vec3::x() }, GROUND, "cart");
    let cart = MassProperties::new(mass, Vec3::zeros(), nalgebra::Matrix3::identity())?;
    let mut model = Model::build(&ModelSpec {
        bodies: vec![BodySpec::rigid("cart", cart)],
        joints: vec![slider.starting_at(&[start])],
        ..ModelSpec::on_earth("oscillator")
    })?;
    model.add_force(Box::new(CubicSpring { body: 1, stiffness }))?;

    // after one period the mass is back where it started
    let period = 7.416298709205487 / (start * f64::sqrt(stiffness / mass));
    let run = simulate(&model, &Settings::until(period), &model.q0, &model.v0, &[], &mut ())?;
    println!("after {period:.4} s the mass is at {:.6} m, started at {start} m", run.q[0]);

    assert!((run.q[0] - start).abs() < 1e-7);
    Ok(())
}
