//! External loads of set-up files.

use crate::{coordinate_name, setup};
use wolff_formats::sto::Storage;
use wolff_formats::trial::{ForcePlateTrial, PlateColumns};
use wolff_motion::{ExternalLoad, MotionError};
use wolff_multibody::Model;

/// The enabled forces of an OpenSim set-up, with the values of its data file.
pub fn external_loads(
    loads: &setup::ExternalLoads,
    data: &Storage,
    model: &Model,
) -> Result<Vec<ExternalLoad>, MotionError> {
    let mut found = Vec::new();
    for force in loads.forces.iter().filter(|f| f.applies) {
        let Some(columns) = force.force.clone() else {
            let reason = "has no force_identifier; name the columns of the force";
            return Err(MotionError::input(&force.name, reason));
        };
        let columns = PlateColumns {
            name: force.name.clone(),
            force: columns,
            point: force.point.clone(),
            moment: force.torque.clone(),
        };
        let trial = ForcePlateTrial::from_columns(data, &[columns])?;
        let [plate] = trial.plates() else { continue };
        let [body, force_in, point_in] = [&force.body, &force.force_in, &force.point_in].map(|b| coordinate_name(b));
        let load = ExternalLoad::from_plate(&force.name, body, trial.times(), plate, model)?;
        found.push(load.expressed_in(force_in, point_in, force.point.is_some(), model)?);
    }
    Ok(found)
}
