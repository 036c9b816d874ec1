//! Leg muscles: moment arms over the walk, and whether they can drive it.

use crate::support::*;
use nalgebra::{DMatrix, DVector};
use wolff_anatomy::{LegMuscles, MuscleSet, Skeleton, Subject, UpperMuscles};
use wolff_multibody::{Instant, Kinematics, Model};
use wolff_muscle::Path;
use wolff_muscle::path::PlaceSpec;
use wolff_reference::walk::InverseWalk;

/// Coordinates of the right leg that muscles drive.
const DRIVEN: [&str; 6] =
    ["hip_flexion_r", "hip_adduction_r", "hip_rotation_r", "knee_flexion_r", "ankle_flexion_r", "ankle_inversion_r"];

/// Smallest sum of squared activations that gives the moments: `min ½ x'x + |A x - b|²/(2 ε)`, `0 <= x <= 1`.
///
/// Newton's method on the dual, which is smooth but for kinks: `x = clip(A'λ)`, `A x + ε λ = b`, with halved steps while the dual grows.
fn squared_activation(A: &DMatrix<f64>, b: &DVector<f64>, epsilon: f64) -> DVector<f64> {
    let clip = |l: &DVector<f64>| (A.transpose() * l).map(|x| x.clamp(0.0, 1.0));
    // conjugate of ½ x² on [0, 1]
    let dual = |l: &DVector<f64>| {
        let u = A.transpose() * l;
        let conjugate: f64 = u.iter().map(|u| u * u.clamp(0.0, 1.0) - 0.5 * u.clamp(0.0, 1.0).powi(2)).sum();
        conjugate + 0.5 * epsilon * l.norm_squared() - b.dot(l)
    };
    let mut l = DVector::zeros(b.len());
    for _ in 0..200 {
        let g = A * clip(&l) + &l * epsilon - b;
        if g.norm() < 1e-9 * b.norm().max(1.0) {
            break;
        }
        let free = (A.transpose() * &l).map(|u| if (0.0..1.0).contains(&u) { 1.0 } else { 1e-6 });
        let H = A * DMatrix::from_diagonal(&free) * A.transpose() + DMatrix::identity(b.len(), b.len()) * epsilon;
        let d = -H.cholesky().unwrap().solve(&g);
        let (start, slope) = (dual(&l), g.dot(&d));
        let mut s = 1.0;
        while dual(&(&l + &d * s)) > start + 1e-4 * s * slope && s > 1e-10 {
            s *= 0.5;
        }
        l += d * s;
    }
    clip(&l)
}

struct Outcome {
    names: Vec<String>,
    /// Forces [N], one list an instant.
    forces: Vec<Vec<f64>>,
    /// Largest moment left [N m] of each driven coordinate.
    reserves: [f64; 6],
}

/// Static optimisation of the right leg at `n` instants of the cycle.
fn optimise(which: LegMuscles, n: usize) -> Outcome {
    let (walk, model) = embedded();
    let set = MuscleSet::new(&walk.skeleton, which).unwrap();
    let right: Vec<_> = set.muscles.iter().filter(|m| m.name.ends_with("_r")).collect();
    let paths: Vec<Path> = right.iter().map(|m| Path::new(&m.path, &model).unwrap()).collect();
    let rows: Vec<usize> = DRIVEN.iter().map(|c| model.coordinate_index(c).unwrap()).collect();
    let mut inverse = InverseWalk::new(&walk, &model).unwrap();
    let mut out = Outcome { names: right.iter().map(|m| m.name.clone()).collect(), forces: vec![], reserves: [0.0; 6] };
    for k in 0..n {
        let tau = inverse.at(k as f64 / n as f64 * walk.constants.cycle_time).to_vec();
        let at = inverse.instant();
        let mut gradient = vec![0.0; model.nv()];
        let mut A = DMatrix::zeros(6, paths.len());
        for (j, path) in paths.iter().enumerate() {
            path.length_gradient(&path.solve(&at, None), &at, &mut gradient);
            for (row, &i) in rows.iter().enumerate() {
                A[(row, j)] = -gradient[i] * right[j].max_force;
            }
        }
        let b = DVector::from_iterator(6, rows.iter().map(|&i| tau[i]));
        let x = squared_activation(&A, &b, 1e-3);
        for (c, left) in (b - &A * &x).iter().enumerate() {
            out.reserves[c] = out.reserves[c].max(left.abs());
        }
        out.forces.push(x.iter().zip(&right).map(|(x, m)| x * m.max_force).collect());
    }
    out
}

impl Outcome {
    fn peak(&self, name: &str) -> f64 {
        let j = self.names.iter().position(|n| n == name).unwrap();
        self.forces.iter().map(|f| f[j]).fold(0.0, f64::max)
    }
}

/// Least and greatest moment arm [mm] of a right muscle about a coordinate over the walk, knee bent less than `knee` rad.
fn arms(set: &MuscleSet, muscle: &str, coordinate: &str, knee: f64) -> [f64; 2] {
    let (walk, model) = embedded();
    let path = Path::new(&set.find(muscle).unwrap().path, &model).unwrap();
    let [i, bend] = [coordinate, "knee_flexion_r"].map(|c| model.coordinate_index(c).unwrap());
    let mut inverse = InverseWalk::new(&walk, &model).unwrap();
    let mut range = [f64::MAX, f64::MIN];
    for k in 0..50 {
        let at = inverse.move_to(f64::from(k) / 50.0 * walk.constants.cycle_time);
        if at.coordinate(bend) < knee {
            let arm = path.moment_arm(&path.solve(&at, None), &at, i) * 1e3;
            range = [range[0].min(arm), range[1].max(arm)];
        }
    }
    range
}

#[test]
fn moment_arms_have_their_sign_and_published_size() {
    let (walk, _) = embedded();
    let set = MuscleSet::new(&walk.skeleton, LegMuscles::All).unwrap();
    // muscle, coordinate, bounds [mm]; signs are those of the anatomical action, sizes those known of adults (Achilles tendon 4 to 5.5 cm,
    // patellar tendon 4 cm, hamstrings 3 to 5.5 cm at the knee and 3 to 7 cm at the hip, iliopsoas 3 to 4.5 cm, gluteus medius 3 to 5.5 cm)
    let rows = [
        ("soleus_r", "ankle_flexion_r", [-55.0, -40.0]),
        ("med_gas_r", "ankle_flexion_r", [-55.0, -40.0]),
        ("tib_ant_r", "ankle_flexion_r", [30.0, 52.0]),
        ("tib_ant_r", "ankle_inversion_r", [5.0, 25.0]),
        ("tib_post_r", "ankle_inversion_r", [10.0, 30.0]),
        ("per_long_r", "ankle_inversion_r", [-35.0, -10.0]),
        ("rect_fem_r", "knee_flexion_r", [-45.0, -35.0]),
        ("vas_lat_r", "knee_flexion_r", [-45.0, -35.0]),
        ("semimem_r", "knee_flexion_r", [30.0, 55.0]),
        ("semiten_r", "knee_flexion_r", [30.0, 55.0]),
        ("bifemlh_r", "knee_flexion_r", [25.0, 55.0]),
        ("semimem_r", "hip_flexion_r", [-75.0, -30.0]),
        ("rect_fem_r", "hip_flexion_r", [25.0, 55.0]),
        ("iliacus_r", "hip_flexion_r", [30.0, 45.0]),
        ("psoas_r", "hip_flexion_r", [30.0, 45.0]),
        ("glut_max2_r", "hip_flexion_r", [-70.0, -40.0]),
        ("glut_med2_r", "hip_adduction_r", [-55.0, -30.0]),
        ("add_long_r", "hip_adduction_r", [50.0, 80.0]),
    ];
    for (muscle, coordinate, [low, high]) in rows {
        let [least, greatest] = arms(&set, muscle, coordinate, f64::MAX);
        assert!(least > low && greatest < high, "{muscle} about {coordinate}: {least} to {greatest} mm");
    }
    // gastrocnemius is drawn for a knee bent less than 45°; beyond, its arm fades but never turns
    let [least, greatest] = arms(&set, "med_gas_r", "knee_flexion_r", 45_f64.to_radians());
    assert!(least > 10.0 && greatest < 30.0, "{least} to {greatest}");
    assert!(arms(&set, "med_gas_r", "knee_flexion_r", f64::MAX)[0] > 0.0);
}

#[test]
fn sets_have_their_muscles_groups_and_strengths() {
    let (walk, _) = embedded();
    let set = |which| MuscleSet::new(&walk.skeleton, which).unwrap();
    let (all, walking, thesis) = (set(LegMuscles::All), set(LegMuscles::Walking), set(LegMuscles::Thesis));
    assert_eq!([all.muscles.len(), walking.muscles.len(), thesis.muscles.len()], [78, 54, 34]);
    assert_eq!(thesis.groups().len(), 12);
    // 3549 N at 61 N/cm² are 58.2 cm²
    let soleus = walking.find("soleus_l").unwrap();
    close(soleus.pcsa, 58.18e-4, 1e-4, 58.18e-4);
    close(soleus.max_force, 3549.0 * 87.1 / 61.0, 1e-12, 1e4);
    // the parts that the thesis' set leaves out lend their strength to their neighbours
    for group in ["gluteus medius", "gluteus maximus", "adductor magnus"] {
        let strength =
            |set: &MuscleSet| -> f64 { set.muscles.iter().filter(|m| m.group == group).map(|m| m.max_force).sum() };
        close(strength(&thesis), strength(&all), 1e-12, 1e4);
    }
}

/// A longer left shank takes its muscles along: points on it move down in proportion, those of the right leg stay.
#[test]
fn each_leg_has_muscles_of_its_own_size() {
    let (walk, _) = embedded();
    let mut longer = walk.skeleton.clone();
    let shank = longer.length("shank_l").unwrap();
    longer.segments.iter_mut().filter(|s| s.name == "foot_l").for_each(|s| s.joint.y -= 0.015);
    let [before, after] = [&walk.skeleton, &longer].map(|s| MuscleSet::new(s, LegMuscles::Walking).unwrap());
    let height = |set: &MuscleSet, name: &str| match set.find(name).unwrap().path.points.last().unwrap().place {
        PlaceSpec::Fixed(p) => p.y,
        _ => panic!("the insertion is fixed"),
    };
    assert_eq!(height(&before, "vas_lat_r"), height(&after, "vas_lat_r"));
    close(height(&after, "vas_lat_l") / height(&before, "vas_lat_l"), 1.0 + 0.015 / shank, 1e-12, 1.0);
}

#[test]
fn the_left_leg_mirrors_the_right() {
    let (walk, model) = embedded();
    let set = MuscleSet::new(&walk.skeleton, LegMuscles::All).unwrap();
    let mut inverse = InverseWalk::new(&walk, &model).unwrap();
    let half = 0.5 * walk.constants.cycle_time;
    let mut length = |name: &str, t: f64| {
        let path = Path::new(&set.find(name).unwrap().path, &model).unwrap();
        path.solve(&inverse.move_to(t), None).length
    };
    for muscle in set.muscles.iter().filter(|m| m.name.ends_with("_r")) {
        let other = format!("{}_l", muscle.name.trim_end_matches("_r"));
        close(length(&muscle.name, 0.2), length(&other, 0.2 + half), 1e-12, 1.0);
    }
}

#[test]
fn walking_muscles_can_drive_the_walk() {
    let outcome = optimise(LegMuscles::Walking, 100);
    // moments of the walk reach 120 N m; ε = 1e-3 leaves a thousandth of the multipliers
    assert!(outcome.reserves.iter().all(|r| *r < 0.01), "{:?}", outcome.reserves);
    // 116 N m of plantar flexion over arms of 45 mm are 2.6 kN, most of it in the largest muscle; 23 N m of dorsiflexion over 38 mm are 0.6 kN
    let (soleus, tibialis) = (outcome.peak("soleus_r"), outcome.peak("tib_ant_r"));
    assert!((1300.0..2200.0).contains(&soleus), "soleus {soleus}");
    assert!((400.0..750.0).contains(&tibialis), "tibialis anterior {tibialis}");
}

#[test]
fn the_muscles_of_the_thesis_nearly_do() {
    let outcome = optimise(LegMuscles::Thesis, 100);
    // no muscle of the set turns the foot outward: 7 N m of inversion remain
    assert!(outcome.reserves.iter().all(|r| *r < 8.0), "{:?}", outcome.reserves);
    assert!(outcome.reserves[5] > 1.0);
}

#[test]
fn skeletons_without_a_leg_are_refused() {
    let (walk, _) = embedded();
    let mut skeleton = walk.skeleton.clone();
    skeleton.segments.retain(|s| s.name != "foot_r" && s.name != "toes_r");
    assert!(MuscleSet::new(&skeleton, LegMuscles::Walking).unwrap_err().to_string().contains("foot_r"));
    let mut skeleton = walk.skeleton.clone();
    skeleton.contacts.clear();
    assert!(MuscleSet::new(&skeleton, LegMuscles::Walking).unwrap_err().to_string().contains("mt2_r"));
    let mut skeleton = walk.skeleton;
    skeleton.segments.iter_mut().filter(|s| s.name == "shank_r").for_each(|s| s.joint.y = f64::NAN);
    assert!(MuscleSet::new(&skeleton, LegMuscles::Walking).unwrap_err().to_string().contains("NaN"));
}

#[test]
fn muscles_of_trunk_and_arms_turn_the_right_way() {
    let (walk, _) = embedded();
    let set = MuscleSet::upper_body(&walk.skeleton, UpperMuscles::Basic).unwrap();
    assert_eq!(set.muscles.len(), 30);
    assert_eq!(set.groups().len(), 7);
    // signs are those of the anatomical action; sizes known of adults: erector spinae 4 to 6 cm, biceps 2 to 4.5 cm and triceps 2 to 2.5 cm
    // at the elbow
    let rows = [
        ("ercspn_r", "lumbar_flexion", [-60.0, -35.0]),
        ("ercspn_r", "lumbar_bending", [25.0, 50.0]),
        ("extobl_r", "lumbar_flexion", [40.0, 80.0]),
        ("extobl_r", "lumbar_rotation", [10.0, 40.0]),
        ("delt_clav_r", "shoulder_flexion_r", [5.0, 45.0]),
        ("delt_acr_r", "shoulder_adduction_r", [-45.0, -10.0]),
        ("delt_spine_r", "shoulder_flexion_r", [-60.0, -20.0]),
        ("pec_maj_stern_r", "shoulder_adduction_r", [40.0, 95.0]),
        ("lat_dorsi_low_r", "shoulder_flexion_r", [-60.0, -10.0]),
        ("bic_long_r", "elbow_flexion_r", [20.0, 45.0]),
        ("bic_short_r", "elbow_flexion_r", [20.0, 45.0]),
        ("tri_long_r", "elbow_flexion_r", [-25.0, -18.0]),
        ("tri_long_r", "shoulder_flexion_r", [-45.0, -20.0]),
    ];
    for (muscle, coordinate, [low, high]) in rows {
        let [least, greatest] = arms(&set, muscle, coordinate, f64::MAX);
        assert!(least > low && greatest < high, "{muscle} about {coordinate}: {least} to {greatest} mm");
    }
}

#[test]
fn arms_lie_on_a_scapula_as_on_the_thorax() {
    // the full body has scapulae between thorax and arms, which change nothing
    let subject = Subject::preset("reference").unwrap();
    let (walking, full) = (Skeleton::walking(&subject).unwrap(), Skeleton::full_body(&subject).unwrap());
    let [a, b] = [walking, full].map(|s| {
        let model = Model::build(&s.spec().unwrap()).unwrap();
        let mut kin = Kinematics::new(&model);
        kin.update(&model, &model.q0, &vec![0.0; model.nv()]);
        let at = Instant { t: 0.0, model: &model, kin: &kin, q: &model.q0, v: &model.v0, approach_speed: None };
        let set = MuscleSet::upper_body(&s, UpperMuscles::Basic).unwrap();
        set.muscles.iter().map(|m| Path::new(&m.path, &model).unwrap().solve(&at, None).length).collect::<Vec<_>>()
    });
    a.iter().zip(&b).for_each(|(a, b)| close(*a, *b, 1e-12, 1.0));
}
