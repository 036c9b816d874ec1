//! Walks that need not mirror themselves.

use crate::support::*;
use wolff_anatomy::Side;
use wolff_reference::ReferenceWalk;
use wolff_reference::walk::{InverseWalk, LeftStance};

/// Two ways to write the same sum differ by rounding only.
const ROUNDING: f64 = 1e-12;

/// A walk that limps: the left heel strikes early, the left stance is short, the left knee stiff.
fn limping() -> ReferenceWalk {
    let mut walk = ReferenceWalk::embedded().unwrap().unfolded();
    let knee = walk.motion.iter_mut().find(|s| s.coordinate == "knee_flexion_l").unwrap();
    knee.harmonics.iter_mut().for_each(|h| (h.cos, h.sin) = (0.7 * h.cos, 0.7 * h.sin));
    let series = walk.left.clone().unwrap().series;
    walk.with_left_stance(LeftStance { strike: 0.47, duty: 0.59, series }).unwrap()
}

#[test]
fn written_out_a_walk_stays_what_it_is() {
    let (walk, model) = embedded();
    let unfolded = walk.unfolded();
    assert!(walk.is_symmetric() && !unfolded.is_symmetric());
    let [mut here, mut there] = [&walk, &unfolded].map(|w| InverseWalk::new(w, &model).unwrap());
    let weight = walk.constants.weight();
    for t in [-0.2, 0.0, 0.13, 0.4, 0.77, 1.3] {
        let (a, b) = (walk.coordinates(t), unfolded.coordinates(t));
        for i in 0..a.q.len() {
            close(b.q[i], a.q[i], ROUNDING, 1.0);
            close(b.v[i], a.v[i], ROUNDING, 1.0 + a.v[i].abs());
            // harmonics of order k weigh k² ω²
            close(b.a[i], a.a[i], ROUNDING, 1e3);
        }
        for foot in Side::BOTH {
            let (a, b) = (walk.ground(t, foot), unfolded.ground(t, foot));
            close((a.force - b.force).norm(), 0.0, ROUNDING, weight);
            close((a.point - b.point).norm(), 0.0, ROUNDING, 1.0);
            close((a.moment - b.moment).norm(), 0.0, ROUNDING, weight);
        }
        for (b, a) in there.at(t).iter().zip(here.at(t)) {
            close(*b, *a, ROUNDING, weight);
        }
    }
    assert_eq!(unfolded.unfolded(), unfolded);
}

#[test]
fn the_left_foot_stands_when_it_is_told_to() {
    let walk = limping();
    let T = walk.constants.cycle_time;
    let stands = |share: f64| walk.ground(share * T, Side::Left).force.y > 0.0;
    for cycle in [-1.0, 0.0, 1.0] {
        assert!(!stands(cycle + 0.469) && stands(cycle + 0.472));
        assert!(stands(cycle + 0.057) && !stands(cycle + 0.061));
    }
    // it strikes as far before the right foot would as the person walks meanwhile
    let place = |walk: &ReferenceWalk, share: f64| walk.ground(share * T, Side::Left).point.x;
    let usual = place(&ReferenceWalk::embedded().unwrap(), 0.5 + 1e-9);
    close(usual - place(&walk, 0.47 + 1e-9), 0.03 * walk.constants.stride(), 1e-6, 1.0);
    // one stride on after one cycle
    close(place(&walk, 1.7) - place(&walk, 0.7), walk.constants.stride(), ROUNDING, 1.0);
}

#[test]
fn files_keep_what_differs_between_the_sides() {
    let mut walk = limping();
    let text = walk.to_json("a limp", "the embedded walk, changed").unwrap();
    assert!(!text.contains("thigh_l"), "a skeleton that mirrors itself is written once");
    let again = ReferenceWalk::from_json(&text).unwrap();
    assert_eq!((&again.motion, &again.left, &again.ground), (&walk.motion, &walk.left, &walk.ground));

    let heel = walk.skeleton.contacts.iter_mut().find(|c| c.name == "heel_l").unwrap();
    heel.window[1] += 0.02;
    let foot = walk.skeleton.segments.iter_mut().find(|s| s.name == "foot_l").unwrap();
    foot.joint.y -= 0.015;
    let text = walk.to_json("a limp", "the embedded walk, changed").unwrap();
    let mut again = ReferenceWalk::from_json(&text).unwrap();
    again.skeleton.name = walk.skeleton.name.clone();
    assert_eq!(again, walk);
}

#[test]
fn unequal_legs_and_mixed_harmonics_are_no_symmetric_walk() {
    let walk = ReferenceWalk::embedded().unwrap();
    let mut longer = walk.clone();
    longer.skeleton.segments.iter_mut().filter(|s| s.name == "foot_l").for_each(|s| s.joint.y -= 0.015);
    assert!(!longer.is_symmetric());
    let mut leaning = walk.clone();
    leaning.motion.iter_mut().filter(|s| s.coordinate == "pelvis_list").for_each(|s| s.mean = 0.02);
    assert!(!leaning.is_symmetric());
    let mut heavy = walk.clone();
    heavy.skeleton.segments.iter_mut().filter(|s| s.name == "thorax").for_each(|s| s.mass.com.z = 0.01);
    assert!(!heavy.is_symmetric());
}

#[test]
fn stances_that_are_no_walking_are_refused() {
    let walk = ReferenceWalk::embedded().unwrap();
    let refusal = |strike: f64, duty: f64| {
        let left = LeftStance { strike, duty, series: walk.ground.clone() };
        walk.clone().with_left_stance(left).unwrap_err().to_string()
    };
    assert!(refusal(0.7, 0.6).contains("strike") && refusal(0.0, 0.6).contains("strike"));
    assert!(refusal(0.4, 0.55).contains("next strike of the right foot"));
    assert!(refusal(f64::NAN, 0.6).contains("NaN") && refusal(0.5, f64::NAN).contains("NaN"));
    let mut series = walk.ground.clone();
    series.force[1][2] = f64::NAN;
    let left = LeftStance { strike: 0.5, duty: 0.6, series };
    assert!(walk.clone().with_left_stance(left).unwrap_err().to_string().contains("ground reaction"));
}
