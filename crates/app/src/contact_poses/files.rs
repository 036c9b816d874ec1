//! The folder of results.
//!
//! | file | content |
//! |---|---|
//! | `contact.sto`, `contact.csv` | all quantities of all poses |
//! | `summary.json` | inputs, differences from a record, list of files |
//! | `NAME_ROW.vtu`, `NAME.pvd` | pressures on the elements, for ParaView |
//! | `pressure.svg` | the last pressure map as a picture |

use super::evaluate::Evaluation;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use wolff_files::atomic::{self, File};
use wolff_formats::sto::{self, Storage};
use wolff_formats::{FormatError, csv};
use wolff_report::pressure::{PosedContact, map_files};

const SUMMARY: &str = "summary.json";
const PROGRAM: &str = "wolff contact";

/// Writes the folder completely or not at all. A folder of an earlier run is replaced; any other folder that is not
/// empty is refused. `summary` is a JSON object.
pub fn write_contact_folder(
    folder: &Path,
    title: &str,
    contacts: &[PosedContact],
    found: &Evaluation,
    summary: &Value,
) -> Result<(), FormatError> {
    let storage =
        Storage { name: "contact".into(), in_degrees: false, table: found.table.clone(), remarks: Vec::new() };
    let mut files = vec![
        File { name: "contact.sto".into(), bytes: sto::write(&storage)?.into_bytes() },
        File { name: "contact.csv".into(), bytes: csv::write(&found.table).into_bytes() },
    ];
    files.extend(map_files(contacts, &found.maps, title)?);
    let names: Vec<&str> = files.iter().map(|f| f.name.as_str()).chain([SUMMARY]).collect();
    let whole = json!({ "program": PROGRAM, "files": names, "result": summary });
    files.push(File { name: SUMMARY.into(), bytes: format!("{whole:#}\n").into_bytes() });
    Ok(atomic::write_folder(folder, &files, &written_before)?)
}

/// Checks before the computation whether [`write_contact_folder`] can write to the folder.
pub fn check_contact_folder(folder: &Path) -> Result<(), FormatError> {
    Ok(atomic::check_replaceable(folder, &written_before)?)
}

fn written_before(folder: &Path) -> Option<Vec<String>> {
    let text = fs::read_to_string(folder.join(SUMMARY)).ok()?;
    let summary: Value = serde_json::from_str(&text).ok()?;
    if summary.get("program")?.as_str()? != PROGRAM {
        return None;
    }
    summary.get("files")?.as_array()?.iter().map(|name| name.as_str().map(String::from)).collect()
}
