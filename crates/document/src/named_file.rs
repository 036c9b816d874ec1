//! Files that a study only names: models, recordings and scans. The code that uses them reads them.

use super::data_file::{Refusal, named, read_bytes};
use super::reader::Reader;
use std::ops::Range;
use std::path::{Path, PathBuf};
use wolff_report::folder::{base_name, sha256};
use wolff_report::outcome::InputFile;

/// A file that exists.
#[derive(Debug)]
pub(crate) struct NamedFile {
    /// Description of the file for the outcome.
    pub input: InputFile,
    /// Path of the file.
    pub path: PathBuf,
}

/// Finds the file that a parameter names, relative to the reader's folder; `None` where the path is empty.
pub(crate) fn load(reader: &mut Reader<'_>, parameter: &str, path: &str, span: &Range<usize>) -> Option<()> {
    let file = named(reader, (parameter, path), span, read)?;
    reader.given.named.insert(parameter.into(), file);
    Some(())
}

/// As [`load`], for a scan, which may be a folder of slices.
pub(crate) fn load_scan(reader: &mut Reader<'_>, parameter: &str, path: &str, span: &Range<usize>) -> Option<()> {
    let file = named(reader, (parameter, path), span, read_scan)?;
    reader.given.named.insert(parameter.into(), file);
    Some(())
}

fn read_scan(parameter: &str, path: &Path, shown: &str) -> Result<NamedFile, Refusal> {
    if !path.is_dir() {
        return read(parameter, path, shown);
    }
    let refused = |e: std::io::Error| (format!("cannot read the folder `{shown}`: {e}"), None);
    let entries = std::fs::read_dir(path).map_err(refused)?.collect::<Result<Vec<_>, _>>().map_err(refused)?;
    let mut files: Vec<PathBuf> = entries.iter().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    files.sort();
    let mut hashes = String::new();
    for file in &files {
        hashes += &sha256(&read_bytes(file, &file.display().to_string())?);
    }
    let (name, sha256) = (base_name(shown), sha256(hashes.as_bytes()));
    Ok(NamedFile {
        input: InputFile { parameter: parameter.into(), name, sha256, remarks: Vec::new() },
        path: path.into(),
    })
}

fn read(parameter: &str, path: &Path, shown: &str) -> Result<NamedFile, Refusal> {
    let sha256 = sha256(&read_bytes(path, shown)?);
    let input = InputFile { parameter: parameter.into(), name: base_name(shown), sha256, remarks: Vec::new() };
    Ok(NamedFile { input, path: path.into() })
}
