//! What a run may cost: its time limit, requests to stop it, and an early end where the limit cannot be met.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use wolff_multibody::simulation::Interrupt;

/// Limits of one simulation.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Wall-clock time that it may take; `None`: no limit.
    pub max_time: Option<Duration>,
    /// Asked during the simulation whether the user requests its end.
    pub stop: fn() -> bool,
}

/// No limit and no requests.
impl Default for Budget {
    fn default() -> Self {
        Budget { max_time: None, stop: || false }
    }
}

/// The rate of a run is judged from here on \[s\]: the start of a run, with short steps, is over by then.
const FIRST_ESTIMATE: f64 = 8.0;

/// Rates are measured over this time \[s\]; the highest one counts.
const WINDOW: f64 = 2.0;

/// A run that ends when it has come to rest usually ends long before its duration; this part of it counts.
const PART_UNTIL_REST: f64 = 0.05;

/// The clock of a running simulation.
#[derive(Clone)]
pub struct Clock(Arc<Shared>);

struct Shared {
    budget: Budget,
    start: Instant,
    /// Simulated time to reach \[s\].
    goal: f64,
    /// Bits of the simulated time reached \[s\].
    reached: AtomicU64,
    stopped: AtomicBool,
    window: Mutex<Window>,
}

/// Start of the present window, and the highest rate so far in simulated seconds per second.
struct Window {
    wall: f64,
    t: f64,
    rate: f64,
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let reached = f64::from_bits(self.0.reached.load(Ordering::Relaxed));
        f.debug_struct("Clock").field("reached", &reached).field("goal", &self.0.goal).finish_non_exhaustive()
    }
}

impl Clock {
    /// Starts now, for a run of this duration \[s\]; one until rest may end before.
    pub fn start(budget: Budget, duration: f64, until_rest: bool) -> Self {
        Clock(Arc::new(Shared {
            budget,
            start: Instant::now(),
            goal: if until_rest { PART_UNTIL_REST * duration } else { duration },
            reached: AtomicU64::new(0.0_f64.to_bits()),
            stopped: AtomicBool::new(false),
            window: Mutex::new(Window { wall: 0.0, t: 0.0, rate: 0.0 }),
        }))
    }

    /// The simulation has reached time `t` \[s\].
    pub fn reached(&self, t: f64) {
        self.0.reached.store(t.to_bits(), Ordering::Relaxed);
    }

    /// Whether the user has stopped the run.
    pub fn stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Why the simulation must end now, if it must: a request of the user, or its time limit.
    pub fn reason_to_end(&self) -> Option<String> {
        self.0.reason_to_end()
    }

    /// The question for the simulation.
    pub(super) fn interrupt(&self) -> Interrupt {
        let shared = Arc::clone(&self.0);
        Interrupt::new(move |_| shared.reason_to_end())
    }
}

impl Shared {
    fn reason_to_end(&self) -> Option<String> {
        if (self.budget.stop)() {
            self.stopped.store(true, Ordering::Relaxed);
            return Some("the run was stopped".into());
        }
        let limit = self.budget.max_time?.as_secs_f64();
        let elapsed = self.start.elapsed().as_secs_f64();
        if elapsed >= limit {
            let limit = human(limit);
            return Some(format!("the run reached its time limit of {limit}; `--max-time SECONDS` allows more"));
        }
        let whole = self.estimate(elapsed)?;
        (whole > limit).then(|| {
            let whole = if whole.is_finite() {
                format!("at this rate the run takes {}", human(whole))
            } else {
                format!("no step was completed in {}", human(elapsed))
            };
            let limit = human(limit);
            format!("{whole}, more than its time limit of {limit}; `--max-time SECONDS` allows more")
        })
    }

    /// Estimate of the wall-clock time of the whole run \[s\], at the end of each window.
    fn estimate(&self, elapsed: f64) -> Option<f64> {
        let mut window = self.window.try_lock().ok()?;
        if elapsed - window.wall < WINDOW {
            return None;
        }
        let t = f64::from_bits(self.reached.load(Ordering::Relaxed));
        let rate = window.rate.max((t - window.t) / (elapsed - window.wall));
        *window = Window { wall: elapsed, t, rate };
        (elapsed >= FIRST_ESTIMATE).then(|| elapsed + (self.goal - t).max(0.0) / rate)
    }
}

/// A time in words, from seconds to years.
fn human(seconds: f64) -> String {
    const UNITS: [(f64, &str); 4] = [(3.156e7, "years"), (86_400.0, "days"), (3600.0, "hours"), (60.0, "minutes")];
    match UNITS.iter().find(|(unit, _)| seconds >= 2.0 * unit) {
        Some((unit, name)) if seconds / unit >= 1e4 => format!("{:.1e} {name}", seconds / unit),
        Some((unit, name)) => format!("{:.0} {name}", seconds / unit),
        None if seconds < 2.0 => format!("{seconds:.1} s"),
        None => format!("{seconds:.0} s"),
    }
}
