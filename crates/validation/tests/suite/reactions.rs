//! Joint reactions against OpenSim's.

use crate::data::records;
use crate::walks;
use wolff_motion::{Accelerations, Axes, ReactionRequest, Side, joint_reactions};
use wolff_validation::muscles::LAST_DIGIT;
use wolff_validation::reactions::{double_pendulum, gait1992, gait1992_rerun};

/// The record was made with muscle forces of another run of OpenSim, which differ from the ones at hand by 0.2 N (root
/// mean square); of loads up to 3 kN and 47 N m this leaves less than 0.4 N and 0.01 N m. With the same forces OpenSim
/// has ours to the eight decimals that it writes.
#[test]
fn a_walk_of_92_muscles() {
    let Some(records) = records("gait1992-pipeline") else { return };
    let off = gait1992(&records).unwrap();
    assert_eq!(off.len(), 54);
    for d in off {
        let tolerance = if d.unit == "N m" { 0.01 } else { 0.4 };
        assert!(d.rms < tolerance, "{d:?}");
    }
    for d in gait1992_rerun(&records).unwrap() {
        assert!(d.worst < LAST_DIGIT, "{d:?}");
    }
}

/// A double pendulum: OpenSim's own test, whose tolerance is 1e-5.
#[test]
fn a_double_pendulum() {
    let Some(records) = records("opensim-core/Analyze") else { return };
    let off = double_pendulum(&records).unwrap();
    assert_eq!(off.len(), 18);
    for d in off {
        assert!(d.rms < 1e-5, "{d:?}");
    }
}

/// On the parent it is the opposite, about the parent's frame; all axes give the same vector.
#[test]
fn action_is_reaction() {
    let Some((_, walk)) = walks::gait1992(Accelerations::OfSpeeds) else { return };
    let request = |on, axes| ReactionRequest { joint: "knee_r".into(), on, axes };
    let requests = [
        request(Side::Child, Axes::Ground),
        request(Side::Parent, Axes::Ground),
        request(Side::Child, Axes::Of(Side::Parent)),
    ];
    let found = joint_reactions(&walk.subject.model, &walk.history, &[0.7, 1.0], &requests, |_| {}).unwrap();
    assert_eq!(found.labels[2], "knee_r_on_tibia_r_in_femur_r");
    for row in &found.rows {
        let [[f, m, p], [g, n, o], [h, ..]] = [row[0], row[1], row[2]];
        assert!((f + g).norm() < 1e-12 * f.norm() && (f.norm() - h.norm()).abs() < 1e-12 * f.norm());
        assert!((m + n + (p - o).cross(&f)).norm() < 1e-9, "moments about one point cancel");
    }
    let unknown = [ReactionRequest { joint: "elbow".into(), on: Side::Child, axes: Axes::Ground }];
    let refused = joint_reactions(&walk.subject.model, &walk.history, &[0.7], &unknown, |_| {}).unwrap_err();
    assert!(refused.to_string().contains("`elbow`"));
}
