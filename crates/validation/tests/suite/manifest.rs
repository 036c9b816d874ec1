//! Recorded trials that are absent.

use std::path::Path;
use wolff_validation::manifest::{SOURCES, describe, missing};

/// Every absent folder is named with its origin and licence.
#[test]
fn what_is_absent_is_named_with_its_origin() {
    let nowhere = Path::new("nowhere");
    let absent = missing(nowhere);
    assert_eq!(absent.len(), SOURCES.len());
    let text = describe(nowhere, &absent);
    for source in SOURCES {
        assert!(text.contains(source.folder) && text.contains(source.origin) && text.contains(source.licence));
    }
    assert!(text.contains("nowhere") && text.contains("--allow-missing"));
}
