use crate::support::{Random, moved};
use wolff_geometry::TriangleMesh;
use wolff_morphology::solid::Solid;
use wolff_spatial::Vec3;

/// A turned and shifted cuboid a x b x c has the spreads a/√12, b/√12 and c/√12.
#[test]
fn a_cuboid_in_any_pose() {
    let mut random = Random::new(2);
    let (turn, shift) = (random.rotation(), Vec3::new(5.0, -3.0, 20.0));
    let box_ = moved(&TriangleMesh::cuboid([1.0, 4.0, 2.0]).unwrap(), &turn, &shift);
    for mesh in [box_.clone(), box_.flipped()] {
        let found = Solid::of(&mesh).unwrap();
        assert!((found.volume - 8.0).abs() < 1e-12);
        for (spread, side) in found.spread.iter().zip([4.0_f64, 2.0, 1.0]) {
            assert!((spread - side / 12.0_f64.sqrt()).abs() < 1e-12);
        }
        let longest: Vec3 = found.axes.column(0).into();
        assert!(longest.cross(&turn.column(1)).norm() < 1e-9);
    }
    assert!(Solid::of(&TriangleMesh::rectangle([1.0, 1.0], [2, 2]).unwrap()).is_err());
}
