//! Python environments under `target`, each with packages of its own.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The Python of an environment, made or not.
pub fn program(environment: &str) -> PathBuf {
    let programs = crate::target_dir().join(environment).join(if cfg!(windows) { "Scripts" } else { "bin" });
    programs.join(format!("python{}", std::env::consts::EXE_SUFFIX))
}

/// Makes an environment where there is none and installs packages from PyPI into it, nowhere else; says what is being
/// installed.
pub fn install(environment: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let python = program(environment);
    println!("{} are installed from PyPI into target/{environment}, nowhere else.", packages.join(", "));
    if !python.exists() {
        let folder = crate::target_dir().join(environment);
        finish(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    finish(Command::new(&python).args(install).args(packages))?;
    Ok(python)
}

fn finish(command: &mut Command) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("{program} cannot be started: {e}"))?;
    let last = String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_string();
    if output.status.success() { Ok(()) } else { Err(format!("{program}: {}: {last}", output.status)) }
}
