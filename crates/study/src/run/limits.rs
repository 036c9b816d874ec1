//! Limits within which the theory of a model holds: small deformations, contacts that do not pass through bodies,
//! materials that exist.

use super::modal::ModalRecord;
use wolff_contact::Shape;
use wolff_document::{ContactSpec, Study, SurfaceShape};
use wolff_flexbody::FlexBody;
use wolff_multibody::Model;
use wolff_multibody::simulation::RunReport;
use wolff_report::outcome::{Finding, Judgement, Limit};
use wolff_report::plausibility::layer_findings;
use wolff_report::pressure::{PosedContact, PressureMap, pressure_limit};

/// Deflection over the length of a body \[-\]: then as long as the body itself.
const DEFLECTION: [f64; 2] = [0.1, 1.0];

/// Largest strain at a gauge \[-\].
const STRAIN: f64 = 0.02;

/// Indentation over the radius of the smaller body \[-\]: the laws of contact are for small ones; then past the centre.
const INDENTATION: [f64; 2] = [0.6, 1.0];

/// Speed after an impact over that before it \[-\].
const RESTITUTION: [f64; 2] = [1.001, 1.05];

/// Largest acceleration of gravity \[m/s²\]: that of Jupiter is 25.
const GRAVITY: f64 = 30.0;

const SETTINGS: &str = "check the values that were set, and their units";

/// Judges the deformation of flexible bodies.
pub(super) fn judge_flexible(model: &Model, modal: &ModalRecord, judgement: &mut Judgement) {
    for (index, body) in model.bodies().iter().enumerate() {
        let (Some(flexible), rows) = (model.flexible(index), modal.rows(&body.name)) else { continue };
        let (deflection, strain) = deformation(&flexible.data, rows);
        if let Some(deflection) = deflection {
            let limit = Limit::at_most(DEFLECTION[0], DEFLECTION[1])
                .because("own choice: modes describe small deflections; their error grows with the square of it");
            let quantity = format!("largest deflection over length, `{}`", body.name);
            judgement.judge(&quantity, "%", 100.0 * deflection, &percent(limit), SETTINGS);
        }
        if let Some(strain) = strain {
            let limit = Limit::at_most(STRAIN, f64::INFINITY)
                .because("the theory is that of small strains, and bone breaks at 2 to 3 %");
            let quantity = format!("largest strain at a gauge, `{}`", body.name);
            judgement.judge(&quantity, "%", 100.0 * strain, &percent(limit), SETTINGS);
        }
    }
}

fn percent(limit: Limit) -> Limit {
    Limit { doubtful: 100.0 * limit.doubtful, failed: 100.0 * limit.failed, ..limit }
}

/// The largest deflection of a node over the largest distance between nodes, and the largest normal strain at a gauge.
fn deformation(data: &FlexBody, rows: &[Vec<f64>]) -> (Option<f64>, Option<f64>) {
    let positions = || data.nodes.iter().map(|node| node.position);
    let length = positions().flat_map(|a| positions().map(move |b| (a - b).norm())).fold(0.0, f64::max);
    let (mut deflection, mut strain): (f64, f64) = (0.0, 0.0);
    for eta in rows.iter().filter(|eta| eta.len() == data.modes()) {
        for node in &data.nodes {
            let moved: wolff_spatial::Vec3 =
                node.translation.column_iter().zip(eta).map(|(mode, eta)| mode.fixed_rows::<3>(0) * *eta).sum();
            deflection = larger(deflection, moved.norm());
        }
        for gauge in &data.gauges {
            strain = gauge.strain(eta).iter().take(3).fold(strain, |most, e| larger(most, e.abs()));
        }
    }
    ((length > 0.0).then(|| deflection / length), (!data.gauges.is_empty()).then_some(strain))
}

/// The larger of two numbers; not a number if one is not.
fn larger(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}

/// Judges impacts: no body passes through another, and none leaves faster than it came.
pub(super) fn judge_impacts(study: &Study, report: &RunReport, judgement: &mut Judgement) {
    for contact in &study.contacts {
        let impacts = || report.impacts.iter().filter(|impact| impact.contact == contact.name);
        if let Some(radius) = smallest_radius(contact) {
            let depth = impacts().map(|impact| impact.depth_max).fold(0.0, larger) / radius;
            let limit = Limit::at_most(INDENTATION[0], INDENTATION[1])
                .because("own choice: laws of contact are for indentations that are small beside the radius");
            judgement.judge(
                &format!("deepest indentation over radius, `{}`", contact.name),
                "",
                depth,
                &limit,
                SETTINGS,
            );
        }
        let gain = |impact: &wolff_multibody::simulation::Impact| Some(impact.separation? / impact.approach);
        let gains = impacts().filter(|impact| impact.approach > 0.0).filter_map(gain);
        if let Some(largest) = gains.reduce(larger) {
            let limit = Limit::at_most(RESTITUTION[0], RESTITUTION[1]).because(
                "a passive contact does not add energy; above 1 the motion around it does, or the integration errs",
            );
            let quantity = format!("largest restitution, `{}`", contact.name);
            judgement.judge(&quantity, "", largest, &limit, "reduce the tolerance or the step of the integrator");
        }
    }
}

/// Contacts that began or ended behind the rim of a surface.
pub(super) fn rim_findings(report: &RunReport) -> Vec<Finding> {
    let mut named: Vec<(&str, bool)> = Vec::new();
    let mut found = Vec::new();
    for passage in &report.rim_passages {
        if named.contains(&(&passage.contact, passage.inwards)) {
            continue;
        }
        named.push((&passage.contact, passage.inwards));
        let (contact, t) = (&passage.contact, passage.t);
        let message = match passage.inwards {
            true => format!(
                "contact `{contact}`: at t = {t:.6} s one shape was inside the other without a touch, since it came \
                 around the rim of the surface; no contact force acts there"
            ),
            false => format!("contact `{contact}`: at t = {t:.6} s the contact reached the rim of a surface and ended"),
        };
        found.push(Finding::warning(message, "extend the surface, or end the run before"));
    }
    found
}

/// The smaller radius of two shapes; `None` of planes and profiles.
fn smallest_radius(contact: &ContactSpec) -> Option<f64> {
    let radius = |shape: &SurfaceShape| match shape {
        SurfaceShape::Simple(Shape::Sphere { radius }) => Some(radius.abs()),
        SurfaceShape::Simple(Shape::Ellipsoid { semi_axes }) => Some(semi_axes.min()),
        SurfaceShape::Table(table) => Some(table.smallest_radius()),
        _ => None,
    };
    [&contact.a, &contact.b].into_iter().filter_map(|surface| radius(&surface.shape)).reduce(f64::min)
}

/// Judges layers and pressures of elastic foundations.
pub(super) fn judge_layers(study: &Study, maps: &[(PosedContact, PressureMap)], judgement: &mut Judgement) {
    for foundation in &study.foundations {
        judgement.found(layer_findings(&format!("foundation `{}`", foundation.name), &foundation.pair));
    }
    for (contact, map) in maps {
        let Some(limit) = pressure_limit(contact.pair.material().modulus_at_rest()) else { continue };
        let peak = map.pressures.iter().copied().fold(0.0, larger);
        let quantity = format!("largest mean pressure on an element, `{}`", contact.name);
        judgement.judge(&quantity, "MPa", 1e-6 * peak, &limit, SETTINGS);
    }
}

/// Gravity in another unit.
pub(super) fn gravity_finding(study: &Study) -> Option<Finding> {
    let gravity = study.model.gravity.norm();
    (gravity > GRAVITY).then(|| {
        let message = format!("the acceleration of gravity is {gravity} m/s²; on earth it is 9.8 m/s²");
        Finding::warning(message, "lengths are in m, not in mm")
    })
}
