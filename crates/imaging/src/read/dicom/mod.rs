//! DICOM series: slices in a folder or an archive, put into a volume by their positions.
//!
//! Names and instance numbers of the files do not matter. Slices that are missing, doubled, unevenly spaced or of
//! another orientation or size are refused: what lies between them is not known.

pub mod element;
mod jpeg;
mod rle;
mod series;
mod slice;

use std::collections::BTreeMap;

use super::{Choice, Content};
pub use slice::Slice;

/// Reads the slices of files, each a name and its content, and puts the chosen series together. Files that are no
/// DICOM images are passed over.
pub fn read<I>(files: I, choice: &Choice) -> Result<Content, String>
where
    I: Iterator<Item = Result<(String, Vec<u8>), String>>,
{
    let mut by_series: BTreeMap<String, Vec<Slice>> = BTreeMap::new();
    let mut passed_over = 0;
    for file in files {
        let (name, bytes) = file?;
        if !element::is_dicom(&bytes) {
            passed_over += 1;
            continue;
        }
        let of_file = |message: String| format!("slice `{name}`: {message}");
        let elements = element::read(&bytes).map_err(of_file)?;
        // a series that was not chosen need not be readable
        let series = elements.text((0x0020, 0x000e)).unwrap_or_default();
        let number = elements.text((0x0020, 0x0011)).unwrap_or_default();
        if !choice.allows(&series, &number) {
            continue;
        }
        match slice::slice(&name, elements).map_err(of_file)? {
            Some(slice) => by_series.entry(slice.series.clone()).or_default().push(slice),
            None => passed_over += 1,
        }
    }
    let mut found = by_series.into_values();
    match (found.next(), found.next()) {
        (Some(slices), None) => series::volume(slices, passed_over),
        (Some(first), Some(second)) => {
            let all: Vec<Vec<Slice>> = [first, second].into_iter().chain(found).collect();
            Err(several(&all))
        }
        (None, _) if choice.is_all() => {
            Err("there is no DICOM slice in it; give the folder or archive of a CT series".into())
        }
        (None, _) => {
            Err("no slice belongs to the series that was chosen; omit the choice to get a list of them".into())
        }
    }
}

/// The message that lists several series.
fn several(all: &[Vec<Slice>]) -> String {
    let line = |slices: &Vec<Slice>| {
        let first = slices.first()?;
        let about = if first.about.is_empty() { "no description" } else { &first.about };
        Some(format!("series {} ({about}; {} slices; {})", first.number, slices.len(), first.series))
    };
    let lines: Vec<String> = all.iter().take(20).filter_map(line).collect();
    format!("it holds {} series, one must be chosen by its number or its identifier: {}", all.len(), lines.join(", "))
}
