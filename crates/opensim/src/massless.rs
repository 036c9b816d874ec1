//! Massless bodies at the ends of a model.
//!
//! OpenSim opens models whose outermost bodies have no mass, such as the hands of models of the arm, or frames for
//! markers: no analysis of a recorded motion divides by their inertia. The equations of motion of this program need
//! some inertia at every end of the tree. Such bodies get [`KINEMATIC_MASS`], which has no noticeable effect.

use crate::{OpensimModel, Unconverted};
use wolff_multibody::spec::ModelSpec;
use wolff_spatial::{MassProperties, Mat3};

/// Mass of a body that only moves along \[kg\]: its weight, 10 µN, is a ten-millionth of that of the lightest segments
/// of a person, and far below the accuracy of any force that is measured.
pub const KINEMATIC_MASS: f64 = 1e-6;

/// Radius of gyration of such a body \[m\]: the size of a hand.
const RADIUS: f64 = 0.05;

/// Gives massless ends of the tree their mass, and lists them.
pub(crate) fn give_mass(out: &mut OpensimModel) {
    for i in ends(&out.spec) {
        let body = &mut out.spec.bodies[i];
        let inertia = Mat3::identity() * (KINEMATIC_MASS * RADIUS * RADIUS);
        body.mass = MassProperties { mass: KINEMATIC_MASS, com: body.mass.com, inertia };
        let reason = "has no mass and carries no other body; it moves with the model and gets 1e-6 kg, \
                      which has no noticeable effect on forces";
        out.approximate.push(Unconverted::new("Body", &body.name, reason));
    }
}

/// Bodies without mass and inertia on which no other body hangs.
fn ends(spec: &ModelSpec) -> Vec<usize> {
    let is_end = |name: &str| !spec.joints.iter().any(|joint| joint.parent.body == name);
    let bodies = spec.bodies.iter().enumerate();
    bodies.filter(|(_, b)| b.mass.mass == 0.0 && is_end(&b.name)).map(|(i, _)| i).collect()
}
