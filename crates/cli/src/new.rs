//! `wolff new`: writes a built-in study to a file that can be edited.

use crate::args::New;
use crate::failure::Failure;
use crate::{output, source};
use std::process::ExitCode;
use wolff_files::atomic;

/// Runs the command.
pub fn new(args: &New) -> Result<ExitCode, Failure> {
    let text = source::built_in(&args.study)?;
    let file = args.dir.join("study.toml");
    if file.exists() {
        return Err(Failure::Exists(file));
    }
    atomic::write_file(&file, text.as_bytes())?;
    let file = file.display();
    output::print(&format!("Wrote {file}. Edit it, then run it with:\n  wolff run {file}\n"))?;
    Ok(ExitCode::SUCCESS)
}
