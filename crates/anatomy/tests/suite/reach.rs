//! Joints between the ends of muscles.

use wolff_anatomy::{LegMuscles, MuscleSet, Skeleton, Subject, UpperMuscles};

fn full_body() -> Skeleton {
    Skeleton::full_body(&Subject::preset("reference").unwrap()).unwrap()
}

#[test]
fn muscles_span_the_joints_between_their_segments() {
    let skeleton = full_body();
    let upper = MuscleSet::upper_body(&skeleton, UpperMuscles::Thesis).unwrap();
    let legs = MuscleSet::new(&skeleton, LegMuscles::All).unwrap();
    let spans = |set: &MuscleSet, name: &str| set.find(name).unwrap().spans(&skeleton);
    assert_eq!(spans(&upper, "rect_abd_r"), ["lumbar_flexion", "thorax_flexion"]);
    assert_eq!(spans(&upper, "scm_stern_l"), ["neck_flexion"]);
    // begins on the thorax, not on the scapula: both are one rigid piece
    assert_eq!(spans(&upper, "tri_long_r"), ["shoulder_flexion_r", "shoulder_adduction_r", "elbow_flexion_r"]);
    assert_eq!(spans(&upper, "fcr_l"), ["elbow_flexion_l", "wrist_flexion_l"]);
    assert_eq!(spans(&legs, "bifemlh_r").len(), 4);
    assert_eq!(spans(&legs, "soleus_l"), ["ankle_flexion_l", "ankle_inversion_l"]);
}

#[test]
fn muscles_of_the_shoulder_girdle_are_idle_where_it_is_fixed() {
    let skeleton = full_body();
    let upper = MuscleSet::upper_body(&skeleton, UpperMuscles::Thesis).unwrap();
    let idle: Vec<&str> = upper.idle(&skeleton).iter().map(|m| m.name.as_str()).collect();
    let right = ["pec_min_r", "trap_trans_r", "trap_asc_r", "subclav_r"];
    let left = ["pec_min_l", "trap_trans_l", "trap_asc_l", "subclav_l"];
    assert_eq!(idle, [right, left].concat());
    let working = upper.clone().working(&skeleton);
    assert_eq!(working.muscles.len(), 2 * 39);
    assert!(working.idle(&skeleton).is_empty());
    // groups that lose all parts: the other part of trapezius turns the neck
    assert_eq!(upper.groups().len() - working.groups().len(), 2);
}
