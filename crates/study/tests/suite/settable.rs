//! Parameters that can be set in built-in studies have the effect that theory predicts.

use nalgebra::{DMatrix, DVector};
use wolff_multibody::System;
use wolff_multibody::dynamics::energy::momentum;
use wolff_multibody::simulation::{ConstraintHandling, Integrator, Settings, simulate};
use wolff_numerics::{Method, Options};
use wolff_report::outcome::{Outcome, Status};
use wolff_spatial::Vec3;
use wolff_study::build::build_model;
use wolff_study::document::{Study, StudyDocument, builtin};
use wolff_study::{Budget, run_study};

fn study(name: &str, set: &[(&str, &str)]) -> Study {
    let mut document = StudyDocument::parse(name, builtin(name).unwrap()).unwrap();
    let set: Vec<(String, String)> = set.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
    document.apply_overrides(&set).unwrap_or_else(|e| panic!("{e}"));
    document.evaluate().unwrap_or_else(|e| panic!("{e}"))
}

fn run(name: &str, set: &[(&str, &str)]) -> Outcome {
    run_study(&study(name, set), Budget::default(), &mut |_, _| {}).unwrap_or_else(|e| panic!("{e}"))
}

fn number(outcome: &Outcome, name: &str) -> f64 {
    outcome.results[name].as_f64().unwrap_or_else(|| panic!("no {name}"))
}

/// Restitution of a linear spring and damper, `β = c/2m`, `ω² = k/m - β²`: `exp(-π β/ω)` until the indentation is zero,
/// and `exp(-β/ω (π - atan(2βω/(ω² - β²))))` until the force is zero (Schwager and Pöschel 2007, Granular Matter 9).
/// A damping that is set counts, also where it is the value that the file has for another law.
#[test]
fn kelvin_voigt_damping_and_end_are_set() {
    let (k, m) = (5.5e9, 0.046);
    for damping in [100.0, 1000.0, 3000.0] {
        let beta: f64 = damping / (2.0 * m);
        let omega = (k / m - beta * beta).sqrt();
        let turned = (2.0 * beta * omega / (omega * omega - beta * beta)).atan();
        for (end, angle) in [("indentation-zero", 0.0), ("force-zero", turned)] {
            let expected = (-beta / omega * (std::f64::consts::PI - angle)).exp();
            let set = [("law", "kelvin-voigt"), ("damping", &damping.to_string()), ("end", end)];
            let outcome = run("spheres", &set);
            assert!(
                outcome.comparisons.is_empty(),
                "references hold for the damping that follows from the restitution"
            );
            let found = number(&outcome, "restitution");
            assert!((found - expected).abs() < 1e-8, "{damping} {end}: {found} instead of {expected}");
        }
    }
    let found = number(&run("spheres", &[("law", "kelvin-voigt")]), "restitution");
    assert!((found - 0.7).abs() < 1e-8, "without a damping it follows from the restitution: {found}");
}

/// A top with three different moments of inertia and rates about all axes keeps its energy and the vertical component
/// of its angular momentum about the fixed point, and moves unlike the symmetric top.
#[test]
fn an_unsymmetric_top_keeps_energy_and_vertical_momentum() {
    let end = |ratio: &str| {
        let set = [("rate_x", "3"), ("inertia_ratio", ratio)];
        let model = build_model(&study("heavy-top", &set)).unwrap();
        let settings = Settings {
            integrator: Integrator::Ode(Method::Dop853, Options::tolerances(1e-12, 1e-12)),
            constraints: ConstraintHandling::None,
            t_start: 0.0,
            t_end: 2.0,
            until_rest: None,
            assemble: true,
        };
        let report = simulate(&model, &settings, &model.q0, &model.v0, &[], &mut ()).unwrap();
        let mut system = System::new(&model);
        let mut invariants = |q: &[f64], v: &[f64]| {
            system.update_kinematics(q, v);
            let (kinetic, potential) = system.energy(0.0, q, v);
            [kinetic + potential, momentum(&system.kin, &Vec3::zeros()).n.z]
        };
        let [before, after] = [invariants(&model.q0, &model.v0), invariants(&report.q, &report.v)];
        for (before, after) in before.iter().zip(after) {
            assert!((before - after).abs() < 1e-9 * before.abs(), "{ratio}: {before} {after}");
        }
        report.q
    };
    let (symmetric, other) = (end("1"), end("2"));
    assert!(symmetric.iter().zip(&other).any(|(a, b)| (a - b).abs() > 0.01), "{symmetric:?} {other:?}");
}

/// Angular frequencies of the model at its start without gravity \[rad/s\], by differences of the equations of motion.
fn frequencies(study: &Study) -> Vec<f64> {
    let model = build_model(study).unwrap();
    let mut system = System::new(&model);
    let n = model.nv();
    let mut residual = |q: &[f64], a: &[f64]| {
        let mut r = vec![0.0; n];
        system.residual(0.0, q, &vec![0.0; n], a, &[], &mut r);
        DVector::from_vec(r)
    };
    let rest = residual(&model.q0, &vec![0.0; n]);
    let (mut mass, mut stiffness) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
    const SMALL: f64 = 1e-6;
    for i in 0..n {
        let mut a = vec![0.0; n];
        a[i] = 1.0;
        mass.set_column(i, &(residual(&model.q0, &a) - &rest));
        let mut q = model.q0.clone();
        q[i] += SMALL;
        stiffness.set_column(i, &((residual(&q, &vec![0.0; n]) - &rest) / SMALL));
    }
    let factor = mass.cholesky().unwrap().l();
    let half = factor.solve_lower_triangular(&stiffness).unwrap();
    let whole = factor.solve_lower_triangular(&half.transpose()).unwrap();
    let symmetric = 0.5 * (&whole + whole.transpose());
    let mut found: Vec<f64> = symmetric.symmetric_eigenvalues().iter().map(|x| x.max(0.0).sqrt()).collect();
    found.sort_by(f64::total_cmp);
    found
}

/// First bending of a hinged beam with a mass at its end: `cot β - coth β = 2 β M/(m L)` with `ω = β² √(EI/(m L⁴))`.
#[test]
fn a_tip_mass_lowers_the_frequency_of_the_pendulum() {
    for tip_mass in [0.0, 0.2, 1.0] {
        let condition = |beta: f64| 1.0 / beta.tan() - 1.0 / beta.tanh() - 2.0 * beta * tip_mass / 0.8;
        // the first root with bending is between π and 5π/4, where the function falls
        let (mut low, mut high) = (std::f64::consts::PI + 1e-9, 1.25 * std::f64::consts::PI + 1e-9);
        for _ in 0..80 {
            let middle = 0.5 * (low + high);
            if condition(middle) > 0.0 { low = middle } else { high = middle }
        }
        let expected = low * low * (20.0_f64 / 0.8).sqrt();
        let found =
            frequencies(&study("flexible-pendulum", &[("tip_mass", &tip_mass.to_string()), ("gravity", "0")]))[1];
        // ten sines relative to the chord do not bend at the end, where the inertia of the mass acts
        assert!((found / expected - 1.0).abs() < 1e-3, "{tip_mass}: {found} instead of {expected}");
    }
}

/// Transversely isotropic constants that are those of an isotropic material give its frequencies; a wall that is softer
/// in shear lowers that of torsion by the root of the shear moduli.
#[test]
fn own_constants_of_the_wall_are_set() {
    let shear = 1.7e10 / 2.6;
    let own = |shear: f64| {
        let shear = shear.to_string();
        let set = [
            ("material", "transversely-isotropic"),
            ("young_axial", "1.7e10"),
            ("young_transverse", "1.7e10"),
            ("shear_axial", shear.as_str()),
            ("poisson_axial", "0.3"),
            ("poisson_transverse", "0.3"),
        ];
        run("tube-modes", &set)
    };
    let (isotropic, same, soft) = (run("tube-modes", &[]), own(shear), own(0.5 * shear));
    for mode in 1..=8 {
        let name = format!("frequency{mode}_hz");
        let ratio = number(&same, &name) / number(&isotropic, &name);
        assert!((ratio - 1.0).abs() < 1e-8, "{name}: {ratio}");
    }
    let torsion = number(&isotropic, "frequency3_hz") * 0.5_f64.sqrt();
    let found: Vec<f64> = (1..=8).map(|mode| number(&soft, &format!("frequency{mode}_hz"))).collect();
    assert!(found.iter().any(|f| (f / torsion - 1.0).abs() < 1e-3), "{found:?} have no {torsion}");
}

#[test]
fn all_frequencies_that_are_asked_for_are_results() {
    let outcome = run("tube-modes", &[("count", "14")]);
    let found: Vec<f64> = (1..=14).map(|mode| number(&outcome, &format!("frequency{mode}_hz"))).collect();
    assert!(found.is_sorted() && !outcome.results.contains_key("frequency15_hz"), "{found:?}");
}

/// A ball that lies on the floor stays there; what an impact without an end lacks is said in words.
#[test]
fn a_ball_without_height_rests() {
    let outcome = run("bouncing-ball", &[("height", "0")]);
    assert_eq!(outcome.status, Status::Ok);
    let text = outcome.warnings.join("\n");
    assert!(
        text.contains("impact 1 has no `restitution`, since it did not end") && !text.contains("unknown"),
        "{text}"
    );
}

/// Newton's law for the whole body, from the series of the inverse dynamics: the multipliers of the drivers of the
/// trunk carry weight and inertia of all segments.
#[test]
fn inverse_dynamics_balance_the_whole_body() {
    let outcome = run("human-sagittal", &[]);
    let series = &outcome.series[0];
    let column = |name: &str| series.columns.iter().position(|c| c == name).unwrap_or_else(|| panic!("no {name}"));
    let segments = [
        ("hat", 19.221),
        ("thigh_right", 5.67),
        ("shank_right", 2.6365),
        ("foot_right", 0.8221),
        ("thigh_left", 5.67),
        ("shank_left", 2.6365),
        ("foot_left", 0.8221),
    ];
    for row in &series.rows {
        for (axis, gravity) in [("x", 0.0), ("y", 9.81)] {
            let inertia = |(name, mass): &(&str, f64)| mass * (row[column(&format!("{name}_a{axis}_m_s2"))] + gravity);
            let needed: f64 = segments.iter().map(inertia).sum();
            let driver = -row[column(&format!("lambda_hat_{axis}_n"))];
            assert!((needed - driver).abs() < 1e-9 * 400.0, "t = {}: {needed} {driver}", row[0]);
        }
    }
}
