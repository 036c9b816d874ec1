//! The surroundings of a run: progress, stop requests, checkpoint and cache.

use crate::walk::SavedWalk;
use std::path::PathBuf;
use std::time::Duration;
use wolff_study::Budget;

/// The surroundings of a run. Only walks can be resumed.
pub struct Session<'a> {
    /// Receives the fraction that is done; returns `false` to request a stop.
    pub progress: &'a mut dyn FnMut(f64) -> bool,
    /// Receives the name of the present stage of the run.
    pub stage: &'a dyn Fn(&str),
    /// Checkpoint from which to resume.
    pub from: Option<SavedWalk>,
    /// Checkpoint file that is written during the run, so that the run can be resumed if the process ends, and the
    /// minimum time between two checkpoints.
    pub keep: Option<(PathBuf, Duration)>,
    /// Folder in which reduced bones are cached between runs.
    pub cache: Option<PathBuf>,
    /// Whether a recording with errors is used all the same.
    pub force: bool,
    /// Limits of the simulation of a model. A walk is stopped by the answer of `progress`.
    pub budget: Budget,
}

impl<'a> Session<'a> {
    /// A run with progress only: no checkpoint, no cache.
    pub fn new(progress: &'a mut dyn FnMut(f64) -> bool) -> Self {
        Session {
            progress,
            stage: &|_| {},
            from: None,
            keep: None,
            cache: None,
            budget: Budget::default(),
            force: false,
        }
    }
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let steps = self.from.as_ref().map(SavedWalk::steps);
        f.debug_struct("Session").field("from", &steps).field("keep", &self.keep).field("cache", &self.cache).finish()
    }
}
