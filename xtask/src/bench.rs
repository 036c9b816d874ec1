//! `cargo xtask bench`: speed beside other programs.

use crate::process::cargo;
use crate::python;
use crate::runner::{self, Step};
use std::process::Command;

/// Python packages of the programs we race: MuJoCo and Pinocchio.
const PEERS: &[&str] = &["mujoco", "pin", "exudyn", "scikit-fem"];
/// Python packages of meshers, each installed by itself: one that is absent does not stop the others.
const MESHERS: &[&str] = &["numpy", "gmsh", "tetgen", "pyvista", "pytetwild", "netgen-mesher", "mmgpy"];
/// The same with Drake and OpenSim, which are large.
const ALL_PEERS: &[&str] = &["mujoco", "pin", "drake", "opensim", "exudyn", "scikit-fem"];

/// Builds, installs the peers into an environment under `target/peers`, and races them with options of `wolff-bench`;
/// true when all is well.
pub fn bench(all: bool, options: &[&str]) -> bool {
    let peers = if all { ALL_PEERS } else { PEERS };
    let mut bench = Command::new(crate::released("wolff-bench"));
    bench.args(options).current_dir(crate::root());
    bench.env("WOLFF_PEER_PYTHON", python::program("peers")).env("OMP_NUM_THREADS", "1");
    let meshes = options.windows(2).all(|pair| pair[0] != "--only" || "mesh".contains(pair[1]));
    let meshers: Vec<&str> = if meshes { MESHERS.to_vec() } else { Vec::new() };
    // `wolff-bench` names what is missing
    let install_meshers = move || {
        meshers.iter().for_each(|package| _ = python::install("peers", &[package]));
        Ok(())
    };
    runner::run(vec![
        Step::program("release build", cargo(["build", "--release", "--package", "wolff-bench"])),
        Step::check("peers", || python::install("peers", peers).map(|_| ())),
        Step::check("meshers", install_meshers),
        Step::program("races", bench),
    ])
}
