use crate::{ROUNDING, pose, vector};
use proptest::prelude::*;
use wolff_spatial::{
    ArticulatedInertia, Force, InertiaError, MassProperties, Mat3, Motion, Pose, SpatialInertia, Vec3,
};

fn dumbbell() -> [(f64, Vec3); 4] {
    [
        (1.0, Vec3::new(0.3, 0.1, -0.2)),
        (2.0, Vec3::new(-0.4, 0.5, 0.1)),
        (0.5, Vec3::new(0.2, -0.6, 0.4)),
        (1.5, Vec3::new(0.1, 0.2, 0.7)),
    ]
}

/// Mass properties of some point masses by their definition.
fn of_points(points: &[(f64, Vec3)]) -> MassProperties {
    let mass: f64 = points.iter().map(|(m, _)| m).sum();
    let com: Vec3 = points.iter().map(|(m, p)| p * *m).sum::<Vec3>() / mass;
    let shift = |(m, p): &(f64, Vec3)| {
        let r = p - com;
        (Mat3::identity() * r.norm_squared() - r * r.transpose()) * *m
    };
    MassProperties::new(mass, com, points.iter().map(shift).sum()).unwrap()
}

proptest! {
    /// Momentum of a body of point masses: sum of m v and r × m v over the points.
    #[test]
    fn momentum_is_that_of_the_points(X in pose(), w in vector(), v in vector()) {
        let motion = Motion::new(w, v);
        let body = of_points(&dumbbell()).spatial(&X.R, &X.p).apply(&motion);
        let mut sum = Force::ZERO;
        for (m, p) in dumbbell() {
            let r = X.point(&p);
            sum += Force::through(&r, motion.at(&r).v * m);
        }
        prop_assert!((body.n - sum.n).norm() < 100.0 * ROUNDING && (body.f - sum.f).norm() < 100.0 * ROUNDING);
    }

    #[test]
    fn articulated_form_is_the_same_map(X in pose(), w in vector(), v in vector()) {
        let I: SpatialInertia = of_points(&dumbbell()).spatial(&X.R, &X.p);
        let motion = Motion::new(w, v);
        let (a, b) = (ArticulatedInertia::from(&I).apply(&motion), I.apply(&motion));
        prop_assert!((a.n - b.n).norm() < 100.0 * ROUNDING && (a.f - b.f).norm() < 100.0 * ROUNDING);
    }

    /// A body that may move freely along S carries nothing along S.
    #[test]
    fn elimination_frees_the_column(X in pose(), w in vector(), v in vector()) {
        let mut IA = ArticulatedInertia::from(&of_points(&dumbbell()).spatial(&X.R, &X.p));
        let S = Motion::new(w, v);
        let U = IA.apply(&S);
        let D = S.dot(&U);
        prop_assume!(D > 0.1);
        IA.subtract_outer(&U, 1.0 / D);
        prop_assert!(IA.apply(&S).n.norm() < 1e-9 && IA.apply(&S).f.norm() < 1e-9);
    }
}

#[test]
fn impossible_bodies_are_refused() {
    let new = |mass, d: [f64; 3]| MassProperties::new(mass, Vec3::zeros(), Mat3::from_diagonal(&Vec3::from(d)));
    assert!(matches!(new(-1.0, [1.0; 3]), Err(InertiaError::Mass(_))));
    assert!(matches!(new(f64::NAN, [1.0; 3]), Err(InertiaError::Mass(_))));
    assert!(matches!(new(1.0, [1.0, 1.0, 2.1]), Err(InertiaError::Triangle(_))));
    assert!(matches!(new(1.0, [-1.0, 1.0, 1.0]), Err(InertiaError::Triangle(_))));
    assert!(matches!(new(1.0, [f64::NAN; 3]), Err(InertiaError::NotFinite)));
    let mut skewed = Mat3::identity();
    skewed[(0, 1)] = 0.1;
    assert!(matches!(MassProperties::new(1.0, Vec3::zeros(), skewed), Err(InertiaError::NotSymmetric)));
    // a slender rod and a point are bodies
    assert!(new(1.0, [0.0, 1.0, 1.0]).is_ok());
    assert!(MassProperties::point(1.0, Vec3::zeros()).is_ok());
}

/// Two halves of a rod of 2 kg and 1 m make the rod (m l²/12 across it), and a body seen from elsewhere and back is the same.
#[test]
fn masses_join_and_may_be_seen_from_elsewhere() {
    let half = |x: f64| {
        let across = 1.0 * 0.5_f64.powi(2) / 12.0;
        MassProperties::new(1.0, Vec3::new(x, 0.0, 0.0), Mat3::from_diagonal(&Vec3::new(0.0, across, across))).unwrap()
    };
    let rod = half(0.25).joined(&half(0.75));
    assert!((rod.mass - 2.0).abs() < 1e-15 && (rod.com - Vec3::new(0.5, 0.0, 0.0)).norm() < 1e-15);
    let across = 2.0 / 12.0;
    assert!((rod.inertia - Mat3::from_diagonal(&Vec3::new(0.0, across, across))).norm() < 1e-15);
    let turn = Mat3::new(0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
    let X = Pose::new(turn, Vec3::new(0.3, -0.2, 0.7));
    let back = rod.seen_from(&X).seen_from(&X.inverse());
    assert!((back.com - rod.com).norm() < 1e-15 && (back.inertia - rod.inertia).norm() < 1e-15);
    // the rod now lies along y
    assert!((rod.seen_from(&X).inertia[(1, 1)]).abs() < 1e-15);
    let nothing = MassProperties::point(0.0, Vec3::zeros()).unwrap();
    assert_eq!(nothing.joined(&nothing).mass, 0.0);
}
