//! Other engines on the same chain, run by a Python in which they are installed.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Python program that times one engine and prints a JSON object.
const SCRIPT: &str = include_str!("peers.py");

/// Engines and the Python packages that contain them.
const PEERS: [(&str, &str); 4] =
    [("MuJoCo", "mujoco"), ("Pinocchio", "pin"), ("Drake", "drake"), ("OpenSim", "opensim")];

/// Results of an engine.
pub(super) struct PeerResult {
    /// Name and version.
    pub name: String,
    pub forward_us: f64,
    pub inverse_us: f64,
    pub mass_matrix_us: Option<f64>,
    /// Accelerations of the hinges without applied torques.
    pub accelerations: Vec<f64>,
    /// Torques of the hinges without accelerations.
    pub torques: Vec<f64>,
}

/// Runs every available engine; remarks state which are not available.
pub(super) fn run(remarks: &mut Vec<String>) -> Vec<PeerResult> {
    let python = python();
    let mut results = Vec::new();
    for (name, package) in PEERS {
        match measure(&python, package) {
            Ok(result) => results.push(result),
            Err(reason) => remarks.push(format!(
                "{name} was not measured: {reason} (`cargo xtask bench --all` installs the other programs; or \
                 set WOLFF_PEER_PYTHON to a Python with `{package}`)"
            )),
        }
    }
    results
}

/// `WOLFF_PEER_PYTHON`, or the environment created by `cargo xtask bench`, or `python3`.
pub(super) fn python() -> PathBuf {
    let made = PathBuf::from("target/peers/bin/python");
    match std::env::var_os("WOLFF_PEER_PYTHON") {
        Some(path) => path.into(),
        None if made.exists() => made,
        None => "python3".into(),
    }
}

fn measure(python: &PathBuf, package: &str) -> Result<PeerResult, String> {
    let output = Command::new(python)
        .args(["-c", SCRIPT, package])
        .env("OMP_NUM_THREADS", "1")
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .map_err(|e| format!("{} could not be started: {e}", python.display()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(text.lines().last().unwrap_or("it failed without a message").trim().to_string());
    }
    parse(&String::from_utf8_lossy(&output.stdout)).ok_or_else(|| "its answer could not be read".to_string())
}

fn parse(text: &str) -> Option<PeerResult> {
    let answer: serde_json::Value = serde_json::from_str(text.lines().last()?).ok()?;
    let numbers = |key: &str| answer[key].as_array()?.iter().map(serde_json::Value::as_f64).collect::<Option<Vec<_>>>();
    Some(PeerResult {
        name: answer["name"].as_str()?.to_string(),
        forward_us: answer["forward_us"].as_f64()?,
        inverse_us: answer["inverse_us"].as_f64()?,
        mass_matrix_us: answer["mass_matrix_us"].as_f64(),
        accelerations: numbers("accelerations")?,
        torques: numbers("torques")?,
    })
}
