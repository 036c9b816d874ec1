//! Kinematic analysis: a slider-crank mechanism without inertia about its hinges against its closed form, and against
//! the dynamics of the same mechanism with masses.

use super::items::{Failure, Items};
use super::trial::dop853;
use wolff_multibody::simulation::{Recorder, Settings, analyse_kinematics, simulate};
use wolff_multibody::spec::{
    BodySpec, ConstraintKind, ConstraintSpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec,
};
use wolff_multibody::{Model, System};
use wolff_numerics::function::Polynomial;
use wolff_spatial::{MassProperties, Mat3, Vec3};

/// Length of crank and rod \[m\].
const CRANK: f64 = 0.1;
const ROD: f64 = 0.3;

/// Angle \[rad\], speed \[rad/s\] and half the acceleration \[rad/s^2\] of the crank at time zero.
const DRIVE: [f64; 3] = [0.4, 20.0, -30.0];

/// Relative to lengths, speeds and accelerations of order one to a hundred.
const TOLERANCE: f64 = 1e-11;

/// Tolerance of a dynamic run at 1e-12, absolute.
const DYNAMIC: f64 = 1e-8;

/// Runs the problem.
pub(super) fn run(items: &mut Items) -> Result<(), Failure> {
    items.cite("closed form x = r cos(theta) + sqrt(l^2 - r^2 sin^2(theta)) and its derivatives");
    let times: Vec<f64> = (0..=40).map(|i| 0.02 * f64::from(i)).collect();
    let bare = mechanism(false)?;
    let mut motion = Motion::default();
    analyse_kinematics(&bare, (0.0, 0.8), &bare.q0, &times, &mut motion)?;
    let slider = bare.coordinate_index("x").ok_or("there is no slider")?;
    let exact: Vec<[f64; 3]> = times.iter().map(|&t| position(t)).collect();
    for (k, what) in ["position", "speed", "acceleration"].into_iter().enumerate() {
        let ours: Vec<f64> = motion.0.iter().map(|row| row[k][slider]).collect();
        let reference: Vec<f64> = exact.iter().map(|row| row[k]).collect();
        items.lists(&format!("slider-crank.{what}"), &ours, &reference, |x| TOLERANCE * x.abs().max(1.0));
    }
    items.cite("dynamics of the same mechanism with masses");
    let heavy = mechanism(true)?;
    let settings = Settings { t_end: 0.8, ..dop853(1e-12) };
    let report = simulate(&heavy, &settings, &heavy.q0, &heavy.v0, &[], &mut ())?;
    let last = motion.0.last().ok_or("nothing was recorded")?;
    items.lists("slider-crank.dynamic.q", &report.q, &last[0], |x| DYNAMIC * x.abs().max(1.0));
    items.lists("slider-crank.dynamic.v", &report.v, &last[1], |x| DYNAMIC * x.abs().max(1.0));
    Ok(())
}

/// Positions, speeds and accelerations at the sample times.
#[derive(Default)]
struct Motion(Vec<[Vec<f64>; 3]>);

impl Recorder for Motion {
    fn sample(&mut self, _system: &mut System<'_>, _t: f64, _q: &[f64], _v: &[f64]) {}

    fn kinematic_sample(&mut self, _system: &mut System<'_>, _t: f64, q: &[f64], v: &[f64], a: &[f64]) {
        self.0.push([q.to_vec(), v.to_vec(), a.to_vec()]);
    }
}

/// Position, speed and acceleration of the slider.
fn position(t: f64) -> [f64; 3] {
    let [angle, rate, half] = DRIVE;
    let (theta, omega, alpha) = (angle + rate * t + half * t * t, rate + 2.0 * half * t, 2.0 * half);
    let (s, c) = theta.sin_cos();
    // w^2 = l^2 - r^2 sin^2(theta)
    let w = (ROD * ROD - CRANK * CRANK * s * s).sqrt();
    let d1 = -CRANK * s - CRANK * CRANK * s * c / w;
    let d2 = -CRANK * c - CRANK * CRANK * (c * c - s * s) / w - CRANK.powi(4) * s * s * c * c / w.powi(3);
    [CRANK * c + w, d1 * omega, d1 * alpha + d2 * omega * omega]
}

/// A crank that is driven, a rod, and a slider along x: uniform rods of 2 kg, or points in the hinges, which no
/// dynamics could move.
fn mechanism(uniform: bool) -> Result<Model, Failure> {
    let body = |name: &str, length: f64| -> Result<BodySpec, Failure> {
        let (mass, length) = (2.0, if uniform { length } else { 0.0 });
        let inertia = Mat3::from_diagonal(&Vec3::new(0.0, 1.0, 1.0)) * (mass * length * length / 12.0);
        let com = Vec3::new(0.5 * length, 0.0, 0.0);
        Ok(BodySpec::rigid(name, MassProperties::new(mass, com, inertia)?))
    };
    let joint = |name: &str, kind: JointKind, (parent, at): (&str, Vec3), child: &str, q: f64| JointSpec {
        name: name.into(),
        kind,
        parent: FrameSpec::at(parent, at),
        child: FrameSpec::at(child, Vec3::zeros()),
        coordinates: vec![],
        q0: vec![q],
        v0: vec![],
    };
    let pin = JointKind::Pin { axis: Vec3::z() };
    let [angle, ..] = DRIVE;
    let rod_angle = -(CRANK * angle.sin() / ROD).asin();
    let end = |name: &str, length: f64| FrameSpec::at(name, Vec3::new(length, 0.0, 0.0));
    let spec = ModelSpec {
        name: "slider-crank".into(),
        gravity: Vec3::new(0.0, -9.81, 0.0),
        bodies: vec![body("crank", CRANK)?, body("rod", ROD)?, body("block", 0.0)?],
        joints: vec![
            joint("theta", pin.clone(), (GROUND, Vec3::zeros()), "crank", angle),
            joint("phi", pin, ("crank", Vec3::new(CRANK, 0.0, 0.0)), "rod", rod_angle - angle),
            joint("x", JointKind::Slider { axis: Vec3::x() }, (GROUND, Vec3::zeros()), "block", position(0.0)[0]),
        ],
        constraints: vec![
            ConstraintSpec {
                name: "pin".into(),
                kind: ConstraintKind::Point {
                    a: end("rod", ROD),
                    b: end("block", 0.0),
                    along: vec![Vec3::x(), Vec3::y()],
                },
            },
            ConstraintSpec {
                name: "drive".into(),
                kind: ConstraintKind::Driver {
                    terms: vec![("theta".into(), 1.0)],
                    function: Polynomial::new(0.0, &DRIVE)?.into(),
                },
            },
        ],
    };
    Ok(Model::build(&spec)?)
}
