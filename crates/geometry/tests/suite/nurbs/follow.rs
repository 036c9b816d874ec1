use super::support::{set, wavy};
use wolff_geometry::{Surface, Track};
use wolff_spatial::Vec3;

/// A point that wanders over a wavy surface, across its patches: the followed answers are those of a search from scratch.
#[test]
fn a_followed_point_is_the_nearest_one() {
    let set = set(&wavy(8, 4e-3, false));
    let bounds = set.bounds();
    let (middle, size) = (0.5 * (bounds.min + bounds.max), bounds.max - bounds.min);
    let mut track = Track::default();
    let mut moved = 0;
    for k in 0..4000 {
        let t = k as f64 * 1e-3;
        let way = Vec3::new((1.1 * t).sin(), (1.7 * t).cos(), 0.0) * 0.3;
        let p = set.closest(&(middle + size.component_mul(&way))).unwrap();
        let p = p.position + p.normal * 2e-4 * (5.0 * t).sin();
        let (followed, W) = set.follow(&p, &mut track, k > 0).unwrap();
        let (found, want) = set.closest_with_shape(&p, None).unwrap();
        // the surface is of decimetres: rounding of positions, and the square of the last step
        assert!((followed.position - found.position).norm() < 1e-11, "{k}: {}", followed.position - found.position);
        assert!((followed.normal - found.normal).norm() < 1e-9, "{k}");
        assert!((W - want).norm() < 1e-5 * want.norm().max(1.0), "{k}: {W} {want}");
        assert_eq!(track.place, followed.place);
        moved += usize::from(followed.place.patch != found.place.patch);
    }
    assert!(moved < 40, "places agree but on borders: {moved}");
}
