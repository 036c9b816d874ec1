//! Gravity, bodies and paths of a model in their units.

use super::is_person;
use super::muscles::examine_muscles;
use wolff_anatomy::names::opensim::ModelBody;
use wolff_motion::subject::Subject;
use wolff_muscle::path::PlaceSpec;
use wolff_spatial::Vec3;
use wolff_verdict::{Finding, grouped};

/// Gravity on Earth \[m/s²\], from the equator at altitude to the poles, with models that round it to 9.8 or 10 (chosen
/// here).
const GRAVITY: std::ops::RangeInclusive<f64> = 9.75..=10.0;
/// Cosine of the angle between gravity and -y that is still called vertical: 5 degrees, more than the slope of a
/// treadmill that is modelled by gravity needs up to 8 % (chosen here).
const VERTICAL: f64 = 0.996;
/// Largest distance of a mass centre, of a point of a muscle and of mass itself (radius of gyration) from the origin of
/// the body of a person \[m\]: no segment is as long (chosen here).
const SEGMENT: f64 = 1.0;
/// Bodies lighter than this have no effect, and often have the inertia of nothing real \[kg\] (chosen here).
const LIGHT: f64 = 0.1;

/// Findings about a model itself: gravity, mass centres, inertia, and muscles (strength, lengths, points, and what
/// makes them unusable). Bodies are judged where their names are those of a person.
pub fn examine_model(subject: &Subject) -> Vec<Finding> {
    let mut findings = examine_bodies(subject);
    findings.extend(examine_muscles(subject));
    findings.extend(examine_paths(subject));
    if findings.is_empty() {
        let broken = subject.motors().err().map(|e| e.to_string());
        findings.extend(broken.map(|reason| Finding::error(reason, "correct the muscle or actuator in the model")));
    }
    findings
}

/// Gravity, mass centres and inertia.
pub fn examine_bodies(subject: &Subject) -> Vec<Finding> {
    [gravity(subject), centres(subject), inertia(subject)].into_iter().flatten().collect()
}

fn gravity(subject: &Subject) -> Option<Finding> {
    let g = subject.model.gravity;
    let down = g.try_normalize(0.0).is_some_and(|d| -d.y > VERTICAL);
    (is_person(subject) && !(down && GRAVITY.contains(&g.norm()))).then(|| {
        let message =
            format!("gravity of model `{}` is {} {} {} m/s², 0 -9.81 0 is expected", subject.name, g.x, g.y, g.z);
        Finding::error(message, "correct <gravity> of the model; y is up")
    })
}

/// A body of a person with its name, and a length of it \[m\] that is larger than a segment.
fn beyond(subject: &Subject, length: impl Fn(&wolff_spatial::MassProperties) -> f64) -> Option<(String, f64)> {
    let bodies = subject.model.bodies().iter().skip(1);
    let of_person = bodies.filter(|b| ModelBody::of(&b.name).is_some() && b.mass.mass > LIGHT);
    let sizes = of_person.map(|b| (b.name.clone(), length(&b.mass))).filter(|(_, size)| !(*size <= SEGMENT));
    sizes.max_by(|a, b| a.1.total_cmp(&b.1))
}

fn centres(subject: &Subject) -> Option<Finding> {
    let (name, distance) = beyond(subject, |mass| mass.com.norm())?;
    let message = format!(
        "the mass centre of `{name}` is {distance:.3} m from the origin of the body, more than {SEGMENT} m: it is not \
         in metres"
    );
    Some(Finding::error(message, "give mass centres in metres; millimetres are divided by 1000"))
}

fn inertia(subject: &Subject) -> Option<Finding> {
    let radius = |mass: &wolff_spatial::MassProperties| (mass.inertia.diagonal().max() / mass.mass).sqrt();
    let (name, radius) = beyond(subject, radius)?;
    let message = format!(
        "the inertia of `{name}` is that of mass {radius:.3} m away from its centre, more than {SEGMENT} m: it is not \
         in kg m²"
    );
    Some(Finding::error(message, "give inertia in kg m²; kg mm² are divided by 1000000, kg cm² by 10000"))
}

/// Points of muscles that are farther from the origin of their body than a segment is long: they are not in metres.
pub fn examine_paths(subject: &Subject) -> Option<Finding> {
    let distance = |place: &PlaceSpec| match place {
        PlaceSpec::Fixed(p) => p.norm(),
        PlaceSpec::Moving(axes) => {
            // at the default pose; the coordinate is rarely far from zero
            let value = |i: usize| axes.get(i).map_or(0.0, |axis| axis.function.evaluate(0.0).value);
            Vec3::from_fn(|i, _| value(i)).norm()
        }
    };
    let mut names = Vec::new();
    let mut farthest = (0.0, String::new());
    for muscle in &subject.muscles {
        let on_person = muscle.path.points.iter().filter(|p| ModelBody::of(&p.body).is_some());
        let far = on_person.map(|p| (distance(&p.place), p.body.clone())).filter(|(d, _)| !(*d <= SEGMENT));
        if let Some(far) = far.max_by(|a, b| a.0.total_cmp(&b.0)) {
            names.push(muscle.name.as_str());
            farthest = if far.0 > farthest.0 { far } else { farthest };
        }
    }
    (!names.is_empty()).then(|| {
        let message = format!(
            "the path of {} of {} muscles has points more than {SEGMENT} m from the origin of their body, up to {:.3} m \
             on `{}`: {}",
            names.len(),
            subject.muscles.len(),
            farthest.0,
            farthest.1,
            grouped(&names)
        );
        Finding::error(message, "give the points of muscles in metres; millimetres are divided by 1000")
    })
}
