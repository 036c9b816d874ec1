//! Files of contact pairs: only the `[[foundation]]` tables of a study.

use super::fields::Fields;
use super::foundation::{FoundationSpec, read_foundation};
use super::reader::Reader;
use super::{StudyDocument, node, parameters};
use crate::error::StudyError;
use std::path::Path;

/// Reads the elastic foundations of a study file or of a pair file.
///
/// A pair file has `[[foundation]]` tables as described in `docs/study-file.md`, and optionally the `[parameters]`
/// (surfaces from files are parameters with `file = "surface"`) and `[derived]` that they use; nothing else. `fixed`
/// and `moving` are then only names of frames; the caller knows their poses. Files are looked up in `base_dir`.
pub fn read_pairs(file: &str, text: &str, base_dir: &Path) -> Result<Vec<FoundationSpec>, StudyError> {
    let mut diagnostics = Vec::new();
    let root = node::parse(text, &mut diagnostics);
    if root.get("study").is_some() {
        return Ok(StudyDocument::parse_in(file, text, base_dir)?.evaluate()?.foundations);
    }
    let mut reader = Reader::new(text);
    reader.base_dir = base_dir.into();
    let foundations = read(&mut reader, &root);
    diagnostics.append(&mut reader.diagnostics);
    match foundations {
        Some(foundations) if diagnostics.is_empty() => Ok(foundations),
        _ => Err(StudyError::new(file, text, diagnostics)),
    }
}

fn read(reader: &mut Reader<'_>, root: &node::Node) -> Option<Vec<FoundationSpec>> {
    let mut fields = Fields::new(reader, root, "the pair file")?;
    let given = parameters::read_parameters(reader, fields.maybe("parameters"));
    parameters::enter(reader, &given);
    parameters::read_derived(reader, fields.maybe("derived"));
    let foundations = reader.each(fields.maybe("foundation"), "foundation", read_foundation);
    fields.finish(reader);
    Some(foundations)
}
