//! Search of the requested study.

use crate::failure::Failure;
use std::path::{Path, PathBuf};
use wolff_files::input;
use wolff_formula::suggest::suggest;
use wolff_study::BUILTIN;

/// The text of a study and its origin.
pub struct Source {
    /// Name in messages: the path as given, or the built-in name with `.toml`.
    pub file: String,
    /// The TOML.
    pub text: String,
    /// Folder to which paths in the study are relative.
    pub base_dir: PathBuf,
}

/// The study file at this path, or the built-in study of this name. A file without the ending `.toml` does not hide the
/// built-in study of the same name.
pub fn find(name: &str) -> Result<Source, Failure> {
    let path = Path::new(name);
    let built_in = built_in(name);
    if path.extension().is_some_and(|e| e == "toml") || (built_in.is_err() && path.is_file()) {
        let text = input::read_to_string(path).map_err(|cause| Failure::Unreadable { path: path.into(), cause })?;
        let base_dir = path.parent().map(Path::to_path_buf).unwrap_or_default();
        return Ok(Source { file: name.into(), text, base_dir });
    }
    Ok(Source { file: format!("{name}.toml"), text: built_in?.into(), base_dir: PathBuf::new() })
}

/// The text of the built-in study of this name.
pub fn built_in(name: &str) -> Result<&'static str, Failure> {
    wolff_study::builtin(name).ok_or_else(|| {
        let help = suggest(name, BUILTIN.iter().map(|(name, _)| *name));
        Failure::UnknownStudy { name: name.into(), help: help.unwrap_or_default() }
    })
}
