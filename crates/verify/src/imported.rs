//! Contacts of imported models, and computed muscle control: closed forms.

use super::items::{Failure, Items};
use wolff_control::{Bounds, CmcOptions, Task, track};
use wolff_motion::{Accelerations, CoordinateHistory, Subject};
use wolff_multibody::{Baumgarte, System};
use wolff_opensim::OpensimSubject;

/// Relative tolerance of forces that have a closed form: rounding.
const ROUNDING: f64 = 1e-10;
/// Relative tolerance of the force of a muscle that holds a weight: the target is met at the ends of windows only.
const HOLDING: f64 = 1e-4;
/// Distance \[m\] that the weight may move while it is held.
const STILL: f64 = 1e-6;

/// A ball of 2 kg and 0.1 m above a floor, in a plane.
const BALL: &str = include_str!("../references/ball_on_floor.osim");
/// A block of 1 kg that hangs from a muscle of 30 N.
const BLOCK: &str = include_str!("../references/block_on_muscle.osim");

const MASS: f64 = 2.0;
const GRAVITY: f64 = 9.81;
const RADIUS: f64 = 0.1;
const INERTIA: f64 = 0.008;
const MODULUS: f64 = 1e6;
const DISSIPATION: f64 = 0.5;
/// Static, dynamic, viscous friction and transition velocity \[m/s\].
const FRICTION: [f64; 4] = [0.8, 0.4, 0.5, 0.2];

fn subject(text: &str) -> Result<Subject, Failure> {
    let file = wolff_formats::osim::read(text.as_bytes())?;
    Ok(OpensimSubject::new(file)?.subject)
}

/// Accelerations of x, y and the angle of the ball at a height with speeds of x and y.
fn accelerations(ball: &Subject, height: f64, [vx, vy]: [f64; 2]) -> Result<[f64; 3], Failure> {
    let model = &ball.model;
    let missing = || Failure::from("the ball lacks a coordinate");
    let places: Option<Vec<_>> = ["x", "y", "angle"].iter().map(|n| ball.coordinate(n)).collect();
    let [x, y, angle] = places.ok_or_else(missing)?.try_into().map_err(|_| missing())?;
    let (mut q, mut v, mut a) = (model.q0.clone(), vec![0.0; model.nv()], vec![0.0; model.nv()]);
    q[y.position] = height;
    (v[x.speed], v[y.speed]) = (vx, vy);
    let mut system = System::new(model);
    system.accelerations(0.0, &q, &v, Baumgarte::NONE, &mut a)?;
    Ok([a[x.speed], a[y.speed], a[angle.speed]])
}

/// A ball by Hunt and Crossley as OpenSim's models have it: both materials are equal, so `k = E^(2/3)/2`.
pub(super) fn contact(items: &mut Items) -> Result<(), Failure> {
    items
        .cite("closed forms of Hertz contact with dissipation and friction, Sherman et al. 2011, Procedia IUTAM 2:241");
    let ball = subject(BALL)?;
    let k = 0.5 * MODULUS.powf(2.0 / 3.0);
    let hertz = |d: f64| 4.0 / 3.0 * k * (RADIUS * k).sqrt() * d.powf(1.5);
    let d = (MASS * GRAVITY / (4.0 / 3.0 * k * (RADIUS * k).sqrt())).powf(2.0 / 3.0);
    let [_, rest, _] = accelerations(&ball, RADIUS - d, [0.0, 0.0])?;
    items.check("rest", rest, 0.0, ROUNDING * GRAVITY);
    let (depth, speed) = (0.004, -0.3);
    let [_, up, _] = accelerations(&ball, RADIUS - depth, [0.0, speed])?;
    items.relative("falling", up + GRAVITY, hertz(depth) * (1.0 - 1.5 * DISSIPATION * speed) / MASS, ROUNDING);
    let [_, open, _] = accelerations(&ball, RADIUS + 1e-6, [1.0, 0.0])?;
    items.check("open", open, -GRAVITY, ROUNDING * GRAVITY);
    let [us, ud, uv, vt] = FRICTION;
    for (id, v) in [("creeping", 0.05), ("sliding", 0.7)] {
        let s: f64 = v / vt;
        let mu = s.min(1.0) * (ud + 2.0 * (us - ud) / (1.0 + s * s)) + uv * v;
        let [along, _, turn] = accelerations(&ball, RADIUS - d, [v, 0.0])?;
        items.relative(&format!("{id}.force"), along, -mu * GRAVITY, ROUNDING);
        // both materials give way equally, so the force acts in the middle of the overlap
        let lever = RADIUS - 0.5 * d;
        items.relative(&format!("{id}.moment"), turn, -mu * GRAVITY * MASS * lever / INERTIA, ROUNDING);
    }
    Ok(())
}

/// A muscle that holds a block: its force is the weight, whatever its curves, and the block stays. What the block moves
/// at the start has decayed by `21 exp(-20)`: the gains 100 and 20 damp critically.
pub(super) fn muscle_control(items: &mut Items) -> Result<(), Failure> {
    items.cite("equilibrium: the muscle's force is the weight of 1 kg at 9.81 m/s²");
    let block = subject(BLOCK)?;
    let motors = block.motors()?;
    let times: Vec<f64> = (0..=200).map(|k| 0.01 * f64::from(k)).collect();
    let held = 0.205;
    let named = [("x".to_string(), vec![held; times.len()])];
    let history = CoordinateHistory::from_samples(&times, &named, &block.model, Accelerations::SecondDerivative);
    let history = history?;
    let given = (&[Task::of("x")][..], Bounds::of(&motors));
    let options = CmcOptions::default();
    let found = track(&block, &motors, &history, given, [0.0, 2.0], &options, &mut |_| true)?;
    let Some(last) = found.samples.last() else { return Err(Failure::from("nothing was simulated")) };
    items.relative("force", last.forces[0], GRAVITY, HOLDING);
    items.check("position", last.y[0], held, STILL);
    items.check("speed", last.y[1], 0.0, 1e-3);
    Ok(())
}
