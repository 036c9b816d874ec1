//! Places of the results that a set-up names.

use super::args::Ik;
use crate::failure::Failure;
use crate::overwrite;
use std::path::{Path, PathBuf};
use wolff_motion::ik::file_name;
use wolff_opensim::setup::InverseKinematicsTool;

/// Checks that the files that a set-up names exist.
pub fn check_inputs(tool: &InverseKinematicsTool, setup: &Path) -> Result<(), Failure> {
    let named = [("model", &tool.model_file), ("marker file", &tool.marker_file)];
    for (what, path) in named.into_iter().filter_map(|(what, path)| Some((what, path.as_ref()?))) {
        if !path.exists() {
            let message = format!(
                "the {what} `{}`, which the set-up `{}` names, does not exist, and no file of this name was found near \
                 the set-up",
                path.display(),
                setup.display()
            );
            return Err(Failure::usage(message, "correct the path in the set-up, or give --model and --markers"));
        }
    }
    Ok(())
}

/// Tables of results; OpenSim does not write the last.
const TABLES: [&str; 3] = ["_ik.mot", "_ik_marker_errors.sto", "_ik_marker_distances.sto"];

/// Checks that no file of somebody else is in the place of a result that the set-up names.
pub fn check(args: &Ik, tool: &InverseKinematicsTool, name: &str) -> Result<(), Failure> {
    let (None, false, Some(setup)) = (&args.out, args.json, &args.setup) else { return Ok(()) };
    let beside = || setup.parent().map(Path::to_path_buf).unwrap_or_default();
    let folder = tool.results_directory.clone().unwrap_or_else(beside);
    let [motion, errors, distances] = TABLES.map(|ending| folder.join(file_name(name, ending)));
    let motion: PathBuf = tool.output_motion_file.clone().unwrap_or(motion);
    overwrite::check(&[motion, errors, distances.clone()], &distances, args.force)
}
