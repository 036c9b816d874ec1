//! Feet of the embedded walk on a floor that gives way.

use wolff_anatomy::Side;
use wolff_movement::model::floor_of;
use wolff_movement::reference::ReferenceWalk;
use wolff_movement::reference::floor_fit::{FittedWalk, fit_to_floor};
use wolff_movement::reference::rescale::YieldingFloor;
use wolff_movement::reference::walk::InverseWalk;
use wolff_movement::tracking::ControllerSettings;
use wolff_multibody::Model;
use wolff_spatial::Vec3;

/// Most steps of the least squares.
const STEPS: usize = 12;

fn settled(walk: &ReferenceWalk) -> FittedWalk {
    fit_to_floor(walk, &ControllerSettings::default().floor_fit(STEPS)).unwrap()
}

/// The floor comes to answer with the wanted force within 2 % of body weight, legs change by a few degrees at most, and the walk holds together.
#[test]
fn feet_sink_as_deep_as_their_load_needs() {
    let floor_fit = settled(&ReferenceWalk::embedded().unwrap());
    let [before, after] = floor_fit.force_error;
    assert!(before > 0.5 && after < 0.02, "{before} {after}");
    // the foot rolls a little, so that the force goes through the wanted point between the heads of the metatarsals
    assert!(floor_fit.greatest_change.to_degrees() < 9.0, "{}", floor_fit.greatest_change.to_degrees());
    let [_, faults] = floor_fit.consistency;
    assert!(faults.is_good(), "{faults:?}");
}

/// Where the floor presses is where the ground force was, within a centimetre along the foot and two across while it carries more than half of
/// the weight.
#[test]
fn the_centre_of_pressure_stays() {
    let given = ReferenceWalk::embedded().unwrap();
    let walk = settled(&given).walk;
    let model = Model::build(&walk.skeleton.spec().unwrap()).unwrap();
    let controllers = ControllerSettings::default();
    let floor = floor_of(&model, &walk.skeleton.contacts, &controllers.floor, controllers.pad_radii).unwrap();
    let mut inverse = InverseWalk::new(&walk, &model).unwrap();
    for percent in (5..=55).step_by(5) {
        let t = walk.constants.cycle_time * f64::from(percent) / 100.0;
        let wanted = given.ground(t, Side::Right);
        let press = floor.press(&inverse.move_to(t), Side::Right, &Vec3::zeros());
        if wanted.force.y < 0.5 * walk.constants.weight() {
            continue;
        }
        let off = [press.moments[0] / press.force - wanted.point.x, press.moments[1] / press.force - wanted.point.z];
        // while heel or toes alone carry, their one pad cannot move the force sideways
        assert!(off[0].abs() < 0.01 && off[1].abs() < 0.02, "{percent} %: {off:?} m");
    }
}

/// Joint moments of the legs stay those of the given walk, within 6 N m.
#[test]
fn joint_moments_stay() {
    let given = ReferenceWalk::embedded().unwrap();
    let walk = settled(&given).walk;
    let model = Model::build(&walk.skeleton.spec().unwrap()).unwrap();
    let [mut before, mut after] = [&given, &walk].map(|w| InverseWalk::new(w, &model).unwrap());
    for name in ["hip_flexion_r", "hip_adduction_r", "knee_flexion_r", "ankle_flexion_r"] {
        let k = model.coordinate_index(name).unwrap();
        for percent in 0..100 {
            let t = walk.constants.cycle_time * f64::from(percent) / 100.0;
            let [was, is] = [before.at(t)[k], after.at(t)[k]];
            assert!((was - is).abs() < 6.0, "{name} at {percent} %: {was} {is} N m");
        }
    }
}

/// The ball of the foot stays in its place while it carries the body, within a millimetre and a half.
#[test]
fn feet_that_stand_do_not_slide() {
    let walk = ReferenceWalk::embedded().unwrap();
    let [before, after] = [&walk, &settled(&walk).walk].map(wander);
    assert!(before < 5e-4 && after < 1.5e-3, "{before} {after}");
}

/// Both legs of a walk that is written out settle as the right one does in the symmetric walk, each in its own stance.
#[test]
fn each_foot_settles_in_its_own_stance() {
    let walk = ReferenceWalk::embedded().unwrap();
    let [one, two] = [&walk, &walk.unfolded()].map(settled);
    for t in [0.1, 0.4, 0.77] {
        for name in ["hip_flexion_r", "knee_flexion_r", "knee_flexion_l", "ankle_flexion_l", "ankle_inversion_l"] {
            let angle = |floor_fit: &FittedWalk| floor_fit.walk.coordinate_named(name, t).unwrap().value;
            // the two problems weigh their unknowns a little differently
            assert!((angle(&one) - angle(&two)).abs() < 5e-3, "{name}: {} {}", angle(&one), angle(&two));
        }
    }
}

/// A foot whose ankle cannot turn inward sinks as well as five angles allow.
#[test]
fn a_leg_with_five_angles_settles_too() {
    let mut walk = ReferenceWalk::embedded().unwrap();
    let turns = walk.skeleton.segments.iter_mut().map(|s| &mut s.turns);
    turns.for_each(|t| t.retain(|t| !t.coordinate.starts_with("ankle_inversion")));
    let walk = ReferenceWalk::new(walk.constants, walk.skeleton, walk.motion, walk.ground).unwrap();
    let [before, after] = settled(&walk).force_error;
    assert!(after < 0.1 * before, "{before} {after}");
}

/// How far the ball of the right foot wanders sideways in mid-stance: greatest less least [m].
fn wander(walk: &ReferenceWalk) -> f64 {
    let model = Model::build(&walk.skeleton.spec().unwrap()).unwrap();
    let mut inverse = InverseWalk::new(walk, &model).unwrap();
    // head of the third metatarsal, from the ankle
    let ball = Vec3::new(0.125, -0.069, 0.004);
    let foot = model.body_index("foot_r").unwrap();
    let places: Vec<f64> = (12..=35)
        .map(|percent| {
            let at = inverse.move_to(walk.constants.cycle_time * f64::from(percent) / 100.0);
            at.kin.bodies[foot].X_GB.point(&ball).z
        })
        .collect();
    let (low, high) = places.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), z| (l.min(*z), h.max(*z)));
    high - low
}
