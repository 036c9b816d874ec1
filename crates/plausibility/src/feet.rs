//! Forces under the feet that they are applied to.

use super::samples::{LoadAt, LoadSamples, Sample};
use wolff_anatomy::names::Side;
use wolff_anatomy::names::opensim::{BodyRegion, ModelBody};
use wolff_multibody::Model;
use wolff_spatial::Vec3;
use wolff_verdict::Finding;

/// Maximum horizontal distance of the centre of pressure from the line between the origins of the bodies of a foot [m]:
/// more than the length of the toes and half of the width of a shoe together (chosen here).
const REACH: f64 = 0.3;
/// The other foot must be nearer by this much \[m\] (chosen here: the width of a foot).
const NEARER: f64 = 0.1;
/// Fraction of the loaded samples that must be wrong for a finding (chosen here).
const SHARE: f64 = 0.2;
/// Fraction of the loaded samples that a unit must explain (chosen here).
const EXPLAINED: f64 = 0.8;
/// Units of length that a file may have instead of metres \[m\].
const UNITS: [(&str, f64); 3] = [("millimetres", 1e-3), ("centimetres", 1e-2), ("inches", 0.0254)];

/// A foot of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Foot {
    /// Its side.
    pub side: Side,
    /// Name of the body that carries ground forces: the heel bone where there is one.
    pub name: String,
    /// Index of that body.
    pub body: usize,
    /// Index of the toes, where they are a body of their own.
    pub toes: Option<usize>,
    /// Indices of all bodies of the foot.
    pub bodies: Vec<usize>,
}

/// The feet of a model, right first; sides without a foot are left out.
pub fn feet_of(model: &Model) -> Vec<Foot> {
    let bodies = model.bodies();
    let foot = |side: Side| {
        let is_foot = |&b: &usize| {
            let name = &bodies[b].name;
            !bodies[b].is_node() && Side::of(name) == Some(side) && BodyRegion::of(name) == Some(BodyRegion::Foot)
        };
        let all: Vec<usize> = (1..bodies.len()).filter(is_foot).collect();
        let heel = all.iter().find(|b| ModelBody::of(&bodies[**b].name) == Some(ModelBody::Calcaneus));
        let toes = all.iter().find(|b| ModelBody::of(&bodies[**b].name) == Some(ModelBody::Toes)).copied();
        let body = *heel.or(all.first())?;
        Some(Foot { side, name: bodies[body].name.clone(), body, toes, bodies: all })
    };
    Side::BOTH.into_iter().filter_map(foot).collect()
}

/// Horizontal distance of a point from the lines between points of a foot \[m\].
pub(super) fn distance(samples: &LoadSamples, foot: &[Vec3], point: Vec3) -> f64 {
    let to = |a: &Vec3, b: &Vec3| {
        let (d, r) = (samples.level(b - a), samples.level(point - a));
        let along = if d.norm_squared() > 0.0 { (r.dot(&d) / d.norm_squared()).clamp(0.0, 1.0) } else { 0.0 };
        (r - d * along).norm()
    };
    let pairs = foot.iter().flat_map(|a| foot.iter().map(move |b| to(a, b)));
    pairs.fold(f64::INFINITY, f64::min)
}

/// While a load acts, its point is under the body that it is applied to.
pub(super) fn under_foot(samples: &LoadSamples) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut exchanged = Vec::new();
    for (k, (name, body, body_name)) in samples.names.iter().enumerate() {
        let Some(own) = samples.feet.iter().position(|f| f.bodies.contains(body)) else {
            findings.extend(on_another_body(samples, k));
            continue;
        };
        if !samples.has_point.get(k).copied().unwrap_or(false) {
            if samples.loaded(k).next().is_some() {
                findings.push(without_point(name, body_name));
            }
            continue;
        }
        let place = Place::of(samples, k, own);
        if place.seen == 0 {
            continue;
        }
        if samples.loaded(k).all(|(_, at)| at.point == Vec3::zeros()) {
            findings.push(at_the_origin(name));
            continue;
        }
        let share = |n: usize| n as f64 / place.seen as f64;
        if share(place.far_of_all) > SHARE {
            findings.push(far(samples, k, &place));
        } else if let Some(finding) = behind_the_toes(samples, k, own) {
            findings.push(finding);
        } else if share(place.other_nearer) > SHARE {
            let other = samples.feet.get(place.nearest).map_or("", |f| f.name.as_str());
            exchanged.push((name.clone(), body_name.clone(), other.to_string(), place));
        }
    }
    findings.extend(sides(&exchanged));
    findings
}

/// A ground force whose centre of pressure is not given.
fn without_point(name: &str, body: &str) -> Finding {
    let message = format!("force `{name}` has no centre of pressure: it acts at the origin of `{body}`, not under it");
    Finding::error(message, "name the columns of the point (point_identifier) in the ExternalLoads file")
}

/// A ground force whose centre of pressure is always zero.
fn at_the_origin(name: &str) -> Finding {
    let message = format!("every centre of pressure of force `{name}` is 0 0 0: it was not measured or not exported");
    let remedy = "export the centre of pressure of the plates in metres, in the axes of the motion";
    Finding::error(message, remedy)
}

/// Distance behind the joint of the toes from which a force is not on them \[m\] (chosen here: the joint is 3 cm wide).
const BEHIND: f64 = 0.03;

/// A force that is applied to the toes but acts under the heel.
fn behind_the_toes(samples: &LoadSamples, load: usize, own: usize) -> Option<Finding> {
    let (name, body, body_name) = samples.names.get(load)?;
    let foot = samples.feet.get(own).filter(|f| f.toes == Some(*body))?;
    let behind = |(s, at): &(&Sample, LoadAt)| {
        let Some([heel, toes]) = s.sole(foot, own) else { return false };
        let forward = samples.level(toes - heel).try_normalize(0.0);
        forward.is_some_and(|f| samples.level(at.point - toes).dot(&f) < -BEHIND)
    };
    let (seen, count) = (samples.loaded(load).count(), samples.loaded(load).filter(behind).count());
    (count as f64 > SHARE * seen as f64).then(|| {
        let message = format!(
            "force `{name}` is applied to `{body_name}`, but its centre of pressure is more than {BEHIND} m behind the \
             joint of the toes in {count} of {seen} loaded samples: the moment of that joint would be wrong"
        );
        Finding::error(message, format!("apply it to `{}` in the ExternalLoads file", foot.name))
    })
}

/// Where the point of a load is while it acts.
struct Place {
    seen: usize,
    far_of_all: usize,
    other_nearer: usize,
    nearest: usize,
    own: f64,
    other: f64,
    first: f64,
}

impl Place {
    fn of(samples: &LoadSamples, load: usize, own: usize) -> Self {
        let mut place =
            Place { seen: 0, far_of_all: 0, other_nearer: 0, nearest: own, own: 0.0, other: 0.0, first: f64::NAN };
        for (sample, at) in samples.loaded(load) {
            let distances: Vec<f64> = sample.feet.iter().map(|f| distance(samples, f, at.point)).collect();
            let own_distance = distances[own];
            let others = distances.iter().enumerate().filter(|(i, _)| *i != own);
            let nearest = others.min_by(|a, b| a.1.total_cmp(b.1));
            let least = distances.iter().fold(f64::INFINITY, |m, d| m.min(*d));
            place.seen += 1;
            if least > REACH || least.is_nan() {
                place.far_of_all += 1;
                place.own = place.own.max(least);
                place.first = if place.first.is_nan() { sample.time } else { place.first };
            } else if let Some((other, d)) = nearest.filter(|(_, d)| own_distance > **d + NEARER) {
                place.other_nearer += 1;
                place.nearest = other;
                (place.own, place.other) = (place.own.max(own_distance), place.other.max(*d));
                place.first = if place.first.is_nan() { sample.time } else { place.first };
            }
        }
        place
    }
}

fn far(samples: &LoadSamples, load: usize, place: &Place) -> Finding {
    let (name, _, body) = &samples.names[load];
    let message = format!(
        "the centre of pressure of force `{name}` is more than {REACH} m from every foot of the model in {} of {} \
         samples with more than {} N, first at {:.3} s, up to {:.3} m",
        place.far_of_all,
        place.seen,
        super::samples::LOADED,
        place.first,
        place.own
    );
    let fits = |unit: f64| {
        let near = |(s, at): &(&Sample, LoadAt)| s.feet.iter().any(|f| distance(samples, f, at.point * unit) <= REACH);
        samples.loaded(load).filter(near).count() as f64 >= EXPLAINED * place.seen as f64
    };
    match UNITS.iter().find(|(_, unit)| fits(*unit)) {
        Some((unit, factor)) => Finding::error(
            format!("{message}: it is given in {unit}, metres are needed"),
            format!("multiply the columns of the point of `{name}` by {factor}"),
        ),
        None => Finding::error(
            message,
            format!(
                "the force on `{body}` and the motion differ in axes, origin or time, or belong to different trials: \
                 export both in the same axes with the same time"
            ),
        ),
    }
}

/// Forces that act on one foot but are under the other one.
fn sides(exchanged: &[(String, String, String, Place)]) -> Vec<Finding> {
    let part = |place: &Place| place.other_nearer as f64 / place.seen as f64;
    let whole = exchanged.iter().all(|(.., place)| part(place) > EXPLAINED);
    let one = |(name, body, other, place): &(String, String, String, Place)| {
        let message = format!(
            "force `{name}` is applied to `{body}` but its centre of pressure is nearest to `{other}` in {} of {} \
             loaded samples, first at {:.3} s: {:.2} m from `{body}`, {:.2} m from `{other}`",
            place.other_nearer, place.seen, place.first, place.own, place.other
        );
        let remedy = if whole {
            format!(
                "left and right are exchanged: apply it to `{other}` in the ExternalLoads file, or give the force \
                     file itself with --loads, so that the foot of each contact is found"
            )
        } else {
            "different feet step on this plate: give the force file itself with --loads, so that the foot of each \
             contact is found"
                .to_string()
        };
        Finding::error(message, remedy)
    };
    exchanged.iter().map(one).collect()
}

/// A load on a body that is not a foot: its point should be within the reach of a segment.
fn on_another_body(samples: &LoadSamples, load: usize) -> Option<Finding> {
    /// Largest distance of a point on a segment from the origin of the segment [m] (chosen here).
    const SEGMENT: f64 = 0.8;
    if samples.feet.is_empty() || !samples.has_point.get(load).copied().unwrap_or(false) {
        return None;
    }
    let (name, _, body) = &samples.names[load];
    if let Some(foot) = foot_under(samples, load) {
        let message = format!("force `{name}` is applied to `{body}`, but it acts under the foot, `{foot}`");
        let remedy = format!("apply it to `{foot}` in the ExternalLoads file; moments of the joints between are wrong");
        return Some(Finding::error(message, remedy));
    }
    let far = |(s, at): (&Sample, LoadAt)| (s.bodies[load] - at.point).norm();
    let farthest = samples.loaded(load).map(far).fold(0.0, f64::max);
    (farthest > SEGMENT).then(|| {
        let message = format!("the point of force `{name}` is up to {farthest:.2} m from the body `{body}` it acts on");
        Finding::warning(message, "check unit and axes of the point, and the body")
    })
}

/// The foot whose sole a load acts on, though it is applied to another body.
fn foot_under(samples: &LoadSamples, load: usize) -> Option<&str> {
    /// Largest height of the point above the lowest origin of the bodies of the foot [m] (chosen here).
    const SOLE: f64 = 0.05;
    let all = samples.loaded(load).count();
    let under = |k: &usize| {
        let near = |(s, at): &(&Sample, LoadAt)| {
            let lowest = s.feet[*k].iter().map(|p| p.dot(&samples.up)).fold(f64::INFINITY, f64::min);
            distance(samples, &s.feet[*k], at.point) <= REACH && at.point.dot(&samples.up) < lowest + SOLE
        };
        all > 0 && samples.loaded(load).filter(near).count() as f64 >= EXPLAINED * all as f64
    };
    let side = samples.names.get(load).and_then(|(_, _, body)| Side::of(body));
    let mut found: Vec<usize> = (0..samples.feet.len()).filter(under).collect();
    found.sort_by_key(|k| Some(samples.feet[*k].side) != side);
    found.first().map(|k| samples.feet[*k].name.as_str())
}
