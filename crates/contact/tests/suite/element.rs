//! The contact force element in whole simulations.

use crate::support::{close, rotation_matrix};
use std::sync::Arc;
use wolff_contact::law::{ImpactFunction, KelvinVoigtEnd};
use wolff_contact::{
    Collision, ContactError, ContactForce, Friction, LawKind, LawParameters, NormalLaw, Profile, ProfilePair, Shape,
    Subsurface,
};
use wolff_multibody::dynamics::energy::{gravity_energy, kinetic_energy, momentum};
use wolff_multibody::simulation::{ConstraintHandling, Integrator, Recorder, RunReport, Settings, simulate};
use wolff_multibody::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec};
use wolff_multibody::{ForceElement, Frame, Model, System};
use wolff_numerics::{Method, Options};
use wolff_spatial::{Force, MassProperties, Mat3, Pose, Quaternion, Vec3};

const GRAVITY: f64 = 9.81;

fn body(name: &str, mass: f64, inertia: Vec3) -> BodySpec {
    BodySpec::rigid(name, MassProperties::new(mass, Vec3::zeros(), Mat3::from_diagonal(&inertia)).unwrap())
}

/// A joint between ground at `p` and the body's own frame.
fn joint(body: &str, kind: JointKind, p: Vec3, q0: Vec<f64>, v0: Vec<f64>) -> JointSpec {
    JointSpec {
        name: format!("joint of {body}"),
        kind,
        parent: FrameSpec::at(GROUND, p),
        child: FrameSpec::at(body, Vec3::zeros()),
        coordinates: Vec::new(),
        q0,
        v0,
    }
}

/// Position and attitude of a free joint.
fn free_q(rotation: &Vec3, p: &Vec3) -> Vec<f64> {
    let q = Quaternion::from_rotation_vector(rotation);
    vec![q.w, q.v.x, q.v.y, q.v.z, p.x, p.y, p.z]
}

fn build(spec: &ModelSpec, contact: impl FnOnce(&Model) -> ContactForce) -> Model {
    let mut model = Model::build(spec).unwrap();
    let contact = contact(&model);
    model.add_force(Box::new(contact)).unwrap();
    model
}

fn frame(model: &Model, body: &str, pose: Pose) -> Frame {
    model.frame(&FrameSpec { body: body.into(), pose }).unwrap()
}

fn run(model: &Model, t_end: f64, options: Options, times: &[f64], recorder: &mut dyn Recorder) -> RunReport {
    let settings = Settings {
        integrator: Integrator::Ode(Method::Dop853, options),
        constraints: ConstraintHandling::None,
        t_start: 0.0,
        t_end,
        until_rest: None,
        assemble: false,
    };
    simulate(model, &settings, &model.q0, &model.v0, times, recorder).unwrap()
}

/// Momentum about the ground's origin and energy along a run.
#[derive(Default)]
struct Balance {
    momenta: Vec<Force>,
    energies: Vec<f64>,
}

impl Recorder for Balance {
    fn sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) {
        let kin = &system.kin;
        let at = system.instant(t, q, v, Some(0));
        let stored = system.model.forces()[0].potential_energy(&at);
        self.momenta.push(momentum(kin, &Vec3::zeros()));
        self.energies.push(kinetic_energy(kin) + gravity_energy(system.model, kin) + stored);
    }
}

/// Two spheres on parallel sliders in a general direction, 1 mm apart, approaching at 0.3 m/s.
fn colliding_spheres(law: NormalLaw) -> Model {
    let axis = Vec3::new(0.6, -0.5, 0.3).normalize();
    let slider = JointKind::Slider { axis };
    let start = Vec3::new(0.02, -0.01, 0.005);
    let spec = ModelSpec {
        name: "colliding spheres".into(),
        gravity: Vec3::zeros(),
        bodies: vec![body("first", 0.092, Vec3::repeat(1e-5)), body("second", 0.092, Vec3::repeat(1e-5))],
        joints: vec![
            joint("first", slider.clone(), start, vec![0.0], vec![0.15]),
            joint("second", slider, start + axis * 0.041, vec![0.0], vec![-0.15]),
        ],
        constraints: Vec::new(),
    };
    build(&spec, |model| {
        let sphere = Shape::sphere(0.02).unwrap();
        let [a, b] = ["first", "second"].map(|name| (frame(model, name, Pose::identity()), sphere));
        ContactForce::new("impact", a, b, law, None).unwrap()
    })
}

/// A local error of 1e-12 on coordinates of 5e-4 m is 6e-10 of the smallest indentation, 9e-7 m.
const COLLISION_TOLERANCE: f64 = 1e-8;

#[test]
fn colliding_spheres_follow_the_exact_solution() {
    let (first_touch, approach) = (0.001 / 0.3, 0.3);
    for kind in LawKind::ALL {
        let p = LawParameters {
            stiffness: 5.5e9,
            restitution: 0.7,
            effective_mass: Some(0.046),
            damping: (kind == LawKind::Impact).then_some(80.0),
            full_damping_depth: 5e-6,
            ..Default::default()
        };
        let law = NormalLaw::new(kind, &p).unwrap();
        let exact = Collision::solve(&law, 0.046, approach).unwrap();
        let model = colliding_spheres(law);
        let options =
            Options { h_max: exact.duration / 20.0, event_tolerance: 0.0, ..Options::tolerances(1e-12, 1e-17) };
        let mut balance = Balance::default();
        let times = [0.0, first_touch + exact.time_of_depth_max, first_touch + 1.5 * exact.duration];
        let report = run(&model, times[2], options, &times, &mut balance);

        let [impact] = &report.impacts[..] else { panic!("{kind}: {} impacts", report.impacts.len()) };
        let tolerance = COLLISION_TOLERANCE;
        close(impact.t_start, first_touch, 1e-10, kind.name());
        close(impact.approach, approach, 1e-10, kind.name());
        close(impact.depth_max, exact.depth_max, tolerance, kind.name());
        close(impact.force_max, exact.force_max, tolerance, kind.name());
        close(impact.separation.unwrap() / approach, exact.restitution, tolerance, kind.name());
        close(impact.t_end.unwrap() - impact.t_start, exact.duration, tolerance, kind.name());

        // the spheres are equally heavy and opposite: no momentum, before, during and after
        for momentum in &balance.momenta {
            assert!(momentum.f.norm() < 1e-13, "{kind}: {momentum:?}");
        }
        let loss = balance.energies[0] - balance.energies[2];
        assert!((loss - exact.energy_loss).abs() < tolerance * balance.energies[0], "{kind}: lost {loss}");
    }
}

/// Two free spinning bodies, an ellipsoid and a sphere, that hit each other obliquely, with friction.
#[test]
fn oblique_collision_conserves_momentum_and_loses_energy() {
    let spec = ModelSpec {
        name: "oblique".into(),
        gravity: Vec3::zeros(),
        bodies: vec![body("ball", 0.4, Vec3::repeat(2e-4)), body("egg", 0.9, Vec3::new(9e-4, 6e-4, 11e-4))],
        joints: vec![
            joint(
                "ball",
                JointKind::Free,
                Vec3::zeros(),
                free_q(&Vec3::new(0.2, 0.1, -0.4), &Vec3::zeros()),
                vec![3.0, -2.0, 5.0, 1.0, 0.3, -0.2],
            ),
            joint(
                "egg",
                JointKind::Free,
                Vec3::zeros(),
                free_q(&Vec3::new(1.0, -0.6, 0.3), &Vec3::new(0.11, 0.02, -0.015)),
                vec![-4.0, 6.0, 1.0, -0.5, 0.1, 0.4],
            ),
        ],
        constraints: Vec::new(),
    };
    let p = LawParameters { stiffness: 2e6, restitution: 0.6, ..Default::default() };
    for (law, friction, conservative) in [
        ("hertz", None, true),
        ("exact-restitution", None, false),
        ("exact-restitution", Some(Friction::new(0.6, 0.4, 1e-2, 3e-2).unwrap()), false),
    ] {
        let model = build(&spec, |model| {
            let ball =
                (frame(model, "ball", Pose::translation(Vec3::new(0.003, 0.0, 0.001))), Shape::sphere(0.03).unwrap());
            let egg_pose = Pose::new(rotation_matrix(&Vec3::new(0.1, 0.2, 0.3)), Vec3::new(0.0, 0.002, 0.0));
            let egg = (frame(model, "egg", egg_pose), Shape::ellipsoid(Vec3::new(0.05, 0.03, 0.04)).unwrap());
            ContactForce::new("knock", ball, egg, NormalLaw::from_name(law, &p).unwrap(), friction).unwrap()
        });
        let mut balance = Balance::default();
        let times: Vec<f64> = (0..200).map(|k| 5e-4 * f64::from(k)).collect();
        let report =
            run(&model, 0.1, Options { h_max: 1e-4, ..Options::tolerances(1e-11, 1e-13) }, &times, &mut balance);
        assert_eq!(report.impacts.len(), 1, "{law}");
        let (first, energy) = (balance.momenta[0], balance.energies[0]);
        for momentum in &balance.momenta {
            assert!((momentum.f - first.f).norm() < 1e-11 * first.f.norm(), "{law}: linear");
            assert!((momentum.n - first.n).norm() < 1e-10 * first.n.norm(), "{law}: angular");
        }
        let lost = 1.0 - balance.energies.last().unwrap() / energy;
        if conservative {
            let worst = balance.energies.iter().map(|e| (e / energy - 1.0).abs()).fold(0.0, f64::max);
            assert!(worst < 1e-8, "{law}: energy off by {worst:e}");
        } else {
            assert!(lost > 0.01 && balance.energies.windows(2).all(|w| w[1] <= w[0] + 1e-10 * energy), "{law}: {lost}");
        }
    }
}

/// A tumbling ellipsoid bounces on a tilted plane: force, depth rate and potential belong together.
#[test]
fn elastic_bounce_on_a_tilted_plane_conserves_energy() {
    let spec = ModelSpec {
        name: "bounce".into(),
        gravity: Vec3::new(0.0, -GRAVITY, 0.0),
        bodies: vec![body("egg", 0.9, Vec3::new(9e-4, 6e-4, 11e-4))],
        joints: vec![joint(
            "egg",
            JointKind::Free,
            Vec3::zeros(),
            free_q(&Vec3::new(1.0, -0.6, 0.3), &Vec3::new(0.3, 0.2, -0.1)),
            vec![-4.0, 6.0, 1.0, -0.5, 0.1, 0.4],
        )],
        constraints: Vec::new(),
    };
    let p = LawParameters { stiffness: 1e6, ..Default::default() };
    let model = build(&spec, |model| {
        let floor = Pose::new(rotation_matrix(&Vec3::new(0.2, 0.5, -0.3)), Vec3::new(0.1, 0.02, 0.0));
        let egg = (frame(model, "egg", Pose::identity()), Shape::ellipsoid(Vec3::new(0.05, 0.03, 0.04)).unwrap());
        let law = NormalLaw::from_name("hertz", &p).unwrap();
        ContactForce::new("floor", egg, (frame(model, GROUND, floor), Shape::Plane), law, None).unwrap()
    });
    let mut balance = Balance::default();
    let times: Vec<f64> = (0..300).map(|k| 2e-3 * f64::from(k)).collect();
    let report = run(&model, 0.6, Options { h_max: 2e-4, ..Options::tolerances(1e-11, 1e-13) }, &times, &mut balance);
    assert!(report.impacts.len() >= 2, "{} impacts", report.impacts.len());
    let kinetic_scale = 0.9 * GRAVITY * 0.2;
    for energy in &balance.energies {
        assert!((energy - balance.energies[0]).abs() < 1e-8 * kinetic_scale, "{energy}");
    }
}

const BALL_MASS: f64 = 2.0;
const BALL_RADIUS: f64 = 0.1;
const BALL_INERTIA: f64 = 0.4 * BALL_MASS * BALL_RADIUS * BALL_RADIUS;

/// A solid ball on a plane tilted by `theta`, in rest normal to it; the slope faces a general direction.
fn ball_on_slope(theta: f64, mu: f64, sliding_speed: f64) -> (Model, Vec3, f64) {
    let law = ImpactFunction::new(1e6, 1.5, 2e3, 1e-4).unwrap();
    let tilt = rotation_matrix(&Vec3::new(0.0, 0.7, 0.0)) * rotation_matrix(&Vec3::new(0.0, 0.0, -theta));
    let (downhill, normal): (Vec3, Vec3) = (tilt.column(0).into(), tilt.column(1).into());
    let depth = (BALL_MASS * GRAVITY * theta.cos() / 1e6).powf(1.0 / 1.5);
    let v = downhill * sliding_speed;
    let spec = ModelSpec {
        name: "slope".into(),
        gravity: Vec3::new(0.0, -GRAVITY, 0.0),
        bodies: vec![body("ball", BALL_MASS, Vec3::repeat(BALL_INERTIA))],
        joints: vec![joint(
            "ball",
            JointKind::Free,
            Vec3::zeros(),
            free_q(&Vec3::zeros(), &(normal * (BALL_RADIUS - depth))),
            vec![0.0, 0.0, 0.0, v.x, v.y, v.z],
        )],
        constraints: Vec::new(),
    };
    let model = build(&spec, |model| {
        let plane = (frame(model, GROUND, Pose::new(tilt, Vec3::zeros())), Shape::Plane);
        let ball = (frame(model, "ball", Pose::identity()), Shape::sphere(BALL_RADIUS).unwrap());
        let friction = Friction::new(mu, mu, 1e-3, 1e-3).unwrap();
        ContactForce::new("slope", plane, ball, NormalLaw::Impact(law), Some(friction)).unwrap()
    });
    (model, downhill, depth)
}

#[test]
fn sliding_ball_accelerates_by_the_friction_law() {
    let (theta, mu, speed, t): (f64, f64, f64, f64) = (0.6, 0.15, 1.0, 0.05);
    let (model, downhill, depth) = ball_on_slope(theta, mu, speed);
    let report = run(&model, t, Options::tolerances(1e-10, 1e-12), &[], &mut ());
    // slip stays above 0.9 m/s, so friction is μ N throughout and does not depend on the spin
    let acceleration = GRAVITY * (theta.sin() - mu * theta.cos());
    let v = Vec3::new(report.v[3], report.v[4], report.v[5]);
    close(v.dot(&downhill), speed + acceleration * t, 1e-9, "speed");
    let lever = BALL_RADIUS - 0.5 * depth;
    let spin = mu * BALL_MASS * GRAVITY * theta.cos() * lever / BALL_INERTIA * t;
    let w = Vec3::new(report.v[0], report.v[1], report.v[2]);
    close(w.norm(), spin, 1e-9, "spin");
}

#[test]
fn rolling_ball_accelerates_by_five_sevenths() {
    // grip enough to roll: tan θ < 7 μ/2
    let (theta, mu): (f64, f64) = (0.2, 0.5);
    let (model, downhill, depth) = ball_on_slope(theta, mu, 0.0);
    let velocity = |t: f64| {
        let report = run(&model, t, Options::tolerances(1e-10, 1e-12), &[], &mut ());
        Vec3::new(report.v[3], report.v[4], report.v[5]).dot(&downhill)
    };
    // after 0.2 s the slip has settled to the creep that carries the friction force (time constant 1 ms)
    let acceleration = (velocity(0.4) - velocity(0.2)) / 0.2;
    let lever = BALL_RADIUS - 0.5 * depth;
    let exact = GRAVITY * theta.sin() / (1.0 + BALL_INERTIA / (BALL_MASS * lever * lever));
    close(acceleration, exact, 1e-8, "rolling");
    close(exact, GRAVITY * theta.sin() * 5.0 / 7.0, 0.01, "the textbook value, for a hard ball");
}

/// Reads penetration and its rate at the sample times.
#[derive(Default)]
struct Penetration(Vec<(f64, f64)>);

impl Recorder for Penetration {
    fn sample(&mut self, system: &mut System<'_>, t: f64, q: &[f64], v: &[f64]) {
        let at = system.instant(t, q, v, Some(0));
        let indentation = system.model.forces()[0].contact().unwrap().indentation(&at);
        self.0.push((indentation.depth, indentation.rate));
    }
}

#[test]
fn drop_on_the_impact_function_matches_the_reference() {
    // independent reference solution: 39 kg dropped at 0.1 m/s; tolerance of the reference 1e-5
    let expected = [
        (1e-4, 1.0042831095893265e-05, 0.10073432167941544),
        (1e-3, 7.757119895418981e-05, 0.03654508495112513),
        (1e-2, 0.00012575042983760441, 0.003823343738035),
        (0.1, 0.0004683019444894205, 0.003778894250024931),
        (0.5, 0.0018326834724445844, 0.002874840524253511),
    ];
    let spec = ModelSpec {
        name: "drop".into(),
        gravity: Vec3::new(0.0, -GRAVITY, 0.0),
        bodies: vec![body("foot", 39.0, Vec3::repeat(1.0))],
        joints: vec![joint(
            "foot",
            JointKind::Slider { axis: Vec3::y() },
            Vec3::new(0.3, 0.0, 0.1),
            vec![0.05],
            vec![-0.1],
        )],
        constraints: Vec::new(),
    };
    let model = build(&spec, |model| {
        let foot = (frame(model, "foot", Pose::identity()), Shape::sphere(0.05).unwrap());
        let law = NormalLaw::Impact(ImpactFunction::new(1e8, 2.2, 1e5, 1e-4).unwrap());
        ContactForce::new("ground", foot, (frame(model, GROUND, Pose::identity()), Shape::Plane), law, None).unwrap()
    });
    let mut seen = Penetration::default();
    run(&model, 0.5, Options::tolerances(1e-9, 1e-13), &expected.map(|(t, _, _)| t), &mut seen);
    for ((t, depth, rate), (got_depth, got_rate)) in expected.into_iter().zip(seen.0) {
        close(got_depth, depth, 1e-5, &format!("penetration at {t} s"));
        close(got_rate, rate, 1e-5, &format!("rate at {t} s"));
    }
}

#[test]
fn a_contact_acts_from_first_touch_to_separation() {
    for kind in LawKind::ALL {
        let p = LawParameters {
            stiffness: 1e8,
            effective_mass: Some(0.046),
            restitution: 0.5,
            damping: Some(300.0),
            full_damping_depth: 1e-4,
            end: KelvinVoigtEnd::IndentationZero,
            ..Default::default()
        };
        let model = colliding_spheres(NormalLaw::new(kind, &p).unwrap());
        let mut system = System::new(&model);
        let force = |system: &mut System<'_>, overlap: f64, approach: Option<f64>| {
            let (q, v) = ([0.0005 + 0.5 * overlap, -0.0005 - 0.5 * overlap], [0.15, -0.15]);
            system.approach_speeds[0] = approach;
            system.update_kinematics(&q, &v);
            model.forces()[0].contact().unwrap().normal_force(&system.instant(0.0, &q, &v, Some(0)))
        };
        assert_eq!(force(&mut system, 1e-5, None), 0.0, "{kind}");
        assert!(force(&mut system, 1e-5, Some(0.3)) > 0.0, "{kind}");
        assert_eq!(force(&mut system, -1e-5, None), 0.0, "{kind}");
        // a closed contact that rounding opened still feels the damper
        let at_touch = force(&mut system, -1e-16, Some(0.3));
        close(at_touch, if kind == LawKind::KelvinVoigt { 90.0 } else { 0.0 }, 1e-3, kind.name());
    }
}

#[test]
fn one_body_cannot_touch_itself() {
    let model = colliding_spheres(
        NormalLaw::from_name("hertz", &LawParameters { stiffness: 1.0, ..Default::default() }).unwrap(),
    );
    let here = frame(&model, "first", Pose::identity());
    let sphere = Shape::sphere(0.1).unwrap();
    let law = NormalLaw::from_name("hooke", &LawParameters { stiffness: 1.0, ..Default::default() }).unwrap();
    let error = ContactForce::new("self", (here, sphere), (here, sphere), law, None).unwrap_err();
    assert!(matches!(&error, ContactError::SameBody { name } if name == "self"), "{error}");
    let other = frame(&model, "second", Pose::identity());
    let contact = ContactForce::new("pair", (here, sphere), (other, sphere), law, None).unwrap();
    assert_eq!(contact.name(), "pair");
    assert!(contact.contact().is_some());
}

/// A fast collision of light bodies: one step of free flight is longer than the whole contact. Trial steps that overshoot must not
/// find a world without forces behind the contact.
#[test]
fn a_stiff_contact_is_not_flown_through() {
    for speed in [0.3, 25.0, 400.0] {
        let p = LawParameters { stiffness: 3.13e7, ..Default::default() };
        let law = NormalLaw::new(LawKind::Hooke, &p).unwrap();
        let model = colliding_spheres(law);
        let v0: Vec<f64> = model.v0.iter().map(|v| v * speed / 0.3).collect();
        let settings = Settings {
            integrator: Integrator::Ode(Method::Dop853, Options::tolerances(1e-11, 1e-14)),
            constraints: ConstraintHandling::None,
            t_start: 0.0,
            t_end: 0.1,
            until_rest: None,
            assemble: true,
        };
        let report = simulate(&model, &settings, &model.q0, &v0, &[], &mut ()).unwrap();
        assert_eq!(report.impacts.len(), 1);
        close(report.impacts[0].separation.unwrap(), speed, 1e-8, "speed of separation");
    }
}

/// A block with a round profile on a slider above a flat one, 1 mm apart, at 0.3 m/s.
fn falling_profile(law: NormalLaw, subsurface: Option<Subsurface>) -> Model {
    let spec = ModelSpec {
        name: "falling profile".into(),
        gravity: Vec3::zeros(),
        bodies: vec![body("block", 0.5, Vec3::repeat(1e-4))],
        joints: vec![joint("block", JointKind::Slider { axis: Vec3::y() }, Vec3::y() * 0.001, vec![0.0], vec![-0.3])],
        constraints: Vec::new(),
    };
    let arc = |k: usize| {
        let turn = -0.8 + 0.04 * k as f64;
        [0.03 * turn.sin(), 0.03 * (1.0 - turn.cos())]
    };
    let round = Arc::new(Profile::open(&(0..41).map(arc).collect::<Vec<_>>()).unwrap());
    let flat = Arc::new(Profile::open(&[[0.1, 0.0], [0.03, 0.0], [-0.03, 0.0], [-0.1, 0.0]]).unwrap());
    build(&spec, |model| {
        let frames = [frame(model, GROUND, Pose::identity()), frame(model, "block", Pose::identity())];
        let pair = Arc::new(ProfilePair::new(flat, round));
        let contact = ContactForce::between("impact", frames, pair, law, None).unwrap();
        subsurface.map_or(contact.clone(), |layer| contact.with_subsurface(layer))
    })
}

#[test]
fn profiles_rebound_as_the_law_says() {
    for kind in LawKind::ALL {
        let p = LawParameters {
            stiffness: 1e6,
            restitution: 0.7,
            effective_mass: Some(0.5),
            damping: (kind == LawKind::Impact).then_some(20.0),
            full_damping_depth: 1e-4,
            ..Default::default()
        };
        let law = NormalLaw::new(kind, &p).unwrap();
        let exact = Collision::solve(&law, 0.5, 0.3).unwrap();
        let model = falling_profile(law, None);
        let options =
            Options { h_max: exact.duration / 20.0, event_tolerance: 0.0, ..Options::tolerances(1e-11, 1e-15) };
        let report = run(&model, 0.001 / 0.3 + 1.5 * exact.duration, options, &[], &mut ());
        let impact = &report.impacts[0];
        close(impact.depth_max, exact.depth_max, COLLISION_TOLERANCE, kind.name());
        close(impact.separation.unwrap() / 0.3, exact.restitution, COLLISION_TOLERANCE, kind.name());
    }
}

#[test]
fn a_layer_below_carries_in_addition_and_conserves_energy() {
    let hertz = |stiffness: f64| NormalLaw::Hertz(wolff_contact::law::Elastic::hertz(stiffness, 1.5).unwrap());
    let (soft, hard, thickness) = (1e6, 1e8, 2e-4);
    let layer = Subsurface::new(thickness, hertz(hard)).unwrap();
    let model = falling_profile(hertz(soft), Some(layer));
    let mut balance = Balance::default();
    let times: Vec<f64> = (0..200).map(|k| 1e-4 * k as f64).collect();
    let report = run(&model, 0.02, Options::tolerances(1e-11, 1e-15), &times, &mut balance);
    let impact = &report.impacts[0];
    // the energy of the fall is in both layers at the deepest point
    let stored = |depth: f64| soft * depth.powf(2.5) / 2.5 + hard * (depth - thickness).powf(2.5) / 2.5;
    close(stored(impact.depth_max), 0.5 * 0.5 * 0.3 * 0.3, 1e-7, "energy at the deepest point");
    let force = soft * impact.depth_max.powf(1.5) + hard * (impact.depth_max - thickness).powf(1.5);
    close(impact.force_max, force, 1e-7, "force of both layers");
    let first = balance.energies[0];
    assert!(balance.energies.iter().all(|e| (e - first).abs() < 1e-9 * first), "{:?}", balance.energies);
    assert!(Subsurface::new(0.0, hertz(1.0)).is_err() && Subsurface::new(f64::NAN, hertz(1.0)).is_err());
}
