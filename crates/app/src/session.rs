//! The surroundings of a run: progress, stop requests, checkpoint and cache.

use crate::walk::SavedWalk;
use std::path::PathBuf;
use std::time::Duration;

/// The surroundings of a run. Only walks can be stopped and resumed.
pub struct Session<'a> {
    /// Receives the fraction that is done; returns `false` to request a stop.
    pub progress: &'a mut dyn FnMut(f64) -> bool,
    /// Checkpoint from which to resume.
    pub from: Option<SavedWalk>,
    /// Checkpoint file that is written during the run, so that the run can be resumed if the process ends, and the
    /// minimum time between two checkpoints.
    pub keep: Option<(PathBuf, Duration)>,
    /// Folder in which reduced bones are cached between runs.
    pub cache: Option<PathBuf>,
}

impl<'a> Session<'a> {
    /// A run with progress only: no checkpoint, no cache.
    pub fn new(progress: &'a mut dyn FnMut(f64) -> bool) -> Self {
        Session { progress, from: None, keep: None, cache: None }
    }
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let steps = self.from.as_ref().map(SavedWalk::steps);
        f.debug_struct("Session").field("from", &steps).field("keep", &self.keep).field("cache", &self.cache).finish()
    }
}
