//! Modes chosen by the strain energy of a run, and fields of strain along it.

use std::fs;
use std::path::{Path, PathBuf};
use wolff_report::folder::{Provenance, write_run_folder};
use wolff_report::json::Timing;
use wolff_report::outcome::Outcome;
use wolff_study::document::StudyDocument;
use wolff_study::run;

/// A tube held at one end that a force along x bends at the other.
fn text(flexible: &str, rest: &str) -> String {
    format!(
        r#"
study = "tube"
title = "A tube"
about = "held at one end"
[[body]]
name = "shank"
[body.flexible]
kind = "bone"
bone = "tube"
fixed_modes = 4
damping_ratio = 0.2
{flexible}
gauges = {{ front = {{ landmark = "anterior", fraction = 0.5 }} }}
[[joint]]
name = "weld"
kind = "weld"
parent = "ground"
child = "shank.proximal"
[[force]]
name = "load"
kind = "point-force"
on = "shank.distal"
force = [100, 0, 0]
[integrator]
method = "bdf"
rtol = 1e-6
duration = 0.02
[output]
interval = 0.001
[[measure]]
name = "front_microstrain"
kind = "strain"
of = "shank.front"
component = "axial"
[results]
strain = "final(front_microstrain)"
{rest}
"#
    )
}

fn outcome(flexible: &str, rest: &str) -> Outcome {
    let text = text(flexible, rest);
    run("tube", &text, Path::new(""), &[], &mut |_| {}).unwrap_or_else(|e| panic!("{e}"))
}

fn error(flexible: &str, rest: &str) -> String {
    StudyDocument::parse("tube", &text(flexible, rest)).expect_err("an error").to_string()
}

/// A transverse force requires bending modes only; the table shows this, and the strain is unchanged.
#[test]
fn modes_are_kept_by_the_strain_energy_of_the_run() {
    let (all, few) = (outcome("", ""), outcome("strain_energy = 0.999", ""));
    let table = few.results["shank.modes"].as_array().expect("a table").clone();
    assert!(!all.results.contains_key("shank.modes"));
    let shares: Vec<f64> = table.iter().map(|row| row["strain_energy_share"].as_f64().unwrap()).collect();
    let kept: Vec<bool> = table.iter().map(|row| row["kept"] == "yes").collect();
    assert_eq!(shares.len(), 10);
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    let held: f64 = shares.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(share, _)| share).sum();
    assert!(held >= 0.999, "{held}");
    let count = kept.iter().filter(|kept| **kept).count();
    // torsion, stretch and what else a force across does not stir
    assert!((1..8).contains(&count), "{table:?}");
    let strain = |outcome: &Outcome| outcome.results["strain"].as_f64().unwrap();
    // a thousandth of the energy is three hundredths of an amplitude
    assert!((strain(&few) / strain(&all) - 1.0).abs() < 0.03, "{} {}", strain(&few), strain(&all));
    assert!(error("strain_energy = 1.5", "").contains("strain_energy"));
}

/// Files at the requested instants, listed in the folder; a second run gives the same bytes.
#[test]
fn fields_of_a_run_are_written_with_it() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("modal-fields");
    let _ = fs::remove_dir_all(&folder);
    let outcome = outcome("modes = 4", "[[field]]\nbody = \"shank\"\ntimes = [0, 0.0105, 0.02]");
    let timing = Timing { cpu_s: 0.0, wall_s: 0.0, simulated_s: 0.02, parts_cpu_s: Vec::new() };
    write_run_folder(&folder, &outcome, &Provenance::new("tube.toml", "", &[]), &timing).unwrap();
    let index = fs::read_to_string(folder.join("shank.pvd")).unwrap();
    for (time, file) in [("0", "shank-0000.vtu"), ("0.0105", "shank-0001.vtu"), ("0.02", "shank-0002.vtu")] {
        assert!(index.contains(&format!("timestep=\"{time}\" part=\"0\" file=\"{file}\"")), "{index}");
        let field = fs::read_to_string(folder.join(file)).unwrap();
        assert!(field.contains("displacement [m]") && field.contains("largest principal strain"));
    }
    let provenance = fs::read_to_string(folder.join("provenance.json")).unwrap();
    assert!(provenance.contains("shank-0002.vtu"));
    let _ = fs::remove_dir_all(&folder);
    // what is drawn is what the gauge measures: the state at the end strains its place as the gauge says
    let (_, eta) = outcome.fields[0].states.last().unwrap();
    let surface = &outcome.fields[0].surface;
    let strains = surface.strains(eta);
    let largest = strains.chunks_exact(6).map(|e| e[1].abs()).fold(0.0, f64::max);
    let gauge = 1e-6 * outcome.results["strain"].as_f64().unwrap().abs();
    assert!(largest > gauge && largest < 10.0 * gauge, "{largest} {gauge}");
}

#[test]
fn fields_without_a_surface_are_refused() {
    let field = |rest: &str| format!("[[field]]\nbody = \"shank\"\n{rest}");
    assert!(error("", "[[field]]\nbody = \"thigh\"").contains("there is no flexible body of this name"));
    assert!(error("way = \"rigid\"", &field("")).contains("floating-frame"));
    assert!(error("", &field("times = [0.5]")).contains("the run ends at 0.02 s"));
    assert!(error("", &field("interval = 1e-6")).contains("at most 1000 instants"));
}
