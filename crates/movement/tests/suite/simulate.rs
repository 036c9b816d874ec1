//! The whole result with rigid bones.

use wolff_anatomy::LegMuscles;
use wolff_bone::parametric::Sex;
use wolff_fem::material::Material;
use wolff_movement::MovementError;
use wolff_movement::bones::{BoneName, BoneSettings, ModeChoice};
use wolff_movement::reference::ReferenceWalk;
use wolff_movement::reference::rescale::{Restoring, restore};
use wolff_movement::simulate::{MovementPlan, PlanMuscles, simulate_movement};
use wolff_movement::tracking::ControllerSettings;
use wolff_movement::tracking::MotionAgents;

pub fn plan(cycles: usize) -> MovementPlan {
    MovementPlan {
        walk: ReferenceWalk::embedded().unwrap(),
        muscles: PlanMuscles::Legs(LegMuscles::Walking),
        strength: 1.0,
        cycles,
        step: 5e-4,
        sample: 2e-3,
        bent_reference: true,
        prescribed: false,
        controllers: ControllerSettings::default(),
        floor_fit_steps: 12,
        bones: BoneSettings {
            bones: vec![],
            stature: 1.77,
            breadth: 1.0,
            sex: Sex::Male,
            refinement: 1,
            cortical: Material::cortical_bone(),
            damping_ratio: 1.0,
            stiffening: false,
            modes: ModeChoice::Gauges,
            surface: false,
            vibrations: 3,
            gauge_error: 2e-5,
            shaft_offset: None,
            given: Vec::new(),
            carried_muscles: true,
            fibula: false,
            cache: None,
        },
    }
}

/// Two strides: the weight is carried on average, muscles stay within their limits, and the floor never pulls.
#[test]
fn forces_of_a_walk() {
    let done = simulate_movement(&plan(2), &mut |_, _| true).unwrap();
    assert!(done.ended.is_none());
    let stride = done.record.times.len() / 2;
    let vertical = |i: usize| done.record.ground[i].iter().map(|g| g.force.y).sum::<f64>();
    let mean = (stride..2 * stride).map(vertical).sum::<f64>() / stride as f64;
    assert!((mean / done.walk.constants.weight() - 1.0).abs() < 0.01, "{mean}");
    assert!(done.record.ground.iter().flatten().all(|g| g.force.y >= 0.0));
    for row in &done.record.tensions {
        for (tension, muscle) in row.iter().zip(&done.controllers.muscles) {
            assert!((0.0..=muscle.max_force).contains(tension));
        }
    }
}

/// Toes carry what their pads press: nothing in swing, some newton metres before they leave the floor; and what a foot carries with it.
#[test]
fn toes_carry_what_presses_on_them() {
    let done = simulate_movement(&plan(1), &mut |_, _| true).unwrap();
    let k = done.reference.coordinates.iter().position(|(name, _)| name == "toe_flexion_r").unwrap();
    let moment = |share: f64| done.reference.forces[k].value(share * done.walk.constants.cycle_time);
    // the ground turns toes up, their joint turns them down
    assert!((-25.0..-2.0).contains(&moment(0.5)), "{} N m", moment(0.5));
    assert!(moment(0.8).abs() < 0.3, "{} N m", moment(0.8));
    let force = done.reference.ground[0][1].value(0.5 * done.walk.constants.cycle_time);
    assert!(-moment(0.5) < 0.1 * force, "not more than the force at the tip of the toes");
}

/// A man whose left shank is 15 mm longer walks in his own way: feet follow the wanted forces, each its own.
#[test]
fn legs_of_unequal_length() {
    let mut walk = ReferenceWalk::embedded().unwrap();
    walk.skeleton.segments.iter_mut().filter(|s| s.name == "foot_l").for_each(|s| s.joint.y -= 0.015);
    let made = restore(walk.unfolded(), &Restoring { iterations: 20, ..Restoring::default() }).unwrap();
    assert!(made.after.is_good(), "{:?}", made.after);
    let done = simulate_movement(&MovementPlan { walk: made.walk, ..plan(2) }, &mut |_, _| true).unwrap();
    assert!(done.ended.is_none());
    // 0.987 with equal legs
    assert!(done.fidelity.ground_correlation[1] > 0.97, "{:?}", done.fidelity);
    let walk = &done.walk;
    let knee = |name: &str, t: f64| walk.coordinate_named(name, t).unwrap().value;
    let apart = |k: u32| {
        let t = walk.constants.cycle_time * f64::from(k) / 100.0;
        (knee("knee_flexion_r", t) - knee("knee_flexion_l", t + 0.5 * walk.constants.cycle_time)).abs()
    };
    let most = (0..100).map(apart).fold(0.0, f64::max).to_degrees();
    assert!(most > 1.0, "knees differ by {most}° at most");
}

/// A run that is asked to stop keeps what it has.
#[test]
fn a_walk_may_be_stopped() {
    let mut calls = 0;
    let done = simulate_movement(&plan(1), &mut |phase, _| {
        calls += usize::from(phase == "walking");
        calls < 4
    });
    let done = done.unwrap();
    assert!(done.record.times.len() < 520 && done.record.times.len() > 100, "{}", done.record.times.len());
    assert_eq!(done.state.step, done.record.steps);
    assert!(matches!(done.ended, Some(MovementError::Stopped { .. })), "{:?}", done.ended);
}

#[test]
fn plans_that_cannot_be_are_refused() {
    let refused = |change: &dyn Fn(&mut MovementPlan)| {
        let mut plan = plan(1);
        change(&mut plan);
        matches!(simulate_movement(&plan, &mut |_, _| true), Err(MovementError::Rule { .. }))
    };
    assert!(refused(&|p| p.cycles = 0));
    assert!(refused(&|p| p.step = f64::NAN));
    assert!(refused(&|p| p.strength = 0.0));
    assert!(refused(&|p| p.controllers.reserve = -1.0));
    assert_eq!(BoneName::TibiaLeft.segment(), "shank_l");
}

/// What motion agents taught and what the bending of a bone changes come together: neither overwrites the other.
#[test]
fn agents_teach_on_bones_that_bend() {
    let lengths = |motion_agents: Option<MotionAgents>, bones: &[BoneName]| -> Vec<f64> {
        let mut plan = plan(1);
        plan.step = 2e-3;
        plan.controllers.motion_agents = motion_agents;
        plan.bones.bones = bones.to_vec();
        let done = simulate_movement(&plan, &mut |_, _| true).unwrap();
        done.controllers.muscles.iter().map(|m| m.reference.value(0.3)).collect()
    };
    let soft = Some(MotionAgents { stiffness: 2e3, turn_stiffness: 20.0, ..MotionAgents::default() });
    let tibia = [BoneName::TibiaRight];
    let (rigid, taught) = (lengths(None, &[]), lengths(soft, &[]));
    let (bent, both) = (lengths(None, &tibia), lengths(soft, &tibia));
    let greatest = |list: &[f64]| list.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>();
    let (by_agents, by_bending) = (minus(&taught, &rigid), minus(&bent, &rigid));
    assert!(greatest(&by_agents) > 1e-3 && greatest(&by_bending) > 1e-4);
    // to the interpolation between samples of the reference
    let together = minus(&minus(&both, &rigid), &by_agents);
    assert!(greatest(&minus(&together, &by_bending)) < 1e-6);
}
