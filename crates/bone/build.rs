//! Identifies the code that reduces a solid to a flexible body, for the key of the cache of reductions.
//!
//! The identification follows from the sources of the crates that take part, the versions of all dependencies and the
//! target, so that two builds share reductions only if they compute the same.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// Crates whose code decides what a reduction gives.
const CRATES: [&str; 5] = ["bone", "fem", "flexbody", "numerics", "spatial"];

fn main() -> io::Result<()> {
    let crates = Path::new("..");
    let mut files = vec![crates.join("../Cargo.lock")];
    for name in CRATES {
        let folder = crates.join(name).join("src");
        println!("cargo::rerun-if-changed={}", folder.display());
        collect(&folder, &mut files)?;
    }
    println!("cargo::rerun-if-changed=../../Cargo.lock");
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        file.hash(&mut hasher);
        fs::read(&file)?.hash(&mut hasher);
    }
    for setting in ["TARGET", "OPT_LEVEL", "CARGO_CFG_TARGET_FEATURE"] {
        env::var(setting).unwrap_or_default().hash(&mut hasher);
    }
    println!("cargo::rustc-env=WOLFF_REDUCTION_CODE={:016x}", hasher.finish());
    Ok(())
}

/// All files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
