//! Gait cycles of a recorded walk.

use crate::data;
use wolff_motion::signal::{foot_cycles, over_cycle};

/// The feet of a recorded walk: cycles of a second or so, and a knee that bends most in swing.
#[test]
fn results_are_drawn_over_the_gait_cycle() {
    let Some(subject) = data::model("gait1992-pipeline/scale/model_scaled.osim") else { return };
    let file = "gait1992-pipeline/inverse_kinematics/task_InverseKinematics.mot";
    let Some(motion) = data::storage(file) else { return };
    let (poses, _) = subject.positions(&motion).unwrap();
    let feet = foot_cycles(&subject.subject.model, &poses, &[]);
    // the left foot strikes once too few
    assert_eq!(feet.iter().map(|f| f.foot.as_str()).collect::<Vec<_>>(), ["calcn_r"]);
    for cycle in feet.iter().flat_map(|f| &f.cycles) {
        assert!((0.9..1.5).contains(&(cycle[1] - cycle[0])), "{cycle:?}");
    }
    let wanted = ["knee_angle_r", "knee_angle_l", "lumbar_extension"].map(String::from);
    let curves = over_cycle(&motion.table, &feet, &wanted);
    assert_eq!(
        curves.iter().map(|(label, _)| label.as_str()).collect::<Vec<_>>(),
        ["knee_angle_r", "lumbar_extension"]
    );
    for (label, points) in &curves[..1] {
        let bent = points.iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        // Perry, Gait Analysis, 1992: the knee bends by about 60 degrees in initial swing, at 70 % of the cycle
        assert!((62.0..80.0).contains(&bent.0) && (-75.0..-45.0).contains(&bent.1), "{label}: {bent:?}");
    }
}
