//! The ways to flexibility, held against each other on the built-in study `shank-ways`.

use std::path::Path;
use wolff_report::outcome::Outcome;

/// Mesh against mesh: the floating frame and the whole mesh differ by truncated modes and by what is left of vibration.
const MESHES: f64 = 0.02;

/// Beam against mesh: plane sections with the shear coefficient of thin tubes, and the surface strain of a mesh one
/// element thick.
const BEAM: f64 = 0.05;

fn text() -> &'static str {
    wolff_study::builtin("shank-ways").expect("built in")
}

fn run(text: &str, set: &[(&str, &str)]) -> Outcome {
    let set: Vec<(String, String)> = set.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    wolff_study::run("shank-ways", text, Path::new("."), &set, &mut |_| {}).unwrap_or_else(|e| panic!("{set:?}: {e}"))
}

fn result(outcome: &Outcome, name: &str) -> f64 {
    outcome.results.get(name).and_then(|v| v.as_f64()).unwrap_or(f64::NAN)
}

/// Peak bending strain by each way: floating frame, segments, quasi-static, elastodynamic.
fn peaks(text: &str, set: &[(&str, &str)]) -> [f64; 4] {
    ["floating-frame", "segments", "quasi-static", "elastodynamic"].map(|way| {
        let set: Vec<_> = set.iter().copied().chain([("way", way)]).collect();
        result(&run(text, &set), "bending_peak_microstrain")
    })
}

fn assert_near(value: f64, reference: f64, relative: f64, what: &str) {
    assert!((value - reference).abs() < relative * reference, "{what}: {value}, not {reference}");
}

/// A pulse of 10 ms, eight periods of the free tube: all ways give the strain of beam theory.
#[test]
fn slow_pulses_are_the_same_by_all_ways() {
    let [floating, segments, still, vibrating] =
        peaks(text(), &[("pulse", "10 ms"), ("duration", "10 ms"), ("rows", "200")]);
    assert_near(floating, still, MESHES, "floating frame and quasi-static");
    assert_near(vibrating, still, MESHES, "elastodynamic and quasi-static");
    assert_near(segments, still, BEAM, "segments and quasi-static");
    // (m/8)/(m/3 + m_foot) F L/2 r/(E I)
    assert_near(still, 40.728, BEAM, "quasi-static and beam theory");
}

/// The tube loose in its plane and without a foot, struck for 1 ms: the loads are given, so the whole mesh vibrates as
/// the reduced one does, and the quasi-static strain is far off.
#[test]
fn given_fast_loads_make_the_mesh_vibrate_as_its_modes() {
    let loose = text()
        .replace("kind = \"pin\"\naxis = [0, 0, 1]\n", "kind = \"planar\"\n")
        .replace("kind = \"coordinate\"\nof = \"knee\"", "kind = \"coordinate\"\nof = \"knee.angle\"");
    assert_ne!(loose, text());
    let [floating, segments, still, vibrating] =
        peaks(&loose, &[("pulse", "1 ms"), ("duration", "2 ms"), ("rows", "150"), ("foot_mass", "1e-6")]);
    assert_near(vibrating, floating, MESHES, "elastodynamic and floating frame");
    assert_near(segments, floating, BEAM, "segments and floating frame");
    assert!(still < 0.7 * floating, "quasi-static {still}, floating frame {floating}");
}

/// With hinge and foot the vibration changes the loads: segments and modes know it, the loads of the rigid motion do
/// not.
#[test]
fn loads_of_the_rigid_motion_miss_what_hinge_and_foot_do() {
    let [floating, segments, still, vibrating] =
        peaks(text(), &[("pulse", "2 ms"), ("duration", "4 ms"), ("rows", "200")]);
    assert_near(segments, floating, BEAM, "segments and floating frame");
    assert!(still < 0.7 * floating, "quasi-static {still}, floating frame {floating}");
    assert!(vibrating > still && vibrating < 0.9 * floating, "elastodynamic {vibrating}, floating frame {floating}");
}

/// Gauges of all ways also measure stress and rates, and formulas use the strains that are filled in after the run.
#[test]
fn measures_are_complete_by_every_way() {
    let rate =
        "[[measure]]\nname = \"rate_microstrain_s\"\nkind = \"strain-rate\"\nof = \"shank.front\"\n\n[results]\n";
    let text = text().replacen("[results]\n", &format!("{rate}stress = \"max(abs(front_mpa))\"\n"), 1);
    for way in ["floating-frame", "segments", "quasi-static"] {
        let outcome = run(&text, &[("way", way), ("pulse", "10 ms"), ("duration", "10 ms"), ("rows", "500")]);
        let series = &outcome.series[0];
        let column = |name: &str| {
            let i = series.columns.iter().position(|c| c == name).expect(name);
            series.rows.iter().map(|row| row[i]).collect::<Vec<f64>>()
        };
        // the surface is free: σ = E ε
        let front = result(&outcome, "front_peak_microstrain");
        assert_near(result(&outcome, "stress"), 17e3 * front * 1e-6, 0.05, way);
        assert_near(result(&outcome, "shank_mass_kg"), 3.0, 1e-9, way);
        let (strain, rate, bending) =
            (column("front_microstrain"), column("rate_microstrain_s"), column("bending_microstrain"));
        let back = column("back_microstrain");
        let steepest = rate.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        for k in 1..strain.len() - 1 {
            // differences over 40 microseconds, a twentieth of the first period
            let slope = (strain[k + 1] - strain[k - 1]) / 40e-6;
            assert!((slope - rate[k]).abs() < 0.1 * steepest, "{way}: {slope}, not {}", rate[k]);
            assert_eq!(bending[k], (back[k] - strain[k]) / 2.0);
        }
    }
}

/// The springs of a chain hold the energy that the modes hold.
#[test]
fn elastic_energy_is_that_of_the_springs() {
    let energy = "[[measure]]\nname = \"elastic_j\"\nkind = \"energy\"\nof = \"elastic\"\n\n[results]\nelastic = \"max(elastic_j)\"\n";
    let text = text().replacen("[results]\n", energy, 1);
    let [modes, springs] = ["floating-frame", "segments"].map(|way| {
        let outcome = run(&text, &[("way", way), ("pulse", "10 ms"), ("duration", "10 ms"), ("rows", "200")]);
        result(&outcome, "elastic")
    });
    // energy goes with the square of the strain
    assert_near(springs, modes, 2.0 * BEAM, "springs and modes");
}

/// A rigid body has no strain, and moves as that of the quasi-static way.
#[test]
fn rigid_bodies_have_no_strain() {
    let [rigid, still] = ["rigid", "quasi-static"].map(|way| run(text(), &[("way", way), ("duration", "5 ms")]));
    assert_eq!(result(&rigid, "front_peak_microstrain"), 0.0);
    assert_eq!(result(&rigid, "hinge_peak_n"), result(&still, "hinge_peak_n"));
}

/// Tibia and femur with compact and spongy bone, bent centroids and sections that are not round: beam theory with the
/// sections of the mesh is as good as for the tube.
#[test]
fn bones_bend_alike_by_segments_and_modes() {
    for bone in ["tibia", "femur"] {
        let text = text()
            .replace("bone = \"tube\"", &format!("bone = \"{bone}\""))
            .replace("inner_radius = \"inner_radius\"\nouter_radius = \"outer_radius\"\n", "")
            .replace("material = \"isotropic\"\nyoung = \"young\"\npoisson = \"poisson\"\n", "");
        let slow = [("pulse", "30 ms"), ("duration", "30 ms"), ("rows", "200")];
        let [floating, segments] = ["floating-frame", "segments"].map(|way| {
            let set: Vec<_> = slow.into_iter().chain([("way", way)]).collect();
            run(&text, &set)
        });
        for gauge in ["front_peak_microstrain", "back_peak_microstrain"] {
            assert_near(result(&segments, gauge), result(&floating, gauge), BEAM, &format!("{bone}, {gauge}"));
        }
    }
}
