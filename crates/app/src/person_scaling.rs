//! An OpenSim model scaled to a person with known mass, stature and sex.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
pub use wolff_anatomy::Sex;
use wolff_anatomy::anthropometry::BodyPart;
use wolff_anatomy::names::opensim::{BodyRegion as Segment, ModelBody};
use wolff_anatomy::{AnatomyError, Side, Subject};
use wolff_motion::MotionError;
use wolff_opensim::OpensimSubject;
use wolff_opensim::scale::{BodyFactors, ScaledSubject, default_origins, scale_by};
use wolff_spatial::Vec3;

/// The person to whom a model is scaled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Person {
    /// Mass \[kg\].
    pub mass: f64,
    /// Height \[m\].
    pub stature: f64,
    /// Sex.
    pub sex: Sex,
}

/// Segments whose length is the distance between the origins of two bodies, which are at joint centres.
const SPANS: [(Segment, &str, &str, BodyPart); 4] = [
    (Segment::Thigh, "femur", "tibia", BodyPart::Thigh),
    (Segment::Shank, "tibia", "talus", BodyPart::Shank),
    (Segment::UpperArm, "humerus", "ulna", BodyPart::UpperArm),
    (Segment::Forearm, "ulna", "hand", BodyPart::Forearm),
];

/// Scales the model of a file to a person.
///
/// Lengths: thigh, shank, upper arm and forearm get the distances between joint centres of the table; pelvis and torso
/// get the distance from hips to shoulders; without arms they get the scale factor of the legs, as the feet do; hands
/// get the factor of the forearm. The scale factor of a body is the same along all its axes.
///
/// Masses: each segment gets its fraction of the table, divided among its bodies as in the model. Segments that the
/// model does not have (for example arms or the second leg) are added to the torso, so that the sum is the mass of the
/// person. Inertia is proportional to `m s²`, lengths of fibres and tendons to their paths.
///
/// Source of lengths and masses: de Leva, J Biomech 29, 1996, Table 4 ([`wolff_anatomy`]). Which body gets which factor
/// is chosen here, because the table has no data for it. Limits: adults of average build; widths are scaled with
/// lengths. Returns an error for models with bodies whose names belong to no known segment.
pub fn scale_to_person(model: &Path, person: Person) -> Result<ScaledSubject, MotionError> {
    let refused = |e: AnatomyError| MotionError::input("the person", e.to_string());
    let subject = Subject::new("person", person.mass, person.stature, person.sex, None).map_err(refused)?;
    let generic = OpensimSubject::read(model)?;
    let segments = segments(&generic)?;
    let factors = factors(&generic, &segments, &subject)?;
    let masses = masses(&generic, &segments, &subject)?;
    scale_by(model, factors, &masses)
}

/// The segment of each body.
fn segments(generic: &OpensimSubject) -> Result<BTreeMap<String, Segment>, MotionError> {
    let mut found = BTreeMap::new();
    let mut foreign = Vec::new();
    for body in &generic.file.bodies {
        match Segment::of(&body.name) {
            Some(segment) => {
                found.insert(body.name.clone(), segment);
            }
            None if body.mass > 0.0 => foreign.push(body.name.clone()),
            None => {}
        }
    }
    if foreign.is_empty() {
        return Ok(found);
    }
    let known: Vec<&str> = ModelBody::all_names().collect();
    let reason = format!(
        "bodies {} belong to no segment of the tables; known names begin with {}. Use a ScaleTool set-up file instead",
        foreign.join(", "),
        known.join(", ")
    );
    Err(MotionError::input(&generic.file.name, reason))
}

/// Distance between the origins of two bodies of one side in the default pose, mean of the sides; `None` where a body
/// is missing.
fn span(origins: &BTreeMap<String, Vec3>, from: &str, to: &str) -> Option<f64> {
    let of = |side: &str| {
        let at =
            |start: &str| origins.iter().find(|(n, _)| n.to_lowercase() == format!("{start}{side}")).map(|(_, p)| *p);
        Some((at(to)? - at(from)?).norm())
    };
    let sides: Vec<f64> = ["_r", "_l", ""].into_iter().filter_map(of).collect();
    (!sides.is_empty()).then(|| sides.iter().sum::<f64>() / sides.len() as f64)
}

/// Height of the shoulders above the hips in the default pose, against gravity. In a model with one arm or one leg, the
/// distance also has a sideways component, which does not belong to the length of the trunk.
fn shoulders(origins: &BTreeMap<String, Vec3>, gravity: &Vec3) -> Option<f64> {
    let up = -gravity.try_normalize(0.0)?;
    let middle = |start: &str| {
        let sides: Vec<Vec3> =
            origins.iter().filter(|(n, _)| n.to_lowercase().starts_with(start)).map(|(_, p)| *p).collect();
        (!sides.is_empty()).then(|| sides.iter().sum::<Vec3>() / sides.len() as f64)
    };
    Some((middle("humerus")? - middle("femur")?).dot(&up))
}

fn factors(
    generic: &OpensimSubject,
    segments: &BTreeMap<String, Segment>,
    subject: &Subject,
) -> Result<BodyFactors, MotionError> {
    let origins = default_origins(generic);
    let mut ratio: BTreeMap<Segment, f64> = BTreeMap::new();
    let (mut required, mut present) = (0.0, 0.0);
    for (segment, from, to, part) in SPANS {
        let Some(length) = span(&origins, from, to).filter(|l| *l > 0.0) else { continue };
        let goal = subject.part(part).length;
        ratio.insert(segment, goal / length);
        if matches!(segment, Segment::Thigh | Segment::Shank) {
            required += goal;
            present += length;
        }
    }
    if !(ratio.contains_key(&Segment::Thigh) && ratio.contains_key(&Segment::Shank)) {
        let reason = "has no complete legs (femur, tibia, talus), which scale the other bodies; use a ScaleTool file";
        return Err(MotionError::input(&generic.file.name, reason));
    }
    let legs = required / present;
    let trunk = shoulders(&origins, &generic.file.gravity.into())
        .filter(|l| *l > 0.0)
        .map_or(legs, |l| subject.shoulder_height() / l);
    let of = |segment: &Segment| match segment {
        Segment::Pelvis | Segment::Torso => trunk,
        Segment::Hand => ratio.get(&Segment::Forearm).copied().unwrap_or(trunk),
        other => ratio.get(other).copied().unwrap_or(legs),
    };
    let body = |b: &wolff_formats::osim::OsimBody| {
        let factor = segments.get(&b.name).map_or(legs, of);
        (b.name.clone(), [factor; 3])
    };
    Ok(generic.file.bodies.iter().map(body).collect())
}

/// Masses of the bodies; their sum is the mass of the person.
fn masses(
    generic: &OpensimSubject,
    segments: &BTreeMap<String, Segment>,
    subject: &Subject,
) -> Result<BTreeMap<String, f64>, MotionError> {
    let mut in_model: BTreeMap<Segment, f64> = BTreeMap::new();
    // a limb whose name has no side is counted separately
    let mut sides: BTreeMap<Segment, BTreeSet<Option<Side>>> = BTreeMap::new();
    for body in generic.file.bodies.iter().filter(|b| b.mass > 0.0) {
        if let Some(segment) = segments.get(&body.name) {
            *in_model.entry(*segment).or_default() += body.mass;
            sides.entry(*segment).or_default().insert(Side::of(&body.name.to_lowercase()));
        }
    }
    let mut shares: BTreeMap<Segment, f64> = BTreeMap::new();
    for (part, own, count) in PARTS {
        let present = sides.get(&own).map_or(0, BTreeSet::len).min(count);
        let absent = (count - present > 0).then(|| trunk(generic, &in_model)).transpose()?;
        for (taker, number) in [(Some(own), present), (absent, count - present)] {
            if let Some(taker) = taker {
                *shares.entry(taker).or_default() += number as f64 * subject.part(part).mass;
            }
        }
    }
    let mut masses: BTreeMap<String, f64> = BTreeMap::new();
    for body in &generic.file.bodies {
        let Some(segment) = segments.get(&body.name) else { continue };
        let of = |masses: &BTreeMap<Segment, f64>| masses.get(segment).copied().unwrap_or(0.0);
        let (share, whole) = (of(&shares), of(&in_model));
        masses.insert(body.name.clone(), if whole > 0.0 { share * body.mass / whole } else { 0.0 });
    }
    exactly(&mut masses, subject.mass);
    Ok(masses)
}

/// The body that gets the mass of segments that are not in the model: torso or pelvis.
fn trunk(generic: &OpensimSubject, in_model: &BTreeMap<Segment, f64>) -> Result<Segment, MotionError> {
    let found = [Segment::Torso, Segment::Pelvis].into_iter().find(|s| in_model.contains_key(s));
    found.ok_or_else(|| {
        MotionError::input(
            &generic.file.name,
            "has neither a torso nor a pelvis with mass; use a ScaleTool set-up file",
        )
    })
}

/// The rounding error is added to the heaviest body.
fn exactly(masses: &mut BTreeMap<String, f64>, required: f64) {
    let lack = required - masses.values().sum::<f64>();
    if let Some(heaviest) = masses.values_mut().max_by(|a, b| a.total_cmp(b)) {
        *heaviest += lack;
    }
}

/// Parts of the table, the segment of each, and their number.
const PARTS: [(BodyPart, Segment, usize); 10] = [
    (BodyPart::Head, Segment::Torso, 1),
    (BodyPart::UpperTrunk, Segment::Torso, 1),
    (BodyPart::MiddleTrunk, Segment::Torso, 1),
    (BodyPart::LowerTrunk, Segment::Pelvis, 1),
    (BodyPart::UpperArm, Segment::UpperArm, 2),
    (BodyPart::Forearm, Segment::Forearm, 2),
    (BodyPart::Hand, Segment::Hand, 2),
    (BodyPart::Thigh, Segment::Thigh, 2),
    (BodyPart::Shank, Segment::Shank, 2),
    (BodyPart::Foot, Segment::Foot, 2),
];
