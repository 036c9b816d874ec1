//! Axes of the ankles.

use crate::support::*;
use wolff_anatomy::mirror_name;
use wolff_anatomy::skeleton::{AnkleAxes, Skeleton};
use wolff_anatomy::{Sex, Subject};
use wolff_reference::ReferenceWalk;
use wolff_reference::rescale::{Restoring, restore};
use wolff_spatial::Vec3;

/// The axes of gait2392 (Delp et al. 1990), to the digits of its file.
#[test]
fn default_axes_are_those_of_the_muscles() {
    let [flexion, inversion] = AnkleAxes::default().directions();
    assert!((flexion - Vec3::new(-0.105014, -0.174022, 0.979126)).norm() < 2e-3, "{flexion}");
    assert!((inversion - Vec3::new(0.787180, 0.604747, -0.120949)).norm() < 2e-3, "{inversion}");
    assert!((flexion.norm() - 1.0).abs() < 1e-12 && (inversion.norm() - 1.0).abs() < 1e-12);
}

/// Angles of zero are the axes of the plain skeleton, and left axes mirror right ones.
#[test]
fn straight_axes_change_nothing() {
    let person = Subject::new("someone", 70.0, 1.7, Sex::Male, None).unwrap();
    let plain = Skeleton::walking(&person).unwrap();
    let zero = AnkleAxes { flexion_tilt: 0.0, flexion_turn: 0.0, subtalar_rise: 0.0, subtalar_turn: 0.0 };
    assert_eq!(plain.with_ankle_axes(&zero).segments, plain.segments);
    let oblique = plain.with_ankle_axes(&AnkleAxes::default());
    let right = oblique.segment("foot_r").unwrap();
    assert_eq!(oblique.segment(&mirror_name("foot_r")).unwrap(), &right.mirrored());
}

/// The embedded walk on oblique axes holds together again, with hips and knees that change by less than two degrees.
#[test]
fn the_walk_is_restored_on_oblique_axes() {
    let walk = ReferenceWalk::embedded().unwrap();
    let oblique = walk.with_skeleton(walk.skeleton.with_ankle_axes(&AnkleAxes::default())).unwrap();
    let made = restore(oblique, &Restoring { moments: Some([0.02, 0.02]), ..Restoring::default() }).unwrap();
    assert!(made.after.is_good() && made.after.force < 0.01, "{:?}", made.after);
    for percent in 0..100 {
        let t = walk.constants.cycle_time * f64::from(percent) / 100.0;
        for name in ["hip_flexion_r", "hip_adduction_r", "knee_flexion_r"] {
            let [was, is] = [&walk, &made.walk].map(|w| w.coordinate_named(name, t).unwrap().value);
            close(is, was, 2f64.to_radians(), 1.0);
        }
    }
}
