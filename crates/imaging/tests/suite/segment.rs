//! Tests of segmentation.

use wolff_imaging::segment::{
    BoneOptions, Histogram, Part, bone, components, filled, gaussian, levels, split_touching, squared_distances,
};
use wolff_imaging::{Mask, Samples, Volume};
use wolff_spatial::Vec3;

use crate::phantom::{SHELL, straight};

fn mask(size: [usize; 3], inside: impl Fn(f64, f64, f64) -> bool) -> Mask {
    let place = |n: usize| [n % size[0], n / size[0] % size[1], n / size[0] / size[1]].map(|x| x as f64);
    let bits = (0..size.iter().product())
        .map(|n| {
            let [x, y, z] = place(n);
            inside(x, y, z)
        })
        .collect();
    Mask::new(size, straight(1e-3), bits).unwrap()
}

#[test]
fn a_point_becomes_a_gaussian() {
    let size = [31, 29, 33];
    let mut values = vec![0f32; 31 * 29 * 33];
    values[15 + 31 * (14 + 29 * 16)] = 1.0;
    let out = gaussian(values, size, [1.2, 2.0, 0.0]);
    let sum: f64 = out.iter().map(|&x| f64::from(x)).sum();
    assert!((sum - 1.0).abs() < 1e-5);
    let variance = |axis: usize| {
        let place = |n: usize| [n % 31, n / 31 % 29, n / 31 / 29][axis] as f64 - [15.0, 14.0, 16.0][axis];
        out.iter().enumerate().map(|(n, &x)| f64::from(x) * place(n).powi(2)).sum::<f64>()
    };
    assert!((variance(0) - 1.44).abs() < 0.02 && (variance(1) - 4.0).abs() < 0.05 && variance(2) < 1e-6);
}

#[test]
fn otsu_parts_two_classes() {
    let values = (0..4000).map(|n| if n % 4 == 0 { 1000 + n % 50 } else { n % 60 } as i16).collect();
    let volume = Volume::new([20, 20, 10], straight(1e-3), Samples::I16(values)).unwrap();
    let found = Histogram::new(&volume, -1e4..=1e4);
    assert_eq!(found.total(), 4000);
    assert!((60.0..1000.0).contains(&found.otsu()), "{}", found.otsu());
    assert!((found.quantile(0.5) - 39.0).abs() < 3.0, "{}", found.quantile(0.5));
}

#[test]
fn levels_of_a_shell_are_found() {
    let found = levels(&SHELL.image()).unwrap();
    assert!((found.soft - 50.0).abs() < 10.0, "{found:?}");
    assert!(found.cortical > 1000.0 && found.cortical < 1450.0 && found.threshold < 500.0, "{found:?}");
    let flat = Volume::from_fn([8, 8, 8], straight(1e-3), |x| 50.0 + 1e4 * x.x).unwrap();
    assert!(levels(&flat).unwrap_err().to_string().contains("nothing stands out"));
}

#[test]
fn parts_are_sorted_by_size_and_cavities_filled() {
    let two = mask([20, 10, 10], |x, y, z| x < 3.0 || (x > 9.0 && (x - 14.0).hypot(y - 5.0).hypot(z - 5.0) > 2.0));
    let found = components(&two);
    assert_eq!(found.sizes.len(), 2);
    assert!(found.sizes[0] > found.sizes[1] && found.sizes[1] == 300);
    let largest = found.part(&two, 1).unwrap();
    let solid = filled(&largest);
    assert_eq!(solid.count(), 1000);
    assert!(found.part(&two, 3).unwrap_err().to_string().contains("2 parts"));
}

#[test]
fn the_canal_of_a_cut_shaft_is_inside() {
    let ring = |x: f64, y: f64| {
        let r = (x - 10.0).hypot(y - 10.0);
        (4.0..7.0).contains(&r)
    };
    // open at both ends; a groove lets the outside in where it is not closed at the cut
    let tube = mask([21, 21, 12], |x, y, _| ring(x, y));
    let canal = filled(&tube).count() - tube.count();
    assert_eq!(canal, 12 * mask([21, 21, 1], |x, y, _| (x - 10.0).hypot(y - 10.0) < 4.0).count());
    let grooved = mask([21, 21, 12], |x, y, _| ring(x, y) && !(x > 10.0 && (y - 10.0).abs() < 1.0));
    assert_eq!(filled(&grooved).count(), grooved.count());
}

#[test]
fn distances_are_those_of_the_nearest_voxel_outside() {
    let solid = mask([11, 9, 8], |x, y, z| !((x * 7.0 + y * 5.0 + z * 3.0) as usize).is_multiple_of(11));
    let found = squared_distances(&solid);
    let place = |n: usize| Vec3::new((n % 11) as f64, (n / 11 % 9) as f64, (n / 99) as f64) * 1e-3;
    for n in (0..found.len()).step_by(7) {
        let outside = (0..found.len()).filter(|&m| !solid.bits()[m]);
        let nearest = outside.map(|m| (place(n) - place(m)).norm_squared()).fold(f64::INFINITY, f64::min);
        assert!((f64::from(found[n]) - nearest).abs() < 1e-12, "{n}");
    }
}

#[test]
fn touching_balls_are_parted_at_their_neck() {
    let ball = |x: f64, y: f64, z: f64, at: f64| (x - at).hypot(y - 12.0).hypot(z - 12.0) < 10.0;
    let both = mask([42, 25, 25], |x, y, z| ball(x, y, z, 12.0) || ball(x, y, z, 29.0));
    let labels = split_touching(&both, 7e-3).unwrap();
    let found = labels.regions();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].1 + found[1].1, both.count());
    assert!((found[0].1 as f64 / found[1].1 as f64 - 1.0).abs() < 0.05, "{found:?}");
    assert!(split_touching(&both, 20e-3).is_err());
}

#[test]
fn the_nearest_part_can_be_chosen() {
    let value = |x: &Vec3| {
        let ball = |at: f64, r: f64| (x - Vec3::new(at, 10e-3, 10e-3)).norm() < r;
        if ball(8e-3, 6e-3) || ball(24e-3, 4e-3) { 1000.0 } else { 0.0 }
    };
    let volume = Volume::from_fn([31, 21, 21], straight(1e-3), value).unwrap();
    let of = |part: Part| {
        let options = BoneOptions { threshold: Some(500.0), part, smoothing: Some(0.3e-3), neck: None };
        bone(&volume, &options).unwrap().surface.report().unwrap()
    };
    let (large, small) = (of(Part::Largest), of(Part::Nearest(Vec3::new(0.03, 0.01, 0.01))));
    assert!((large.volume.unwrap() / 905e-9 - 1.0).abs() < 0.1, "{:?}", large.volume);
    assert!((small.volume.unwrap() / 268e-9 - 1.0).abs() < 0.15, "{:?}", small.volume);
    let options = BoneOptions { threshold: Some(5000.0), ..BoneOptions::default() };
    assert!(bone(&volume, &options).unwrap_err().to_string().contains("no voxel is above"));
}

/// Two hollow balls that touch are one part without a neck; with one, the chosen ball is whole and closed.
#[test]
fn touching_bones_are_told_apart() {
    let value = |x: &Vec3| {
        let shell = |at: f64| -> f64 {
            let r = (x - Vec3::new(at, 14e-3, 14e-3)).norm();
            if r < 10e-3 { if r > 7e-3 { 1000.0 } else { 0.0 } } else { -1.0 }
        };
        shell(14e-3).max(shell(32e-3)).max(0.0)
    };
    let volume = Volume::from_fn([47, 29, 29], straight(1e-3), value).unwrap();
    let of = |neck: Option<f64>| {
        let part = Part::Nearest(Vec3::new(0.036, 0.014, 0.014));
        let options = BoneOptions { threshold: Some(500.0), part, smoothing: Some(0.3e-3), neck };
        bone(&volume, &options).unwrap().surface.report().unwrap().volume.unwrap()
    };
    let ball = 4.0 / 3.0 * std::f64::consts::PI * 1e-6;
    assert!((of(None) / (2.0 * ball) - 1.0).abs() < 0.1, "{}", of(None) / ball);
    assert!((of(Some(7e-3)) / ball - 1.0).abs() < 0.08, "{}", of(Some(7e-3)) / ball);
}
