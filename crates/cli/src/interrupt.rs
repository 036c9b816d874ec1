//! Ctrl-C and termination requests: the first request stops the run (a walk writes a checkpoint), the second one ends
//! the program immediately.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use wolff_files::place::Claim;

/// Exit code of a run that was stopped; shells report the same code for programs that are ended by Ctrl-C.
pub const STOPPED: u8 = 130;

static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);

/// Makes a file that grows beyond the limit of the shell (`ulimit -f`) an error of writing, which is reported and
/// leaves nothing behind, instead of a signal that ends the program. To be called before threads are started.
pub fn report_files_beyond_limit() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGXFSZ);
        // if the system refuses, the signal ends the program as usual
        let _ = signals.thread_block();
    }
}

/// Installs the handler of requests. If the system does not support it, a request ends the program as usual.
pub fn install_handler() {
    let _ = ctrlc::set_handler(|| {
        if STOP_REQUESTED.swap(true, Ordering::SeqCst) {
            release();
            std::process::exit(STOPPED.into());
        }
    });
}

/// Whether nothing is computed any more, and files may be written.
static FINISHED: AtomicBool = AtomicBool::new(false);

/// Time in which a computation must react to a request.
const REACTION: Duration = Duration::from_millis(600);

/// The present stage of a run, for those who want to end it.
#[derive(Clone, Copy)]
pub enum Stage {
    /// The model is being built or the run prepared: nothing can be saved, and requests and limits are not asked for.
    Building,
    /// Limits and requests are obeyed, but there is nothing to save before the end.
    Running,
    /// Requests are answered, and there is something to save.
    Saving,
}

static STAGE: Mutex<(Stage, Option<Instant>)> = Mutex::new((Stage::Building, None));

/// A stage of a run has begun.
pub fn stage_begins(stage: Stage) {
    *STAGE.lock().unwrap_or_else(PoisonError::into_inner) = (stage, Some(Instant::now()));
}

fn present_stage() -> (Stage, Option<Instant>) {
    *STAGE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn has_built_for(limit: Duration) -> bool {
    matches!(present_stage(), (Stage::Building, Some(since)) if since.elapsed() > limit)
}

/// Ends the program if a request is not answered in time, as long as there is nothing to save, and after `too_long` if
/// the model is not built within the limit: a long computation such as the reduction of a large mesh asks for neither.
pub fn end_when_stuck(limit: Option<Duration>, too_long: impl FnOnce(Duration) + Send + 'static) {
    stage_begins(Stage::Building);
    std::thread::spawn(move || {
        while !stop_requested() {
            std::thread::sleep(Duration::from_millis(50));
            if let Some(limit) = limit.filter(|limit| has_built_for(*limit)) {
                too_long(limit);
                release();
                std::process::exit(1);
            }
        }
        std::thread::sleep(REACTION);
        let nothing_to_save = !matches!(present_stage(), (Stage::Saving, _));
        if nothing_to_save && !FINISHED.load(Ordering::SeqCst) {
            crate::output::warn("stopped before there were results to save; nothing is written");
            std::process::exit(STOPPED.into());
        }
    });
}

/// The claim on the folder of the results.
static CLAIM: Mutex<Option<Claim>> = Mutex::new(None);

/// Ends the claim when it is dropped.
pub struct Held;

impl Drop for Held {
    fn drop(&mut self) {
        release();
    }
}

/// Keeps a claim until the answer is dropped or the program ends.
pub fn hold(claim: Option<Claim>) -> Held {
    *CLAIM.lock().unwrap_or_else(PoisonError::into_inner) = claim;
    Held
}

fn release() {
    drop(CLAIM.lock().unwrap_or_else(PoisonError::into_inner).take());
}

/// The computation has ended; from now on the program ends by itself.
pub fn finish() {
    FINISHED.store(true, Ordering::SeqCst);
}

/// Whether a stop was requested.
pub fn stop_requested() -> bool {
    STOP_REQUESTED.load(Ordering::SeqCst)
}
