//! The reference of the embedded walk.

use wolff_anatomy::{LegMuscles, MuscleSet, Skeleton, Subject, UpperMuscles};
use wolff_movement::model::MuscledModel;
use wolff_movement::reference::RescaleSettings;
use wolff_movement::reference::rescale::rescale_to;
use wolff_movement::reference::walk::{InverseWalk, ReferenceWalk};
use wolff_movement::tracking::{ControllerSettings, walk_reference};
use wolff_movement::tracking::{
    MotionAgents, ReferenceSettings, Timing, TrackingReference, inverse_simulation, tracking_reference,
};
use wolff_multibody::Model;

/// Tracks give the walk back between samples, in every cycle.
#[test]
fn tracks_follow_the_walk() {
    let walk = ReferenceWalk::embedded().unwrap();
    let model = Model::build(&walk.skeleton.spec().unwrap()).unwrap();
    let mut inverse = InverseWalk::new(&walk, &model).unwrap();
    let (period, advance) = (walk.constants.cycle_time, walk.constants.stride());
    let settings = ReferenceSettings {
        timing: Timing::Cycle { period, advance },
        samples: 208,
        roles: walk.skeleton.coordinate_roles(),
        balanced: vec![],
        reserve: 1.0,
        tissues: vec![],
    };
    let reference = tracking_reference(&mut inverse, &[], &settings).unwrap();
    for t in [0.0, 0.123, 1.7, 3.9] {
        let forces = inverse.at(t).to_vec();
        for (k, (name, track)) in reference.coordinates.iter().enumerate() {
            assert!((track.value(t) - inverse.state.q[k]).abs() < 1e-5, "{name} at {t}");
            assert!((track.at(t).1 - inverse.state.v[k]).abs() < 1e-3, "{name} at {t}");
            assert!((reference.forces[k].value(t) - forces[k]).abs() < 0.2, "{name} at {t}");
        }
    }
}

/// Agents ten times as stiff leave a tenth of the distance, and muscles then have the lengths of the wanted motion.
#[test]
fn motion_agents_draw_the_person_along() {
    let walk = ReferenceWalk::embedded().unwrap();
    let muscles = MuscleSet::new(&walk.skeleton, LegMuscles::Thesis).unwrap();
    let rigid = MuscledModel::rigid(&walk.skeleton, &muscles).unwrap();
    let settings = ControllerSettings { samples: 104, ..ControllerSettings::default() };
    let reference = walk_reference(&walk, &rigid, &muscles, &settings).unwrap();
    let taught = |stiffer: f64| {
        let (mut own, usual) = (reference.clone(), MotionAgents::default());
        let stiffness = stiffer * usual.stiffness;
        let agents = MotionAgents { stiffness, turn_stiffness: stiffer * usual.turn_stiffness, ..usual };
        let wanted = InverseWalk::new(&walk, &rigid.model).unwrap();
        let report = inverse_simulation(wanted, &rigid.model, &rigid.paths, &mut own, agents, (104, 1e-3)).unwrap();
        let error =
            |t: f64| own.lengths.iter().zip(&reference.lengths).map(move |(a, b)| (a.value(t) - b.value(t)).abs());
        let worst = (0..50).flat_map(|i| error(0.02 * f64::from(i))).fold(0.0, f64::max);
        (report, worst)
    };
    let (soft, stiff) = (taught(1.0), taught(10.0));
    assert!(soft.0.distance < 2e-3 && soft.1 < 2e-3, "{soft:?}");
    assert!(stiff.0.distance < 0.2 * soft.0.distance && stiff.1 < 0.3 * soft.1, "{soft:?} {stiff:?}");
    // without a floor the agents carry the person, each its segment and a share of its neighbours
    assert!(soft.0.force > 30.0 && soft.0.force < 735.0, "{soft:?}");
}

/// Muscles of the upper body carry trunk, neck and arms of the thesis' skeleton through the walk with little effort and no reserves.
#[test]
fn muscles_carry_the_upper_body() {
    let subject = Subject::preset("reference").unwrap();
    let skeleton = Skeleton::full_body(&subject).unwrap();
    let reference = ReferenceWalk::embedded().unwrap();
    let walk = rescale_to(&reference, skeleton, subject.stature, &RescaleSettings::default()).unwrap().walk;
    let upper = MuscleSet::upper_body(&walk.skeleton, UpperMuscles::Thesis).unwrap().working(&walk.skeleton);
    let own: Vec<String> = upper.muscles.iter().map(|m| m.name.clone()).collect();
    let muscles = MuscleSet::new(&walk.skeleton, LegMuscles::Walking).unwrap().joined(upper);
    let rigid = MuscledModel::rigid(&walk.skeleton, &muscles).unwrap();
    let reference = |upper_muscles| {
        let settings = ControllerSettings { samples: 52, upper_muscles, ..ControllerSettings::default() };
        walk_reference(&walk, &rigid, &muscles, &settings).unwrap()
    };
    let (with, without) = (reference(true), reference(false));
    assert!(with.report.reserve_peak < 0.5, "{:?}", with.report);
    let peak = |reference: &TrackingReference, name: &str| {
        let m = muscles.muscles.iter().position(|m| m.name == name).unwrap();
        let tension = |i: i32| reference.tensions[m].value(0.02 * f64::from(i));
        (0..52).map(tension).fold(0.0, f64::max) / muscles.muscles[m].max_force
    };
    let trunk = ["rect_abd_r", "extobl_lat_r", "iliocost_r", "longiss_r", "spinalis_r", "splen_cap_r", "scm_stern_r"];
    let hardest = trunk.map(|name| peak(&with, name)).into_iter().fold(0.0, f64::max);
    assert!((0.01..0.6).contains(&hardest), "{hardest}");
    // where servos hold the upper body, its muscles rest, but for psoas, which turns the hip
    assert!(own.iter().all(|name| name.starts_with("psoas") || peak(&without, name) < 1e-6));
    // the head leans forward of the neck: its extensors pull
    assert!(peak(&with, "splen_cap_r") > 0.005, "{}", peak(&with, "splen_cap_r"));
}
