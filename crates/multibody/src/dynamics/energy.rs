//! Energy, momentum and centre of mass.

use crate::kinematics::{BodyKinematics, Kinematics};
use crate::model::{Body, Model};
use wolff_spatial::{Force, Vec3};

/// Kinetic energy \[J\].
pub fn kinetic_energy(kin: &Kinematics) -> f64 {
    let rigid: f64 = kin.bodies.iter().map(|b| 0.5 * b.V.dot(&b.I.apply(&b.V))).sum();
    rigid + kin.flexible.iter().map(|f| f.kinetic_energy).sum::<f64>()
}

/// Energy stored in the deformation of flexible bodies \[J\].
pub fn elastic_energy(model: &Model, q: &[f64]) -> f64 {
    let stored = |(i, b): (usize, &Body)| model.flexible(i).map_or(0.0, |f| f.elastic_energy(&q[b.modal_q()]));
    model.bodies.iter().enumerate().map(stored).sum()
}

/// Centre of mass of a body in its frame, deformed as it is.
fn body_center(body: &Body, kin: &Kinematics) -> Vec3 {
    body.flexible.map_or(body.mass.com, |f| kin.flexible[f.index].com)
}

/// Potential energy of gravity \[J\], zero with all mass at ground's origin.
pub fn gravity_energy(model: &Model, kin: &Kinematics) -> f64 {
    let weight = |(body, k): (&Body, &BodyKinematics)| {
        -body.mass.mass * model.gravity.dot(&k.X_GB.point(&body_center(body, kin)))
    };
    model.bodies.iter().zip(&kin.bodies).map(weight).sum()
}

/// Centre of mass of the whole system \[m\]; ground's origin where nothing has mass.
pub fn center_of_mass(model: &Model, kin: &Kinematics) -> Vec3 {
    let mut moment = Vec3::zeros();
    for (body, k) in model.bodies.iter().zip(&kin.bodies) {
        moment += k.X_GB.point(&body_center(body, kin)) * body.mass.mass;
    }
    let mass = model.total_mass();
    if mass > 0.0 { moment / mass } else { moment }
}

/// Linear momentum and angular momentum about the point `p_G` \[kg m/s, kg m²/s\].
pub fn momentum(kin: &Kinematics, p_G: &Vec3) -> Force {
    let mut total = Force::ZERO;
    for b in &kin.bodies {
        total += b.I.apply(&b.V).at(&(p_G - b.origin));
    }
    for f in &kin.flexible {
        total += f.momentum.at(&(p_G - f.origin));
    }
    total
}
