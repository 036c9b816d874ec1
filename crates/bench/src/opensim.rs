//! OpenSim on recorded walks, run by a Python in which it is installed.

use super::peers::python;
use serde_json::Value;
use std::ffi::OsStr;
use std::process::Command;

/// Python program that times OpenSim.
const SCRIPT: &str = include_str!("opensim_tools.py");

/// Results of OpenSim.
pub(super) struct Answer(Value);

impl Answer {
    /// Runs one task of the script.
    pub fn to<S: AsRef<OsStr>>(work: &str, arguments: impl IntoIterator<Item = S>) -> Result<Self, String> {
        let mut command = Command::new(python());
        command.args(["-c", SCRIPT, work]).args(arguments).env("OMP_NUM_THREADS", "1");
        let output = command.output().map_err(|e| format!("Python could not be started: {e}"))?;
        let last = String::from_utf8_lossy(&output.stdout).lines().last().unwrap_or_default().to_owned();
        serde_json::from_str(&last).map(Answer).map_err(|_| {
            let last_line = String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or("no answer").to_owned();
            format!("{last_line} (`cargo xtask bench --all` installs it)")
        })
    }

    /// Name and version, and the time of a frame or call \[us\].
    pub fn peer(&self) -> Option<(String, f64)> {
        Some((self.0["name"].as_str()?.to_string(), self.0["us"].as_f64()?))
    }

    /// A number; NaN where it does not exist.
    pub fn number(&self, key: &str) -> f64 {
        self.0[key].as_f64().unwrap_or(f64::NAN)
    }

    /// An entry of an object of numbers.
    pub fn entry(&self, key: &str, name: &str) -> f64 {
        self.0[key][name].as_f64().unwrap_or(f64::NAN)
    }

    /// A list of numbers.
    pub fn numbers(&self, key: &str) -> Vec<f64> {
        let list = self.0[key].as_array().map(Vec::as_slice).unwrap_or_default();
        list.iter().map(|x| x.as_f64().unwrap_or(f64::NAN)).collect()
    }

    /// The column of a table that has `names` and `rows`; `None` if no column has that name.
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let at = self.0["names"].as_array()?.iter().position(|n| n.as_str() == Some(name))?;
        Some(self.0["rows"].as_array()?.iter().map(|row| row[at].as_f64().unwrap_or(f64::NAN)).collect())
    }
}
