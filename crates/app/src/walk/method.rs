//! What was done, in sentences made from what ran.

use super::plan::Planned;
use super::results::drive;
use super::trial::Measured;
use wolff_anatomy::LegMuscles;
use wolff_anatomy::anthropometry::{Sex, Subject};
use wolff_movement::simulate::{MovementResult, PlanMuscles};
use wolff_study::document::{ParameterValue, Study};

/// The paragraphs: motion, muscles and controllers, floor, bones, integration and evaluation.
pub(super) fn method(study: &Study, planned: &Planned, result: &MovementResult) -> Vec<String> {
    let motion = match &planned.measured {
        Some(measured) => measured_motion(study, measured, result),
        None => embedded_motion(study, planned, result),
    };
    let mut all = vec![motion, muscles(planned, result), floor(planned, result)];
    all.extend(bones(study, planned, result));
    all.push(integration(planned, result));
    all
}

/// The name of a file that a parameter names, in quotes.
fn file(study: &Study, parameter: &str) -> Option<String> {
    let path = study.named_files.get(parameter)?;
    Some(format!("`{}`", path.file_name().unwrap_or_default().to_string_lossy()))
}

/// The value of a choice.
fn choice<'a>(study: &'a Study, parameter: &str) -> &'a str {
    match study.parameter(parameter).map(|p| &p.value) {
        Some(ParameterValue::Word(word)) => word,
        _ => "",
    }
}

fn person(subject: &Subject) -> String {
    let sex = match subject.sex {
        Sex::Male => "male",
        Sex::Female => "female",
    };
    format!("{:.1} kg, {:.2} m, {sex}", subject.mass, subject.stature)
}

/// A reference motion that was measured.
fn measured_motion(study: &Study, measured: &Measured, result: &MovementResult) -> String {
    let (t, c) = (&measured.trial, &result.walk.constants);
    let [model, markers, forces] = ["model", "markers", "forces"].map(|name| file(study, name).unwrap_or_default());
    let kinematics = match t.marker_error {
        Some(error) => {
            let weights =
                file(study, "tasks").map_or("equal weights of all markers".into(), |f| format!("weights of {f}"));
            let rms = 1e3 * error;
            format!("Inverse kinematics of the markers {markers} ({weights}) has an error of {rms:.1} mm RMS.")
        }
        None => format!("The coordinates are those of the motion {markers}."),
    };
    let skeleton = match choice(study, "skeleton") {
        "model" => "The model itself, with its joints and muscles, was simulated.".to_string(),
        _ => format!(
            "The motion was retargeted to a skeleton of this program with the leg lengths of the model and segment \
             masses after de Leva 1996, with {:.1} mm RMS between joint centres and axes.",
            1e3 * t.retarget_error
        ),
    };
    let sides = if t.gait.symmetric { "one cycle with equal sides" } else { "one cycle with each side as recorded" };
    let where_ = if t.gait.belt > 0.0 { "on a treadmill" } else { "overground" };
    format!(
        "The walk of a recorded trial was simulated ({}; {where_}, {:.2} m/s, stride {:.2} s). {kinematics} The \
         model is {model}, the ground forces are {forces}. {skeleton} The recording became {sides}; motion and \
         forces were made consistent by least squares, which reduced the residual at the pelvis from {:.3} to {:.3} \
         body weights and changed leg angles by at most {:.1}° RMS ({}).",
        person(&t.subject),
        c.speed,
        c.cycle_time,
        t.before.force,
        t.after.force,
        t.angle_change.1.to_degrees(),
        t.angle_change.0
    )
}

/// The embedded reference motion.
fn embedded_motion(study: &Study, planned: &Planned, result: &MovementResult) -> String {
    let c = &result.walk.constants;
    let skeleton = match (choice(study, "skeleton"), file(study, "model")) {
        ("model", Some(model)) => format!("bodies, joints and muscles of the model {model}"),
        (name, _) => format!("the built-in skeleton `{name}` with segments after de Leva 1996"),
    };
    let transferred = match &planned.rescaled {
        Some(_) if choice(study, "pace") == "own" && planned.subject.speed.is_some() => {
            "transferred to the subject at the measured speed"
        }
        Some(_) if choice(study, "pace") == "given" => "transferred to the subject at the given speed",
        Some(_) => "transferred to the subject at the same Froude number",
        None => "used unchanged",
    };
    format!(
        "No recording was used: the reference motion is the embedded walk of an average man (symmetric, dynamically \
         consistent, with joint moments of recorded walks), {transferred}: {}; {:.2} m/s, stride {:.2} s. The \
         subject has {skeleton}.",
        person(&planned.subject),
        c.speed,
        c.cycle_time
    )
}

/// Muscles and how they are controlled.
fn muscles(planned: &Planned, result: &MovementResult) -> String {
    let plan = &planned.plan;
    let source = match plan.muscles {
        PlanMuscles::Legs(LegMuscles::All) => "39 per leg, after Delp et al. 1990",
        PlanMuscles::Legs(LegMuscles::Walking) => "27 per leg, after Delp et al. 1990",
        PlanMuscles::Legs(LegMuscles::Thesis) => "17 per leg, after Al Nazer 2008",
        PlanMuscles::Given(_) => "those of the model",
    };
    let servo = &plan.controllers.servo;
    let error = 1e3 * servo.error;
    let controlled = match drive(plan) {
        "prescribed" => {
            "There is no forward simulation: the reference motion is prescribed, with these forces.".to_string()
        }
        "hill" => {
            "In the forward simulation Hill-type muscles with elastic tendons are excited for these forces and by a \
                   stretch reflex."
                .to_string()
        }
        "feed-forward" => format!(
            "In the forward simulation each muscle is a length controller within its force limit (full force at \
             {error:.1} mm) with these forces as feed-forward."
        ),
        "pid" => format!(
            "In the forward simulation each muscle is a length controller with an integral part (full force at \
             {error:.1} mm), without feed-forward."
        ),
        _ => format!(
            "In the forward simulation each muscle is a length controller (full force at {error:.1} mm), without \
             feed-forward."
        ),
    };
    let agent = if plan.prescribed {
        String::new()
    } else {
        format!(
            " A tracking agent at the pelvis ({} N m/rad, {} N/m forward, {} N/m sideways) prevents a fall; its loads \
             are reported as residuals.",
            plan.controllers.agent.turn_stiffness,
            plan.controllers.agent.stiffness,
            plan.controllers.agent.side_stiffness
        )
    };
    format!(
        "{} muscles ({source}; factor {} on strength). Static optimisation with squared activations distributed the \
         joint moments of the reference motion among them; at most {:.2} N m were left to reserves. \
         {controlled}{agent}",
        result.muscles.muscles.len(),
        plan.strength,
        result.reference.report.reserve_peak
    )
}

/// Floor and how the motion was fitted to it.
fn floor(planned: &Planned, result: &MovementResult) -> String {
    if planned.plan.prescribed {
        return "The ground force is that of the reference motion; there is no floor.".into();
    }
    let f = &planned.plan.controllers.floor;
    let tuned = if planned.tuned.is_some() { ", fitted to the reference force" } else { "" };
    let fitted = match &result.floor_fit {
        Some(_) => {
            "The reference motion was adjusted slightly by least squares until this floor responds with the \
             reference force."
        }
        None => "The reference motion was not fitted to the floor.",
    };
    format!(
        "The floor under ellipsoidal pads of the feet has {:.0} N/mm per forefoot pad at {:.0} mm depth, {:.2} times \
         that under the heel, exponent {}, damping up to {} N s/m, friction {} and {}{tuned}. {fitted}",
        1e-3 * f.stiffness,
        1e3 * f.reference_depth,
        f.heel_factor,
        f.exponent,
        f.damping,
        f.static_friction,
        f.dynamic_friction
    )
}

/// Flexible bones.
fn bones(study: &Study, planned: &Planned, result: &MovementResult) -> Option<String> {
    let bone = result.bones.first()?;
    let names: Vec<&str> = result.bones.iter().map(|b| b.name.segment()).collect();
    let report = bone.report();
    let mut shape = format!(
        "built-in shapes with mean CT sections for the stature and sex of the subject (factor {} on breadths)",
        planned.plan.bones.breadth
    );
    for given in &planned.plan.bones.given {
        let name = file(study, given.word()).unwrap_or_default();
        let made = given.method.join("; ");
        shape = format!("{} {} from {name} [{made}]; else {shape}", given.side.word(), given.word());
    }
    let fibula = if planned.plan.bones.fibula { "; a parallel fibula carries 7 % of the force" } else { "" };
    Some(format!(
        "Flexible segments: {} ({shape}, cortex `{}`{fibula}), as floating frames with Craig-Bampton modes: {} of {} \
         modes are kept for `{}`, chosen so that the static strain at the gauges is exact within {:.1} microstrain, \
         all with the damping ratio {}. The gauge for the comparison with living bone is on the anteromedial face at \
         mid-shaft.",
        names.join(", "),
        choice(study, "cortical"),
        report.frequencies.len(),
        report.available,
        names.first().copied().unwrap_or_default(),
        1e6 * report.gauge_error,
        planned.plan.bones.damping_ratio
    ))
}

/// Integration, evaluation and sources.
fn integration(planned: &Planned, result: &MovementResult) -> String {
    let plan = &planned.plan;
    let how = if plan.prescribed {
        format!("{} strides were evaluated", plan.cycles)
    } else {
        format!("{} strides were simulated by an implicit method with steps of {} ms", plan.cycles, 1e3 * plan.step)
    };
    let ended = result.record.times.last().filter(|_| result.ended.is_some());
    let early = ended.map_or(String::new(), |time| format!("; the simulation ended early, at {time:.2} s"));
    format!(
        "{how}{early}. Peaks are means over the strides after the first one; strain rates are differences over 20 \
         ms. No parameter is fitted to a strain. Method after Al Nazer, thesis, Lappeenranta 2008, and Klodowski et \
         al., Rakenteiden Mekaniikka 2011."
    )
}
