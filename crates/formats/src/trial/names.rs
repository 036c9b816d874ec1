//! Names of markers with the name of the subject in front, as in `Subject:RASI`.

use std::collections::BTreeSet;

/// Names without what stands before the last colon, and a remark if there was any; unchanged where names would not stay
/// unique.
pub(crate) fn without_subjects(names: Vec<String>) -> (Vec<String>, Option<String>) {
    let bare = |name: &String| name.rsplit_once(':').map_or(name.as_str(), |(_, rest)| rest).trim().to_string();
    let short: Vec<String> = names.iter().map(bare).collect();
    let subjects: BTreeSet<&str> = names.iter().filter_map(|n| n.rsplit_once(':')).map(|(s, _)| s.trim()).collect();
    let distinct: BTreeSet<&String> = short.iter().collect();
    if subjects.is_empty() || distinct.len() < short.len() || short.iter().any(String::is_empty) {
        return (names, None);
    }
    let count = names.iter().filter(|n| n.contains(':')).count();
    let subjects: Vec<String> = subjects.iter().map(|s| format!("`{s}:`")).collect();
    (short, Some(format!("{} was removed from the names of {count} markers", subjects.join(", "))))
}
