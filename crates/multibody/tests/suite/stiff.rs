//! The implicit step against closed forms and against explicit integration.

use crate::fixtures::*;
use wolff_multibody::simulation::{ConstraintHandling, Integrator, Settings, simulate};
use wolff_multibody::spec::*;
use wolff_multibody::stiff::{ImplicitStep, Push, Rows, StiffForces};
use wolff_multibody::{Instant, Model};
use wolff_numerics::{Method, Options};
use wolff_spatial::{MassProperties, Vec3};

/// A block of 2 kg on a vertical slider with gravity.
fn block() -> Model {
    let mass = MassProperties::point(2.0, Vec3::zeros()).unwrap();
    let spec = ModelSpec {
        gravity: Vec3::new(0.0, -9.81, 0.0),
        bodies: vec![BodySpec::rigid("block", mass)],
        joints: vec![JointSpec {
            parent: FrameSpec::at(GROUND, Vec3::zeros()),
            child: FrameSpec::at("block", Vec3::zeros()),
            ..joint("slide", JointKind::Slider { axis: Vec3::y() }, GROUND, "block", 0.0)
        }],
        ..Default::default()
    };
    Model::build(&spec).unwrap()
}

/// A spring and damper to the ground that may also be limited.
struct Spring {
    k: f64,
    c: f64,
    limits: [f64; 2],
}

impl StiffForces for Spring {
    fn rows(&mut self, at: &Instant<'_>, rows: &mut Rows) {
        let force = -self.k * at.q[0] - self.c * at.v[0];
        rows.on_coordinate(0, Push::spring(force, self.k, self.c).within(self.limits[0], self.limits[1]));
    }
}

const FREE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

/// For a linear system the step is the implicit Euler method: `v₁ = (v₀ + h (g - k q₀ / m)) / (1 + h c / m + h² k / m)`.
#[test]
fn one_step_is_implicit_euler() {
    let model = block();
    let (m, k, c, h) = (2.0, 3e6, 40.0, 0.01);
    let (mut q, mut v) = (vec![0.02], vec![-0.3]);
    let expected = (v[0] + h * (-9.81 - k * q[0] / m)) / (1.0 + h * c / m + h * h * k / m);
    let mut step = ImplicitStep::new(&model);
    step.advance(&mut Spring { k, c, limits: FREE }, 0.0, h, &mut q, &mut v).unwrap();
    assert!((v[0] - expected).abs() < 1e-13 * expected.abs(), "{v:?} {expected}");
    assert!((q[0] - (0.02 + h * expected)).abs() < 1e-15);
    // the force reported is the one at the end of the step
    assert!((step.applied()[0] - (-k * q[0] - c * v[0])).abs() < 1e-9 * k * 0.02);
}

/// A spring of any size comes to rest where it carries the weight.
#[test]
fn stiff_springs_settle() {
    let model = block();
    for k in [1e2, 1e6, 1e12] {
        let (mut q, mut v) = (vec![0.0], vec![-1.0]);
        let mut step = ImplicitStep::new(&model);
        let mut spring = Spring { k, c: 2.0 * (2.0 * k).sqrt(), limits: FREE };
        for i in 0..20_000 {
            step.advance(&mut spring, f64::from(i) * 1e-3, 1e-3, &mut q, &mut v).unwrap();
        }
        assert!((q[0] + 2.0 * 9.81 / k).abs() < 1e-9 * (1.0 + 1.0 / k), "{k}: {q:?}");
    }
}

/// A limit is kept to the last digit, and the motion is that of the limit's force: free fall less 30 N.
#[test]
fn limits_are_kept() {
    let model = block();
    let (mut q, mut v) = (vec![-1.0], vec![0.0]);
    let mut step = ImplicitStep::new(&model);
    let mut spring = Spring { k: 1e6, c: 1e3, limits: [0.0, 30.0] };
    let h = 1e-4;
    for i in 0..1000 {
        step.advance(&mut spring, f64::from(i) * h, h, &mut q, &mut v).unwrap();
        assert_eq!(step.applied()[0], 30.0);
    }
    assert!((v[0] - 0.1 * (30.0 / 2.0 - 9.81)).abs() < 1e-12, "{v:?}");
}

/// The end of a double pendulum with springs converges to that of an 8th-order method with the first order.
#[test]
fn the_order_is_one() {
    struct Hinges;
    impl StiffForces for Hinges {
        fn rows(&mut self, at: &Instant<'_>, rows: &mut Rows) {
            for i in 0..at.v.len() {
                rows.on_coordinate(i, Push::spring(-5.0 * at.coordinate(i) - 0.2 * at.v[i], 5.0, 0.2));
            }
        }
    }
    let model = wolff_multibody::benchmark::chain(2).unwrap();
    let mut reference = wolff_multibody::benchmark::chain(2).unwrap();
    for i in 0..reference.nv() {
        let spring = wolff_multibody::force::TorsionalSpringDamper::new(&format!("s{i}"), i, 5.0, 0.2, 0.0).unwrap();
        reference.add_force(Box::new(spring)).unwrap();
    }
    let settings = Settings {
        integrator: Integrator::Ode(Method::Dop853, Options::tolerances(1e-11, 1e-11)),
        constraints: ConstraintHandling::None,
        t_start: 0.0,
        t_end: 0.5,
        until_rest: None,
        assemble: true,
    };
    let exact = simulate(&reference, &settings, &reference.q0, &reference.v0, &[], &mut ()).unwrap();
    let error = |steps: u32| {
        let (mut q, mut v) = (model.q0.clone(), model.v0.clone());
        let (mut step, h) = (ImplicitStep::new(&model), 0.5 / f64::from(steps));
        for i in 0..steps {
            step.advance(&mut Hinges, f64::from(i) * h, h, &mut q, &mut v).unwrap();
        }
        q.iter().zip(&exact.q).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    let (coarse, fine) = (error(1000), error(2000));
    let order = (coarse / fine).log2();
    assert!((order - 1.0).abs() < 0.1 && fine < 1e-2, "{coarse} {fine} {order}");
}

/// Loops stay closed: the violation after a second is that of one step, not a drift.
#[test]
fn loops_stay_closed() {
    let model = looped_zoo();
    let (mut q, mut v) = state(&model, 0.2);
    let mut step = ImplicitStep::new(&model);
    step.system.assemble(0.0, &mut q, &mut v).unwrap();
    let h = 1e-4;
    for i in 0..2000 {
        step.advance(&mut (), f64::from(i) * h, h, &mut q, &mut v).unwrap();
    }
    step.system.update_constraints(0.2, &q, &v);
    let (violation, _) = step.system.constraints.drift();
    assert!(violation < 1e-5, "{violation}");
}

/// A body that bends settles to the same deformation as its static equilibrium.
#[test]
fn modes_settle_to_equilibrium() {
    let mut body = soft_lump("bone", 3, 0.7, false);
    let ratios = vec![1.0; body.modes()];
    body = body.with_damping_ratios(&ratios).unwrap();
    let mut spec = ModelSpec { gravity: Vec3::new(1.0, -9.81, 2.0), ..Default::default() };
    spec.bodies.push(BodySpec::flexible("bone", std::sync::Arc::new(body)));
    spec.joints.push(joint("fixed", JointKind::Weld, GROUND, "bone.p3", 0.9));
    let model = Model::build(&spec).unwrap();
    let mut expected = model.q0.clone();
    wolff_multibody::System::new(&model).equilibrium(0.0, &mut expected, &mut [], 1e-12).unwrap();
    let (mut q, mut v) = (model.q0.clone(), model.v0.clone());
    let mut step = ImplicitStep::new(&model);
    for i in 0..20_000 {
        step.advance(&mut (), f64::from(i) * 1e-2, 1e-2, &mut q, &mut v).unwrap();
    }
    for (a, b) in q.iter().zip(&expected) {
        assert!((a - b).abs() < 1e-9, "{q:?} {expected:?}");
    }
}

/// A second of steps takes no memory once the first has been done.
#[test]
fn steps_take_no_memory() {
    let model = looped_zoo();
    let (mut q, mut v) = state(&model, 0.2);
    let mut step = ImplicitStep::new(&model);
    step.system.assemble(0.0, &mut q, &mut v).unwrap();
    step.advance(&mut (), 0.0, 1e-4, &mut q, &mut v).unwrap();
    let taken = allocation_counter::measure(|| {
        step.advance(&mut (), 0.0, 1e-4, &mut q, &mut v).unwrap();
    });
    assert_eq!(taken.count_total, 0);
}

/// Blocks on sliders of their own, pushed along directions that all or few of them share.
struct Directions(Vec<(Vec<f64>, Push)>);

impl StiffForces for Directions {
    fn rows(&mut self, _: &Instant<'_>, rows: &mut Rows) {
        for (direction, push) in &self.0 {
            rows.along(*push, |J| J.copy_from_slice(direction));
        }
    }
}

/// Any number of wide and narrow directions over any number of speeds solve `(M + h Σ (c + h k) JᵀJ) Δv = h Σ f Jᵀ`: the residual is rounding.
#[test]
fn wide_and_narrow_directions_are_added_alike() {
    let mut seed = 0.37_f64;
    let mut random = || {
        seed = (seed * 997.0 + 0.123).fract();
        seed - 0.5
    };
    for (n, count) in [(1, 2), (2, 3), (20, 1), (21, 4), (23, 9), (24, 14)] {
        let masses: Vec<f64> = (0..n).map(|i| 1.0 + 0.1 * i as f64).collect();
        let bodies = masses
            .iter()
            .enumerate()
            .map(|(i, m)| BodySpec::rigid(&format!("b{i}"), MassProperties::point(*m, Vec3::zeros()).unwrap()));
        let slide = |i: usize| {
            let (name, body) = (format!("j{i}"), format!("b{i}"));
            joint(&name, JointKind::Slider { axis: Vec3::y() }, GROUND, &body, 0.0)
        };
        let spec = ModelSpec { bodies: bodies.collect(), joints: (0..n).map(slide).collect(), ..ModelSpec::default() };
        let model = Model::build(&spec).unwrap();
        let mut rows = Vec::new();
        for row in 0..count {
            // every third direction is narrow
            let entry = |k: usize, x: f64| if row % 3 == 2 && !k.is_multiple_of(7) { 0.0 } else { x };
            let direction: Vec<f64> = (0..n).map(|k| entry(k, random())).collect();
            rows.push((direction, Push::spring(10.0 * random(), 1e4, 20.0)));
        }
        let (mut q, mut v, h) = (vec![0.0; n], vec![0.0; n], 1e-2);
        let mut step = ImplicitStep::new(&model);
        step.advance(&mut Directions(rows.clone()), 0.0, h, &mut q, &mut v).unwrap();
        for k in 0..n {
            let along = |J: &[f64]| J.iter().zip(&v).map(|(j, v)| j * v).sum::<f64>();
            let pushed: f64 =
                rows.iter().map(|(J, p)| J[k] * (p.force - (p.damping + h * p.stiffness) * along(J))).sum();
            assert!((masses[k] * v[k] - h * pushed).abs() < 1e-12, "{n} speeds, {count} directions, speed {k}");
        }
    }
}

/// A stiffness or damping beyond all numbers would hold the block as if by magic; it is refused, and so is what is no number.
#[test]
fn infinite_answers_are_refused() {
    let model = block();
    for (k, c) in [(f64::MAX, f64::MAX), (0.0, f64::INFINITY), (f64::NAN, 0.0)] {
        struct Answer(f64, f64);
        impl StiffForces for Answer {
            fn rows(&mut self, _: &Instant<'_>, rows: &mut Rows) {
                rows.on_coordinate(0, Push::spring(1.0, self.0, self.1));
            }
        }
        let (mut q, mut v) = (vec![0.0], vec![1.0]);
        let step = ImplicitStep::new(&model).advance(&mut Answer(k, c), 0.0, 10.0, &mut q, &mut v);
        let message = step.unwrap_err().to_string();
        assert!(message.contains("`slide`") && message.contains("not a finite number"), "{message}");
        assert_eq!((q[0], v[0]), (0.0, 1.0));
    }
}

/// However often something pushes on the same speed, its direction names the speed once, with the sum, and in order.
#[test]
fn a_direction_names_each_speed_once() {
    let mut rows = Rows::new(3);
    rows.along(Push::spring(1.0, 0.0, 0.0), |J| [(2, 0.5), (0, 1.0), (2, 0.25)].iter().for_each(|(k, j)| J[*k] += j));
    assert_eq!(rows.direction(0), [(0, 1.0), (2, 0.75)]);
}
