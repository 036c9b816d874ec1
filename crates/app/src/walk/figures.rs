//! Series, plots and stick figures of a walk.

use super::cycle::last_stride;
use super::fibres;
use super::joints;
use wolff_anatomy::skeleton::Segment;
use wolff_anatomy::{Side, without_side};
use wolff_bone::gauges::{GaugeHistory, ROSETTE};
use wolff_movement::simulate::MovementResult;
use wolff_multibody::Kinematics;
use wolff_multibody::spec::GROUND;
use wolff_plots::{StripArrow, StripClass, StripFrame, StripSegment, StripView};
use wolff_report::outcome::{Band, Plot, Series, Strip};
use wolff_spatial::Vec3;

/// Label of the horizontal axis of plots over a stride.
pub(super) const CYCLE: &str = "gait cycle [%]";

/// Half the height of the band that emphasises one stride, as a fraction of the range of the curves.
const EMPHASIS: f64 = 0.02;

/// Number of stick figures per stride.
const FIGURES: usize = 9;

/// Additional distance between the figures, beyond the distance walked \[m\].
const SPACING: f64 = 0.35;

/// Coordinates, ground forces and muscle tensions; gauges in a series of their own.
pub(super) fn series(result: &MovementResult) -> Vec<Series> {
    let record = &result.record;
    let names = result.muscled.model.coordinate_names();
    let mut motion = Series { name: "motion".into(), columns: vec!["time".into()], rows: vec![] };
    let tracked: Vec<usize> = (0..names.len()).filter(|k| is_tracked(result, &names[*k])).collect();
    motion.columns.extend(tracked.iter().map(|k| names[*k].clone()));
    let mut forces = Series { name: "forces".into(), columns: vec!["time".into()], rows: vec![] };
    for foot in ["right", "left"] {
        let parts = ["force_x_n", "force_y_n", "force_z_n", "cop_x_m", "cop_z_m", "free_moment_nm"];
        forces.columns.extend(parts.map(|part| format!("ground_{foot}_{part}")));
    }
    forces.columns.extend(result.muscles.muscles.iter().map(|m| format!("{}_n", m.name)));
    forces.columns.extend(result.controllers.agent.iter().map(|a| format!("agent_{}", a.name)));
    for i in 0..record.times.len() {
        let positions = tracked.iter().map(|k| record.q[i][result.muscled.model.position_of_speed(*k).unwrap_or(*k)]);
        motion.rows.push(std::iter::once(record.times[i]).chain(positions).collect());
        let ground = record.ground[i]
            .iter()
            .flat_map(|g| [g.force.x, g.force.y, g.force.z, g.center.x, g.center.z, g.free_moment]);
        let rest = record.tensions[i].iter().chain(&record.agent[i]).copied();
        forces.rows.push(std::iter::once(record.times[i]).chain(ground).chain(rest).collect());
    }
    let mut all = vec![motion, forces];
    all.extend(fibres::series(result));
    all.extend(joints::series(result));
    all.extend(result.bones.iter().filter(|b| !b.gauges.is_empty()).map(|b| strain_series(result, b)));
    all
}

fn is_tracked(result: &MovementResult, name: &str) -> bool {
    result.reference.coordinates.iter().any(|(tracked, _)| tracked == name)
}

fn strain_series(result: &MovementResult, bone: &wolff_movement::bones::BoneResult) -> Series {
    let mut columns = vec!["time".to_string()];
    for gauge in &bone.gauges {
        let parts = ["axial", "max_principal", "min_principal", "max_shear"];
        columns.extend(parts.map(|part| format!("{}_{part}_microstrain", gauge.gauge)));
    }
    let row = |(i, t): (usize, &f64)| {
        let strains =
            bone.gauges.iter().flat_map(|g| [g.axial[i], g.max_principal[i], g.min_principal[i], g.max_shear[i]]);
        std::iter::once(*t).chain(strains.map(|e| 1e6 * e)).collect()
    };
    let rows = result.record.times.iter().enumerate().map(row).collect();
    Series { name: format!("strain-{}", bone.name.segment()), columns, rows }
}

/// Plots over the gait cycle of the last stride.
pub(super) fn plots(result: &MovementResult) -> Vec<Plot> {
    let mut plots = vec![ground_plot(result), angle_plot(result), muscle_plot(result)];
    plots.extend(joints::plots(result));
    for bone in &result.bones {
        let Some(rosette) = bone.gauge(ROSETTE) else { continue };
        let curve = |label: &str, signal: &[f64]| (label.to_string(), over_cycle(result, &|i| 1e6 * signal[i]));
        plots.push(Plot {
            name: format!("strain-{}", bone.name.segment()),
            title: "Strain at the anteromedial mid-shaft, last stride".into(),
            x_label: CYCLE.into(),
            y_label: "microstrain".into(),
            curves: vec![
                curve("max principal", &rosette.max_principal),
                curve("min principal", &rosette.min_principal),
                curve("max shear", &rosette.max_shear),
            ],
            log_y: false,
            bands: Vec::new(),
        });
        plots.push(all_strides(result, bone.name.segment(), rosette));
        let around = ["L1", "L3", "L5", "L7"].iter().filter_map(|name| {
            let history = bone.gauge(name)?;
            Some(((*name).to_string(), over_cycle(result, &|i| 1e6 * history.axial[i])))
        });
        plots.push(Plot {
            name: format!("axial-{}", bone.name.segment()),
            title: "Axial strain around the mid-shaft, last stride".into(),
            x_label: CYCLE.into(),
            y_label: "microstrain".into(),
            curves: around.collect(),
            log_y: false,
            bands: Vec::new(),
        });
    }
    plots
}

/// Strains at the rosette over all strides, with the last one emphasised (Figs 4.12 and 4.13 of the thesis).
fn all_strides(result: &MovementResult, segment: &str, rosette: &GaugeHistory) -> Plot {
    let period = result.walk.constants.cycle_time;
    let times = || result.record.times.iter().map(|t| t / period);
    let signals = [
        ("max principal", &rosette.max_principal),
        ("min principal", &rosette.min_principal),
        ("max shear", &rosette.max_shear),
    ];
    let curves: Vec<(String, Vec<(f64, f64)>)> =
        signals.map(|(label, signal)| (label.into(), times().zip(signal.iter().map(|e| 1e6 * e)).collect())).into();
    let values = || curves.iter().flat_map(|(_, points)| points).map(|p| p.1);
    let half = EMPHASIS * (values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min));
    let bands = curves.iter().map(|(label, points)| Band {
        label: String::new(),
        points: points[last_stride(result)].iter().map(|(t, e)| (*t, e - half, e + half)).collect(),
        of_curve: Some(label.clone()),
    });
    Plot {
        name: format!("strain-cycles-{segment}"),
        title: "Strain at the anteromedial mid-shaft over all strides, the last one emphasised".into(),
        x_label: "strides".into(),
        y_label: "microstrain".into(),
        bands: bands.collect(),
        curves,
        log_y: false,
    }
}

/// A signal over the last stride, 0 to 100 %.
pub(super) fn over_cycle(result: &MovementResult, signal: &dyn Fn(usize) -> f64) -> Vec<(f64, f64)> {
    let period = result.walk.constants.cycle_time;
    let rows = last_stride(result);
    let start = rows.start.checked_sub(1).map_or(0.0, |i| result.record.times[i]);
    rows.map(|i| (100.0 * (result.record.times[i] - start) / period, signal(i))).collect()
}

fn ground_plot(result: &MovementResult) -> Plot {
    let (record, weight) = (&result.record, result.walk.constants.weight());
    let mut curves = Vec::new();
    for (axis, label) in [(1, "vertical"), (0, "forward"), (2, "sideways")] {
        let simulated = |i: usize| record.ground[i][0].force[axis] / weight;
        let reference = |i: usize| result.reference.ground[0][axis].value(record.times[i]) / weight;
        curves.push((label.to_string(), over_cycle(result, &simulated)));
        curves.push((format!("{label}, reference"), over_cycle(result, &reference)));
    }
    Plot {
        name: "ground-force".into(),
        title: "Force of the ground on the right foot, last stride".into(),
        x_label: CYCLE.into(),
        y_label: "body weights".into(),
        curves,
        log_y: false,
        bands: Vec::new(),
    }
}

fn angle_plot(result: &MovementResult) -> Plot {
    let model = &result.muscled.model;
    let mut curves = Vec::new();
    for name in ["hip_flexion_r", "knee_flexion_r", "ankle_flexion_r"] {
        let track = result.reference.coordinates.iter().find(|(n, _)| n == name);
        let place = model.coordinate_index(name).and_then(|k| model.position_of_speed(k));
        let (Some((_, track)), Some(place)) = (track, place) else { continue };
        let record = &result.record;
        let label = without_side(name).replace('_', " ");
        curves.push((label.clone(), over_cycle(result, &|i| record.q[i][place].to_degrees())));
        let reference = |i: usize| track.value(record.times[i]).to_degrees();
        curves.push((format!("{label}, reference"), over_cycle(result, &reference)));
    }
    Plot {
        name: "angles".into(),
        title: "Angles of the right leg, last stride".into(),
        x_label: CYCLE.into(),
        y_label: "degrees".into(),
        curves,
        log_y: false,
        bands: Vec::new(),
    }
}

fn muscle_plot(result: &MovementResult) -> Plot {
    let shown = ["soleus_r", "med_gas_r", "tib_ant_r", "vas_lat_r", "rect_fem_r", "glut_med1_r", "bifemlh_r"];
    let curve = |name: &&str| {
        let m = result.muscles.muscles.iter().position(|m| m.name == *name)?;
        Some(((*name).to_string(), over_cycle(result, &|i| result.record.tensions[i][m])))
    };
    Plot {
        name: "muscles".into(),
        title: "Muscle forces of the right leg, last stride".into(),
        x_label: CYCLE.into(),
        y_label: "N".into(),
        curves: shown.iter().filter_map(curve).collect(),
        log_y: false,
        bands: Vec::new(),
    }
}

/// The last stride as stick figures with the forces of the ground.
pub(super) fn strips(result: &MovementResult) -> Vec<Strip> {
    let rows = last_stride(result);
    if rows.is_empty() {
        return Vec::new();
    }
    let mut kin = Kinematics::new(&result.muscled.model);
    let period = result.walk.constants.cycle_time;
    let frames = (0..FIGURES).map(|k| {
        let i = rows.start + k * (rows.len() - 1) / (FIGURES - 1);
        kin.update(&result.muscled.model, &result.record.q[i], &result.record.v[i]);
        let percent = 100.0 * ((result.record.times[i] + 1e-9) / period).fract();
        figure(result, &kin, i, format!("{percent:.0} %"))
    });
    vec![Strip {
        name: "walk".into(),
        title: "The last stride, with the force of the ground".into(),
        frames: frames.collect(),
        floor: Some(0.0),
        views: vec![StripView::Side],
        spacing: SPACING,
    }]
}

fn figure(result: &MovementResult, kin: &Kinematics, row: usize, label: String) -> StripFrame {
    let skeleton = &result.walk.skeleton;
    let mut segments = Vec::new();
    for segment in &skeleton.segments {
        let Some(place) = place_of(result, kin, &segment.name) else { continue };
        let mut ends: Vec<Vec3> =
            skeleton.segments.iter().filter(|s| s.parent == segment.name).map(|s| s.joint).collect();
        if ends.is_empty() && segment.parent != GROUND {
            ends.push(2.0 * segment.mass.com);
        }
        ends.extend(skeleton.contacts.iter().filter(|c| c.segment == segment.name).map(|c| c.point));
        let class = class(result, segment);
        for end in ends {
            let points = [place.p, place.point(&end)].map(|p| [p.x, p.y, p.z]).to_vec();
            segments.push(StripSegment { class, points });
        }
    }
    let arrow = |g: &wolff_movement::model::ground::Reaction| StripArrow { at: g.center.into(), force: g.force.into() };
    let standing = result.record.ground[row].iter().filter(|g| g.force.y > 0.0);
    StripFrame { label, segments, arrows: standing.map(arrow).collect() }
}

/// Pose of a segment; for a flexible bone that of its floating frame, which is at its proximal joint.
fn place_of(result: &MovementResult, kin: &Kinematics, segment: &str) -> Option<wolff_spatial::Pose> {
    result.muscled.model.body_index(segment).map(|b| kin.bodies[b].X_GB)
}

fn class(result: &MovementResult, segment: &Segment) -> StripClass {
    if result.bones.iter().any(|b| b.name.segment() == segment.name) {
        return StripClass::Bone;
    }
    match Side::of(&segment.name) {
        Some(Side::Right) => StripClass::Right,
        Some(Side::Left) => StripClass::Left,
        None => StripClass::Middle,
    }
}
