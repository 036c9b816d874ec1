//! Places of muscles on a given bone.

use crate::tibia;
use wolff_bone::parametric::BoneKind;
use wolff_bone::person::carried::{SOLEAL_LINE, carry};
use wolff_bone::person::{GivenBone, Solid};
use wolff_fem::material::Material;
use wolff_spatial::Vec3;

/// The tibia with other breadths, as a given bone without the sets of the built-in one.
fn given(anterior: f64, lateral: f64) -> Solid {
    let mut mesh = tibia().mesh.mapped(|x| Vec3::new(anterior * x.x, x.y, lateral * x.z)).unwrap();
    mesh.set_nodes(SOLEAL_LINE, Vec::new()).unwrap();
    let bone = GivenBone::with_faces(&mesh, tibia().side, Some(Vec3::x())).unwrap();
    bone.solid(tibia().length, tibia().length, &Material::cortical_bone()).unwrap().0
}

fn places() -> Vec<Vec3> {
    tibia().outer_nodes().iter().step_by(7).map(|&n| tibia().mesh.nodes()[n]).collect()
}

/// Points of the shaft go where the same points of a wider bone are (those of a joint face do so only across the face:
/// closest points do not see how a plane is stretched); soleus gets its nodes.
#[test]
fn points_follow_the_shape() {
    let mut wide = given(1.15, 1.1);
    let is_on_shaft = |x: &Vec3| (0.15..0.85).contains(&tibia().ends.fraction(x.y));
    let points: Vec<Vec3> = places().into_iter().filter(is_on_shaft).collect();
    let carried = carry(BoneKind::Tibia, (tibia(), &mut wide), &points).unwrap();
    let expected = |x: &Vec3| Vec3::new(1.15 * x.x, x.y, 1.1 * x.z);
    let errors: Vec<f64> = carried.points.iter().zip(&points).map(|(a, x)| (a - expected(x)).norm()).collect();
    let moved: Vec<f64> = points.iter().map(|x| (x - expected(x)).norm()).collect();
    let mean = |x: &[f64]| x.iter().sum::<f64>() / x.len() as f64;
    assert!(points.len() > 20 && mean(&errors) < 0.65 * mean(&moved), "{} of {}", mean(&errors), mean(&moved));
    assert!(carried.remark.contains("by registration"), "{}", carried.remark);
    let line = wide.mesh.node_set(SOLEAL_LINE).unwrap();
    let height = |solid: &Solid, set: &[usize]| {
        let ys = set.iter().map(|&n| solid.ends.fraction(solid.mesh.nodes()[n].y));
        ys.fold([1.0_f64, 0.0_f64], |[low, high], y| [low.min(y), high.max(y)])
    };
    let (ours, theirs) = (height(&wide, line), height(tibia(), tibia().mesh.node_set(SOLEAL_LINE).unwrap()));
    assert!((ours[0] - theirs[0]).abs() < 0.05 && (ours[1] - theirs[1]).abs() < 0.05, "{ours:?} {theirs:?}");
}

/// On the same bone, points stay.
#[test]
fn points_stay_on_the_same_bone() {
    let mut same = given(1.0, 1.0);
    let points = places();
    let carried = carry(BoneKind::Tibia, (tibia(), &mut same), &points).unwrap();
    for (a, b) in carried.points.iter().zip(&points) {
        assert!((a - b).norm() < 5e-4, "{a:?} {b:?}");
    }
}
