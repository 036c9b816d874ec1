//! Profiles against circles and lines, whose contact is known exactly.

use crate::support::rotation_matrix;
use std::f64::consts::TAU;
use std::sync::Arc;
use wolff_contact::{ContactError, ContactPair, Profile, ProfilePair, Proximity};
use wolff_spatial::{Pose, Vec3};

/// The spline through 1200 points of a circle is off it by (2π/1200)⁴/384 = 2e-12 of the radius.
const CIRCLE_POINTS: usize = 1200;

/// Agreement with closed forms [m], for shapes of some centimetres.
const EXACT: f64 = 1e-10;

fn circle(radius: f64) -> Arc<Profile> {
    let corner = |k: usize| {
        let (sin, cos) = (TAU * k as f64 / CIRCLE_POINTS as f64).sin_cos();
        [radius * cos, radius * sin]
    };
    Arc::new(Profile::closed(&(0..CIRCLE_POINTS).map(corner).collect::<Vec<_>>()).unwrap())
}

/// Solid below the x axis: the points run towards -x.
fn floor() -> Arc<Profile> {
    Arc::new(Profile::open(&[[0.1, 0.0], [0.04, 0.0], [-0.02, 0.0], [-0.1, 0.0]]).unwrap())
}

/// The slope of such a spline is off by (2π/1200)³/24.
const DIRECTION: f64 = 6e-9;

/// A pose in the plane.
fn planar(x: f64, y: f64, angle: f64) -> Pose {
    Pose::new(rotation_matrix(&Vec3::new(0.0, 0.0, angle)), Vec3::new(x, y, 0.0))
}

#[track_caller]
fn assert_near(got: &Vec3, want: &Vec3, tolerance: f64, what: &str) {
    assert!((got - want).norm() < tolerance, "{what}: {got:?} is not {want:?}");
}

/// The answer must not depend on where ground is: a general motion of both.
fn moved(pair: &ProfilePair, X: &Pose, a: &Pose, b: &Pose) -> Proximity {
    pair.proximity(&(*X * *a), &(*X * *b))
}

#[test]
fn two_circles_meet_on_the_line_of_centres() {
    let (r_a, r_b) = (0.02, 0.035);
    let pair = ProfilePair::new(circle(r_a), circle(r_b));
    let X = Pose::new(rotation_matrix(&Vec3::new(0.3, -0.8, 0.5)), Vec3::new(0.4, -0.2, 0.7));
    for k in 0..40 {
        let (turn, distance) = (0.3 * k as f64, 0.05 + 0.0004 * k as f64);
        let n = Vec3::new(turn.cos(), turn.sin(), 0.0);
        let (a, b) = (planar(0.01, 0.02, 0.7 * turn), planar(0.01 + distance * n.x, 0.02 + distance * n.y, -turn));
        let found = moved(&pair, &X, &a, &b);
        assert!((found.depth - (r_a + r_b - distance)).abs() < EXACT, "{k}: {}", found.depth);
        assert_near(&found.normal, &(X.R * n), DIRECTION, "normal");
        assert_near(&found.point_a, &X.point(&(a.p + n * r_a)), EXACT, "point on A");
        assert_near(&found.point_b, &X.point(&(b.p - n * r_b)), EXACT, "point on B");
    }
}

#[test]
fn a_circle_on_a_line_is_as_deep_as_its_lowest_point() {
    let radius = 0.025;
    for swap in [false, true] {
        let pair = match swap {
            false => ProfilePair::new(floor(), circle(radius)),
            true => ProfilePair::new(circle(radius), floor()),
        };
        for k in 0..60 {
            let tilt = 0.02 * k as f64;
            let height = 0.02 + 2e-4 * k as f64;
            let up = Vec3::new(-tilt.sin(), tilt.cos(), 0.0);
            let along = Vec3::new(tilt.cos(), tilt.sin(), 0.0);
            let ground = planar(0.3, 0.1, tilt);
            let centre = ground.p + along * (0.001 * k as f64 - 0.03) + up * height;
            let ball = planar(centre.x, centre.y, 1.3 * k as f64);
            let found = if swap { pair.proximity(&ball, &ground) } else { pair.proximity(&ground, &ball) };
            assert!((found.depth - (radius - height)).abs() < EXACT, "{k} {swap}: {}", found.depth);
            assert_near(&found.normal, &(if swap { -up } else { up }), DIRECTION, "normal");
            let on_ball = if swap { found.point_a } else { found.point_b };
            assert_near(&on_ball, &(centre - up * radius), EXACT, "point on the circle");
        }
    }
}

#[test]
fn a_long_step_into_the_floor_is_still_an_overlap() {
    // the centre is below the surface: an integrator that overshoots must see that it has touched
    let pair = ProfilePair::new(floor(), circle(0.02));
    let found = pair.proximity(&planar(0.0, 0.0, 0.0), &planar(0.01, -0.05, 0.0));
    assert!((found.depth - 0.07).abs() < EXACT, "{}", found.depth);
}

#[test]
fn depth_is_smooth_while_a_wavy_profile_slides() {
    // radius of curvature 14 mm at the crests of one, 20 mm for the other: one place only
    let wave = |amplitude: f64, sign: f64| -> Vec<[f64; 2]> {
        let x = |k: usize| sign * (0.06 - 0.12 * k as f64 / 40.0);
        (0..41).map(|k| [x(k), sign * amplitude * (50.0 * x(k)).cos()]).collect()
    };
    let lower = Arc::new(Profile::open(&wave(0.002, 1.0)).unwrap());
    let pair = ProfilePair::new(lower, circle(0.01));
    let at = |x: f64| pair.proximity(&planar(0.0, 0.0, 0.0), &planar(x, 0.0095, 0.0));
    let (step, mut last) = (1e-5, at(-0.02));
    for k in 1..4000 {
        let x = -0.02 + step * k as f64;
        let now = at(x);
        // moving B by dx changes the depth by -n_x dx: the mean slope over a step to second order
        let slope = -0.5 * (now.normal.x + last.normal.x);
        let error = (now.depth - last.depth) / step - slope;
        assert!(error.abs() < 1e-6, "at {x}: the depth jumps, slope off by {error:e}");
        last = now;
    }
}

#[test]
fn every_place_is_listed_and_one_is_followed() {
    // a ball in a notch touches both flanks
    let notch: Vec<[f64; 2]> = (0..81)
        .map(|k| {
            let x = 0.04 - 0.001 * k as f64;
            [x, (x * x + 1e-6).sqrt()]
        })
        .collect();
    let pair = ProfilePair::new(Arc::new(Profile::open(&notch).unwrap()), circle(0.01));
    let ground = planar(0.0, 0.0, 0.0);
    let centre = 0.0137;
    let places = pair.places(&ground, &planar(0.0, centre, 0.0));
    let deep: Vec<_> = places.iter().filter(|p| p.depth > 0.0).collect();
    assert_eq!(deep.len(), 2, "{places:?}");
    assert!((deep[0].point_a.x + deep[1].point_a.x).abs() < 1e-6, "on both sides");
    assert_eq!(pair.place_count(&ground, &planar(0.0, centre, 0.0)), 2);
    // from the right flank across the middle: the contact stays on its flank
    assert!(pair.proximity(&ground, &planar(2e-4, centre, 0.0)).point_a.x > 0.0);
    assert!(pair.proximity(&ground, &planar(-1e-5, centre, 0.0)).point_a.x > 0.0);
    // another one that begins on the left stays there
    let other = ProfilePair::new(Arc::new(Profile::open(&notch).unwrap()), circle(0.01));
    assert!(other.proximity(&ground, &planar(-2e-4, centre, 0.0)).point_a.x < 0.0);
    assert!(other.proximity(&ground, &planar(1e-5, centre, 0.0)).point_a.x < 0.0);
}

#[test]
fn an_open_profile_continues_straight_and_clockwise_ones_are_turned() {
    let pair = ProfilePair::new(floor(), circle(0.02));
    let beyond = pair.proximity(&planar(0.0, 0.0, 0.0), &planar(0.15, 0.019, 0.0));
    assert!((beyond.depth - 0.001).abs() < EXACT, "{}", beyond.depth);
    let square = [[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
    let profile = Profile::closed(&square).unwrap();
    let point = profile.point(0.0);
    assert!(point.normal().dot(&(point.position - nalgebra::Vector2::new(0.5, 0.5))) > 0.0, "outward");
    assert!(profile.is_closed() && profile.length() == 4.0 && profile.smallest_radius() < 1.0);
}

#[test]
fn profiles_that_never_meet_have_a_gap() {
    // their bulges look away from each other
    let pair = ProfilePair::new(floor(), floor());
    let found = pair.proximity(&planar(0.0, 0.0, 0.0), &planar(0.0, -0.3, 0.0));
    assert!(found.depth < 0.0 && found.depth.is_finite(), "{found:?}");
    // and a broken pose is seen
    let broken = pair.proximity(&planar(f64::NAN, 0.0, 0.0), &planar(0.0, -0.3, 0.0));
    assert!(broken.depth.is_nan());
}

#[test]
fn points_that_make_no_profile_are_refused() {
    let refused = |points: &[[f64; 2]], closed: bool, says: &str| {
        let made = if closed { Profile::closed(points) } else { Profile::open(points) };
        let message = made.unwrap_err().to_string();
        assert!(message.contains(says), "{message}");
    };
    refused(&[[0.0, 0.0], [1.0, 0.0]], false, "2 points, at least 4");
    refused(&[[0.0, 0.0], [1.0, f64::NAN], [2.0, 0.0], [3.0, 0.0]], false, "point 2");
    refused(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [2.0, 0.0]], false, "points 2 and 3 are the same");
    refused(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]], true, "crosses itself");
    refused(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0], [-1.0, 3.0]], false, "crosses itself");
    assert!(matches!(Profile::open(&[]), Err(ContactError::Profile { .. })));
}
