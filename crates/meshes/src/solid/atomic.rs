//! Writing a file so that nobody ever sees half of it: under a temporary name beside the target, then renamed.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;

use wolff_fem::FemError;

/// Writes what `fill` gives; packs it when the name ends in `.gz`. The old file is untouched when anything fails.
pub(super) fn write_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), FemError>,
) -> Result<(), FemError> {
    let temporary = temporary_beside(path);
    let written = write_new(&temporary, path, fill).and_then(|()| fs::rename(&temporary, path).map_err(failed(path)));
    if written.is_err() {
        // already failing: the first error is the one to report
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// The error of a failed write to `path`.
pub(super) fn failed(path: &Path) -> impl Fn(std::io::Error) -> FemError {
    let path = path.display().to_string();
    move |e| FemError::Io { action: "write", path: path.clone(), cause: e.to_string() }
}

/// The error of a failed write to a stream.
pub(super) fn stream_failed(e: std::io::Error) -> FemError {
    FemError::Io { action: "write", path: "the output".into(), cause: e.to_string() }
}

fn write_new(
    temporary: &Path,
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), FemError>,
) -> Result<(), FemError> {
    let file = OpenOptions::new().write(true).create_new(true).open(temporary).map_err(failed(path))?;
    let mut out = BufWriter::new(file);
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz")) {
        let mut packed = GzEncoder::new(&mut out, Compression::default());
        fill(&mut packed)?;
        packed.finish().map_err(failed(path))?;
    } else {
        fill(&mut out)?;
    }
    let file: File = out.into_inner().map_err(|e| failed(path)(e.into_error()))?;
    file.sync_all().map_err(failed(path))
}

fn temporary_beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    path.with_file_name(format!(".{name}.{}-{count}.tmp", std::process::id()))
}
