//! Names of sides, segments, joints and coordinates.

use wolff_anatomy::names::opensim::{BodyRegion, ModelBody};
use wolff_anatomy::{Axis, CoordinateRole, Joint, Motion, SegmentName, Side, Skeleton, Subject};
use wolff_anatomy::{mirror_name, without_side};

#[test]
fn sides_are_told_by_the_end_of_a_name() {
    assert_eq!(Side::of("knee_flexion_r"), Some(Side::Right));
    assert_eq!(Side::of("shank_l"), Some(Side::Left));
    assert_eq!(Side::of("pelvis"), None);
    assert_eq!(without_side("shank_l"), "shank");
    assert_eq!((mirror_name("shank_l").as_str(), mirror_name("head").as_str()), ("shank_r", "head"));
}

#[test]
fn names_lead_to_segments_and_back() {
    for name in ["pelvis", "thorax", "upper_arm_r", "toes_l"] {
        assert_eq!(SegmentName::of(name).unwrap().name(), name);
    }
    assert_eq!(SegmentName::of("femur_r"), None);
}

/// Every coordinate of the program's skeletons has a role, and the role has its name.
#[test]
fn roles_lead_back_to_the_names_of_all_coordinates() {
    let subject = Subject::preset("reference").unwrap();
    for skeleton in [Skeleton::walking(&subject).unwrap(), Skeleton::full_body(&subject).unwrap()] {
        for (name, role) in skeleton.coordinate_names().iter().zip(skeleton.coordinate_roles()) {
            assert_eq!(CoordinateRole::of(name), Some(role), "{name}");
            assert_eq!(role.name().as_ref(), Some(name));
        }
    }
}

#[test]
fn a_tilting_pelvis_turns_and_does_not_slide() {
    assert_eq!(CoordinateRole::of("pelvis_tilt"), Some(CoordinateRole::RootRotation(Axis::Z)));
    assert!(CoordinateRole::of("pelvis_ty").unwrap().is_translation());
}

/// A joint of a model whose motion has no name here is told from one that has no name at all.
#[test]
fn unknown_motions_and_unknown_joints_are_told_apart() {
    let lumbar = CoordinateRole::Joint { joint: Joint::Lumbar, motion: None, side: None };
    assert_eq!(CoordinateRole::of("lumbar_extension"), Some(lumbar));
    assert_eq!(CoordinateRole::of("pro_sup_r"), None);
    assert_eq!(CoordinateRole::of_or_other("pro_sup_r"), CoordinateRole::Other { side: Some(Side::Right) });
    let knee = CoordinateRole::angle(Joint::Knee, Motion::Flexion, Some(Side::Left));
    assert_eq!(CoordinateRole::of("knee_flexion_l"), Some(knee));
}

#[test]
fn bodies_of_opensim_belong_to_regions() {
    assert_eq!(ModelBody::of("Calcn_R"), Some(ModelBody::Calcaneus));
    assert_eq!(BodyRegion::of("patella_l"), Some(BodyRegion::Thigh));
    assert_eq!(BodyRegion::of("radius_r"), Some(BodyRegion::Forearm));
    assert_eq!(BodyRegion::of("bicycle"), None);
}

/// Markers of Plug-in Gait, in lower case, and with German names, beside a model with the names of OpenSim.
#[test]
fn markers_of_other_sets_are_recognised() {
    let model =
        ["R.ASIS", "L.ASIS", "V.Sacral", "R.Knee.Lat", "L.Knee.Lat", "R.Heel", "L.Heel", "R.Acromium", "L.Acromium"];
    type Pairs<'a> = &'a [(&'a str, &'a str)];
    let cases: [(&[&str], Pairs); 4] = [
        (
            &["RASI", "LASI", "SACR", "RKNE", "LKNE", "RHEE", "LHEE", "RSHO", "LSHO"],
            &[("SACR", "V.Sacral"), ("RKNE", "R.Knee.Lat"), ("LHEE", "L.Heel"), ("LSHO", "L.Acromium")],
        ),
        (&["r_asis", "l_asis", "v_sacral"], &[("r_asis", "R.ASIS"), ("v_sacral", "V.Sacral")]),
        (
            &["Ferse_re", "Ferse_li", "Knie_re", "Knie_li", "Schulter_re", "Schulter_li"],
            &[("Ferse_li", "L.Heel"), ("Knie_re", "R.Knee.Lat"), ("Schulter_re", "R.Acromium")],
        ),
        (&["M001", "M002"], &[]),
    ];
    for (recorded, wanted) in cases {
        let found = wolff_anatomy::similar_markers(recorded, &model);
        for (old, new) in wanted {
            assert!(found.contains(&(old.to_string(), new.to_string())), "{old}: {found:?}");
        }
        assert_eq!(found.is_empty(), wanted.is_empty(), "{found:?}");
    }
}
