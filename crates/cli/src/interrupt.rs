//! Ctrl-C and termination requests: the first request stops the run (a walk writes a checkpoint), the second one ends
//! the program immediately.

use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a run that was stopped; shells report the same code for programs that are ended by Ctrl-C.
pub const STOPPED: u8 = 130;

static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);

/// Installs the handler of requests. If the system does not support it, a request ends the program as usual.
pub fn install_handler() {
    let _ = ctrlc::set_handler(|| {
        if STOP_REQUESTED.swap(true, Ordering::SeqCst) {
            std::process::exit(STOPPED.into());
        }
    });
}

/// Whether a stop was requested.
pub fn stop_requested() -> bool {
    STOP_REQUESTED.load(Ordering::SeqCst)
}
