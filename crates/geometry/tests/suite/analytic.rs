use wolff_geometry::{Plane, Sphere, Surface};
use wolff_spatial::Vec3;

#[test]
fn a_ball_and_its_cavity_share_points_and_oppose_normals() {
    let (centre, p) = (Vec3::new(0.1, -0.2, 0.3), Vec3::new(0.15, -0.22, 0.31));
    let ball = Sphere::new(centre, 0.05).unwrap();
    let hollow = Sphere::cavity(centre, 0.05).unwrap();
    let (a, b) = (ball.closest(&p).unwrap(), hollow.closest(&p).unwrap());
    assert_eq!(a.position, b.position);
    assert_eq!(a.normal, -b.normal);
    assert!((a.signed_distance(&p) - ((p - centre).norm() - 0.05)).abs() < 1e-16);
    assert!((ball.at(&a.place).unwrap().position - a.position).norm() < 1e-15);
}

#[test]
fn a_ray_finds_the_hit_nearest_to_its_origin_on_either_side() {
    let ball = Sphere::new(Vec3::zeros(), 1.0).unwrap();
    let origin = Vec3::new(0.9, 0.0, 0.0);
    let hit = ball.ray(&origin, &Vec3::x(), (-3.0, 3.0)).unwrap();
    assert!((hit.t - 0.1).abs() < 1e-15);
    let behind = ball.ray(&origin, &Vec3::x(), (-3.0, 0.0)).unwrap();
    assert!((behind.t + 1.9).abs() < 1e-15);
    assert!(ball.ray(&Vec3::new(0.0, 2.0, 0.0), &Vec3::x(), (-9.0, 9.0)).is_none());
}

#[test]
fn the_normal_of_a_sphere_changes_as_its_shape_operator_says() {
    let ball = Sphere::new(Vec3::new(0.3, 0.0, -0.1), 0.04).unwrap();
    let a = ball.closest(&Vec3::new(0.35, 0.02, -0.06)).unwrap();
    let b = ball.closest(&(a.position + Vec3::new(1e-6, -2e-6, 0.5e-6))).unwrap();
    let predicted = ball.shape_operator(&a.place) * (b.position - a.position);
    assert!((b.normal - a.normal - predicted).norm() < 1e-8, "second order in 2e-6/0.04");
}

#[test]
fn a_plane_is_met_where_the_line_crosses_it() {
    let plane = Plane::new(Vec3::new(0.0, 0.2, 0.0), Vec3::new(0.0, 5.0, 0.0)).unwrap();
    let hit = plane.ray(&Vec3::new(1.0, 0.5, 2.0), &-Vec3::y(), (0.0, 1.0)).unwrap();
    assert!((hit.t - 0.3).abs() < 1e-15);
    assert!((hit.point.position - Vec3::new(1.0, 0.2, 2.0)).norm() < 1e-15);
    assert!(plane.ray(&Vec3::zeros(), &Vec3::x(), (-1.0, 1.0)).is_none());
    assert!(Plane::new(Vec3::zeros(), Vec3::zeros()).is_err());
}
