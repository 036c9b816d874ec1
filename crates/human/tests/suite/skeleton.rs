//! Skeletons: mirror images, trees, masses.

use crate::support::*;
use wolff_human::skeleton::{Segment, Side};

#[test]
fn the_embedded_skeleton_has_its_bodies_and_coordinates() {
    let (walk, model) = embedded();
    assert_eq!(model.body_count(), 18);
    assert_eq!(model.nv(), 32);
    close(model.total_mass(), 75.0, 1e-9, 75.0);
    close(walk.skeleton.length("thigh_l").unwrap(), 0.4292, 1e-12, 1.0);
    assert!(walk.skeleton.length("hand_r").is_none());
}

#[test]
fn mirroring_twice_gives_the_segment_back() {
    let (walk, _) = embedded();
    for segment in &walk.skeleton.segments {
        assert_eq!(&segment.mirrored().mirrored(), segment);
        let other = segment.mirrored();
        let same_name = other.name == segment.name;
        assert_eq!(same_name, Side::of(&segment.name) == Side::Middle);
    }
}

#[test]
fn a_root_without_three_turns_is_refused() {
    let (walk, _) = embedded();
    let mut skeleton = walk.skeleton.clone();
    skeleton.segments[0].turns.pop();
    let message = skeleton.spec().unwrap_err().to_string();
    assert!(message.contains("pelvis") && message.contains("three"), "{message}");
}

#[test]
fn a_joint_with_four_turns_is_refused() {
    let (walk, _) = embedded();
    let mut skeleton = walk.skeleton.clone();
    let Segment { turns, .. } = &mut skeleton.segments[1];
    turns.push(turns[0].clone());
    assert!(skeleton.spec().unwrap_err().to_string().contains("abdomen"));
}
