//! `wolff new`: writes a built-in study to a file that can be edited.

use crate::args::New;
use crate::failure::Failure;
use crate::{output, source};
use serde_json::json;
use std::process::ExitCode;
use wolff_files::atomic;
use wolff_report::json::Stopwatch;

/// Runs the command.
pub fn new(args: &New) -> Result<ExitCode, Failure> {
    let watch = Stopwatch::start();
    let text = source::built_in(&args.study)?;
    let file = args.dir.join("study.toml");
    if file.exists() {
        return Err(Failure::Exists(file));
    }
    atomic::write_file(&file, text.as_bytes())?;
    if args.json {
        let results = json!({ "study": args.study, "file": file.display().to_string() });
        output::print_json(&output::command_json("new", "ok", results, &watch.stop(0.0)))?;
        return Ok(ExitCode::SUCCESS);
    }
    let file = file.display();
    output::print(&format!("Wrote {file}. Edit it, then run it with:\n  wolff run {file}\n"))?;
    Ok(ExitCode::SUCCESS)
}
