//! `cargo xtask bench`: speed beside other programs.

use crate::python;
use crate::runner::{Runner, cargo};
use std::path::PathBuf;
use std::process::Command;

/// Python packages of the programs we race: MuJoCo and Pinocchio.
const PEERS: &[&str] = &["mujoco", "pin", "exudyn", "scikit-fem"];
/// The same with Drake and OpenSim, which are large.
const ALL_PEERS: &[&str] = &["mujoco", "pin", "drake", "opensim", "exudyn", "scikit-fem"];

/// Builds, installs the peers, and races them; true when all is well.
pub fn bench(all: bool) -> bool {
    let mut runner = Runner::default();
    runner.program("release build", &mut cargo(["build", "--release", "--package", "wolff-cli"]));
    let python = install_peers(&mut runner, if all { ALL_PEERS } else { PEERS });
    let mut bench = Command::new(crate::wolff());
    bench.arg("bench").env("WOLFF_PEER_PYTHON", python).env("OMP_NUM_THREADS", "1");
    runner.program("wolff bench", &mut bench);
    runner.finish()
}

/// The Python of an environment under `target/peers` that has the peers.
fn install_peers(runner: &mut Runner, peers: &[&str]) -> PathBuf {
    runner.step("peers", || python::install("peers", peers).map(|_| ()));
    python::program("peers")
}
