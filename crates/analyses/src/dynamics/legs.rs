//! Angles, moments and ground forces of the legs in anatomical terms.

use super::figures::Panel;
use super::inputs::Loaded;
use wolff_anatomy::names::opensim::ModelBody;
use wolff_anatomy::{Joint, Motion, Side};
use wolff_formats::Table;
use wolff_motion::Subject;
use wolff_motion::sense::{LegAngle, leg_angles};
use wolff_multibody::{Kinematics, Model};
use wolff_plausibility::feet_of;
use wolff_reference::normative::{Quantity, band};
use wolff_report::outcome::{Headline, Verdict};

/// Length of thigh and shank together over stature: hip at 0.530, ankle at 0.039 of stature.
/// Source: Drillis and Contini, Body Segment Parameters, New York University report 1166.03, 1966.
const LEG_OVER_STATURE: f64 = 0.491;

/// What is shown of a leg.
struct Shown {
    joint: Joint,
    motion: Motion,
    key: &'static str,
    title: &'static str,
    quantity: Quantity,
}

const ANGLES: [Shown; 3] = [
    Shown {
        joint: Joint::Hip,
        motion: Motion::Flexion,
        key: "hip_flexion",
        title: "Hip flexion",
        quantity: Quantity::HipFlexion,
    },
    Shown {
        joint: Joint::Knee,
        motion: Motion::Flexion,
        key: "knee_flexion",
        title: "Knee flexion",
        quantity: Quantity::KneeFlexion,
    },
    Shown {
        joint: Joint::Ankle,
        motion: Motion::Flexion,
        key: "ankle_dorsiflexion",
        title: "Ankle dorsiflexion",
        quantity: Quantity::AnkleDorsiflexion,
    },
];

const MOMENTS: [Shown; 4] = [
    Shown {
        joint: Joint::Hip,
        motion: Motion::Flexion,
        key: "hip_extension_moment",
        title: "Hip extension moment",
        quantity: Quantity::HipExtensionMoment,
    },
    Shown {
        joint: Joint::Knee,
        motion: Motion::Flexion,
        key: "knee_extension_moment",
        title: "Knee extension moment",
        quantity: Quantity::KneeExtensionMoment,
    },
    Shown {
        joint: Joint::Ankle,
        motion: Motion::Flexion,
        key: "ankle_plantarflexion_moment",
        title: "Ankle plantarflexion moment",
        quantity: Quantity::AnklePlantarflexionMoment,
    },
    Shown {
        joint: Joint::Hip,
        motion: Motion::Adduction,
        key: "hip_abduction_moment",
        title: "Hip abduction moment",
        quantity: Quantity::HipAbductionMoment,
    },
];

/// Stature from the legs of a model in its default pose \[m\]; `None` for models without legs.
pub fn stature(subject: &Subject) -> Option<f64> {
    let model = &subject.model;
    let mut kin = Kinematics::new(model);
    kin.update(model, &model.q0, &vec![0.0; model.nv()]);
    let origin = |wanted: ModelBody, side: Side| {
        let matches = |name: &str| ModelBody::of(name) == Some(wanted) && Side::of(name) == Some(side);
        model.bodies().iter().position(|b| matches(&b.name)).map(|i| kin.bodies[i].X_GB.p)
    };
    let leg = |side: Side| {
        let [hip, knee, ankle] = [ModelBody::Femur, ModelBody::Tibia, ModelBody::Talus].map(|body| origin(body, side));
        let (hip, knee, ankle) = (hip?, knee?, ankle?);
        Some((hip - knee).norm() + (knee - ankle).norm())
    };
    let legs: Vec<f64> = Side::BOTH.into_iter().filter_map(leg).collect();
    let stature = legs.iter().sum::<f64>() / legs.len().max(1) as f64 / LEG_OVER_STATURE;
    (stature > 0.3 && stature < 3.0).then_some(stature)
}

/// Panels of joint angles at these instants, in degrees.
pub fn angle_panels(loaded: &Loaded, times: &[f64]) -> Vec<Panel> {
    let angles = leg_angles(&loaded.subject);
    let model = &loaded.subject.model;
    let (mut v, mut a) = (vec![0.0; model.nv()], vec![0.0; model.nv()]);
    let mut pose = |t: &f64| {
        let mut q = vec![0.0; model.nq()];
        loaded.history.evaluate(*t, &mut q, &mut v, &mut a);
        q
    };
    let poses: Vec<Vec<f64>> = times.iter().map(&mut pose).collect();
    let curve = |leg: &LegAngle| {
        let place = loaded.subject.coordinate(&leg.coordinate)?.position;
        Some(poses.iter().map(|q| leg.sense * q[place].to_degrees()).collect())
    };
    panels(&ANGLES, &angles, "angle [deg]", curve)
}

/// Panels of internal joint moments in N m/kg from a table of generalised forces.
pub fn moment_panels(loaded: &Loaded, table: &Table) -> Vec<Panel> {
    let mass = loaded.subject.mass();
    let curve = |leg: &LegAngle| {
        let column = table.column(&moment_label(&leg.coordinate))?;
        Some(column.iter().map(|m| -leg.sense * m / mass).collect())
    };
    panels(&MOMENTS, &leg_angles(&loaded.subject), "moment [N m/kg]", curve)
}

/// Column of the moment of a coordinate in tables of generalised forces.
fn moment_label(coordinate: &str) -> String {
    format!("{coordinate}_moment")
}

fn panels(
    all: &[Shown],
    angles: &[LegAngle],
    y_label: &str,
    curve: impl Fn(&LegAngle) -> Option<Vec<f64>>,
) -> Vec<Panel> {
    let panel = |shown: &Shown| {
        let of = |side: Side| {
            let leg = angles.iter().find(|l| l.joint == shown.joint && l.motion == shown.motion && l.side == side)?;
            Some((Some(side), shown.key.to_string(), curve(leg)?))
        };
        let curves: Vec<_> = Side::BOTH.into_iter().filter_map(of).collect();
        (!curves.is_empty()).then(|| Panel {
            name: shown.key.into(),
            title: shown.title.into(),
            y_label: y_label.into(),
            normative: Some(shown.quantity),
            range: None,
            curves,
        })
    };
    all.iter().filter_map(panel).collect()
}

/// The vertical ground force under each foot in body weights.
pub fn ground_panel(loaded: &Loaded, times: &[f64]) -> Option<Panel> {
    let up = loaded.subject.model.gravity.try_normalize(0.0).map_or(wolff_spatial::Vec3::y(), |g| -g);
    let weight = loaded.weight();
    let of = |foot: wolff_plausibility::Foot| {
        let loads: Vec<_> = loaded.loads.iter().filter(|l| foot.bodies.contains(&l.body())).collect();
        let force = |t: &f64| loads.iter().filter_map(|l| l.force_in_its_axes(*t)).map(|f| f.dot(&up)).sum::<f64>();
        let curve = times.iter().map(|t| force(t) / weight).collect();
        (!loads.is_empty()).then(|| (Some(foot.side), "vertical_ground_force".to_string(), curve))
    };
    let curves: Vec<_> = feet_of(&loaded.subject.model).into_iter().filter_map(of).collect();
    (!curves.is_empty()).then(|| Panel {
        name: "ground_force".into(),
        title: "Vertical ground force".into(),
        y_label: "force [BW]".into(),
        normative: None,
        range: None,
        curves,
    })
}

/// Whether the motion is walking: the feet pass each other, or take turns on the ground, and the peaks of the ground
/// force are below those of running. Source of the limit of 1.6 body weights: peaks of fast walking are below 1.5,
/// those of running above 2 body weights (Keller et al., Clin Biomech 11 (1996) 253-259).
pub fn is_walking(loaded: &Loaded) -> bool {
    let Some(panel) = ground_panel(loaded, &loaded.times) else { return false };
    let count = loaded.times.len();
    let total = |i: usize| panel.curves.iter().filter_map(|(.., c)| c.get(i)).sum::<f64>();
    let totals: Vec<f64> = (0..count).map(total).collect();
    let most = totals.iter().fold(0.0, |m: f64, x| m.max(*x));
    let flight = totals.iter().filter(|x| **x < 0.05).count();
    let turns = || panel.curves.len() == 2 && (flight as f64) < 0.3 * count as f64 && travels(loaded);
    most > 0.5 && most < 1.6 && (!loaded.feet(&loaded.times).is_empty() || turns())
}

/// Whether a foot lifts off and lands while the other one carries, so that it is not standing or a squat.
fn travels(loaded: &Loaded) -> bool {
    let Some(panel) = ground_panel(loaded, &loaded.times) else { return false };
    let free = |curve: &[f64]| curve.iter().filter(|f| **f < 0.05).count() as f64 / curve.len().max(1) as f64;
    panel.curves.iter().any(|(.., c)| free(c) > 0.2)
}

/// Peaks of the moments; in walking with the range of healthy people for comparison: mean plus and minus two standard
/// deviations at the peak.
pub fn moment_headlines(panels: &[Panel], walking: bool) -> Vec<Headline> {
    let peak = |c: &[f64]| c.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let headline = |panel: &Panel| {
        let (side, value) = (panel.curves.iter())
            .map(|(side, _, c)| (*side, peak(c)))
            .filter(|(_, p)| p.is_finite())
            .max_by(|a, b| a.1.total_cmp(&b.1))?;
        let (mean, sd) = band(panel.normative?);
        let top = mean.iter().zip(sd).max_by(|a, b| a.0.total_cmp(b.0))?;
        let range = walking.then_some([top.0 - 2.0 * top.1, top.0 + 2.0 * top.1]);
        Some(Headline {
            quantity: format!("peak {}, {}", panel.title.to_lowercase(), side_word(side)),
            value,
            unit: "N m/kg".into(),
            range,
            source: compared("healthy walking", value, range, wolff_reference::normative::SOURCE),
            verdict: Verdict::Ok,
        })
    };
    panels.iter().filter(|p| p.normative.is_some()).filter_map(headline).collect()
}

/// The source of a range that is no limit, and whether the value is outside of it.
pub fn compared(what: &str, value: f64, range: Option<[f64; 2]>, source: &str) -> String {
    match range {
        None => String::new(),
        Some([low, high]) if value < low || value > high => {
            format!("{what}, for comparison; this value is outside ({source})")
        }
        Some(_) => format!("{what}, for comparison ({source})"),
    }
}

/// A side as a word.
pub fn side_word(side: Option<Side>) -> &'static str {
    side.map_or("both", Side::word)
}

/// The joint of a leg that carries a body: hip of the femur, knee of the tibia, ankle of the talus.
pub fn joint_of_child(model: &Model, body: usize) -> Option<(Joint, Side)> {
    let name = &model.bodies().get(body)?.name;
    let joint = match ModelBody::of(name)? {
        ModelBody::Femur => Joint::Hip,
        ModelBody::Tibia => Joint::Knee,
        ModelBody::Talus => Joint::Ankle,
        _ => return None,
    };
    Some((joint, Side::of(name)?))
}
