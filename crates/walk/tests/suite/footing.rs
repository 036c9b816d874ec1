//! Feet of the embedded walk on a floor that gives way.

use wolff_human::ReferenceWalk;
use wolff_walk::footing::settle_feet;
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
