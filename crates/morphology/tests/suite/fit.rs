use crate::support::Random;
use wolff_morphology::fit::{cap, sphere};
use wolff_spatial::Vec3;

#[test]
fn points_of_a_sphere_give_the_sphere() {
    let (centre, mut random) = (Vec3::new(3.0, -2.0, 7.0), Random::new(3));
    let points: Vec<Vec3> = (0..40).map(|_| centre + random.vector().normalize() * 2.5).collect();
    let found = sphere(&points).unwrap();
    assert!((found.centre - centre).norm() < 1e-12 && (found.radius - 2.5).abs() < 1e-12);
    assert!(found.residual < 1e-12 && found.points == 40);
    assert!(sphere(&points[..3]).is_none());
    assert!(sphere(&[]).is_none());
}

/// A cap is found beside a stem that leaves the sphere.
#[test]
fn a_cap_is_found_beside_its_neck() {
    let mut random = Random::new(4);
    let mut points: Vec<Vec3> = (0..600).map(|_| random.vector().normalize() * 24.0).filter(|x| x.x > -12.0).collect();
    points.extend((0..200).map(|i| Vec3::new(-12.0 - 0.2 * f64::from(i), 17.0 * random.next(), 17.0 * random.next())));
    let found = cap(&points, (Vec3::new(4.0, -3.0, 2.0), 20.0), &Vec3::x(), 0.2).unwrap();
    assert!(found.centre.norm() < 0.2 && (found.radius - 24.0).abs() < 0.2, "{found:?}");
}
