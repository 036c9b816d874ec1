//! External loads (`ExternalLoads` documents): which columns of a table act where.

use super::Unsupported;
use super::xml::{Context, error_at, parse, set_objects, tolerant_text};
use crate::FormatError;

/// Measured forces and where they act.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimExternalLoads {
    /// Table with the columns, as written.
    pub data_file: String,
    /// Forces.
    pub forces: Vec<OsimExternalForce>,
    /// What was not understood.
    pub unsupported: Vec<Unsupported>,
}

/// One measured force.
#[derive(Clone, Debug, PartialEq)]
pub struct OsimExternalForce {
    /// Name.
    pub name: String,
    /// Whether it acts.
    pub enabled: bool,
    /// The body that feels it.
    pub applied_to_body: String,
    /// The body in whose axes the force is given.
    pub force_expressed_in_body: String,
    /// The body in whose frame the point is given.
    pub point_expressed_in_body: String,
    /// Columns of the force begin with this.
    pub force_identifier: String,
    /// Columns of the point begin with this.
    pub point_identifier: String,
    /// Columns of the torque begin with this.
    pub torque_identifier: String,
    /// Name of the table, where a file holds several.
    pub data_source_name: String,
}

/// Reads an `ExternalLoads` document.
pub fn read_external_loads(bytes: &[u8]) -> Result<OsimExternalLoads, FormatError> {
    let text = tolerant_text(bytes, &mut Vec::new());
    let document = parse(&text)?;
    let root = document.root_element();
    let node = root.descendants().find(|n| n.has_tag_name("ExternalLoads"));
    let node =
        node.ok_or_else(|| error_at(&root, "there is no `ExternalLoads` element; give an external loads file"))?;
    let mut context = Context::default();
    let mut o = context.object(node);
    let data_file = o.string("datafile");
    // deprecated: kinematics that move points given in ground
    o.child("external_loads_model_kinematics_file");
    o.child("lowpass_cutoff_frequency_for_load_kinematics");
    o.child("objects");
    o.finish(&mut context);
    let mut forces = Vec::new();
    for node in set_objects(Some(node)) {
        let mut o = context.object(node);
        if o.class() != "ExternalForce" {
            context.list(&node, &o.name());
            continue;
        }
        let ground = |body: String| if body.is_empty() { "ground".into() } else { body };
        forces.push(OsimExternalForce {
            name: o.name(),
            enabled: o.enabled()?,
            applied_to_body: o.string("applied_to_body"),
            force_expressed_in_body: ground(o.string("force_expressed_in_body")),
            point_expressed_in_body: ground(o.string("point_expressed_in_body")),
            force_identifier: o.string("force_identifier"),
            point_identifier: o.string("point_identifier"),
            torque_identifier: o.string("torque_identifier"),
            data_source_name: o.string("data_source_name"),
        });
        o.finish(&mut context);
    }
    Ok(OsimExternalLoads { data_file, forces, unsupported: context.unsupported })
}
