//! Places at which a test may end the process or make writing fail, to prove that nothing is lost.
//!
//! The steps of writing call `reached` with their name; without a hook this does nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

/// Receives the name of each step just before it is done.
pub type Hook = fn(&'static str);

static HOOK: RwLock<Option<Hook>> = RwLock::new(None);
static NO_EXCHANGE: AtomicBool = AtomicBool::new(false);

/// Sets the hook of this process, or removes it.
pub fn set_hook(hook: Option<Hook>) {
    *HOOK.write().unwrap_or_else(PoisonError::into_inner) = hook;
}

/// Whether folders are replaced by two renames, as on a file system that cannot exchange two names in one step.
pub fn replace_by_two_renames(yes: bool) {
    NO_EXCHANGE.store(yes, Ordering::SeqCst);
}

pub(crate) fn exchange_is_allowed() -> bool {
    !NO_EXCHANGE.load(Ordering::SeqCst)
}

pub(crate) fn reached(step: &'static str) {
    let hook = *HOOK.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(hook) = hook {
        hook(step);
    }
}
