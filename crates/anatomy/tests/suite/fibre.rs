//! Fibres on people.

use crate::support::*;
use wolff_anatomy::Side;
use wolff_anatomy::muscles::UpperMuscles;
use wolff_anatomy::muscles::generic_fibres;
use wolff_anatomy::{LegMuscles, MuscleSet, Skeleton};
use wolff_spatial::Vec3;

/// A skeleton whose bones have the size of the generic ones.
fn generic() -> Skeleton {
    let mut skeleton = embedded().0.skeleton;
    let side = |name: &str| if Side::of(name) == Some(Side::Left) { -1.0 } else { 1.0 };
    let (lumbar, thorax) = (0.0815 + 0.0661, Vec3::new(0.0, 0.3, 0.0));
    for segment in &mut skeleton.segments {
        let z = side(&segment.name);
        match segment.name.trim_end_matches("_r").trim_end_matches("_l") {
            "thigh" => segment.joint = Vec3::new(0.0, 0.0, 0.0835 * z),
            "shank" => segment.joint = Vec3::new(0.0, -0.3959, 0.0),
            "foot" => segment.joint = Vec3::new(0.0, -0.43, 0.0),
            "abdomen" => segment.joint = Vec3::new(0.0, lumbar, 0.0),
            "thorax" => segment.joint = thorax,
            "upper_arm" => segment.joint = Vec3::new(0.0, 0.25, 0.17 * z),
            "forearm" => segment.joint = Vec3::new(0.0, -0.2904, 0.0),
            _ => (),
        }
    }
    for contact in &mut skeleton.contacts {
        if contact.name.starts_with("mt2") {
            contact.point.x = -0.04877 + 0.1788;
        }
    }
    skeleton
}

/// Lengths in the table are rounded to this [m].
const ROUNDED: f64 = 1e-5;

/// On bones of the generic size fibres are the generic ones: the lengths in the table are those of the paths.
#[test]
fn generic_people_have_generic_fibres() {
    let skeleton = generic();
    let mut muscles = MuscleSet::new(&skeleton, LegMuscles::All).unwrap().muscles;
    muscles.extend(MuscleSet::upper_body(&skeleton, UpperMuscles::Basic).unwrap().muscles);
    let table = generic_fibres().unwrap();
    let mut found = 0;
    for muscle in &muscles {
        let Some(fibre) = muscle.fibre else { continue };
        let stem = muscle.name.trim_end_matches("_r").trim_end_matches("_l");
        let generic = table.iter().find(|f| f.name == stem).unwrap();
        let scale = fibre.optimal_length / generic.optimal;
        assert!((scale - 1.0).abs() * generic.path_length < ROUNDED, "{stem} {scale}");
        found += 1;
    }
    assert_eq!(found, 2 * table.len());
}

/// A person's muscle has the generic share of fibre and tendon, and in standing the same length over its optimum as in the generic model.
#[test]
fn proportions_stay() {
    let skeleton = embedded().0.skeleton;
    let set = MuscleSet::new(&skeleton, LegMuscles::Walking).unwrap();
    let table = generic_fibres().unwrap();
    for muscle in &set.muscles {
        let fibre = muscle.fibre.unwrap();
        let generic = table.iter().find(|f| muscle.name.starts_with(&f.name)).unwrap();
        close(fibre.slack_length / fibre.optimal_length, generic.slack / generic.optimal, 1e-14, 1.0);
        let scale = fibre.optimal_length / generic.optimal;
        let standing = scale * generic.path_length;
        close(
            (standing - fibre.rigid_length) / fibre.optimal_length,
            generic.model_length / generic.optimal,
            1e-12,
            1.0,
        );
        // a man of 1.80 m to one of 1.77 m, whose hips are set apart otherwise
        assert!((0.8..1.2).contains(&scale), "{} {scale}", muscle.name);
    }
    // patella and its ligament are 4 to 5 cm long each
    let beyond = set.find("vas_int_r").unwrap().fibre.unwrap().rigid_length;
    assert!((0.08..0.12).contains(&beyond), "{beyond}");
}
