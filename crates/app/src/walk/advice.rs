//! What helps a walk that fell or whose muscles are too weak: only what is not in force already.

use super::plan::Planned;
use super::results::drive;
use wolff_anatomy::LegMuscles;
use wolff_movement::MovementError;
use wolff_movement::simulate::{MovementResult, PlanMuscles};
use wolff_movement::tracking::ServoSettings;

/// Stiffness of the tracking agent against rotation that is sufficient for the built-in walk \[N m/rad\]: the default.
const USUAL_TURN_STIFFNESS: f64 = 1200.0;
/// Its damping \[N m s/rad\].
const USUAL_TURN_DAMPING: f64 = 120.0;
/// Step at which results no longer depend on it \[s\].
const SHORT_STEP: f64 = 0.25e-3;

/// What helps where the muscles of a plan are too weak.
pub(super) fn stronger(planned: &Planned) -> &'static str {
    match planned.plan.muscles {
        PlanMuscles::Legs(LegMuscles::All) | PlanMuscles::Given(_) => "increase `strength`",
        PlanMuscles::Legs(_) => "set `muscles=all`, or increase `strength`",
    }
}

/// The reason why a walk ended early, with what can help.
pub(super) fn early_end(planned: &Planned, result: &MovementResult, ended: &MovementError) -> String {
    match ended {
        MovementError::Fell { .. } => {
            format!(
                "{ended}. There are no strains of a walk that fell. What can help: {}",
                after_a_fall(planned, result)
            )
        }
        other => other.to_string(),
    }
}

/// Measures against a fall, the most promising first.
fn after_a_fall(planned: &Planned, result: &MovementResult) -> String {
    let plan = &planned.plan;
    let (agent, servo) = (&plan.controllers.agent, &plan.controllers.servo);
    let mut help: Vec<String> = Vec::new();
    if !servo.feed_forward || plan.controllers.hill.is_some() {
        help.push(format!("`servo=feed-forward` instead of `{}`", drive(plan)));
    }
    if agent.turn_stiffness < USUAL_TURN_STIFFNESS || agent.turn_damping < USUAL_TURN_DAMPING {
        help.push(format!(
            "a stiffer tracking agent, `agent_turn_stiffness={USUAL_TURN_STIFFNESS}` and \
             `agent_turn_damping={USUAL_TURN_DAMPING}` (now {} N m/rad and {} N m s/rad)",
            agent.turn_stiffness, agent.turn_damping
        ));
    }
    if plan.floor_fit_steps == 0 {
        help.push("fitting the motion to the floor, `floor_fit_steps=12` (now 0)".into());
    }
    if result.reference.report.reserve_peak > 5.0 || result.fidelity.saturation > 0.001 {
        help.push(format!("muscles that are strong enough: {} (now `strength={}`)", stronger(planned), plan.strength));
    }
    let usual = if servo.feed_forward {
        ServoSettings::default()
    } else {
        ServoSettings::without_feed_forward(servo.integral_time)
    };
    if servo.error > usual.error {
        let [usual, now] = [usual.error, servo.error].map(|error| 1e3 * error);
        help.push(format!("stiffer controllers, `servo_error={usual} mm` (now {now} mm)"));
    }
    if let Some(measured) = planned.measured.as_ref().filter(|m| m.trial.before.force > 0.25) {
        help.push(format!(
            "a better recording: motion and forces of this one contradict each other by {:.2} body weights",
            measured.trial.before.force
        ));
    }
    if help.is_empty() && plan.step > SHORT_STEP {
        help.push(format!("a shorter step, `step=0.25 ms` (now {} ms)", 1e3 * plan.step));
    }
    help.push(
        "`servo=prescribed`, which computes loads and strains of the reference motion without a forward simulation"
            .into(),
    );
    help.join("; ")
}
