//! The recorded motion of a model: coordinates, or markers and inverse kinematics.

use super::told::Told;
use super::{Person, TrialFiles};
use crate::error::MovementError;
use wolff_doctor::{Patient, judge};
use wolff_formats::trial::ForcePlateTrial;
use wolff_motion::ik::{MarkerFit, Options, Tasks, solve_trial};
use wolff_motion::marker_distances::compare_distances;
use wolff_motion::model_markers::compare_markers;
use wolff_motion::recording::{ending, read_markers_with, read_storage};
use wolff_opensim::{OpensimSubject, ik_tasks, read_tasks};
use wolff_verdict::Finding;

/// Root mean square distance of markers beyond which units, axes or names are assumed to be wrong \[m\]; chosen here.
const GREATEST_MARKER_ERROR: f64 = 0.1;

/// The motion of the model as it was recorded.
pub(super) struct Recorded {
    /// Times \[s\] and positions of the solver's model.
    pub rows: Vec<(f64, Vec<f64>)>,
    /// Root mean square distance of the markers \[m\].
    pub marker_error: Option<f64>,
    /// Largest distance of a marker \[m\], with its name.
    pub marker_error_max: Option<(String, f64)>,
}

impl Recorded {
    /// From coordinates, or from markers by inverse kinematics. The recording is checked first.
    pub fn read(
        files: &TrialFiles,
        model: &OpensimSubject,
        forces: &ForcePlateTrial,
        person: &Person,
        told: &mut Told,
    ) -> Result<Self, MovementError> {
        let (mass, height) = (person.mass.or_else(|| Some(model.mass())), person.stature);
        if matches!(ending(&files.markers).as_str(), "mot" | "sto") {
            told.add(judge(&Patient { markers: None, forces: Some(forces), mass, height }));
            told.gate()?;
            return Self::coordinates(files, model);
        }
        let trial = read_markers_with(&files.markers, &files.reading)?;
        told.add(compare_markers(&model.subject, &trial));
        told.add(compare_distances(&model.subject, &trial));
        told.add(judge(&Patient { markers: Some(&trial), forces: Some(forces), mass, height }));
        told.gate()?;
        let tasks = match &files.tasks {
            Some(path) => ik_tasks(model, &read_tasks(path)?, None)?,
            None => Tasks::all_markers(&model.subject),
        };
        let motion = solve_trial(&model.subject, &tasks, &trial, None, Options::default(), &mut |_| ())?;
        let error = rms_over_frames(&motion.fits);
        let worst = motion.fits.iter().max_by(|a, b| a.max.total_cmp(&b.max));
        let name = |fit: &MarkerFit| motion.matched.markers.get(fit.worst).map(|m| m.name.clone()).unwrap_or_default();
        let marker_error_max = worst.map(|fit| (name(fit), fit.max));
        if !(error <= GREATEST_MARKER_ERROR) {
            let message = format!(
                "markers of model and trial are {:.0} mm apart (RMS), at most {:.0} mm is accepted",
                1e3 * error,
                1e3 * GREATEST_MARKER_ERROR
            );
            let remedy = "check units, axes and names of the markers, and that the model is scaled to the subject";
            told.add([Finding::error(message, remedy)]);
        }
        told.gate()?;
        Ok(Recorded { rows: motion.poses, marker_error: Some(error), marker_error_max })
    }

    /// Coordinates of the model from a motion file.
    fn coordinates(files: &TrialFiles, model: &OpensimSubject) -> Result<Self, MovementError> {
        let (rows, missing) = model.positions(&read_storage(&files.markers)?)?;
        if missing.len() == model.subject.coordinates.len() {
            let reason = "none of its columns is a coordinate of the model; give markers or coordinates";
            return Err(MovementError::rule(files.markers.display().to_string(), reason));
        }
        Ok(Recorded { rows, marker_error: None, marker_error_max: None })
    }
}

/// Root mean square of the marker distances of all frames \[m\].
pub(super) fn rms_over_frames(fits: &[MarkerFit]) -> f64 {
    (fits.iter().map(|f| f.rms * f.rms).sum::<f64>() / fits.len().max(1) as f64).sqrt()
}
