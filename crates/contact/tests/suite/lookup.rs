//! Surfaces from tables against the exact shapes they were taken from.

use crate::support::rotation_matrix;
use std::sync::Arc;
use wolff_contact::lookup::{FileSource, Form, FormSource, TableSource, write_table};
use wolff_contact::{ContactPair, Shape, ShapePair, SurfaceTable, TablePair};
use wolff_spatial::{Pose, Vec3};

const AXES: Vec3 = Vec3::new(0.024, 0.021, 0.016);

fn ellipsoid(points: usize) -> Arc<dyn TableSource> {
    let form = Form::Ellipsoid { semi_axes: AXES, turn: 2.0, tilt: 1.2 };
    Arc::new(FormSource::new(form, [points, points]).unwrap())
}

fn dish(points: usize, curvatures: [f64; 2]) -> Arc<dyn TableSource> {
    let form = Form::Dish { curvatures, half_extent: [0.04, 0.03] };
    Arc::new(FormSource::new(form, [points, points]).unwrap())
}

fn table(source: Arc<dyn TableSource>) -> SurfaceTable {
    SurfaceTable::new(source, 16).unwrap()
}

/// The ellipsoid rolls and tilts over the floor.
fn pose(k: usize) -> Pose {
    let s = k as f64 / 50.0;
    let rotation = Vec3::new(0.3 * (3.0 * s).sin(), 0.2 * s, 0.9 * (2.0 * s).sin());
    Pose::new(rotation_matrix(&rotation), Vec3::new(0.02 * s - 0.01, 0.0205, 0.01 * (4.0 * s).cos()))
}

/// Largest error of depth [m] and normal over a motion, against the closed form of ellipsoid and plane.
fn errors(points: usize) -> (f64, f64) {
    let pair = TablePair::new(table(dish(points, [0.0, 0.0])), table(ellipsoid(points)));
    let exact = ShapePair::new(Shape::Plane, Shape::ellipsoid(AXES).unwrap()).unwrap();
    let X = Pose::new(rotation_matrix(&Vec3::new(0.4, 0.9, -0.3)), Vec3::new(0.1, -0.2, 0.3));
    let mut worst = (0.0_f64, 0.0_f64);
    for k in 0..50 {
        let (a, b) = (X, X * pose(k));
        let (got, want) = (pair.proximity(&a, &b), exact.proximity(&a, &b, None));
        worst = (worst.0.max((got.depth - want.depth).abs()), worst.1.max((got.normal - want.normal).norm()));
    }
    worst
}

#[test]
fn the_error_falls_with_the_third_power_of_the_spacing() {
    let coarse = errors(60);
    let fine = errors(240);
    assert!(coarse.0 < 2e-7, "{coarse:?}");
    assert!(fine.0 < coarse.0 / 30.0, "64 expected: {coarse:?} {fine:?}");
    assert!(fine.1 < 1e-9, "the floor is flat, its normal exact: {fine:?}");
}

#[test]
fn a_sphere_in_a_dish_finds_the_point_of_the_dish_nearest_to_its_centre() {
    let (radius, curvatures) = (0.015, [8.0, -5.0]);
    let form = Form::Ellipsoid { semi_axes: Vec3::repeat(radius), turn: 2.0, tilt: 1.2 };
    let ball = Arc::new(FormSource::new(form, [400, 400]).unwrap());
    let pair = TablePair::new(table(dish(400, curvatures)), table(ball));
    for k in 0..20 {
        let centre = Vec3::new(0.001 * k as f64 - 0.008, 0.0145, 0.0005 * k as f64);
        let found = pair.proximity(&Pose::identity(), &Pose::translation(centre));
        // gradient of the distance on the dish
        let (mut x, mut z) = (centre.x, centre.z);
        for _ in 0..60 {
            let y = 0.5 * (curvatures[0] * x * x + curvatures[1] * z * z);
            let rise = centre.y - y;
            x = (centre.x + x * curvatures[0] * rise + x) / 2.0;
            z = (centre.z + z * curvatures[1] * rise + z) / 2.0;
        }
        let nearest = Vec3::new(x, 0.5 * (curvatures[0] * x * x + curvatures[1] * z * z), z);
        let depth = radius - (centre - nearest).norm();
        // third-order error of the ball: (4/400)³ of its radius over some tens
        assert!((found.depth - depth).abs() < 2e-9, "{k}: {} {depth}", found.depth);
        assert!((found.point_a - nearest).norm() < 1e-6, "{k}: {:?} {nearest:?}", found.point_a);
    }
}

#[test]
fn the_depth_is_smooth_from_cell_to_cell() {
    let pair = TablePair::new(table(dish(80, [6.0, 3.0])), table(ellipsoid(80)));
    let at = |x: f64| pair.proximity(&Pose::identity(), &Pose::translation(Vec3::new(x, 0.0205, 0.001)));
    let step = 2e-6;
    let mut last = at(0.0);
    for k in 1..2000 {
        let now = at(step * k as f64);
        let slope = -0.5 * (now.normal.x + last.normal.x);
        let error = (now.depth - last.depth) / step - slope;
        assert!(error.abs() < 1e-7, "step {k}: slope off by {error:e}");
        last = now;
    }
}

/// Points read by a pair along a motion.
fn work(points: usize) -> (usize, usize) {
    let (a, b) = (table(dish(points, [0.0, 0.0])), table(ellipsoid(points)));
    let coarse = a.coarse_count() + b.coarse_count();
    let pair = TablePair::new(a, b);
    for k in 0..500 {
        let turn = 2e-4 * k as f64;
        let at = Pose::new(rotation_matrix(&Vec3::new(0.0, 0.0, turn)), Vec3::new(1e-6 * k as f64, 0.0205, 0.0));
        pair.proximity(&Pose::identity(), &at);
    }
    let work = pair.work();
    assert_eq!(work.searches, 1, "after the first search the contact is followed");
    (coarse, work.points_read)
}

#[test]
fn the_price_does_not_depend_on_the_size_of_the_table() {
    let (small_coarse, small) = work(100);
    let (large_coarse, large) = work(1000);
    assert_eq!(small_coarse, large_coarse);
    // a hundred times the points; the contact crosses ten times the cells, a window of 16 moves every six
    assert!(large < 12 * small && large < 40_000, "{small} and {large} of a million");
    let still = |points: usize| {
        let pair = TablePair::new(table(dish(points, [0.0, 0.0])), table(ellipsoid(points)));
        (0..200).for_each(|_| _ = pair.proximity(&Pose::identity(), &pose(7)));
        pair.work().points_read
    };
    assert!(still(1000) <= 2 * still(100), "{} {}", still(1000), still(100));
}

#[test]
fn a_file_gives_the_same_answers_as_the_formula() {
    let path = std::env::temp_dir().join(format!("wolff-table-{}.bin", std::process::id()));
    write_table(&path, &*ellipsoid(60)).unwrap();
    let from_file = TablePair::new(table(dish(60, [0.0, 0.0])), table(Arc::new(FileSource::open(&path).unwrap())));
    let from_form = TablePair::new(table(dish(60, [0.0, 0.0])), table(ellipsoid(60)));
    for k in 0..50 {
        let (a, b) = (Pose::identity(), pose(k));
        assert_eq!(from_file.proximity(&a, &b), from_form.proximity(&a, &b));
    }
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 8]).unwrap();
    let message = FileSource::open(&path).unwrap_err().to_string();
    assert!(message.contains("60 x 60 points take 86416 bytes, it has 86408"), "{message}");
    std::fs::write(&path, b"not a table, not at all").unwrap();
    assert!(FileSource::open(&path).unwrap_err().to_string().contains("WOLFFTAB"));
    std::fs::remove_file(&path).unwrap();
    assert!(FileSource::open(&path).is_err());
}

#[test]
fn surfaces_without_common_normal_are_apart_and_broken_poses_are_seen() {
    let pair = TablePair::new(table(dish(60, [0.0, 0.0])), table(ellipsoid(60)));
    let beside = Pose::translation(Vec3::new(0.3, 0.01, 0.0));
    let found = pair.proximity(&Pose::identity(), &beside);
    assert!(found.depth < -0.2 && found.depth.is_finite(), "{found:?}");
    let broken = Pose::translation(Vec3::new(f64::NAN, 0.0, 0.0));
    assert!(pair.proximity(&Pose::identity(), &broken).depth.is_nan());
}

#[test]
fn tables_that_cannot_be_used_are_refused() {
    let says = |result: Result<SurfaceTable, wolff_contact::ContactError>, what: &str| {
        let message = result.unwrap_err().to_string();
        assert!(message.contains(what), "{message}");
    };
    says(SurfaceTable::new(dish(30, [0.0, 0.0]), 31), "a window of 31 points does not fit into 30 x 30");
    says(SurfaceTable::new(dish(30, [0.0, 0.0]), 3), "from 6 to 30");
    says(SurfaceTable::new(dish(3, [0.0, 0.0]), 3), "at least 4");
    let bad = [
        Form::Ellipsoid { semi_axes: Vec3::new(0.0, 1.0, 1.0), turn: 1.0, tilt: 1.0 },
        Form::Ellipsoid { semi_axes: Vec3::repeat(1.0), turn: 4.0, tilt: 1.0 },
        Form::Ellipsoid { semi_axes: Vec3::repeat(1.0), turn: 1.0, tilt: 1.6 },
        Form::Dish { curvatures: [f64::NAN, 0.0], half_extent: [1.0, 1.0] },
        Form::Dish { curvatures: [0.0, 0.0], half_extent: [1.0, f64::INFINITY] },
    ];
    bad.into_iter().for_each(|form| assert!(FormSource::new(form, [10, 10]).is_err(), "{form:?}"));
    assert!(FormSource::new(Form::Dish { curvatures: [0.0, 0.0], half_extent: [1.0, 1.0] }, [1, 10]).is_err());
}
