//! Feet of the embedded walk on a floor that gives way.

use wolff_human::ReferenceWalk;
use wolff_human::walk::InverseWalk;
use wolff_multibody::Model;
use wolff_spatial::Vec3;
use wolff_walk::footing::{Footing, settle_feet};
use wolff_walk::stage::StageSettings;

/// The pads come to press much more as wanted, legs change by a few degrees at most, and the rest of the motion stays.
#[test]
fn feet_sink_as_deep_as_their_load_needs() {
    let walk = ReferenceWalk::embedded().unwrap();
    let footing = settle_feet(&walk, &StageSettings::default(), 8).unwrap();
    let [before, after] = footing.force_error;
    assert!(before > 0.7 && after < 0.4 * before, "{before} {after}");
    assert!(footing.greatest_change.to_degrees() < 4.0);
    for t in [0.1, 0.4, 0.77] {
        for name in ["pelvis_ty", "toe_flexion_r", "lumbar_flexion"] {
            assert_eq!(footing.walk.coordinate_named(name, t), walk.coordinate_named(name, t));
        }
    }
}

/// On a floor that is nearly rigid nothing has to sink: the contact points of the walk are at the floor within a millimetre or two.
#[test]
fn a_rigid_floor_asks_for_little() {
    let walk = ReferenceWalk::embedded().unwrap();
    let mut stiff = StageSettings::default();
    stiff.floor.stiffness = 5e6;
    let soft = settle_feet(&walk, &StageSettings::default(), 8).unwrap();
    let rigid = settle_feet(&walk, &stiff, 8).unwrap();
    assert!(rigid.greatest_change < 0.7 * soft.greatest_change, "{} {}", rigid.greatest_change, soft.greatest_change);
}

/// The ball of the foot stays in its place while it carries the body, within half a millimetre.
#[test]
fn feet_that_stand_do_not_slide() {
    let walk = ReferenceWalk::embedded().unwrap();
    let footing = settle_feet(&walk, &StageSettings::default(), 8).unwrap();
    let [before, after] = [&walk, &footing.walk].map(wander);
    println!("{:.2} mm, {:.2} mm", 1e3 * before, 1e3 * after);
    assert!(before < 2e-4 && after < 5e-4, "{before} {after}");
}

/// Both legs of a walk that is written out settle as the right one does in the symmetric walk, each in its own stance.
#[test]
fn each_foot_settles_in_its_own_stance() {
    let walk = ReferenceWalk::embedded().unwrap();
    let settings = StageSettings::default();
    let [one, two] = [&walk, &walk.unfolded()].map(|w| settle_feet(w, &settings, 8).unwrap());
    for t in [0.1, 0.4, 0.77] {
        for name in ["hip_flexion_r", "knee_flexion_r", "knee_flexion_l", "ankle_flexion_l", "ankle_inversion_l"] {
            let angle = |footing: &Footing| footing.walk.coordinate_named(name, t).unwrap().value;
            // an even number of samples: those of the left stance are those of the right one half a cycle later
            assert!((angle(&one) - angle(&two)).abs() < 1e-6, "{name}: {} {}", angle(&one), angle(&two));
        }
    }
    assert!((one.force_error[1] / two.force_error[1] - 1.0).abs() < 1e-6);
}

/// A foot whose ankle cannot turn inward sinks as well as five angles allow.
#[test]
fn a_leg_with_five_angles_settles_too() {
    let mut walk = ReferenceWalk::embedded().unwrap();
    let turns = walk.skeleton.segments.iter_mut().map(|s| &mut s.turns);
    turns.for_each(|t| t.retain(|t| !t.coordinate.starts_with("ankle_inversion")));
    let walk = ReferenceWalk::new(walk.constants, walk.skeleton, walk.motion, walk.ground).unwrap();
    let footing = settle_feet(&walk, &StageSettings::default(), 8).unwrap();
    let [before, after] = footing.force_error;
    assert!(after < 0.5 * before, "{before} {after}");
}

/// How far the ball of the right foot wanders sideways in mid-stance: greatest less least [m].
fn wander(walk: &ReferenceWalk) -> f64 {
    let model = Model::build(&walk.skeleton.spec().unwrap()).unwrap();
    let mut inverse = InverseWalk::new(walk, &model).unwrap();
    // head of the third metatarsal, from the ankle
    let ball = Vec3::new(0.125, -0.069, 0.004);
    let foot = model.body_index("foot_r").unwrap();
    let places: Vec<f64> = (12..=45)
        .map(|percent| {
            let at = inverse.move_to(walk.constants.cycle_time * f64::from(percent) / 100.0);
            at.kin.bodies[foot].X_GB.point(&ball).z
        })
        .collect();
    let (low, high) = places.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), z| (l.min(*z), h.max(*z)));
    high - low
}
