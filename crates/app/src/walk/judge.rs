//! How far the result of a walk can be trusted: its quantities compared with limits.
//!
//! Each limit has its source. Motion and residuals follow the recommendations for simulations of movement of Hicks et
//! al. 2015 and of the authors of OpenSim; strains are compared with those measured on living bone.

use super::cycle::strain_peaks;
use super::headline;
use super::plan::Planned;
use super::trial::Compared;
use wolff_bone::gauges::{ROSETTE, StrainPeaks};
use wolff_evidence::literature::{Origin, WALKING_STRAINS, in_vivo_ranges};
use wolff_movement::measured::Trial;
use wolff_movement::simulate::MovementResult;
use wolff_report::outcome::{Judgement, Limit};

const HICKS: &str = "Hicks et al. 2015, J Biomech Eng 137:020905";
const OPENSIM: &str = "recommendation of the authors of OpenSim";

/// Marker errors, RMS and largest \[mm\]: below 20 and 40 mm in inverse kinematics ([`OPENSIM`]); those beyond the
/// second number are refused before.
const MARKER_RMS_MM: [f64; 2] = [20.0, 100.0];
const MARKER_MAX_MM: f64 = 40.0;

/// Correlation of a segment's position with its reference: below it less than four fifths of the variance (r² = 0.81)
/// are reproduced; the thesis of Al Nazer (2008, section 4.6) reports above 0.99.
const POSITION_CORRELATION: f64 = 0.90;

/// RMS errors of positions \[mm\] and angles \[deg\] in tracking that count as acceptable ([`OPENSIM`]).
const POSITION_RMS_MM: f64 = 40.0;
const ANGLE_RMS_DEG: f64 = 5.0;

/// Correlation of the vertical ground force with its reference or with force plates, and relative difference of its
/// peaks. Al Nazer 2008, Table 4.5, has correlations of 0.95 to 0.97; peaks of one person differ by a few per cent from
/// stride to stride.
const FORCE_CORRELATION: f64 = 0.95;
const FORCE_PEAK_PERCENT: f64 = 10.0;

/// Residual force relative to the largest external force, and residual moment relative to that force times the height
/// of the mass centre ([`HICKS`]).
const RESIDUAL_FORCE: f64 = 0.05;
const RESIDUAL_MOMENT: f64 = 0.01;

/// Height of the mass centre of a standing adult over stature, after de Leva 1996.
const MASS_CENTRE: f64 = 0.56;

/// Residual force of a measured cycle before it is corrected \[BW\]. The whole inertial force of level walking, the
/// part of the ground force beyond body weight, is at most about this large: a larger residual means that motion and
/// forces do not describe the same movement.
const MEASURED_RESIDUAL_BW: f64 = 0.25;

/// Moment that muscles cannot produce \[N m\]: 5 % of the largest joint moments of walking, about 100 N m ([`HICKS`]).
const RESERVE_NM: f64 = 5.0;

/// Factor on the largest strain measured on living bone: adults of equal stature differ by 8 % (one standard deviation,
/// CT) in the breadth of the tibia, and strains in bending change with its third power, `0.92⁻³`.
const STRAIN_SPREAD: f64 = 1.28;

/// Strain at which cortical bone yields \[microstrain\].
const YIELD_MICROSTRAIN: f64 = 7000.0;

/// Names of judged quantities that are among the most important numbers.
pub(super) const COMPRESSION: &str = "largest compression at the gauge site";
pub(super) const RATE: &str = "fastest change of compression at the gauge site, over 20 ms";
pub(super) const GROUND_PEAK: &str = "peak of the vertical ground force, difference from";

/// Source of the limits of strains.
pub(super) const IN_VIVO: &str = "largest value measured in vivo in walking (four studies 1975 to 2007), times 1.28 for the spread of breadth among \
     persons";

/// What to do about a motion that is not followed.
const TRACKING_REMEDY: &str = "reduce `servo_error`, increase the stiffness of the tracking agent, or use \
                               `servo=prescribed`, which needs no tracking";

/// Judges a walk; a walk that ended early is judged by its input only.
pub(super) fn judge(planned: &Planned, result: &MovementResult, compared: Option<&Compared>) -> Judgement {
    let mut out = Judgement::default();
    out.found(planned.findings.iter().cloned());
    if let Some(measured) = &planned.measured {
        out.found(measured.trial.findings.iter().cloned());
        judge_trial(&measured.trial, &mut out);
    }
    if result.ended.is_some() {
        return out;
    }
    judge_tracking(result, &mut out);
    judge_residuals(planned, result, &mut out);
    judge_peak(result, compared, &mut out);
    if let Some(compared) = compared {
        judge_plates(result, compared, &mut out);
    }
    headline::judge_knee(result, &mut out);
    if let Some(peaks) = peaks(result) {
        judge_strains(&peaks, &mut out);
    }
    out
}

/// Quality of a recording and of the cycle made from it.
fn judge_trial(trial: &Trial, out: &mut Judgement) {
    let markers = "check names, weights and gaps of the markers, and the scaling of the model";
    if let Some(error) = trial.marker_error {
        let [doubtful, failed] = MARKER_RMS_MM;
        let limit = Limit::at_most(doubtful, failed).because(OPENSIM);
        out.judge("marker error RMS", "mm", 1e3 * error, &limit, markers);
    }
    if let Some((name, error)) = &trial.marker_error_max {
        let limit = Limit::at_most(MARKER_MAX_MM, f64::INFINITY).because(OPENSIM);
        out.judge(&format!("largest marker error ({name})"), "mm", 1e3 * error, &limit, markers);
    }
    let inertial = "the whole inertial force of level walking is about as large";
    let limit = Limit::at_most(MEASURED_RESIDUAL_BW, f64::INFINITY).because(inertial);
    let remedy = "record at least one complete stride with both feet on plates, filter the markers, and check that \
                  motion and forces are of the same trial; the motion was changed to remove this residual";
    out.judge("residual force of the measured cycle before it was corrected", "BW", trial.before.force, &limit, remedy);
    let limit = Limit::at_most(ANGLE_RMS_DEG, f64::INFINITY).because(format!("{OPENSIM} for residual reduction"));
    let (name, change) = &trial.angle_change;
    let remedy = "the simulated motion is not quite the recorded one; record a steady walk of at least one stride";
    let quantity = format!("change of the recorded angles by the correction, RMS ({name})");
    out.judge(&quantity, "deg", change.to_degrees(), &limit, remedy);
    let limit = Limit::at_most(RESIDUAL_FORCE, f64::INFINITY).because(HICKS);
    out.judge("residual force of the corrected cycle", "BW", trial.after.force, &limit, "check mass, forces and axes");
}

/// How well the forward simulation follows the reference motion.
fn judge_tracking(result: &MovementResult, out: &mut Judgement) {
    let f = &result.fidelity;
    let reason = "r² = 0.81; published simulations reach 0.99 (Al Nazer 2008)";
    let limit = Limit::at_least(POSITION_CORRELATION, f64::NEG_INFINITY).because(reason);
    let quantity =
        format!("least correlation of segment positions with the reference ({})", f.kinematics_correlation.at);
    out.judge(&quantity, "", f.kinematics_correlation.value, &limit, TRACKING_REMEDY);
    let limit = Limit::at_most(POSITION_RMS_MM, f64::INFINITY).because(format!("{OPENSIM} for tracking"));
    let quantity = format!("largest position error RMS ({})", f.position_rms.at);
    out.judge(&quantity, "mm", 1e3 * f.position_rms.value, &limit, TRACKING_REMEDY);
    let limit = Limit::at_most(ANGLE_RMS_DEG, f64::INFINITY).because(format!("{OPENSIM} for tracking"));
    let quantity = format!("largest joint angle error RMS ({})", f.angle_rms.at);
    out.judge(&quantity, "deg", f.angle_rms.value.to_degrees(), &limit, TRACKING_REMEDY);
    let floor = "adjust the floor (`tune_floor=yes`, `floor_fit_steps`), or use `servo=feed-forward`";
    let limit = Limit::at_least(FORCE_CORRELATION, 0.0).because("Al Nazer 2008, Table 4.5: 0.95 to 0.97");
    out.judge(
        "correlation of the vertical ground force with the reference",
        "",
        f.ground_correlation[1],
        &limit,
        floor,
    );
}

/// Loads that neither muscles nor floor produce.
fn judge_residuals(planned: &Planned, result: &MovementResult, out: &mut Judgement) {
    let f = &result.fidelity;
    let external = external_force(result);
    let agent = "muscles and floor do not carry the person alone: check ground force and muscles before using strains";
    let limit =
        Limit::at_most(RESIDUAL_FORCE, f64::INFINITY).because(format!("of the largest external force, {HICKS}"));
    out.judge("force of the tracking agent over the external force", "", f.agent_force / external, &limit, agent);
    let limit = Limit::at_most(RESIDUAL_MOMENT, f64::INFINITY)
        .because(format!("of the external force times the height of the mass centre, {HICKS}"));
    let moment = f.agent_moment / (external * MASS_CENTRE);
    out.judge("moment of the tracking agent over force and height", "", moment, &limit, agent);
    let report = &result.reference.report;
    let limit = Limit::at_most(RESERVE_NM, f64::INFINITY).because(format!("5 % of joint moments, {HICKS}"));
    let quantity = format!("moment that muscles cannot produce ({})", report.reserve_coordinate);
    out.judge(&quantity, "N m", report.reserve_peak, &limit, super::advice::stronger(planned));
}

/// The larger peak of the vertical ground force \[BW\]: simulated, and of the plates or else of the reference motion.
pub(super) fn larger_peaks(result: &MovementResult, compared: Option<&Compared>) -> [f64; 2] {
    let larger = |peaks: [f64; 2]| peaks[0].max(peaks[1]);
    let reference = compared.map_or(result.fidelity.reference_peaks, |compared| compared.ground().peaks);
    [larger(result.fidelity.ground_peaks), larger(reference)]
}

fn judge_peak(result: &MovementResult, compared: Option<&Compared>, out: &mut Judgement) {
    let [simulated, reference] = larger_peaks(result, compared);
    let quantity = format!("{GROUND_PEAK} {}", if compared.is_some() { "the plates" } else { "the reference motion" });
    let limit = Limit::at_most(FORCE_PEAK_PERCENT, f64::INFINITY).because("a few per cent from stride to stride");
    let remedy = "adjust the floor (`tune_floor=yes`, `floor_fit_steps`), or use `servo=feed-forward`";
    out.judge(&quantity, "%", 100.0 * (simulated / reference - 1.0).abs(), &limit, remedy);
}

/// The ground force beside the measured one.
fn judge_plates(result: &MovementResult, compared: &Compared, out: &mut Judgement) {
    let ground = compared.ground();
    let remedy = "the simulated walk is not that of the plates: check forces, mass and floor (`tune_floor=yes`)";
    let limit = Limit::at_least(FORCE_CORRELATION, 0.0).because("Al Nazer 2008, Table 4.5: 0.95 to 0.97");
    out.judge("correlation of the vertical ground force with the plates", "", ground.correlation[1], &limit, remedy);
    let limit = Limit::at_most(FORCE_PEAK_PERCENT, f64::INFINITY).because("a few per cent from stride to stride");
    let pairs = result.fidelity.ground_peaks.iter().zip(ground.peaks);
    for (name, (simulated, measured)) in ["first", "second"].into_iter().zip(pairs) {
        let difference = 100.0 * (simulated / measured - 1.0).abs();
        out.judge(
            &format!("{name} peak of the ground force, difference from the plates"),
            "%",
            difference,
            &limit,
            remedy,
        );
    }
}

/// Limits of compression \[microstrain\] and of its rate \[microstrain/s\] at the gauge, as positive numbers.
pub(super) fn compression_limits() -> [Limit; 2] {
    let [_, compression, _] = in_vivo_ranges();
    let rates = WALKING_STRAINS.iter().filter(|row| row.origin == Origin::InVivo).filter_map(|row| row.rates[1]);
    let fastest = rates.fold(0.0_f64, |most, rate| most.max(-rate));
    [strain_limit(-compression[0], YIELD_MICROSTRAIN), strain_limit(fastest, f64::INFINITY)]
}

fn strain_limit(most: f64, failed: f64) -> Limit {
    Limit::at_most((STRAIN_SPREAD * most).round(), failed).because(IN_VIVO)
}

/// Strains at the gauge beside those measured on living bone.
fn judge_strains(peaks: &StrainPeaks, out: &mut Judgement) {
    let [tension, ..] = in_vivo_ranges();
    let [compression, rate] = compression_limits();
    let remedy =
        "check size and position of the bone, joint contact forces and residuals (tables `bone`, `joint-contact`)";
    let tension = strain_limit(tension[1], YIELD_MICROSTRAIN);
    out.judge("largest tension at the gauge site", "microstrain", 1e6 * peaks.max_principal, &tension, remedy);
    out.judge(COMPRESSION, "microstrain", -1e6 * peaks.min_principal, &compression, remedy);
    let remedy = "check the ground force at heel strike (plot `ground-force`, `loading_rate_ratio`) and the step";
    out.judge(RATE, "microstrain/s", -1e6 * peaks.rates[1], &rate, remedy);
}

/// Peaks of the gauge of the first bone that has one.
pub(super) fn peaks(result: &MovementResult) -> Option<StrainPeaks> {
    let history = result.bones.iter().find_map(|bone| bone.gauge(ROSETTE))?;
    Some(strain_peaks(result, history))
}

/// Largest force of both feet together over body weight; at least body weight.
fn external_force(result: &MovementResult) -> f64 {
    let weight = result.walk.constants.weight();
    let sum = |ground: &[wolff_movement::model::ground::Reaction; 2]| (ground[0].force + ground[1].force).norm();
    result.record.ground.iter().map(sum).fold(weight, f64::max) / weight
}
