//! Shapes and the pairs they form.

use wolff_contact::{ContactError, Shape, ShapePair};
use wolff_spatial::Vec3;

#[test]
fn constructors_refuse_nonsense() {
    for bad in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        assert!(Shape::sphere(bad).is_err());
        assert!(Shape::cavity(bad).is_err());
        for i in 0..3 {
            let mut axes = Vec3::new(0.1, 0.2, 0.3);
            axes[i] = bad;
            assert!(Shape::ellipsoid(axes).is_err());
        }
    }
    assert_eq!(Shape::cavity(0.2).unwrap(), Shape::Sphere { radius: -0.2 });
    // shapes written by hand are checked by the pair
    assert!(ShapePair::new(Shape::Sphere { radius: f64::NAN }, Shape::Plane).is_err());
}

#[test]
fn unsupported_pairs_name_both_shapes_and_the_remedy() {
    let (sphere, cavity) = (Shape::sphere(0.1).unwrap(), Shape::cavity(0.3).unwrap());
    let ellipsoid = Shape::ellipsoid(Vec3::new(0.1, 0.2, 0.3)).unwrap();
    for (a, b) in [
        (Shape::Plane, Shape::Plane),
        (cavity, Shape::Plane),
        (Shape::Plane, cavity),
        (ellipsoid, cavity),
        (cavity, cavity),
    ] {
        let error = ShapePair::new(a, b).unwrap_err();
        assert!(matches!(error, ContactError::UnsupportedPair { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains(&a.to_string()) && message.contains(&b.to_string()), "{message}");
        assert!(message.contains("cover one") || message.contains("use a sphere"), "{message}");
    }
    for (a, b) in [
        (sphere, sphere),
        (sphere, cavity),
        (sphere, Shape::Plane),
        (ellipsoid, Shape::Plane),
        (ellipsoid, sphere),
        (ellipsoid, ellipsoid),
    ] {
        assert!(ShapePair::new(a, b).is_ok() && ShapePair::new(b, a).is_ok());
    }
}

#[test]
fn cavity_must_hold_its_sphere() {
    let message = ShapePair::new(Shape::sphere(0.3).unwrap(), Shape::cavity(0.3).unwrap()).unwrap_err().to_string();
    assert!(message.contains("larger than the sphere"), "{message}");
}
