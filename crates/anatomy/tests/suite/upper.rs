//! The upper body's muscles of the thesis on its skeleton: groups, moment arms over the joints' ranges, muscles that can do no work.

use crate::support::*;
use wolff_anatomy::{LegMuscles, MuscleSet, Sex, Skeleton, Subject, UpperMuscles};
use wolff_multibody::{Instant, Kinematics, Model};
use wolff_muscle::Path;

struct Body {
    skeleton: Skeleton,
    model: Model,
    set: MuscleSet,
}

fn body(subject: &Subject) -> Body {
    let skeleton = Skeleton::full_body(subject).unwrap();
    let model = Model::build(&skeleton.spec().unwrap()).unwrap();
    let set = MuscleSet::upper_body(&skeleton, UpperMuscles::Thesis).unwrap();
    Body { skeleton, model, set }
}

fn man() -> Body {
    body(&Subject::preset("reference").unwrap())
}

impl Body {
    /// Length [m] and moment arm [mm] of a muscle where one coordinate has an angle [deg] and all others are zero.
    fn at(&self, muscle: &str, coordinate: &str, angle: f64) -> [f64; 2] {
        let path = Path::new(&self.set.find(muscle).unwrap().path, &self.model).unwrap();
        let i = self.model.coordinate_index(coordinate).unwrap();
        let mut q = self.model.q0.clone();
        q[self.model.position_of_speed(i).unwrap()] = angle.to_radians();
        let mut kin = Kinematics::new(&self.model);
        kin.update(&self.model, &q, &self.model.v0);
        let at = Instant { t: 0.0, model: &self.model, kin: &kin, q: &q, v: &self.model.v0, approach_speed: None };
        let geometry = path.solve(&at, None);
        [geometry.length, path.moment_arm(&geometry, &at, i) * 1e3]
    }
}

/// The 27 groups in the order of the thesis, and how many parts each has here.
const GROUPS: [(&str, usize); 27] = [
    ("rectus abdominis", 1),
    ("obliquus externus abdominis", 2),
    ("erector spinae", 3),
    ("scalenus anterior", 1),
    ("scalenus medius", 1),
    ("scalenus posterior", 1),
    ("splenius cervicis", 1),
    ("splenius capitis", 1),
    ("sternocleidomastoideus", 2),
    ("pectoralis major", 3),
    ("pectoralis minor", 1),
    ("trapezius", 3),
    ("latissimus dorsi", 3),
    ("deltoideus", 3),
    ("biceps brachii", 2),
    ("brachioradialis", 1),
    ("triceps brachii", 3),
    ("pronator teres", 1),
    ("flexor carpi ulnaris", 2),
    ("flexor carpi radialis", 1),
    ("flexor pollicis longus", 1),
    ("psoas major", 1),
    ("flexor digitorum profundus", 1),
    ("extensor carpi radialis longus", 1),
    ("extensor digiti minimi", 1),
    ("abductor pollicis longus", 1),
    ("subclavius", 1),
];

#[test]
fn there_are_43_muscles_a_side_in_the_27_groups_of_the_thesis() {
    let set = man().set;
    assert_eq!(set.muscles.len(), 86);
    assert_eq!(set.groups(), GROUPS.map(|(group, _)| group));
    for (group, parts) in GROUPS {
        assert_eq!(set.muscles.iter().filter(|m| m.group == group).count(), 2 * parts, "{group}");
    }
    // what the table says: 1.99 cm² (Lieber et al. 1990), 1113 N at 61 N/cm² (gait2392)
    close(set.find("fcr_l").unwrap().pcsa, 1.99e-4, 1e-12, 1e-4);
    close(set.find("psoas_r").unwrap().max_force, 1113.0 * 87.1 / 61.0, 1e-12, 1e4);
    // every new muscle says where its figures come from
    let table = wolff_anatomy::muscles::generic_thesis_upper_muscles().unwrap();
    assert!(table.iter().all(|m| m.attachments.is_some() && m.strengths.is_some()));
}

/// Range of a coordinate [deg] over which muscles must keep their action.
fn range(coordinate: &str) -> [f64; 2] {
    match coordinate.trim_end_matches("_r") {
        "lumbar_flexion" | "thorax_flexion" => [-20.0, 40.0],
        "neck_flexion" => [-40.0, 40.0],
        "shoulder_flexion" => [-20.0, 60.0],
        "shoulder_adduction" => [-80.0, 15.0],
        "elbow_flexion" => [0.0, 130.0],
        "wrist_flexion" => [-60.0, 60.0],
        other => panic!("no range for {other}"),
    }
}

/// Muscle, coordinate, bounds of the moment arm [mm] over the range of the coordinate.
///
/// Signs are those of the anatomical action. Sizes known of adults: erector spinae 4 to 6 cm and rectus abdominis 8 to 10 cm in standing, less and more
/// when bent; biceps to 4.5 cm, brachioradialis to 7 cm, pronator teres 1 to 2 cm, triceps to 2.5 cm at the elbow;
/// radial and ulnar flexors of the wrist 1.5 cm, radial extensor 1.2 cm, finger flexors 1.2 cm.
const ARMS: [(&str, &str, [f64; 2]); 42] = [
    ("rect_abd_r", "lumbar_flexion", [60.0, 125.0]),
    ("rect_abd_r", "thorax_flexion", [60.0, 100.0]),
    ("extobl_ant_r", "lumbar_flexion", [50.0, 105.0]),
    ("extobl_ant_r", "thorax_flexion", [40.0, 70.0]),
    ("extobl_lat_r", "lumbar_flexion", [35.0, 80.0]),
    ("psoas_r", "lumbar_flexion", [10.0, 50.0]),
    ("iliocost_r", "lumbar_flexion", [-60.0, -20.0]),
    ("longiss_r", "lumbar_flexion", [-60.0, -20.0]),
    ("longiss_r", "thorax_flexion", [-65.0, -30.0]),
    ("spinalis_r", "thorax_flexion", [-65.0, -30.0]),
    ("lat_dorsi_iliac_r", "lumbar_flexion", [-30.0, -10.0]),
    ("scm_stern_r", "neck_flexion", [15.0, 70.0]),
    ("scm_clav_r", "neck_flexion", [15.0, 65.0]),
    ("scal_ant_r", "neck_flexion", [3.0, 35.0]),
    ("splen_cap_r", "neck_flexion", [-60.0, -15.0]),
    ("splen_cerv_r", "neck_flexion", [-55.0, -20.0]),
    ("trap_desc_r", "neck_flexion", [-20.0, -4.0]),
    ("delt_clav_r", "shoulder_flexion_r", [5.0, 45.0]),
    ("pec_maj_clav_r", "shoulder_flexion_r", [5.0, 40.0]),
    ("bic_short_r", "shoulder_flexion_r", [2.0, 40.0]),
    ("tri_long_r", "shoulder_flexion_r", [-45.0, -10.0]),
    ("lat_dorsi_up_r", "shoulder_flexion_r", [-25.0, -8.0]),
    ("lat_dorsi_low_r", "shoulder_flexion_r", [-65.0, -20.0]),
    ("lat_dorsi_iliac_r", "shoulder_flexion_r", [-60.0, -10.0]),
    ("delt_acr_r", "shoulder_adduction_r", [-45.0, -5.0]),
    ("pec_maj_stern_r", "shoulder_adduction_r", [30.0, 85.0]),
    ("pec_maj_ribs_r", "shoulder_adduction_r", [50.0, 95.0]),
    ("lat_dorsi_low_r", "shoulder_adduction_r", [2.0, 60.0]),
    ("bic_long_r", "elbow_flexion_r", [10.0, 50.0]),
    ("bic_short_r", "elbow_flexion_r", [10.0, 50.0]),
    ("brachiorad_r", "elbow_flexion_r", [15.0, 55.0]),
    ("pron_teres_r", "elbow_flexion_r", [4.0, 20.0]),
    ("ecrl_r", "elbow_flexion_r", [8.0, 38.0]),
    ("tri_lat_r", "elbow_flexion_r", [-25.0, -6.0]),
    ("fcr_r", "wrist_flexion_r", [7.0, 19.0]),
    ("fcu_hum_r", "wrist_flexion_r", [7.0, 20.0]),
    ("fcu_uln_r", "wrist_flexion_r", [7.0, 20.0]),
    ("fdp_r", "wrist_flexion_r", [5.0, 18.0]),
    ("fpl_r", "wrist_flexion_r", [5.0, 17.0]),
    ("apl_r", "wrist_flexion_r", [2.0, 10.0]),
    ("ecrl_r", "wrist_flexion_r", [-17.0, -4.0]),
    ("edm_r", "wrist_flexion_r", [-18.0, -6.0]),
];

#[test]
fn moment_arms_have_their_sign_and_size_over_the_joints_ranges() {
    let body = man();
    for (muscle, coordinate, [low, high]) in ARMS {
        let [from, to] = range(coordinate);
        for k in 0..=20 {
            let angle = from + (to - from) * f64::from(k) / 20.0;
            let arm = body.at(muscle, coordinate, angle)[1];
            assert!(low < arm && arm < high, "{muscle} about {coordinate} at {angle}°: {arm:.1} mm");
        }
    }
}

#[test]
fn lengths_change_smoothly() {
    // arms are minus the slope of the length: differences over a degree agree, and no arm leaps by more than 3 mm a degree
    let body = man();
    for muscle in body.set.muscles.iter().filter(|m| m.name.ends_with("_r")) {
        for coordinate in muscle.spans(&body.skeleton).iter().filter(|c| !c.starts_with("hip")) {
            let [from, to] = range(coordinate);
            let mut angle = from;
            while angle < to {
                let [before, now, after] = [-0.5, 0.0, 0.5].map(|d| body.at(&muscle.name, coordinate, angle + d));
                let slope = (after[0] - before[0]) / 1_f64.to_radians() * 1e3;
                assert!(
                    (slope + now[1]).abs() < 0.1,
                    "{} about {coordinate} at {angle}°: {slope}, {now:?}",
                    muscle.name
                );
                assert!((after[1] - before[1]).abs() < 3.0, "{} about {coordinate} at {angle}°", muscle.name);
                angle += 2.0;
            }
        }
    }
}

#[test]
fn proportions_follow_the_person() {
    // a woman's arms are near a man's of her height, a tall man's all longer
    let lengths = |b: &Body| -> Vec<f64> {
        let rest = |m: &wolff_anatomy::HumanMuscle| b.at(&m.name, "neck_flexion", 0.0)[0];
        b.set.muscles.iter().map(rest).collect()
    };
    let reference = man();
    let tall = body(&Subject::new("tall", 75.0, 1.2 * 1.77, Sex::Male, None).unwrap());
    lengths(&reference).iter().zip(lengths(&tall)).for_each(|(a, b)| close(b / a, 1.2, 1e-9, 1.0));
    let woman = body(&Subject::new("woman", 62.0, 1.70, Sex::Female, None).unwrap());
    for (muscle, coordinate, _) in ARMS {
        let [hers, his] = [&woman, &reference].map(|b| b.at(muscle, coordinate, 0.0)[1]);
        assert!((0.6..1.6).contains(&(hers / his)), "{muscle} about {coordinate}: {hers} and {his} mm");
    }
}

#[test]
fn the_left_mirrors_the_right() {
    let body = man();
    for muscle in body.set.muscles.iter().filter(|m| m.name.ends_with("_r")) {
        let left = format!("{}_l", muscle.name.trim_end_matches("_r"));
        let [a, b] = [&muscle.name, &left].map(|name| body.at(name, "thorax_flexion", 10.0));
        close(a[0], b[0], 1e-12, 1.0);
    }
}

#[test]
fn psoas_of_the_upper_body_takes_the_place_of_the_legs() {
    let body = man();
    let both = MuscleSet::new(&body.skeleton, LegMuscles::Walking).unwrap().joined(body.set.clone());
    assert_eq!(both.muscles.len(), 54 - 2 + 86);
    assert!(both.find("psoas_r").unwrap().spans(&body.skeleton).contains(&"lumbar_flexion".to_string()));
}

#[test]
fn a_skeleton_without_neck_or_wrist_is_refused() {
    let subject = Subject::preset("reference").unwrap();
    let walking = Skeleton::walking(&subject).unwrap();
    let refused = MuscleSet::upper_body(&walking, UpperMuscles::Thesis).unwrap_err().to_string();
    assert!(refused.contains("neck"), "{refused}");
    let mut full = Skeleton::full_body(&subject).unwrap();
    full.segments.iter_mut().filter(|s| s.name == "hand_r").for_each(|s| s.joint.y = f64::NAN);
    let refused = MuscleSet::upper_body(&full, UpperMuscles::Thesis).unwrap_err().to_string();
    assert!(refused.contains("NaN"), "{refused}");
}
