//! The search, its memory, threads and bad input.

use super::*;
use crate::support::{close, rotation_matrix};
use wolff_contact::ContactError;
use wolff_geometry::{Bounds, Hit, Place, SurfacePoint};
use wolff_spatial::Mat3;

/// Two balls as one surface, like the condyles of a knee.
#[derive(Debug)]
struct Condyles([Sphere; 2]);

impl Condyles {
    fn surface() -> Arc<dyn Surface> {
        let ball = |x: f64| Sphere::new(Vec3::new(x, 0.0, 0.0) * MM, 20.0 * MM).unwrap();
        Arc::new(Condyles([ball(-12.0), ball(12.0)]))
    }

    fn tagged(k: usize, point: SurfacePoint) -> SurfacePoint {
        SurfacePoint { place: Place { patch: k as u32, ..point.place }, ..point }
    }
}

impl Surface for Condyles {
    fn closest(&self, p: &Vec3) -> Option<SurfacePoint> {
        let [a, b] = [0, 1].map(|k| self.0[k].closest(p).map(|x| Self::tagged(k, x)));
        match (a, b) {
            (Some(a), Some(b)) => Some(if a.signed_distance(p) <= b.signed_distance(p) { a } else { b }),
            _ => a.or(b),
        }
    }

    fn closest_from(&self, p: &Vec3, _: &Place) -> Option<SurfacePoint> {
        self.closest(p)
    }

    fn ray(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Option<Hit> {
        let hits = [0, 1]
            .map(|k| self.0[k].ray(origin, direction, range).map(|h| Hit { point: Self::tagged(k, h.point), ..h }));
        hits.into_iter().flatten().min_by(|a, b| a.t.abs().total_cmp(&b.t.abs()))
    }

    fn ray_from(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64), _: &Place) -> Option<Hit> {
        self.ray(origin, direction, range)
    }

    fn at(&self, place: &Place) -> Option<SurfacePoint> {
        self.0.get(place.patch as usize)?.at(place)
    }

    fn shape_operator(&self, place: &Place) -> Mat3 {
        self.0[place.patch as usize].shape_operator(place)
    }

    fn bounds(&self) -> Bounds {
        let [a, b] = [self.0[0].bounds(), self.0[1].bounds()];
        Bounds { min: a.min.inf(&b.min), max: a.max.sup(&b.max) }
    }
}

/// A rocking motion: one side, both, the other, none, both.
fn rocking(t: f64) -> Pose {
    let lift = if (0.55..0.65).contains(&t) { 3.0 * MM } else { 0.0 };
    let R = rotation_matrix(&Vec3::new(0.0, 0.04 * (17.0 * t).sin(), 0.3 * t));
    Pose::new(R, Vec3::new(2.0 * (9.0 * t).sin() * MM, 1.0 * MM, 19.85 * MM + lift))
}

#[test]
fn memory_changes_the_cost_and_not_the_result() {
    for compartments in [1, 2] {
        let set = match compartments {
            1 => flat_layer(40, 22.0 * MM, 8.0 * MM),
            _ => halves(),
        };
        let total = set.elements.len();
        let pair = pair(set, Condyles::surface(), polyethylene(Strain::Small), FoundationSettings::default());
        let mut memory = pair.memory();
        let (mut queries, mut both, mut none) = (0, 0, 0);
        for k in 0..400 {
            let X = rocking(k as f64 / 400.0);
            let warm = pair.evaluate(&mut memory, &X, &Motion::ZERO).unwrap().clone();
            let cold = at(&pair, &X);
            assert_eq!((warm.total.on_moving, &warm.pressures), (cold.total.on_moving, &cold.pressures), "step {k}");
            queries += warm.total.queries;
            let left = pair.elements().elements.iter().zip(&warm.pressures).any(|(e, p)| e.centre.x < 0.0 && *p > 0.0);
            let right = pair.elements().elements.iter().zip(&warm.pressures).any(|(e, p)| e.centre.x > 0.0 && *p > 0.0);
            both += usize::from(left && right);
            none += usize::from(!left && !right);
        }
        assert!(both > 20 && none > 20, "the path shows patches appear and vanish: {both}, {none}");
        let share = queries as f64 / (400 * total) as f64;
        println!("{compartments} compartments: {:.1} % of the elements are asked per step", 100.0 * share);
        assert!(share < 0.25, "{share}");
    }
}

/// Over a smooth surface elements that only slide along it are not asked; none that touches is missed.
#[test]
fn sliding_over_a_smooth_surface_asks_few() {
    let path = |t: f64| {
        let R = rotation_matrix(&Vec3::new(0.3 * (5.0 * t).sin(), 0.5 * t, 0.2 * t));
        Pose::new(R, Vec3::new(3.0 * (7.0 * t).sin(), 2.0 * (11.0 * t).sin(), 29.7 + 0.1 * (23.0 * t).sin()) * MM)
    };
    let condyle = wolff_geometry::knee::Condyle {
        middle: 0.0,
        distal_radius: 30.0 * MM,
        posterior_radius: 22.0 * MM,
        transition: (0.1, 0.9),
        coronal_radius: 25.0 * MM,
        sagittal_range: (-0.7, 1.5),
        coronal_reach: 0.6,
    };
    // its lowest point is below the origin as that of the ball is
    let lift = condyle.point(0.0, 0.0, 0.0) + Vec3::y() * 30.0 * MM;
    let upright = Pose::new(rotation_matrix(&Vec3::new(std::f64::consts::FRAC_PI_2, 0.0, 0.0)), Vec3::zeros());
    let condyle = condyle.surface(0.0, 1e-6).unwrap().transformed(&(upright * Pose::translation(-lift)));
    let condyle: Arc<dyn Surface> = Arc::new(wolff_geometry::NurbsPatchSet::new(&[condyle], 1e-9).unwrap());
    assert!(condyle.is_smooth());
    // the ball answers in closed form; the search on the condyle ends within rounding of the same place from any start
    for (surface, tolerance) in [(ball(30.0 * MM), 0.0), (condyle, 1e-10)] {
        let set = flat_layer(40, 12.0 * MM, 8.0 * MM);
        let pair = pair(set, surface, polyethylene(Strain::Small), FoundationSettings::default());
        let mut memory = pair.memory();
        let (mut asked, mut touching) = (0, 0);
        for k in 0..300 {
            let X = path(k as f64 / 3000.0);
            let warm = pair.evaluate(&mut memory, &X, &Motion::ZERO).unwrap().clone();
            let cold = at(&pair, &X);
            (asked, touching) = (asked + warm.total.queries, touching + cold.total.active);
            assert_eq!(warm.total.active, cold.total.active, "step {k}");
            let off = (warm.total.on_moving.f - cold.total.on_moving.f).norm();
            assert!(off <= tolerance * cold.total.on_moving.f.norm(), "step {k}: {off:e}");
        }
        println!("{asked} queries, {touching} in contact");
        assert!(touching > 300 * 30 && asked < 2 * touching);
    }
}

/// The layer as a left and a right compartment.
fn halves() -> ElementSet {
    let plane = Plane::new(Vec3::zeros(), Vec3::z()).unwrap();
    let surface = ElementSurface::Plane { origin: Vec3::zeros(), normal: Vec3::z(), along: Vec3::x() };
    let half = |name: &str, first: (f64, f64)| {
        let grid = Grid { surface, first, second: (-22.0 * MM, 22.0 * MM), counts: (20, 40) };
        grid.project(name, &plane, (-1.0, 1.0), &LayerThickness::Constant(8.0 * MM)).unwrap()
    };
    ElementSet::join([half("lateral", (-22.0 * MM, 0.0)), half("medial", (0.0, 22.0 * MM))])
}

#[test]
fn compartments_add_up_and_action_is_reaction() {
    let pair = pair(halves(), Condyles::surface(), polyethylene(Strain::Small), FoundationSettings::default());
    let X = Pose::new(rotation_matrix(&Vec3::new(0.0, 0.003, 0.2)), Vec3::new(0.3, 1.0, 19.8) * MM);
    let result = at(&pair, &X);
    let [lateral, medial] = result.compartments[..] else { panic!("two compartments") };
    assert!(lateral.on_moving.f.z > 0.0 && medial.on_moving.f.z > 0.0 && lateral.on_moving.f.z != medial.on_moving.f.z);
    assert_eq!(result.total.on_moving, lateral.on_moving + medial.on_moving);
    assert_eq!(result.total.on_fixed(), -result.total.on_moving);
    assert_eq!(result.total.active, lateral.active + medial.active);
    assert_eq!(result.total.peak_pressure, lateral.peak_pressure.max(medial.peak_pressure));
    // the wrench acts through the centre of pressure for parallel forces, and pressures sum to the force
    let centre = medial.centre_of_pressure().unwrap();
    assert!(centre.x > 0.0 && centre.z.abs() < 1e-12);
    let sum: f64 = pair.elements().elements.iter().zip(&result.pressures).map(|(e, p)| e.area * p).sum();
    close(sum, result.total.normal_force, 1e-12, "pressure map");
    close(result.total.mean_pressure() * result.total.area, result.total.normal_force, 1e-14, "mean pressure");
}

#[test]
fn threads_give_the_same_bytes() {
    let s = |threads_from| FoundationSettings { threads_from, ..FoundationSettings::default() };
    let run = |settings| {
        let pair = pair(halves(), Condyles::surface(), nonlinear(Reading::Tangent, Strain::Small), settings);
        let mut memory = pair.memory();
        let step = |k: usize| pair.evaluate(&mut memory, &rocking(k as f64 / 40.0), &Motion::ZERO).unwrap().clone();
        (0..40).map(step).collect::<Vec<_>>()
    };
    let serial = run(s(usize::MAX));
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| run(s(0))) == serial, "{threads} threads");
    }
}

#[test]
fn nothing_is_allocated_after_the_first_evaluation() {
    let pair =
        pair(halves(), Condyles::surface(), nonlinear(Reading::Tangent, Strain::Large), FoundationSettings::default());
    let mut memory = pair.memory();
    pair.evaluate(&mut memory, &rocking(0.0), &Motion::ZERO).unwrap();
    let count = allocation_counter::measure(|| {
        for k in 1..20 {
            pair.evaluate(&mut memory, &rocking(k as f64 / 20.0), &Motion::ZERO).unwrap();
            std::hint::black_box((pair.jacobian(&memory), pair.stored_energy(&memory)));
        }
    })
    .count_total;
    assert_eq!(count, 0);
}

#[test]
fn identical_and_nearby_poses_are_reused() {
    let run = |reuse_within, step: f64| {
        let s = FoundationSettings { reuse_within, ..FoundationSettings::default() };
        let pair = pair(flat_layer(20, 6.0 * MM, 8.0 * MM), ball(30.0 * MM), polyethylene(Strain::Small), s);
        let mut memory = pair.memory();
        let pose = |d: f64| pressed(0.2 * MM + d, 0.0, 0.0);
        let first = pair.evaluate(&mut memory, &pose(0.0), &Motion::ZERO).unwrap().clone();
        let second = pair.evaluate(&mut memory, &pose(step), &Motion::ZERO).unwrap();
        assert_eq!(first.total.on_moving == second.total.on_moving, second.reused);
        second.reused
    };
    assert!(run(0.0, 0.0) && !run(0.0, 1e-12) && run(1e-9, 1e-10) && !run(1e-9, 1e-8));
}

#[test]
fn surfaces_that_never_meet() {
    let pair = pair(
        flat_layer(20, 6.0 * MM, 8.0 * MM),
        ball(30.0 * MM),
        polyethylene(Strain::Large),
        FoundationSettings::default(),
    );
    for pose in [pressed(-1e-6, 0.0, 0.0), pressed(-1.0, 5.0, 0.0), pressed(0.2 * MM, 80.0 * MM, 0.0)] {
        let total = at(&pair, &pose).total;
        assert_eq!((total.on_moving.f, total.area, total.active, total.peak_pressure), (Vec3::zeros(), 0.0, 0, 0.0));
        assert_eq!((total.centre_of_pressure(), total.mean_pressure()), (None, 0.0));
    }
    assert_eq!(at(&pair, &pressed(-1.0, 5.0, 0.0)).total.queries, 0, "far surfaces cost no query");
    // the back of the ball is no contact: there the normals do not oppose
    let total = at(&pair, &Pose::translation(-Vec3::z() * 29.9 * MM)).total;
    assert_eq!(total.active, 0);
}

#[test]
fn used_up_layers_are_named() {
    let pair = pair(
        flat_layer(20, 6.0 * MM, 2.0 * MM),
        ball(30.0 * MM),
        polyethylene(Strain::Large),
        FoundationSettings::default(),
    );
    let deep = at(&pair, &pressed(2.5 * MM, 0.0, 0.0));
    assert!(deep.total.on_moving.f.z.is_finite() && deep.total.on_moving.f.z > 0.0);
    let message = deep.checked().unwrap_err().to_string();
    // 0.98 of 2 mm
    assert!(message.contains("`layer`") && message.contains("1.960 mm") && message.contains("at (0.0"), "{message}");
    assert!(at(&pair, &pressed(0.5 * MM, 0.0, 0.0)).checked().is_ok());
    // strain of more than one is no strain by either law
    for (strain, sound, deep) in [(Strain::Small, 1.99, 2.01), (Strain::Large, 1.95, 1.97)] {
        let layer = flat_layer(20, 6.0 * MM, 2.0 * MM);
        let pair = super::pair(layer, ball(30.0 * MM), polyethylene(strain), FoundationSettings::default());
        assert!(at(&pair, &pressed(sound * MM, 0.0, 0.0)).checked().is_ok(), "{strain:?}");
        assert!(at(&pair, &pressed(deep * MM, 0.0, 0.0)).checked().is_err(), "{strain:?}");
    }
}

#[test]
fn a_pose_that_is_not_finite_is_refused() {
    let pair = pair(
        flat_layer(5, 6.0 * MM, 2.0 * MM),
        ball(30.0 * MM),
        polyethylene(Strain::Small),
        FoundationSettings::default(),
    );
    let mut memory = pair.memory();
    let bad = pressed(f64::NAN, 0.0, 0.0);
    assert_eq!(pair.evaluate(&mut memory, &bad, &Motion::ZERO).err(), Some(ContactError::PoseNotFinite));
    let spin = Motion::new(Vec3::repeat(f64::INFINITY), Vec3::zeros());
    assert!(pair.evaluate(&mut memory, &pressed(0.1 * MM, 0.0, 0.0), &spin).is_err());
    assert!(pair.evaluate(&mut memory, &pressed(0.1 * MM, 0.0, 0.0), &Motion::ZERO).is_ok());
}

/// A ball of which only the half x < 0 is there.
#[derive(Debug)]
struct HalfBall(Sphere);

impl HalfBall {
    fn rimmed(point: SurfacePoint) -> SurfacePoint {
        SurfacePoint { on_rim: point.position.x > 0.0, ..point }
    }
}

impl Surface for HalfBall {
    fn closest(&self, p: &Vec3) -> Option<SurfacePoint> {
        self.0.closest(p).map(Self::rimmed)
    }

    fn closest_from(&self, p: &Vec3, _: &Place) -> Option<SurfacePoint> {
        self.closest(p)
    }

    fn ray(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64)) -> Option<Hit> {
        self.0.ray(origin, direction, range).map(|hit| Hit { point: Self::rimmed(hit.point), ..hit })
    }

    fn ray_from(&self, origin: &Vec3, direction: &Vec3, range: (f64, f64), _: &Place) -> Option<Hit> {
        self.ray(origin, direction, range)
    }

    fn at(&self, place: &Place) -> Option<SurfacePoint> {
        self.0.at(place)
    }

    fn shape_operator(&self, place: &Place) -> Mat3 {
        self.0.shape_operator(place)
    }

    fn bounds(&self) -> Bounds {
        self.0.bounds()
    }
}

#[test]
fn nothing_touches_beyond_a_rim() {
    let half: Arc<dyn Surface> = Arc::new(HalfBall(Sphere::new(Vec3::zeros(), 30.0 * MM).unwrap()));
    for distance in [Distance::Minimum, Distance::Ray] {
        let force = |surface: &Arc<dyn Surface>| {
            let s = settings(distance, Along::Midsurface, Rule::Adaptive);
            let pair = pair(flat_layer(20, 6.0 * MM, 8.0 * MM), surface.clone(), polyethylene(Strain::Small), s);
            at(&pair, &pressed(0.2 * MM, 0.0, 0.0)).total.on_moving.f.z
        };
        // the grid has an edge at x = 0
        close(force(&half), 0.5 * force(&ball(30.0 * MM)), 1e-9, "half");
    }
}

/// Strained along the ray the rate is the same everywhere, so the viscous factor is one number.
#[test]
fn viscous_factor_and_friction() {
    let law = nonlinear(Reading::Secant, Strain::Small);
    let friction = wolff_contact::Friction::new(0.3, 0.2, 0.001, 0.002).unwrap();
    let s = FoundationSettings { friction: Some(friction), ..vertical(Rule::Adaptive) };
    let set = flat_layer(20, 6.0 * MM, 8.0 * MM);
    let elastic = pair(set.clone(), ball(30.0 * MM), law, s.clone());
    let viscous = pair(set, ball(30.0 * MM), law.with_damping(5.0).unwrap(), s);
    let X = pressed(0.2 * MM, 0.4 * MM, 0.0);
    let still = at(&elastic, &X).total.on_moving.f;
    let moved = |v: Vec3| {
        let motion = Motion::new(Vec3::zeros(), v);
        viscous.evaluate(&mut viscous.memory(), &X, &motion).unwrap().total.on_moving.f
    };
    close(moved(-Vec3::z() * 0.02).z, 1.1 * still.z, 1e-12, "approach");
    close(moved(Vec3::z() * 0.02).z, 0.9 * still.z, 1e-12, "return");
    assert_eq!(moved(Vec3::z() * 0.3), Vec3::zeros(), "no pull");
    // faster than the friction transition: Coulomb
    let sliding = Motion::new(Vec3::zeros(), Vec3::y() * 0.5);
    let slid = elastic.evaluate(&mut elastic.memory(), &X, &sliding).unwrap().total.on_moving.f;
    close(slid.y, -0.2 * slid.z, 1e-12, "sliding friction");
}

#[test]
fn the_memory_of_another_pair_does_no_harm() {
    let make = |n| {
        pair(
            flat_layer(n, 6.0 * MM, 8.0 * MM),
            ball(30.0 * MM),
            polyethylene(Strain::Small),
            FoundationSettings::default(),
        )
    };
    let (a, b, X) = (make(20), make(7), pressed(0.2 * MM, 0.0, 0.0));
    let mut memory = a.memory();
    a.evaluate(&mut memory, &X, &Motion::ZERO).unwrap();
    assert_eq!((b.stored_energy(&memory), b.jacobian(&memory)), (0.0, Default::default()));
    assert_eq!(*b.evaluate(&mut memory, &X, &Motion::ZERO).unwrap(), at(&b, &X));
}

/// Contacts that feel velocity take a way of their own over the nodes; friction that does nothing must not change the force.
#[test]
fn both_ways_over_the_nodes_agree() {
    let nothing = wolff_contact::Friction::new(0.0, 0.0, 0.01, 0.05).unwrap();
    for law in [polyethylene(Strain::Small), nonlinear(Reading::Tangent, Strain::Small)] {
        for (distance, along) in [
            (Distance::Minimum, Along::Midsurface),
            (Distance::Minimum, Along::MovingNormal),
            (Distance::Ray, Along::Midsurface),
            (Distance::Ray, Along::FixedNormal),
        ] {
            let of = |friction: Option<wolff_contact::Friction>| {
                let s = FoundationSettings { friction, ..settings(distance, along, Rule::Adaptive) };
                let pair = pair(socket(16, 0.8, 22.3 * MM, 8.0 * MM), ball(22.0 * MM), law, s);
                at(&pair, &Pose::translation(Vec3::new(0.03, -0.02, -0.38) * MM)).total
            };
            let (fast, slow) = (of(None), of(Some(nothing)));
            let scale = slow.on_moving.f.norm();
            assert!(scale > 1.0);
            assert!((fast.on_moving.f - slow.on_moving.f).norm() < 1e-12 * scale);
            assert!((fast.on_moving.n - slow.on_moving.n).norm() < 1e-12 * scale * 22.0 * MM);
            assert!((fast.area - slow.area).abs() < 1e-12 * slow.area);
            assert_eq!((fast.active, fast.peak_pressure), (slow.active, slow.peak_pressure));
        }
    }
}
