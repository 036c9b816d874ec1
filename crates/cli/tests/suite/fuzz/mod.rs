//! Mutated files through every reader of the program: a value or an error, in bounded time and memory, and no value
//! that is not a number without a word.
//!
//! A few hundred files by default; `WOLFF_FUZZ_FILES=100000` (as `cargo xtask fuzz` sets it) asks for more. A file that
//! is not survived is kept in the folder for temporary files of tests.

mod images;
mod readers;
mod seeds;

use readers::READERS;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use wolff_testdata::mutation::Mutator;

/// Number of files without an environment variable.
const FEW: usize = 1200;
/// A reader that takes longer for a file hangs.
const LONGEST: Duration = Duration::from_secs(20);
/// Memory that a reader may take for any file, and per byte of the file. Numbers of one digit and a space become 8
/// bytes, several times over in growing lists; models are trees of small objects.
const MEMORY: u64 = 64 << 20;
const MEMORY_PER_BYTE: u64 = 2000;

/// A reader and the files it starts from.
pub struct Reader {
    pub name: &'static str,
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Reads, uses what was read, and says what is wrong with a value that was accepted.
    pub read: fn(&[u8], &Path) -> Result<(), String>,
}

/// What is being read and since when; ends the process when it takes too long.
struct Watch {
    current: Arc<Mutex<(String, Instant)>>,
    done: Arc<AtomicBool>,
}

impl Watch {
    fn start() -> Self {
        let current = Arc::new(Mutex::new((String::new(), Instant::now())));
        let done = Arc::new(AtomicBool::new(false));
        let (seen, ended) = (current.clone(), done.clone());
        std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(200));
                let (what, since) = seen.lock().unwrap().clone();
                if !what.is_empty() && since.elapsed() > LONGEST {
                    eprintln!("{what} takes longer than {LONGEST:?}");
                    std::process::abort();
                }
            }
        });
        Watch { current, done }
    }

    fn now(&self, what: String) {
        *self.current.lock().unwrap() = (what, Instant::now());
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// A folder of the running test alone: tests run at the same time, and each removes what it wrote.
fn folder() -> PathBuf {
    let thread = std::thread::current();
    let test = thread.name().and_then(|name| name.rsplit("::").next()).unwrap_or("main");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{test}"));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What is wrong when this file is read; `None` if nothing is.
fn problem(reader: &Reader, bytes: &[u8], place: &Path) -> Option<String> {
    let mut found = Ok(());
    let survived = catch_unwind(AssertUnwindSafe(|| {
        allocation_counter::measure(|| found = (reader.read)(bytes, place)).bytes_max
    }));
    let limit = MEMORY + MEMORY_PER_BYTE * bytes.len() as u64;
    match (survived, found) {
        (Err(panic), _) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
            Some(format!("panics: {}", text.unwrap_or_default()))
        }
        (Ok(_), Err(why)) => Some(why),
        (Ok(memory), _) if memory > limit => Some(format!("takes {} MB for {} bytes", memory >> 20, bytes.len())),
        _ => None,
    }
}

/// Gives `count` mutated files to a reader; returns what went wrong, each kind once.
fn torment(reader: &Reader, number: usize, count: usize, watch: &Watch) -> Vec<String> {
    let folder = folder();
    let seeds = (reader.seeds)();
    assert!(!seeds.is_empty(), "{} has no file to start from", reader.name);
    // so that the mutated copies begin as something the reader understands
    let place = folder.join(format!("input-{}", reader.name.replace('/', "-")));
    let mut found: Vec<String> = Vec::new();
    for round in 0..count {
        let mut mutator = Mutator::new((number as u64) << 40 | round as u64);
        let seed = &seeds[round % seeds.len()];
        let other = &seeds[mutator.below(seeds.len())];
        let bytes = mutator.damaged(seed, other);
        watch.now(format!("{} round {round}", reader.name));
        if let Some(why) = problem(reader, &bytes, &place) {
            let is_new = !found.iter().any(|known| known.split(": ").nth(2) == why.split(": ").nth(1));
            if is_new && found.len() < 20 {
                std::fs::write(folder.join(format!("failed-{}-{round}", reader.name.replace('/', "-"))), &bytes)
                    .unwrap();
                found.push(format!("{} round {round}: {why}", reader.name));
            }
        }
    }
    watch.now(String::new());
    let _ = std::fs::remove_file(place);
    found
}

#[test]
fn mutated_files_are_read_or_refused() {
    let asked = std::env::var("WOLFF_FUZZ_FILES").ok().and_then(|n| n.parse().ok());
    let each = asked.unwrap_or(FEW).div_ceil(READERS.len());
    let watch = Watch::start();
    let mut found = Vec::new();
    for (number, reader) in READERS.iter().enumerate() {
        let start = Instant::now();
        let wrong = torment(reader, number, each, &watch);
        if asked.is_some() {
            eprintln!("{:<12} {each} files, {} problems, {:.1?}", reader.name, wrong.len(), start.elapsed());
        }
        found.extend(wrong);
    }
    assert!(found.is_empty(), "{} problems:\n{}", found.len(), found.join("\n"));
}

#[test]
fn seeds_are_understood() {
    // a reader that refuses everything would pass the test above without being tested
    for reader in READERS.iter().filter(|reader| !reader.name.ends_with('?')) {
        let place = folder().join(format!("seed-{}", reader.name.replace('/', "-")));
        let fine = (reader.seeds)().iter().filter(|seed| readers::is_understood(reader.name, seed, &place)).count();
        assert!(fine > 0, "no file to start from is understood by {}", reader.name);
        let _ = std::fs::remove_file(place);
    }
}
