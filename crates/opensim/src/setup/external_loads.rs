//! External forces, such as ground reactions.

use super::xml::Reader;
use std::path::PathBuf;
use wolff_formats::FormatError;
use wolff_formats::trial::PlateColumns;

/// `ExternalLoads`.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalLoads {
    /// Its name.
    pub name: String,
    /// The storage file with the values.
    pub data_file: Option<PathBuf>,
    /// The forces.
    pub forces: Vec<ExternalForce>,
}

/// A force on a body.
#[derive(Clone, Debug, PartialEq)]
pub struct ExternalForce {
    /// Its name.
    pub name: String,
    /// Whether it is enabled.
    pub applies: bool,
    /// The body.
    pub body: String,
    /// Body in whose axes the force is given; `ground` by default.
    pub force_in: String,
    /// Body in whose frame the point is given; `ground` by default.
    pub point_in: String,
    /// Columns of the force, as in [`PlateColumns`].
    pub force: Option<String>,
    /// Columns of the point.
    pub point: Option<String>,
    /// Columns of the moment.
    pub torque: Option<String>,
}

impl ExternalLoads {
    pub(super) fn read(r: &Reader) -> Result<Self, FormatError> {
        // deprecated: kinematics that move points given in ground
        r.skip(&[
            "external_loads_model_kinematics_file",
            "lowpass_cutoff_frequency_for_load_kinematics",
            "lowpass_cutoff_frequency",
        ]);
        Ok(Self { name: r.name(), data_file: r.path("datafile"), forces: r.own_objects(ExternalForce::read)? })
    }

    /// Columns of the enabled forces in the data file, named by their body.
    pub fn columns(&self) -> Vec<PlateColumns> {
        let columns = |f: &ExternalForce| {
            let (force, point, moment) = (f.force.clone()?, f.point.clone(), f.torque.clone());
            Some(PlateColumns { name: f.body.clone(), force, point, moment })
        };
        self.forces.iter().filter(|f| f.applies).filter_map(columns).collect()
    }
}

impl ExternalForce {
    fn read(r: &Reader) -> Result<Option<Self>, FormatError> {
        if r.tag() != "ExternalForce" {
            return Ok(None);
        }
        r.skip(&["data_source_name"]);
        let ground = |name: &str| r.text(name).unwrap_or_else(|| "ground".into());
        Ok(Some(Self {
            name: r.name(),
            // OpenSim 3 has the opposite flag
            applies: r.flag("appliesForce", true)? && !r.flag("isDisabled", false)?,
            body: r.text("applied_to_body").unwrap_or_default(),
            force_in: ground("force_expressed_in_body"),
            point_in: ground("point_expressed_in_body"),
            force: r.text("force_identifier"),
            point: r.text("point_identifier"),
            torque: r.text("torque_identifier"),
        }))
    }
}
