//! A walk checked from its files by programs that share no code with ours.

use crate::count::count_verdicts;
use crate::python;
use crate::runner::Tally;
use std::process::Command;

/// What the checks are written with.
const PACKAGES: [&str; 4] = ["numpy", "scipy", "scikit-fem", "meshio"];

/// The checks: what they show, and their script in `xtask/checks`.
const CHECKS: [(&str, &str); 2] = [
    ("balance of the bending tibia, by numpy", "check_balance.py"),
    ("strains of the bending tibia, by scikit-fem", "check_strain.py"),
];

/// Walks and checks; without Python or its packages says so.
pub fn checks(tally: &mut Tally) {
    let python = match python::install("checks", &PACKAGES) {
        Ok(python) => python,
        Err(why) => return CHECKS.iter().for_each(|(name, _)| tally.skip(name, &why)),
    };
    let folder = crate::target_dir().join("checks").join("walk");
    let mut run = Command::new(crate::tested_wolff());
    run.args(["run", "walk", "--quiet", "--no-sensitivity", "--out"]).arg(&folder);
    tally.program("wolff run walk, with the loads on its bone", &mut run);
    for (name, script) in CHECKS {
        let script = crate::root().join("xtask").join("checks").join(script);
        tally.counting_program(name, Command::new(&python).arg(script).arg(&folder), count_verdicts);
    }
}
