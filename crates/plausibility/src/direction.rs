//! The ground pushes upward.

use super::samples::LoadSamples;
use wolff_spatial::Vec3;
use wolff_verdict::Finding;

/// Cosine of the angle between mean force and vertical below which a ground force is wrong: 45 degrees, steeper than
/// any friction allows (chosen here).
const STEEP: f64 = 0.7;
/// Free moment over force \[m\] that no foot can exert: half of a foot's length would need all force at its ends
/// (chosen here).
const LEVER: f64 = 0.25;

/// Forces on feet point upward while they act.
pub(super) fn direction(samples: &LoadSamples) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (k, (name, body, _)) in samples.names.iter().enumerate() {
        if !samples.feet.iter().any(|f| f.bodies.contains(body)) {
            continue;
        }
        let sum: Vec3 = samples.loaded(k).map(|(_, l)| l.force).sum();
        let Some(mean) = sum.try_normalize(0.0) else { continue };
        let up = mean.dot(&samples.up);
        let axis = ["x", "y", "z"][mean.iamax()];
        let (message, remedy) = if up > STEEP {
            continue;
        } else if up < -STEEP {
            (
                "pulls the foot down: it is the force of the foot on the ground, or has the wrong sign".to_string(),
                "change the sign of force and moment in the force file".to_string(),
            )
        } else {
            (
                format!("points along {axis} on average, not up: the forces have other axes than the model"),
                format!(
                    "export the forces with y up; a force file given with --loads can be turned by --axes x,{axis}; where \
                     --axes was given already, these are the axes after that turn"
                ),
            )
        };
        findings.push(Finding::error(format!("force `{name}` {message}"), remedy));
    }
    findings
}

/// Free moments that the feet cannot exert: in N mm, or about another point than the centre of pressure.
pub(super) fn moments(samples: &LoadSamples) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (k, (name, body, _)) in samples.names.iter().enumerate().filter(|(k, _)| samples.has_point[*k]) {
        let on_foot = samples.feet.iter().any(|f| f.bodies.contains(body));
        if on_foot && samples.loaded(k).next().is_some() && samples.loaded(k).all(|(_, l)| l.moment == Vec3::zeros()) {
            let message = format!("force `{name}` has no free moment: it is taken as zero");
            let remedy = "if the plate measures it, name its columns (torque_identifier) in the ExternalLoads file";
            findings.push(Finding::note(message, remedy));
        }
        let levers: Vec<f64> = samples.loaded(k).map(|(_, l)| l.moment.norm() / l.force.norm()).collect();
        let large = levers.iter().filter(|l| **l > LEVER).count();
        if 5 * large <= levers.len() {
            continue;
        }
        let most = levers.iter().fold(0.0, |m: f64, l| m.max(*l));
        let message = format!(
            "the moment of force `{name}` is up to {most:.2} m times the force, a foot exerts at most {LEVER} m: it is \
             in N mm, or not about the centre of pressure"
        );
        let remedy = "give the free moment about the centre of pressure in N m, or leave out the moment";
        findings.push(Finding::error(message, remedy));
    }
    findings
}
