//! Skeletons: mirror images, trees, masses.

use crate::support::*;
use proptest::prelude::*;
use wolff_anatomy::Side;
use wolff_anatomy::anthropometry::BodyPart;
use wolff_anatomy::skeleton::{Proportions, Segment, foot_points};
use wolff_anatomy::{LegMuscles, MuscleSet, Sex, Skeleton, Subject};
use wolff_multibody::{Kinematics, Model};
use wolff_muscle::Path;
use wolff_spatial::Vec3;

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
        assert_eq!(same_name, Side::of(&segment.name).is_none());
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

#[test]
fn the_average_man_has_the_skeleton_of_the_embedded_walk() {
    let (walk, _) = embedded();
    let person = Skeleton::walking(&Subject::preset("reference").unwrap()).unwrap();
    assert_eq!(person.coordinate_names(), walk.skeleton.coordinate_names());
    for (here, there) in person.segments.iter().zip(&walk.skeleton.segments) {
        assert_eq!((&here.name, &here.parent), (&there.name, &there.parent));
        // the file is rounded to 0.1 mm, sums of lengths to twice that
        assert!((here.joint - there.joint).amax() < 2.1e-4, "{}: {} {}", here.name, here.joint, there.joint);
        assert!((here.mass.com - there.mass.com).amax() < 1.1e-4, "{}", here.name);
        close(here.mass.mass, there.mass.mass, 1e-9, 1.0);
        let off = (here.mass.inertia - there.mass.inertia).amax();
        // 0.1 mm of the shortest segment, squared
        assert!(off < 3e-3 * there.mass.inertia.amax(), "{}: {off}", here.name);
    }
    for (here, there) in person.contacts.iter().zip(&walk.skeleton.contacts) {
        assert_eq!((&here.name, &here.segment, here.window), (&there.name, &there.segment, there.window));
        assert!((here.point - there.point).amax() < 1e-4);
    }
}

#[test]
fn everybody_stands_as_tall_as_they_are_and_weighs_what_they_weigh() {
    let woman = Subject::new("woman", 61.0, 1.66, Sex::Female, Some(30.0)).unwrap();
    let man = Subject::preset("al-nazer-2").unwrap();
    for subject in [woman, man] {
        let skeletons = [Skeleton::walking(&subject), Skeleton::full_body(&subject)].map(Result::unwrap);
        let lower = Skeleton::lower_body(&subject).unwrap();
        for skeleton in skeletons.iter().chain([&lower]) {
            close(skeleton.mass(), subject.mass, 1e-12, subject.mass);
            let model = Model::build(&skeleton.spec().unwrap()).unwrap();
            assert_eq!(model.nv(), skeleton.coordinate_names().len());
            let heel = skeleton.contacts.iter().find(|c| c.name == "heel_l").unwrap();
            let foot = skeleton.standing_place(skeleton.segment("foot_l").unwrap()) + heel.point;
            if let Some(head) = skeleton.segment("head") {
                let vertex = skeleton.standing_place(head).y + subject.part(BodyPart::Head).length;
                close(vertex - foot.y, subject.stature, 1e-12, subject.stature);
            }
        }
        assert_eq!([skeletons[0].segments.len(), skeletons[1].segments.len(), lower.segments.len()], [18, 19, 7]);
    }
}

#[test]
fn the_lower_body_carries_the_upper_body_as_one_piece() {
    let subject = Subject::preset("al-nazer-1").unwrap();
    let (full, lower) = (Skeleton::full_body(&subject).unwrap(), Skeleton::lower_body(&subject).unwrap());
    // standing still both have the same centre of mass and, about it, the same inertia: kinetic energy of a turn about the pelvis
    let energy = |skeleton: &Skeleton| {
        let model = Model::build(&skeleton.spec().unwrap()).unwrap();
        let mut v = vec![0.0; model.nv()];
        for (name, speed) in [("pelvis_tilt", 0.7), ("pelvis_list", -0.4), ("pelvis_rotation", 1.1), ("pelvis_tx", 0.3)]
        {
            v[model.coordinate_index(name).unwrap()] = speed;
        }
        let mut kin = Kinematics::new(&model);
        kin.update(&model, &model.q0, &v);
        kin.bodies.iter().map(|b| 0.5 * b.V.dot(&b.I.apply(&b.V))).sum::<f64>()
    };
    close(energy(&full), energy(&lower), 1e-12, energy(&full));
}

/// A foot without a toe joint stands on heel and metatarsals only, six points as in the source, and turns about the
/// first two until it leaves the floor.
#[test]
fn a_stiff_foot_has_no_point_under_the_toes() {
    let (stiff, jointed) = (foot_points(0.26, None), foot_points(0.26, Some(Vec3::new(0.13, -0.06, 0.0))));
    assert_eq!((stiff.len(), jointed.len()), (6, 7));
    assert!(stiff.iter().all(|p| p.segment == "foot_r" && p.name != "toe_r"));
    let off = jointed.iter().map(|p| p.window[1]).fold(0.0, f64::max);
    let turning: Vec<&str> = stiff.iter().filter(|p| p.window[1] == off).map(|p| p.name.as_str()).collect();
    assert_eq!(turning, ["mt1_r", "mt2_r"]);
}

#[test]
fn passive_joints_are_those_of_the_table() {
    let subject = Subject::preset("al-nazer-2").unwrap();
    let full = Skeleton::full_body(&subject).unwrap();
    let passive = full.passive_joints();
    // every coordinate but the six of the pelvis has a row
    assert_eq!(passive.len(), full.coordinate_names().len() - 6);
    let find = |name: &str| passive.iter().find(|p| p.coordinate == name).unwrap();
    // printed in N mm/° and N mm s/°
    close(find("ankle_inversion_l").stiffness, 10.0_f64.to_degrees(), 1e-12, 573.0);
    close(find("hip_rotation_r").damping, 0.08_f64.to_degrees(), 1e-12, 5.0);
    close(find("neck_flexion").stiffness, 1.0_f64.to_degrees(), 1e-12, 57.0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_person_has_models_and_muscles(mass in 35.0..160.0_f64, stature in 1.4..2.1_f64, female: bool) {
        let sex = if female { Sex::Female } else { Sex::Male };
        let subject = Subject::new("someone", mass, stature, sex, None).unwrap();
        for skeleton in [Skeleton::walking(&subject), Skeleton::full_body(&subject), Skeleton::lower_body(&subject)] {
            let skeleton = skeleton.unwrap();
            let model = Model::build(&skeleton.spec().unwrap()).unwrap();
            prop_assert!((model.total_mass() - mass).abs() < 1e-9);
            for muscle in MuscleSet::new(&skeleton, LegMuscles::All).unwrap().muscles {
                prop_assert!(Path::new(&muscle.path, &model).is_ok());
            }
        }
    }
}

#[test]
fn a_person_takes_given_proportions_and_keeps_the_mass() {
    let (walk, _) = embedded();
    let wanted = Proportions { half_hips: 0.09, thigh: 0.40, shank: 0.45, forefoot: 0.15 };
    let person = walk.skeleton.with_proportions(&wanted).unwrap();
    close(person.mass(), walk.skeleton.mass(), 1e-12, 75.0);
    for end in ["_r", "_l"] {
        close(person.length(&format!("thigh{end}")).unwrap(), 0.40, 1e-12, 1.0);
        close(person.length(&format!("shank{end}")).unwrap(), 0.45, 1e-12, 1.0);
        let toes = person.segment(&format!("toes{end}")).unwrap();
        close(toes.joint.x, 0.15, 1e-12, 1.0);
        // the foot is scaled as a whole: its sole stays flat
        let sole = |name: &str| {
            let point = person.contacts.iter().find(|c| c.name == format!("{name}{end}")).unwrap();
            person.standing_place(person.segment(&point.segment).unwrap()).y + point.point.y
        };
        close(sole("heel"), sole("toe"), 1e-12, 1.0);
        // inertia goes with the square of the length
        let of = |skeleton: &Skeleton| skeleton.segment(&format!("shank{end}")).unwrap().mass.inertia[(0, 0)];
        let ratio = 0.45 / walk.skeleton.length("shank_r").unwrap();
        close(of(&person), of(&walk.skeleton) * ratio * ratio, 1e-12, 1.0);
    }
    close(person.segment("thigh_l").unwrap().joint.z, -0.09, 1e-12, 1.0);
    let message = walk.skeleton.with_proportions(&Proportions { thigh: f64::NAN, ..wanted }).unwrap_err().to_string();
    assert!(message.contains("thigh"), "{message}");
}
