//! Input files are read through `wolff_files::input` only, so that the provenance of a result names all of them.

use crate::allowed::Rule;
use crate::source::sources;

/// Crates that read no input of the product: the one that has the functions, and those outside of the product.
const EXEMPT: [&str; 5] = ["files", "testdata", "validation", "bench", "xtask"];

/// Files that read something else than input, each with its reason.
const ALLOWED: [(&str, &str); 5] = [
    ("crates/bone/src/flexible/picture.rs", "reads back an earlier result"),
    ("crates/formats/src/sto/stream.rs", "reads back the rows that it wrote"),
    ("crates/formats/src/vtk/xml.rs", "`File` is the header of a VTK file there"),
    ("crates/report/src/folder.rs", "reads back an earlier result"),
    ("crates/report/src/json.rs", "processor time, from the system"),
];

/// Calls that read the content of a file by the standard library.
const CALLS: [&str; 5] =
    ["fs::read(", "fs::read_to_string(", "File::open(", "OpenOptions::new().read(true)", "fs::copy("];

const RULE: Rule = Rule { exempt: &EXEMPT, forbids: reads, remedy: "use wolff_files::input" };

/// No crate of the product reads input by the standard library, and what is allowed is needed.
pub fn check() -> Result<(), String> {
    let found = RULE.offenders(&sources()?, &ALLOWED);
    if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
}

/// Whether a line of code reads a file by the standard library.
fn reads(line: &str) -> bool {
    let code = line.split("//").next().unwrap_or_default();
    CALLS.iter().any(|call| {
        code.match_indices(call).any(|(at, _)| {
            // `FrameFile::open(` and `offs::read(` are other functions
            !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    #[test]
    fn reading_is_told_from_other_calls() {
        for line in ["let a = std::fs::read(path)?;", "fs::read_to_string(p)", "let f = File::open(path)?;"] {
            assert!(reads(line), "{line}");
        }
        for line in
            ["input::read(path)", "// fs::read(path)", "FrameFile::open(path)", "fs::read_dir(p)", "fs::write(a, b)"]
        {
            assert!(!reads(line), "{line}");
        }
    }

    #[test]
    fn allowed_files_must_need_it() {
        let source = |package: &str| Source {
            package: package.into(),
            path: format!("crates/{package}/src/lib.rs"),
            text: "let a = fs::read(p);\n".into(),
        };
        let sources = [source("files"), source("app")];
        assert_eq!(RULE.offenders(&sources, &[]).len(), 1);
        assert!(RULE.offenders(&sources, &[("crates/app/src/lib.rs", "reason")]).is_empty());
        assert_eq!(
            RULE.offenders(&sources, &[("crates/files/src/lib.rs", ""), ("crates/app/src/lib.rs", "")]).len(),
            1
        );
    }
}
