//! Muscle patches on the tibia.

use std::f64::consts::PI;

use super::shape::Shape;

/// Patellar tendon: 0.07 to 0.13 of the length below the plateau, 30° either side of 15° lateral of anterior. Own
/// choice after the usual anatomical description; no survey was available.
pub(crate) fn on_tuberosity(shape: &Shape, fraction: f64, phi: f64) -> bool {
    (0.07..=0.13).contains(&fraction)
        && wrapped(angle(shape, fraction, phi) - 15f64.to_radians()).abs() <= 30f64.to_radians()
}

/// Soleus: a band across the posterior surface from below the fibular facet (0.14 of the length, 150° lateral of
/// anterior) to the medial border (0.36, 240°), 22° either side. Own choice likewise.
pub(crate) fn on_soleal_line(shape: &Shape, fraction: f64, phi: f64) -> bool {
    let down = (fraction - 0.14) / (0.36 - 0.14);
    let line = (150.0 + 90.0 * down).to_radians();
    (0.0..=1.0).contains(&down) && wrapped(angle(shape, fraction, phi) - line).abs() <= 22f64.to_radians()
}

/// Seen from the centroid of the section, from anterior towards lateral \[rad\].
fn angle(shape: &Shape, fraction: f64, phi: f64) -> f64 {
    shape.section(fraction).outer.at(phi).arg()
}

/// The angle wrapped into (-π, π].
fn wrapped(angle: f64) -> f64 {
    PI - (PI - angle).rem_euclid(2.0 * PI)
}
