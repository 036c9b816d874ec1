//! `cargo xtask readme`: the picture of the README, drawn again from the program's own runs.

use crate::runner::{Runner, cargo};
use std::fs;
use std::path::Path;
use std::process::Command;
use wolff_formats::plot::{Curve, LinePlot};
use wolff_formats::{atomic, csv};

/// Runs of `human-sagittal`: label, Baumgarte's constant, disturbance of the initial speeds [m/s].
const CASES: [(&str, &str, &str); 4] = [
    ("disturbed start, no stabilisation", "0", "1e-3"),
    ("disturbed start, α = β = 5", "5", "1e-3"),
    ("consistent start, no stabilisation", "0", "0"),
    ("consistent start, α = β = 5", "5", "0"),
];

/// Builds, runs and draws; true when all is well.
pub fn readme() -> bool {
    let mut runner = Runner::default();
    runner.program("release build", &mut cargo(["build", "--release", "--package", "wolff-cli"]));
    let mut curves = Vec::new();
    for (label, alpha, disturbance) in CASES {
        runner.step(label, || {
            let folder = crate::target_dir().join("readme").join(format!("{alpha}-{disturbance}"));
            run(&folder, alpha, disturbance)?;
            curves.push((label, drift(&folder)?));
            Ok(())
        });
    }
    runner.step("docs/drift.svg", || {
        let plot = LinePlot {
            title: "Seven-body walk: violation of 21 constraints, RK4 with 1.45 ms",
            x_label: "time [s]",
            y_label: "norm of the violation [m, rad]",
            curves: curves.iter().map(|(label, points)| Curve { label, points }).collect(),
            log_y: true,
        };
        let path = crate::root().join("docs").join("drift.svg");
        atomic::write_file(&path, plot.to_svg().as_bytes()).map_err(|e| e.to_string())
    });
    runner.finish()
}

fn run(folder: &Path, alpha: &str, disturbance: &str) -> Result<(), String> {
    let mut run = Command::new(crate::wolff());
    run.args(["run", "human-sagittal", "--quiet", "--out"]).arg(folder);
    for (key, value) in [("alpha", alpha), ("beta", alpha), ("perturbation", disturbance)] {
        run.args(["--set", &format!("{key}={value}")]);
    }
    let status = run.status().map_err(|e| e.to_string())?;
    if status.success() { Ok(()) } else { Err(format!("wolff ended with {status}")) }
}

/// Violation over time from the run's table.
fn drift(folder: &Path) -> Result<Vec<(f64, f64)>, String> {
    let bytes = fs::read(folder.join("human-sagittal.csv")).map_err(|e| e.to_string())?;
    let table = csv::read(&bytes).map_err(|e| e.to_string())?;
    let column = |label: &str| table.column(label).ok_or(format!("no column `{label}`"));
    Ok(column("time")?.into_iter().zip(column("phi_norm")?).skip(1).collect())
}
