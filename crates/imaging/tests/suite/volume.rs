//! Tests of volumes, labels and masks.

use wolff_imaging::{LabelVolume, Mask, Samples, Volume};
use wolff_spatial::Vec3;

use crate::phantom::{oblique, small, straight};

#[test]
fn trilinear_values_are_exact_for_linear_images() {
    let value = |x: &Vec3| 3.0 + 100.0 * x.x - 250.0 * x.y + 70.0 * x.z;
    let volume = Volume::from_fn([6, 5, 7], oblique(), value).unwrap();
    for index in [Vec3::new(0.3, 3.9, 5.5), Vec3::new(5.0, 4.0, 6.0), Vec3::zeros()] {
        let position = volume.frame().position(&index);
        let found = volume.at(&position).unwrap();
        assert!((found - value(&position)).abs() < 2e-5 * value(&position).abs(), "{found} {}", value(&position));
    }
    assert_eq!(volume.at_index(&Vec3::new(5.1, 0.0, 0.0)), None);
    assert_eq!(volume.at_index(&Vec3::new(f64::NAN, 0.0, 0.0)), None);
}

#[test]
fn cropping_keeps_positions_and_values() {
    let volume = small();
    let part = volume.cropped([1, 2, 1], [3, 9, 2]).unwrap();
    assert_eq!(part.size(), [3, 2, 2]);
    assert_eq!(part.voxel([2, 1, 0]), volume.voxel([3, 3, 1]));
    let (a, b) = (part.frame().position(&Vec3::zeros()), volume.frame().position(&Vec3::new(1.0, 2.0, 1.0)));
    assert!((a - b).norm() < 1e-15);
    assert!(volume.cropped([4, 4, 2], [3, 3, 2]).is_err());
}

#[test]
fn statistics_are_those_of_the_samples() {
    let volume = Volume::new([2, 2, 1], straight(1e-3), Samples::I16(vec![-1, 1, 3, 5])).unwrap();
    let found = volume.statistics();
    assert_eq!((found.min, found.max, found.mean), (-1.0, 5.0, 2.0));
    assert!((found.deviation - 5f64.sqrt()).abs() < 1e-12);
}

#[test]
fn labels_are_whole_and_missing_ones_are_told() {
    let volume = Volume::new([2, 2, 1], straight(1e-3), Samples::I16(vec![0, 7, 7, 3])).unwrap();
    let labels = volume.to_labels().unwrap();
    assert_eq!(labels.regions(), [(3, 1), (7, 2)]);
    assert_eq!(labels.region(7).unwrap().bits(), [false, true, true, false]);
    assert!(labels.region(4).unwrap_err().to_string().contains("there are 3, 7"));
    assert!(small().to_labels().is_err());
    let empty = LabelVolume::new([2, 1, 1], straight(1e-3), vec![0, 0]).unwrap();
    assert!(empty.region(1).unwrap_err().to_string().contains("empty"));
}

#[test]
fn masks_know_their_bounds() {
    let mut bits = vec![false; 60];
    bits[1 + 5 * (2 + 4)] = true;
    bits[3 + 5 * (1 + 4 * 2)] = true;
    let mask = Mask::new([5, 4, 3], oblique(), bits).unwrap();
    assert_eq!(mask.bounds(), Some(([1, 1, 1], [3, 2, 2])));
    assert_eq!(mask.count(), 2);
    assert!(Mask::new([5, 4, 3], oblique(), vec![true; 3]).is_err());
}

#[test]
fn too_large_or_empty_grids_are_refused() {
    assert!(Volume::new([0, 1, 1], straight(1e-3), Samples::I16(vec![])).is_err());
    let huge = Volume::new([usize::MAX, 3, 3], straight(1e-3), Samples::I16(vec![0]));
    assert!(huge.unwrap_err().to_string().contains("2147483648 at most"));
}
