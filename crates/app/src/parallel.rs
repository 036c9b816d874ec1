//! Independent jobs on several threads, with results in order.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use wolff_files::input::Recording;

/// Time between two calls of the watcher.
const WATCHED_EVERY: Duration = Duration::from_millis(20);

/// Number of cores.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// `job(0..count)` on so many threads, in order. The calling thread calls `watch` until all jobs are done.
pub(crate) fn in_parallel<T: Send>(
    count: usize,
    threads: usize,
    job: impl Fn(usize) -> T + Sync,
    mut watch: Option<&mut dyn FnMut()>,
) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let recording = Recording::current();
    let worker = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                return done;
            }
            done.push((i, job(i)));
        }
    };
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let threads = 0..threads.clamp(1, count.max(1));
        let workers: Vec<_> = threads.map(|_| scope.spawn(|| recording.during(worker))).collect();
        if let Some(watch) = &mut watch {
            while workers.iter().any(|worker| !worker.is_finished()) {
                watch();
                std::thread::sleep(WATCHED_EVERY);
            }
        }
        workers.into_iter().flat_map(|w| w.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, value)| value).collect()
}
