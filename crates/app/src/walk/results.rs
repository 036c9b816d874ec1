//! Named results of a walk.

use super::cycle::{strain_peaks, strides};
use super::fibres;
use super::joints;
use super::kept;
use super::plan::Planned;
use serde_json::{Map, Value, json};
use wolff_bone::gauges::{ROSETTE, deflection};
use wolff_movement::bones::{BoneName, BoneResult};
use wolff_movement::compare::literature::{DEFLECTIONS, Origin, StrainRow, WALKING_STRAINS};
use wolff_movement::loads::Group;
use wolff_movement::simulate::{MovementPlan, MovementResult};

/// The results in the order they are shown.
pub(super) fn results(planned: &Planned, performance: &MovementResult) -> Map<String, Value> {
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| _ = out.insert(name.into(), value);
    let (f, c) = (&performance.fidelity, &performance.walk.constants);
    put("cycles", json!(planned.plan.cycles));
    put("drive", json!(drive(&planned.plan)));
    put("mass_kg", json!(planned.subject.mass));
    put("stature_m", json!(planned.subject.stature));
    put("speed_m_per_s", json!(c.speed));
    put("cycle_time_s", json!(c.cycle_time));
    put("kinematics_correlation_min", json!(f.kinematics_correlation.value));
    put("kinematics_correlation_min_at", json!(f.kinematics_correlation.at));
    for (axis, name) in ["forward", "up", "sideways"].into_iter().enumerate() {
        put(&format!("kinematics_correlation_{name}"), json!(f.axis_correlation[axis]));
    }
    put("joint_angle_rms_deg_max", json!(f.angle_rms.value.to_degrees()));
    put("leg_angle_rms_deg", json!(f.leg_angle_rms.to_degrees()));
    put("ground_force_correlation", json!(f.ground_correlation[1]));
    put("ground_force_correlation_forward", json!(f.ground_correlation[0]));
    put("ground_force_correlation_sideways", json!(f.ground_correlation[2]));
    put("ground_force_rms_bw", json!(f.ground_rms));
    put("ground_force_first_peak_bw", json!(f.ground_peaks[0]));
    put("ground_force_second_peak_bw", json!(f.ground_peaks[1]));
    put("wanted_first_peak_bw", json!(f.reference_peaks[0]));
    put("wanted_second_peak_bw", json!(f.reference_peaks[1]));
    put("ground_force_max_bw", json!(f.ground_max));
    put("loading_rate_bw_per_s", json!(f.loading_rates[0]));
    put("wanted_loading_rate_bw_per_s", json!(f.loading_rates[1]));
    put("loading_rate_ratio", json!(f.loading_rates[0] / f.loading_rates[1]));
    put("residual_force_peak_bw", json!(f.agent_force));
    put("residual_moment_peak_bw_height", json!(f.agent_moment));
    put("effort", json!(f.effort));
    put("effort_static_optimisation", json!(performance.reference.report.effort));
    put("saturated_share", json!(f.saturation));
    put("reserve_moment_peak_nm", json!(performance.reference.report.reserve_peak));
    if let Some(rescaled) = &planned.rescaled {
        put("wanted_residual_force_bw", json!(rescaled.after.force));
        put("wanted_residual_moment_bw_height", json!(rescaled.after.moment));
    }
    if let Some(inverse) = &performance.inverse {
        put("teacher_distance_rms_mm", json!(1e3 * inverse.distance));
        put("teacher_force_peak_n", json!(inverse.force));
    }
    if let Some(tuned) = &planned.tuned {
        put("tuned_floor_stiffness_n_per_m", json!(tuned.floor.stiffness));
        put("tuned_heel_factor", json!(tuned.floor.heel_factor));
        put("tuned_floor_damping_n_s_per_m", json!(tuned.floor.damping));
        put("tuning_force_rms_bw_before", json!(tuned.error[0]));
        put("tuning_force_rms_bw_after", json!(tuned.error[1]));
        put("tuning_walks", json!(tuned.walks));
    }
    fibres::results(performance, &mut put);
    kept::results(performance, &mut put);
    joints::results(performance, &mut put);
    for bone in &performance.bones {
        bone_results(performance, bone, &mut put);
    }
    put("solutions_per_step", json!(performance.record.solutions as f64 / performance.record.steps.max(1) as f64));
    out
}

/// The choice of `servo` that a plan was made from.
fn drive(plan: &MovementPlan) -> &'static str {
    let servo = &plan.controllers.servo;
    match plan.controllers.hill {
        _ if plan.prescribed => "prescribed",
        Some(_) => "hill",
        None if servo.integral_time.is_some() => "pid",
        None if servo.feed_forward => "feed-forward",
        None => "pd",
    }
}

/// Strains and making of a bone; those of the right tibia without a prefix.
fn bone_results(performance: &MovementResult, bone: &BoneResult, put: &mut dyn FnMut(&str, Value)) {
    let report = bone.report();
    let prefix = match bone.name {
        BoneName::TibiaRight => String::new(),
        other => format!("{}.", other.segment()),
    };
    let mut put = |name: &str, value: Value| put(&format!("{prefix}{name}"), value);
    put("modes_used", json!(report.frequencies.len()));
    put("lowest_frequency_hz", json!(report.frequencies.first()));
    put("bone_mass_kg", json!(report.bone_mass));
    put("bone_length_mm", json!(1e3 * report.length));
    if bone.name.segment().starts_with("shank") {
        put("knee_gap_mm", json!(1e3 * report.gaps[0]));
        put("ankle_gap_mm", json!(1e3 * report.gaps[1]));
    }
    let [larger, smaller] = report.midshaft.second_moments;
    put("midshaft_area_mm2", json!(1e6 * report.midshaft.area));
    put("midshaft_imax_mm4", json!(1e12 * larger));
    put("midshaft_imin_mm4", json!(1e12 * smaller));
    put("midshaft_j_mm4", json!(report.midshaft.torsion_constant.map(|j| 1e12 * j)));
    put("shaft_anterior_mm", json!(1e3 * report.shaft_offsets[1][0]));
    put("shaft_lateral_mm", json!(1e3 * report.shaft_offsets[1][1]));
    joints::section_results(performance, bone.name.segment(), &mut put);
    let Some(history) = bone.gauge(ROSETTE) else { return };
    let micro = |x: f64| json!(1e6 * x);
    let peaks = strain_peaks(performance, history);
    put("max_principal_microstrain", micro(peaks.max_principal));
    put("min_principal_microstrain", micro(peaks.min_principal));
    put("max_shear_microstrain", micro(peaks.max_shear));
    put("max_principal_microstrain_rate_per_s", micro(peaks.rates[0]));
    put("min_principal_microstrain_rate_per_s", micro(peaks.rates[1]));
    put("max_shear_microstrain_rate_per_s", micro(peaks.rates[2]));
    let mut axial = Map::new();
    for name in ["L1", "L2", "L3", "L4", "L5", "L6", "L7"] {
        if let Some(history) = bone.gauge(name) {
            axial.insert(name.into(), micro(strain_peaks(performance, history).axial()));
        }
    }
    put("axial_microstrain", Value::Object(axial));
    if let Some([posterior, medial, external]) = bending(performance, bone) {
        put("posterior_bending_deg", json!(posterior.to_degrees()));
        put("medial_bending_deg", json!(medial.to_degrees()));
        put("external_torsion_deg", json!(external.to_degrees()));
    }
}

/// Largest turns of the lower against the upper ring of the shaft over the strides: backwards, to the middle, outwards [rad].
pub(super) fn bending(performance: &MovementResult, bone: &BoneResult) -> Option<[f64; 3]> {
    let side = bone.name.side();
    let mut greatest = [0.0_f64; 3];
    for rows in strides(performance) {
        for eta in &bone.modes[rows] {
            let d = deflection(&bone.bone.body, side, eta).ok()?;
            for (greatest, turn) in greatest.iter_mut().zip([d.posterior, d.medial, d.external]) {
                *greatest = if turn.abs() > greatest.abs() { turn } else { *greatest };
            }
        }
    }
    Some(greatest)
}

/// What a reader of the outcome should be told.
pub(super) fn remarks(planned: &Planned, performance: &MovementResult) -> Vec<String> {
    let mut remarks = planned.remarks.clone();
    let f = &performance.fidelity;
    let walked = performance.record.times.last().copied().unwrap_or(0.0);
    if walked + 1e-9 < performance.walk.constants.cycle_time {
        remarks.push("less than a stride was walked: peaks are those of the part that was".into());
    }
    if f.agent_force > 0.03 || f.agent_moment > 0.02 {
        remarks.push(format!(
            "the tracking agent helps with {:.1} % of body weight and {:.1} % of body weight times height at most (3 and 2 % are good): \
             look at ground force and muscles before strains",
            100.0 * f.agent_force,
            100.0 * f.agent_moment
        ));
    }
    if f.saturation > 0.001 {
        let share = 100.0 * f.saturation;
        remarks.push(format!("muscles are at their greatest force in {share:.1} % of the time; raise `strength`"));
    }
    if performance.reference.report.reserve_peak > 5.0 {
        let r = &performance.reference.report;
        remarks.push(format!(
            "muscles cannot carry {:.1} N m of {} in the wanted motion; raise `strength` or take `muscles=all`",
            r.reserve_peak, r.reserve_coordinate
        ));
    }
    remarks.extend(performance.bones.iter().flat_map(|bone| bone.report().remarks.clone()));
    remarks.extend(wrapped_shank(performance));
    remarks.extend(beyond_measured(performance));
    if planned.plan.bones.bones.is_empty() {
        remarks.push("no bone bends: there are no strains (`bones=tibia_r`)".into());
    }
    remarks
}

/// Tells of a model whose gastrocnemius lies on a surface that is fixed to the shank: the surface pushes the upper shank forward, which no tendon does.
fn wrapped_shank(performance: &MovementResult) -> Option<String> {
    performance.walk.skeleton.given.as_ref()?;
    let bone = performance.bones.iter().find(|b| b.name == BoneName::TibiaRight)?;
    let [posterior, ..] = bending(performance, bone)?;
    let wraps = |m: &&wolff_anatomy::HumanMuscle| {
        Group::Gastrocnemius.has(&m.name, "r") && m.path.wraps.iter().any(|wrap| wrap.body == bone.name.segment())
    };
    let names: Vec<&str> = performance.muscles.muscles.iter().filter(wraps).map(|m| m.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    Some(format!(
        "{} of the model lie on a surface fixed to the shank, which pushes the upper shank forward where a tendon runs free: the tibia bends backwards by {:.2} deg \
         ({} to {} were measured); trust strains of `skeleton=walking` more than these",
        names.join(" and "),
        posterior.to_degrees(),
        DEFLECTIONS.posterior[0],
        DEFLECTIONS.posterior[1]
    ))
}

/// Tells of strains outside what gauges on living bone have measured in walking.
fn beyond_measured(performance: &MovementResult) -> Option<String> {
    let history = performance.bones.iter().find_map(|bone| bone.gauge(ROSETTE))?;
    let peaks = strain_peaks(performance, history);
    let measured = |of: &dyn Fn(&StrainRow) -> Option<f64>| {
        let values = WALKING_STRAINS.iter().filter(|row| row.origin == Origin::InVivo).filter_map(of);
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
    };
    let parts = [
        ("max principal", 1e6 * peaks.max_principal, measured(&|row| Some(row.max_principal))),
        ("min principal", 1e6 * peaks.min_principal, measured(&|row| Some(row.min_principal))),
        ("max shear", 1e6 * peaks.max_shear, measured(&|row| row.max_shear)),
    ];
    let outside: Vec<String> = parts
        .iter()
        .filter(|(_, value, [low, high])| !(*low..=*high).contains(value))
        .map(|(name, value, [low, high])| format!("{name} {value:.0} ({low:.0} to {high:.0})"))
        .collect();
    if outside.is_empty() {
        return None;
    }
    Some(format!(
        "microstrain at the anteromedial mid-shaft outside what was measured on living people: {}; where a gauge sits on the face, breadth and bow of the bone decide \
         (table `face`, `--sensitivity`)",
        outside.join(", ")
    ))
}
