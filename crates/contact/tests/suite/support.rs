//! Shared by the tests.

use wolff_contact::NormalLaw;
use wolff_contact::law::KelvinVoigtEnd;
use wolff_numerics::{Crossing, EventAction, Method, OdeError, OdeSystem, Options, integrate};
use wolff_spatial::{Mat3, Pose, Quaternion, Vec3};

/// Relative agreement; quantities that are zero must be zero to `tolerance`.
#[track_caller]
pub fn close(got: f64, want: f64, tolerance: f64, what: &str) {
    let scale = if want == 0.0 { 1.0 } else { want.abs() };
    assert!((got - want).abs() <= tolerance * scale, "{what}: {got:e} is not {want:e} within {tolerance:e}");
}

/// A pose with general rotation and position, different for every seed.
pub fn general_pose(seed: f64) -> Pose {
    let rotation = Vec3::new((1.3 * seed).sin() * 2.0, (2.1 * seed + 0.4).cos() * 1.5, (0.7 * seed - 1.0).sin() * 2.5);
    Pose::new(rotation_matrix(&rotation), Vec3::new((3.1 * seed).cos(), 0.3 - (1.9 * seed).sin(), 0.7 * seed.sin()))
}

/// Rotation by a rotation vector.
pub fn rotation_matrix(rotation: &Vec3) -> Mat3 {
    Quaternion::from_rotation_vector(rotation).matrix()
}

/// Largest depth, largest force seen at a step, duration and restitution of a collision by direct integration.
#[derive(Debug)]
pub struct Integrated {
    pub depth_max: f64,
    pub duration: f64,
    pub restitution: f64,
}

/// `m δ'' = -F` in units of a depth scale and the approach speed, so that all numbers are of order one.
struct Free<'a> {
    law: &'a NormalLaw,
    mass: f64,
    v0: f64,
    scale: f64,
    depth_max: f64,
}

impl Free<'_> {
    fn force(&self, y: &[f64]) -> f64 {
        self.law.force((y[0] * self.scale).max(0.0), y[1] * self.v0, self.v0)
    }
}

impl OdeSystem for Free<'_> {
    fn dim(&self) -> usize {
        2
    }

    fn rhs(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<(), OdeError> {
        dy[0] = y[1];
        dy[1] = -self.force(y) * self.scale / (self.mass * self.v0 * self.v0);
        Ok(())
    }

    fn event_count(&self) -> usize {
        2
    }

    fn events(&mut self, _t: f64, y: &[f64], g: &mut [f64]) -> Result<(), OdeError> {
        let force_ends = matches!(self.law, NormalLaw::KelvinVoigt(law) if law.end() == KelvinVoigtEnd::ForceZero);
        g[0] = if force_ends {
            // the law without its clamp
            let NormalLaw::KelvinVoigt(law) = self.law else { unreachable!() };
            law.elastic().stiffness() * y[0] * self.scale + law.damping() * y[1] * self.v0
        } else {
            y[0]
        };
        g[1] = y[1];
        Ok(())
    }

    fn on_event(&mut self, index: usize, _: Crossing, _t: f64, y: &mut [f64]) -> Result<EventAction, OdeError> {
        if index == 1 {
            self.depth_max = y[0] * self.scale;
            return Ok(EventAction::Continue);
        }
        Ok(EventAction::Stop)
    }
}

/// Follows a collision with a high-order method; `time_limit` in units of `scale/v0`.
pub fn integrate_collision(law: &NormalLaw, mass: f64, v0: f64, scale: f64, time_limit: f64) -> Integrated {
    let mut system = Free { law, mass, v0, scale, depth_max: 0.0 };
    let mut y = [0.0, 1.0];
    let options = Options { h_max: 0.05, ..Options::tolerances(1e-13, 1e-19) };
    let report = integrate(&mut system, Method::Dop853, &options, 0.0, &mut y, time_limit, &mut ()).unwrap();
    assert!(report.stopped_early, "no separation within {time_limit}: {y:?}");
    Integrated { depth_max: system.depth_max, duration: report.t * scale / v0, restitution: -y[1] }
}
