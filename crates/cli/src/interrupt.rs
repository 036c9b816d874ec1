//! Ctrl-C and a polite request to end: the run stops where it can be continued; a second request ends the program at once.

use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a run that was stopped; shells give the same to programs that Ctrl-C ends.
pub const STOPPED: u8 = 130;

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on requests are heeded; where the system cannot tell of them, they end the program as ever.
pub fn heed() {
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            std::process::exit(STOPPED.into());
        }
    });
}

/// Whether somebody asked to stop.
pub fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
