//! External loads of any file.

use super::inputs::{in_file, of_file, remarks, shown};
use super::setups::setup_of;
use std::path::Path;
use wolff_formats::trial::Axes;
use wolff_motion::recording::{ending, read_storage};
use wolff_motion::{CoordinateHistory, ExternalLoad, MotionError, Subject};
use wolff_opensim::setup::Setup;
use wolff_opensim::{external_loads, read_recording};
use wolff_plausibility::plates::{Contact, loads_of_plates};
use wolff_verdict::{Finding, Judgement};

/// The foot of each contact.
pub(super) fn contacts_text(contacts: &[Contact]) -> String {
    let one =
        |c: &Contact| format!("plate `{}` is under `{}` from {:.3} to {:.3} s", c.plate, c.foot, c.span[0], c.span[1]);
    contacts.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Loads of an ExternalLoads file, or of a file of forces with the feet that they act on.
pub(super) fn read_loads(
    path: &Path,
    axes: Option<&Axes>,
    (subject, history): (&Subject, &CoordinateHistory),
    judgement: &mut Judgement,
) -> Result<(Vec<ExternalLoad>, Vec<Contact>), MotionError> {
    if ending(path) != "xml" {
        let none = || MotionError::input(shown(path), "has no ground forces; give a .mot, .sto, .c3d or .xml of them");
        let forces = read_recording(path, axes)?.forces.ok_or_else(none)?;
        judgement.found(remarks(forces.remarks(), path, false));
        judgement.found(forces.warnings().iter().map(|w| of_file(Finding::warning(w.clone(), ""), path)));
        let found = loads_of_plates(&forces, subject, history).map_err(|e| in_file(path, e))?;
        return Ok((found.loads, found.contacts));
    }
    let Setup::ExternalLoads(loads) = setup_of(path, judgement)? else {
        return Err(MotionError::input(shown(path), "is not an ExternalLoads file; give one with --loads"));
    };
    if axes.is_some() {
        let reason = "--axes turns files of forces only; give the .mot, .sto or .c3d with --loads instead of the .xml";
        return Err(MotionError::input(shown(path), reason));
    }
    let none = || MotionError::input(shown(path), "has no data file; add <datafile> to it");
    let data_file = loads.data_file.as_deref().ok_or_else(none)?;
    let data = read_storage(data_file)?;
    judgement.found(remarks(&data.remarks, data_file, false));
    let found = external_loads(&loads, &data, &subject.model).map_err(|e| match e {
        MotionError::Unknown { .. } => in_file(path, e),
        other => in_file(data_file, other),
    })?;
    Ok((found, Vec::new()))
}
