//! Strain of the whole mesh during the rigid motion of the body: quasi-static and linear elastodynamics.
//!
//! The loads at interfaces and points and the rigid motion of the body are those of the simulation, in which the body
//! is rigid; see [`wolff_fem::elastodynamics`] for the equations. The body is free: it carries the loads with its own
//! inertia, and vibrates, in the dynamic case, as a free body with the loads of the rigid motion. The effect of its
//! vibration on these loads (a mass at its end vibrates too, a hinge moves with it) is neglected here and included in
//! the floating frame.

use nalgebra::Vector6;
use wolff_fem::FemError;
use wolff_fem::elastodynamics::{ElasticModel, Frame, Support};
use wolff_fem::modes::{ModeOptions, vibration_modes};
use wolff_fem::newmark::{Newmark, Rayleigh};

use super::placed::Placed;

/// Steps of Newmark's method in a period of the first mode: its period is then too long by 0.2 %.
const STEPS_PER_PERIOD: f64 = 40.0;

/// Frequencies at which the damping ratio holds, in multiples of the first: less between, more outside.
const DAMPED: [f64; 2] = [1.0, 5.0];

/// A body whose mesh is strained by the loads of its rigid motion.
#[derive(Debug)]
pub struct ElasticBody {
    /// Name.
    pub name: String,
    /// The mesh with its interfaces, points and gauges.
    pub solid: Placed,
    /// Whether it vibrates; otherwise every instant is quasi-static.
    pub dynamic: bool,
    /// Share of critical damping at the first frequency and at five times it.
    pub damping_ratio: f64,
}

impl ElasticBody {
    /// Checks that the mesh can be loaded through its interfaces.
    ///
    /// # Errors
    /// When interfaces follow the mean of their nodes.
    pub fn new(name: &str, solid: Placed, dynamic: bool, damping_ratio: f64) -> Result<Self, FemError> {
        if solid.interfaces.rigid.len() < solid.interfaces.references().count() {
            let rule = "interfaces that follow a mean cannot be loaded by this method; make them rigid";
            return Err(FemError::Boundary(rule.into()));
        }
        Ok(ElasticBody { name: name.into(), solid, dynamic, damping_ratio })
    }

    /// Strains by instant, then gauge, for loads at these times \[s\], which increase.
    ///
    /// # Errors
    /// When a load is not finite or the mesh cannot be solved.
    pub fn strains(&self, times: &[f64], frames: &[Frame], interval: f64) -> Result<Vec<Vec<Vector6<f64>>>, FemError> {
        let s = &self.solid;
        let model = ElasticModel::new(&s.mesh, &s.system, &s.interfaces, &s.points, &s.sites, Support::Free)?;
        if !self.dynamic || times.len() < 2 {
            return Ok(model.quasi_static(frames)?.strain);
        }
        let grid = Grid::new(times, interval);
        let even: Vec<Frame> = (0..=grid.count).map(|k| frame_at(times, frames, grid.time(k))).collect();
        let history = model.dynamic(&even, &self.newmark(grid.interval)?)?.strain;
        Ok(times.iter().map(|&t| strain_at(&grid, &history, t)).collect())
    }

    fn newmark(&self, interval: f64) -> Result<Newmark, FemError> {
        let s = &self.solid;
        let modes = vibration_modes(&s.mesh, &s.system, &s.interfaces, 1, &ModeOptions::default())?;
        let first = modes.frequencies().first().copied().unwrap_or(0.0);
        let steps = (interval * first * STEPS_PER_PERIOD).ceil().max(1.0) as usize;
        let damping = Rayleigh::from_ratio(self.damping_ratio, DAMPED[0] * first, DAMPED[1] * first);
        Ok(Newmark { interval, steps, damping })
    }
}

/// Even steps over the recorded time.
struct Grid {
    start: f64,
    interval: f64,
    count: usize,
}

impl Grid {
    fn new(times: &[f64], interval: f64) -> Self {
        let (start, end) = (times.first().copied().unwrap_or(0.0), times.last().copied().unwrap_or(0.0));
        let count = ((end - start) / interval * (1.0 - 1e-9)).ceil().max(1.0) as usize;
        Grid { start, interval: (end - start) / count as f64, count }
    }

    fn time(&self, k: usize) -> f64 {
        self.start + k as f64 * self.interval
    }
}

/// The loads at a time, linear between those recorded.
fn frame_at(times: &[f64], frames: &[Frame], t: f64) -> Frame {
    let k = times.partition_point(|&x| x <= t).clamp(1, times.len() - 1);
    let s = ((t - times[k - 1]) / (times[k] - times[k - 1])).clamp(0.0, 1.0);
    let (a, b) = (&frames[k - 1], &frames[k]);
    let mix = |a: &[[f64; 6]], b: &[[f64; 6]]| -> Vec<[f64; 6]> {
        a.iter().zip(b).map(|(a, b)| std::array::from_fn(|i| a[i] + s * (b[i] - a[i]))).collect()
    };
    Frame {
        acceleration: a.acceleration.lerp(&b.acceleration, s),
        angular_velocity: a.angular_velocity.lerp(&b.angular_velocity, s),
        angular_acceleration: a.angular_acceleration.lerp(&b.angular_acceleration, s),
        interface: mix(&a.interface, &b.interface),
        point: mix(&a.point, &b.point),
    }
}

/// The strains at a time, linear between the steps of the grid.
fn strain_at(grid: &Grid, history: &[Vec<Vector6<f64>>], t: f64) -> Vec<Vector6<f64>> {
    let position = ((t - grid.start) / grid.interval).clamp(0.0, grid.count as f64);
    let k = (position.floor() as usize).min(grid.count - 1);
    let s = position - k as f64;
    history[k].iter().zip(&history[k + 1]).map(|(a, b)| a.lerp(b, s)).collect()
}
