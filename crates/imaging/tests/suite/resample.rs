//! Tests of images on other grids.

use wolff_imaging::Volume;
use wolff_spatial::Vec3;

use crate::phantom::oblique;

#[test]
fn linear_images_stay_linear() {
    let value = |x: &Vec3| 3.0 + 100.0 * x.x - 250.0 * x.y + 70.0 * x.z;
    let volume = Volume::from_fn([20, 18, 12], oblique(), value).unwrap();
    let isotropic = volume.isotropic(0.8e-3).unwrap();
    assert_eq!(isotropic.size(), [13, 16, 14]);
    let x = isotropic.frame().position(&Vec3::new(3.0, 5.0, 7.0));
    assert!((f64::from(isotropic.voxel([3, 5, 7]).unwrap()) - value(&x)).abs() < 1e-3);
    let middle = volume.frame().position(&Vec3::new(9.5, 9.0, 5.5));
    let (low, high) = (middle - Vec3::repeat(1e-3), middle + Vec3::repeat(1e-3));
    let part = volume.in_box(low, high, Vec3::repeat(0.5e-3)).unwrap();
    assert_eq!(part.size(), [5, 5, 5]);
    assert!((f64::from(part.voxel([4, 0, 2]).unwrap()) - value(&Vec3::new(high.x, low.y, middle.z))).abs() < 1e-3);
    assert!(volume.in_box(high, low, Vec3::repeat(1e-3)).is_err());
    assert!(volume.isotropic(-1.0).is_err() && volume.isotropic(1e-12).is_err());
}
