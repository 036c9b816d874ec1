use crate::support::grid;
use wolff_density::{GridField, SampledField};
use wolff_spatial::{Mat3, Vec3};

/// A turned and sheared grid interpolates a linear function exactly.
#[test]
fn linear_functions_are_exact_on_any_grid() {
    let steps = Mat3::new(0.8, 0.1, -0.2, -0.3, 1.1, 0.05, 0.2, 0.1, 0.7);
    let (origin, dims) = (Vec3::new(3.0, -1.0, 2.0), [4, 5, 6]);
    let linear = |x: &Vec3| 2.0 + x.dot(&Vec3::new(0.7, -1.3, 0.4));
    let mut values = Vec::new();
    for k in 0..dims[2] {
        for j in 0..dims[1] {
            for i in 0..dims[0] {
                values.push(linear(&(origin + steps * Vec3::new(i as f64, j as f64, k as f64))));
            }
        }
    }
    let field = GridField::new(dims, origin, steps, values).unwrap();
    let x = field.position(&Vec3::new(1.7, 2.2, 3.9));
    assert!((field.interpolated(&x, |v| [v])[0] - linear(&x)).abs() < 1e-12);
    assert!((field.index(&x) - Vec3::new(1.7, 2.2, 3.9)).norm() < 1e-12);
    assert!(field.contains(&x) && !field.contains(&field.position(&Vec3::new(-0.6, 1.0, 1.0))));
}

#[test]
fn the_nearest_value_holds_outside() {
    let field = grid(3, 1.0, Vec3::zeros(), |x| x.x);
    for (x, expected) in [(-5.0, 0.0), (9.0, 2.0), (2.0, 2.0), (f64::NAN, 0.0)] {
        assert_eq!(field.interpolated(&Vec3::new(x, 1.0, 1.0), |v| [v])[0], expected);
    }
    let single = grid(1, 1.0, Vec3::zeros(), |_| 7.0);
    assert_eq!(single.interpolated(&Vec3::new(3.0, 0.2, -4.0), |v| [v])[0], 7.0);
}

#[test]
fn grids_that_are_none_are_refused() {
    let steps = Mat3::identity();
    assert!(GridField::new([2, 2, 2], Vec3::zeros(), steps, vec![0.0; 7]).is_err());
    assert!(GridField::new([0, 2, 2], Vec3::zeros(), steps, Vec::new()).is_err());
    assert!(GridField::new([usize::MAX, 2, 2], Vec3::zeros(), steps, Vec::new()).is_err());
    assert!(GridField::new([1, 1, 1], Vec3::zeros(), Mat3::zeros(), vec![0.0]).is_err());
    assert!(GridField::new([1, 1, 1], Vec3::zeros(), steps, vec![f64::NAN]).is_err());
}
