//! The chain on which rigid-body engines are compared.

use crate::error::SpecErrors;
use crate::model::Model;
use crate::spec::{BodySpec, FrameSpec, GROUND, JointKind, JointSpec, ModelSpec};
use wolff_spatial::{MassProperties, Mat3, Vec3};

/// A free base with `links` hinged links, six more freedoms than links.
///
/// Base 5 kg, inertia 0.05 kg m², centre of mass at its origin. Link k: 1 kg, centre of mass at (0, 0, -0.1) m, inertia
/// about it diag(0.004, 0.004, 0.0008) kg m², hinge at (0, 0, -0.2) m of the link before (at the base's origin for
/// k = 0) about y for even k and x for odd k. Gravity 9.81 m/s² along -z. Initial angles 0.3 sin(k+1) rad, rates
/// 0.5 cos(k+1) rad/s, base at rest.
pub fn chain(links: usize) -> Result<Model, SpecErrors> {
    let base = MassProperties { mass: 5.0, com: Vec3::zeros(), inertia: Mat3::from_diagonal_element(0.05) };
    let link = MassProperties {
        mass: 1.0,
        com: Vec3::new(0.0, 0.0, -0.1),
        inertia: Mat3::from_diagonal(&Vec3::new(0.004, 0.004, 0.0008)),
    };
    let mut spec = ModelSpec { name: "chain".into(), gravity: Vec3::new(0.0, 0.0, -9.81), ..Default::default() };
    spec.bodies.push(BodySpec::rigid("base", base));
    spec.joints.push(joint("float", JointKind::Free, FrameSpec::at(GROUND, Vec3::zeros()), "base"));
    for k in 0..links {
        let name = format!("link{k}");
        let parent = if k == 0 {
            FrameSpec::at("base", Vec3::zeros())
        } else {
            FrameSpec::at(&format!("link{}", k - 1), Vec3::new(0.0, 0.0, -0.2))
        };
        let axis = if k % 2 == 0 { Vec3::y() } else { Vec3::x() };
        let mut hinge = joint(&format!("hinge{k}"), JointKind::Pin { axis }, parent, &name);
        let phase = (k + 1) as f64;
        hinge.q0 = vec![0.3 * phase.sin()];
        hinge.v0 = vec![0.5 * phase.cos()];
        spec.bodies.push(BodySpec::rigid(&name, link));
        spec.joints.push(hinge);
    }
    Model::build(&spec)
}

fn joint(name: &str, kind: JointKind, parent: FrameSpec, child: &str) -> JointSpec {
    let child = FrameSpec::at(child, Vec3::zeros());
    JointSpec { name: name.into(), kind, parent, child, coordinates: vec![], q0: vec![], v0: vec![] }
}
