//! What goes on around a run: who hears of it, who may stop it, where it is kept.

use crate::walk::SavedWalk;
use std::path::PathBuf;
use std::time::Duration;

/// What goes on around a run. Only walks can be stopped and continued.
pub struct Session<'a> {
    /// Hears the fraction done; the answer false asks to stop.
    pub progress: &'a mut dyn FnMut(f64) -> bool,
    /// What to continue.
    pub from: Option<SavedWalk>,
    /// File that is written while the run goes on, from which it can be continued should the process end, and the least time between.
    pub keep: Option<(PathBuf, Duration)>,
    /// Folder in which reductions of bones are kept from run to run.
    pub cache: Option<PathBuf>,
}

impl<'a> Session<'a> {
    /// A run that is only heard of.
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
