//! Masses written into a model's XML.

use super::edit::{Edits, child, in_defaults, join, name_of, parse};
use roxmltree::Node;
use wolff_motion::MotionError;
use wolff_spatial::MassProperties;

/// The text of a model with other masses, centres of mass and inertias of the named bodies; everything else is
/// unchanged.
///
/// Bodies that the text does not contain are an error.
pub fn with_masses(text: &str, bodies: &[(String, MassProperties)]) -> Result<String, MotionError> {
    let document = parse(text)?;
    let mut edits = Edits::default();
    for (name, mass) in bodies {
        let named = |n: &Node<'_, '_>| n.has_tag_name("Body") && name_of(*n) == name && !in_defaults(*n);
        let unknown =
            || MotionError::Unknown { owner: "the change of masses".into(), what: "body", name: name.clone() };
        let node = document.descendants().find(named).ok_or_else(unknown)?;
        if let Some(centre) = child(node, "mass_center") {
            edits.set_text(centre, &join(mass.com.as_slice()));
        }
        let I = &mass.inertia;
        write_inertia(&mut edits, node, mass.mass, &[I.m11, I.m22, I.m33, I.m12, I.m13, I.m23]);
    }
    Ok(edits.apply(text))
}

/// Mass \[kg\] and inertia (xx, yy, zz, xy, xz, yz) \[kg m²\] of a body, in one element or, before version 4, in six.
pub(super) fn write_inertia(edits: &mut Edits, body: Node<'_, '_>, mass: f64, inertia: &[f64; 6]) {
    let mut set = |tag: &str, values: &[f64]| {
        if let Some(n) = child(body, tag) {
            edits.set_text(n, &join(values));
        }
    };
    set("mass", &[mass]);
    set("inertia", inertia);
    for (value, tag) in inertia.iter().zip(["xx", "yy", "zz", "xy", "xz", "yz"]) {
        set(&format!("inertia_{tag}"), &[*value]);
    }
}
