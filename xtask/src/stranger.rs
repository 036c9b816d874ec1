//! A crate of somebody else that uses the library `wolff`, outside of the workspace.
//!
//! Cargo resolves the manifest as it would for that person. The program itself is compiled against the library that the
//! step `build` has made: cargo would compile all crates once more, since it names compiled crates by their place
//! relative to the workspace.

use crate::process::{cargo, output_of};
use crate::{root, target_dir};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the person writes.
const PROGRAM: &str = "xtask/checks/stranger/main.rs";

/// The crate can be resolved, compiled and run.
pub fn check() -> Result<(), String> {
    let library = root().join("crates").join("wolff");
    if !library.join("Cargo.toml").is_file() {
        return Err(format!("{} is not a crate", library.display()));
    }
    let folder = target_dir().join("stranger");
    let say = |e: std::io::Error| format!("{}: {e}", folder.display());
    fs::create_dir_all(folder.join("src")).map_err(say)?;
    fs::write(folder.join("Cargo.toml"), manifest(&library)).map_err(say)?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).map_err(say)?;
    fs::copy(root().join(PROGRAM), folder.join("src").join("main.rs")).map_err(say)?;
    let resolve = ["tree", "--offline", "--quiet", "--edges", "normal"];
    output_of(cargo(resolve).current_dir(&folder))?;
    let program = compile(&folder)?;
    output_of(Command::new(program).current_dir(&folder)).map(|_| ())
}

fn manifest(library: &Path) -> String {
    format!(
        "[package]\nname = \"stranger\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         wolff = {{ path = {:?} }}\n\n[workspace]\n",
        library.display().to_string()
    )
}

/// Compiles the program against the library in `target/debug`; where it is then.
fn compile(folder: &Path) -> Result<PathBuf, String> {
    output_of(&mut cargo(["build", "--workspace", "--tests", "--lib"]))?;
    let (built, program) =
        (target_dir().join("debug"), folder.join(format!("stranger{}", std::env::consts::EXE_SUFFIX)));
    let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.args(["--edition", "2024", "-D", "warnings"]).arg(folder.join("src").join("main.rs"));
    rustc.arg("--extern").arg(format!("wolff={}", built.join("libwolff.rlib").display()));
    rustc.arg("-L").arg(format!("dependency={}", built.join("deps").display())).arg("-o").arg(&program);
    output_of(&mut rustc)?;
    Ok(program)
}

#[cfg(test)]
mod tests {
    use super::manifest;
    use std::path::Path;

    #[test]
    fn the_manifest_names_the_library() {
        let text = manifest(Path::new("crates/wolff"));
        assert!(text.contains("[dependencies]\nwolff = { path = \"crates/wolff\" }\n"), "{text}");
        assert!(text.ends_with("[workspace]\n"));
    }
}
