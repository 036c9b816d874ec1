//! Reading of input files with a record of what was read, so that the provenance of a result is complete.
//!
//! Every input file of the product is read by [`read`] or [`open`], also files that are named inside other files. While
//! a [`Recorder`] exists, the files that its thread reads are recorded with their hash.

use sha2::{Digest, Sha256};
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRecord {
    /// Its path as it was opened.
    pub path: PathBuf,
    /// SHA-256 of its content, in hexadecimal digits.
    pub sha256: String,
}

/// Records of one recorder, which several threads may share.
type Records = Arc<Mutex<Vec<InputRecord>>>;

thread_local! {
    /// Records of the current recorder; `None` without one.
    static RECORDS: RefCell<Option<Records>> = const { RefCell::new(None) };
}

/// Records the input files that this thread reads, until it is finished or dropped. Other threads record into it while
/// they hold a [`Recording`] of this thread.
#[derive(Debug)]
pub struct Recorder {
    own: Records,
    /// Records of an outer recorder, which continues after this one.
    outer: Option<Records>,
}

impl Recorder {
    /// Starts to record. Recorders may be nested; an outer one also receives the files of an inner one.
    pub fn start() -> Self {
        let own = Records::default();
        Self { outer: RECORDS.replace(Some(own.clone())), own }
    }

    /// The files that were read, each path and content once, in the order of reading.
    pub fn finish(self) -> Vec<InputRecord> {
        self.so_far()
    }

    /// The files that were read until now; recording continues.
    pub fn so_far(&self) -> Vec<InputRecord> {
        locked(&self.own).clone()
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        if let Some(outer) = &self.outer {
            let mut all = locked(outer);
            self.so_far().into_iter().for_each(|record| add(&mut all, record));
        }
        RECORDS.set(self.outer.take());
    }
}

/// What the current recorder of this thread recorded until now; nothing without one.
pub fn so_far() -> Vec<InputRecord> {
    RECORDS.with_borrow(|records| records.as_ref().map(|records| locked(records).clone()).unwrap_or_default())
}

/// The recording of a thread, to be continued by threads that it starts.
#[derive(Clone, Debug)]
pub struct Recording(Option<Records>);

impl Recording {
    /// What this thread records into at present.
    pub fn current() -> Self {
        Self(RECORDS.with_borrow(Clone::clone))
    }

    /// Runs `work`, usually on another thread; the files that it reads are recorded here.
    pub fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        let _until = Replaced { before: RECORDS.replace(self.0.clone()) };
        work()
    }
}

/// Runs `work` without recording: for files that are no input, such as a cache of results.
pub fn unrecorded<T>(work: impl FnOnce() -> T) -> T {
    Recording(None).during(work)
}

/// Puts the records of a thread back when it is dropped.
struct Replaced {
    before: Option<Records>,
}

impl Drop for Replaced {
    fn drop(&mut self) {
        RECORDS.set(self.before.take());
    }
}

/// The whole content of an input file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    require_regular(path)?;
    let bytes = std::fs::read(path)?;
    if is_recording() {
        note(path, hexadecimal(&Sha256::digest(&bytes)));
    }
    Ok(bytes)
}

/// The whole content of an input file as text.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the file is not UTF-8 text"))
}

/// An input file that is read piece by piece. Its hash requires one pass over the file, while a recorder exists.
pub fn open(path: &Path) -> io::Result<File> {
    require_regular(path)?;
    let file = File::open(path)?;
    if is_recording() {
        note(path, hash_of(File::open(path)?)?);
    }
    Ok(file)
}

/// Opens an input file once more that was read by [`open`] before, without a further record.
pub fn reopen(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Refuses pipes and devices: reading one may never end, and it cannot be read twice. A folder and a missing file are
/// refused by the system itself.
fn require_regular(path: &Path) -> io::Result<()> {
    let kind = std::fs::metadata(path)?.file_type();
    match kind.is_file() || kind.is_dir() {
        true => Ok(()),
        false => {
            let message = "it is a pipe or a device, not a file; save its content to a file first";
            Err(io::Error::new(io::ErrorKind::InvalidInput, message))
        }
    }
}

fn hash_of(mut file: File) -> io::Result<String> {
    let (mut hash, mut piece) = (Sha256::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hexadecimal(&hash.finalize())),
            n => hash.update(&piece[..n]),
        }
    }
}

fn is_recording() -> bool {
    RECORDS.with_borrow(Option::is_some)
}

fn note(path: &Path, sha256: String) {
    RECORDS.with_borrow(|records| {
        if let Some(records) = records {
            add(&mut locked(records), InputRecord { path: path.to_path_buf(), sha256 });
        }
    });
}

fn locked(records: &Records) -> MutexGuard<'_, Vec<InputRecord>> {
    records.lock().unwrap_or_else(PoisonError::into_inner)
}

fn add(records: &mut Vec<InputRecord>, record: InputRecord) {
    if !records.contains(&record) {
        records.push(record);
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
