//! Writing a file so that nobody ever sees half of it: in a temporary folder beside the target, then renamed.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use wolff_fem::FemError;
use wolff_files::atomic::Staging;

/// Name of the file under construction.
const NEW: &str = "mesh";

/// Writes what `fill` gives; packs it when the name ends in `.gz`. The old file is untouched when anything fails, and
/// what a killed process left is removed by the next one.
pub(super) fn write_file(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), FemError>,
) -> Result<(), FemError> {
    // a folder that does not exist is a mistake of the name
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::metadata(parent).map_err(failed(path))?;
    let staging = Staging::beside(path).map_err(failed(path))?;
    write_new(&staging.path().join(NEW), path, fill).map_err(|error| named(error, path))?;
    staging.place(NEW, path).map_err(failed(path))
}

/// The error of a failed write to `path`.
pub(super) fn failed<E: std::error::Error>(path: &Path) -> impl Fn(E) -> FemError {
    let path = path.display().to_string();
    // the cause alone, where the error names a temporary file
    move |e| FemError::Io {
        action: "write",
        path: path.clone(),
        cause: e.source().map_or(e.to_string(), |c| c.to_string()),
    }
}

/// The error of a failed write to a stream.
pub(super) fn stream_failed(e: std::io::Error) -> FemError {
    FemError::Io { action: "write", path: STREAM.into(), cause: e.to_string() }
}

/// What is written, where the writer does not know its file.
const STREAM: &str = "the output";

/// The error with the name of the file in place of the stream.
fn named(error: FemError, path: &Path) -> FemError {
    match error {
        FemError::Io { action, path: of, cause } if of == STREAM => {
            FemError::Io { action, path: path.display().to_string(), cause }
        }
        other => other,
    }
}

fn write_new(
    new: &Path,
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), FemError>,
) -> Result<(), FemError> {
    let mut out = BufWriter::new(File::create_new(new).map_err(failed(path))?);
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
