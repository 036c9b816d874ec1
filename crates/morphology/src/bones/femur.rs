//! Femur: head, condyles, trochanters.

use wolff_spatial::Vec3;
use wolff_verdict::Limit;

use super::{Details, axes_from};
use crate::fit::{SphereFit, cap};
use crate::found::JointCentre;
use crate::seen::{ANTERIOR, LATERAL, Seen, UP};

/// Radius of the head over the length of the bone, for a first guess: 24 mm of 450.
const HEAD: f64 = 0.053;
/// Radius of the posterior condyles over the length, for a first guess: 20 mm of 450.
const CONDYLE: f64 = 0.045;

/// Roughness of a head over its radius, and its radius over the length of the bone: doubtful above the first, no head
/// above the second.
const ROUGH: [f64; 2] = [0.05, 0.15];
const LARGE: [f64; 2] = [0.068, 0.09];

/// Angle between epicondyles and condylar axis up to which both count as sound \[°\].
const AGREE: f64 = 12.0;

/// The frame is that of the International Society of Biomechanics (Wu et al. 2002, J. Biomech. 35, 543-548): origin in
/// the hip centre, y from the middle of the epicondyles to it, z in the plane of the three, to the right. Where the
/// axis of the condyles differs by more than [`AGREE`] from the epicondyles, z is between both.
pub(super) fn details(seen: &Seen) -> Details {
    let mut found = Details::default();
    let head = head(seen);
    let medial = seen.farthest(&-LATERAL, [0.0, 0.12]);
    let lateral = seen.farthest(&LATERAL, [0.0, 0.12]);
    found.mark("medial_epicondyle", medial);
    found.mark("lateral_epicondyle", lateral);
    found.mark("greater_trochanter", seen.farthest(&(LATERAL + 0.5 * UP), [0.80, 1.0]));
    found.mark("lesser_trochanter", lesser_trochanter(seen));
    found.mark("anterior_mid_shaft", seen.farthest_at(&ANTERIOR, 0.5));
    found.mark("lateral_mid_shaft", seen.farthest_at(&LATERAL, 0.5));
    judge_head(&mut found, head.as_ref(), seen.length);
    // what is neither round nor as small as a head is none
    let head = head.filter(|h| h.residual < ROUGH[1] * h.radius && h.radius < LARGE[1] * seen.length);
    if let Some(head) = head {
        let towards_socket = (UP - LATERAL).normalize();
        let on_head = |x: &Vec3, _: &Vec3| {
            let d = x - head.centre;
            (d.norm() - head.radius).abs() < 0.1 * head.radius && d.dot(&towards_socket) > 0.0
        };
        found.patch("hip", seen.triangles(on_head));
        let (position, radius) = (head.centre, Some(head.radius));
        found.joints.push(JointCentre { name: "hip", position, radius, axis: None });
    }
    if let (Some(medial), Some(lateral)) = (medial, lateral) {
        let across = knee(seen, &mut found, [medial, lateral]);
        let middle = 0.5 * (medial + lateral);
        found.origin = middle;
        if let Some(head) = head {
            found.origin = head.centre;
            found.axes = axes_from(head.centre - middle, across);
        }
    }
    found
}

fn head(seen: &Seen) -> Option<SphereFit> {
    let radius = HEAD * seen.length;
    let medial = seen.farthest(&(UP - 2.0 * LATERAL), [0.85, 1.0])?;
    let start = medial + (LATERAL * 2.0 - UP).normalize() * radius;
    // the neck leaves the head downwards and to the side
    cap(&seen.points, (start, radius), &(UP - LATERAL).normalize(), 0.1)
}

fn judge_head(found: &mut Details, head: Option<&SphereFit>, length: f64) {
    let (residual, size) = head.map_or((f64::NAN, f64::NAN), |h| (h.residual / h.radius, h.radius / length));
    let remedy = "check that the whole proximal femur is there, or give the hip centre";
    let limit = Limit::at_most(ROUGH[0], ROUGH[1]).because("heads of healthy hips are round within 1 mm");
    found.judgement.judge("roughness of the femoral head", "of its radius", residual, &limit, remedy);
    let limit = Limit::at_most(LARGE[0], LARGE[1]).because("heads measure 0.045 to 0.06 of the length");
    found.judgement.judge("radius of the femoral head", "of the length", size, &limit, remedy);
}

/// The farthest point to the back and to the middle below the neck, from the line of the shaft.
fn lesser_trochanter(seen: &Seen) -> Option<Vec3> {
    seen.farthest(&(-ANTERIOR - 0.7 * LATERAL), [0.76, 0.86])
}

/// Spheres of the two posterior condyles, the axis between their centres, and the joint surface around them. Gives the
/// lateral direction.
fn knee(seen: &Seen, found: &mut Details, [medial, lateral]: [Vec3; 2]) -> Vec3 {
    let middle = 0.5 * (medial + lateral);
    let width = (lateral - medial).norm();
    let condyle = |outward: f64| {
        let belongs = |x: &Vec3| x.y < 0.12 * seen.length && (x.z - middle.z) * outward > 0.1 * width;
        let back = seen.farthest_where(&-ANTERIOR, belongs)?;
        let radius = CONDYLE * seen.length;
        let points: Vec<Vec3> = seen.points.iter().filter(|x| belongs(x)).copied().collect();
        let fit = cap(&points, (back + ANTERIOR * radius, radius), &-(ANTERIOR + 0.5 * UP).normalize(), 0.2);
        Some((back, fit))
    };
    let (inner, outer) = (condyle(-1.0), condyle(1.0));
    found.mark("medial_posterior_condyle", inner.map(|c| c.0));
    found.mark("lateral_posterior_condyle", outer.map(|c| c.0));
    found.mark("medial_distal_condyle", seen.farthest_where(&-UP, |x| x.z < middle.z));
    found.mark("lateral_distal_condyle", seen.farthest_where(&-UP, |x| x.z > middle.z));
    let spheres = inner.and_then(|c| c.1).zip(outer.and_then(|c| c.1));
    let (position, axis) = match spheres {
        Some((a, b)) => (0.5 * (a.centre + b.centre), (b.centre - a.centre).try_normalize(0.0)),
        None => (middle, None),
    };
    let between = axis.map_or(f64::NAN, |axis| axis.angle(&(lateral - medial)).to_degrees());
    let limit = Limit::at_most(AGREE, 30.0).because("epicondylar and condylar axes differ by a few degrees");
    let remedy = "check that the condyles are whole, or give the axis of the knee";
    found.judgement.judge("angle between epicondyles and condylar axis", "°", between, &limit, remedy);
    found.joints.push(JointCentre { name: "knee", position, radius: spheres.map(|(a, _)| a.radius), axis });
    // the joint faces down and back around the axis, and forward where the patella runs
    let around = |x: &Vec3, n: &Vec3| {
        let out = Vec3::new(x.x - position.x, x.y - position.y, 0.0);
        x.y < 0.085 * seen.length && n.dot(&out) > 0.6 * out.norm() && n.z.abs() < 0.6 && n.y < 0.5
    };
    found.patch("knee", seen.triangles(around));
    let epicondyles = (lateral - medial) / width;
    axis.filter(|_| between > AGREE).map_or(epicondyles, |axis| epicondyles + axis)
}
