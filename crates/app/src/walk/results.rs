//! Named results of a walk.

use super::advice;
use super::around;
use super::cycle::{strain_peaks, strides};
use super::fibres;
use super::inverse_to_driven;
use super::joints;
use super::plan::Planned;
use serde_json::{Map, Value, json};
use wolff_bone::gauges::{ROSETTE, deflection, extremes};
use wolff_evidence::literature::{DEFLECTIONS, Origin, StrainRow, WALKING_STRAINS};
use wolff_movement::bones::{BoneName, BoneResult};
use wolff_movement::loads::Group;
use wolff_movement::simulate::{MovementPlan, MovementResult};

/// The results in the order in which they are shown.
pub(super) fn results(planned: &Planned, result: &MovementResult) -> Map<String, Value> {
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| _ = out.insert(name.into(), value);
    let (f, c) = (&result.fidelity, &result.walk.constants);
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
    put("position_rms_mm_max", json!(1e3 * f.position_rms.value));
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
    put("effort_static_optimisation", json!(result.reference.report.effort));
    put("saturated_share", json!(f.saturation));
    put("reserve_moment_peak_nm", json!(result.reference.report.reserve_peak));
    preparation(planned, result, &mut put);
    fibres::results(result, &mut put);
    joints::balance(result, &mut put);
    // peaks of a walk that ended early are not those of walking
    if result.ended.is_none() {
        inverse_to_driven::results(result, &mut put);
        joints::results(result, &mut put);
    }
    for bone in &result.bones {
        bone_results(result, bone, &mut put);
    }
    put("solutions_per_step", json!(result.record.solutions as f64 / result.record.steps.max(1) as f64));
    out
}

/// What was done before the walk: rescaling, inverse simulation, fit of the floor.
fn preparation(planned: &Planned, result: &MovementResult, put: &mut dyn FnMut(&str, Value)) {
    if let Some(rescaled) = &planned.rescaled {
        put("wanted_residual_force_bw", json!(rescaled.after.force));
        put("wanted_residual_moment_bw_height", json!(rescaled.after.moment));
    }
    if let Some(inverse) = &result.inverse {
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
}

/// The choice of `servo` that a plan was made from.
pub(super) fn drive(plan: &MovementPlan) -> &'static str {
    let servo = &plan.controllers.servo;
    match plan.controllers.hill {
        _ if plan.prescribed => "prescribed",
        Some(_) => "hill",
        None if servo.integral_time.is_some() => "pid",
        None if servo.feed_forward => "feed-forward",
        None => "pd",
    }
}

/// Strains and properties of a bone; those of the right tibia have no prefix.
fn bone_results(result: &MovementResult, bone: &BoneResult, put: &mut dyn FnMut(&str, Value)) {
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
    if result.ended.is_some() {
        return;
    }
    joints::section_results(result, bone.name.segment(), &mut put);
    let micro = |x: f64| json!(1e6 * x);
    let (mut axial, mut beam) = (Map::new(), Map::new());
    for (name, strains) in &bone.beam {
        let Some(history) = bone.gauge(name) else { continue };
        axial.insert(name.clone(), micro(strain_peaks(result, history).axial()));
        beam.insert(name.clone(), micro(larger_of(extremes(strains, &strides(result)))));
    }
    put("axial_microstrain", Value::Object(axial));
    put("beam_axial_microstrain", Value::Object(beam));
    let Some(history) = bone.gauge(ROSETTE) else { return };
    around::results(result, bone, &mut put);
    let peaks = strain_peaks(result, history);
    put("max_principal_microstrain", micro(peaks.max_principal));
    put("min_principal_microstrain", micro(peaks.min_principal));
    put("max_shear_microstrain", micro(peaks.max_shear));
    put("max_principal_microstrain_rate_per_s", micro(peaks.rates[0]));
    put("min_principal_microstrain_rate_per_s", micro(peaks.rates[1]));
    put("max_shear_microstrain_rate_per_s", micro(peaks.rates[2]));
    if let Some([posterior, medial, external]) = bending(result, bone) {
        put("posterior_bending_deg", json!(posterior.to_degrees()));
        put("medial_bending_deg", json!(medial.to_degrees()));
        put("external_torsion_deg", json!(external.to_degrees()));
    }
}

/// The value of larger magnitude.
fn larger_of([low, high]: [f64; 2]) -> f64 {
    if high.abs() >= low.abs() { high } else { low }
}

/// Maximum rotations of the distal relative to the proximal ring of the shaft over the strides: posterior and medial
/// bending, external torsion \[rad\].
pub(super) fn bending(result: &MovementResult, bone: &BoneResult) -> Option<[f64; 3]> {
    let side = bone.name.side();
    let mut largest = [0.0_f64; 3];
    for rows in strides(result) {
        for eta in &bone.modes[rows] {
            let d = deflection(&bone.bone.body, side, eta).ok()?;
            for (largest, turn) in largest.iter_mut().zip([d.posterior, d.medial, d.external]) {
                *largest = if turn.abs() > largest.abs() { turn } else { *largest };
            }
        }
    }
    Some(largest)
}

/// Remarks for the reader of the outcome.
pub(super) fn remarks(planned: &Planned, result: &MovementResult) -> Vec<String> {
    let mut remarks = Vec::new();
    let f = &result.fidelity;
    let walked = result.record.times.last().copied().unwrap_or(0.0);
    if result.ended.is_none() && walked + 1e-9 < result.walk.constants.cycle_time {
        remarks.push("less than one stride was simulated: peaks are those of the simulated part".into());
    }
    if f.saturation > 0.001 {
        let (percent, help) = (100.0 * f.saturation, advice::stronger(planned));
        remarks.push(format!("muscles are at their maximum force for {percent:.1} % of the time; {help}"));
    }
    remarks.extend(result.bones.iter().flat_map(|bone| bone.report().remarks.clone()));
    if result.ended.is_none() {
        remarks.extend(wrapped_shank(result));
        remarks.extend(beyond_measured(result));
    }
    if planned.plan.bones.bones.is_empty() {
        remarks.push("no bone is flexible, so there are no strains; set `bones=tibia_r` to get them".into());
    }
    remarks
}

/// Remark on a model whose gastrocnemius wraps over a surface fixed to the shank: the surface pushes the proximal shank
/// forward, which a real tendon does not.
fn wrapped_shank(result: &MovementResult) -> Option<String> {
    result.walk.skeleton.given.as_ref()?;
    let bone = result.bones.iter().find(|b| b.name == BoneName::TibiaRight)?;
    let [posterior, ..] = bending(result, bone)?;
    let wraps = |m: &&wolff_anatomy::HumanMuscle| {
        Group::Gastrocnemius.has(&m.name, "r") && m.path.wraps.iter().any(|wrap| wrap.body == bone.name.segment())
    };
    let names: Vec<&str> = result.muscles.muscles.iter().filter(wraps).map(|m| m.name.as_str()).collect();
    if names.is_empty() {
        return None;
    }
    Some(format!(
        "{} of the model wrap over a surface fixed to the shank, which pushes the proximal shank forward where a real \
         tendon does not: the tibia bends backwards by {:.2} deg ({} to {} were measured); strains with \
         `skeleton=walking` are more reliable than these",
        names.join(" and "),
        posterior.to_degrees(),
        DEFLECTIONS.posterior[0],
        DEFLECTIONS.posterior[1]
    ))
}

/// Remark on strains outside the range measured in vivo by gauges in walking.
fn beyond_measured(result: &MovementResult) -> Option<String> {
    let history = result.bones.iter().find_map(|bone| bone.gauge(ROSETTE))?;
    let peaks = strain_peaks(result, history);
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
        "microstrain at the anteromedial mid-shaft is outside the range measured in vivo: {}; it depends on the \
         position of the gauge on the face, and on breadth and curvature of the bone (table `face`, `--sensitivity`)",
        outside.join(", ")
    ))
}
