//! The frame of a bone from its surface.

use wolff_anatomy::Side;
use wolff_geometry::TriangleMesh;
use wolff_spatial::{Mat3, Vec3};
use wolff_verdict::{Finding, Judgement, Limit};

use crate::MorphologyError;
use crate::bones::Details;
use crate::cut::flat_ends;
use crate::found::{Confidence, Morphology};
use crate::kind::BoneKind;
use crate::seen::Seen;
use crate::signature::{Match, matches};
use crate::solid::Solid;

/// What the user says about a bone; it goes before what its shape says.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Given {
    /// Which bone it is.
    pub kind: Option<BoneKind>,
    /// Left or right.
    pub side: Option<Side>,
    /// Roughly upwards along the bone, in the frame of the surface.
    pub up: Option<Vec3>,
    /// Roughly forwards, in the frame of the surface.
    pub anterior: Option<Vec3>,
    /// Whether the surface lies in the axes of the patient, x to the left, y to the back, z to the head (LPS); used as
    /// a check of what the shape says.
    pub lps: bool,
}

/// Turns of the frame against the axes of a patient who lies straight: more is doubtful, much more is wrong \[°\].
const STRAIGHT: [f64; 2] = [50.0, 100.0];

/// Joints and landmarks turn the axes by at most so much against those by the sections \[°\].
const TURN: f64 = 20.0;
/// Difference from the known shape at which it may as well be no known bone. Of other bones, the nearest differ by 0.46
/// to 0.54 (cuboid, talus, humerus), most by more than 0.6; bones of other people by 0.15 to 0.45.
const FOREIGN: f64 = 0.6;
/// How fast the confidence in a kind falls where the bone is longer or shorter than those of adults: by a tenth of the
/// limit it is nearly gone.
const SIZE: f64 = 8.0;

/// The frame, joint centres, landmarks and joint surfaces of a bone from its closed outer surface, in any pose and
/// unit. The bone must be whole: a part of one is recognised only if everything is given.
///
/// # Errors
/// When the surface encloses no volume, or what is given has no direction.
pub fn find(mesh: &TriangleMesh, given: &Given) -> Result<Morphology, MorphologyError> {
    let solid = Solid::of(mesh)?;
    let kinds: Vec<(BoneKind, Vec<Match>)> =
        BoneKind::ALL.into_iter().map(|kind| (kind, matches(mesh, &solid, kind))).collect();
    let least = |all: &[Match]| all.first().map_or(f64::INFINITY, |m| m.mismatch);
    let by_shape = kinds.iter().min_by(|a, b| least(&a.1).total_cmp(&least(&b.1))).map(|(kind, _)| *kind);
    let kind = given.kind.or(by_shape).unwrap_or(BoneKind::Tibia);
    let all = kinds.iter().find(|(k, _)| *k == kind).map_or(&[][..], |(_, all)| all);
    let chosen = chosen(all, kind, given)?;
    let others = kinds.iter().filter(|(k, _)| *k != kind).map(|(_, all)| least(all)).fold(f64::INFINITY, f64::min);
    let mut confidence = confidence(all, &chosen, others.min(FOREIGN));
    let axes = rough_axes(&chosen, given)?;
    let seen = Seen::new(mesh, &axes, &solid.centre, chosen.side);
    let mut details = Details::of(kind, &seen, &seen.there(&solid.centre)).moved_back(&seen, mesh);
    let mut judgement = std::mem::take(&mut details.judgement);
    let axes = refined(&mut judgement, &axes, details.axes.as_ref());
    let to_metres = unit(seen.length, kind);
    confidence.kind -= SIZE * beyond(seen.length * to_metres, kind.lengths()).ln();
    judge(&mut judgement, &confidence, kind, by_shape, given);
    judge_size(&mut judgement, kind, seen.length * to_metres);
    if kind != BoneKind::Patella {
        judgement.found(flat_ends(&seen, mesh.triangles().len()));
    }
    if given.lps {
        judge_patient(&mut judgement, &axes);
    }
    let remarks = vec![remark(kind, chosen.side, &axes, &confidence)];
    let Details { origin, joints, landmarks, patches, .. } = details;
    let (side, length) = (chosen.side, seen.length);
    Ok(Morphology {
        kind,
        side,
        axes,
        origin,
        length,
        to_metres,
        joints,
        landmarks,
        patches,
        confidence,
        judgement,
        remarks,
    })
}

/// The best case that agrees with what is given.
fn chosen(all: &[Match], kind: BoneKind, given: &Given) -> Result<Match, MorphologyError> {
    let agrees = |m: &&Match| {
        let (anterior, up) = directions(m);
        given.side.is_none_or(|side| side == m.side)
            && given.up.is_none_or(|given| given.dot(&up) >= 0.0)
            && given.anterior.is_none_or(|given| given.dot(&anterior) >= 0.0)
    };
    // a forward direction that no case has is taken as it is
    let found = all.iter().find(agrees).or_else(|| all.iter().find(|m| given.side.is_none_or(|s| s == m.side)));
    found.cloned().ok_or_else(|| {
        MorphologyError::invalid(
            format!("surface of a {}", kind.word()),
            "it has no sections; give the closed outer surface of a whole bone",
        )
    })
}

/// Forward and upward directions of a case.
fn directions(found: &Match) -> (Vec3, Vec3) {
    match found.kind {
        BoneKind::Patella => (-found.along, found.towards),
        _ => (found.towards, found.along),
    }
}

/// Axes anterior, up, right from a case, or from what is given.
fn rough_axes(found: &Match, given: &Given) -> Result<Mat3, MorphologyError> {
    let (anterior, up) = directions(found);
    // a direction that is given turns the case only as far as it must: where it says the opposite or across, or where
    // the shape says nothing
    let goes_before =
        |given: &Vec3, own: &Vec3| found.mismatch > FOREIGN || given.dot(own) < 0.5 * given.norm() * own.norm();
    let y = given.up.filter(|given| goes_before(given, &up)).unwrap_or(up);
    let x = given.anterior.filter(|given| goes_before(given, &anterior)).unwrap_or(anterior);
    let axes = y.try_normalize(0.0).and_then(|y| {
        let x = (x - y * x.dot(&y)).try_normalize(1e-9)?;
        Some(Mat3::from_columns(&[x, y, x.cross(&y)]))
    });
    axes.filter(|axes| axes.iter().all(|c| c.is_finite())).ok_or_else(|| {
        MorphologyError::invalid("directions of the bone", "up and anterior are parallel or zero; give two that differ")
    })
}

/// The axes by joints and landmarks, unless they are far from those by the sections: then they are not those of a whole
/// bone.
fn refined(judgement: &mut Judgement, rough: &Mat3, found: Option<&Mat3>) -> Mat3 {
    let Some(found) = found.map(right_handed) else { return *rough };
    let turn = |i: usize| rough.column(i).angle(&found.column(i)).to_degrees();
    let largest = turn(0).max(turn(1)).max(turn(2));
    let limit = Limit::at_most(TURN, 180.0).because("joints and landmarks of whole bones agree with their sections");
    let remedy = "check that the bone is whole; the axes by its sections, or those that are given, are used";
    judgement.judge("turn of the frame by joints and landmarks", "°", largest, &limit, remedy);
    if largest > TURN { *rough } else { found }
}

/// Axes anterior, up, lateral as anterior, up, right.
fn right_handed(axes: &Mat3) -> Mat3 {
    let (x, y): (Vec3, Vec3) = (axes.column(0).into(), axes.column(1).into());
    Mat3::from_columns(&[x, y, x.cross(&y)])
}

fn confidence(all: &[Match], chosen: &Match, others: f64) -> Confidence {
    let best = |holds: &dyn Fn(&Match) -> bool| {
        all.iter().filter(|m| holds(m)).map(|m| m.mismatch).fold(f64::INFINITY, f64::min)
    };
    // of two choices: 0 where both fit alike, negative where the other fits better
    let over = |other: f64| if other.is_finite() { 1.0 - chosen.mismatch / other.max(f64::MIN_POSITIVE) } else { 1.0 };
    Confidence {
        kind: over(others),
        end: over(best(&|m| m.along.dot(&chosen.along) < 0.0)),
        side: over(best(&|m| m.side != chosen.side)),
        mismatch: chosen.mismatch,
    }
}

/// Bones are decimetres long: a length above 5 is in mm.
fn unit(length: f64, kind: BoneKind) -> f64 {
    let in_metres = kind.lengths()[1] * 5.0;
    if length > in_metres { 1e-3 } else { 1.0 }
}

/// How many times a length is longer or shorter than a range; 1 within it.
fn beyond(length: f64, [low, high]: [f64; 2]) -> f64 {
    (low / length).max(length / high).max(1.0)
}

/// Confidence below which a choice is doubtful (chosen here).
const SURE: f64 = 0.15;

fn judge(judgement: &mut Judgement, found: &Confidence, kind: BoneKind, by_shape: Option<BoneKind>, given: &Given) {
    let limit = Limit::at_most(0.55, 0.9).because("two specimens of a bone differ by 0.35 to 0.45");
    let remedy = "give the whole bone, or its kind, side, up and anterior direction";
    judgement.judge("difference from the known shape", "of the radius", found.mismatch, &limit, remedy);
    if let Some(by_shape) = by_shape.filter(|by_shape| *by_shape != kind) {
        judgement.found([Finding::warning(
            format!("it is said to be a {}, but its shape is nearer to a {}", kind.word(), by_shape.word()),
            "check which bone it is",
        )]);
    }
    let sure = Limit::at_least(SURE, -1.0).because("below, another choice fits nearly as well");
    if given.kind.is_none() {
        judgement.judge("confidence in the kind of bone", "", found.kind, &sure, "give the kind of bone");
        // a ball is as near to a patella as it is to nothing
        let is_sure = found.kind.max(found.end).max(found.side) > SURE;
        if !(found.kind > 0.0 && is_sure) {
            judgement.found([not_recognised(kind, found)]);
        }
    }
    if given.up.is_none() {
        judgement.judge("confidence in which end is up", "", found.end, &sure, "give the upward direction");
    }
    let limit = if given.side.is_none() { sure } else { Limit::at_least(-0.15, -10.0).because("shape against user") };
    let remedy = if given.side.is_none() { "give the side of the bone" } else { "check the side of the bone" };
    judgement.judge("confidence in the side", "", found.side, &limit, remedy);
}

/// A shape that is no whole bone of a known kind, as far as shape and size tell.
fn not_recognised(nearest: BoneKind, found: &Confidence) -> Finding {
    let all = BoneKind::ALL.map(BoneKind::word).join(", ");
    Finding::error(
        format!(
            "the bone is not recognised by its shape and size: it is nearest to a {}, from which it differs by {:.2} of \
             its radius",
            nearest.word(),
            found.mismatch
        ),
        format!(
            "give which bone it is (--bone: {all}) and its side (--side); a part of a bone or another one is not known"
        ),
    )
}

fn judge_size(judgement: &mut Judgement, kind: BoneKind, metres: f64) {
    let [low, high] = kind.lengths();
    let remedy = "check the unit of the surface, and that the bone is whole";
    let limit = Limit::at_most(1e3 * high, 2e3 * high).because(format!("adult {}", kind.word()));
    judgement.judge("length of the bone", "mm", 1e3 * metres, &limit, remedy);
    let limit = Limit::at_least(1e3 * low, 0.4e3 * low).because(format!("adult {}", kind.word()));
    judgement.judge("length of the bone", "mm", 1e3 * metres, &limit, remedy);
}

/// In the axes of the patient, x is to the left, y to the back and z to the head.
fn judge_patient(judgement: &mut Judgement, axes: &Mat3) {
    let degrees = |axis: usize, towards: Vec3| Vec3::from(axes.column(axis)).angle(&towards).to_degrees();
    let limit = Limit::at_most(STRAIGHT[0], STRAIGHT[1]).because("a patient lies straight in the scanner");
    let remedy = "check the axes of the scan, or give side, up and anterior direction";
    judgement.judge("angle of the bone's up to the patient's", "°", degrees(1, Vec3::z()), &limit, remedy);
    judgement.judge("angle of the bone's front to the patient's", "°", degrees(0, -Vec3::y()), &limit, remedy);
}

fn remark(kind: BoneKind, side: Side, axes: &Mat3, found: &Confidence) -> String {
    let side = side.word();
    let column = |i: usize| format!("({:+.3}, {:+.3}, {:+.3})", axes[(0, i)], axes[(1, i)], axes[(2, i)]);
    format!(
        "{side} {}: anterior {}, up {}; confidence in kind {:.2}, end {:.2}, side {:.2} (1 is sure, 0 is a guess)",
        kind.word(),
        column(0),
        column(1),
        found.kind,
        found.end,
        found.side
    )
}
